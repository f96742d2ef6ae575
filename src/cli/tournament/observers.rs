//! Who follows a tournament: the terminal, the file of events, and now and then the table for both,
//! which is read from the tournament's file as it grows.

use std::cell::RefCell;
use std::fs::File;
use std::io::BufReader;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use super::Args;
use super::live_page::LivePage;
use crate::cli::failure::{CliResult, Failure};
use crate::cli::sandbox_notice::sandbox_notice;
use crate::contest::Plan;
use crate::record::{ReadAt, Timestamp};
use crate::report::{OutputFormat, Width, write_standings};
use crate::standings::{CollectedResults, ReadOptions, Standings, StandingsOptions};
use crate::text::printable_path;
use crate::tournament::{Events, Ledger, Live, Notice, TournamentEnd, TournamentEvent};

/// Everybody who follows.
pub(super) struct Observers<'a> {
    pub(super) args: &'a Args,
    pub(super) plan: &'a Plan,
    pub(super) live: &'a RefCell<Live<'a>>,
    pub(super) events: Option<Events>,
    pub(super) live_standings: LiveStandings,
    pub(super) page: Option<&'a mut LivePage>,
}

impl Observers<'_> {
    /// Hands an event to all of them.
    pub(super) fn notify(&mut self, ledger: &Ledger, event: &TournamentEvent<'_>) {
        let is_followed = self.args.events.is_some() || self.live.borrow().has_table();
        let mut now = match event {
            TournamentEvent::Notice(Notice::Tick) if is_followed => {
                self.live_standings.refresh_if_due(ledger.played())
            }
            TournamentEvent::TournamentEnded { reason, .. }
                if self.args.events.is_some() || *reason == TournamentEnd::Sprt =>
            {
                let table = self.live_standings.table().ok().flatten();
                let test = table.as_ref().and_then(|(standings, _)| standings.sprt.as_ref());
                self.live.borrow_mut().set_withheld(test.and_then(|test| test.withheld.clone()));
                table
            }
            _ => None,
        };
        self.live.borrow_mut().show_event(ledger, event);
        if let TournamentEvent::Notice(Notice::Sandboxed { reach }) = event {
            // Versions of one bot share its folder.
            let bots: Vec<_> = reach
                .iter()
                .map(|(bot, reach)| (self.plan.bots[*bot].drawn_name(), reach))
                .collect();
            let keeping = &self.plan.terms.keeping;
            for line in sandbox_notice(&bots, keeping, self.args.output.quiet.is_quiet()) {
                self.live.borrow().print(&line);
            }
        }
        if let (Some(now), TournamentEvent::Notice(Notice::Tick)) = (&now, event) {
            self.show(now);
        }
        if let Some((standings, _)) = &mut now {
            // With many bots it is larger than any pipe.
            standings.crosstable = None;
            // Making the table took time, and no event is older than the one before it.
            let at = match event {
                TournamentEvent::TournamentEnded { at, .. } => *at,
                _ => Timestamp::now(),
            };
            self.record(&TournamentEvent::Standings { at, standings });
        }
        self.record(event);
        if let (Some(page), TournamentEvent::Notice(Notice::Tick)) = (&mut self.page, event)
            && let Some(why) = page.refresh_if_due(self.args, ledger.played())
        {
            self.live.borrow().print(&format!("the report is no longer made: {why}"));
        }
    }

    /// Writes an event to the file of events.
    fn record(&mut self, event: &TournamentEvent<'_>) {
        let Some(events) = &mut self.events else { return };
        if let Some(why) = events.record(event) {
            let to = match self.args.events.as_deref().filter(|path| *path != Path::new("-")) {
                Some(path) => printable_path(path),
                None => "stdout".into(),
            };
            self.live.borrow().print(&format!("events are no longer written to {to}: {why}"));
        }
    }

    /// Shows a table above the bar, or on the screen.
    fn show(&self, (standings, remarks): &StandingsTable) {
        let live = self.live.borrow();
        if !live.has_table() {
            return;
        }
        let (mut text, format) = (Vec::new(), OutputFormat::Table);
        if write_standings(&mut text, standings, remarks, format, Width::of_stderr()).is_ok() {
            live.show(&text, standings.matches);
        }
    }
}

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
    pub(super) fn refresh_if_due(&mut self, played: u64) -> Option<StandingsTable> {
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
    pub(super) fn table(&mut self) -> CliResult<Option<StandingsTable>> {
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
