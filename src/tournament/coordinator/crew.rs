//! The coordinator's workers: started when there is work, heard, and replaced when they die.

use std::io;
use std::time::{Duration, Instant};

use rustix::event::{PollFd, PollFlags, Timespec, poll};

use super::{Coordinator, MOST_DEATHS, ORPHANS_WAIT, TournamentError};
use crate::bot::{Interrupt, StopLevel};
use crate::tournament::happening::Happening;
use crate::tournament::wire::{Preparation, Request};
use crate::tournament::worker_process::{Doing, WorkerProcess};

impl Coordinator<'_> {
    /// Workers that do something.
    pub(super) fn running(&self) -> usize {
        self.workers.iter().flatten().filter(|worker| worker.doing != Doing::Nothing).count()
    }

    /// Workers that play a match.
    pub(super) fn playing(&self) -> usize {
        let plays = |worker: &&WorkerProcess| matches!(worker.doing, Doing::Playing(_));
        self.workers.iter().flatten().filter(plays).count()
    }

    /// Ends what workers do that play no match: there is no result to be waited for.
    pub(super) fn end_preparations(&self) {
        for worker in self.workers.iter().flatten() {
            if !matches!(worker.doing, Doing::Nothing | Doing::Playing(_)) {
                worker.interrupt();
            }
        }
    }

    /// Waits for reports or signals, at most so long; returns the workers that have sent something.
    pub(super) fn wait(&self, interrupt: &Interrupt, at_most: Duration) -> io::Result<Vec<usize>> {
        let mut places = Vec::new();
        let mut waited_for: Vec<PollFd<'_>> = Vec::new();
        for (index, worker) in self.workers.iter().enumerate() {
            if let Some(descriptor) = worker.as_ref().and_then(WorkerProcess::descriptor) {
                places.push(index);
                waited_for.push(PollFd::from_borrowed_fd(descriptor, PollFlags::IN));
            }
        }
        waited_for.push(PollFd::from_borrowed_fd(interrupt.news(), PollFlags::IN));
        let timeout = Timespec::try_from(at_most).ok();
        match poll(&mut waited_for, timeout.as_ref()) {
            Ok(_) | Err(rustix::io::Errno::INTR) => {}
            Err(error) => return Err(error.into()),
        }
        let heard = places.into_iter().zip(&waited_for);
        Ok(heard.filter(|(_, fd)| !fd.revents().is_empty()).map(|(place, _)| place).collect())
    }

    /// Gives every worker without work what is next, and starts workers that are needed.
    pub(super) fn give_work(&mut self) -> Result<(), TournamentError> {
        for index in 0..self.workers.len() {
            let idle = self.workers[index].as_ref().is_none_or(|w| w.doing == Doing::Nothing);
            if !idle {
                continue;
            }
            if self.workers[index].is_none() {
                if self.has_work()? {
                    self.start(index)?;
                }
                continue;
            }
            let Some((request, doing)) = self.next_work()? else { continue };
            let Some(worker) = &mut self.workers[index] else { continue };
            worker.doing = doing;
            worker.ask(&request)?;
            if let Doing::Playing(fixture) = doing {
                (self.watch)(
                    self.ledger,
                    Happening::MatchBegan { fixture: &fixture, worker: index },
                );
            }
        }
        Ok(())
    }

    fn start(&mut self, index: usize) -> Result<(), TournamentError> {
        let worker = WorkerProcess::start().map_err(TournamentError::Worker)?;
        let plan = self.orders.plan;
        let preparation = Preparation {
            tournament: plan.id(),
            rules: plan.rules,
            terms: plan.terms.clone(),
            environment: plan.terms.keeping.environment.clone(),
            bots: plan.bots.clone(),
            reuse: plan.reuse_bots.map(|reuse| reuse.restart_after.unwrap_or(0)),
            folder: self.orders.folder.into(),
            cores: self.orders.workplaces.of(index).to_vec(),
            events: self.orders.events,
            anonymous: plan.anonymous,
            logs: self.orders.logs.clone(),
        };
        worker.ask(&Request::Prepare(Box::new(preparation)))?;
        self.workers[index] = Some(worker);
        Ok(())
    }

    /// Reads the reports of a worker.
    pub(super) fn hear(&mut self, index: usize) -> Result<(), TournamentError> {
        let Some(worker) = &mut self.workers[index] else { return Ok(()) };
        let is_there = worker.receive();
        loop {
            let Some(worker) = &mut self.workers[index] else { return Ok(()) };
            match worker.next() {
                Ok(Some(received)) => self.take(index, received)?,
                Ok(None) if is_there => return Ok(()),
                // Gone, or no longer to be understood.
                Ok(None) | Err(_) => return self.bury(index),
            }
        }
    }

    /// Drops a worker that is gone. Another one does its work again.
    pub(super) fn bury(&mut self, index: usize) -> Result<(), TournamentError> {
        let Some(worker) = self.workers[index].take() else { return Ok(()) };
        let doing = worker.doing;
        WorkerProcess::stop_all(vec![worker]);
        self.sweep = Some(Instant::now() + ORPHANS_WAIT);
        match doing {
            Doing::Nothing => Ok(()),
            Doing::Playing(fixture) => {
                let advice = match self.orders.plan.terms.keeping.sandbox {
                    None => "; --sandbox keeps bots from killing it",
                    Some(_) => "",
                };
                let is_given_up = self.play_again(fixture, "its worker died", advice)?;
                if self.level < StopLevel::EndRunning && !is_given_up {
                    let (number, again) = (fixture.number, self.level == StopLevel::None);
                    (self.watch)(self.ledger, Happening::WorkerDied { number, again });
                }
                Ok(())
            }
            // It was told to stop.
            _ if self.level > StopLevel::None => Ok(()),
            Doing::Preparing => {
                self.stillborn += 1;
                if self.stillborn >= MOST_DEATHS {
                    let why = "it was killed, again and again, before it could play";
                    return Err(TournamentError::Worker(io::Error::other(why)));
                }
                Ok(())
            }
            Doing::Building(bot) | Doing::Trying(bot) | Doing::Checking(bot) => {
                let deaths = self.untried.entry(bot).or_insert(0);
                *deaths += 1;
                let is_given_up = *deaths >= MOST_DEATHS;
                let why = format!("its worker died, {MOST_DEATHS} times");
                match doing {
                    Doing::Building(_) if is_given_up => {
                        return self.disqualify_if(bot, Some(why), "does not build");
                    }
                    Doing::Building(_) => self.builds.push_back(bot),
                    // Another bot may have killed them: its own matches tell.
                    _ if is_given_up => {
                        (self.watch)(self.ledger, Happening::Untried { bot, why: &why });
                    }
                    _ => self.trials.push_back(bot),
                }
                Ok(())
            }
        }
    }

    pub(super) fn unwritten(&self, source: io::Error) -> TournamentError {
        let path = crate::text::printable(&self.journal.path().to_string_lossy());
        let advice = match crate::record::advice_on(&source) {
            Some(advice) if self.journal.is_kept() => format!("; {advice} and go on with --resume"),
            Some(advice) => format!("; {advice}, or give --record FILE on another disk"),
            None => String::new(),
        };
        TournamentError::Write { path, source, advice }
    }
}
