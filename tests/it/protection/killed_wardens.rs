//! A bot that kills its wardens touches no match of another process. The long run is
//! `cargo bench --bench siege`.

#[path = "../../bench/killing_wardens/mod.rs"]
mod killing_wardens;

use crate::test_folder::TestFolder;

/// Holds the promise `goes-on`.
#[test]
fn killing_wardens_does_not_affect_other_matches() {
    for run in 1..=2 {
        let folder = TestFolder::new();
        let (mancala, hostile) = (env!("CARGO_BIN_EXE_mancala"), env!("CARGO_BIN_EXE_hostile"));
        let outcome = killing_wardens::run(mancala, hostile, folder.path(), 1_000);
        assert_eq!(outcome, Ok(()), "run {run}");
        folder.none_left();
    }
}
