//! The standings of a tournament, read from its file as it grows.

use std::fs::File;
use std::io::BufReader;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use crate::cli::Failure;
use crate::record::ReadAt;
use crate::standings::{CollectedResults, ReadOptions, Standings, StandingsOptions};

/// How long after the beginning the first table is due; then it is twice as long each time.
const FIRST: Duration = Duration::from_secs(5);

/// The longest time between two tables, unless making one takes long.
const LONGEST: Duration = Duration::from_mins(1);

/// The time between two tables on a screen that is redrawn.
const OFTEN: Duration = Duration::from_secs(1);

/// Making tables may take at most 1/`SHARE` of the run's time.
const SHARE: u32 = 100;

/// A table and the remarks below it.
pub(super) type StandingsTable = (Standings, Vec<String>);

/// The standings so far.
pub(super) struct LiveStandings {
    path: PathBuf,
    content: ReadAt<Box<File>>,
    options: StandingsOptions,
    results: CollectedResults,
    pause: Duration,
    /// The longest time between two tables, unless making one takes long.
    longest: Duration,
    due: Instant,
    /// Matches that were in the last table.
    played: u64,
}

impl LiveStandings {
    /// Starts following `path`, whose text `content` reads.
    pub(super) fn new(
        path: &Path,
        content: ReadAt<Box<File>>,
        options: StandingsOptions,
    ) -> LiveStandings {
        LiveStandings {
            path: path.to_owned(),
            content,
            options,
            results: CollectedResults::new(ReadOptions::default()),
            pause: FIRST,
            longest: LONGEST,
            due: Instant::now() + FIRST,
            played: 0,
        }
    }

    /// Makes tables for a screen that is redrawn: once a second, unless making one takes long.
    pub(super) fn make_often(&mut self) {
        self.longest = OFTEN;
        self.due = Instant::now() + OFTEN;
    }

    /// The next table when it is due and something was played since the last one.
    pub(super) fn now_and_then(&mut self, played: u64) -> Option<StandingsTable> {
        if Instant::now() < self.due || played == self.played {
            return None;
        }
        self.played = played;
        let began = Instant::now();
        let table = self.table();
        self.pause = (self.pause * 2).min(self.longest).max(began.elapsed() * SHARE);
        self.due = Instant::now() + self.pause;
        table.ok().flatten()
    }

    /// The current table, or `None` before the first match.
    ///
    /// # Errors
    ///
    /// When the file cannot be read, or its matches make no table.
    pub(super) fn table(&mut self) -> Result<Option<StandingsTable>, Failure> {
        // It goes on where it ended: lines are written whole by this very process.
        let input = BufReader::with_capacity(256 * 1024, &mut self.content);
        let name = self.path.to_string_lossy();
        let failed = "the matches were played, but there is no table of";
        self.results.read_on(&name, input).map_err(Failure::at(failed, &self.path))?;
        if self.results.is_empty() {
            return Ok(None);
        }
        let table = self.results.standings(&self.options);
        table.map(Some).map_err(Failure::at(failed, &self.path))
    }
}
