//! Which signals reach this process, whatever its parent did with them.

use std::io;
use std::sync::{Arc, Once};

use nix::sys::signal::{SigSet, Signal};
use signal_hook::consts::{SIGCHLD, SIGXFSZ};

use super::processes::{line_of, text_of};

/// Whether this process ignores `signal`.
pub(crate) fn is_ignored(signal: i32) -> bool {
    let status = text_of(rustix::process::getpid(), "status");
    let ignored = line_of(&status, "SigIgn:").and_then(|mask| u64::from_str_radix(mask, 16).ok());
    ignored.is_some_and(|mask| mask >> (signal - 1) & 1 == 1)
}

/// Makes the ends of children visible even if our parent ignored SIGCHLD. A process that was
/// started with SIGCHLD ignored never sees how its children end; and the bounded wait calls the
/// handler that was there before its own, which must be one.
pub(crate) fn watch_children() -> io::Result<()> {
    static ONCE: Once = Once::new();
    let mut outcome = Ok(());
    ONCE.call_once(|| outcome = signal_hook::flag::register(SIGCHLD, Arc::default()).map(drop));
    outcome
}

/// Blocks all signals but SIGCHLD in this thread and those that it starts: what can be blocked
/// neither ends nor stops this process. Who may send it no signal may be able to have the kernel do
/// it: when a process ends whose group has a stopped one and is left to itself, the whole group gets
/// SIGHUP, and any process of a session can join any group there.
pub(crate) fn receive_only_ends_of_children() -> io::Result<()> {
    let mut others = SigSet::all();
    others.remove(Signal::SIGCHLD);
    Ok(others.thread_block()?)
}

/// Undoes what this program's parent changed about signals: unblocks all, and makes a file that grows
/// too large an error of the write instead of the end of this process. A program calls this at its
/// very start, before it has threads.
///
/// # Errors
///
/// When the system refuses it.
pub fn receive_signals() -> io::Result<()> {
    SigSet::all().thread_unblock()?;
    signal_hook::flag::register(SIGXFSZ, Arc::default()).map(drop)
}
