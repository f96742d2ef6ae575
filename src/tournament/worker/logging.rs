//! The logs of a worker's matches, for the authors of the bots.

use std::fs;
use std::io;

use super::Worker;
use crate::contest::Fixture;
use crate::log::{Log, Side};
use crate::referee::MatchSetup;
use crate::seat::{PerSeat, Seat};
use crate::tournament::logs::{LogFolders, WantedLogs};
use crate::tournament::wire::Assignment;

impl Worker<'_> {
    /// The log of a match, where somebody may want it.
    pub(super) fn open_log(
        &self,
        assignment: &Assignment,
        setup: &MatchSetup,
    ) -> io::Result<Option<Log>> {
        let Some((folders, wanted)) = self.wanted(assignment) else { return Ok(None) };
        if !wanted.0.iter().any(|wanted| wanted.anything()) {
            return Ok(None);
        }
        let place = folders.playing(assignment.fixture.number);
        // A worker that died may have left one.
        if place.exists() {
            fs::remove_dir_all(&place)?;
        }
        Log::create(&place, setup).map(Some)
    }

    /// Hands each bot its side of a log, if it wants it.
    pub(super) fn hand_out(
        &self,
        assignment: &Assignment,
        faults: PerSeat<u32>,
        log: Option<Log>,
    ) -> io::Result<()> {
        let (Some(log), Some((folders, wanted))) = (log, self.wanted(assignment)) else {
            return Ok(());
        };
        let side = |seat: Seat| {
            let Fixture { number, bots, .. } = assignment.fixture;
            let folder = folders.of_match(bots[seat], number);
            let bot = self.preparation.plan.bots[bots[seat]].as_started();
            wanted[seat].keeps(faults[seat]).then_some(Side { folder, bot })
        };
        log.hand_out(&PerSeat::from_fn(side))?;
        fs::remove_dir(folders.playing(assignment.fixture.number))
    }

    fn wanted(&self, assignment: &Assignment) -> Option<(&LogFolders, PerSeat<WantedLogs>)> {
        self.preparation.logs.as_ref().zip(assignment.logs)
    }
}
