//! `--record`: where the records of matches are kept.

use std::path::{Path, PathBuf};

use super::Failure;
use super::restraints::{Cap, room};
use crate::record::{Appender, MIN_FREE, MatchRecord};
use crate::text::printable;

/// How much room is kept for records.
#[derive(Debug, clap::Args)]
pub(super) struct MinFreeArgs {
    /// Reserve this much of the record file's disk for records, such as 64MiB, or none: then a bot
    /// that fills the disk cannot prevent its loss from being recorded [default: 64MiB]
    #[arg(long, value_name = "SIZE", value_parser = room, allow_hyphen_values = true,
          help_heading = "Output")]
    min_free: Option<Cap<u64>>,
}

impl MinFreeArgs {
    /// The number of bytes; none where no room is kept.
    pub(super) fn bytes(&self) -> Option<u64> {
        self.min_free.map_or(Some(MIN_FREE), |cap| cap.0)
    }
}

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
    ///
    /// With `min_free`, this many bytes of its disk are reserved for records.
    pub(super) fn open(path: Option<&Path>, min_free: Option<u64>) -> Result<RecordFile, Failure> {
        let Some(path) = path else { return Ok(RecordFile::None) };
        if path == Path::new("-") {
            return Ok(RecordFile::Stdout);
        }
        let refused = |error: std::io::Error, advice: &str| {
            let path = printable(&path.to_string_lossy());
            Failure::Work(format!("cannot write the record file {path}: {error}{advice}"))
        };
        let mut appender = Appender::open(path).map_err(|error| {
            refused(error, "; give --record a file in a folder you may write to")
        })?;
        if let Some(bytes) = min_free {
            appender.keep_free(bytes).map_err(|error| refused(error, ""))?;
        }
        Ok(RecordFile::File(path.to_owned(), appender))
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
