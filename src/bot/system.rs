//! What differs between kernels, behind one interface: how a process's end is seen and told, and
//! which signals are ignored.

use std::io;
use std::os::fd::OwnedFd;
use std::sync::Once;

use rustix::process::{Pid, WaitId, WaitIdOptions, waitid};

use crate::referee::Ended;

/// A descriptor that becomes readable when the process ends. None where the kernel has no such
/// thing: then the end shows when the process's output closes.
#[cfg(target_os = "linux")]
pub(super) fn end_descriptor(pid: Pid) -> Option<OwnedFd> {
    rustix::process::pidfd_open(pid, rustix::process::PidfdFlags::empty()).ok()
}

#[cfg(not(target_os = "linux"))]
pub(super) fn end_descriptor(_: Pid) -> Option<OwnedFd> {
    None
}

/// How a child of ours ended, if it has. It stays a zombie, so that its number and its process
/// group's stay taken.
pub(super) fn how_it_ended(pid: Pid) -> Option<Ended> {
    let options = WaitIdOptions::EXITED | WaitIdOptions::NOHANG | WaitIdOptions::NOWAIT;
    let status = waitid(WaitId::Pid(pid), options).ok()??;
    match (status.exit_status(), status.terminating_signal()) {
        (Some(code), _) => Some(Ended::Code(code)),
        (None, Some(signal)) => Some(Ended::Signal(signal)),
        (None, None) => None,
    }
}

/// Whether this process ignores that signal. Where the kernel does not tell, it does not.
pub(super) fn is_ignored(signal: i32) -> bool {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let ignored = status.lines().find_map(|line| line.strip_prefix("SigIgn:"));
    let ignored = ignored.and_then(|mask| u64::from_str_radix(mask.trim(), 16).ok());
    ignored.is_some_and(|mask| mask >> (signal - 1) & 1 == 1)
}

/// Makes the ends of children ours to see, whatever our parent did with SIGCHLD. A process that
/// was started with SIGCHLD ignored never sees how its children end, and the bounded wait calls
/// the handler that was there before its own, which then is none.
pub(super) fn watch_children() -> io::Result<()> {
    static ONCE: Once = Once::new();
    let mut outcome = Ok(());
    ONCE.call_once(|| {
        let seen = std::sync::Arc::default();
        outcome = signal_hook::flag::register(signal_hook::consts::SIGCHLD, seen).map(drop);
    });
    outcome
}
