//! Waiting for two bots and the user: which descriptors one poll watches, and what woke it.

use std::os::fd::{AsFd, BorrowedFd};
use std::time::Duration;

use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::io::Errno;

use super::process::Process;
use crate::referee::Trouble;

/// What there is to do after a wait; nothing when its time was over.
#[derive(Default)]
#[expect(clippy::struct_excessive_bools, reason = "one for each descriptor that was watched")]
pub(in crate::bot) struct Woken {
    pub(in crate::bot) stdout: bool,
    pub(in crate::bot) stderr: bool,
    pub(in crate::bot) ended: bool,
    pub(in crate::bot) stdin: bool,
    pub(in crate::bot) idle_stderr: bool,
    /// The other bot's stdout was watched and had nothing.
    pub(in crate::bot) idle_silent: bool,
    pub(in crate::bot) interrupted: bool,
}

/// Waits for what a bot writes to stdout, to stderr, and for what the other bot writes to stdout.
pub(in crate::bot) fn wait_for_output(
    output: [Option<BorrowedFd<'_>>; 3],
    at_most: Duration,
) -> Result<Woken, Trouble> {
    let Some(stdout) = output[0] else { return Ok(Woken::default()) };
    // One that is closed is replaced by one that is watched anyway.
    let mut watched =
        output.map(|source| PollFd::from_borrowed_fd(source.unwrap_or(stdout), PollFlags::IN));
    if !poll_for(&mut watched, at_most)? {
        return Ok(Woken::default());
    }
    let [stdout, stderr, idle] = watched.map(|watched| !watched.revents().is_empty());
    Ok(Woken {
        stdout,
        stderr: stderr && output[1].is_some(),
        idle_silent: !idle,
        ..Woken::default()
    })
}

/// Waits for what a bot writes, its end, room in its stdin, what the other bot writes to stderr,
/// and the user.
pub(in crate::bot) fn wait_for_anything(
    active: &Process,
    idle: Option<&Process>,
    interrupt: Option<BorrowedFd<'_>>,
    at_most: Duration,
) -> Result<Woken, Trouble> {
    let unsent = active.stdin.as_ref().filter(|_| active.has_unsent());
    let sources = [
        (active.stdout.as_ref().map(AsFd::as_fd), PollFlags::IN),
        (active.stderr.as_ref().map(AsFd::as_fd), PollFlags::IN),
        (Some(active.ended()), PollFlags::IN),
        (unsent.map(AsFd::as_fd), PollFlags::OUT),
        (idle.and_then(|idle| idle.stderr.as_ref()).map(AsFd::as_fd), PollFlags::IN),
        (interrupt, PollFlags::IN),
    ];
    let mut watched: Vec<PollFd<'_>> = sources
        .iter()
        .filter_map(|&(source, flags)| Some(PollFd::from_borrowed_fd(source?, flags)))
        .collect();
    if !poll_for(&mut watched, at_most)? {
        return Ok(Woken::default());
    }
    let mut answers = watched.iter().map(|watched| !watched.revents().is_empty());
    let [stdout, stderr, ended, stdin, idle_stderr, interrupted] =
        sources.map(|(source, _)| source.is_some() && answers.next() == Some(true));
    Ok(Woken { stdout, stderr, ended, stdin, idle_stderr, idle_silent: false, interrupted })
}

/// Whether something happened before the time was over. A signal only makes the wait shorter.
fn poll_for(watched: &mut [PollFd<'_>], at_most: Duration) -> Result<bool, Trouble> {
    // A time beyond the clock's range is for ever.
    let timeout = Timespec::try_from(at_most).ok();
    match poll(watched, timeout.as_ref()) {
        Ok(ready) => Ok(ready > 0),
        Err(Errno::INTR) => Ok(false),
        Err(error) => Err(Trouble::System(error.into())),
    }
}
