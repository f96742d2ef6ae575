//! A worker as the coordinator has it: its process, its socket, what it is doing.

use std::io;
use std::os::fd::{AsFd, BorrowedFd, OwnedFd};
use std::os::unix::net::UnixStream;
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::Duration;

use rustix::process::{Pid, Signal, kill_process};
use wait_timeout::ChildExt;

use super::schedule::Fixture;
use super::wire::{self, Inbox, Received, Request};

/// How long a worker that was told to stop may take: its bots have a grace of their own, and its
/// wardens their bounds.
const LEAVE_WAIT: Duration = Duration::from_secs(8);

/// What a worker does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Doing {
    /// It prepares itself.
    Preparing,
    /// Nothing.
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
    pub(super) fn start() -> io::Result<WorkerProcess> {
        let (ours, theirs) = UnixStream::pair()?;
        // On Linux a name for the program that runs, even if its file was replaced meanwhile.
        let itself = Path::new("/proc/self/exe");
        let program: PathBuf =
            if itself.exists() { itself.to_owned() } else { std::env::current_exe()? };
        let child = Command::new(program)
            .arg0("mancala-worker")
            .arg("worker")
            .stdin(Stdio::from(OwnedFd::from(theirs)))
            .stdout(Stdio::null())
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

    /// Its process number.
    pub(super) fn pid(&self) -> Pid {
        Pid::from_child(&self.child)
    }

    /// What to wait on for its reports.
    pub(super) fn descriptor(&self) -> Option<BorrowedFd<'_>> {
        self.socket.as_ref().map(AsFd::as_fd)
    }

    /// Asks it for something.
    pub(super) fn ask(&self, request: &Request) -> io::Result<()> {
        let socket = self.socket.as_ref().ok_or(io::ErrorKind::BrokenPipe)?;
        // Requests are few and small, but a plan may not fit the socket at once.
        socket.set_nonblocking(false)?;
        socket.set_write_timeout(Some(LEAVE_WAIT))?;
        let sent = wire::send(socket, request);
        socket.set_nonblocking(true)?;
        sent
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

    /// Has it give up what it does.
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
