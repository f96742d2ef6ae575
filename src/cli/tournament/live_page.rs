//! `--report`: the page of a tournament, made again while it is played.

use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use super::Args;
use crate::analysis::AnalysedFile;
use crate::cli::failure::{CliResult, Failure};
use crate::cli::report::{page_file, read_contents, write};
use crate::record::own_files::open_to_read;
use crate::report::{Anonymity, PageFile, PageOptions, PageState};

/// The shortest time between two pages.
const SHORTEST: Duration = Duration::from_secs(4);

/// Making pages may take at most 1/`SHARE` of the run's time.
const SHARE: u32 = 100;

/// A guess of how long a page takes, before one was made; and for each megabyte of its file.
const FIRST: Duration = Duration::from_millis(50);
const FIRST_PER_MEGABYTE: Duration = Duration::from_millis(20);

/// The page of a tournament.
pub(super) struct LivePage {
    page: PageFile,
    record: PathBuf,
    is_anonymous: bool,
    began: Instant,
    pacing: Pacing,
    /// Matches that were in the last page.
    played: u64,
    has_failed: bool,
}

impl LivePage {
    /// The page at `path` of the tournament in the file `record`; `is_anonymous` if it gives bots
    /// numbers instead of names.
    pub(super) fn at(path: &Path, record: &Path, is_anonymous: bool) -> CliResult<LivePage> {
        Ok(LivePage {
            page: page_file("--report", path)?,
            record: record.to_owned(),
            is_anonymous,
            began: Instant::now(),
            pacing: Pacing::default(),
            played: 0,
            has_failed: false,
        })
    }

    /// Makes the page again when it is due and something was played since the last one. Returns why
    /// it cannot be written, once.
    pub(super) fn refresh_if_due(&mut self, args: &Args, played: u64) -> Option<String> {
        if self.has_failed || played == self.played {
            return None;
        }
        let begins = self.began.elapsed();
        if begins < self.pacing.may_begin {
            return None;
        }
        let bytes = self.record.metadata().map_or(0, |file| file.len());
        if begins < self.pacing.may_begin_with(bytes) {
            return None;
        }
        self.played = played;
        let reload = self.pacing.pause_after(begins, bytes).as_secs() + 1;
        let reload = u32::try_from(reload).unwrap_or(u32::MAX);
        let written = self.make(args, &PageState::Running { reload });
        self.pacing.made(begins, self.began.elapsed(), bytes);
        let Err(Failure::Work(why) | Failure::Usage(why)) = written else { return None };
        self.has_failed = true;
        Some(why)
    }

    /// Makes the page of all that was played when the run has ended.
    pub(super) fn finish(&self, args: &Args) -> CliResult {
        self.make(args, &PageState::Ended).map_err(|failure| match failure {
            Failure::Work(why) | Failure::Usage(why) => {
                Failure::Work(format!("the matches were played, but there is no report: {why}"))
            }
            failure => failure,
        })
    }

    fn make(&self, args: &Args, state: &PageState) -> CliResult {
        let name = self.record.to_string_lossy();
        let failed = Failure::at("cannot read", &self.record);
        let file = open_to_read(&self.record).map_err(&failed)?;
        // A file that is gone at the end is nothing that a reader could name.
        let name = if args.record.is_some() { &*name } else { "" };
        let source = AnalysedFile::new(name, file).map_err(failed)?;
        let options = PageOptions {
            standings: args.standings_options(),
            anonymity: Anonymity { is_anonymous: self.is_anonymous, shown: Vec::new() },
            games: None,
        };
        let contents = read_contents(&[source], options, &|_| false)?;
        write(&self.page, &contents, state)
    }
}

/// When pages may be made, so that making them takes no more than 1/[`SHARE`] of the time since the
/// tournament began, as far as the last page tells what the next one takes. Times are since then.
#[derive(Default)]
struct Pacing {
    /// When the next page may begin, at the earliest.
    may_begin: Duration,
    spent: Duration,
    /// What the last page took, and from how many bytes it was made.
    last: Option<(Duration, u64)>,
}

impl Pacing {
    /// When a page may begin that is made from a file of this length.
    fn may_begin_with(&mut self, bytes: u64) -> Duration {
        let begin = (self.spent + self.expected(bytes)) * SHARE;
        self.may_begin = self.may_begin.max(SHORTEST).max(begin);
        self.may_begin
    }

    /// How long it is from a page that begins then to the next.
    fn pause_after(&self, begins: Duration, bytes: u64) -> Duration {
        let expected = self.expected(bytes);
        SHORTEST.max(((self.spent + expected * 2) * SHARE).saturating_sub(begins))
    }

    /// Takes note of a page.
    fn made(&mut self, begins: Duration, ends: Duration, bytes: u64) {
        let took = ends.saturating_sub(begins);
        self.spent += took;
        self.last = Some((took, bytes));
        self.may_begin = ends + SHORTEST;
    }

    /// How long a page takes that is made from a file of this length.
    fn expected(&self, bytes: u64) -> Duration {
        let thousandths = |bytes: u64, of: u64| {
            u32::try_from(bytes.saturating_mul(1000) / of.max(1)).unwrap_or(u32::MAX)
        };
        match self.last {
            // Not less, for a file only grows.
            Some((took, before)) => took * thousandths(bytes, before).max(1000) / 1000,
            None => FIRST + FIRST_PER_MEGABYTE * thousandths(bytes, 1_000_000) / 1000,
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn pages_take_a_hundredth_of_the_time_at_most(
            fixed in 0.0..0.05_f64,
            per_kilobyte in 0.0..0.00002_f64,
            // Kilobytes a second, and when it is asked whether a page is due.
            growth in 0..5000_u32,
            asked in prop::collection::vec(0.001..30.0_f64, 1..300),
        ) {
            let mut pacing = Pacing::default();
            let (mut now, mut spent, mut last, mut pages) = (0.0, 0.0, None, 0);
            for pause in asked {
                now += pause;
                let begins = Duration::from_secs_f64(now);
                let kilobytes = begins.as_secs() * u64::from(growth);
                let bytes = 1000 * kilobytes;
                if begins < pacing.may_begin_with(bytes) {
                    continue;
                }
                let took = fixed + per_kilobyte * f64::from(u32::try_from(kilobytes).unwrap());
                prop_assert!(last.is_none_or(|last: f64| now - last > 3.999));
                now += took;
                spent += took;
                pages += 1;
                last = Some(now);
                pacing.made(begins, Duration::from_secs_f64(now), bytes);
                prop_assert!(spent <= now / f64::from(SHARE) + 1e-6, "{spent} of {now}");
            }
            // While the file grows slowly, there is a page soon.
            prop_assert!(now < 10.0 || growth > 100 || pages > 0);
        }
    }
}
