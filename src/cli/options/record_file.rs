//! `--record`: where the records of matches are kept.

use std::io::{self, BufReader};
use std::path::{Path, PathBuf};

use super::restraints::{Cap, size_or_none};
use crate::bot::explained;
use crate::cli::failure::{CliResult, Failure};
use crate::record::own_files::open_to_read;
use crate::record::{
    Appender, AppenderError, MIN_FREE, MatchRecord, RecordLines, advice_on, is_beside_records,
};
use crate::text::printable_path;

/// How much room is kept for records.
#[derive(clap::Args)]
pub(in crate::cli) struct MinFreeArgs {
    /// Disk space to reserve for records, such as 64MiB, or none; with it, a bot that fills the disk
    /// cannot prevent its loss from being recorded [default: 64MiB]
    #[arg(long, value_name = "SIZE", value_parser = size_or_none(1 << 20), allow_hyphen_values = true,
          help_heading = "Output")]
    min_free: Option<Cap<u64>>,
}

impl MinFreeArgs {
    /// The number of bytes, or `None` for no reserve.
    pub(in crate::cli) fn bytes(&self) -> Option<u64> {
        self.min_free.map_or(Some(MIN_FREE), |cap| cap.0)
    }
}

/// The file that records are appended to, if there is one. It is opened before anything is played,
/// so that nothing is played for a file that cannot be written.
pub(in crate::cli) enum RecordFile {
    /// Records are not kept.
    None,
    /// `-`: they are written to stdout.
    Stdout,
    /// They are appended to this file.
    File(PathBuf, Appender),
}

/// Why the file of `option` cannot be written, and what to do where the system refuses it.
pub(in crate::cli) fn with_advice(option: &str, error: io::Error) -> String {
    with_advice_or(&format!("give {option} a file in a folder you may write to"), error)
}

/// The same for an option that takes a folder.
pub(in crate::cli) fn with_folder_advice(option: &str, error: io::Error) -> String {
    with_advice_or(&format!("give {option} a folder you may write to"), error)
}

/// The same for the record file of a tournament that goes on, which another file would lose, or for
/// a file beside it.
pub(in crate::cli) fn with_advice_to_go_on(error: io::Error) -> String {
    let advice = if error.kind() == io::ErrorKind::IsADirectory {
        "move the folder away"
    } else {
        "copy the record file into a folder that you may write to, and go on there"
    };
    with_advice_or(advice, error)
}

fn with_advice_or(otherwise: &str, error: io::Error) -> String {
    let error = explained(error);
    match advice_on(&error) {
        None if error.raw_os_error().is_some() => format!("{error}; {otherwise}"),
        // What is not the system's says that itself.
        advice => with(advice, &error),
    }
}

/// An error and the advice on it, if there is some.
fn with(advice: Option<&str>, error: &io::Error) -> String {
    advice.map_or_else(|| error.to_string(), |advice| format!("{error}; {advice}"))
}

impl RecordFile {
    /// Opens the file that the user named.
    ///
    /// With `min_free`, this many bytes of its disk are reserved for records.
    pub(in crate::cli) fn open(
        path: Option<&Path>,
        min_free: Option<u64>,
    ) -> CliResult<RecordFile> {
        let Some(path) = path else { return Ok(RecordFile::None) };
        if path == Path::new("-") {
            return Ok(RecordFile::Stdout);
        }
        let refused = |error: io::Error| {
            Failure::at("cannot write the record file", path)(with_advice("--record", error))
        };
        let mut appender = Appender::open(path).map_err(|error| match error {
            AppenderError::Io(error) => refused(error),
            other @ AppenderError::OtherFile(_) => {
                let path = printable_path(path);
                Failure::Usage(format!("cannot write the record file {path}: {other}"))
            }
        })?;
        if let Some(bytes) = min_free {
            appender.keep_free(bytes).map_err(refused)?;
        }
        Ok(RecordFile::File(path.to_owned(), appender))
    }

    /// Whether records go to stdout.
    pub(in crate::cli) const fn is_stdout(&self) -> bool {
        matches!(self, RecordFile::Stdout)
    }

    /// Appends the record to the file, if there is one.
    pub(in crate::cli) fn append(&mut self, record: &MatchRecord) -> CliResult {
        let RecordFile::File(path, appender) = self else { return Ok(()) };
        appender.append(record).map_err(|error| {
            let why = with(advice_on(&error), &error);
            Failure::at("the match was played, but not recorded in", path)(why)
        })
    }

    /// The file, and the number that `replay` gives this match in it: others may have been appended
    /// before it or behind it. `None` where it cannot be read again.
    pub(in crate::cli) fn place_of(&self, record: &MatchRecord) -> Option<(&Path, u64)> {
        let RecordFile::File(path, _) = self else { return None };
        let file = open_to_read(path).ok()?;
        if !file.metadata().ok()?.is_file() {
            return None;
        }
        let mut wanted = Vec::new();
        record.write_line(&mut wanted).ok()?;
        let mut lines = RecordLines::new(BufReader::new(file));
        let (mut matches, mut found) = (0, None);
        while let Some(Ok((_, line))) = lines.next_line() {
            if !is_beside_records(line) {
                matches += 1;
                found = if line == wanted.trim_ascii_end() { Some(matches) } else { found };
            }
        }
        Some((path, found?))
    }
}
