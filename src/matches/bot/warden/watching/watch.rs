//! What a bot uses while it runs, looked at again and again: how many processes and threads it
//! has, how much memory they have together, and how many files.
//!
//! The system's own limits count memory for each process and processes for each user, those of
//! the superuser not at all. Here a bot is all its processes and no others.

use std::fs;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use rustix::process::{Pid, Signal, kill_process_group};

use super::crowd;
use super::disk::Disk;
use super::look_deadline::LookDeadline;
use super::memory::{DescriptorCount, Memory};
use super::tree::{self, HighestPriority, Tree};
use crate::bot::system::{self, Load};
use crate::bot::warden::idle::stopped::StoppedProcesses;
use crate::bot::warden::look_schedule::{LookReason, LookSchedule};
use crate::bot::warden::wire::ExceededLimit;
use crate::record::Resources;

/// Processes are counted anew after this many looks at the latest.
const COUNT_EVERY: u32 = 50;

/// A bot that has started more processes and threads than this since it was last counted is stopped
/// while it is counted.
const FEW_NEW: usize = 32;

/// How long a bot that starts many runs between two counts.
const RUN_BETWEEN_COUNTS: Duration = Duration::from_micros(200);

/// A bot under watch.
pub(crate) struct Watch {
    bot: Pid,
    /// The process of ours that keeps its namespaces, where it has some, and adopts its orphans. Its
    /// time is theirs; it is not the bot's to answer for otherwise.
    first: Option<Pid>,
    /// The bot, its descendants and `first` when they were last counted.
    pub tree: Tree,
    /// What the system did at that time.
    load: Load,
    /// How often it was looked at.
    pub looks: u32,
    plan: LookSchedule,
    memory: Memory,
    disk: Disk,
    /// The limit that it went beyond, if it did.
    pub beyond: Option<ExceededLimit>,
}

impl Watch {
    pub(crate) fn new(bot: Pid, first: Option<Pid>) -> Watch {
        let tree = Tree { processes: vec![bot], tasks: vec![bot] };
        Watch {
            bot,
            first,
            tree,
            load: Load::default(),
            looks: 0,
            plan: LookSchedule::new(),
            memory: Memory::default(),
            disk: Disk::default(),
            beyond: None,
        }
    }

    /// Whether the last count is right in a system that does this: no process was started in all of it
    /// since, and none was missed.
    pub(crate) fn is_count_of(&self, load: Load) -> bool {
        load.newest.is_some() && load.newest == self.load.newest
    }

    /// Counts the bot's processes, unless the last count is still right. One that has started more
    /// than a few, and is not frozen already, is stopped for that. Returns whether it was.
    pub(crate) fn count(&mut self, limits: &Resources, load: Load, is_frozen: bool) -> bool {
        if self.is_count_of(load) {
            return false;
        }
        let has_grown = self.load.all > 0 && load.all > self.load.all + FEW_NEW;
        let few = if limits.processes.is_none() || is_frozen {
            usize::MAX
        } else if has_grown && tree::has_children(self.bot, self.first) {
            0
        } else {
            self.tree.tasks.len() + FEW_NEW
        };
        self.load = load;
        let ours = usize::from(self.first.is_some());
        let limit = limits.processes.map_or(usize::MAX, |limit| limit as usize + ours);
        let few = Tree::of_at_most(few);
        let is_held = few.is_none();
        let tree = few.unwrap_or_else(|| self.hold(limit));
        let before = std::mem::replace(&mut self.tree, tree);
        let after = &self.tree.processes;
        // One whose parent ended while it was looked for was missed.
        if !before.processes.iter().all(|one| after.contains(one)) {
            self.load.newest = None;
        }
        if self.tree.tasks.len() > limit {
            self.beyond = Some(ExceededLimit::Processes);
            return is_held;
        }
        let new = self.own().filter(|one| !before.processes.contains(one));
        // What was started before the bot itself was marked was not.
        new.for_each(end_first_without_memory);
        tree::reap_orphans(self.bot);
        if let Some(limit) = limits.cpu_time {
            // What was started before the bot itself was limited was not.
            self.own().for_each(|one| system::limit_cpu_time(one, limit));
        }
        is_held
    }

    /// Stops and counts the bot, for to look for processes one by one takes longer than to start
    /// more; lets it run for a moment and counts again, until it starts none or is killed because it
    /// has more than `limit`.
    fn hold(&self, limit: usize) -> Tree {
        let mut before = self.tree.tasks.len();
        let _hurry = HighestPriority::begin();
        loop {
            let _ = kill_process_group(self.bot, Signal::STOP);
            // Some may have left the group.
            let mut others = StoppedProcesses::default();
            others.stop(tree::below_us);
            let tree = Tree::below_us();
            if tree.tasks.len() > limit {
                system::kill_with_group(self.bot);
                tree::kill_all_below_us(&[self.bot]);
                return tree;
            }
            if tree.processes.len() > FEW_NEW {
                // Or we would be late for the next look.
                crowd::run_later(self.bot, &tree.processes);
            }
            // This also wakes what the bot itself has stopped.
            let _ = kill_process_group(self.bot, Signal::CONT);
            drop(others);
            let have_come = tree.tasks.len().saturating_sub(before);
            if have_come < 4 {
                return tree;
            }
            before = tree.tasks.len();
            // Who sleeps wakes up too late.
            let end = Instant::now() + RUN_BETWEEN_COUNTS;
            while Instant::now() < end {
                std::hint::spin_loop();
            }
        }
    }

    /// Whether the system has started more than a few processes since the bot's were counted.
    pub(crate) fn may_have_grown(&self, load: Load) -> bool {
        let counted = load.newest.zip(self.load.newest);
        counted.is_none_or(|(newest, before)| newest.abs_diff(before) as usize > FEW_NEW)
    }

    /// Looks once, if it is time for that; `folder` is the bot's private one, if it has one, and `places`
    /// are where else it may write as a build. Returns the processor time that it took, if it has looked.
    pub(crate) fn look(
        &mut self,
        limits: &Resources,
        folder: Option<&Path>,
        places: &[PathBuf],
        reason: LookReason,
    ) -> Option<Duration> {
        self.looks += 1;
        let newest = self.load.newest;
        if self.looks.is_multiple_of(COUNT_EVERY) {
            self.load.newest = None;
        }
        let written = || places.iter().map(PathBuf::as_path).chain(folder);
        if self.beyond.is_some() || !self.plan.is_due(reason, written(), limits) {
            return None;
        }
        let before = self.plan.begin(written());
        self.look_at_all(limits, folder, places, (newest, reason));
        Some(self.plan.end(before))
    }

    /// Looks at its memory, its descriptors and its files.
    fn look_at_all(
        &mut self,
        limits: &Resources,
        folder: Option<&Path>,
        places: &[PathBuf],
        (newest, reason): (Option<u32>, LookReason),
    ) {
        let own: Vec<Pid> = self.own().collect();
        let has_turn = reason == LookReason::Runs;
        let bot_runs = has_turn || reason == LookReason::Waits;
        let begin = || LookDeadline::begin(own.len()).of_running(bot_runs);
        let is_beyond_memory = |limit| self.memory.is_beyond(&own, newest, limit, begin());
        if limits.memory.is_some_and(is_beyond_memory) {
            self.beyond = Some(ExceededLimit::Memory);
            return;
        }
        // Before the files: they are seldom counted in time when there are too many descriptors.
        match self.memory.descriptors(&own, has_turn.then(begin)) {
            DescriptorCount::Few => {}
            // What the kernel keeps for those that were not counted is memory, too.
            DescriptorCount::Unknown if limits.memory.is_some() => {
                self.beyond = Some(ExceededLimit::Memory);
                return;
            }
            DescriptorCount::TooMany | DescriptorCount::Unknown => {
                self.beyond = Some(ExceededLimit::Descriptors);
                return;
            }
        }
        if let (Some(folder), Some(limit)) = (folder, limits.file_size)
            && self.disk.is_beyond((folder, places), &own, limit, begin())
        {
            self.beyond = Some(ExceededLimit::Files);
        }
    }

    /// The bot's processes as they were last counted.
    fn own(&self) -> impl Iterator<Item = Pid> {
        self.tree.processes.iter().copied().filter(|&one| Some(one) != self.first)
    }
}

/// Has the kernel, when it runs out of memory, end this process of ours before any other one. What
/// it starts from now on is as likely to be ended.
fn end_first_without_memory(pid: Pid) {
    let _ = fs::write(format!("/proc/{}/oom_score_adj", pid.as_raw_nonzero()), "1000");
}
