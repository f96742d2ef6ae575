//! What happens in a tournament, as it happens: the one stream that the terminal and the file of
//! events read.

use std::collections::BTreeMap;

use crate::bot::ReadablePaths;
use crate::contest::{Fixture, MatchSummary};
use crate::protocol::{FaultKind, Reason};
use crate::seat::{PerSeat, Seat};
use crate::standings::Standings;

/// One thing that happened.
#[derive(Clone, Copy, Debug)]
pub enum Happening<'a> {
    /// All bots are in the sandbox: what each may read there, by its place in the plan.
    Sandboxed {
        /// What each may read.
        reach: &'a BTreeMap<usize, ReadablePaths>,
    },
    /// The first match is about to begin.
    Began,
    /// A match was given to a worker.
    MatchBegan {
        /// Which.
        fixture: &'a Fixture,
        /// The worker, from 0.
        worker: usize,
    },
    /// A round of a match has ended.
    RoundEnded {
        /// The match.
        fixture: &'a Fixture,
        /// The round, from 1.
        round: u32,
        /// Who began it.
        first: Seat,
        /// Why it ended.
        reason: Reason,
        /// Seeds of each bot.
        score: PerSeat<u8>,
    },
    /// A bot is at fault.
    Fault {
        /// The match.
        fixture: &'a Fixture,
        /// The round, from 1.
        round: u32,
        /// The bot's place in the plan.
        bot: usize,
        /// What it did.
        kind: FaultKind,
        /// What happened, in words.
        detail: &'a str,
    },
    /// A match has ended, and is in the file.
    MatchEnded {
        /// Which.
        fixture: &'a Fixture,
        /// Its result.
        summary: &'a MatchSummary<'a>,
    },
    /// A match was given up.
    Unfinished {
        /// Its number.
        number: u64,
        /// Why.
        why: &'a str,
    },
    /// A bot plays no more.
    Disqualified {
        /// Its place in the plan.
        bot: usize,
        /// Why.
        why: &'a str,
        /// The match after which it is, if there is one.
        number: Option<u64>,
    },
    /// A bot plays although it was not tried before the first match.
    Untried {
        /// Its place in the plan.
        bot: usize,
        /// Why it was not.
        why: &'a str,
    },
    /// A worker died in a match.
    WorkerDied {
        /// The match that it was playing.
        number: u64,
        /// Whether that is played again now; where the user wants to stop, it is not.
        again: bool,
    },
    /// The user wants to stop; so many matches are still running.
    Stopping {
        /// How many.
        running: usize,
        /// Whether they are given up.
        at_once: bool,
    },
    /// The table so far.
    Standings(&'a Standings),
    /// Time has passed.
    Tick,
    /// It is over.
    Ended(End),
}

/// How a tournament ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum End {
    /// All that could be played was played.
    Completed,
    /// The sequential test has decided.
    Sprt,
    /// The user stopped it.
    Interrupted,
    /// It could not go on.
    Failed,
}

impl End {
    /// The word for it in the file of events.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            End::Completed => "completed",
            End::Sprt => "sprt",
            End::Interrupted => "interrupted",
            End::Failed => "failed",
        }
    }
}
