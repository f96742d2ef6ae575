//! Bots in the sandbox behind the words of `--wrap`. Those are the user's own, so they run as they
//! would without the sandbox. They start this program, which takes on the sandbox and becomes the bot.

use std::convert::Infallible;
use std::io;
use std::os::fd::{AsFd as _, AsRawFd as _, OwnedFd};
use std::os::unix::net::UnixStream;

use landlock::ABI;
use rustix::fs::{Mode, OFlags};
use rustix::io::Errno;
use rustix::process::{PidfdFlags, PidfdGetfdFlags, getpid, pidfd_getfd, pidfd_open};

use super::before_exec::{self, Confinement};
use crate::bot::warden::sandbox::filter;
use crate::bot::warden::sandbox::handed_calls::HandedCallsFilter;
use crate::bot::warden::wire::{self, BotStart};
use crate::record::Sandbox;

/// The hidden subcommand for it.
const COMMAND: &str = "confined";

/// What this program needs to know, beside the ruleset, to make the filter: the version of Landlock,
/// and what of [`Sandbox`] is allowed, its loopback and its builds.
type FilterTerms = (i32, bool, bool);

/// A bot that is about to be started so.
pub(crate) struct WrappedBot {
    /// With this program between the words.
    pub start: BotStart,
    /// This program and the socket by which it is told the rest, which stay open.
    pub kept: [OwnedFd; 2],
    /// Where the listener of the bot's calls arrives, as soon as it is confined.
    pub ours: UnixStream,
}

impl WrappedBot {
    /// `start` begins with `wrap` words of that option.
    pub(crate) fn prepare(
        start: &BotStart,
        wrap: usize,
        rules: &OwnedFd,
        landlock: ABI,
        allowed: &Sandbox,
    ) -> io::Result<WrappedBot> {
        let (ours, theirs) = UnixStream::pair()?;
        let landlock = landlock.to_string().parse().map_err(io::Error::other)?;
        let terms: FilterTerms = (landlock, allowed.loopback, allowed.builds);
        wire::send(&ours, &terms, &[rules.as_fd()], None)?;
        ours.set_nonblocking(true)?;
        // By its descriptor: in the wrapper's view of files there may be no such path.
        let flags = OFlags::PATH | OFlags::CLOEXEC;
        let itself = rustix::fs::open("/proc/self/exe", flags, Mode::empty())?;
        let path = format!("/proc/self/fd/{}", itself.as_raw_fd());
        let between = [path, COMMAND.to_owned(), theirs.as_raw_fd().to_string(), "--".to_owned()];
        let mut start = start.clone();
        start.words.splice(wrap..wrap, between);
        Ok(WrappedBot { start, kept: [itself, theirs.into()], ours })
    }
}

/// Takes on the sandbox that a warden has prepared at the other end of `socket`, and becomes the
/// program that the words name. The program's hidden subcommand; nothing else calls it.
///
/// # Errors
///
/// When that fails.
pub fn become_bot(socket: i32, words: &[String]) -> io::Result<Infallible> {
    let own = pidfd_open(getpid(), PidfdFlags::empty())?;
    let socket = UnixStream::from(pidfd_getfd(own, socket, PidfdGetfdFlags::empty())?);
    close_fds::set_fds_cloexec_threadsafe(3, &[]);
    let ((landlock, loopback, builds), mut rules) =
        wire::receive::<FilterTerms>(&socket, None)?.ok_or(Errno::CONNRESET)?;
    let rules = &rules.pop().ok_or(Errno::BADF)?;
    let allowed = Sandbox { loopback, builds, ..Sandbox::default() };
    let filter = &filter::program(ABI::from(landlock), &allowed)?;
    let handed_calls = &HandedCallsFilter::new(socket, builds);
    before_exec::become_confined(words, Confinement::Now { rules, handed_calls, filter })
}
