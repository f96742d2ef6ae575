//! Tests of questions and of the marks of processes, with players that need no program.

use super::*;
use crate::record::MatchRecord;
use crate::referee::testing::{Scripted, ScriptedAction, lenient, setup};
use crate::referee::{play_match, verify};
use crate::seat::PerSeat;

/// Whether each of the first four moves of a bot in a round is marked.
fn fresh(record: &MatchRecord, round: usize, seat: Seat) -> Vec<bool> {
    let moves = record.rounds[round].moves.iter();
    moves.filter(|played| played.bot == seat).map(|played| played.fresh).take(4).collect()
}

#[test]
fn the_first_move_of_each_process_is_marked() {
    let script = |seat, question| match (seat, question) {
        (Seat::A, 2) => ScriptedAction::Hang,
        _ => ScriptedAction::Play,
    };
    let record = play_match(&setup(lenient(2)), &mut Scripted::new(script), &mut |_| ()).unwrap();
    assert_eq!(fresh(&record, 0, Seat::A), [true, false, true, false]);
    assert_eq!(fresh(&record, 0, Seat::B), [true, false, false, false]);
    assert_eq!(fresh(&record, 1, Seat::A), [false; 4]);
}

#[test]
fn a_move_that_was_not_asked_is_not_the_first_of_a_process() {
    let mut terms = lenient(1000);
    (terms.time.move_time, terms.time.game_time) = (None, Some(Duration::from_secs(3)));
    // One bank is spent with its process, the other one with the first answer of the process.
    let script = |seat, question| match (seat, question) {
        (Seat::A, 2) => ScriptedAction::Late,
        (Seat::B, 1) => ScriptedAction::JustInTime,
        _ => ScriptedAction::Play,
    };
    let mut players = Scripted::new(script);
    let record = play_match(&setup(terms), &mut players, &mut |_| ()).unwrap();
    assert_eq!(players.launches, PerSeat([2, 1]));
    let first = [true, false, false, false];
    assert_eq!(fresh(&record, 0, Seat::A), first);
    assert_eq!(fresh(&record, 0, Seat::B), first);
    assert_eq!(fresh(&record, 1, Seat::A), first);
    assert_eq!(fresh(&record, 1, Seat::B), [false; 4]);
    assert_eq!(verify(&record), Ok(()));
}

/// Whatever the answer was, its fault says how long it took and what the bot had for it. What came
/// before the question took no time.
#[test]
fn every_fault_of_an_answer_has_its_times() {
    for (action, waited) in [
        (ScriptedAction::Say("6"), Some(1.0)),
        (ScriptedAction::Say("x"), Some(1.0)),
        (ScriptedAction::SayMore("0", "1\n"), Some(1.0)),
        (ScriptedAction::Late, Some(5051.0)),
        (ScriptedAction::Hang, Some(5050.0)),
        (ScriptedAction::Babble, None),
    ] {
        let mut terms = lenient(1000);
        terms.time.game_time = Some(Duration::from_secs(5));
        (terms.time.move_time, terms.time.start_time) = (None, Duration::ZERO);
        let script = |seat, question| match (seat, question) {
            (Seat::A, 1) => action,
            _ => ScriptedAction::Play,
        };
        let record = play_match(&setup(terms), &mut Scripted::new(script), &mut |_| ()).unwrap();
        let substitute = record.rounds[0].moves[0].substitute.as_ref().unwrap();
        let cause = substitute.cause.as_ref().unwrap();
        assert_eq!(cause.waited_ms, waited, "{action:?}");
        let (limit, margin) = (waited.map(|_| 5000), waited.map(|_| 50));
        let of_cause = (cause.limit_ms, cause.bank_ms, cause.time_left_ms, cause.margin_ms);
        assert_eq!(of_cause, (limit, limit, limit, margin), "{action:?}");
        assert_eq!(cause.start_ms, None, "{action:?}");
        assert_eq!(verify(&record), Ok(()));
    }
}

/// The questions of a match, with faults after which bots go on and faults after which they are
/// started again, are those that its record gives.
#[test]
fn a_record_tells_what_was_asked() {
    let deeds = [
        ScriptedAction::Say("6"),
        ScriptedAction::Hang,
        ScriptedAction::Say("x"),
        ScriptedAction::Babble,
        ScriptedAction::Late,
        ScriptedAction::Flood,
    ];
    for (every, bank) in [(2, None), (3, None), (5, Some(60_000)), (7, Some(2_000_000))] {
        let mut terms = lenient(1000);
        terms.time.game_time = bank.map(Duration::from_millis);
        let script = |_, question: usize| {
            let place = question / every;
            if question.is_multiple_of(every) {
                deeds[place % deeds.len()]
            } else {
                ScriptedAction::Play
            }
        };
        let setup = setup(terms);
        let mut players = Scripted::new(script);
        let record = play_match(&setup, &mut players, &mut |_| ()).unwrap();
        let mut found = PerSeat([Vec::new(), Vec::new()]);
        for round in &record.rounds {
            let mut game = Game::new(setup.rules, setup.opening, setup.terms.max_moves);
            for (moves, played) in round.moves.iter().enumerate() {
                let asked =
                    BotRound::question_in_record(setup.terms.time, round, moves, &game, played.bot);
                found[played.bot].extend(asked);
                game.play(setup.rules.ply(played.house, played.direction)).unwrap();
            }
            if let Some(fault) = &round.result.fault {
                let moves = round.moves.len();
                let time = setup.terms.time;
                let asked = BotRound::question_in_record(time, round, moves, &game, fault.bot);
                found[fault.bot].extend(asked);
            }
        }
        for seat in Seat::BOTH {
            let asked = players.asked[seat].iter().map(|(turn, _)| ToBot::Turn(turn.clone()));
            let asked: Vec<ToBot> = asked.collect();
            assert!(asked.len() > 10);
            assert_eq!(found[seat], asked, "{every} {bank:?}");
        }
    }
}
