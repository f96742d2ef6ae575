//! The logs of a worker's matches, for the authors of the bots.

use std::fs;
use std::io;

use super::Worker;
use crate::contest::Fixture;
use crate::log::{Log, LogIdentity, Side};
use crate::referee::MatchSetup;
use crate::seat::{PerSeat, Seat};
use crate::tournament::logs::LogPlaces;
use crate::tournament::workers::wire::Assignment;

impl Worker<'_> {
    /// The log of a match, where somebody may want it.
    pub(super) fn open_log(
        &self,
        assignment: &Assignment,
        setup: &MatchSetup,
    ) -> io::Result<Option<Log>> {
        let number = assignment.fixture.number;
        let place = self.preparation.logs.playing(number, assignment.logs);
        let Some(place) = place else { return Ok(None) };
        // A worker that died may have left one.
        if place.exists() {
            fs::remove_dir_all(&place)?;
        }
        Log::create(&place, setup).map(Some)
    }

    /// Hands each bot its side of a log, if it wants it, and keeps the whole if all are kept.
    pub(super) fn hand_out(
        &self,
        assignment: &Assignment,
        faults: PerSeat<u32>,
        log: Option<(Log, LogIdentity)>,
    ) -> io::Result<()> {
        let Some((log, identity)) = log else { return Ok(()) };
        let Fixture { number, bots, .. } = assignment.fixture;
        let LogPlaces { of_bots, of_matches } = &self.preparation.logs;
        let mut sides = Vec::new();
        for seat in Seat::BOTH {
            let bot = self.preparation.plan.bots[bots[seat]].as_started();
            let mut add = |folder| sides.push((seat, Side { folder, bot: bot.clone() }));
            if let Some((folders, wanted)) = of_bots.as_ref().zip(assignment.logs)
                && wanted[seat].keeps(faults[seat])
            {
                add(folders.of_match(bots[seat], number));
            }
            if let Some(logs) = of_matches {
                add(logs.of_match(number));
            }
        }
        log.hand_out(&identity, &sides)?;
        self.preparation.logs.playing(number, assignment.logs).map_or(Ok(()), fs::remove_dir)
    }
}
