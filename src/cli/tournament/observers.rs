//! Who follows a tournament: the terminal, the file of events, and now and then the table for both.

use std::cell::RefCell;
use std::path::Path;

use super::Args;
use super::live_page::LivePage;
use super::live_standings::{LiveStandings, StandingsTable};
use crate::cli::sandbox_notice::sandbox_notice;
use crate::contest::Plan;
use crate::record::Timestamp;
use crate::report::{OutputFormat, Width, write_standings};
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
                self.live_standings.now_and_then(ledger.played())
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
            let bots: Vec<_> =
                reach.iter().map(|(bot, reach)| (&*self.plan.bots[*bot].name, reach)).collect();
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
            && let Some(why) = page.now_and_then(self.args, ledger.played())
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
