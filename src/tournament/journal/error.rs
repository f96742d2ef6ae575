//! What can be wrong with a tournament's file.

use std::io::{self, BufRead as _, BufReader, Read as _};
use std::path::Path;

use crate::record::is_of_records;
use crate::record::own_files::open_to_read;
use crate::text::printable_path;

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
    /// The command line is wrong, and nothing has failed.
    #[error("{0}")]
    Usage(String),
    /// It is not a file of this tournament.
    #[error("{0}")]
    Refused(String),
}

impl JournalError {
    /// The error that it holds something, and is not to be gone on with.
    pub(super) fn not_empty(path: &Path) -> JournalError {
        let shown = printable_path(path);
        let is_of_records = first_line(path).is_none_or(|line| is_of_records(&line));
        JournalError::Usage(if is_of_records {
            format!(
                "{shown} is not empty: add --resume to go on with the tournament in it, or give \
                 another --record FILE"
            )
        } else {
            format!("{shown} holds something else than records; give another --record FILE")
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

/// The first line of a file; `None` if it cannot be read, or is too long.
fn first_line(path: &Path) -> Option<Vec<u8>> {
    const MOST: u64 = 1 << 20;
    let mut line = Vec::new();
    let mut start = BufReader::new(open_to_read(path).ok()?.take(MOST));
    start.read_until(b'\n', &mut line).ok().filter(|read| (*read as u64) < MOST)?;
    Some(line)
}
