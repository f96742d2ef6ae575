//! What happens in a tournament, as it happens: the one stream that the terminal and the file of
//! events read.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::Serialize;

use crate::bot::ReadablePaths;
use crate::protocol::{FaultKind, Reason};
use crate::record::{Digest, DisqualifiedFor, Timestamp};
use crate::seat::{PerSeat, Seat};
use crate::standings::Standings;

/// One thing that happened. The file of events has a line of JSON for each, but for those that only
/// the terminal shows.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(tag = "event", rename_all = "snake_case")]
pub(crate) enum TournamentEvent<'a> {
    /// The tournament has begun; bots are built and tried before the first match.
    TournamentBegan {
        /// When, in UTC.
        at: Timestamp,
        /// The tournament's identity.
        id: Digest,
        /// How many matches are planned.
        matches: u64,
        /// The bots' names.
        bots: Vec<&'a str>,
    },
    /// A match has begun.
    MatchBegan {
        /// When, in UTC.
        at: Timestamp,
        /// The match's number in the schedule, from 1.
        r#match: u64,
        /// The bots' names.
        bots: [&'a str; 2],
        /// The number of the opening, from 1.
        opening: u64,
        /// Which worker plays it, from 1.
        worker: usize,
    },
    /// A round of a match has ended.
    RoundEnded {
        /// When, in UTC.
        at: Timestamp,
        /// The match's number in the schedule, from 1.
        r#match: u64,
        /// The round, from 1.
        round: u32,
        /// The bot that began: 0 or 1.
        first: Seat,
        /// Why it ended.
        reason: Reason,
        /// Seeds of each bot.
        score: PerSeat<u8>,
    },
    /// A bot was at fault.
    Fault {
        /// When, in UTC.
        at: Timestamp,
        /// The match's number in the schedule, from 1.
        r#match: u64,
        /// The round, from 1.
        round: u32,
        /// The bot's name.
        bot: &'a str,
        /// What it did.
        kind: FaultKind,
        /// What happened, in words.
        detail: &'a str,
        /// The end of its stderr, for the terminal.
        #[serde(skip)]
        stderr: &'a str,
    },
    /// A match has ended, and is in the file.
    MatchEnded {
        /// When, in UTC.
        at: Timestamp,
        /// The match's number in the schedule, from 1.
        r#match: u64,
        /// Seeds of each bot.
        score: PerSeat<u32>,
        /// The winner: 0 or 1, none after a draw.
        winner: Option<Seat>,
    },
    /// A match was given up.
    Unfinished {
        /// When, in UTC.
        at: Timestamp,
        /// The match's number in the schedule, from 1.
        r#match: u64,
        /// The bot's name, if it is about one.
        bot: Option<&'a str>,
        /// What happened, in words.
        detail: &'a str,
    },
    /// A bot plays no more, and its matches do not count.
    Disqualified {
        /// When, in UTC.
        at: Timestamp,
        /// The number of the match after which it was disqualified, if there is one.
        r#match: Option<u64>,
        /// The bot's name.
        bot: &'a str,
        /// What happened, in words.
        detail: &'a str,
        /// The same for this program.
        #[serde(skip)]
        cause: DisqualifiedFor,
    },
    /// The table so far; now and then, and after the last match.
    Standings {
        /// When, in UTC.
        at: Timestamp,
        /// The fields of standings.
        #[serde(flatten)]
        standings: &'a Standings,
    },
    /// The tournament has ended.
    TournamentEnded {
        /// When, in UTC.
        at: Timestamp,
        /// Why.
        reason: TournamentEnd,
    },
    /// Something that the file of events leaves out.
    #[serde(skip)]
    Notice(Notice<'a>),
}

/// What the file of events leaves out.
#[derive(Debug)]
pub(crate) enum Notice<'a> {
    /// All bots are in the sandbox.
    Sandboxed {
        /// What each bot may read, by its place in the plan.
        reach: &'a BTreeMap<usize, ReadablePaths>,
    },
    /// All bots were built and tried, and the first match is about to begin.
    Prepared,
    /// Something that needs attention, in words: a bot that plays although it was not tried, or a system
    /// without processes, so that what was to be done is done later.
    Warning(&'a str),
    /// A bot has left its cores, its class or its priority, and was put back.
    LeftItsCores {
        /// The bot's name.
        bot: &'a str,
    },
    /// A worker died in a match.
    WorkerDied {
        /// The number of the match.
        number: u64,
        /// Whether it is played again now; where the user wants to stop, it is not.
        again: bool,
    },
    /// A file of a bot makes another version of it.
    BotChanged {
        /// The number of the match in which that was found, which has no result; `None` outside matches.
        number: Option<u64>,
        /// Its name.
        bot: &'a str,
        file: &'a str,
        /// What comes of that, in words.
        effect: &'a str,
    },
    /// No match begins any more.
    Stopping {
        /// How many matches are still running.
        running: usize,
        why: StopReason,
    },
    /// Time has passed.
    Tick,
}

/// Why no match begins any more.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum StopReason {
    /// A bot was at fault, with `--stop-on-fault`.
    Fault,
    /// The user wants to stop.
    Interrupt,
    /// The user wants to stop at once: running matches are given up.
    InterruptAtOnce,
}

/// How a tournament ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub(crate) enum TournamentEnd {
    /// All that could be played was played.
    Completed,
    /// The sequential test has reached a bound.
    Sprt,
    /// The user stopped it, or `--stop-on-fault` did at the first fault.
    Interrupted,
    /// It could not go on, or matches were given up, or a bot has changed and plays no more.
    Failed,
}
