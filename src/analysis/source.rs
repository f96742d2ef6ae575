//! The files that are analysed: where their matches stand, and what makes them unusable.

use std::fs::File;
use std::io::{self, BufReader};
use std::ops::Range;
use std::os::unix::fs::{FileExt, MetadataExt};

use crate::chance::Chance;
use crate::record::{MatchRecord, ReadAt, ReadError, RecordLines, is_beside_records, parse_record};
use crate::referee::verify;
use crate::solve::refuse_cycles;
use crate::text::printable;

/// A file of records. Where each of its bytes stands stays the same.
#[derive(Debug)]
pub struct Source {
    name: String,
    file: File,
    length: u64,
}

/// Where a match stands.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Place {
    /// The index of its source.
    pub source: usize,
    /// Its line, from 1.
    pub line: u64,
    /// Its bytes, the newline included.
    pub bytes: Range<u64>,
}

/// Which matches are to be analysed.
#[derive(Clone, Copy, Debug)]
pub struct Sample {
    /// At most so many.
    pub count: usize,
    /// Draws other ones.
    pub seed: u64,
}

/// Why files cannot be analysed: one line that says where and what.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Unusable {
    /// A file cannot be read.
    #[error("cannot read {file}: {why}")]
    Unreadable {
        /// The file, printable.
        file: String,
        /// What the system said.
        why: String,
    },
    /// A line is not a valid record, or has rules without exact values.
    #[error("{file}:{line}: {why}")]
    Line {
        /// The file, printable.
        file: String,
        /// The line, from 1.
        line: u64,
        /// What is wrong.
        why: String,
    },
}

impl Source {
    /// The file of this name, which has to be one that can be read at any place. What is appended
    /// to it from now on is not looked at.
    ///
    /// # Errors
    ///
    /// When the system does not say how long it is.
    pub fn new(name: &str, file: File) -> io::Result<Source> {
        let length = file.metadata()?.len();
        Ok(Source { name: printable(name), file, length })
    }

    /// Its name, printable.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Whether both are one file.
    #[must_use]
    pub fn is_same_file(&self, other: &Source) -> bool {
        self.identity().ok().is_some_and(|own| other.identity().is_ok_and(|other| own == other))
    }

    /// Device and number of the file.
    pub(super) fn identity(&self) -> io::Result<(u64, u64)> {
        self.file.metadata().map(|file| (file.dev(), file.ino()))
    }

    /// The bytes in this range.
    ///
    /// # Errors
    ///
    /// When they cannot be read.
    pub(super) fn bytes(&self, range: Range<u64>) -> Result<Vec<u8>, Unusable> {
        let length = usize::try_from(range.end.saturating_sub(range.start)).unwrap_or(usize::MAX);
        let mut bytes = vec![0; length];
        match self.file.read_exact_at(&mut bytes, range.start) {
            Ok(()) => Ok(bytes),
            Err(error) => Err(self.unreadable(&error)),
        }
    }

    /// All of it.
    pub(super) fn reader(&self) -> BufReader<ReadAt<&File>> {
        const BUFFER: usize = 256 * 1024;
        BufReader::with_capacity(BUFFER, ReadAt::new(&self.file, 0..self.length))
    }

    /// Its length in bytes.
    pub(super) const fn length(&self) -> u64 {
        self.length
    }

    /// The match at this place, as text and as a valid record.
    ///
    /// # Errors
    ///
    /// When it cannot be read, is not valid, or has rules without exact values.
    pub fn read(&self, place: &Place) -> Result<(Vec<u8>, MatchRecord), Unusable> {
        let line = self.bytes(place.bytes.clone())?;
        let record = parse_record(&line)
            .map_err(|kind| self.not_a_record(&ReadError { line: place.line, kind }))?;
        self.check(place.line, &record)?;
        Ok((line, record))
    }

    /// Whether a line is a match, which is valid then, or something beside matches.
    fn is_valid_match(&self, number: u64, line: &[u8]) -> Result<bool, Unusable> {
        match parse_record(line) {
            Ok(record) => self.check(number, &record).map(|()| true),
            Err(_) if is_beside_records(line) => Ok(false),
            Err(kind) => Err(self.not_a_record(&ReadError { line: number, kind })),
        }
    }

    fn check(&self, line: u64, record: &MatchRecord) -> Result<(), Unusable> {
        let refused = |why| Unusable::Line { file: self.name.clone(), line, why };
        verify(record)
            .map_err(|mismatch| printable(&format!("the match is invalid: {mismatch}")))
            .and_then(|()| refuse_cycles(&record.rules).map_err(|why| why.to_string()))
            .map_err(refused)
    }

    pub(super) fn unreadable(&self, error: &io::Error) -> Unusable {
        Unusable::Unreadable { file: self.name.clone(), why: error.to_string() }
    }

    fn not_a_record(&self, error: &ReadError) -> Unusable {
        let (line, text) = (error.line, error.to_string());
        let why = text.strip_prefix(&format!("line {line}: ")).unwrap_or(&text).to_owned();
        Unusable::Line { file: self.name.clone(), line, why }
    }
}

/// The matches that are to be analysed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Found {
    /// Where they stand, in order.
    pub places: Vec<Place>,
    /// How many matches there are in all, of which these may be a sample.
    pub of: usize,
}

/// Finds the matches of these files, or a sample of them. Each that is to be analysed has been
/// played again and is valid; the others of a sample's files are not looked at. Ends early, with
/// those found so far, when `stop` says so.
///
/// # Errors
///
/// The first line that cannot be analysed.
pub fn find_matches(
    sources: &[Source],
    sample: Option<Sample>,
    stop: &dyn Fn() -> bool,
) -> Result<Found, Unusable> {
    let mut places = Vec::new();
    for (index, source) in sources.iter().enumerate() {
        let mut lines = RecordLines::new(source.reader());
        while let Some(read) = lines.next_line() {
            if stop() {
                return Ok(Found { of: places.len(), places });
            }
            let (number, line) = read.map_err(|error| source.not_a_record(&error))?;
            let is_match = if sample.is_some() {
                !is_beside_records(line)
            } else {
                source.is_valid_match(number, line)?
            };
            if is_match {
                places.push(Place { source: index, line: number, bytes: lines.place() });
            }
        }
    }
    let of = places.len();
    if let Some(sample) = sample {
        places = sample.draw(places);
        for place in &places {
            sources[place.source].read(place)?;
        }
    }
    Ok(Found { places, of })
}

impl Sample {
    /// As many of them as it takes, in their order, each with the same likelihood.
    fn draw(self, mut places: Vec<Place>) -> Vec<Place> {
        Chance::new(self.seed).shuffle(&mut places);
        places.truncate(self.count);
        places.sort_by_key(|place| (place.source, place.line));
        places
    }
}
