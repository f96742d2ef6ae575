//! The place of a bot outside the sandbox: the warden's cores, its scheduling class, and no better
//! priority. A task that is found elsewhere is put back.

use rustix::process::Pid;
use rustix::thread::{CpuSet, sched_getaffinity, sched_setaffinity};

use crate::bot::slice::Scheduling;

/// What each task of a bot is held to.
#[derive(Debug)]
pub(super) struct Place {
    cores: CpuSet,
    /// `None` where the bot begins with a command of the user's, which may have changed it.
    scheduling: Option<Scheduling>,
}

impl Place {
    /// The place of this process. `None` where the system does not tell.
    pub(super) fn of_this_process(is_wrapped: bool) -> Option<Place> {
        let scheduling = if is_wrapped { None } else { Scheduling::of(None) };
        Some(Place { cores: sched_getaffinity(None).ok()?, scheduling })
    }

    /// Puts back those of these tasks that have left it. Returns whether one had.
    pub(super) fn hold(&self, tasks: &[Pid]) -> bool {
        let mut has_found_one = false;
        for &task in tasks {
            has_found_one |= self.put_on_its_cores(task);
            has_found_one |= self.scheduling.as_ref().is_some_and(|usual| usual.hold(task));
        }
        has_found_one
    }

    fn put_on_its_cores(&self, task: Pid) -> bool {
        let Ok(has) = sched_getaffinity(Some(task)) else { return false };
        if has == self.cores {
            return false;
        }
        let among =
            |cores: &CpuSet| (0..CpuSet::MAX_CPU).filter(|&core| cores.is_set(core)).collect();
        let (has_cores, own_cores): (Vec<usize>, Vec<usize>) = (among(&has), among(&self.cores));
        let mut kept = CpuSet::new();
        for core in has_cores.iter().filter(|core| own_cores.contains(core)) {
            kept.set(*core);
        }
        if kept == has {
            return false;
        }
        let cores = if kept.count() == 0 { &self.cores } else { &kept };
        sched_setaffinity(Some(task), cores).is_ok()
    }
}
