//! One running bot: started in a group of its own, spoken to without waiting, and always ended.

use std::io::{self, Write};
use std::os::fd::OwnedFd;
use std::os::unix::process::CommandExt;
use std::process::{Child, ChildStderr, ChildStdin, ChildStdout, Command, Stdio};
use std::time::{Duration, Instant};

use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::fs::{OFlags, fcntl_getfl, fcntl_setfl};
use rustix::process::{Pid, Signal, kill_process_group};
use wait_timeout::ChildExt;

use super::inbox::{Inbox, Received};
use super::tail::Tail;
use super::{orphans, system};
use crate::referee::Ended;

/// How long a bot may take to exit after its stdin was closed.
const EXIT_GRACE: Duration = Duration::from_millis(300);

/// How long a killed process may take to go. One that hangs in the kernel is left behind.
const KILL_WAIT: Duration = Duration::from_secs(1);

/// How long after the end of its output a process may take to end, and still be said to have
/// exited rather than to have closed its stdout.
const STATUS_WAIT: Duration = Duration::from_millis(40);

/// A bot's process. Dropping it kills its group and reaps it.
#[derive(Debug)]
pub(super) struct Process {
    child: Child,
    pid: Pid,
    /// Readable when the process has ended.
    pub(super) ended: Option<OwnedFd>,
    /// None when it was closed, by us or by the bot.
    pub(super) stdin: Option<ChildStdin>,
    /// None after its end.
    pub(super) stdout: Option<ChildStdout>,
    /// None after its end.
    pub(super) stderr: Option<ChildStderr>,
    /// What the bot has written and nobody has looked at.
    pub(super) inbox: Inbox,
    outbox: Vec<u8>,
    tail: Tail,
    reaped: bool,
}

impl Process {
    /// Starts a program with three pipes, in a process group of its own. `words` is not empty.
    pub(super) fn start(words: &[String]) -> io::Result<Process> {
        system::watch_children()?;
        let mut register = orphans::register();
        let mut child = Command::new(&words[0])
            .args(&words[1..])
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .process_group(0)
            .spawn()?;
        let pid = Pid::from_child(&child);
        register.enter(pid);
        drop(register);
        let process = Process {
            pid,
            ended: system::end_descriptor(pid),
            stdin: child.stdin.take(),
            stdout: child.stdout.take(),
            stderr: child.stderr.take(),
            child,
            inbox: Inbox::new(),
            outbox: Vec::new(),
            tail: Tail::default(),
            reaped: false,
        };
        let descriptors = [
            process.stdin.as_ref().map(std::os::fd::AsFd::as_fd),
            process.stdout.as_ref().map(std::os::fd::AsFd::as_fd),
            process.stderr.as_ref().map(std::os::fd::AsFd::as_fd),
        ];
        for descriptor in descriptors.into_iter().flatten() {
            fcntl_setfl(descriptor, fcntl_getfl(descriptor)? | OFlags::NONBLOCK)?;
        }
        Ok(process)
    }

    /// Sends a line as far as the pipe takes it; the rest waits for the next
    /// [`flush`](Process::flush).
    pub(super) fn send(&mut self, line: &[u8]) {
        self.outbox.extend_from_slice(line);
        self.flush();
    }

    /// Writes what waits, as far as the pipe takes it.
    pub(super) fn flush(&mut self) {
        while let Some(stdin) = self.stdin.as_mut().filter(|_| !self.outbox.is_empty()) {
            match stdin.write(&self.outbox) {
                Ok(count) => {
                    self.outbox.drain(..count);
                }
                Err(error) if error.kind() == io::ErrorKind::WouldBlock => return,
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                // The bot has closed its stdin. What it wrote before still counts, so this shows
                // only when it does not answer.
                Err(_) => self.stdin = None,
            }
        }
    }

    /// Whether some of what was sent has not reached the bot's pipe.
    pub(super) fn has_unsent(&self) -> bool {
        !self.outbox.is_empty()
    }

    /// Reads what stdout has, without waiting.
    pub(super) fn receive(&mut self) {
        if let Some(stdout) = &mut self.stdout {
            match self.inbox.receive(stdout) {
                Ok(Received::Some | Received::Nothing) => {}
                Ok(Received::End) | Err(_) => self.stdout = None,
            }
        }
    }

    /// Reads some of what stderr has, without waiting.
    pub(super) fn drain_stderr(&mut self) {
        if let Some(stderr) = &mut self.stderr
            && !self.tail.receive(stderr)
        {
            self.stderr = None;
        }
    }

    /// The end of what the bot has written to stderr until now.
    pub(super) fn stderr_tail(&mut self) -> String {
        // A pipe holds 64 KiB, which is read in a few pieces; a flood is not waited for.
        for _ in 0..8 {
            self.drain_stderr();
        }
        self.tail.text()
    }

    /// How the process ended, or that it only closed its stdout. Waits a moment for the former.
    pub(super) fn how_it_left(&self) -> Ended {
        self.wait_for_end(Instant::now() + STATUS_WAIT);
        system::how_it_ended(self.pid).unwrap_or(Ended::ClosedStdout)
    }

    /// Waits for the process to end, without reaping it.
    fn wait_for_end(&self, until: Instant) {
        while system::how_it_ended(self.pid).is_none() {
            let left = until.saturating_duration_since(Instant::now());
            if left.is_zero() {
                return;
            }
            match &self.ended {
                Some(ended) => {
                    let mut watched = [PollFd::new(ended, PollFlags::IN)];
                    // Interrupted or not, the loop looks again.
                    let _ = poll(&mut watched, Timespec::try_from(left).ok().as_ref());
                }
                None => std::thread::sleep(left.min(Duration::from_millis(1))),
            }
        }
    }

    /// Closes the bot's stdin, which tells it to exit.
    pub(super) fn close_stdin(&mut self) {
        self.flush();
        self.stdin = None;
    }

    /// Waits a short grace, from `closed` on, for the bot to exit by itself, then ends it.
    pub(super) fn end(mut self, closed: Instant) {
        self.wait_for_end(closed + EXIT_GRACE);
        self.kill();
    }

    /// Ends the whole group, reaps the bot, and ends what has left the group.
    fn kill(&mut self) {
        if self.reaped {
            return;
        }
        self.reaped = true;
        // The bot is not reaped yet, alive or a zombie, so its group's number is still its own.
        let _ = kill_process_group(self.pid, Signal::KILL);
        // A bot can leave its group for another one of the session.
        let _ = self.child.kill();
        let _ = self.child.wait_timeout(KILL_WAIT);
        orphans::register().strike_out_and_sweep(self.pid);
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        self.kill();
    }
}
