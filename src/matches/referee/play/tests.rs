//! Tests of a match with players that need no program.

use super::*;
use crate::protocol::{FaultKind, Reason};
use crate::record::Terms;
use crate::referee::testing::{Scripted, ScriptedAction, on_late_machine, setup};
use crate::rules::Ending;

/// Plays a match whose machine is late at the first `questions`: its record, how many rounds were
/// void, and how often each player was started.
fn play(questions: u32) -> (Result<MatchRecord, MatchError>, u32, PerSeat<u32>) {
    let mut players = Scripted::new(on_late_machine(questions));
    let mut void = 0;
    let record = play_match(&setup(Terms::default()), &mut players, &mut |event| {
        void += u32::from(matches!(event, Event::RoundVoid { .. }));
    });
    (record, void, players.launches)
}

#[test]
fn a_round_in_which_the_machine_was_late_is_played_again_with_fresh_players() {
    let (record, void, launches) = play(2);
    let record = record.unwrap();
    assert_eq!(void, 2);
    assert_eq!(record.rounds[0].replayed, 2);
    assert_eq!(record.rounds[1].replayed, 0);
    assert_eq!(launches, PerSeat([3, 3]));
    assert!(
        record.rounds.iter().all(|round| round.result.reason == Reason::Ended(Ending::Completed))
    );
    assert_eq!(crate::referee::verify(&record), Ok(()));
}

#[test]
fn the_third_time_the_match_is_unfinished_and_nobody_forfeits() {
    let (outcome, void, _) = play(3);
    assert_eq!(void, 2);
    let error = outcome.unwrap_err();
    let why = "in round 1 the machine, not a bot, was late 3 times, 80.0 ms the last time; ";
    let is_so = matches!(&error, MatchError::Unfinished(unfinished) if unfinished.starts_with(why));
    assert!(is_so, "{error}");
}

/// Programs that go with the folder they are in: both, or one of them.
#[test]
fn of_two_programs_that_are_gone_neither_forfeits() {
    // Late once, so that both have to be started again.
    let play = |gone: [bool; 2]| {
        let mut players = Scripted::new(on_late_machine(1));
        players.max_launches = PerSeat(gone.map(|is_gone| if is_gone { 1 } else { u32::MAX }));
        play_match(&setup(Terms::default()), &mut players, &mut |_| {})
    };
    let record = play([false, true]).unwrap();
    let fault = record.rounds[0].result.fault.as_ref().unwrap();
    assert_eq!((fault.bot, fault.kind), (Seat::B, FaultKind::StartFailed));
    let unfinished = "before round 1 neither program can be started any more: gone; gone";
    let error = play([true, true]).unwrap_err();
    assert!(matches!(&error, MatchError::Unfinished(why) if why == unfinished), "{error}");
}

#[test]
fn the_draw_of_a_match_has_no_winner() {
    assert_eq!(winner(PerSeat([36, 36])), None);
    assert_eq!(winner(PerSeat([37, 35])), Some(Seat::A));
    assert_eq!(winner(PerSeat([0, 72])), Some(Seat::B));
}

/// Silence is a fault of its own kind, whoever reports it.
#[test]
fn a_silent_player_forfeits() {
    let script =
        |seat, _| if seat == Seat::B { ScriptedAction::Ignore } else { ScriptedAction::Play };
    let mut players = Scripted::new(script);
    let record = play_match(&setup(Terms::default()), &mut players, &mut |_| {}).unwrap();
    assert_eq!(record.score, PerSeat([72, 0]));
    let fault = record.rounds[1].result.fault.as_ref().unwrap();
    assert!(fault.detail.ends_with("; it does not read its stdin"), "{}", fault.detail);
    assert_eq!(fault.stderr, "launch 2");
}
