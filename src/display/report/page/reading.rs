//! How far the reading of files for a page has come, and why there is no page.

use crate::analysis::Unusable;
use crate::standings::NoStandings;

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
    /// A file cannot be read or holds something else, or there is nothing to show.
    #[error(transparent)]
    Unusable(#[from] Unusable),
    /// There is no ranking.
    #[error(transparent)]
    NoStandings(#[from] NoStandings),
    /// A bot whose name is to be shown is not in the files.
    #[error("{0}")]
    UnknownBot(String),
    /// The user stopped it.
    #[error("interrupted")]
    Interrupted,
}
