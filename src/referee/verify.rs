//! Plays a record again through the rules: does it hold?

use std::fmt;

use super::play::winner;
use crate::protocol::{FaultKind, Reason};
use crate::record::{MatchRecord, RoundRecord};
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
    let mut game = Game::new(record.rules, record.opening, record.limits.max_moves);
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
        if let Err(why) = game.play(Ply { house: played.house, direction }) {
            return mismatch(at, why.to_string());
        }
    }
    let found = match verify_result(round, &game) {
        Ok(()) => return Ok(()),
        Err(found) => found,
    };
    mismatch(None, found)
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
