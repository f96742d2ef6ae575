//! Ends a bot's process: waits, kills it after the grace time, and says how it ended.

use std::io;
use std::os::fd::AsFd;
use std::time::{Duration, Instant};

use rustix::event::{PollFd, PollFlags, Timespec, poll};

use super::Process;
use crate::bot::interrupt::Interrupt;
use crate::bot::system::{self, input, wait_for};
use crate::bot::talk::cause;
use crate::bot::talk::inbox::MAX_LINE;
use crate::bot::wardens::Warden;
use crate::protocol::Cause;
use crate::referee::{Ended, Trouble};

/// How long a bot may take to exit after its stdin was closed.
pub const EXIT_GRACE: Duration = Duration::from_millis(300);

/// How often a process that is to finish is looked at.
const BETWEEN_LOOKS: Duration = Duration::from_millis(20);

/// How long after the end of its output a process may take to end, and still be said to have
/// exited rather than to have closed its stdout.
const STATUS_WAIT: Duration = Duration::from_millis(200);

/// How long a bot may take, after a match, to read how that ended.
const READ_WAIT: Duration = Duration::from_millis(10);

/// How long the processor is left to a bot until it is asked whether it has read all.
const BETWEEN_READS: Duration = Duration::from_micros(50);

/// How a bot took the end of its input.
#[derive(Clone, PartialEq)]
pub struct Finished {
    /// How its process ended by itself; none when it had to be killed.
    pub how: Option<Ended>,
    /// What the system had against it, where that is known.
    pub cause: Option<Box<Cause>>,
    /// How long after its stdin was closed that was.
    pub after: Duration,
    /// What it wrote to stdout and nobody had read, its first 64 KiB.
    pub stdout: Vec<u8>,
    /// The end of what it wrote to stderr.
    pub stderr: String,
    /// Whether what kept it in the sandbox was there to the end, as far as that was asked.
    pub(crate) was_kept: bool,
}

impl Finished {
    /// [`Process::is_still_kept`], at its end.
    ///
    /// # Errors
    ///
    /// If not, which is not its fault.
    pub fn is_its_own_end(&self) -> Result<(), Trouble> {
        if self.was_kept { Ok(()) } else { Err(lost()) }
    }
}

/// In the sandbox a bot cannot kill what keeps it.
fn lost() -> Trouble {
    let why = "the process that keeps it in the sandbox was killed";
    Trouble::System(io::Error::other(why))
}

impl Process {
    /// How the process ended, or that it only closed its stdout, and what the system had against
    /// it. Waits a moment for the former.
    pub(crate) fn process_end(&mut self) -> (Ended, Option<Box<Cause>>) {
        wait_for_ends(&mut [&mut *self], Instant::now() + STATUS_WAIT);
        let warden = self.warden.as_mut();
        let Some(left) = warden.and_then(|warden| warden.process_end(&self.handle)) else {
            return (Ended::ClosedStdout, None);
        };
        let how = match (left.code, left.signal) {
            (Some(code), _) => Ended::Code(code),
            (None, Some(signal)) => Ended::Signal(signal),
            (None, None) => Ended::ClosedStdout,
        };
        let stderr = self.stderr_tail();
        (how, cause::of(&left, self.wardens.restraints(), &stderr).map(Box::new))
    }

    /// Whether something still keeps it in the sandbox, as far as that was asked.
    ///
    /// # Errors
    ///
    /// If not, which is not its fault.
    pub(crate) fn is_still_kept(&self) -> Result<(), Trouble> {
        if self.warden.as_ref().is_some_and(Warden::has_lost_bot) {
            return Err(lost());
        }
        Ok(())
    }

    /// Whether the process has ended. It is not reaped before it is dropped.
    fn has_ended(&self) -> bool {
        system::is_readable(&self.handle)
    }

    /// The processor time that its first process has used.
    pub(crate) fn processor_time(&self) -> Duration {
        self.handle.processor_time()
    }

    /// Whether the process, for so long, runs on, takes what it was sent, and writes nothing more.
    pub(crate) fn stays_quiet(&mut self, patience: Duration) -> bool {
        let until = Instant::now() + patience;
        if !self.wake() {
            return false;
        }
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
            if self.wait_for_output_or_end(left) {
                return false;
            }
        }
    }

    /// Waits a moment for the process to read what it was sent and to wait for more, or to end.
    /// Returns whether it came to that.
    pub(crate) fn reads_all(&mut self) -> bool {
        let until = Instant::now() + READ_WAIT;
        self.wake();
        loop {
            self.flush();
            self.drain_stderr();
            let unread = |pipe| rustix::io::ioctl_fionread(pipe).is_ok_and(|bytes| bytes > 0);
            let reads = !self.has_unsent() && !self.stdin.as_ref().is_some_and(unread);
            if reads && !self.handle.wants_the_processor() || self.has_ended() {
                return true;
            }
            if Instant::now() > until {
                return false;
            }
            std::thread::sleep(BETWEEN_READS);
        }
    }

    /// Closes the bot's stdin, which tells it to exit.
    pub(crate) fn close_stdin(&mut self) {
        self.wake();
        self.flush();
        self.stdin = None;
    }

    /// Closes the bot's stdin and waits at most `grace` for its end, or until the user interrupts;
    /// looks now and then whether it `goes_on`, if that is given. Meanwhile its output is read,
    /// and the first [`MAX_LINE`] bytes of it are kept.
    pub(crate) fn finish(
        &mut self,
        grace: Duration,
        mut goes_on: Option<&mut dyn FnMut() -> bool>,
    ) -> Finished {
        self.close_stdin();
        let step = if goes_on.is_some() { BETWEEN_LOOKS } else { grace };
        let began = Instant::now();
        let mut stdout = Vec::new();
        let left = loop {
            let rest = grace.saturating_sub(began.elapsed());
            let left = self.wait_for_end(rest.min(step), &mut stdout);
            if left.is_some() || rest.is_zero() || !goes_on.as_mut().is_some_and(|it| it()) {
                break left;
            }
        };
        let (how, cause) = left.unzip();
        let cause = cause.flatten();
        let (stderr, was_kept) = (self.stderr_tail(), self.is_still_kept().is_ok());
        Finished { how, cause, after: began.elapsed(), stdout, stderr, was_kept }
    }

    /// Waits at most so long for the process to end, or until the user interrupts; says how it
    /// ended. Meanwhile its output is read, and the first [`MAX_LINE`] bytes of it are kept.
    pub(crate) fn wait_for_end(
        &mut self,
        at_most: Duration,
        stdout: &mut Vec<u8>,
    ) -> Option<(Ended, Option<Box<Cause>>)> {
        let began = Instant::now();
        loop {
            let how = self.has_ended().then(|| self.process_end());
            let left = at_most.saturating_sub(began.elapsed());
            // After the look at its end: what a bot wrote before it ended is then all there.
            self.receive_into(stdout);
            self.drain_stderr();
            if how.is_some() || left.is_zero() {
                return how;
            }
            if self.wait_for_output_or_end(left) {
                return None;
            }
        }
    }

    /// Waits until there may be output or an end to see, or the time is over. Whether the
    /// user interrupts.
    fn wait_for_output_or_end(&self, at_most: Duration) -> bool {
        let sources = [
            self.wardens.interrupt().map(input),
            self.stdout.as_ref().map(input),
            self.stderr.as_ref().map(input),
            Some(input(&self.handle)),
        ];
        // Interrupted by a signal or not, the caller looks again.
        wait_for(sources, at_most).is_ok_and(|[interrupted, ..]| interrupted)
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

/// Closes the stdin of all, gives all the same short grace to exit by themselves, and ends them.
pub(crate) fn end_all(mut processes: Vec<Process>) {
    processes.iter_mut().for_each(Process::close_stdin);
    let mut running: Vec<&mut Process> = processes.iter_mut().collect();
    wait_for_ends(&mut running, Instant::now() + EXIT_GRACE);
    // Dropping ends them.
}

/// Waits for all of these to end, without reaping them, unless the user interrupts. Meanwhile their
/// stderr is drained.
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
        let mut watched: Vec<PollFd<'_>> = running
            .iter()
            .flat_map(|p| [Some(p.handle.as_fd()), p.stderr.as_ref().map(AsFd::as_fd)])
            .chain([interrupt.map(AsFd::as_fd)])
            .flatten()
            .map(|descriptor| PollFd::from_borrowed_fd(descriptor, PollFlags::IN))
            .collect();
        // Interrupted or not, the loop looks again.
        let _ = poll(&mut watched, Timespec::try_from(left).ok().as_ref());
    }
}

#[cfg(test)]
mod tests {
    use std::io::Write;

    use super::super::testing::bot;
    use super::*;
    use crate::bot::wardens::Wardens;

    /// Longer than any of this takes, even where the machine has other things to do.
    const LONG: Duration = Duration::from_mins(1);

    #[test]
    fn what_a_bot_writes_at_the_end_of_its_input_is_kept_as_far_as_there_is_room() {
        let (mut process, mut own) = bot();
        own.stdout.write_all(b"bye\n").unwrap();
        own.stderr.write_all(b"warning\n").unwrap();
        let finished = process.finish(Duration::ZERO, None);
        assert_eq!(
            (finished.how, &*finished.stdout, &*finished.stderr),
            (None, &b"bye\n"[..], "warning\n")
        );
        assert_eq!(own.reads_to_end(), b"");

        let (mut process, mut own) = bot();
        let writing =
            std::thread::spawn(move || while own.stdout.write_all(&[b'x'; 4096]).is_ok() {});
        let finished = process.finish(Duration::from_millis(50), None);
        assert!(finished.how.is_none() && finished.stdout.len() <= MAX_LINE);
        drop(process);
        writing.join().unwrap();
    }

    #[test]
    fn an_interrupt_ends_the_wait_for_an_end() {
        let interrupt = Interrupt::by_hand().unwrap();
        interrupt.raise();
        let (mut process, own) = bot();
        process.wardens = Wardens::without_warden(Some(&interrupt));
        let finished = process.finish(LONG, None);
        assert!(finished.how.is_none() && finished.after < LONG);
        drop(own);
    }

    #[test]
    fn a_bot_is_quiet_that_runs_and_has_read_all_and_writes_nothing() {
        let quiet = |process: &mut Process| process.stays_quiet(Duration::from_millis(5));
        let (mut process, mut own) = bot();
        assert!(quiet(&mut process));
        own.stderr.write_all(b"thinking\n").unwrap();
        assert!(quiet(&mut process));
        own.stdout.write_all(b"3").unwrap();
        assert!(!process.stays_quiet(LONG));

        // More than its pipe holds, and it does not read.
        let (mut process, own) = bot();
        process.send(&vec![b'x'; 200_000]);
        assert!(!process.stays_quiet(LONG));
        drop(own);

        let (mut process, own) = bot();
        drop(own.stdout);
        assert!(!process.stays_quiet(LONG));
    }

    #[test]
    fn a_bot_that_runs_on_has_only_closed_its_stdout() {
        let (mut process, own) = bot();
        drop(own.stdout);
        assert_eq!(process.process_end(), (Ended::ClosedStdout, None));
    }
}
