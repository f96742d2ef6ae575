//! Errors of reading files for standings.

use super::differences::Mergeable;
use crate::record::ReadError;
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
    /// Another reason, in words.
    #[error("{0}")]
    Other(String),
}

impl UnreadableFiles {
    /// The match in line number `line` is not one that the rules allow.
    pub(super) fn invalid(file: &str, line: u64, why: &str) -> UnreadableFiles {
        let (file, why) = (printable(file), printable(why));
        UnreadableFiles::Other(format!("{file}: line {line}: the match is invalid: {why}"))
    }
}
