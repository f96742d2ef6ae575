//! Why files make no standings.

use std::fmt;

use crate::record::{Digest, ReadError, ReadErrorKind};
use crate::text::printable;

/// Why files make no standings.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Unreadable {
    /// A line that does not belong in a record file, or a file that cannot be read further.
    Line {
        /// The file.
        file: String,
        /// What is wrong, and where.
        error: ReadError,
    },
    /// A match that the rules do not allow.
    Invalid {
        /// The file.
        file: String,
        /// The line, from 1.
        line: u64,
        /// What is wrong.
        why: String,
    },
    /// A match that stands in two places and is not the same in both.
    Contradiction {
        /// The tournament.
        tournament: Digest,
        /// The number of the match.
        number: u64,
        /// The two files and lines.
        places: [(String, u64); 2],
    },
    /// More than there is room for.
    TooMany(&'static str),
}

impl fmt::Display for Unreadable {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Unreadable::Line { file, error } => {
                let hint = match error.kind {
                    ReadErrorKind::NotARecord(_) => {
                        "; give it files that mancala wrote with --record"
                    }
                    ReadErrorKind::CutOff | ReadErrorKind::Io(_) => "",
                };
                write!(f, "{}: {error}{hint}", printable(file))
            }
            Unreadable::Invalid { file, line, why } => {
                write!(
                    f,
                    "{}: line {line}: the match is invalid: {}",
                    printable(file),
                    printable(why)
                )
            }
            Unreadable::Contradiction { tournament, number, places } => {
                let [one, other] =
                    places.each_ref().map(|(file, line)| format!("{}:{line}", printable(file)));
                write!(
                    f,
                    "match {number} of tournament {tournament} is not the same in {one} and in \
                     {other}; one of them is of another run: leave its file out"
                )
            }
            Unreadable::TooMany(what) => write!(f, "too many {what}"),
        }
    }
}

impl std::error::Error for Unreadable {}
