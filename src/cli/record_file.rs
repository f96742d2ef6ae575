//! `--record`: where the records of matches are kept.

use std::path::{Path, PathBuf};

use super::Failure;
use crate::record::{Appender, MatchRecord};
use crate::text::printable;

/// The file that records are appended to, if there is one. It is opened before anything is played,
/// so that nothing is played for a file that cannot be written.
#[derive(Debug)]
pub(super) enum RecordFile {
    /// Records are not kept.
    None,
    /// `-`: they are written to stdout.
    Stdout,
    /// They are appended to this file.
    File(PathBuf, Appender),
}

impl RecordFile {
    /// Opens the file that the user named.
    pub(super) fn open(path: Option<&Path>) -> Result<RecordFile, Failure> {
        let Some(path) = path else { return Ok(RecordFile::None) };
        if path == Path::new("-") {
            return Ok(RecordFile::Stdout);
        }
        match Appender::open(path) {
            Ok(appender) => Ok(RecordFile::File(path.to_owned(), appender)),
            Err(error) => {
                let path = printable(&path.to_string_lossy());
                Err(Failure::Work(format!(
                    "cannot write the record file {path}: {error}; give --record a file in a folder you may write to"
                )))
            }
        }
    }

    /// Whether records go to stdout.
    pub(super) const fn is_stdout(&self) -> bool {
        matches!(self, RecordFile::Stdout)
    }

    /// Appends the record to the file, if there is one.
    pub(super) fn append(&mut self, record: &MatchRecord) -> Result<(), Failure> {
        let RecordFile::File(path, appender) = self else { return Ok(()) };
        appender.append(record).map_err(|error| {
            let path = printable(&path.to_string_lossy());
            Failure::Work(format!("the match was played, but not recorded in {path}: {error}"))
        })
    }
}
