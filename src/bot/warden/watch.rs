//! What a bot uses while it runs, looked at again and again: how many processes and threads it
//! has, and how much memory they hold together.
//!
//! The system's own limits count memory for each process and processes for each user, those of
//! the superuser not at all. Here a bot is all its processes and nobody else's.

use std::fs;

use rustix::process::Pid;

use super::tree::{self, Tree};
use crate::bot::system;
use crate::record::Resources;

/// At the latest after so many looks, processes are counted anew.
const COUNT_EVERY: u32 = 50;

/// A bot under watch.
#[derive(Debug)]
pub(super) struct Watch {
    bot: Pid,
    /// The bot and its descendants when they were last counted.
    tree: Tree,
    /// The newest process number in the system at that time.
    newest: Option<u32>,
    looks: u32,
    /// The limit that it went beyond, if it did.
    pub(super) beyond: Option<Beyond>,
}

/// A limit that the warden itself keeps.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Beyond {
    /// More processes and threads at once than allowed.
    Processes,
    /// More memory in all processes together than allowed.
    Memory,
    /// More or larger files in its private folder than allowed.
    Files,
}

impl Watch {
    pub(super) fn new(bot: Pid) -> Watch {
        let tree = Tree { processes: vec![bot], threads: 1 };
        Watch { bot, tree, newest: None, looks: 0, beyond: None }
    }

    /// Looks once. Returns whether the bot has gone beyond a limit and is to be ended.
    pub(super) fn look(&mut self, limits: &Resources) -> bool {
        self.looks += 1;
        // Where nothing was started anywhere since the last count, that count still holds; but
        // it may have missed one whose parent ended just then.
        let newest = newest_process();
        if newest.is_none() || newest != self.newest || self.looks.is_multiple_of(COUNT_EVERY) {
            self.newest = newest;
            let before = std::mem::replace(&mut self.tree, Tree::below_us());
            let new = self.tree.processes.iter().filter(|one| !before.processes.contains(one));
            // What was started before the bot itself was marked was not.
            new.for_each(|&one| system::end_first_without_memory(one));
            tree::reap_orphans(self.bot);
            if let Some(limit) = limits.cpu_time {
                // What was started before the bot itself was limited was not.
                self.tree.processes.iter().for_each(|&one| system::limit_cpu_time(one, limit));
            }
        }
        let is_beyond = |limit: u32| self.tree.threads > limit as usize;
        if limits.processes.is_some_and(is_beyond) {
            self.beyond = Some(Beyond::Processes);
        } else if limits.memory.is_some_and(|limit| is_beyond_memory(&self.tree, limit)) {
            self.beyond = Some(Beyond::Memory);
        }
        self.beyond.is_some()
    }
}

/// The number that the system gave to its newest process or thread.
fn newest_process() -> Option<u32> {
    fs::read_to_string("/proc/loadavg").ok()?.split_whitespace().last()?.parse().ok()
}

/// Whether these processes together have more memory in use than so many bytes, files not counted.
fn is_beyond_memory(tree: &Tree, limit: u64) -> bool {
    let sum = |of: fn(Pid) -> u64| tree.processes.iter().map(|&process| of(process)).sum::<u64>();
    // Pages that processes share count for each of them at first, which is quick to see; only
    // where that is too much are they shared out, which takes longer.
    sum(memory_in_use) > limit && (tree.processes.len() == 1 || sum(share_of_memory) > limit)
}

/// The memory that a process has in use and that is no file's, its page tables included; 0 when it
/// has gone.
fn memory_in_use(process: Pid) -> u64 {
    let of = |status: &str| {
        ["RssAnon:", "RssShmem:", "VmPTE:"].iter().map(|name| bytes_of(status, name)).sum::<u64>()
    };
    let status = of_process(process, "status");
    if status.contains("RssAnon:") {
        return of(&status);
    }
    // The first thread has ended; the others still have the memory.
    let task = format!("/proc/{}/task", process.as_raw_nonzero());
    let threads = fs::read_dir(task).into_iter().flatten().flatten();
    let statuses =
        threads.filter_map(|thread| fs::read_to_string(thread.path().join("status")).ok());
    statuses.map(|status| of(&status)).max().unwrap_or(0)
}

/// The same with each page divided by the number of processes that share it.
fn share_of_memory(process: Pid) -> u64 {
    let shares = of_process(process, "smaps_rollup");
    if shares.is_empty() {
        return memory_in_use(process);
    }
    let tables = bytes_of(&of_process(process, "status"), "VmPTE:");
    bytes_of(&shares, "Pss_Anon:") + bytes_of(&shares, "Pss_Shmem:") + tables
}

fn of_process(process: Pid, file: &str) -> String {
    let path = format!("/proc/{}/{file}", process.as_raw_nonzero());
    fs::read_to_string(path).unwrap_or_default()
}

/// The value of a line such as `RssAnon:     1234 kB`, in bytes; 0 where there is none.
fn bytes_of(text: &str, name: &str) -> u64 {
    let value = text.lines().find_map(|line| line.strip_prefix(name)).unwrap_or_default();
    1024 * value.trim().trim_end_matches(" kB").parse().unwrap_or(0)
}

/// The processor time of a process, in milliseconds; 0 where the system does not tell. A zombie
/// still has it.
pub(super) fn cpu_ms(process: Pid) -> u64 {
    let text = of_process(process, "stat");
    // The name, in brackets, may hold anything; the state and 10 numbers follow it.
    let after_name = text.rsplit_once(')').map_or("", |(_, rest)| rest);
    let times = after_name.split_whitespace().skip(11).take(2);
    let ticks: u64 = times.filter_map(|ticks| ticks.parse::<u64>().ok()).sum();
    ticks * 1000 / rustix::param::clock_ticks_per_second().max(1)
}
