//! A descriptor of a process that is not our child: its number may be someone else's by the time it is
//! used.

use std::io;
use std::os::fd::{AsFd, BorrowedFd, OwnedFd};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use rustix::process::{Pid, Signal, WaitId, WaitIdStatus, pidfd_send_signal};

use crate::bot::system;

/// The processes that are held now.
static HELD: Mutex<Vec<Pid>> = Mutex::new(Vec::new());

fn all_held() -> MutexGuard<'static, Vec<Pid>> {
    HELD.lock().unwrap_or_else(PoisonError::into_inner)
}

/// A process below one of our wardens.
#[derive(Debug)]
pub(crate) struct ProcessHandle {
    pid: Pid,
    is_held: bool,
    /// A pidfd.
    descriptor: OwnedFd,
}

impl ProcessHandle {
    /// Holds the process with that number, which has not been reaped yet.
    ///
    /// # Errors
    ///
    /// When this process may have no more descriptors.
    pub(crate) fn hold(pid: Pid) -> io::Result<ProcessHandle> {
        let descriptor = system::pidfd(pid)?;
        all_held().push(pid);
        Ok(ProcessHandle { pid, is_held: true, descriptor })
    }

    /// The processes that are held: those of bots that play.
    pub(crate) fn held() -> Vec<Pid> {
        all_held().clone()
    }

    /// From now on it may be ended and reaped with all processes that are not held.
    pub(crate) fn release(&mut self) {
        if std::mem::take(&mut self.is_held) {
            let mut all = all_held();
            // Its number may be held a second time, for another process that has it now.
            if let Some(index) = all.iter().position(|&pid| pid == self.pid) {
                all.swap_remove(index);
            }
        }
    }

    /// How it ended, if it has become our child and has ended.
    ///
    /// # Errors
    ///
    /// When it is not our child.
    pub(crate) fn how_it_ended(&self) -> io::Result<Option<WaitIdStatus>> {
        system::how_it_ended(WaitId::PidFd(self.descriptor.as_fd()))
    }

    /// Whether its first thread runs, or would if it had a processor.
    pub(crate) fn wants_the_processor(&self) -> bool {
        system::wants_the_processor(self.pid)
    }

    /// The processor time that it has used; zero if it is gone.
    pub(crate) fn processor_time(&self) -> Duration {
        system::processor_time(self.pid).unwrap_or_default()
    }

    /// Kills the process, and its group where that is certain to be its own.
    pub(crate) fn kill(&self) {
        if self.how_it_ended().is_err() {
            let _ = pidfd_send_signal(&self.descriptor, Signal::KILL);
        } else {
            // Only we reap our child, so its number is not given to another process.
            system::kill_with_group(self.pid);
        }
    }
}

/// Readable when the process has ended.
impl AsFd for ProcessHandle {
    fn as_fd(&self) -> BorrowedFd<'_> {
        self.descriptor.as_fd()
    }
}

impl Drop for ProcessHandle {
    fn drop(&mut self) {
        self.release();
    }
}

#[cfg(test)]
mod tests {
    use std::os::unix::process::CommandExt;
    use std::process::{Command, Stdio};

    use super::*;

    fn sleeper() -> std::process::Child {
        Command::new("sleep").arg("60").stdin(Stdio::null()).process_group(0).spawn().unwrap()
    }

    #[test]
    fn our_child_is_killed_and_told_of_until_it_is_reaped() {
        let mut child = sleeper();
        let handle = ProcessHandle::hold(Pid::from_child(&child)).unwrap();
        let ended = || handle.how_it_ended().unwrap();
        assert!(ended().is_none());
        handle.kill();
        while ended().is_none() {
            std::thread::yield_now();
        }
        assert_eq!(ended().unwrap().terminating_signal(), Some(9));
        child.wait().unwrap();
        assert!(handle.how_it_ended().is_err());
        // The number is free, or another process has it: nothing happens.
        handle.kill();
    }
}
