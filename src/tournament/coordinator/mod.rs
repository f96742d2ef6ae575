//! Plays a plan: gives work to workers, keeps the books on what they report, and judges nothing.
//!
//! Reading order: `inputs` say what is to be played; work is first the `preparation` of the bots, then
//! one of the `matches`; the `worker_pool` is who does it; `reports` are what comes back; `bookkeeping` is about
//! the file, the ledger and the observers.

mod bookkeeping;
mod inputs;
mod matches;
mod preparation;
mod reports;
mod worker_pool;

use std::time::{Duration, Instant};

use crate::bot::StopLevel;
use crate::contest::Fixture;
use crate::record::Timestamp;
use crate::seat::PerSeat;
use crate::tournament::events::event::{Notice, StopReason, TournamentEnd, TournamentEvent};
use crate::tournament::workers::wire::{Assignment, BotTrial, WorkerRequest};
use crate::tournament::workers::worker_processes::WorkerHost;
use crate::tournament::{JournalWriter, KeptLogs, Ledger};

use bookkeeping::{Bookkeeping, Observe};
use inputs::CoordinatorResult;
pub(crate) use inputs::{TournamentError, TournamentInputs};
use matches::MatchQueue;
use preparation::BotPreparation;
use worker_pool::{WorkerPool, WorkerTask};

/// How many workers may die at one match, or at one bot before it plays, until that is given up.
const MOST_DEATHS: u32 = 3;

/// How long after the last death of a worker a bot is built alone: what the dead ones left behind is
/// gone by then, and has killed what it could.
const CALM: Duration = Duration::from_secs(6);

/// The time between two ticks for the observers.
const TICK: Duration = Duration::from_millis(250);

/// A tournament as it is played.
pub(crate) struct Coordinator<'a> {
    inputs: &'a TournamentInputs<'a>,
    books: Bookkeeping<'a>,
    preparation: BotPreparation,
    matches: MatchQueue,
    worker_pool: WorkerPool<'a>,
    level: StopLevel,
    /// When a worker died last.
    last_death: Option<Instant>,
}

impl<'a> Coordinator<'a> {
    /// A tournament that goes on from what the ledger knows. `observe` gets each event.
    pub(crate) fn new(
        inputs: &'a TournamentInputs<'a>,
        host: &'a mut dyn WorkerHost,
        journal: &'a mut dyn JournalWriter,
        ledger: &'a mut Ledger,
        observe: Observe<'a>,
    ) -> Coordinator<'a> {
        let preparation = BotPreparation::new(inputs, ledger);
        let logs = inputs.logs.of_bots.as_ref().map(KeptLogs::found);
        let are_notes_written = !inputs.strict;
        let books = Bookkeeping { inputs, ledger, journal, observe, logs, are_notes_written };
        Coordinator {
            preparation,
            matches: MatchQueue::new(inputs.plan),
            worker_pool: WorkerPool::new(inputs.workplaces.len(), host),
            inputs,
            books,
            level: StopLevel::None,
            last_death: None,
        }
    }

    /// Plays to the end, or until it is stopped.
    ///
    /// # Errors
    ///
    /// As [`TournamentError`] says. What was played until then is in the file.
    pub(crate) fn run(mut self) -> CoordinatorResult<TournamentEnd> {
        let plan = self.inputs.plan;
        let bots = plan.bots.iter().map(|bot| &*bot.name).collect();
        let (at, id, matches) = (Timestamp::now(), plan.id(), self.books.ledger.planned());
        self.books.notify(&TournamentEvent::TournamentBegan { at, id, matches, bots });
        let end = self.play();
        self.worker_pool.stop();
        let synced = self.books.sync();
        let (at, reason) = (Timestamp::now(), *end.as_ref().unwrap_or(&TournamentEnd::Failed));
        self.books.notify(&TournamentEvent::TournamentEnded { at, reason });
        let end = end?;
        synced?;
        Ok(end)
    }

    fn play(&mut self) -> CoordinatorResult<TournamentEnd> {
        let mut ticked = self.worker_pool.host.now();
        loop {
            if self.level == StopLevel::None {
                self.give_work()?;
            }
            if self.level == StopLevel::EndRunning {
                return self.end();
            }
            let waits = self.worker_pool.is_resting() || self.preparation.waits_to_be_alone();
            let waits = waits && self.level == StopLevel::None;
            if !waits && self.worker_pool.count(|task| task != WorkerTask::Idle) == 0 {
                return self.end();
            }
            let ready = self.worker_pool.host.wait(TICK)?;
            let level = self.worker_pool.host.level();
            if level > self.level {
                self.level = level;
                // What is not a match has no result to wait for.
                self.worker_pool
                    .interrupt(|task| task != WorkerTask::Idle && task.match_number().is_none());
                self.notify_stopping(if level == StopLevel::EndRunning {
                    StopReason::InterruptAtOnce
                } else {
                    StopReason::Interrupt
                });
            }
            for place in ready {
                self.read_reports(place)?;
            }
            if self.worker_pool.host.now() >= ticked + TICK {
                ticked = self.worker_pool.host.now();
                self.worker_pool.host.look_after();
                self.books.notify(&TournamentEvent::Notice(Notice::Tick));
            }
        }
    }

    /// How it ended, when no worker does anything.
    fn end(&mut self) -> CoordinatorResult<TournamentEnd> {
        let is_interrupted = self.level > StopLevel::None;
        if is_interrupted && self.preparation.is_over {
            // No match follows, but what came with the last one does.
            self.matches.is_stopped = true;
            self.matches.next(&mut self.books)?;
        }
        let ledger = &*self.books.ledger;
        if ledger.has_decided() {
            return Ok(TournamentEnd::Sprt);
        }
        if is_interrupted || self.matches.is_stopped {
            // Before, nobody knows which matches can be played.
            let is_complete = self.preparation.is_over
                && ledger.counted() >= ledger.playable()
                && !ledger.leaves_matches();
            return Ok(if is_complete {
                TournamentEnd::Completed
            } else {
                TournamentEnd::Interrupted
            });
        }
        match self.matches.open_round(&self.books) {
            Some(open) => Err(open),
            None if ledger.leaves_matches() => Ok(TournamentEnd::Failed),
            None => Ok(TournamentEnd::Completed),
        }
    }

    /// Gives every worker without work what is next, and starts workers that are needed.
    fn give_work(&mut self) -> CoordinatorResult {
        for place in 0..self.worker_pool.places() {
            match self.worker_pool.worker(place).map(|worker| worker.task) {
                Some(WorkerTask::Idle) => {
                    let Some((request, task)) = self.next_work()? else { continue };
                    self.worker_pool.give(place, task, &request)?;
                    if let WorkerTask::Playing(fixture) = task {
                        let bots = fixture.bots.0.map(|bot| self.books.name(bot));
                        self.books.notify(&TournamentEvent::MatchBegan {
                            at: Timestamp::now(),
                            r#match: fixture.number,
                            bots,
                            opening: fixture.opening,
                            worker: place + 1,
                        });
                    }
                }
                None if !self.worker_pool.is_resting() && self.has_work()? => {
                    let trouble = self.worker_pool.start(place, self.inputs)?;
                    self.notify_of_rest(trouble.as_deref());
                }
                _ => {}
            }
        }
        Ok(())
    }

    fn notify_of_rest(&mut self, why: Option<&str>) {
        if let Some(why) = why {
            let words = format!("{why}; waiting until there are some");
            self.books.notify(&TournamentEvent::Notice(Notice::Warning(&words)));
        }
    }

    /// Whether a worker that is started now would have something to do.
    fn has_work(&mut self) -> CoordinatorResult<bool> {
        if !self.preparation.is_empty() {
            return Ok(true);
        }
        let Some(fixture) = self.next_match()? else { return Ok(false) };
        self.matches.put_back(fixture);
        Ok(true)
    }

    fn next_work(&mut self) -> CoordinatorResult<Option<(WorkerRequest, WorkerTask)>> {
        let builds = |task| matches!(task, WorkerTask::Trying(_, BotTrial::Build(_)));
        let is_building = self.worker_pool.count(builds) > 0;
        let now = self.worker_pool.host.now();
        let is_calm = self.last_death.is_none_or(|death| now >= death + CALM);
        let is_building = is_building || self.preparation.waits_to_be_alone() && !is_calm;
        let next = self.preparation.next(&self.books, is_building);
        if let Some((bot, trial)) = next {
            let made = self.preparation.made(bot);
            let request = WorkerRequest::Try { bot, trial, made };
            return Ok(Some((request, WorkerTask::Trying(bot, trial))));
        }
        let Some(fixture) = self.next_match()? else { return Ok(None) };
        #[expect(clippy::cast_possible_truncation, reason = "openings are in memory")]
        let opening = self.inputs.openings[(fixture.opening - 1) as usize];
        let logs = self.books.wanted_logs(fixture.bots);
        let made = PerSeat::from_fn(|seat| self.preparation.made(fixture.bots[seat]));
        let request = WorkerRequest::Play(Assignment { fixture, opening, logs, made });
        Ok(Some((request, WorkerTask::Playing(fixture))))
    }

    /// The next match; `None` as long as bots are tried.
    fn next_match(&mut self) -> CoordinatorResult<Option<Fixture>> {
        let tries = |task| matches!(task, WorkerTask::Trying(..));
        if !self.preparation.is_empty() || self.worker_pool.count(tries) > 0 {
            return Ok(None);
        }
        self.preparation.end(&mut self.books)?;
        self.matches.next(&mut self.books)
    }

    fn notify_stopping(&mut self, why: StopReason) {
        let running = self.worker_pool.count(|task| task.match_number().is_some());
        self.books.notify(&TournamentEvent::Notice(Notice::Stopping { running, why }));
    }
}
