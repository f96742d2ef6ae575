//! The coordinator's workers: what each is doing, and what it has sent.

use std::io;
use std::time::{Duration, Instant};

use serde::Serialize;

use super::MOST_DEATHS;
use super::inputs::{CoordinatorResult, TournamentError, TournamentInputs};
use crate::bot::is_out_of_processes;
use crate::contest::Fixture;
use crate::tournament::workers::wire::{self, BotTrial, Preparation, ReportInbox};
use crate::tournament::workers::worker_processes::WorkerHost;

/// How long no worker is started after the system had no more processes.
const REST: Duration = Duration::from_secs(1);

/// When the same trouble is reported again.
const OLD_NEWS: Duration = Duration::from_mins(1);

/// What a worker is doing.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum WorkerTask {
    /// It gets ready.
    Preparing,
    /// It waits for a request.
    Idle,
    /// It tries the bot of that place.
    Trying(usize, BotTrial),
    Playing(Fixture),
}

impl WorkerTask {
    pub(super) const fn match_number(self) -> Option<u64> {
        if let WorkerTask::Playing(fixture) = self { Some(fixture.number) } else { None }
    }
}

/// A worker as the coordinator sees it.
pub(super) struct PooledWorker {
    pub(super) task: WorkerTask,
    /// How many tasks had been given when it got this one, this one included.
    pub(super) number: u64,
    pub(super) inbox: ReportInbox,
}

/// One place for each worker; empty until there is work for it.
pub(super) struct WorkerPool<'a> {
    pub(super) host: &'a mut dyn WorkerHost,
    members: Vec<Option<PooledWorker>>,
    /// How many tasks were given.
    pub(super) given: u64,
    /// Deaths of workers that were not ready yet, in a row.
    pub(super) failed_starts: u32,
    /// Whether any has done what it was asked.
    has_worked: bool,
    /// Until when none is started, because the system had no more processes.
    rests_until: Option<Instant>,
}

impl<'a> WorkerPool<'a> {
    pub(super) fn new(jobs: usize, host: &'a mut dyn WorkerHost) -> WorkerPool<'a> {
        WorkerPool {
            host,
            members: (0..jobs).map(|_| None).collect(),
            given: 0,
            failed_starts: 0,
            has_worked: false,
            rests_until: None,
        }
    }

    pub(super) const fn places(&self) -> usize {
        self.members.len()
    }

    pub(super) fn worker(&mut self, place: usize) -> Option<&mut PooledWorker> {
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

    /// Starts a worker, or [rests](WorkerPool::rest) if there is no process for it; returns why, if that
    /// is news.
    pub(super) fn start(
        &mut self,
        place: usize,
        inputs: &TournamentInputs<'_>,
    ) -> CoordinatorResult<Option<String>> {
        if let Err(error) = self.host.start(place) {
            let why = format!("a worker does not start: {error}");
            let is_over_soon = is_out_of_processes(&error);
            return if is_over_soon { self.rest(why) } else { Err(TournamentError::Stopped(why)) };
        }
        let (task, inbox) = (WorkerTask::Preparing, ReportInbox::default());
        self.members[place] = Some(PooledWorker { task, number: 0, inbox });
        let preparation = Preparation {
            plan: (**inputs.plan).clone(),
            tournament: inputs.plan.id(),
            versions: inputs.versions.to_vec(),
            folder: inputs.folder.into(),
            patterns: inputs.patterns.to_vec(),
            outputs: inputs.outputs.iter().map(Into::into).collect(),
            cores: inputs.workplaces[place].clone(),
            events: inputs.events,
            logs: inputs.logs.clone(),
        };
        self.ask(place, &preparation)?;
        Ok(None)
    }

    /// Gives a worker a task.
    ///
    /// # Errors
    ///
    /// As [`WorkerPool::ask`] says.
    pub(super) fn give(
        &mut self,
        place: usize,
        task: WorkerTask,
        request: &impl Serialize,
    ) -> io::Result<()> {
        self.given += 1;
        let number = self.given;
        if let Some(worker) = self.worker(place) {
            (worker.task, worker.number) = (task, number);
        }
        self.ask(place, request)
    }

    /// Sends a worker a request.
    ///
    /// # Errors
    ///
    /// If the request cannot be written as JSON, or the system fails.
    fn ask(&mut self, place: usize, request: &impl Serialize) -> io::Result<()> {
        self.host.send(place, &wire::line(request)?)
    }

    /// Reads what a worker has sent. False when it is gone.
    pub(super) fn receive(&mut self, place: usize) -> bool {
        let worker = self.members[place].as_mut();
        worker.is_some_and(|worker| self.host.receive(place, &mut worker.inbox))
    }

    /// The worker has done what it was asked.
    pub(super) fn has_done(&mut self, place: usize) {
        if let Some(worker) = self.worker(place) {
            let task = std::mem::replace(&mut worker.task, WorkerTask::Idle);
            self.has_worked |= task != WorkerTask::Preparing;
        }
    }

    /// Starts no worker for a while, because the system has no more processes. Returns why, if that
    /// is news.
    ///
    /// # Errors
    ///
    /// With `why` before any worker has done anything: there are too few for any.
    pub(super) fn rest(&mut self, why: String) -> CoordinatorResult<Option<String>> {
        if !self.has_worked {
            return Err(TournamentError::Stopped(why));
        }
        let now = self.host.now();
        let before = self.rests_until.replace(now + REST);
        let is_news = before.is_none_or(|before| before + OLD_NEWS < now);
        Ok(is_news.then_some(why))
    }

    /// Whether no worker is to be started now.
    pub(super) fn is_resting(&self) -> bool {
        self.rests_until.is_some_and(|until| self.host.now() < until)
    }

    /// Counts a worker that died before it was ready.
    ///
    /// # Errors
    ///
    /// After the third in a row.
    pub(super) fn count_failed_start(&mut self) -> CoordinatorResult {
        self.failed_starts += 1;
        if self.failed_starts >= MOST_DEATHS {
            let why =
                "a worker does not start: it was killed, again and again, before it could play";
            return Err(TournamentError::Stopped(why.to_owned()));
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
