//! What a coordinator is to play, and why it may fail.

use std::io;
use std::path::{Path, PathBuf};
use std::time::Duration;

use crate::contest::Plan;
use crate::rules::Opening;
use crate::text::counted;
use crate::tournament::{BotPattern, BotVersion, LogPlaces};

/// What is to be played, and with what.
pub(crate) struct TournamentInputs<'a> {
    pub plan: &'a Plan,
    /// What its bots are made of, in its order.
    pub versions: &'a [BotVersion],
    /// What its matches begin from.
    pub openings: &'a [Opening],
    /// What its paths are relative to.
    pub folder: &'a Path,
    /// What finds bots.
    pub patterns: &'a [BotPattern],
    /// What the referee writes to: the record and the like.
    pub outputs: &'a [PathBuf],
    /// The processors of each worker.
    pub workplaces: &'a [Vec<usize>],
    /// The longest time of a build.
    pub build_time: Duration,
    /// Whether nothing is played if a bot does not build or start.
    pub strict: bool,
    /// Whether workers report the ends of rounds as they happen. They always report faults.
    pub events: bool,
    /// Whether no match begins after the first fault.
    pub stop_on_fault: bool,
    /// The longest time of a check.
    pub check_time: Duration,
    /// Where logs go.
    pub logs: LogPlaces,
}

/// What comes of a part of a tournament.
pub(super) type CoordinatorResult<T = ()> = Result<T, TournamentError>;

/// Why a tournament could not be played.
#[derive(Debug, thiserror::Error)]
pub(crate) enum TournamentError {
    /// Bots that do not build or start, with `strict`.
    #[error("nothing was played (--strict), because of {0}")]
    Refused(String),
    /// A round of a Swiss tournament cannot end, and the next one follows from its results.
    #[error(
        "{}, so {} never paired",
        open_in_words(*unfinished, *not_begun),
        counted(*never_paired, "match of later rounds was", "matches of later rounds were"),
    )]
    RoundOpen {
        /// Matches that were begun and stay unfinished.
        unfinished: u64,
        /// Other matches of the round, which its bots do not begin any more.
        not_begun: u64,
        /// Matches that were never paired.
        never_paired: u64,
    },
    /// Too few bots are left to play.
    #[error("fewer than two bots can play")]
    TooFew,
    /// The system cannot keep the bots as the options ask, as in the sandbox.
    #[error("{0}")]
    CannotKeep(String),
    /// A build, a check or a log is not possible.
    #[error("{0}")]
    Cannot(String),
    /// Workers do not start, or the record file cannot be written.
    #[error("{0}")]
    Stopped(String),
    /// The system failed.
    #[error("the tournament cannot go on: {0}")]
    System(#[from] io::Error),
}

fn open_in_words(unfinished: u64, not_begun: u64) -> String {
    let begun = counted(unfinished, "match stays unfinished", "matches stay unfinished");
    match (unfinished, not_begun) {
        (_, 0) => begun,
        (0, _) => {
            counted(not_begun, "match of a round is", "matches of a round are") + " not begun"
        }
        _ => format!(
            "{begun} and {} not begun",
            counted(not_begun, "of the same round is", "of the same round are")
        ),
    }
}
