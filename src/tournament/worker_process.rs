//! A worker as the coordinator has it: its process, its socket, what it is doing.

use std::io::{self, Write};
use std::net::Shutdown;
use std::os::fd::{AsFd, BorrowedFd, OwnedFd};
use std::os::unix::net::UnixStream;
use std::os::unix::process::CommandExt;
use std::process::{Child, Command, Stdio};
use std::time::Duration;

use rustix::process::{Pid, Signal, kill_process};
use wait_timeout::ChildExt;

use super::wire::{self, Inbox, Received, Request};
use crate::bot::{explained, open_null_device, this_program};
use crate::contest::Fixture;

/// How long a worker that was told to stop may take: its bots have a grace of their own, and its
/// wardens their bounds.
const LEAVE_WAIT: Duration = Duration::from_secs(8);

/// What a worker is doing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Doing {
    /// It prepares itself.
    Preparing,
    /// It waits for work.
    Nothing,
    /// It builds the bot of that place.
    Building(usize),
    /// It starts the bot of that place, to see whether that works.
    Trying(usize),
    /// It checks the bot of that place.
    Checking(usize),
    /// It plays.
    Playing(Fixture),
}

/// A worker's process. Dropping it ends it, and with it its bots.
#[derive(Debug)]
pub(super) struct WorkerProcess {
    child: Child,
    socket: Option<UnixStream>,
    inbox: Inbox,
    pub(super) doing: Doing,
}

impl WorkerProcess {
    /// Starts this program again as a worker.
    ///
    /// # Errors
    ///
    /// When the system cannot start it; the text names the limit that it has met.
    pub(super) fn start() -> io::Result<WorkerProcess> {
        WorkerProcess::spawn().map_err(explained)
    }

    fn spawn() -> io::Result<WorkerProcess> {
        let (ours, theirs) = UnixStream::pair()?;
        let child = Command::new(this_program()?)
            .arg0("mancala-worker")
            .arg("worker")
            .stdin(Stdio::from(OwnedFd::from(theirs)))
            .stdout(Stdio::from(open_null_device()?))
            // A group of its own: Ctrl-C is for the coordinator to hear.
            .process_group(0)
            .spawn()?;
        ours.set_nonblocking(true)?;
        Ok(WorkerProcess {
            child,
            socket: Some(ours),
            inbox: Inbox::default(),
            doing: Doing::Preparing,
        })
    }

    pub(super) fn pid(&self) -> Pid {
        Pid::from_child(&self.child)
    }

    /// What to wait on for its reports.
    pub(super) fn descriptor(&self) -> Option<BorrowedFd<'_>> {
        self.socket.as_ref().map(AsFd::as_fd)
    }

    /// Asks it for something. That it is gone is no error: it shows when it is read next.
    ///
    /// # Errors
    ///
    /// When the request cannot be put into words, or the system fails.
    pub(super) fn ask(&self, request: &Request) -> io::Result<()> {
        self.send(&wire::line(request)?, LEAVE_WAIT)
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

    /// Reads what it has sent. False when it is gone.
    pub(super) fn receive(&mut self) -> bool {
        let Some(socket) = &self.socket else { return false };
        self.inbox.fill(socket).unwrap_or(false)
    }

    /// Its next report that has arrived whole.
    pub(super) fn next(&mut self) -> io::Result<Option<Received>> {
        self.inbox.next()
    }

    /// Interrupts it, so that it gives up what it does.
    pub(super) fn interrupt(&self) {
        let _ = kill_process(self.pid(), Signal::TERM);
    }

    /// Wakes it, if somebody has stopped it: a bot may do that to whatever its user runs.
    pub(super) fn wake(&self) {
        let _ = kill_process(self.pid(), Signal::CONT);
    }
}

impl WorkerProcess {
    /// Tells all to leave before any is waited for, and ends those that do not.
    pub(super) fn stop_all(mut workers: Vec<WorkerProcess>) {
        for worker in &mut workers {
            worker.socket = None;
            worker.wake();
        }
        drop(workers);
    }
}

impl Drop for WorkerProcess {
    fn drop(&mut self) {
        // The end of the socket tells it to leave.
        self.socket = None;
        self.wake();
        if !matches!(self.child.wait_timeout(LEAVE_WAIT), Ok(Some(_))) {
            let _ = self.child.kill();
            let _ = self.child.wait_timeout(LEAVE_WAIT);
        }
    }
}

#[cfg(test)]
mod tests {
    use std::io::Read;

    use super::*;

    #[test]
    fn a_worker_that_takes_only_half_a_request_is_given_up() {
        let (ours, mut theirs) = UnixStream::pair().unwrap();
        let worker = WorkerProcess {
            child: Command::new("true").spawn().unwrap(),
            socket: Some(ours),
            inbox: Inbox::default(),
            doing: Doing::Nothing,
        };
        // Longer than what a socket holds that nobody reads.
        let line = vec![b'x'; 4 << 20];
        worker.send(&line, Duration::from_millis(20)).unwrap();
        let mut taken = Vec::new();
        theirs.read_to_end(&mut taken).unwrap();
        assert!(taken.len() < line.len());
        assert_eq!(theirs.write(b"x").unwrap_err().kind(), io::ErrorKind::BrokenPipe);
    }
}
