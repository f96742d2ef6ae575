//! Records that were changed are refused, with the words for what is wrong.

use std::time::Duration;

use super::*;
use crate::protocol::{Cause, Reason};
use crate::record::{FaultPolicy, FaultTerms, Terms, TournamentMatch};
use crate::referee::play::play_match;
use crate::referee::testing::{Scripted, ScriptedAction, lenient, setup};
use crate::rules::House;

/// A match whose first round the beginner forfeits with its third fault.
pub(super) fn played(terms: Terms, last: ScriptedAction) -> MatchRecord {
    let mut players = Scripted::new(move |seat, question| match (seat, question) {
        (Seat::A, 1 | 2) => ScriptedAction::Say("6"),
        (Seat::A, 3) => last,
        _ => ScriptedAction::Play,
    });
    play_match(&setup(terms), &mut players, &mut |_| {}).unwrap()
}

#[track_caller]
pub(super) fn refused(change: impl FnOnce(&mut MatchRecord), words: &str) {
    let mut record = played(lenient(2), ScriptedAction::Hang);
    assert_eq!(verify(&record), Ok(()));
    change(&mut record);
    let why = verify(&record).unwrap_err().to_string();
    assert_eq!(why, words);
}

#[test]
fn a_substitute_is_the_first_legal_move() {
    refused(
        |record| record.rounds[0].moves[0].house = House::ALL[1],
        "round 1, move 1: what was substituted is not the first legal move",
    );
}

#[test]
fn moves_are_substituted_only_under_that_policy() {
    let why = "round 1, move 1: it is given as substituted, but every fault forfeits the round";
    refused(|record| record.terms.faults.policy = FaultPolicy::Forfeit, why);
    refused(|record| record.terms.faults.max = None, why);
}

#[test]
fn no_more_moves_are_substituted_than_may_be() {
    refused(
        |record| record.terms.faults.max = 1.try_into().ok(),
        "round 1, move 3: it is given as substituted, but after 1 of a bot's faults the next forfeits the round",
    );
}

#[test]
fn only_some_kinds_are_substituted() {
    for kind in [FaultKind::Exited, FaultKind::StartFailed] {
        refused(
            |record| {
                let substitute = record.rounds[0].moves[0].substitute.as_mut().unwrap();
                (substitute.kind, substitute.cause) = (kind, None);
            },
            &format!(
                "round 1, move 1: it is given as substituted, but a fault of kind {kind} forfeits the round"
            ),
        );
    }
}

#[test]
fn a_fault_that_was_to_be_substituted_does_not_end_a_round() {
    refused(
        |record| record.terms.faults.max = 3.try_into().ok(),
        "round 1: it ends with a fault of kind timeout that was to be substituted, number 3 of 3 that may be",
    );
    refused(
        |record| record.rounds[0].moves[2].substitute = None,
        "round 1: it ends with a fault of kind timeout that was to be substituted, number 2 of 2 that may be",
    );
    assert_eq!(verify(&played(lenient(3), ScriptedAction::Exit)), Ok(()));
}

#[test]
fn a_round_that_was_cut_away_is_missed() {
    let cut = |record: &mut MatchRecord| {
        record.rounds.pop();
        record.score = PerSeat::from_fn(|seat| u32::from(record.rounds[0].result.score[seat]));
        record.winner = winner(record.score);
    };
    refused(cut, "2 rounds were to be played, 1 are there");
    // A record of an older version does not say how many there were.
    let mut older = played(lenient(2), ScriptedAction::Hang);
    cut(&mut older);
    older.planned_rounds = None;
    assert_eq!(verify(&older), Ok(()));
}

#[test]
fn no_move_takes_longer_than_it_may() {
    let limit = Duration::from_millis(1_050);
    let to_start = Duration::from_secs(10);
    let own = |record: &mut MatchRecord, time: Duration| {
        let moves = &mut record.rounds[1].moves;
        let own = moves.iter_mut().filter(|played| played.bot == Seat::A);
        own.zip([to_start + limit, limit]).for_each(|(played, most)| played.time = most);
        let third = moves.iter_mut().filter(|played| played.bot == Seat::A).nth(2);
        third.unwrap().time = time;
    };
    let mut record = played(lenient(2), ScriptedAction::Hang);
    own(&mut record, limit);
    assert_eq!(verify(&record), Ok(()));
    let found = {
        own(&mut record, limit + Duration::from_micros(1));
        verify(&record).unwrap_err()
    };
    assert_eq!(found.round, Some(2));
    assert_eq!(found.what, "it took 1050.001 ms, beyond the limit (1000 ms, margin 50 ms)");
}

#[test]
fn a_bank_runs_out_in_a_record_as_in_a_match() {
    let mut terms = lenient(2);
    terms.time.game_time = Some(Duration::from_secs(2));
    let mut record = played(terms, ScriptedAction::Exit);
    for played in record.rounds[1].moves.iter_mut().filter(|played| played.bot == Seat::B) {
        played.time = Duration::from_millis(900);
    }
    let found = verify(&record).unwrap_err();
    assert_eq!(found.round, Some(2), "{found}");
}

#[test]
fn a_timeout_takes_its_time() {
    let early = |record: &mut MatchRecord| {
        let substitute = record.rounds[0].moves[0].substitute.as_mut().unwrap();
        (substitute.kind, substitute.cause) = (FaultKind::Timeout, None);
    };
    let why = "round 1, move 1: it is given as a timeout, but took 1.000 ms, less than the limit";
    refused(early, why);
}

#[test]
fn a_program_that_runs_has_started() {
    refused(
        |record| {
            record.terms.faults = FaultTerms::default();
            for played in &mut record.rounds[0].moves {
                played.substitute = None;
            }
            record.rounds[0].result.reason = Reason::Fault(FaultKind::StartFailed);
            record.rounds[0].result.fault.as_mut().unwrap().kind = FaultKind::StartFailed;
        },
        "round 1: a program that was running is given as one that did not start",
    );
}

#[test]
fn the_digests_of_a_tournament_are_those_of_the_games() {
    let mut record = played(lenient(2), ScriptedAction::Hang);
    let games = record.rounds.iter();
    let games = games.map(|round| Digest::of_game(&record.rules, &record.opening, &round.moves));
    record.tournament = Some(TournamentMatch {
        id: Digest::of(b"autumn"),
        number: 17.try_into().unwrap(),
        opening: 3.try_into().unwrap(),
        games: games.collect(),
    });
    assert_eq!(verify(&record), Ok(()));
    record.tournament.as_mut().unwrap().games.reverse();
    let why = verify(&record).unwrap_err().to_string();
    assert_eq!(why, "the digests of its games are not those of its moves");
}

#[test]
fn a_substitute_is_read_as_it_is_written_and_an_old_record_as_before() {
    let record = played(lenient(2), ScriptedAction::Hang);
    let json = serde_json::to_string(&record).unwrap();
    assert!(json.contains(r#""max_moves":1000,"fault_policy":"substitute","max_faults":2,"#));
    let substitute = r#""ms":1.0,"substitute":{"kind":"illegal_move","detail":"there is no house 6; houses are 0 to 5","cause":{"code":"no_such_house","value":6,"limit_ms":1000,"margin_ms":50,"waited_ms":1.0}}}"#;
    assert!(json.contains(substitute), "{json}");
    assert_eq!(serde_json::from_str::<MatchRecord>(&json).unwrap(), record);
    let older = json.replace(r#","cause":{"code":"no_such_house","value":6,"limit_ms":1000,"start_ms":10000,"margin_ms":50,"waited_ms":1.0}"#, "");
    let mut older = serde_json::from_str::<MatchRecord>(&older).unwrap();
    assert_eq!(older.rounds[0].moves[0].substitute.as_ref().unwrap().cause, None);
    assert_eq!(verify(&older), Ok(()));
    // Records of earlier versions have the times with timeouts only.
    let substitute = older.rounds[0].moves[2].substitute.as_mut().unwrap();
    substitute.cause = Some(Box::new(Cause { value: Some(6), ..CauseCode::NoSuchHouse.into() }));
    assert_eq!(verify(&older), Ok(()));
}

/// A match of two rounds in which nothing is at fault, as a later version writes it.
fn clean() -> MatchRecord {
    let mut players = Scripted::new(|_, _| ScriptedAction::Play);
    play_match(&setup(Terms::default()), &mut players, &mut |_| {}).unwrap()
}

#[test]
fn only_the_first_answer_of_a_process_has_time_to_start() {
    let nine_seconds = Duration::from_secs(9);
    let refused = |round: usize, change: &dyn Fn(&mut RoundRecord), words: &str| {
        let mut record = clean();
        change(&mut record.rounds[round]);
        let words = format!("round {}, {words}", round + 1);
        assert_eq!(verify(&record).unwrap_err().to_string(), words);
    };
    let late = "move 1: it took 9000.000 ms, beyond the limit (1000 ms, margin 50 ms)";
    let mut record = clean();
    record.rounds[0].moves[0].time = nine_seconds;
    assert_eq!(verify(&record), Ok(()));
    refused(1, &|round| round.moves[0].time = nine_seconds, late);
    let kept = |round: &mut RoundRecord| {
        (round.moves[0].time, round.moves[0].fresh) = (nine_seconds, false);
    };
    refused(0, &kept, late);
    let words = "it is given as the first of a process, but the one before it went on";
    let fresh = |round: &mut RoundRecord| round.moves[0].fresh = true;
    refused(1, &fresh, &format!("move 1: {words}"));
    refused(0, &|round| round.moves[4].fresh = true, &format!("move 5: {words}"));
    // A round that was void is played by other processes.
    let mut again = clean();
    again.rounds[1].replayed = 1;
    fresh(&mut again.rounds[1]);
    again.rounds[1].moves[0].time = nine_seconds;
    assert_eq!(verify(&again), Ok(()));
    // Older records do not say it.
    let mut older = clean();
    for played in older.rounds.iter_mut().flat_map(|round| &mut round.moves) {
        played.fresh = false;
    }
    older.rounds[1].moves[0].time = nine_seconds;
    assert_eq!(verify(&older), Ok(()));
    older.bots[Seat::A].version = Some(Digest::of(b"x"));
    assert_eq!(verify(&older).unwrap_err().to_string(), format!("round 2, {late}"));
}

#[test]
fn a_person_has_time_and_may_take_moves_back() {
    let hour = Duration::from_hours(1);
    let mut record = clean();
    record.terms.time.game_time = Some(Duration::from_secs(1));
    for round in &mut record.rounds {
        round.moves.iter_mut().filter(|it| it.bot == Seat::A).for_each(|it| it.time = hour);
        // The bot was started again for each of its moves.
        round.moves.iter_mut().for_each(|it| it.fresh = it.bot == Seat::B);
    }
    assert!(verify(&record).is_err());
    record.bots[Seat::A].command.clear();
    assert_eq!(verify(&record), Ok(()));
    record.rounds[1].moves.iter_mut().for_each(|it| it.time = hour);
    let why = verify(&record).unwrap_err().to_string();
    assert!(
        why.ends_with("beyond the limit (1000 ms + 10000 ms to start, margin 50 ms, bank 1000 ms)"),
        "{why}"
    );
}

#[test]
fn a_match_has_limits_and_two_names_and_a_round_is_void_twice_at_most() {
    refused(
        |record| record.rounds[0].replayed = 7,
        "round 1 is given as void 7 times, at most 2 can be",
    );
    refused(
        |record| record.bots.0[1].name = record.bots.0[0].name.clone(),
        "both bots have the same name",
    );
    refused(
        |record| record.terms.time.move_time = None,
        "its limits have neither a time for a move nor a time bank",
    );
}
