//! One running bot: started in a group of its own, spoken to without waiting, and always ended.

use std::io::{self, Write};
use std::os::fd::{AsFd, OwnedFd};
use std::os::unix::process::CommandExt;
use std::process::{Child, ChildStderr, ChildStdin, ChildStdout, Command, Stdio};
use std::time::{Duration, Instant};

use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::fs::{OFlags, fcntl_getfl, fcntl_setfl};
use rustix::process::{Pid, Signal, kill_process_group};
use wait_timeout::ChildExt;

use super::inbox::{Inbox, Received};
use super::orphans::{self, Mark};
use super::system;
use super::tail::Tail;
use crate::referee::Ended;

/// How long a bot may take to exit after its stdin was closed.
const EXIT_GRACE: Duration = Duration::from_millis(300);

/// How long a killed process may take to go. One that hangs in the kernel is left behind.
const KILL_WAIT: Duration = Duration::from_secs(1);

/// How long after the end of its output a process may take to end, and still be said to have
/// exited rather than to have closed its stdout.
const STATUS_WAIT: Duration = Duration::from_millis(40);

/// Most bytes that wait for a bot to read on; beyond its own pipe, which takes 64 KiB.
const MAX_UNSENT: usize = 64 * 1024;

/// A bot's process. Dropping it kills its group and reaps it.
#[derive(Debug)]
pub(super) struct Process {
    child: Child,
    pid: Pid,
    mark: Mark,
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
        let mark = Mark::new();
        let mut register = orphans::register();
        let mut child = Command::new(&words[0])
            .args(&words[1..])
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .process_group(0)
            .env(Mark::VARIABLE, mark.value())
            .spawn()?;
        let pid = Pid::from_child(&child);
        register.enter(mark, pid);
        drop(register);
        let process = Process {
            pid,
            mark,
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
            process.stdin.as_ref().map(AsFd::as_fd),
            process.stdout.as_ref().map(AsFd::as_fd),
            process.stderr.as_ref().map(AsFd::as_fd),
        ];
        for descriptor in descriptors.into_iter().flatten() {
            fcntl_setfl(descriptor, fcntl_getfl(descriptor)? | OFlags::NONBLOCK)?;
        }
        Ok(process)
    }

    /// Sends a line as far as the pipe takes it; the rest waits for the next
    /// [`flush`](Process::flush).
    pub(super) fn send(&mut self, line: &[u8]) {
        if self.stdin.is_some() && !self.is_clogged() {
            self.outbox.extend_from_slice(line);
            self.flush();
        }
    }

    /// Whether more waits to be sent than a bot that reads can ever have left waiting.
    pub(super) fn is_clogged(&self) -> bool {
        self.outbox.len() > MAX_UNSENT
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
                Err(_) => {
                    self.stdin = None;
                    self.outbox.clear();
                }
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
    pub(super) fn how_it_left(&mut self) -> Ended {
        wait_for_ends(&mut [&mut *self], Instant::now() + STATUS_WAIT);
        system::how_it_ended(self.pid).unwrap_or(Ended::ClosedStdout)
    }

    /// Closes the bot's stdin, which tells it to exit.
    pub(super) fn close_stdin(&mut self) {
        self.flush();
        self.stdin = None;
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
        orphans::register().strike_out_and_sweep(self.mark);
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        self.kill();
    }
}

/// Closes the stdin of all, gives all the same short grace to exit by themselves, and ends them.
pub(super) fn end_all(mut processes: Vec<Process>) {
    processes.iter_mut().for_each(Process::close_stdin);
    let mut running: Vec<&mut Process> = processes.iter_mut().collect();
    wait_for_ends(&mut running, Instant::now() + EXIT_GRACE);
    // Dropping ends them.
}

/// Waits for all of these to end, without reaping them. Meanwhile their stderr is drained.
fn wait_for_ends(processes: &mut [&mut Process], until: Instant) {
    loop {
        for process in &mut *processes {
            process.drain_stderr();
        }
        let running = processes.iter().filter(|p| system::how_it_ended(p.pid).is_none());
        let mut watched: Vec<PollFd<'_>> = running
            .clone()
            .flat_map(|p| [p.ended.as_ref().map(AsFd::as_fd), p.stderr.as_ref().map(AsFd::as_fd)])
            .flatten()
            .map(|descriptor| PollFd::from_borrowed_fd(descriptor, PollFlags::IN))
            .collect();
        let left = until.saturating_duration_since(Instant::now());
        if running.clone().next().is_none() || left.is_zero() {
            return;
        }
        // Where no descriptor tells of an end, it is looked for again and again.
        let silent = running.clone().any(|process| process.ended.is_none());
        let at_most = if silent { left.min(Duration::from_millis(1)) } else { left };
        // Interrupted or not, the loop looks again.
        let _ = poll(&mut watched, Timespec::try_from(at_most).ok().as_ref());
    }
}
