//! What a bot uses while it runs, looked at again and again: how many processes and threads it
//! has, how much memory they have together, and how many files.
//!
//! The system's own limits count memory for each process and processes for each user, those of
//! the superuser not at all. Here a bot is all its processes and no others.

use std::fs;
use std::path::Path;

use rustix::process::Pid;

use super::disk::Disk;
use super::look_time::LookTime;
use super::memory::{self, Memory};
use super::tree::{self, Tree};
use super::wire::Beyond;
use crate::bot::system;
use crate::record::Resources;

/// Most descriptors of all processes of a bot together.
pub(super) const MOST_DESCRIPTORS: u64 = 8192;

/// Processes are counted anew after this many looks at the latest.
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
    memory: Memory,
    disk: Disk,
    /// The limit that it went beyond, if it did.
    pub(super) beyond: Option<Beyond>,
}

impl Watch {
    pub(super) fn new(bot: Pid) -> Watch {
        let tree = Tree { processes: vec![bot], threads: 1 };
        Watch {
            bot,
            tree,
            newest: None,
            looks: 0,
            memory: Memory::default(),
            disk: Disk::default(),
            beyond: None,
        }
    }

    /// Counts the bot's processes, unless the last count is still right. `newest` is the newest number
    /// of a process in the system.
    pub(super) fn count(&mut self, limits: &Resources, newest: Option<u32>) {
        // It is if no process was started in the whole system since, and none was missed.
        if newest.is_some() && newest == self.newest {
            return;
        }
        let before = std::mem::replace(&mut self.tree, Tree::below_us());
        let after = &self.tree.processes;
        // One whose parent ended while it was looked for was missed.
        let is_whole = before.processes.iter().all(|one| after.contains(one));
        self.newest = newest.filter(|_| is_whole);
        let new = after.iter().filter(|one| !before.processes.contains(one));
        // What was started before the bot itself was marked was not.
        new.for_each(|&one| end_first_without_memory(one));
        tree::reap_orphans(self.bot);
        if let Some(limit) = limits.cpu_time {
            // What was started before the bot itself was limited was not.
            for &one in after {
                system::limit_cpu_time(one, limit);
            }
        }
    }

    /// Looks once; `folder` is the bot's private one, if it has one. Returns whether the bot has gone
    /// beyond a limit and is to be ended.
    pub(super) fn look(&mut self, limits: &Resources, folder: Option<&Path>) -> bool {
        self.looks += 1;
        if self.looks.is_multiple_of(COUNT_EVERY) {
            self.newest = None;
        }
        let tree = &self.tree;
        let is_beyond_memory =
            |limit| self.memory.is_beyond(&tree.processes, limit, LookTime::begin());
        if limits.processes.is_some_and(|limit| tree.threads > limit as usize) {
            self.beyond = Some(Beyond::Processes);
        } else if limits.memory.is_some_and(is_beyond_memory) {
            self.beyond = Some(Beyond::Memory);
        } else if let (Some(folder), Some(limit)) = (folder, limits.file_size)
            && self.disk.is_beyond(folder, &tree.processes, limit, LookTime::begin())
        {
            self.beyond = Some(Beyond::Files);
        } else if memory::descriptors(&tree.processes) > MOST_DESCRIPTORS {
            self.beyond = Some(Beyond::Descriptors);
        }
        self.beyond.is_some()
    }

    /// Whether this is the first look.
    pub(super) const fn is_new(&self) -> bool {
        self.looks == 0
    }

    /// The bot's processes as they were last counted.
    pub(super) fn processes(&self) -> &[Pid] {
        &self.tree.processes
    }
}

/// What the whole system does.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Load {
    /// How many processes and threads run, or would if they had a processor.
    pub(super) running: usize,
    /// The number that it gave to its newest process or thread.
    pub(super) newest: Option<u32>,
}

impl Load {
    /// As it is now; nothing where the system does not tell.
    pub(super) fn now() -> Load {
        Load::of(&fs::read_to_string("/proc/loadavg").unwrap_or_default()).unwrap_or_default()
    }

    /// `0.20 0.18 0.12 1/80 11206`
    fn of(text: &str) -> Option<Load> {
        let mut words = text.split_whitespace().skip(3);
        let (running, _) = words.next()?.split_once('/')?;
        Some(Load { running: running.parse().ok()?, newest: words.next()?.parse().ok() })
    }
}

/// Has the kernel, when it runs out of memory, end this process of ours before any other one. What
/// it starts from now on is as likely to be ended.
fn end_first_without_memory(pid: Pid) {
    let _ = fs::write(format!("/proc/{}/oom_score_adj", pid.as_raw_nonzero()), "1000");
}
