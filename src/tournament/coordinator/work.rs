//! What is to be done next: builds, trials, matches, in that order.

use std::collections::{BTreeMap, VecDeque};

use super::{Coordinator, TournamentError};
use crate::bot::StopLevel;
use crate::contest::{Fixture, Plan, SwissRounds};
use crate::record::NoteKind;
use crate::seat::{PerSeat, Seat};
use crate::tournament::Happening;
use crate::tournament::journal::note;
use crate::tournament::wire::{Assignment, Request};
use crate::tournament::worker_process::{Doing, WorkerProcess};

/// The rounds of a Swiss tournament.
pub(super) struct SwissState {
    rounds: SwissRounds,
    current: VecDeque<Fixture>,
    round: u64,
    /// Winners of the matches that were in the file before.
    known: BTreeMap<u64, Option<Seat>>,
    /// Winners in the current round.
    pub(super) results: Vec<(PerSeat<usize>, Option<Seat>)>,
    pub(super) expected: usize,
}

impl SwissState {
    /// No round yet; `known` are results that were in the file before.
    pub(super) fn new(plan: &Plan, known: BTreeMap<u64, Option<Seat>>) -> SwissState {
        SwissState {
            rounds: SwissRounds::new(plan.bots.len(), plan.repeat),
            current: VecDeque::new(),
            round: 0,
            known,
            results: Vec::new(),
            expected: 0,
        }
    }
}

impl Coordinator<'_> {
    /// Whether a worker that is started now would have something to do.
    pub(super) fn has_work(&mut self) -> Result<bool, TournamentError> {
        if !self.builds.is_empty() || !self.trials.is_empty() {
            return Ok(true);
        }
        if self.is_preparing() {
            return Ok(false);
        }
        Ok(match self.next_fixture()? {
            Some(fixture) => {
                self.again.push_front(fixture);
                true
            }
            None => false,
        })
    }

    /// Whether a bot is to be checked. All checks are made before the first match, and this
    /// program's own bots need none.
    fn is_checked(&self, bot: usize) -> bool {
        let plan = self.orders.plan;
        let is_own =
            plan.bots[bot].command.first().is_some_and(|word| word.starts_with("builtin:"));
        plan.check && !is_own && self.ledger.played() == 0
    }

    /// Whether bots are still built or tried.
    fn is_preparing(&self) -> bool {
        let prepares = |worker: &WorkerProcess| {
            matches!(worker.doing, Doing::Building(_) | Doing::Trying(_) | Doing::Checking(_))
        };
        !self.builds.is_empty()
            || !self.trials.is_empty()
            || self.workers.iter().flatten().any(prepares)
    }

    pub(super) fn next_work(&mut self) -> Result<Option<(Request, Doing)>, TournamentError> {
        if self.level > StopLevel::None {
            return Ok(None);
        }
        if let Some(bot) = self.builds.pop_front() {
            let at_most = self.orders.build_time;
            return Ok(Some((Request::Build { bot, at_most }, Doing::Building(bot))));
        }
        let builds = |worker: &WorkerProcess| matches!(worker.doing, Doing::Building(_));
        if self.workers.iter().flatten().any(builds) {
            return Ok(None);
        }
        while let Some(bot) = self.trials.pop_front() {
            if self.ledger.disqualified(bot).is_some() {
                continue;
            }
            if self.is_checked(bot) {
                let at_most = self.orders.check_time;
                return Ok(Some((Request::Check { bot, at_most }, Doing::Checking(bot))));
            }
            return Ok(Some((Request::Try { bot }, Doing::Trying(bot))));
        }
        if self.is_preparing() {
            return Ok(None);
        }
        let Some(fixture) = self.next_fixture()? else { return Ok(None) };
        #[expect(clippy::cast_possible_truncation, reason = "openings are in memory")]
        let opening = self.orders.openings[(fixture.opening - 1) as usize];
        let assignment = Assignment {
            number: fixture.number,
            opening_number: fixture.opening,
            opening,
            bots: fixture.bots,
            logs: self.logs.as_ref().map(|logs| logs.wanted(fixture.bots)),
        };
        Ok(Some((Request::Play(assignment), Doing::Playing(fixture))))
    }

    /// The next match that is to be played.
    fn next_fixture(&mut self) -> Result<Option<Fixture>, TournamentError> {
        if !self.has_begun {
            self.begin()?;
        }
        if self.level > StopLevel::None
            || self.sprt.as_ref().is_some_and(|sprt| sprt.decided().is_some())
        {
            return Ok(None);
        }
        while let Some(fixture) = self.again.pop_front() {
            if self.ledger.is_to_be_played(&fixture) {
                return Ok(Some(fixture));
            }
        }
        if self.swiss.is_some() {
            return self.next_of_swiss();
        }
        let next = self.ledger.next_from(self.cursor);
        let last = self.sprt.as_ref().map_or(u64::MAX, |sprt| sprt.upto() + self.ahead());
        let next = next.filter(|fixture| fixture.number <= last);
        if let Some(fixture) = &next {
            self.cursor = fixture.number + 1;
        }
        Ok(next)
    }

    /// How many matches may be played or running behind the first that a test waits for: more of
    /// them would only be left out when it decides.
    fn ahead(&self) -> u64 {
        2 * self.orders.workplaces.jobs() as u64
    }

    /// Begins when all bots were built and tried. Those that failed are reported together.
    fn begin(&mut self) -> Result<(), TournamentError> {
        self.has_begun = true;
        // Why, whoever watches was told.
        if self.orders.strict && !self.refused.is_empty() {
            let bots = if self.refused.len() == 1 { "bot" } else { "bots" };
            let refused = format!("{bots} {}", self.refused.join(" and "));
            return Err(TournamentError::Refused(refused));
        }
        let left = self.orders.plan.bots.len() - self.ledger.count_disqualified();
        if left < 2 && self.ledger.played() == 0 {
            return Err(TournamentError::TooFew);
        }
        if !self.reach.is_empty() {
            (self.watch)(self.ledger, Happening::Sandboxed { reach: &self.reach });
        }
        (self.watch)(self.ledger, Happening::Began);
        Ok(())
    }

    fn next_of_swiss(&mut self) -> Result<Option<Fixture>, TournamentError> {
        loop {
            let Some(swiss) = &mut self.swiss else { return Ok(None) };
            while let Some(fixture) = swiss.current.pop_front() {
                if let Some(winner) = swiss.known.remove(&fixture.number) {
                    swiss.results.push((fixture.bots, winner));
                } else if self.ledger.is_to_be_played(&fixture) {
                    return Ok(Some(fixture));
                } else {
                    swiss.expected -= 1;
                }
            }
            // A round ends when all its matches have: the next one follows from their results.
            if swiss.results.len() < swiss.expected || swiss.round >= self.orders.plan.count {
                return Ok(None);
            }
            for (bots, winner) in swiss.results.drain(..) {
                let halves = match winner {
                    Some(Seat::A) => [2, 0],
                    Some(Seat::B) => [0, 2],
                    None => [1, 1],
                };
                swiss.rounds.add(bots, PerSeat(halves));
            }
            let (ledger, first) = (&*self.ledger, swiss.rounds.next_number());
            let round = swiss.rounds.pair(&|bot| ledger.is_out_before(bot, first));
            swiss.round = round.round;
            swiss.expected = round.fixtures.len();
            swiss.current = round.fixtures.into();
            for bot in round.byes {
                let detail = format!("no opponent in round {}", round.round);
                let bye = note(self.orders.plan, NoteKind::Bye, None, Some(bot), &detail);
                if self.journal.is_new_bye(&bye) {
                    self.journal.note(&bye).map_err(|source| self.unwritten(source))?;
                }
            }
        }
    }
}
