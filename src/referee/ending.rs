//! How a round ended: its record, and the message about it to each bot.

use super::fault::Fault;
use super::moves::Moves;
use crate::protocol::{End, Outcome, Reason, ToBot, ToldFault, Who};
use crate::record::{RoundRecord, RoundResult};
use crate::rules::{Game, Side};
use crate::seat::{PerSeat, Seat};

/// The side of a bot in a round that `first` begins.
pub(super) fn side_of(seat: Seat, first: Seat) -> Side {
    if seat == first { Side::First } else { Side::Second }
}

/// The record of a round that has ended: by its rules, or by the fault of a bot, which comes with
/// the end of what the bot wrote to stderr.
pub fn conclude(
    game: &Game,
    round: u32,
    first: Seat,
    moves: Moves,
    fault: Option<(Seat, Fault, String)>,
) -> RoundRecord {
    let board = game.board_of(Side::First);
    let fault = fault.map(|(bot, fault, stderr)| {
        fault.into_record(bot, game.board_of(side_of(bot, first)), stderr)
    });
    let (reason, score, final_board) = if let Some(fault) = &fault {
        let mut score = PerSeat([board.seeds(); 2]);
        score[fault.bot] = 0;
        (Reason::Fault(fault.kind), score, board)
    } else {
        let ending = game.ending().map_or(Reason::MoveLimit, Reason::from);
        let score = PerSeat::from_fn(|seat| game.score().of(side_of(seat, first)));
        (ending, score, board.swept())
    };
    RoundRecord {
        round,
        first,
        replayed: 0,
        moves: moves.into_records(),
        result: RoundResult { reason, fault, score },
        final_board,
    }
}

/// The message to a bot about a round that has ended.
pub fn end_message(record: &RoundRecord, seat: Seat) -> ToBot {
    let RoundResult { reason, ref fault, score } = record.result;
    ToBot::End(End {
        round: record.round,
        outcome: outcome(score[seat], score[!seat]),
        score: [score[seat], score[!seat]],
        reason,
        board: match side_of(seat, record.first) {
            Side::First => record.final_board,
            Side::Second => record.final_board.flipped(),
        },
        fault: fault.as_ref().map(|fault| ToldFault {
            by: if fault.bot == seat { Who::You } else { Who::Opponent },
            kind: fault.kind,
            detail: fault.detail.clone(),
        }),
    })
}

fn outcome(own: u8, opponents: u8) -> Outcome {
    match own.cmp(&opponents) {
        std::cmp::Ordering::Greater => Outcome::Win,
        std::cmp::Ordering::Less => Outcome::Loss,
        std::cmp::Ordering::Equal => Outcome::Draw,
    }
}
