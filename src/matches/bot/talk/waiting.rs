//! Waiting for two bots and the user: which descriptors one poll watches, and what woke it.

use std::io;
use std::os::fd::{AsFd, BorrowedFd};
use std::time::Duration;

use rustix::event::PollFlags;

use super::process::Process;
use crate::bot::system::{input, wait_for};

/// What there is to do after a wait; nothing when its time was over.
#[derive(Default)]
#[expect(clippy::struct_excessive_bools, reason = "one for each descriptor that was watched")]
pub(super) struct Woken {
    pub stdout: bool,
    pub stderr: bool,
    pub ended: bool,
    pub stdin: bool,
    pub idle_stderr: bool,
    /// This bot wrote to stdout, and the other one's had nothing by then.
    pub idle_silent: bool,
    pub interrupted: bool,
}

/// Waits for what a bot writes to stdout, to stderr, and for what the other bot writes to stdout.
pub(super) fn wait_for_output(
    active: &Process,
    idle: Option<&Process>,
    at_most: Duration,
) -> io::Result<Woken> {
    let idle = idle.and_then(|idle| idle.stdout.as_ref());
    let sources =
        [active.stdout.as_ref().map(input), active.stderr.as_ref().map(input), idle.map(input)];
    let [stdout, stderr, idle] = wait_for(sources, at_most)?;
    Ok(Woken { stdout, stderr, idle_silent: stdout && !idle, ..Woken::default() })
}

/// Waits for what a bot writes, its end, room in its stdin, what the other bot writes to stderr,
/// and the user.
pub(super) fn wait_for_anything(
    active: &Process,
    idle: Option<&Process>,
    interrupt: Option<BorrowedFd<'_>>,
    at_most: Duration,
) -> io::Result<Woken> {
    let unsent = active.stdin.as_ref().filter(|_| active.has_unsent());
    let sources = [
        active.stdout.as_ref().map(input),
        active.stderr.as_ref().map(input),
        Some(input(&active.handle)),
        unsent.map(|stdin| (stdin.as_fd(), PollFlags::OUT)),
        idle.and_then(|idle| idle.stderr.as_ref()).map(input),
        interrupt.as_ref().map(input),
    ];
    let [stdout, stderr, ended, stdin, idle_stderr, interrupted] = wait_for(sources, at_most)?;
    Ok(Woken { stdout, stderr, ended, stdin, idle_stderr, idle_silent: false, interrupted })
}
