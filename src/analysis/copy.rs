//! A file written again with the values beside its moves, line by line, and gone on with where it
//! was cut off.

use std::io::{self, BufReader};
use std::os::unix::fs::MetadataExt;
use std::path::Path;
use std::time::Duration;

use super::annotation::annotated;
use super::judged::{JudgedMatch, judged_before};
use super::pool::Job;
use super::source::{Place, Source, Unusable};
use crate::record::{LineFile, MAX_LINE, MatchRecord, NotOwned, parse_record, read_line};
use crate::referee::verify;
use crate::text::{self, printable};

/// Why a copy cannot be written. The text says what to do.
#[derive(Debug, thiserror::Error)]
pub enum CopyError {
    /// It is the file that is analysed.
    #[error("{0} is the file that is analysed; give --write a new file")]
    Same(String),
    /// It is a folder, a pipe or a device.
    #[error("cannot write {0}: it is not a regular file; give --write a new file")]
    NotAFile(String),
    /// Another analysis is writing it.
    #[error("{0} is being written by another analysis")]
    Locked(String),
    /// It holds something else.
    #[error(
        "{file}:{line}: not what an analysis of {source_name} writes there; give --write a new file"
    )]
    Other {
        /// The copy.
        file: String,
        /// The line, from 1.
        line: u64,
        /// The file that is analysed.
        source_name: String,
    },
    /// A record with its values would be longer than any that is read.
    #[error("{file}:{line}: with its values the record is longer than {}", text::bytes(MAX_LINE))]
    TooLong {
        /// The file that is analysed.
        file: String,
        /// The line, from 1.
        line: u64,
    },
    /// The system refuses.
    #[error("cannot write {0}: {1}")]
    Io(String, io::Error),
    /// The file that is analysed cannot be read any more.
    #[error(transparent)]
    Source(#[from] Unusable),
}

/// A copy of a source with values beside the moves: a line for each line of the source.
#[derive(Debug)]
pub struct AnnotatedCopy<'a> {
    file: LineFile,
    name: String,
    source: &'a Source,
    /// How much of the source has its copy.
    copied: u64,
}

impl<'a> AnnotatedCopy<'a> {
    /// Opens the copy, and makes it when it is missing.
    ///
    /// # Errors
    ///
    /// When it cannot be written, is written by somebody else, or is the source itself.
    pub fn open(path: &Path, source: &'a Source) -> Result<AnnotatedCopy<'a>, CopyError> {
        let name = printable(&path.to_string_lossy());
        let failed = |error| CopyError::Io(name.clone(), error);
        let own = source.identity().map_err(failed)?;
        if path.metadata().is_ok_and(|found| (found.dev(), found.ino()) == own) {
            return Err(CopyError::Same(name));
        }
        let file = LineFile::open_locked(path, Duration::ZERO).map_err(|error| match error {
            NotOwned::NotRegular => CopyError::NotAFile(name.clone()),
            NotOwned::Locked => CopyError::Locked(name.clone()),
            NotOwned::Io(error) => failed(error),
        })?;
        Ok(AnnotatedCopy { file, name, source, copied: 0 })
    }

    /// Goes on where an earlier analysis stopped: hands over the matches that are there already,
    /// with what is known of their moves, and says how many. These are the first of `places`. A
    /// last line that is cut off is taken away.
    ///
    /// # Errors
    ///
    /// When the copy holds anything else than what an analysis of the source writes.
    pub fn resume(
        &mut self,
        places: &[Place],
        found: &mut dyn FnMut(&MatchRecord, &JudgedMatch),
    ) -> Result<usize, CopyError> {
        let mut own = BufReader::new(self.file.content().map_err(|e| self.failed(e))?);
        let mut theirs = self.source.reader();
        let (mut line, mut whole, mut count) = (Vec::new(), 0, 0);
        // The first line of a match without any value, and whether another one has values.
        let (mut plain, mut has_values) = (None, false);
        for number in 1.. {
            let length = read_line(&mut own, &mut line).map_err(|e| self.failed(e))?;
            if length == 0 {
                break;
            }
            let other = || CopyError::Other {
                file: self.name.clone(),
                line: number,
                source_name: self.source.name().to_owned(),
            };
            let mut original = Vec::new();
            let taken = read_line(&mut theirs, &mut original)
                .map_err(|error| CopyError::Source(self.source.unreadable(&error)))?;
            if taken == 0 {
                return Err(other());
            }
            if line.last() != Some(&b'\n') {
                if !is_begun(&line, &original) {
                    return Err(other());
                }
                break;
            }
            let place = places.get(count).filter(|place| place.line == number);
            match place {
                Some(_) => {
                    let record = copied_record(&line, &original).ok_or_else(other)?;
                    match has_any_value(&record) {
                        Some(false) => plain = plain.or(Some(number)),
                        Some(true) => has_values = true,
                        None => {}
                    }
                    found(&record, &judged_before(&record));
                    count += 1;
                }
                None if line.trim_ascii_end() == original.trim_ascii_end() => {}
                None => return Err(other()),
            }
            whole += length;
            self.copied += taken;
        }
        // What has no value at all may as well be a copy that somebody else has made.
        if let Some(line) = plain.filter(|_| !has_values) {
            let source_name = self.source.name().to_owned();
            return Err(CopyError::Other { file: self.name.clone(), line, source_name });
        }
        self.file.cut(whole).map_err(|e| self.failed(e))?;
        Ok(count)
    }

    /// Writes the next match, and what stands before it in the source.
    ///
    /// # Errors
    ///
    /// When it cannot be written; then nothing of it is.
    pub fn append(&mut self, job: &Job, judged: &JudgedMatch) -> Result<(), CopyError> {
        self.copy_up_to(job.place.bytes.start)?;
        let text = job.line.trim_ascii_end();
        let failed = |error: serde_json::Error| CopyError::Io(self.name.clone(), error.into());
        let mut line = annotated(text, judged).map_err(failed)?;
        line.extend_from_slice(&job.line[text.len()..]);
        if line.last() != Some(&b'\n') {
            line.push(b'\n');
        }
        if line.len() as u64 > MAX_LINE {
            let file = self.source.name().to_owned();
            return Err(CopyError::TooLong { file, line: job.place.line });
        }
        self.write(&line)?;
        self.copied = job.place.bytes.end;
        Ok(())
    }

    /// Writes what stands behind the last match of the source.
    ///
    /// # Errors
    ///
    /// When it cannot be written.
    pub fn finish(mut self) -> Result<(), CopyError> {
        self.copy_up_to(self.source.length())
    }

    /// Copies the lines up to `end`, which hold no matches.
    fn copy_up_to(&mut self, end: u64) -> Result<(), CopyError> {
        if self.copied >= end {
            return Ok(());
        }
        let mut between = self.source.bytes(self.copied..end)?;
        if between.last() != Some(&b'\n') {
            between.push(b'\n');
        }
        self.write(&between)?;
        self.copied = end;
        Ok(())
    }

    fn write(&mut self, lines: &[u8]) -> Result<(), CopyError> {
        self.file.append(lines).map_err(|error| self.failed(error))
    }

    fn failed(&self, error: io::Error) -> CopyError {
        CopyError::Io(self.name.clone(), error)
    }
}

/// The record in a line of a copy, if it is that of the original with values that fit.
fn copied_record(line: &[u8], original: &[u8]) -> Option<MatchRecord> {
    let record = parse_record(line).ok()?;
    let plain = without_values(record.clone());
    let is_copy = plain == without_values(parse_record(original).ok()?);
    (is_copy && verify(&record).is_ok()).then_some(record)
}

/// Whether a move of the record has a value; `None` for a record without moves.
fn has_any_value(record: &MatchRecord) -> Option<bool> {
    let mut moves = record.rounds.iter().flat_map(|round| &round.moves).peekable();
    moves.peek()?;
    Some(moves.any(|played| played.value.is_some()))
}

fn without_values(mut record: MatchRecord) -> MatchRecord {
    for played in record.rounds.iter_mut().flat_map(|round| &mut round.moves) {
        (played.value, played.loss) = (None, None);
    }
    record
}

/// Whether a line that was cut off begins as this one does, up to the moves.
fn is_begun(cut: &[u8], original: &[u8]) -> bool {
    let moves = memchr::memmem::find(original, b"\"moves\"");
    let head = &original[..moves.unwrap_or(original.len())];
    let length = cut.len().min(head.len());
    cut[..length] == head[..length] && (moves.is_some() || cut.len() <= original.len())
}
