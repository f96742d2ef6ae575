//! The coordinator's workers: started, waited for, interrupted and, when they die, reaped.

use std::io;
use std::time::{Duration, Instant};

use rustix::event::{PollFd, PollFlags, Timespec, poll};

use super::orders::{Orders, TournamentError};
use super::{MOST_DEATHS, WorkerTask};
use crate::bot::Interrupt;
use crate::tournament::wire::Preparation;
use crate::tournament::worker_process::WorkerProcess;

/// How long what a dead worker leaves behind may take to end itself.
const ORPHANS_WAIT: Duration = Duration::from_secs(4);

/// One place for each worker; empty until there is work for it.
#[derive(Debug)]
pub(super) struct Crew {
    workers: Vec<Option<WorkerProcess>>,
    /// Deaths of workers that were not ready yet, in a row.
    failed_starts: u32,
    /// When what dead workers left behind is to be ended.
    sweep: Option<Instant>,
}

impl Crew {
    pub(super) fn new(jobs: usize) -> Crew {
        let workers = (0..jobs).map(|_| None).collect();
        Crew { workers, failed_starts: 0, sweep: None }
    }

    pub(super) const fn places(&self) -> usize {
        self.workers.len()
    }

    pub(super) fn worker(&mut self, place: usize) -> Option<&mut WorkerProcess> {
        self.workers[place].as_mut()
    }

    /// How many workers have a task for which `is_one` is true.
    pub(super) fn count(&self, is_one: impl Fn(WorkerTask) -> bool) -> usize {
        self.workers.iter().flatten().filter(|worker| is_one(worker.task)).count()
    }

    /// Interrupts all workers whose task `is_one`.
    pub(super) fn interrupt(&self, is_one: impl Fn(WorkerTask) -> bool) {
        for worker in self.workers.iter().flatten().filter(|worker| is_one(worker.task)) {
            worker.interrupt();
        }
    }

    pub(super) fn start(
        &mut self,
        place: usize,
        orders: &Orders<'_>,
    ) -> Result<(), TournamentError> {
        let worker = WorkerProcess::start().map_err(TournamentError::Worker)?;
        worker.ask(&Preparation {
            plan: (**orders.plan).clone(),
            folder: orders.folder.into(),
            cores: orders.workplaces.places[place].clone(),
            events: orders.events,
            logs: orders.logs.clone(),
        })?;
        self.workers[place] = Some(worker);
        Ok(())
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

    /// Waits at most `at_most` for reports or signals; returns the places of workers that have sent
    /// something.
    pub(super) fn wait(&self, interrupt: &Interrupt, at_most: Duration) -> io::Result<Vec<usize>> {
        let mut places = Vec::new();
        let mut waited_for: Vec<PollFd<'_>> = Vec::new();
        for (place, worker) in self.workers.iter().enumerate() {
            if let Some(descriptor) = worker.as_ref().and_then(WorkerProcess::descriptor) {
                places.push(place);
                waited_for.push(PollFd::from_borrowed_fd(descriptor, PollFlags::IN));
            }
        }
        waited_for.push(PollFd::from_borrowed_fd(interrupt.news(), PollFlags::IN));
        let timeout = Timespec::try_from(at_most).ok();
        match poll(&mut waited_for, timeout.as_ref()) {
            Ok(_) | Err(rustix::io::Errno::INTR) => {}
            Err(error) => return Err(error.into()),
        }
        let all = places.into_iter().zip(&waited_for);
        Ok(all.filter(|(_, fd)| !fd.revents().is_empty()).map(|(place, _)| place).collect())
    }

    /// Ends a worker that is gone or cannot be understood, and returns what it was doing.
    pub(super) fn reap_worker(&mut self, place: usize) -> Option<WorkerTask> {
        let worker = self.workers[place].take()?;
        let task = worker.task;
        WorkerProcess::stop_all(vec![worker]);
        self.sweep = Some(Instant::now() + ORPHANS_WAIT);
        Some(task)
    }

    /// Wakes workers that a bot has stopped, and ends what dead workers left behind.
    pub(super) fn look_after(&mut self) {
        for worker in self.workers.iter().flatten() {
            worker.wake();
        }
        if self.sweep.is_some_and(|sweep| Instant::now() >= sweep) {
            self.sweep = None;
            let workers: Vec<_> = self.workers.iter().flatten().map(WorkerProcess::pid).collect();
            crate::bot::end_orphans(&workers);
        }
    }

    /// Ends all workers and what they leave behind.
    pub(super) fn stop(&mut self) {
        // All are interrupted before any is waited for.
        self.interrupt(|task| task != WorkerTask::Idle);
        WorkerProcess::stop_all(self.workers.drain(..).flatten().collect());
        crate::bot::end_orphans(&[]);
    }
}
