//! Why files make no standings.

use std::fmt;

use super::differences::Mergeable;
use crate::record::{Digest, ReadError, ReadErrorKind};
use crate::text::printable;

/// Why files make no standings.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum UnreadableFiles {
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
    /// Matches that must not differ, and do.
    Different {
        /// What differs.
        what: Mergeable,
        /// The bot whose versions differ.
        bot: Option<String>,
        /// Both sides, in words.
        how: String,
        /// The two files and lines.
        places: [(String, u64); 2],
    },
    /// There is no memory for more.
    OutOfMemory,
    /// More than there is room for.
    TooMany(&'static str),
}

impl fmt::Display for UnreadableFiles {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            UnreadableFiles::Line { file, error } => {
                let hint = match error.kind {
                    ReadErrorKind::NotARecord(_) => {
                        "; give it files that mancala wrote with --record"
                    }
                    ReadErrorKind::CutOff | ReadErrorKind::Io(_) => "",
                };
                write!(f, "{}: {error}{hint}", printable(file))
            }
            UnreadableFiles::Invalid { file, line, why } => {
                write!(
                    f,
                    "{}: line {line}: the match is invalid: {}",
                    printable(file),
                    printable(why)
                )
            }
            UnreadableFiles::Contradiction { tournament, number, places } => {
                let [one, other] =
                    places.each_ref().map(|(file, line)| format!("{}:{line}", printable(file)));
                write!(
                    f,
                    "match {number} of tournament {tournament} is not the same in {one} and in \
                     {other}; one of them is of another run: leave its file out"
                )
            }
            UnreadableFiles::Different { what, bot, how, places } => {
                let [one, other] = places
                    .each_ref()
                    .map(|(file, line)| format!("{} line {line}", printable(file)));
                let how = printable(how);
                match (what, bot) {
                    (Mergeable::Rules, _) => write!(f, "the rules of {one} and {other} differ: ")?,
                    (Mergeable::Terms, _) => write!(f, "the terms of {one} and {other} differ: ")?,
                    (Mergeable::Versions, bot) => {
                        let name = bot.as_deref().map(printable).unwrap_or_default();
                        write!(f, "\"{name}\" in {one} and in {other} are different programs: ")?;
                    }
                }
                let advice = match what {
                    Mergeable::Versions => "name them differently (NAME=COMMAND)",
                    Mergeable::Rules | Mergeable::Terms => "give the files of one kind at a time",
                };
                write!(f, "{how}; {advice}, or add them up all the same with --merge {what}")
            }
            UnreadableFiles::OutOfMemory => f.write_str(
                "there is not enough memory for these files; read fewer at a time, or use a \
                 machine (or ulimit -v) with more",
            ),
            UnreadableFiles::TooMany(what) => write!(f, "too many {what}"),
        }
    }
}

impl std::error::Error for UnreadableFiles {}
