//! Tournaments of sound bots beside bots that attack: no sound bot has a fault. The long run is
//! `cargo bench --bench siege`.

#[path = "../bench/besieging/mod.rs"]
mod besieging;

use crate::requirements;
use crate::runner::{Test, tests};
use crate::test_folder::TestFolder;

pub const TESTS: &[Test] = tests![no_sound_bot_has_a_fault_beside_bots_that_attack];

/// Every attack is in one of the five tournaments.
///
/// Holds the promise `innocent`.
fn no_sound_bot_has_a_fault_beside_bots_that_attack() {
    if !requirements::sandbox_is_there("attacked tournaments") {
        return;
    }
    let programs = (env!("CARGO_BIN_EXE_mancala"), env!("CARGO_BIN_EXE_hostile"));
    let mut faults = 0;
    for number in 0..5 {
        let folder = TestFolder::new();
        let options = ["--oversubscribe", besieging::GAUNTLET];
        let outcome = besieging::run(programs, folder.path(), number, &options);
        faults += outcome.unwrap_or_else(|wrong| panic!("tournament {}: {wrong:#?}", number + 1));
        folder.none_left();
    }
    // Bombs are ended, so they have attacked.
    assert!(faults > 50, "the attackers have {faults} faults");
}
