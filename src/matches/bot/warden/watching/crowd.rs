//! Bots whose many running threads mean that nobody else gets a processor in time: neither their
//! opponent nor the referee, whose own clock would then be late. They get a low priority, so that
//! everybody else goes first.

use std::num::NonZeroUsize;
use std::path::Path;
use std::thread::available_parallelism;

use rustix::process::{Pid, setpriority_pgrp, setpriority_process};

use super::tree;
use crate::bot::system;

/// Running threads on each processor that still leave everybody their turn: with the usual 3 ms for
/// each, whoever wakes up runs within the 50 ms that the referee may be late.
pub(crate) const ON_EACH: usize = 16;

/// A priority that comes after the usual one, and a tenth of its share. Not the last one: what is
/// killed needs the processor, too, before it is gone.
const LATER: i32 = 10;

/// What of a bot may run at once before it is a crowd.
pub(crate) struct Crowd {
    most: usize,
}

impl Crowd {
    pub(crate) fn new() -> Crowd {
        Crowd { most: ON_EACH * available_parallelism().map_or(1, NonZeroUsize::get) }
    }

    /// Lowers the priority of a bot with too many running threads, and of all that it starts from then
    /// on. `running` threads of the whole system run now. Returns whether the bot is seen to have more
    /// processes and threads than `limit`.
    ///
    /// This takes little processor time however many there are: a warden that has to share the
    /// processor with all of them gets little.
    pub(crate) fn look(&self, bot: Pid, running: usize, limit: Option<u32>) -> bool {
        if running <= self.most {
            return false;
        }
        let limit = limit.map(|limit| limit as usize);
        // Twice as many are looked for, which are more than the limit.
        let enough = limit.map_or(self.most, |limit| self.most.max(limit / 2 + 1));
        let tasks = some_tasks_below(bot, enough);
        if limit.is_some_and(|limit| tasks.len() > limit) {
            return true;
        }
        let wanting = tasks.iter().filter(|&&task| system::wants_the_processor(task)).count();
        if tasks.len() > self.most && wanting > self.most {
            run_later(bot, &tasks);
        }
        false
    }
}

/// Lowers the priority of a bot's group and of `tasks` of it, and of all that they start.
pub(super) fn run_later(bot: Pid, tasks: &[Pid]) {
    let _ = setpriority_pgrp(Some(bot), LATER);
    // Some may have left the group; a number that is a stranger's by now was the bot's a moment ago,
    // and this user may not touch those of others.
    for &task in tasks {
        let _ = setpriority_process(Some(task), LATER);
    }
}

/// Processes and threads of a bot: all, or as many as it takes to be sure of more than `enough`.
fn some_tasks_below(bot: Pid, enough: usize) -> Vec<Pid> {
    let mut tasks = Vec::new();
    let mut processes = vec![bot];
    let mut next = 0;
    while let Some(&process) = processes.get(next) {
        // Twice as many, for not all of them need run.
        if tasks.len() + processes.len() - next > 2 * enough {
            break;
        }
        let folder = format!("/proc/{}/task", process.as_raw_nonzero());
        let (children, threads) = tree::children_and_threads(Path::new(&folder));
        processes.extend(children);
        tasks.extend(threads);
        next += 1;
    }
    // Of those that were not looked into, the first thread has the number of the process.
    tasks.extend(&processes[next.min(processes.len())..]);
    tasks.truncate(4 * enough);
    tasks
}

#[cfg(test)]
mod tests {
    use std::process::{Command, Stdio};
    use std::time::{Duration, Instant};

    use rustix::process::{getpriority_process, kill_process_group};

    use super::*;

    #[test]
    fn only_what_runs_makes_a_crowd() {
        use std::os::unix::process::CommandExt as _;
        for (each, priority) in [("while :; do :; done", LATER), ("exec sleep 60", 0)] {
            let script = format!("for i in 1 2 3 4 5 6; do ({each}) & done; wait");
            let mut child = Command::new("sh")
                .args(["-c", &script])
                .process_group(0)
                .stdout(Stdio::null())
                .spawn()
                .unwrap();
            let bot = Pid::from_child(&child);
            let crowd = Crowd { most: 4 };
            let wanting = if priority == LATER { 6 } else { 0 };
            // The shell and its six children, each of which runs until it sleeps.
            let have_begun = || {
                let tasks = some_tasks_below(bot, 4);
                let wants = tasks.iter().filter(|&&task| system::wants_the_processor(task));
                tasks.len() == 7 && wants.count() == wanting
            };
            let end = Instant::now() + Duration::from_mins(1);
            // One that starts may wait for a disk in between.
            let mut in_a_row = 0;
            while in_a_row < 20 && Instant::now() < end {
                in_a_row = if have_begun() { in_a_row + 1 } else { 0 };
                std::thread::sleep(Duration::from_millis(5));
            }
            let before = getpriority_process(None).unwrap();
            // Too few run in the whole system.
            assert!(!crowd.look(bot, 4, Some(4)));
            assert_eq!(getpriority_process(Some(bot)).unwrap(), before, "{each}");
            for _ in 0..10 {
                assert!(!crowd.look(bot, 5, Some(7)));
                std::thread::sleep(Duration::from_millis(10));
            }
            assert!(!crowd.look(bot, 5, None));
            assert!(crowd.look(bot, 5, Some(6)));
            let last = some_tasks_below(bot, 4).pop().unwrap();
            let expected = if priority == LATER { LATER } else { before };
            assert_eq!(getpriority_process(Some(last)).unwrap(), expected, "{each}");
            kill_process_group(bot, rustix::process::Signal::KILL).unwrap();
            child.wait().unwrap();
        }
    }
}
