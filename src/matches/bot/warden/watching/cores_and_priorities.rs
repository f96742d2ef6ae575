//! The place of a bot outside the sandbox: the warden's cores, its scheduling class, and no better
//! priority, of its own, at disks or by its session. A task that is found elsewhere is put back.

use std::fs;

use rustix::process::{Pid, getpid};
use rustix::thread::{CpuSet, sched_getaffinity, sched_setaffinity};

use crate::bot::scheduling::{DiskPriority, Scheduling};
use crate::bot::system;

/// What each task of a bot is held to.
pub(crate) struct CoresAndPriorities {
    cores: CpuSet,
    /// `None` where the bot begins with a command of the user's, which may have changed it.
    usual: Option<Usual>,
}

/// How this process is served. What the system does not tell is `None`.
struct Usual {
    scheduling: Option<Scheduling>,
    at_disks: Option<DiskPriority>,
    /// How nice its session is to others.
    session: Option<i32>,
}

impl CoresAndPriorities {
    /// The place of this process. `None` where the system does not tell.
    pub(crate) fn of_this_process(is_wrapped: bool) -> Option<CoresAndPriorities> {
        let usual = (!is_wrapped).then(|| Usual {
            scheduling: Scheduling::of(None),
            at_disks: DiskPriority::of(None),
            session: nice_of_session(getpid()),
        });
        Some(CoresAndPriorities { cores: sched_getaffinity(None).ok()?, usual })
    }

    /// Puts back those of `processes` and tasks that have left it. Returns whether one had.
    pub(crate) fn hold(&self, processes: &[Pid], tasks: &[Pid]) -> bool {
        let mut has_found_one = false;
        for &task in tasks {
            has_found_one |= self.put_on_its_cores(task);
            has_found_one |= self.usual.as_ref().is_some_and(|usual| usual.hold_task(task));
        }
        for &process in processes {
            has_found_one |= self.usual.as_ref().is_some_and(|usual| usual.hold_session(process));
        }
        has_found_one
    }

    fn put_on_its_cores(&self, task: Pid) -> bool {
        let Ok(has) = sched_getaffinity(Some(task)) else { return false };
        if has == self.cores {
            return false;
        }
        let mut kept = CpuSet::new();
        for core in 0..CpuSet::MAX_CPU {
            if has.is_set(core) && self.cores.is_set(core) {
                kept.set(core);
            }
        }
        if kept == has {
            return false;
        }
        let cores = if kept.count() == 0 { &self.cores } else { &kept };
        sched_setaffinity(Some(task), cores).is_ok()
    }
}

impl Usual {
    fn hold_task(&self, task: Pid) -> bool {
        let is_scheduled_anew = self.scheduling.as_ref().is_some_and(|usual| usual.hold(task));
        self.at_disks.is_some_and(|usual| usual.hold(task)) || is_scheduled_anew
    }

    /// Makes the session of a process as nice as this process's, if it is less so.
    fn hold_session(&self, process: Pid) -> bool {
        let Some(usual) = self.session else { return false };
        let file = format!("/proc/{}/autogroup", process.as_raw_nonzero());
        nice_of_session(process).is_some_and(|its| its < usual)
            && fs::write(file, usual.to_string()).is_ok()
    }
}

/// How nice a process's session is to others: `/autogroup-25 nice 0`. `None` where sessions are not
/// scheduled as such.
fn nice_of_session(process: Pid) -> Option<i32> {
    system::text_of(process, "autogroup").split_whitespace().next_back()?.parse().ok()
}
