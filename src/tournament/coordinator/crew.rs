//! The coordinator's workers: what each is doing, and what it has sent.

use std::io;

use serde::Serialize;

use super::MOST_DEATHS;
use super::orders::{Orders, TournamentError};
use crate::contest::Fixture;
use crate::tournament::wire::{self, BotTrial, Preparation, ReportInbox};
use crate::tournament::worker_host::WorkerHost;

/// What a worker is doing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum WorkerTask {
    /// It gets ready.
    Preparing,
    /// It waits for a request.
    Idle,
    /// It tries the bot of that place.
    Trying(usize, BotTrial),
    /// It plays.
    Playing(Fixture),
}

impl WorkerTask {
    pub(super) const fn is_match(self) -> bool {
        matches!(self, WorkerTask::Playing(_))
    }
}

/// A worker as the coordinator sees it.
#[derive(Debug)]
pub(super) struct CrewMember {
    pub(super) task: WorkerTask,
    pub(super) inbox: ReportInbox,
}

/// One place for each worker; empty until there is work for it.
pub(super) struct Crew<'a> {
    pub(super) host: &'a mut dyn WorkerHost,
    members: Vec<Option<CrewMember>>,
    /// Deaths of workers that were not ready yet, in a row.
    failed_starts: u32,
}

impl<'a> Crew<'a> {
    pub(super) fn new(jobs: usize, host: &'a mut dyn WorkerHost) -> Crew<'a> {
        Crew { host, members: (0..jobs).map(|_| None).collect(), failed_starts: 0 }
    }

    pub(super) const fn places(&self) -> usize {
        self.members.len()
    }

    pub(super) fn worker(&mut self, place: usize) -> Option<&mut CrewMember> {
        self.members[place].as_mut()
    }

    /// How many workers have a task for which `is_one` is true.
    pub(super) fn count(&self, is_one: impl Fn(WorkerTask) -> bool) -> usize {
        self.members.iter().flatten().filter(|worker| is_one(worker.task)).count()
    }

    /// Interrupts all workers whose task `is_one`.
    pub(super) fn interrupt(&mut self, is_one: impl Fn(WorkerTask) -> bool) {
        for (place, worker) in self.members.iter().enumerate() {
            if worker.as_ref().is_some_and(|worker| is_one(worker.task)) {
                self.host.interrupt(place);
            }
        }
    }

    pub(super) fn start(
        &mut self,
        place: usize,
        orders: &Orders<'_>,
    ) -> Result<(), TournamentError> {
        self.host.start(place).map_err(TournamentError::Worker)?;
        let (task, inbox) = (WorkerTask::Preparing, ReportInbox::default());
        self.members[place] = Some(CrewMember { task, inbox });
        let preparation = Preparation {
            plan: (**orders.plan).clone(),
            folder: orders.folder.into(),
            outputs: orders.outputs.iter().map(Into::into).collect(),
            cores: orders.workplaces[place].clone(),
            events: orders.events,
            logs: orders.logs.clone(),
        };
        Ok(self.ask(place, &preparation)?)
    }

    /// Sends a worker a request.
    ///
    /// # Errors
    ///
    /// If the request cannot be written as JSON, or the system fails.
    pub(super) fn ask(&mut self, place: usize, request: &impl Serialize) -> io::Result<()> {
        self.host.send(place, &wire::line(request)?)
    }

    /// Reads what a worker has sent. False when it is gone.
    pub(super) fn receive(&mut self, place: usize) -> bool {
        let worker = self.members[place].as_mut();
        worker.is_some_and(|worker| self.host.receive(place, &mut worker.inbox))
    }

    pub(super) const fn has_started(&mut self) {
        self.failed_starts = 0;
    }

    /// Counts a worker that died before it was ready.
    ///
    /// # Errors
    ///
    /// After the third in a row.
    pub(super) fn count_failed_start(&mut self) -> Result<(), TournamentError> {
        self.failed_starts += 1;
        if self.failed_starts >= MOST_DEATHS {
            let why = "it was killed, again and again, before it could play";
            return Err(TournamentError::Worker(io::Error::other(why)));
        }
        Ok(())
    }

    /// Ends a worker that is gone or cannot be understood, and returns what it was doing.
    pub(super) fn reap_worker(&mut self, place: usize) -> Option<WorkerTask> {
        let worker = self.members[place].take()?;
        self.host.reap(place);
        Some(worker.task)
    }

    /// Ends all workers.
    pub(super) fn stop(&mut self) {
        // All are interrupted before any is waited for.
        self.interrupt(|task| task != WorkerTask::Idle);
        self.members.clear();
        self.host.stop();
    }
}
