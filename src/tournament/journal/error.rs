//! What can be wrong with a tournament's file.

use std::io;

use super::differing_option::{difference_in_words, way_back};
use crate::contest::PlanDifference;
use crate::record::Shard;

/// Why a tournament's file cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum JournalError {
    /// It or a file beside it cannot be opened, read or written.
    #[error("cannot {doing} {path}: {source}")]
    Io {
        /// What was tried.
        doing: &'static str,
        /// The file.
        path: String,
        /// What the system said.
        source: io::Error,
    },
    /// Another program has locked it.
    #[error("{0} is in use by another tournament; wait for it, or give another --record FILE")]
    Locked(String),
    /// It is a folder, a pipe or a device.
    #[error("{0} is not a regular file; a tournament needs one that it can read again")]
    NotAFile(String),
    /// The file is not empty, and `--resume` was not given.
    #[error(
        "{0} is not empty: add --resume to go on with the tournament in it, or give another --record FILE"
    )]
    NotEmpty(String),
    /// It is not a tournament's file.
    #[error(
        "{path}:{line}: not a line of a tournament's file: {why}; nothing was changed; give another --record FILE"
    )]
    NotATournament {
        /// The file.
        path: String,
        /// The line, from 1.
        line: u64,
        /// What is wrong.
        why: String,
    },
    /// It is another tournament's file.
    #[error(
        "{path} holds another tournament ({}); {}, or give another --record FILE",
        difference_in_words(difference),
        way_back(difference)
    )]
    OtherPlan {
        /// The file.
        path: String,
        /// The first difference.
        difference: PlanDifference,
    },
    /// A match of it began from something else than its opening.
    #[error(
        "{path}: match {number} was played from another opening {opening} than that of today; put the openings back as they were{more}, or give another --record FILE"
    )]
    OtherOpening {
        /// The file.
        path: String,
        /// The match's number in the file.
        number: u64,
        /// The number of the opening.
        opening: u64,
        /// Whether openings can be added, in words.
        more: &'static str,
    },
    /// Its bots, or their versions, are others.
    #[error(
        "{path} was played by other bots: {change}; {}",
        way_with_other_bots(*without_update)
    )]
    OtherBots {
        /// The file.
        path: String,
        /// The first change.
        change: String,
        /// What the file holds, if that cannot be updated.
        without_update: Option<&'static str>,
    },
    /// Its bots are to be changed, and not all of its openings are to be played.
    #[error(
        "{path} has {there} openings, and new bots would play {here} of them; give --count {there} with --update"
    )]
    FewerOpenings {
        /// The file.
        path: String,
        /// Its count of openings.
        there: u64,
        /// The count asked for.
        here: u64,
    },
    /// It does not say what its bots were made of.
    #[error(
        "{0} was begun by an earlier version of this program, which did not note what its bots were made of: --resume goes on with it, but it cannot be updated; give another --record FILE"
    )]
    WithoutVersions(String),
    /// It is another part of the tournament.
    #[error(
        "{path} holds shard {there} of this tournament, not {here}; give each shard a file of its own"
    )]
    OtherShard {
        /// The file.
        path: String,
        /// Its shard.
        there: Shard,
        /// The shard asked for.
        here: Shard,
    },
}

impl JournalError {
    /// Whether the command line is wrong, and nothing has failed.
    pub const fn is_usage(&self) -> bool {
        matches!(self, JournalError::NotEmpty(_) | JournalError::FewerOpenings { .. })
    }
}

/// How to go on with a tournament of other bots.
fn way_with_other_bots(without_update: Option<&str>) -> String {
    match without_update {
        None => "add --update to go on with today's bots, or give another --record FILE".to_owned(),
        Some(what) => format!(
            "put the bots back as they were, or give another --record FILE ({what} cannot be updated)"
        ),
    }
}
