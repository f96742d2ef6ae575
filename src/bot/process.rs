//! One running bot: started below a warden, spoken to without waiting, and always ended.

use std::io::{self, PipeReader, PipeWriter, Write};
use std::os::fd::{AsFd, BorrowedFd};
use std::time::{Duration, Instant};

use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::fs::{OFlags, fcntl_getfl, fcntl_setfl};

use super::handle::ProcessHandle;
use super::inbox::{Inbox, MAX_LINE, Received};
use super::interrupt::Interrupt;
use super::tail::Tail;
use super::warden::wire::{STREAMS, Start};
use super::wardens::{Refusal, Warden, Wardens};
use super::{cause, system};
use crate::referee::{Cause, Ended, StderrCopy};

/// How long a bot may take to exit after its stdin was closed.
const EXIT_GRACE: Duration = Duration::from_millis(300);

/// How long after the end of its output a process may take to end, and still be said to have
/// exited rather than to have closed its stdout.
const STATUS_WAIT: Duration = Duration::from_millis(40);

/// So many wardens are tried after the first one was killed.
const MORE_WARDENS: u32 = 5;

/// Most bytes that wait for a bot to read on; beyond its own pipe, which takes 64 KiB.
const MAX_UNSENT: usize = 64 * 1024;

/// A bot's process. Dropping it ends it and all its descendants.
#[derive(Debug)]
pub(super) struct Process {
    handle: ProcessHandle,
    /// Whose child it is. None only while this is dropped.
    warden: Option<Warden>,
    wardens: Wardens,
    /// None when it was closed, by us or by the bot.
    pub(super) stdin: Option<PipeWriter>,
    /// None after its end.
    pub(super) stdout: Option<PipeReader>,
    /// None after its end.
    pub(super) stderr: Option<PipeReader>,
    /// What the bot has written and nobody has looked at.
    pub(super) inbox: Inbox,
    /// When its stdout was last known to have nothing; none once it was asked.
    pub(super) seen_silent: Option<Instant>,
    outbox: Vec<u8>,
    tail: Tail,
}

/// How a bot took the end of its input.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Finished {
    /// How its process ended by itself; none when it had to be killed.
    pub how: Option<Ended>,
    /// How long after its stdin was closed that was.
    pub after: Duration,
    /// What it wrote to stdout and nobody had read, its first 64 KiB.
    pub stdout: Vec<u8>,
    /// The end of what it wrote to stderr.
    pub stderr: String,
}

impl Process {
    /// Starts a program with three pipes, below a warden of its own. Where a copy of its stderr is
    /// wanted, it is handed on as it arrives.
    pub(super) fn start(
        wardens: &Wardens,
        start: &Start,
        copy: Option<StderrCopy>,
    ) -> Result<Process, Refusal> {
        let pipes = || -> io::Result<_> { Ok((io::pipe()?, io::pipe()?, io::pipe()?)) };
        let (stdin, stdout, stderr) = pipes().map_err(Refusal::Warden)?;
        for ours in [stdin.1.as_fd(), stdout.0.as_fd(), stderr.0.as_fd()] {
            let flags = fcntl_getfl(ours).map(|flags| flags | OFlags::NONBLOCK);
            let set = flags.and_then(|flags| fcntl_setfl(ours, flags));
            set.map_err(|error| Refusal::Warden(error.into()))?;
        }
        let theirs = [stdin.0.as_fd(), stdout.1.as_fd(), stderr.1.as_fd()];
        let (warden, handle) = match start_below(wardens, wardens.take()?, start, theirs) {
            Err(Refusal::WardenLost(_)) => start_below_another(wardens, start, theirs)?,
            started => started?,
        };
        Ok(Process {
            handle,
            warden: Some(warden),
            wardens: wardens.clone(),
            stdin: Some(stdin.1),
            stdout: Some(stdout.0),
            stderr: Some(stderr.0),
            inbox: Inbox::new(),
            seen_silent: None,
            outbox: Vec::new(),
            tail: Tail::copied_to(copy),
        })
    }

    /// A bot that the test plays itself, through the other ends of these pipes. It never ends.
    #[cfg(test)]
    pub(super) fn played_by_a_test(
        stdin: PipeWriter,
        stdout: PipeReader,
        stderr: PipeReader,
    ) -> Process {
        for ours in [stdin.as_fd(), stdout.as_fd(), stderr.as_fd()] {
            let flags = fcntl_getfl(ours).unwrap() | OFlags::NONBLOCK;
            fcntl_setfl(ours, flags).unwrap();
        }
        Process {
            handle: ProcessHandle::hold(rustix::process::getpid()),
            warden: None,
            wardens: Wardens::of_nobody(),
            stdin: Some(stdin),
            stdout: Some(stdout),
            stderr: Some(stderr),
            inbox: Inbox::new(),
            seen_silent: None,
            outbox: Vec::new(),
            tail: Tail::copied_to(None),
        }
    }

    /// Sends a line as far as the pipe takes it; the rest waits for the next
    /// [`flush`](Process::flush).
    pub(super) fn send(&mut self, line: &[u8]) {
        if self.has_unsent() {
            if !self.is_clogged() {
                self.outbox.extend_from_slice(line);
                self.flush();
            }
            return;
        }
        let unsent = self.write(line);
        self.outbox.extend_from_slice(&line[line.len() - unsent..]);
    }

    /// Its opponent thinks for a while: it may be frozen from now on if it thinks, too.
    pub(super) fn may_freeze(&mut self) {
        if let Some(warden) = &mut self.warden {
            warden.may_freeze();
        }
    }

    /// Its opponent is about to think: it is frozen if it has used such time before.
    pub(super) fn freeze_known_ponderer(&mut self) {
        if let Some(warden) = &mut self.warden {
            warden.freeze_known_ponderer();
        }
    }

    /// Has it run, whether it was frozen or not.
    pub(super) fn wake(&mut self) {
        if let Some(warden) = &mut self.warden {
            warden.wake();
        }
    }

    /// Whether more waits to be sent than a bot that reads can ever have left waiting.
    pub(super) fn is_clogged(&self) -> bool {
        self.outbox.len() > MAX_UNSENT
    }

    /// Writes what waits, as far as the pipe takes it.
    pub(super) fn flush(&mut self) {
        let outbox = std::mem::take(&mut self.outbox);
        let unsent = self.write(&outbox);
        self.outbox = outbox;
        self.outbox.drain(..self.outbox.len() - unsent);
    }

    /// Writes these bytes as far as the pipe takes them; returns how many are still to be sent.
    fn write(&mut self, mut bytes: &[u8]) -> usize {
        while let Some(stdin) = self.stdin.as_mut().filter(|_| !bytes.is_empty()) {
            match stdin.write(bytes) {
                Ok(count) => bytes = &bytes[count..],
                Err(error) if error.kind() == io::ErrorKind::WouldBlock => return bytes.len(),
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                // The bot has closed its stdin. What it wrote before still counts, so this shows
                // only when it does not answer.
                Err(_) => self.stdin = None,
            }
        }
        0
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

    /// How the process ended, or that it only closed its stdout, and what the system had against
    /// it. Waits a moment for the former.
    pub(super) fn how_it_left(&mut self) -> (Ended, Option<Cause>) {
        wait_for_ends(&mut [&mut *self], Instant::now() + STATUS_WAIT);
        let warden = self.warden.as_mut();
        let Some(left) = warden.and_then(|warden| warden.how_it_left(&self.handle)) else {
            return (Ended::ClosedStdout, None);
        };
        let how = match (left.code, left.signal) {
            (Some(code), _) => Ended::Code(code),
            (None, Some(signal)) => Ended::Signal(signal),
            (None, None) => Ended::ClosedStdout,
        };
        let stderr = self.stderr_tail();
        (how, cause::of(&left, self.wardens.restraints(), &stderr))
    }

    /// Readable when the process has ended; none where the kernel has no such thing.
    pub(super) fn ended(&self) -> Option<BorrowedFd<'_>> {
        self.handle.ended()
    }

    /// Whether the process has ended. It is not reaped before it is dropped.
    fn has_ended(&mut self) -> bool {
        let Some(ended) = self.handle.ended() else {
            let warden = self.warden.as_mut();
            return warden.is_none_or(|warden| warden.how_it_left(&self.handle).is_some());
        };
        let mut watched = [PollFd::from_borrowed_fd(ended, PollFlags::IN)];
        poll(&mut watched, Some(&Timespec::default())).is_ok_and(|ready| ready > 0)
    }

    /// Whether the process, for so long, runs on, takes what it was sent, and writes nothing more.
    pub(super) fn stays_quiet(&mut self, patience: Duration) -> bool {
        let until = Instant::now() + patience;
        self.wake();
        loop {
            self.flush();
            self.drain_stderr();
            self.receive();
            let is_open = self.stdin.is_some() && self.stdout.is_some() && !self.has_ended();
            if !is_open || self.has_unsent() || !self.inbox.bytes().is_empty() {
                return false;
            }
            let left = until.saturating_duration_since(Instant::now());
            if left.is_zero() {
                return true;
            }
            let interrupt = self.wardens.interrupt().map(AsFd::as_fd);
            if self.wait_for_output_or_end(left, interrupt) {
                return false;
            }
        }
    }

    /// Hands on what the bot writes to stderr from now on, too.
    pub(super) fn copy_stderr_to(&mut self, copy: Option<StderrCopy>) {
        // What it wrote by now belongs to whoever heard it until now.
        self.drain_stderr();
        self.tail.copy_to(copy);
    }

    /// Closes the bot's stdin, which tells it to exit.
    pub(super) fn close_stdin(&mut self) {
        self.wake();
        self.flush();
        self.stdin = None;
    }

    /// Closes the bot's stdin and waits at most `grace` for its end, or until the interrupt is
    /// raised. Meanwhile its output is read, and the first [`MAX_LINE`] bytes of it are kept.
    pub(super) fn finish(
        &mut self,
        grace: Duration,
        interrupt: Option<BorrowedFd<'_>>,
    ) -> Finished {
        self.close_stdin();
        let began = Instant::now();
        let mut stdout = Vec::new();
        let left = self.wait_for_end(grace, interrupt, &mut stdout);
        let how = left.map(|(how, _)| how);
        Finished { how, after: began.elapsed(), stdout, stderr: self.stderr_tail() }
    }

    /// Waits at most so long for the process to end, or until the interrupt is raised; says how it
    /// ended. Meanwhile its output is read, and the first [`MAX_LINE`] bytes of it are kept.
    pub(super) fn wait_for_end(
        &mut self,
        at_most: Duration,
        interrupt: Option<BorrowedFd<'_>>,
        stdout: &mut Vec<u8>,
    ) -> Option<(Ended, Option<Cause>)> {
        let began = Instant::now();
        loop {
            let how = self.has_ended().then(|| self.how_it_left());
            let left = at_most.saturating_sub(began.elapsed());
            // After the look at its end: what a bot wrote before it ended is then all there.
            self.receive_into(stdout);
            self.drain_stderr();
            if how.is_some() || left.is_zero() {
                return how;
            }
            if self.wait_for_output_or_end(left, interrupt) {
                return None;
            }
        }
    }

    /// Waits until there may be output or an end to see, or the time is over. Whether the
    /// interrupt is raised.
    fn wait_for_output_or_end(&self, at_most: Duration, interrupt: Option<BorrowedFd<'_>>) -> bool {
        // The interrupt first, so that it is known by its place.
        let sources = [
            interrupt,
            self.stdout.as_ref().map(AsFd::as_fd),
            self.stderr.as_ref().map(AsFd::as_fd),
            self.handle.ended(),
        ];
        let mut watched: Vec<PollFd<'_>> = sources
            .into_iter()
            .flatten()
            .map(|descriptor| PollFd::from_borrowed_fd(descriptor, PollFlags::IN))
            .collect();
        // Where no descriptor tells of an end, it is looked for again and again.
        let silent = self.handle.ended().is_none();
        let at_most = if silent { at_most.min(Duration::from_millis(1)) } else { at_most };
        // Interrupted by a signal or not, the caller looks again.
        let _ = poll(&mut watched, Timespec::try_from(at_most).ok().as_ref());
        interrupt.is_some() && watched.first().is_some_and(|it| !it.revents().is_empty())
    }

    /// Reads what stdout has and keeps its beginning; a flood is not waited for.
    fn receive_into(&mut self, kept: &mut Vec<u8>) {
        for _ in 0..8 {
            self.receive();
            let bytes = self.inbox.take_all();
            let room = MAX_LINE.saturating_sub(kept.len());
            kept.extend_from_slice(&bytes[..bytes.len().min(room)]);
            if bytes.is_empty() {
                return;
            }
        }
    }
}

fn start_below(
    wardens: &Wardens,
    mut warden: Warden,
    start: &Start,
    streams: [BorrowedFd<'_>; STREAMS],
) -> Result<(Warden, ProcessHandle), Refusal> {
    match warden.start(start, streams) {
        Ok(handle) => Ok((warden, handle)),
        Err(refusal) => {
            wardens.give_back(warden);
            Err(refusal)
        }
    }
}

/// Starts a program below a fresh warden, after one was killed before it had started anything: not
/// the program's doing, which had not run yet. Whoever did it may do so again a few times.
fn start_below_another(
    wardens: &Wardens,
    start: &Start,
    streams: [BorrowedFd<'_>; STREAMS],
) -> Result<(Warden, ProcessHandle), Refusal> {
    let kills = system::out_of_memory_kills();
    let mut lost = None;
    for _ in 0..MORE_WARDENS {
        match start_below(wardens, wardens.take_fresh()?, start, streams) {
            Err(Refusal::WardenLost(error)) => lost = Some(error),
            started => return started,
        }
    }
    let why = if system::out_of_memory_kills() == kills {
        "some program kills what keeps the bots (bot-warden) whenever it starts"
    } else {
        "the system has no memory left and killed what keeps the bot"
    };
    let error = lost.map(|error| format!(": {error}")).unwrap_or_default();
    Err(Refusal::Warden(io::Error::other(format!("{why}{error}"))))
}

impl Drop for Process {
    fn drop(&mut self) {
        if let Some(mut warden) = self.warden.take() {
            warden.end(&self.handle);
            self.handle.let_go();
            self.wardens.give_back(warden);
        }
    }
}

/// Closes the stdin of all, gives all the same short grace to exit by themselves, and ends them.
pub(super) fn end_all(mut processes: Vec<Process>) {
    processes.iter_mut().for_each(Process::close_stdin);
    let mut running: Vec<&mut Process> = processes.iter_mut().collect();
    wait_for_ends(&mut running, Instant::now() + EXIT_GRACE);
    // Dropping ends them.
}

/// Waits for all of these to end, without reaping them, unless the user interrupts. Meanwhile their stderr is drained.
fn wait_for_ends(processes: &mut [&mut Process], until: Instant) {
    loop {
        let mut running: Vec<&mut Process> = Vec::with_capacity(processes.len());
        for process in &mut *processes {
            process.drain_stderr();
            if !process.has_ended() {
                running.push(process);
            }
        }
        let left = until.saturating_duration_since(Instant::now());
        let interrupt = running.iter().find_map(|process| process.wardens.interrupt());
        if running.is_empty() || left.is_zero() || interrupt.is_some_and(Interrupt::is_raised) {
            return;
        }
        // Where no descriptor tells of an end, it is looked for again and again.
        let silent = running.iter().any(|process| process.handle.ended().is_none());
        let at_most = if silent { left.min(Duration::from_millis(1)) } else { left };
        let mut watched: Vec<PollFd<'_>> = running
            .iter()
            .flat_map(|p| [p.handle.ended(), p.stderr.as_ref().map(AsFd::as_fd)])
            .chain([interrupt.map(AsFd::as_fd)])
            .flatten()
            .map(|descriptor| PollFd::from_borrowed_fd(descriptor, PollFlags::IN))
            .collect();
        // Interrupted or not, the loop looks again.
        let _ = poll(&mut watched, Timespec::try_from(at_most).ok().as_ref());
    }
}
