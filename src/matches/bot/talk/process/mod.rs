//! One running bot: started below a warden, spoken to without waiting, and always ended.

mod ending;

use std::io::{self, PipeReader, PipeWriter, Write};
use std::os::fd::{AsFd, BorrowedFd};
use std::time::{Duration, Instant};

use rustix::fs::{OFlags, fcntl_getfl, fcntl_setfl};

use super::inbox::Inbox;
use super::tail::Tail;
use crate::bot::interrupt::Interrupt;
use crate::bot::system;
use crate::bot::warden::idle::stopped::StoppedProcesses;
use crate::bot::warden::wire::{BotStart, STREAMS};
use crate::bot::wardens::handle::ProcessHandle;
use crate::bot::wardens::{Warden, WardenError, Wardens, all_bots};
use crate::referee::StderrCopy;

pub(super) use ending::end_all;
pub use ending::{EXIT_GRACE, Finished};

/// How many more wardens are tried after the first one was killed, all but one while no bot runs.
const MORE_WARDENS: u32 = 5;

/// How long processes are waited for where the system has no more.
const ROOM_WAIT: Duration = Duration::from_secs(5);

/// The time between two attempts.
const ROOM_PAUSE: Duration = Duration::from_millis(50);

/// Most bytes that wait for a bot to read on; beyond its own pipe, which takes 64 KiB.
const MAX_UNSENT: usize = 64 * 1024;

/// A bot's process. Dropping it ends it and all its descendants.
pub(super) struct Process {
    pub handle: ProcessHandle,
    /// Whose child it is. None only while this is dropped.
    warden: Option<Warden>,
    wardens: Wardens,
    /// None when it was closed, by us or by the bot.
    pub stdin: Option<PipeWriter>,
    /// None after its end.
    pub stdout: Option<PipeReader>,
    /// None after its end.
    pub stderr: Option<PipeReader>,
    /// What the bot has written and the referee has not judged.
    pub inbox: Inbox,
    /// When its stdout was last known to have nothing; none once it was asked.
    pub seen_silent: Option<Instant>,
    outbox: Vec<u8>,
    tail: Tail,
}

/// The referee's ends of a bot's stdin, stdout and stderr. They do not block.
type OurEnds = (PipeWriter, PipeReader, PipeReader);

/// The bot's ends.
type TheirEnds = (PipeReader, PipeWriter, PipeWriter);

/// The three pipes of a bot.
fn pipes() -> io::Result<(OurEnds, TheirEnds)> {
    let (stdin, stdout, stderr) = (io::pipe()?, io::pipe()?, io::pipe()?);
    for ours in [stdin.1.as_fd(), stdout.0.as_fd(), stderr.0.as_fd()] {
        fcntl_setfl(ours, fcntl_getfl(ours)? | OFlags::NONBLOCK)?;
    }
    Ok(((stdin.1, stdout.0, stderr.0), (stdin.0, stdout.1, stderr.1)))
}

impl Process {
    /// Starts a program with three pipes, below a warden of its own. Where a copy of its stderr is
    /// wanted, it is passed on as it arrives.
    pub(super) fn start(
        wardens: &Wardens,
        start: &BotStart,
        copy: Option<StderrCopy>,
    ) -> Result<Process, WardenError> {
        let (ours, theirs) = pipes()?;
        let theirs = [theirs.0.as_fd(), theirs.1.as_fd(), theirs.2.as_fd()];
        let first = once_there_is_room(wardens, || {
            wardens.take().and_then(|warden| start_below(wardens, warden, start, theirs))
        });
        let (warden, handle) = match first {
            Err(WardenError::Lost(_)) => start_below_another(wardens, start, theirs)?,
            started => started?,
        };
        Ok(Process::of(handle, Some(warden), wardens.clone(), ours, copy))
    }

    /// A bot that runs at the other ends of these pipes.
    fn of(
        handle: ProcessHandle,
        warden: Option<Warden>,
        wardens: Wardens,
        (stdin, stdout, stderr): OurEnds,
        copy: Option<StderrCopy>,
    ) -> Process {
        Process {
            handle,
            warden,
            wardens,
            stdin: Some(stdin),
            stdout: Some(stdout),
            stderr: Some(stderr),
            inbox: Inbox::new(),
            seen_silent: None,
            outbox: Vec::new(),
            tail: Tail::copied_to(copy),
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

    /// What keeps it from using its opponent's time.
    pub(super) const fn warden(&mut self) -> Option<&mut Warden> {
        self.warden.as_mut()
    }

    /// Has it run, whether it was frozen or not. Returns whether that could be asked for.
    pub(super) fn wake(&mut self) -> bool {
        self.warden.as_mut().is_none_or(Warden::wake)
    }

    /// Freezes it until it is woken. Returns whether all of it is frozen.
    pub(super) fn rest(&mut self) -> bool {
        self.warden.as_mut().is_some_and(Warden::rest)
    }

    /// Whether more waits to be sent than a bot that reads can ever have left waiting.
    pub(super) fn is_clogged(&self) -> bool {
        self.outbox.len() > MAX_UNSENT
    }

    /// Writes what is still unsent, as far as the pipe takes it.
    pub(super) fn flush(&mut self) {
        let outbox = std::mem::take(&mut self.outbox);
        let unsent = self.write(&outbox);
        self.outbox = outbox;
        self.outbox.drain(..self.outbox.len() - unsent);
    }

    /// Writes `bytes` as far as the pipe takes them; returns how many are still to be sent.
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
        if let Some(stdout) = &mut self.stdout
            && !self.inbox.receive(stdout)
        {
            self.stdout = None;
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

    /// Hands on what the bot writes to stderr from now on, too.
    pub(super) fn copy_stderr_to(&mut self, copy: Option<StderrCopy>) {
        // What it has written so far belongs to the copy before.
        self.drain_stderr();
        self.tail.copy = copy;
    }
}

fn start_below(
    wardens: &Wardens,
    mut warden: Warden,
    start: &BotStart,
    streams: [BorrowedFd<'_>; STREAMS],
) -> Result<(Warden, ProcessHandle), WardenError> {
    match warden.start_bot(start, streams) {
        Ok(handle) => Ok((warden, handle)),
        Err(refusal) => {
            wardens.give_back(warden);
            Err(refusal)
        }
    }
}

/// Tries again, for a while, what fails because the system has no more processes: another match may
/// have a bot that takes them all, and is ended for it.
fn once_there_is_room<T>(
    wardens: &Wardens,
    attempt: impl Fn() -> Result<T, WardenError>,
) -> Result<T, WardenError> {
    let end = Instant::now() + ROOM_WAIT;
    loop {
        match attempt() {
            Err(error)
                if error.is_out_of_processes()
                    && Instant::now() < end
                    && !wardens.interrupt().is_some_and(Interrupt::is_raised) =>
            {
                std::thread::sleep(ROOM_PAUSE);
            }
            done => return done,
        }
    }
}

/// Starts a program below a fresh warden, after one was killed before it had started anything: not
/// the program's doing, which had not run yet. Where the fresh one is killed, too, it may be the
/// other bot's doing, for all that anybody knows, and neither bot's: the others run only when the
/// program does.
fn start_below_another(
    wardens: &Wardens,
    start: &BotStart,
    streams: [BorrowedFd<'_>; STREAMS],
) -> Result<(Warden, ProcessHandle), WardenError> {
    let kills = system::out_of_memory_kills();
    let mut lost = None;
    let mut others = StoppedProcesses::default();
    for _ in 0..MORE_WARDENS {
        let fresh = wardens.start_one();
        match fresh.and_then(|warden| start_below(wardens, warden, start, streams)) {
            Err(WardenError::Lost(error)) => lost = Some(error),
            started => return started,
        }
        let _ = others.stop(all_bots);
    }
    let why = if system::out_of_memory_kills() == kills {
        "some program that is no bot of this match kills the process that keeps the bots \
         (bot-warden) whenever it starts"
    } else {
        "the system has no memory left and killed the process that keeps the bot"
    };
    let error = lost.map(|error| format!(": {error}")).unwrap_or_default();
    Err(io::Error::other(format!("{why}{error}")).into())
}

impl Drop for Process {
    fn drop(&mut self) {
        if let Some(mut warden) = self.warden.take() {
            warden.end(&self.handle);
            self.handle.release();
            self.wardens.give_back(warden);
        }
    }
}

#[cfg(test)]
pub(in crate::bot) mod testing;

#[cfg(test)]
mod tests {
    use std::io::Write;

    use super::testing::bot;
    use crate::bot::testing::wait_until;

    #[test]
    fn what_the_pipe_does_not_take_is_sent_later_and_in_order() {
        let (mut process, mut own) = bot();
        let first = vec![b'1'; 100_000];
        process.send(&first);
        assert!(process.has_unsent() && !process.is_clogged());
        process.send(b"2\n");
        let reading = std::thread::spawn(move || own.reads_to_end());
        while process.has_unsent() {
            process.flush();
            std::thread::yield_now();
        }
        process.close_stdin();
        assert_eq!(reading.join().unwrap(), [&first[..], b"2\n"].concat());
    }

    #[test]
    fn a_bot_that_reads_nothing_is_sent_no_more_than_it_can_have_left() {
        let (mut process, own) = bot();
        // A pipe takes 64 KiB, and as much more may wait.
        process.send(&vec![b'x'; 3 * 64 * 1024]);
        assert!(process.is_clogged());
        let waiting = process.outbox.len();
        process.send(b"more\n");
        assert_eq!(process.outbox.len(), waiting);
        // It has gone: there is nothing to send to.
        drop(own.stdin);
        wait_until(|| {
            process.flush();
            process.stdin.is_none()
        });
        assert!(!process.has_unsent());
    }

    #[test]
    fn the_end_of_its_output_comes_after_all_of_it() {
        let (mut process, mut own) = bot();
        own.stdout.write_all(b"3\n").unwrap();
        own.stderr.write_all(b"one\ntwo\n").unwrap();
        drop((own.stdout, own.stderr));
        process.receive();
        assert!(process.stdout.is_some());
        assert_eq!(process.stderr_tail(), "one\ntwo\n");
        wait_until(|| {
            process.receive();
            process.drain_stderr();
            process.stdout.is_none() && process.stderr.is_none()
        });
        assert_eq!(process.inbox.bytes(), b"3\n");
        assert_eq!(process.stderr_tail(), "one\ntwo\n");
    }
}
