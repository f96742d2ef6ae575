//! Match after match with the same bots: wardens stay, processes only where that is asked for.

use std::path::PathBuf;

use mancala_referee::bot::{Bot, Restraints, SeatedBots, Wardens, give_unique_names};
use mancala_referee::record::{MatchRecord, Terms};
use mancala_referee::referee::{MatchSetup, ROUNDS};
use mancala_referee::rules::{Opening, Ruleset};
use mancala_referee::seat::{PerSeat, Seat};
use mancala_referee::session;

use crate::test_folder::TestFolder;

/// Wardens that are the program under test.
fn wardens() -> Wardens {
    let mancala = PathBuf::from(env!("CARGO_BIN_EXE_mancala"));
    Wardens::of_program(mancala, Restraints::default(), None).expect("wardens")
}

/// The hostile bot in that mode, which first notes that a process of it has started.
fn counted(folder: &TestFolder, mode: &str) -> String {
    let bot = folder.bot(mode).replace('\'', "");
    format!("sh -c 'echo started >> {}; exec {bot}'", folder.file("starts"))
}

/// Two matches with the same two bots, which keep their processes. Returns the records and how
/// often the first bot was started.
fn play_twice(folder: &TestFolder, first: &str) -> ([MatchRecord; 2], usize) {
    let wardens = wardens();
    let commands = PerSeat([counted(folder, first), folder.bot("sound")]);
    let commands = PerSeat(commands.0.map(|command| command.parse().expect("a command")));
    let rules = Ruleset::default();
    let setup = MatchSetup {
        rules,
        opening: Opening::standard(&rules),
        terms: Terms::default(),
        bots: give_unique_names(&commands).expect("names"),
        first: Seat::A,
        rounds: ROUNDS,
        hides_details: false,
    };
    let mut bots: Option<PerSeat<Bot>> = None;
    let records = [(), ()].map(|()| {
        let mut seated = match bots.take() {
            Some(bots) => SeatedBots::new(bots, &wardens),
            None => SeatedBots::seat(&commands, &wardens),
        };
        let record = session::play(&setup, &mut seated, None, &mut |_| {}).expect("a record");
        bots = Some(seated.into_bots());
        record
    });
    SeatedBots::new(bots.expect("two bots"), &wardens).end();
    folder.none_left();
    (records, folder.read("starts").lines().count())
}

#[test]
fn a_process_plays_match_after_match() {
    let folder = TestFolder::new();
    let (records, starts) = play_twice(&folder, "sound");
    assert_eq!(starts, 1);
    for record in &records {
        assert!(!record.has_fault(), "{record:#?}");
        assert_eq!(record.rounds.len(), 2);
    }
    assert_eq!(records[0].score, records[1].score);
}

/// Leaving after a match is no fault, and writing after it is none in the next one.
#[test]
fn exits_and_output_between_matches_are_not_faults() {
    for mode in ["exit-at-the-end 2 1", "at-the-end 2 1"] {
        let folder = TestFolder::new();
        let (records, starts) = play_twice(&folder, mode);
        assert_eq!(starts, 2, "{mode}");
        assert!(records.iter().all(|record| !record.has_fault()), "{mode}: {records:#?}");
    }
}
