//! Workers: what the coordinator needs of them, and workers as processes, which are started, waited for
//! together with the user's signals, and ended.

use std::io::{self, Write};
use std::net::Shutdown;
use std::os::fd::OwnedFd;
use std::os::unix::net::UnixStream;
use std::os::unix::process::CommandExt;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::process::{Pid, Signal, kill_process};
use wait_timeout::ChildExt;

use super::wire::ReportInbox;
use crate::bot::{Interrupt, StopLevel, explained, open_null_device, this_program};

/// Runs workers for the coordinator, at most one at each of its places; knows the time, and the user's
/// wish to stop.
pub(crate) trait WorkerHost {
    /// Starts a worker at an empty place.
    ///
    /// # Errors
    ///
    /// When the system cannot start it.
    fn start(&mut self, place: usize) -> io::Result<()>;

    /// Sends a worker a line. A dead worker is detected at the next read.
    ///
    /// # Errors
    ///
    /// When the system fails.
    fn send(&mut self, place: usize, line: &[u8]) -> io::Result<()>;

    /// Waits at most `at_most` for reports or signals; returns the places of workers that have sent
    /// something.
    ///
    /// # Errors
    ///
    /// When the system fails.
    fn wait(&mut self, at_most: Duration) -> io::Result<Vec<usize>>;

    /// Reads what a worker has sent into `inbox`. False when it is gone.
    fn receive(&mut self, place: usize, inbox: &mut ReportInbox) -> bool;

    /// Interrupts a worker, so that it gives up what it does.
    fn interrupt(&mut self, place: usize);

    /// Ends a worker that is gone or cannot be understood.
    fn reap(&mut self, place: usize);

    /// Ends all workers and what they leave behind.
    fn stop(&mut self);

    /// Wakes workers that a bot has stopped, and ends what dead workers left behind.
    fn look_after(&mut self);

    /// How far the user wants to stop by now.
    fn level(&self) -> StopLevel;

    /// The time.
    fn now(&self) -> Instant;
}

/// The longest time that a worker may take to leave: its bots have a grace of their own, and its
/// wardens their bounds.
const LEAVE_WAIT: Duration = Duration::from_secs(8);

/// How long what a dead worker leaves behind may take to end itself.
const ORPHANS_WAIT: Duration = Duration::from_secs(4);

/// How long the folders that killed wardens have left may take to be removed.
const REMOVAL_WAIT: Duration = Duration::from_secs(30);

/// A worker's process and its socket. Dropping it ends it, and with it its bots.
struct WorkerProcess {
    child: Child,
    /// `None` once it is to leave.
    socket: Option<UnixStream>,
}

impl WorkerProcess {
    /// Starts this program again as a worker.
    fn start() -> io::Result<WorkerProcess> {
        let (ours, theirs) = UnixStream::pair()?;
        let child = Command::new(this_program()?)
            .arg0("mancala-worker")
            .arg("worker")
            .stdin(Stdio::from(OwnedFd::from(theirs)))
            .stdout(Stdio::from(open_null_device()?))
            // A group of its own: Ctrl-C is for the coordinator alone.
            .process_group(0)
            .spawn()?;
        ours.set_nonblocking(true)?;
        Ok(WorkerProcess { child, socket: Some(ours) })
    }

    fn send(&self, line: &[u8], at_most: Duration) -> io::Result<()> {
        let Some(mut socket) = self.socket.as_ref() else { return Ok(()) };
        // Requests are few and small, but a plan may not fit the socket at once.
        socket.set_nonblocking(false)?;
        socket.set_write_timeout(Some(at_most))?;
        if socket.write_all(line).is_err() {
            // With half a request, it would wait for the rest, and we for its answer.
            let _ = socket.shutdown(Shutdown::Both);
        }
        socket.set_nonblocking(true)
    }

    fn signal(&self, signal: Signal) {
        let _ = kill_process(Pid::from_child(&self.child), signal);
    }

    /// Wakes it, in case a bot has stopped it: it may do that to any process of its user.
    fn wake(&self) {
        self.signal(Signal::CONT);
    }

    /// Has it leave: it does so when its socket ends.
    fn dismiss(&mut self) {
        self.socket = None;
        self.wake();
    }
}

impl Drop for WorkerProcess {
    fn drop(&mut self) {
        self.dismiss();
        if !matches!(self.child.wait_timeout(LEAVE_WAIT), Ok(Some(_))) {
            let _ = self.child.kill();
            let _ = self.child.wait_timeout(LEAVE_WAIT);
        }
    }
}

/// The processes of a tournament's workers.
pub(crate) struct WorkerProcesses<'a> {
    workers: Vec<Option<WorkerProcess>>,
    interrupt: &'a Interrupt,
    /// When what dead workers left behind is to be ended.
    sweep: Option<Instant>,
}

impl<'a> WorkerProcesses<'a> {
    /// No worker yet at any of these many places.
    pub(crate) fn new(places: usize, interrupt: &'a Interrupt) -> WorkerProcesses<'a> {
        let workers = (0..places).map(|_| None).collect();
        WorkerProcesses { workers, interrupt, sweep: None }
    }

    fn socket(&self, place: usize) -> Option<&UnixStream> {
        self.workers[place].as_ref()?.socket.as_ref()
    }
}

/// Removes the folders that killed wardens have left, last of all: on a slow disk that takes long, and
/// then a warden may have been killed while it removed its own.
impl Drop for WorkerProcesses<'_> {
    fn drop(&mut self) {
        let (end, level) = (Instant::now() + REMOVAL_WAIT, self.interrupt.level());
        let is_awaited = || Instant::now() < end && self.interrupt.level() == level;
        crate::bot::remove_unlocked_while(is_awaited);
    }
}

impl WorkerHost for WorkerProcesses<'_> {
    fn start(&mut self, place: usize) -> io::Result<()> {
        // The text names the limit that was met.
        self.workers[place] = Some(WorkerProcess::start().map_err(explained)?);
        Ok(())
    }

    fn send(&mut self, place: usize, line: &[u8]) -> io::Result<()> {
        self.workers[place].as_ref().map_or(Ok(()), |worker| worker.send(line, LEAVE_WAIT))
    }

    fn wait(&mut self, at_most: Duration) -> io::Result<Vec<usize>> {
        let (places, mut waited_for): (Vec<usize>, Vec<PollFd<'_>>) = (0..self.workers.len())
            .filter_map(|place| Some((place, PollFd::new(self.socket(place)?, PollFlags::IN))))
            .unzip();
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
        self.socket(place).is_some_and(|socket| inbox.fill(socket).unwrap_or(false))
    }

    fn interrupt(&mut self, place: usize) {
        if let Some(worker) = &self.workers[place] {
            worker.signal(Signal::TERM);
        }
    }

    fn reap(&mut self, place: usize) {
        self.workers[place] = None;
        self.sweep = Some(Instant::now() + ORPHANS_WAIT);
    }

    fn stop(&mut self) {
        let mut workers: Vec<WorkerProcess> = self.workers.drain(..).flatten().collect();
        // All are told before any is waited for.
        workers.iter_mut().for_each(WorkerProcess::dismiss);
        drop(workers);
        crate::bot::end_orphans(&[]);
    }

    fn look_after(&mut self) {
        self.workers.iter().flatten().for_each(WorkerProcess::wake);
        if self.sweep.is_some_and(|sweep| Instant::now() >= sweep) {
            self.sweep = None;
            let workers = self.workers.iter().flatten();
            let workers: Vec<_> = workers.map(|worker| Pid::from_child(&worker.child)).collect();
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

#[cfg(test)]
mod tests {
    use std::io::Read;

    use super::*;

    #[test]
    fn socket_is_shut_down_after_half_a_request() {
        let (ours, mut theirs) = UnixStream::pair().unwrap();
        let worker =
            WorkerProcess { child: Command::new("true").spawn().unwrap(), socket: Some(ours) };
        // Longer than the buffer of a socket.
        let line = vec![b'x'; 4 << 20];
        worker.send(&line, Duration::from_millis(20)).unwrap();
        let mut taken = Vec::new();
        theirs.read_to_end(&mut taken).unwrap();
        assert!(taken.len() < line.len());
        assert_eq!(theirs.write(b"x").unwrap_err().kind(), io::ErrorKind::BrokenPipe);
    }
}
