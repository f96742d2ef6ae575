//! Processes that were stopped, and run again when that is over.

use rustix::process::{Pid, Signal, kill_process, kill_process_group};

use crate::bot::system;
use crate::bot::warden::watching::tree;

/// How often, at most, processes that were started meanwhile are looked for.
const SWEEPS: u32 = 20;

/// What was stopped and had not been before. Dropping it lets that run.
#[derive(Default)]
pub(crate) struct StoppedProcesses(Vec<Pid>);

impl StoppedProcesses {
    /// Stops the processes that `list` lists, and those that they start meanwhile. Returns whether
    /// no more were found at last. One may still have to come to stop.
    pub(crate) fn stop(&mut self, list: impl Fn() -> Vec<Pid>) -> bool {
        for _ in 0..SWEEPS {
            let new = list().into_iter().filter(|one| !self.0.contains(one));
            // What a bot has stopped itself stays stopped when the others run again.
            let new: Vec<Pid> = new.filter(|&one| system::is_running(one)).collect();
            if new.is_empty() {
                return true;
            }
            for process in new {
                system::stop_process(process);
                self.0.push(process);
            }
        }
        false
    }

    /// Whether one of `processes` was stopped and let go on, by somebody else.
    pub(crate) fn was_continued(&self, processes: &[Pid]) -> bool {
        let mut stopped = processes.iter().filter(|one| self.0.contains(one));
        stopped.any(|&one| system::was_continued(one))
    }

    /// Stops those of `processes` that run, whether they were stopped before or not: somebody
    /// may have had them run again.
    pub(crate) fn stop_again(&mut self, processes: &[Pid]) {
        for &process in processes.iter().filter(|&&one| system::is_running(one)) {
            system::stop_process(process);
            if !self.0.contains(&process) {
                self.0.push(process);
            }
        }
    }
}

impl Drop for StoppedProcesses {
    fn drop(&mut self) {
        if self.0.is_empty() {
            return;
        }
        // Numbers of processes that have ended may be a stranger's by now; what is below us is not.
        let below = tree::below_us();
        for &process in self.0.iter().filter(|one| below.contains(one)) {
            let _ = kill_process(process, Signal::CONT);
        }
    }
}

/// The group of a bot, which was stopped. It stays so until it is let go on.
#[must_use]
pub(crate) struct StoppedGroup(Pid);

impl StoppedGroup {
    /// Stops the group, which has some of these `processes`, even where their threads are many. `None`
    /// if there is no such group.
    pub(crate) fn stop(group: Pid, processes: &[Pid]) -> Option<StoppedGroup> {
        system::stop_group(group, processes).then_some(StoppedGroup(group))
    }

    /// Lets all of a `stopped` group run, what the bot itself had stopped, too. Its leader must not have
    /// been reaped yet: the group's number may be a stranger's afterwards.
    pub(crate) fn resume(stopped: &mut Option<StoppedGroup>) {
        if let Some(StoppedGroup(group)) = stopped.take() {
            let _ = kill_process_group(group, Signal::CONT);
        }
    }
}

#[cfg(test)]
mod tests {
    use std::process::Command;
    use std::time::{Duration, Instant};

    use super::*;
    use crate::bot::warden::idle::FREEZING;

    #[test]
    fn a_process_that_another_continued_differs_from_one_that_has_not_stopped_yet() {
        let _alone = FREEZING.lock();
        let mut child = Command::new("sleep").arg("60").spawn().unwrap();
        let process = Pid::from_child(&child);
        let mut stopped = StoppedProcesses::default();
        assert!(!stopped.was_continued(&[process]));
        stopped.stop(|| vec![process]);
        let end = Instant::now() + Duration::from_mins(1);
        while system::is_running(process) && Instant::now() < end {
            assert!(!stopped.was_continued(&[process]));
        }
        assert!(!stopped.was_continued(&[process]));
        kill_process(process, Signal::CONT).unwrap();
        assert!(stopped.was_continued(&[process]) && !stopped.was_continued(&[]));
        stopped.stop_again(&[process]);
        while system::is_running(process) && Instant::now() < end {}
        assert!(!stopped.was_continued(&[process]));
        child.kill().unwrap();
        child.wait().unwrap();
    }
}
