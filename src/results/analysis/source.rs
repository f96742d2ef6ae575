//! The files that are analysed: where their matches stand, and why a file is refused.

use std::fs::File;
use std::io::{self, BufReader};
use std::ops::Range;
use std::os::unix::fs::{FileExt, MetadataExt};

use crate::chance::Chance;
use crate::record::{MatchRecord, ReadAt, ReadError, RecordLines, is_beside_records, parse_record};
use crate::referee::verify;
use crate::solve::refuse_cycles;
use crate::text::printable;

/// A file of records that can be read at any position.
#[derive(Debug)]
pub struct AnalysedFile {
    name: String,
    file: File,
    length: u64,
}

/// Where a match stands in the files that are analysed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MatchPlace {
    /// The index of the file.
    pub file: usize,
    /// The number of the match in its file, from 1, as `replay` counts.
    pub number: u64,
    /// The line, from 1.
    pub line: u64,
    /// The bytes of the line, its newline included.
    pub bytes: Range<u64>,
}

/// A random choice of the matches.
#[derive(Clone, Copy, Debug)]
pub struct Sample {
    /// The most matches to analyse.
    pub count: usize,
    /// The seed of the draw.
    pub seed: u64,
}

/// Why files cannot be analysed: one line that says where and what.
#[derive(Debug, thiserror::Error)]
#[error("{0}")]
pub struct Unusable(pub String);

impl AnalysedFile {
    /// Takes a regular file. Bytes that are appended to it later are ignored.
    ///
    /// # Errors
    ///
    /// When the system does not say how long the file is.
    pub fn new(name: &str, file: File) -> io::Result<AnalysedFile> {
        let length = file.metadata()?.len();
        Ok(AnalysedFile { name: printable(name), file, length })
    }

    /// Its name, printable.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The file's device and inode.
    pub(super) fn identity(&self) -> io::Result<(u64, u64)> {
        self.file.metadata().map(|file| (file.dev(), file.ino()))
    }

    /// The bytes in `range`.
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

    /// Reads the file from its start.
    pub fn reader(&self) -> BufReader<ReadAt<&File>> {
        const BUFFER: usize = 256 * 1024;
        BufReader::with_capacity(BUFFER, ReadAt::new(&self.file, 0..self.length))
    }

    /// Its length in bytes.
    pub(super) const fn length(&self) -> u64 {
        self.length
    }

    /// The match at `place`: its line and the record in it, which is valid.
    ///
    /// # Errors
    ///
    /// When it cannot be read, is not valid, or has rules without exact values.
    pub fn read(&self, place: &MatchPlace) -> Result<(Vec<u8>, MatchRecord), Unusable> {
        let line = self.bytes(place.bytes.clone())?;
        let record = self.read_line(place.line, &line)?;
        self.expect_values(place.line, &record)?;
        Ok((line, record))
    }

    /// The match at `place`, which is valid; its rules need no exact values.
    ///
    /// # Errors
    ///
    /// When it cannot be read or is not valid.
    pub fn read_match(&self, place: &MatchPlace) -> Result<MatchRecord, Unusable> {
        self.read_line(place.line, &self.bytes(place.bytes.clone())?)
    }

    /// The match in line number `number`, which is valid.
    ///
    /// # Errors
    ///
    /// When it is not a record or not valid.
    pub fn read_line(&self, number: u64, line: &[u8]) -> Result<MatchRecord, Unusable> {
        let record = parse_record(line)
            .map_err(|kind| self.not_a_record(&ReadError { line: number, kind }))?;
        self.expect_valid(number, &record)?;
        Ok(record)
    }

    fn expect_valid(&self, number: u64, record: &MatchRecord) -> Result<(), Unusable> {
        verify(record).map_err(|mismatch| {
            self.refused(number, &printable(&format!("the match is invalid: {mismatch}")))
        })
    }

    /// The first match, valid or not; `None` without one.
    pub fn first_match(&self) -> Option<MatchRecord> {
        let mut lines = RecordLines::new(self.reader());
        while let Some(Ok((_, line))) = lines.next_line() {
            if let Ok(record) = parse_record(line) {
                return Some(record);
            }
        }
        None
    }

    /// True if `line` is a valid match, false if it is another kind of line that records may have.
    fn is_valid_match(&self, number: u64, line: &[u8]) -> Result<bool, Unusable> {
        match parse_record(line) {
            Ok(record) => {
                self.expect_valid(number, &record)?;
                self.expect_values(number, &record).map(|()| true)
            }
            Err(_) if is_beside_records(line) => Ok(false),
            Err(kind) => Err(self.not_a_record(&ReadError { line: number, kind })),
        }
    }

    /// Checks that the match in `line` has rules with exact values.
    fn expect_values(&self, line: u64, record: &MatchRecord) -> Result<(), Unusable> {
        refuse_cycles(&record.rules).map_err(|why| self.refused(line, &why.to_string()))
    }

    pub(super) fn unreadable(&self, error: &io::Error) -> Unusable {
        Unusable(format!("cannot read {}: {error}", self.name))
    }

    /// Why a line that cannot be read as a record is refused.
    pub fn not_a_record(&self, error: &ReadError) -> Unusable {
        let ReadError { line, kind } = error;
        self.refused(*line, &format!("{kind}{}", kind.hint()))
    }

    fn refused(&self, line: u64, why: &str) -> Unusable {
        Unusable(format!("{}:{line}: {why}", self.name))
    }
}

/// Finds the matches of `files` for which `is_wanted`, which is given the place and the line of each,
/// or a sample of them. Their places are in order. Each match in the result was replayed and is
/// valid; with a sample, others are not checked. When `stop` returns true, the search ends with the
/// matches found so far.
///
/// # Errors
///
/// The first line that cannot be analysed.
pub fn find_matches(
    files: &[AnalysedFile],
    sample: Option<Sample>,
    is_wanted: &mut dyn FnMut(&MatchPlace, &[u8]) -> bool,
    stop: &dyn Fn() -> bool,
) -> Result<Vec<MatchPlace>, Unusable> {
    let mut places = Vec::new();
    for (file, source) in files.iter().enumerate() {
        let mut lines = RecordLines::new(source.reader());
        let mut matches = 0;
        while let Some(read) = lines.next_line() {
            if stop() {
                return Ok(places);
            }
            let (number, line) = read.map_err(|error| source.not_a_record(&error))?;
            let is_match = if sample.is_some() {
                !is_beside_records(line)
            } else {
                source.is_valid_match(number, line)?
            };
            if is_match {
                matches += 1;
                let place = MatchPlace { file, number: matches, line: number, bytes: 0..0 };
                if is_wanted(&place, line) {
                    places.push(MatchPlace { bytes: lines.place(), ..place });
                }
            }
        }
    }
    if let Some(sample) = sample {
        places = sample.draw(places);
        for place in &places {
            files[place.file].read(place)?;
        }
    }
    Ok(places)
}

impl Sample {
    /// Draws `count` places, all equally likely, and returns them in order.
    fn draw(self, mut places: Vec<MatchPlace>) -> Vec<MatchPlace> {
        Chance::new(self.seed).shuffle(&mut places);
        places.truncate(self.count);
        places.sort_by_key(|place| (place.file, place.line));
        places
    }
}
