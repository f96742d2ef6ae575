//! Plays a record again through the rules: is it valid?

use std::fmt;
use std::num::NonZeroU32;

use super::clock::Clock;
use super::play::winner;
use super::policy::{Substitutes, first_legal};
use super::values::Values;
use crate::protocol::{Cause, CauseCode, FaultKind, Reason};
use crate::record::{
    Digest, FaultRecord, MatchRecord, MoveRecord, RoundRecord, TimeTerms, milliseconds,
};
use crate::rules::{Game, Ply, Side};
use crate::seat::{PerSeat, Seat};

/// The first thing in a record that is impossible.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Mismatch {
    /// The round it is in, from 1; none when it is in the match's own fields.
    pub round: Option<u32>,
    /// The move it is at, from 1; none when it is in the result.
    pub number: Option<usize>,
    /// What is wrong.
    pub what: String,
}

impl fmt::Display for Mismatch {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(round) = self.round {
            write!(f, "round {round}")?;
            match self.number {
                Some(number) => write!(f, ", move {number}: ")?,
                None => f.write_str(": ")?,
            }
        }
        f.write_str(&self.what)
    }
}

impl std::error::Error for Mismatch {}

/// Checks a whole record: every move, every result, the match's score and winner.
///
/// # Errors
///
/// The first [`Mismatch`], in the order in which the match was played.
pub fn verify(record: &MatchRecord) -> Result<(), Mismatch> {
    let mismatch = |what: String| Mismatch { round: None, number: None, what };
    if record.rounds.is_empty() {
        return Err(mismatch("the match has no round".to_owned()));
    }
    for (index, round) in record.rounds.iter().enumerate() {
        verify_round(record, round)?;
        if usize::try_from(round.round) != Ok(index + 1) {
            return Err(mismatch(format!(
                "round {} stands where round {} should",
                round.round,
                index + 1
            )));
        }
        let swapped = if index % 2 == 0 { record.rounds[0].first } else { !record.rounds[0].first };
        if round.first != swapped {
            return Err(mismatch(format!("the starter of round {} is not swapped", round.round)));
        }
    }
    if let Some(planned) = record.planned_rounds.map(NonZeroU32::get)
        && usize::try_from(planned) != Ok(record.rounds.len())
    {
        let found = record.rounds.len();
        return Err(mismatch(format!("{planned} rounds were to be played, {found} are there")));
    }
    if let Some(place) = &record.tournament {
        let digest =
            |round: &RoundRecord| Digest::of_game(&record.rules, &record.opening, &round.moves);
        if !record.rounds.iter().map(digest).eq(place.games.iter().copied()) {
            return Err(mismatch("the digests of its games are not those of its moves".to_owned()));
        }
    }
    let score = PerSeat::from_fn(|seat| {
        record.rounds.iter().map(|round| u32::from(round.result.score[seat])).sum()
    });
    if score != record.score {
        return Err(mismatch(format!(
            "the score is given as {:?}, the rounds add up to {:?}",
            record.score.0, score.0
        )));
    }
    if record.winner != winner(score) {
        return Err(mismatch(format!(
            "the winner is not the one that a score of {:?} makes",
            score.0
        )));
    }
    Ok(())
}

fn verify_round(record: &MatchRecord, round: &RoundRecord) -> Result<(), Mismatch> {
    let mismatch = |number, what: String| Err(Mismatch { round: Some(round.round), number, what });
    let mut game = Game::new(record.rules, record.opening, record.terms.max_moves)
        .adjudicated(record.terms.adjudicate);
    let mut substitutes = Substitutes::new(record.terms.faults);
    let seat_of = |side| if side == Side::First { round.first } else { !round.first };
    // A process may have been started for the round: the record does not say, and the first move
    // has the time for it.
    let mut clocks = PerSeat::from_fn(|_| Clock::new(record.terms.time, true));
    let mut values = Values::default();
    for (index, played) in round.moves.iter().enumerate() {
        let at = Some(index + 1);
        if let Some(ending) = game.ending() {
            let why = Reason::from(ending);
            return mismatch(at, format!("the round had ended before it ({why})"));
        }
        if played.bot != seat_of(game.mover()) {
            let name = &record.bots[played.bot].name;
            return mismatch(at, format!("it was not the turn of {name:?}"));
        }
        if let Err(why) = verify_time(&mut clocks[played.bot], played, record.terms.time) {
            return mismatch(at, why);
        }
        let direction = match (record.rules.direction.directions(), played.direction) {
            (_, Some(direction)) => direction,
            ([only], None) => *only,
            _ => return mismatch(at, "the direction is missing".to_owned()),
        };
        let ply = Ply { house: played.house, direction };
        if let Some(fault) = &played.substitute {
            if let Err(why) = verify_cause(fault.kind, fault.cause.as_deref()) {
                return mismatch(at, why);
            }
            if let Err(why) = substitutes.count(played.bot, fault.kind) {
                return mismatch(at, format!("it is given as substituted, but {why}"));
            }
            if first_legal(&game) != Some(ply) {
                return mismatch(at, "what was substituted is not the first legal move".to_owned());
            }
        }
        let board = game.board();
        let is_only = game.legal().nth(1).is_none();
        let sown = match game.play(ply) {
            Ok(sown) => sown,
            Err(why) => return mismatch(at, why.to_string()),
        };
        if let Err((number, why)) = values.check(index + 1, played, board, is_only, sown) {
            return mismatch(Some(number), why);
        }
    }
    if let Err((number, why)) = values.finish(&game) {
        return mismatch(Some(number), why);
    }
    let ended = verify_result(round, &game);
    let ended = ended.and_then(|()| verify_kind(round));
    let found = ended.and_then(|()| verify_cost(round.result.fault.as_ref(), substitutes));
    found.or_else(|found| mismatch(None, found))
}

/// Checks the time of a move against what the bot had for it.
fn verify_time(clock: &mut Clock, played: &MoveRecord, terms: TimeTerms) -> Result<(), String> {
    let allowance = clock.allowance();
    let time = milliseconds(played.time);
    match (&played.substitute, allowance) {
        (None, None) => return Err("the bot's time bank was spent".to_owned()),
        (None, Some(allowance)) if played.time > allowance.late_after => {
            let limit = clock.cause(CauseCode::LateAnswer, allowance, played.time).limit_in_words();
            return Err(format!("it took {time:.3} ms, beyond the limit ({limit})"));
        }
        (Some(fault), _) if fault.kind == FaultKind::Timeout => {
            // With a bank it may have been the bank that ran out, at any time.
            let limit = terms.move_time.filter(|_| terms.game_time.is_none());
            if limit.is_some_and(|limit| played.time < limit) {
                return Err(format!(
                    "it is given as a timeout, but took {time:.3} ms, less than the limit"
                ));
            }
        }
        _ => {}
    }
    clock.charge(played.time);
    if played.substitute.is_some() {
        // It may have been started again.
        clock.start_again();
    }
    Ok(())
}

/// Checks that the fault that ended a round can be of its kind there.
fn verify_kind(round: &RoundRecord) -> Result<(), String> {
    let Some(fault) = &round.result.fault else { return Ok(()) };
    let started_again =
        round.moves.iter().any(|played| played.bot == fault.bot && played.substitute.is_some());
    if fault.kind == FaultKind::StartFailed && !round.moves.is_empty() && !started_again {
        return Err("a program that was running is given as one that did not start".to_owned());
    }
    verify_cause(fault.kind, fault.cause.as_deref())
}

/// Checks that the cause of a fault belongs to its kind. Older records have none, and the codes of
/// later versions are not known.
fn verify_cause(kind: FaultKind, cause: Option<&Cause>) -> Result<(), String> {
    match cause.and_then(|cause| cause.code.kind()) {
        Some(own) if own != kind => {
            Err(format!("a fault of kind {kind} is given, but its cause is of kind {own}"))
        }
        _ => Ok(()),
    }
}

/// Checks that a fault that ended the round was not one to be substituted.
fn verify_cost(fault: Option<&FaultRecord>, mut substitutes: Substitutes) -> Result<(), String> {
    let Some(fault) = fault else { return Ok(()) };
    match substitutes.count(fault.bot, fault.kind) {
        Err(_) => Ok(()),
        Ok(count) => Err(format!(
            "it ends with a fault of kind {} that was to be substituted, number {count} of {} that may be",
            fault.kind,
            substitutes.max()
        )),
    }
}

/// Checks how a round ended against the game as it stands after the last move.
fn verify_result(round: &RoundRecord, game: &Game) -> Result<(), String> {
    let board = game.board_of(Side::First);
    let side_of = |seat| if seat == round.first { Side::First } else { Side::Second };
    let result = &round.result;
    let (score, final_board) = match (&result.fault, result.reason) {
        (Some(fault), Reason::Fault(kind)) if kind == fault.kind => {
            if let Some(ending) = game.ending() {
                let why = Reason::from(ending);
                return Err(format!("a fault is given, but the round had ended ({why})"));
            }
            let mover = side_of(fault.bot) == game.mover();
            if !mover && kind != FaultKind::StartFailed {
                return Err("the fault is not of the bot that was to move".to_owned());
            }
            if fault.board != game.board_of(side_of(fault.bot)) {
                return Err("the fault's board is not the position the bot was sent".to_owned());
            }
            let mut score = PerSeat([board.seeds(); 2]);
            score[fault.bot] = 0;
            (score, board)
        }
        (None, Reason::Completed | Reason::MoveLimit | Reason::Decided) => {
            match game.ending().map(Reason::from) {
                Some(reason) if reason == result.reason => {
                    let score = game.score();
                    (PerSeat::from_fn(|seat: Seat| score.of(side_of(seat))), board.swept())
                }
                Some(reason) => {
                    return Err(format!("ended as {reason}, but is given as {}", result.reason));
                }
                None => return Err(format!("is given as {}, but had not ended", result.reason)),
            }
        }
        _ => return Err("the reason and the fault do not fit each other".to_owned()),
    };
    if result.score != score {
        return Err(format!("the score is given as {:?}, it was {:?}", result.score.0, score.0));
    }
    if round.final_board != final_board {
        return Err(format!(
            "the final board is given as {:?}, it was {:?}",
            round.final_board.cells(),
            final_board.cells()
        ));
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::super::play::play_match;
    use super::super::testing::{Deed, Scripted, lenient, setup};
    use super::*;
    use crate::record::{FaultPolicy, FaultTerms, Terms, TournamentMatch};
    use crate::rules::House;

    /// A match whose first round the beginner forfeits with its third fault.
    fn played(terms: Terms, last: Deed) -> MatchRecord {
        let mut players = Scripted::new(move |seat, question| match (seat, question) {
            (Seat::A, 1 | 2) => Deed::Say("6"),
            (Seat::A, 3) => last,
            _ => Deed::Play,
        });
        play_match(&setup(terms), &mut players, &mut |_| {}).unwrap()
    }

    #[track_caller]
    fn refused(change: impl FnOnce(&mut MatchRecord), words: &str) {
        let mut record = played(lenient(2), Deed::Hang);
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
        assert_eq!(verify(&played(lenient(3), Deed::Exit)), Ok(()));
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
        let mut older = played(lenient(2), Deed::Hang);
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
        let mut record = played(lenient(2), Deed::Hang);
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
        let mut record = played(terms, Deed::Exit);
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
        let why =
            "round 1, move 1: it is given as a timeout, but took 1.000 ms, less than the limit";
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
    fn the_cause_of_a_fault_is_of_its_kind() {
        let cause = |code: CauseCode| Some(Box::new(Cause::from(code)));
        refused(
            |record| {
                record.rounds[0].result.fault.as_mut().unwrap().cause =
                    cause(CauseCode::EmptyHouse);
            },
            "round 1: a fault of kind timeout is given, but its cause is of kind illegal_move",
        );
        refused(
            |record| {
                let substitute = record.rounds[0].moves[0].substitute.as_mut().unwrap();
                substitute.cause = cause(CauseCode::NotJson);
            },
            "round 1, move 1: a fault of kind illegal_move is given, but its cause is of kind invalid_reply",
        );
        let mut later = played(lenient(2), Deed::Hang);
        later.rounds[0].result.fault.as_mut().unwrap().cause = cause(CauseCode::Unknown);
        assert_eq!(verify(&later), Ok(()));
    }

    #[test]
    fn the_digests_of_a_tournament_are_those_of_the_games() {
        let mut record = played(lenient(2), Deed::Hang);
        let games = record.rounds.iter();
        let games =
            games.map(|round| Digest::of_game(&record.rules, &record.opening, &round.moves));
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
        let record = played(lenient(2), Deed::Hang);
        let json = serde_json::to_string(&record).unwrap();
        assert!(json.contains(r#""max_moves":1000,"fault_policy":"substitute","max_faults":2,"#));
        let substitute = r#""ms":1.0,"substitute":{"kind":"illegal_move","detail":"there is no house 6; houses are 0 to 5","cause":{"code":"no_such_house","value":6}}}"#;
        assert!(json.contains(substitute), "{json}");
        assert_eq!(serde_json::from_str::<MatchRecord>(&json).unwrap(), record);
        let older = json.replace(r#","cause":{"code":"no_such_house","value":6}"#, "");
        let older = serde_json::from_str::<MatchRecord>(&older).unwrap();
        assert_eq!(older.rounds[0].moves[0].substitute.as_ref().unwrap().cause, None);
        assert_eq!(verify(&older), Ok(()));
    }
}
