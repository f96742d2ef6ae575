//! Plays a record again through the rules: does it hold?

use std::fmt;

use super::play::winner;
use super::policy::{Substitutes, first_legal};
use crate::protocol::{FaultKind, Reason};
use crate::record::{FaultRecord, MatchRecord, RoundRecord};
use crate::rules::{Game, Ply, Side};
use crate::seat::{PerSeat, Seat};

/// The first thing in a record that cannot be.
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
    let mut game = Game::new(record.rules, record.opening, record.terms.max_moves);
    let mut substitutes = Substitutes::new(record.terms.faults);
    let seat_of = |side| if side == Side::First { round.first } else { !round.first };
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
        let direction = match (record.rules.direction.directions(), played.direction) {
            (_, Some(direction)) => direction,
            ([only], None) => *only,
            _ => return mismatch(at, "the direction is missing".to_owned()),
        };
        let ply = Ply { house: played.house, direction };
        if let Some(fault) = &played.substitute {
            if let Err(why) = substitutes.count(played.bot, fault.kind) {
                return mismatch(at, format!("it is given as substituted, but {why}"));
            }
            if first_legal(&game) != Some(ply) {
                return mismatch(at, "what was substituted is not the first legal move".to_owned());
            }
        }
        if let Err(why) = game.play(ply) {
            return mismatch(at, why.to_string());
        }
    }
    let ended = verify_result(round, &game);
    let found = ended.and_then(|()| verify_cost(round.result.fault.as_ref(), substitutes));
    found.or_else(|found| mismatch(None, found))
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
        (None, Reason::Completed | Reason::MoveLimit) => match game.ending().map(Reason::from) {
            Some(reason) if reason == result.reason => {
                let score = game.score();
                (PerSeat::from_fn(|seat: Seat| score.of(side_of(seat))), board.swept())
            }
            Some(reason) => {
                return Err(format!("ended as {reason}, but is given as {}", result.reason));
            }
            None => return Err(format!("is given as {}, but had not ended", result.reason)),
        },
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
    use super::super::play::play_match;
    use super::super::testing::{Deed, Scripted, contest, lenient};
    use super::*;
    use crate::record::{FaultPolicy, Terms};
    use crate::rules::House;

    /// A match whose first round the beginner forfeits with its third fault.
    fn played(terms: Terms, last: Deed) -> MatchRecord {
        let mut players = Scripted::new(move |seat, question| match (seat, question) {
            (Seat::A, 1 | 2) => Deed::Say("6"),
            (Seat::A, 3) => last,
            _ => Deed::Play,
        });
        play_match(&contest(terms), &mut players, &mut |_| {}).unwrap()
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
                |record| record.rounds[0].moves[0].substitute.as_mut().unwrap().kind = kind,
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
    fn a_substitute_is_read_as_it_is_written_and_an_old_record_as_before() {
        let record = played(lenient(2), Deed::Hang);
        let json = serde_json::to_string(&record).unwrap();
        assert!(json.contains(r#""max_moves":1000,"fault_policy":"substitute","max_faults":2,"#));
        let substitute = r#""ms":1.0,"substitute":{"kind":"illegal_move","detail":"there is no house 6; houses are 0 to 5"}}"#;
        assert!(json.contains(substitute), "{json}");
        assert_eq!(serde_json::from_str::<MatchRecord>(&json).unwrap(), record);
    }
}
