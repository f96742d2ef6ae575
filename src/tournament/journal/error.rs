//! What can be wrong with a tournament's file.

use std::io;
use std::path::Path;

use super::HEADER;
use crate::text::printable_path;

/// Why a tournament's file cannot be used.
#[derive(Debug, thiserror::Error)]
pub(crate) enum JournalError {
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
    /// The command line is wrong, and nothing has failed.
    #[error("{0}")]
    Usage(String),
    /// It is not a file of this tournament.
    #[error("{0}")]
    Refused(String),
}

impl JournalError {
    /// The error that it holds something, and is not to be gone on with. `start` is how it begins.
    pub(super) fn not_empty(path: &Path, start: &[u8]) -> JournalError {
        let path = printable_path(path);
        // It may have been killed, or lost power, in the middle of its first line.
        let written = start.split(|&byte| byte == 0).next().unwrap_or_default();
        let is_record = written.starts_with(HEADER) || HEADER.starts_with(written);
        JournalError::Usage(if is_record {
            format!(
                "{path} is not empty: add --resume to go on with the tournament in it, or give \
                 another --record FILE"
            )
        } else {
            format!(
                "{path} is not the record of a tournament, and is left as it is; give another --record FILE"
            )
        })
    }

    /// The error that it is a folder, a pipe or a device.
    pub(super) fn not_a_file(path: &Path) -> JournalError {
        let path = printable_path(path);
        JournalError::Refused(format!(
            "{path} is not a regular file; a tournament needs one that it can read again"
        ))
    }
}
