//! How far the reading of files for a page has come, and why there is no page.

use crate::analysis::Unusable;
use crate::record::ReadError;
use crate::standings::{NoStandings, UnreadableFiles, counted_names};

/// How far the reading has come, for who waits.
#[derive(Clone, Copy, Debug)]
pub enum ReadProgress {
    /// A file is read for the ranking.
    Ranking,
    /// How many matches were read for the rest.
    Scanned(u64),
}

/// Why there is no page.
#[derive(Debug, thiserror::Error)]
pub enum ContentsError {
    /// A file cannot be read or holds something else.
    #[error(transparent)]
    Unreadable(#[from] UnreadableFiles),
    /// A match cannot be read or is not valid.
    #[error(transparent)]
    Unusable(#[from] Unusable),
    /// A line cannot be read.
    #[error("{file}: {error}")]
    Line {
        /// The file, printable.
        file: String,
        /// What is wrong.
        error: ReadError,
    },
    /// There is no ranking.
    #[error(transparent)]
    NoStandings(#[from] NoStandings),
    /// A bot whose name is to be shown is not in the files.
    #[error("no bot is named {name:?}, as --show says; there {}", counted_names(.known))]
    UnknownBot {
        /// The name that was given, printable.
        name: String,
        /// The names that there are.
        known: Vec<String>,
    },
    /// There is nothing to show.
    #[error("there is no match in {0}; matches are written with --record")]
    NoMatch(String),
    /// The user stopped it.
    #[error("interrupted")]
    Interrupted,
}
