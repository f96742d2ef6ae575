//! Workers as processes: started, waited for together with the user's signals, and ended.

use std::io;
use std::time::{Duration, Instant};

use rustix::event::{PollFd, PollFlags, Timespec, poll};

use super::wire::ReportInbox;
use super::worker_host::WorkerHost;
use super::worker_process::WorkerProcess;
use crate::bot::{Interrupt, StopLevel};

/// How long what a dead worker leaves behind may take to end itself.
const ORPHANS_WAIT: Duration = Duration::from_secs(4);

/// The processes of a tournament's workers.
pub struct WorkerProcesses<'a> {
    workers: Vec<Option<WorkerProcess>>,
    interrupt: &'a Interrupt,
    /// When what dead workers left behind is to be ended.
    sweep: Option<Instant>,
}

impl<'a> WorkerProcesses<'a> {
    /// No worker yet at any of these many places.
    pub fn new(places: usize, interrupt: &'a Interrupt) -> WorkerProcesses<'a> {
        let workers = (0..places).map(|_| None).collect();
        WorkerProcesses { workers, interrupt, sweep: None }
    }
}

impl WorkerHost for WorkerProcesses<'_> {
    fn start(&mut self, place: usize) -> io::Result<()> {
        self.workers[place] = Some(WorkerProcess::start()?);
        Ok(())
    }

    fn send(&mut self, place: usize, line: &[u8]) -> io::Result<()> {
        self.workers[place].as_ref().map_or(Ok(()), |worker| worker.send(line))
    }

    fn wait(&mut self, at_most: Duration) -> io::Result<Vec<usize>> {
        let mut places = Vec::new();
        let mut waited_for: Vec<PollFd<'_>> = Vec::new();
        for (place, worker) in self.workers.iter().enumerate() {
            if let Some(descriptor) = worker.as_ref().and_then(WorkerProcess::descriptor) {
                places.push(place);
                waited_for.push(PollFd::from_borrowed_fd(descriptor, PollFlags::IN));
            }
        }
        waited_for.push(PollFd::from_borrowed_fd(self.interrupt.news(), PollFlags::IN));
        let timeout = Timespec::try_from(at_most).ok();
        match poll(&mut waited_for, timeout.as_ref()) {
            Ok(_) | Err(rustix::io::Errno::INTR) => {}
            Err(error) => return Err(error.into()),
        }
        let all = places.into_iter().zip(&waited_for);
        Ok(all.filter(|(_, fd)| !fd.revents().is_empty()).map(|(place, _)| place).collect())
    }

    fn receive(&mut self, place: usize, inbox: &mut ReportInbox) -> bool {
        self.workers[place].as_ref().is_some_and(|worker| worker.receive(inbox))
    }

    fn interrupt(&mut self, place: usize) {
        if let Some(worker) = &self.workers[place] {
            worker.interrupt();
        }
    }

    fn reap(&mut self, place: usize) {
        WorkerProcess::stop_all(self.workers[place].take().into_iter().collect());
        self.sweep = Some(Instant::now() + ORPHANS_WAIT);
    }

    fn stop(&mut self) {
        WorkerProcess::stop_all(self.workers.drain(..).flatten().collect());
        crate::bot::end_orphans(&[]);
    }

    fn look_after(&mut self) {
        for worker in self.workers.iter().flatten() {
            worker.wake();
        }
        if self.sweep.is_some_and(|sweep| Instant::now() >= sweep) {
            self.sweep = None;
            let workers: Vec<_> = self.workers.iter().flatten().map(WorkerProcess::pid).collect();
            crate::bot::end_orphans(&workers);
        }
    }

    fn level(&self) -> StopLevel {
        self.interrupt.level()
    }

    fn now(&self) -> Instant {
        Instant::now()
    }
}
