//! Sandboxed matches of bots that attack, several at once. The long run is
//! `cargo bench --bench concurrent_attacks`.

#[path = "../../bench/attacking_at_once/mod.rs"]
mod attacking_at_once;

use crate::requirements;
use crate::test_folder::TestFolder;

/// Holds the promise `innocent`.
#[test]
fn concurrent_sandboxed_attacks_get_the_right_verdicts() {
    if !requirements::sandbox_is_there("sandboxed matches at once") {
        return;
    }
    let folder = TestFolder::new();
    let programs = (env!("CARGO_BIN_EXE_mancala"), env!("CARGO_BIN_EXE_hostile"));
    // Each attack once.
    let outcome = attacking_at_once::run(programs, folder.path(), 24, 4);
    assert!(outcome.is_ok(), "{outcome:#?}");
}
