//! `--report`: the page of a tournament, made again while it is played.

use std::cell::Cell;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use super::Args;
use crate::analysis::AnalysedFile;
use crate::cli::failure::Failure;
use crate::cli::report::{page_file, read_contents, write};
use crate::record::own_files::open_to_read;
use crate::report::{Anonymity, GamesKept, PageFile, PageOptions, PageState};

/// The shortest time between two pages.
const SHORTEST: Duration = Duration::from_secs(4);

/// Making pages may take at most 1/`SHARE` of the run's time.
const SHARE: u32 = 100;

/// The page of a tournament.
#[derive(Debug)]
pub(super) struct LivePage {
    page: PageFile,
    record: PathBuf,
    is_anonymous: bool,
    due: Cell<Instant>,
    pause: Cell<Duration>,
    /// Matches that were in the last page.
    played: Cell<u64>,
    has_failed: Cell<bool>,
}

impl LivePage {
    /// The page at `path` of the tournament in the file `record`.
    pub(super) fn at(path: &Path, record: &Path, args: &Args) -> Result<LivePage, Failure> {
        Ok(LivePage {
            page: page_file(path)?,
            record: record.to_owned(),
            is_anonymous: args.anonymous,
            due: Cell::new(Instant::now() + SHORTEST),
            pause: Cell::new(SHORTEST),
            played: Cell::new(0),
            has_failed: Cell::new(false),
        })
    }

    /// Makes the page again when it is due and something was played since the last one. Returns why
    /// it cannot be written, once.
    pub(super) fn now_and_then(&self, args: &Args, played: u64) -> Option<String> {
        if self.has_failed.get() || Instant::now() < self.due.get() || played == self.played.get() {
            return None;
        }
        self.played.set(played);
        let began = Instant::now();
        let reload = u32::try_from(self.pause.get().as_secs() + 1).unwrap_or(u32::MAX);
        let written = self.make(args, &PageState::Running { reload });
        self.pause.set(SHORTEST.max(began.elapsed() * SHARE));
        self.due.set(Instant::now() + self.pause.get());
        let Err(Failure::Work(why) | Failure::Usage(why)) = written else { return None };
        self.has_failed.set(true);
        Some(why)
    }

    /// Makes the page of all that was played; `is_whole` if nothing more will be.
    pub(super) fn finish(&self, args: &Args, is_whole: bool) -> Result<(), Failure> {
        let state = if is_whole { PageState::Final } else { PageState::FromFiles };
        self.make(args, &state).map_err(|failure| match failure {
            Failure::Work(why) | Failure::Usage(why) => {
                Failure::Work(format!("the matches were played, but there is no report: {why}"))
            }
            failure => failure,
        })
    }

    fn make(&self, args: &Args, state: &PageState) -> Result<(), Failure> {
        let name = self.record.to_string_lossy();
        let failed = Failure::at("cannot read", &self.record);
        let file = open_to_read(&self.record).map_err(&failed)?;
        // A file that is gone at the end is nothing that a reader could name.
        let name = if args.record.is_some() { &*name } else { "" };
        let source = AnalysedFile::new(name, file).map_err(failed)?;
        let options = PageOptions {
            standings: args.standings_options(),
            anonymity: Anonymity { is_anonymous: self.is_anonymous, shown: Vec::new() },
            games: GamesKept::DEFAULT,
        };
        let contents = read_contents(&[source], options, &|_| false)?;
        write(&self.page, &contents, state)
    }
}
