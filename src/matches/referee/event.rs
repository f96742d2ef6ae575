//! What happens in a match, as it happens: the one stream that terminal and reports read.

use std::time::Duration;

use crate::record::{BotRecord, FaultRecord, MatchRecord, RoundRecord};
use crate::rules::{Board, Ply, Ruleset, Sown};
use crate::seat::{PerSeat, Seat};

/// One thing that happened in a match.
#[derive(Clone, Copy, Debug)]
pub enum Event<'a> {
    /// Both bots are running.
    MatchBegan {
        /// Who plays.
        bots: &'a PerSeat<BotRecord>,
        rules: &'a Ruleset,
    },
    /// A round begins.
    RoundBegan {
        /// Its number, from 1.
        round: u32,
        /// The bot that makes the first move.
        first: Seat,
        /// The opening, in the first mover's view.
        board: Board,
    },
    /// A bot is at fault, and the move that comes next is played for it. The fault counts once its
    /// round has ended: until then the round may be void.
    Substituted {
        /// The round's number.
        round: u32,
        /// Whose fault it is.
        seat: Seat,
        /// The fault, at the position that the bot was sent.
        fault: &'a FaultRecord,
        /// The faults of this bot that were substituted in the round, this one included.
        count: u32,
        /// How many may be.
        of: u32,
    },
    /// A bot made a move, or it was played for it.
    Moved {
        /// The round's number.
        round: u32,
        /// Counts the moves of both in the round, from 1.
        number: u32,
        /// Whose move it was.
        seat: Seat,
        /// What was played.
        ply: Ply,
        /// What it did, in the mover's view.
        sown: Sown,
        /// How long the bot took, or how long until it was at fault.
        time: Duration,
        /// The position after it, in the first mover's view.
        board: Board,
    },
    /// The machine, not a bot, was late: the round does not count and is played again.
    RoundVoid {
        /// The round's number.
        round: u32,
        /// How late we were woken.
        late_by: Duration,
    },
    RoundEnded {
        record: &'a RoundRecord,
        /// Who played.
        bots: &'a PerSeat<BotRecord>,
    },
    MatchEnded(&'a MatchRecord),
}
