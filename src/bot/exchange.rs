//! Asking a bot: one write, one poll and one read, in the thread that plays the match.
//!
//! One absolute deadline covers writing and reading. The stderr of both bots is drained all the
//! while. What the other bot writes to stdout out of turn stays in its pipe until it is asked.

use std::os::fd::{AsFd, BorrowedFd};
use std::time::{Duration, Instant};

use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::io::Errno;

use super::process::Process;
use crate::referee::{Answer, Misconduct, Trouble};

/// Woken this much past the deadline, it was the machine that was late and not the bot.
const STARVED: Duration = Duration::from_millis(50);

/// Sends a line to `active` and waits until `late_after` has passed for the line it answers.
/// `idle` is the other bot, if it runs.
pub(super) fn ask(
    active: &mut Process,
    mut idle: Option<&mut Process>,
    interrupt: Option<BorrowedFd<'_>>,
    line: &[u8],
    late_after: Duration,
) -> Result<Answer, Trouble> {
    // What was written before the question, after an earlier answer for example, is no answer.
    active.receive();
    if !active.inbox.bytes().is_empty() {
        let unsolicited = Misconduct::Unsolicited(active.inbox.bytes().to_vec());
        return Err(Trouble::Misconduct(unsolicited));
    }
    let began = Instant::now();
    let deadline = began.checked_add(late_after);
    active.send(line);
    loop {
        if active.stdout.is_none() {
            return Err(Trouble::Misconduct(Misconduct::Exited(active.how_it_left())));
        }
        let (woken, mut now) = wait(active, idle.as_deref(), interrupt, deadline)?;
        if woken.interrupted {
            return Err(Trouble::Interrupted);
        }
        if let Some(idle) = idle.as_deref_mut().filter(|_| woken.idle_stderr) {
            idle.drain_stderr();
        }
        if woken.stderr {
            active.drain_stderr();
        }
        if woken.stdin {
            active.flush();
        }
        if woken.stdout || woken.ended {
            active.receive();
            now = Instant::now();
            if let Some(line) = active.inbox.take_line() {
                return Ok(Answer { line, time: now - began });
            }
            if active.inbox.is_full() {
                let oversized = Misconduct::Oversized(active.inbox.bytes().to_vec());
                return Err(Trouble::Misconduct(oversized));
            }
            if woken.ended && !woken.stdout {
                return Err(Trouble::Misconduct(Misconduct::Exited(active.how_it_left())));
            }
        }
        if deadline.is_some_and(|deadline| now >= deadline) {
            return Err(Trouble::Misconduct(Misconduct::Silent {
                waited: now - began,
                partial: active.inbox.bytes().to_vec(),
                unread: active.has_unsent() || active.stdin.is_none(),
            }));
        }
    }
}

/// What there is to do after a wait.
#[derive(Default)]
struct Woken {
    stdout: bool,
    ended: bool,
    stderr: bool,
    stdin: bool,
    idle_stderr: bool,
    interrupted: bool,
}

/// Waits until something happens or the deadline passes. Says what, and when it was.
fn wait(
    active: &Process,
    idle: Option<&Process>,
    interrupt: Option<BorrowedFd<'_>>,
    deadline: Option<Instant>,
) -> Result<(Woken, Instant), Trouble> {
    let mut watched = Watched::default();
    let stdout = watched.add(active.stdout.as_ref(), PollFlags::IN);
    let ended = watched.add(active.ended.as_ref(), PollFlags::IN);
    let stderr = watched.add(active.stderr.as_ref(), PollFlags::IN);
    let unsent = active.stdin.as_ref().filter(|_| active.has_unsent());
    let stdin = watched.add(unsent, PollFlags::OUT);
    let idle_stderr = watched.add(idle.and_then(|idle| idle.stderr.as_ref()), PollFlags::IN);
    let interrupted = watched.add(interrupt.as_ref(), PollFlags::IN);

    let timeout = deadline.map(|deadline| {
        let left = deadline.saturating_duration_since(Instant::now());
        Timespec::try_from(left).unwrap_or(Timespec { tv_sec: i64::MAX, tv_nsec: 0 })
    });
    let outcome = poll(&mut watched.descriptors, timeout.as_ref());
    let at = Instant::now();
    if let Some(late_by) = deadline.and_then(|deadline| at.checked_duration_since(deadline))
        && late_by > STARVED
    {
        return Err(Trouble::Starved(late_by));
    }
    match outcome {
        Ok(_) => {}
        Err(Errno::INTR) => return Ok((Woken::default(), at)),
        Err(error) => return Err(Trouble::System(error.into())),
    }
    let woken = Woken {
        stdout: watched.is_ready(stdout),
        ended: watched.is_ready(ended),
        stderr: watched.is_ready(stderr),
        stdin: watched.is_ready(stdin),
        idle_stderr: watched.is_ready(idle_stderr),
        interrupted: watched.is_ready(interrupted),
    };
    Ok((woken, at))
}

/// The descriptors of one wait.
#[derive(Default)]
struct Watched<'a> {
    descriptors: Vec<PollFd<'a>>,
}

impl<'a> Watched<'a> {
    /// Watches a descriptor, if there is one; returns its place in the list.
    fn add(&mut self, descriptor: Option<&'a impl AsFd>, flags: PollFlags) -> Option<usize> {
        self.descriptors.reserve(8);
        self.descriptors.push(PollFd::new(descriptor?, flags));
        Some(self.descriptors.len() - 1)
    }

    fn is_ready(&self, place: Option<usize>) -> bool {
        place.is_some_and(|place| !self.descriptors[place].revents().is_empty())
    }
}
