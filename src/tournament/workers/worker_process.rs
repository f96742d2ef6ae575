//! A worker as the coordinator has it: its process and its socket.

use std::io::{self, Write};
use std::net::Shutdown;
use std::os::fd::{AsFd, BorrowedFd, OwnedFd};
use std::os::unix::net::UnixStream;
use std::os::unix::process::CommandExt;
use std::process::{Child, Command, Stdio};
use std::time::Duration;

use rustix::process::{Pid, Signal, kill_process};
use wait_timeout::ChildExt;

use super::wire::ReportInbox;
use crate::bot::{explained, open_null_device, this_program};

/// The longest time that a worker may take to leave: its bots have a grace of their own, and its
/// wardens their bounds.
const LEAVE_WAIT: Duration = Duration::from_secs(8);

/// A worker's process. Dropping it ends it, and with it its bots.
#[derive(Debug)]
pub(super) struct WorkerProcess {
    child: Child,
    socket: Option<UnixStream>,
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
            // A group of its own: Ctrl-C is for the coordinator alone.
            .process_group(0)
            .spawn()?;
        ours.set_nonblocking(true)?;
        Ok(WorkerProcess { child, socket: Some(ours) })
    }

    pub(super) fn pid(&self) -> Pid {
        Pid::from_child(&self.child)
    }

    /// What to wait on for its reports.
    pub(super) fn descriptor(&self) -> Option<BorrowedFd<'_>> {
        self.socket.as_ref().map(AsFd::as_fd)
    }

    /// Sends it a line. A dead worker is detected at the next read.
    ///
    /// # Errors
    ///
    /// When the system fails.
    pub(super) fn send(&self, line: &[u8]) -> io::Result<()> {
        self.send_within(line, LEAVE_WAIT)
    }

    fn send_within(&self, line: &[u8], at_most: Duration) -> io::Result<()> {
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

    /// Reads what it has sent into `inbox`. False when it is gone.
    pub(super) fn receive(&self, inbox: &mut ReportInbox) -> bool {
        self.socket.as_ref().is_some_and(|socket| inbox.fill(socket).unwrap_or(false))
    }

    /// Interrupts it, so that it gives up what it does.
    pub(super) fn interrupt(&self) {
        let _ = kill_process(self.pid(), Signal::TERM);
    }

    /// Wakes it, in case a bot has stopped it: it may do that to any process of its user.
    pub(super) fn wake(&self) {
        let _ = kill_process(self.pid(), Signal::CONT);
    }

    /// Closes the sockets of all before any is waited for, and ends workers that do not leave.
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
        // It leaves when its socket ends.
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
    fn socket_is_shut_down_after_half_a_request() {
        let (ours, mut theirs) = UnixStream::pair().unwrap();
        let worker =
            WorkerProcess { child: Command::new("true").spawn().unwrap(), socket: Some(ours) };
        // Longer than the buffer of a socket.
        let line = vec![b'x'; 4 << 20];
        worker.send_within(&line, Duration::from_millis(20)).unwrap();
        let mut taken = Vec::new();
        theirs.read_to_end(&mut taken).unwrap();
        assert!(taken.len() < line.len());
        assert_eq!(theirs.write(b"x").unwrap_err().kind(), io::ErrorKind::BrokenPipe);
    }
}
