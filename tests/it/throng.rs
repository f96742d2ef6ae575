//! Sandboxed matches of bots that attack, several at once. The long run is
//! `cargo bench --bench throng`.

#[path = "../bench/thronging/mod.rs"]
mod thronging;

use super::stage::Stage;
use super::tools;

#[test]
fn matches_at_once_are_judged_right_and_leave_nothing() {
    if !tools::sandbox_is_there("sandboxed matches at once") {
        return;
    }
    let stage = Stage::new();
    let programs = (env!("CARGO_BIN_EXE_mancala"), env!("CARGO_BIN_EXE_hostile"));
    // Each attack once.
    let outcome = thronging::run(programs, stage.folder.path(), 24, 4);
    assert!(outcome.is_ok(), "{outcome:#?}");
}
