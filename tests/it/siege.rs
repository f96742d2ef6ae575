//! A bot that kills its wardens touches no match of another process. The long run is
//! `cargo bench --bench siege`.

#[path = "../bench/besieging/mod.rs"]
mod besieging;

use super::stage::Stage;

#[test]
fn a_bot_that_kills_its_wardens_touches_nobody_else() {
    for run in 1..=10 {
        let stage = Stage::new();
        let (mancala, hostile) = (env!("CARGO_BIN_EXE_mancala"), env!("CARGO_BIN_EXE_hostile"));
        let outcome = besieging::run(mancala, hostile, stage.folder.path());
        assert_eq!(outcome, Ok(()), "run {run}");
        stage.none_left();
    }
}
