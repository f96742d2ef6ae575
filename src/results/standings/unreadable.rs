//! Why files make no standings.

use super::differences::Mergeable;
use crate::record::{Digest, ReadError};
use crate::text::printable;

/// Why files make no standings.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum UnreadableFiles {
    /// A line that does not belong in a record file, or a file that cannot be read further.
    #[error("{}: {error}{}", printable(.file), .error.kind.hint())]
    Line {
        file: String,
        /// What is wrong, and where.
        error: ReadError,
    },
    /// A match that the rules do not allow.
    #[error("{}: line {line}: the match is invalid: {}", printable(.file), printable(.why))]
    Invalid {
        file: String,
        /// The line, from 1.
        line: u64,
        /// What is wrong.
        why: String,
    },
    /// A line that contradicts the plan of its tournament.
    #[error("{}:{line}: {why}", printable(.file))]
    NotOfPlan {
        file: String,
        /// The line, from 1.
        line: u64,
        /// What is wrong.
        why: String,
    },
    /// A match that stands in two places and is not the same in both.
    #[error(
        "match {number} of tournament {tournament} is not the same in {}:{} and in {}:{}; one of \
         them is of another run: leave its file out",
        printable(&.places[0].0), .places[0].1, printable(&.places[1].0), .places[1].1,
    )]
    Contradiction {
        tournament: Digest,
        /// The number of the match.
        number: u64,
        /// The two files and lines.
        places: [(String, u64); 2],
    },
    /// Matches that must not differ, and do.
    #[error(
        "{how}; give the files of one kind at a time, or add them up all the same with --merge \
         {merge}"
    )]
    Different {
        /// What differs, and where, in words.
        how: String,
        /// What would allow it.
        merge: Mergeable,
    },
    /// There is no memory for more.
    #[error(
        "there is not enough memory for these files; read fewer at a time, or use a machine (or \
         ulimit -v) with more"
    )]
    OutOfMemory,
    /// More than there is room for.
    #[error("too many {0}")]
    TooMany(&'static str),
}
