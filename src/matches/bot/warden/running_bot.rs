//! A warden's bot, from its start until it is reaped.

use rustix::process::Pid;

use super::look_schedule::LookReason;
use super::sandbox::StartedBot;
use super::wire::ExceededLimit;
use crate::bot::system::{self, FEW_BUSY, Load};
use crate::bot::warden::idle::pondering::Pondering;
use crate::bot::warden::idle::stopped::StoppedGroup;
use crate::bot::warden::watching::tree::{self, Tree};
use crate::bot::warden::watching::watch::Watch;
use crate::record::Resources;

/// A bot that runs below its warden.
pub(super) struct RunningBot {
    pub(super) process: StartedBot,
    pub(super) watch: Watch,
    pub(super) pondering: Pondering,
    pub(super) has_left_its_cores: bool,
    /// How many processes the kernel had refused to the warden's bots before this one.
    pub(super) refused_before: u64,
}

impl RunningBot {
    /// Counts its processes. Returns whether it was stopped for that.
    pub(super) fn count(&mut self, limits: &Resources, load: Load) -> bool {
        if self.pondering.waits() {
            return self.count_idle(limits, load, true);
        }
        self.watch.count(limits, load, self.pondering.is_frozen())
    }

    /// The same while it waits for its turn and its `opponent_thinks`, or is about to. It is stopped if
    /// more than a few of its threads run: before the count, which takes long in a crowd, and after it,
    /// which may find more.
    pub(super) fn count_idle(
        &mut self,
        limits: &Resources,
        load: Load,
        opponent_thinks: bool,
    ) -> bool {
        let stop_crowd =
            if opponent_thinks { Pondering::stop_crowd_at_once } else { Pondering::stop_crowd };
        let bot = self.process.pid;
        let is_counted = self.watch.is_count_of(load);
        stop_crowd(&mut self.pondering, bot, &self.watch.tree.processes, load);
        if is_counted {
            return false;
        }
        let is_held = self.watch.count(limits, load, self.pondering.is_frozen());
        self.pondering.stop_again(bot, &self.watch.tree.processes);
        stop_crowd(&mut self.pondering, bot, &self.watch.tree.processes, Load::now());
        is_held
    }

    /// Counts its processes before a look. Returns whether it was stopped for that, and its group if that
    /// stays stopped until the look ends. A bot that has just started many threads in its own turn is:
    /// the look would else last into its opponent's turn.
    pub(super) fn count_for_look(
        &mut self,
        limits: &Resources,
        load: Load,
    ) -> (bool, Option<StoppedGroup>) {
        let Tree { processes, tasks } = &self.watch.tree;
        let few = tasks.len() + FEW_BUSY;
        let has_turn = !self.pondering.waits() && !self.pondering.is_frozen();
        let may_crowd = has_turn && load.running > few;
        let is_crowd = may_crowd && system::has_more_busy_threads(processes, few);
        let bot = self.process.pid;
        let stop =
            |processes: &[Pid]| is_crowd.then(|| StoppedGroup::stop(bot, processes)).flatten();
        let stopped = stop(processes);
        let is_held = self.count(limits, load);
        // The count may have let it go on.
        (is_held, stop(&self.watch.tree.processes).or(stopped))
    }

    /// Whether it is frozen, and the next look at it would cost its opponent more than it is worth.
    pub(super) fn look_can_wait(&mut self) -> bool {
        let watch = &self.watch;
        let has_new = || !watch.is_count_of(Load::now());
        watch.beyond.is_none() && self.pondering.look_can_wait(&watch.tree.processes, has_new)
    }

    /// Sees to it that it does not use its opponent's time. Returns whether it is to be ended, because
    /// nothing else does that.
    pub(super) fn stop_while_idle(&mut self, load: Load) -> bool {
        let tree = &self.watch.tree;
        let is_in_vain =
            self.pondering.look(self.process.pid, (&tree.processes, &tree.tasks), load.newest);
        if is_in_vain {
            self.watch.beyond.get_or_insert(ExceededLimit::Stop);
        }
        is_in_vain
    }

    /// Looks at its memory, descriptors and files, where there is a reason for that. While it
    /// `has_just_stopped`, no bot's clock runs. Returns whether it has gone beyond a limit and is to be ended.
    pub(super) fn look(&mut self, limits: &Resources, has_just_stopped: bool) -> bool {
        let reason =
            if has_just_stopped { LookReason::HasStopped } else { self.pondering.reason() };
        let is_stopping = self.is_stopping();
        let took =
            self.watch.look(limits, self.process.folder.as_deref(), &self.process.places, reason);
        if let Some(took) = took {
            self.pondering.was_looked_at(took, is_stopping);
        }
        self.watch.beyond.is_some()
    }

    /// Kills all its processes. The bot itself stays as a zombie.
    pub(super) fn kill_all(&self) {
        system::kill_with_group(self.process.pid);
        tree::kill_all_below_us(&[self.process.pid]);
    }

    /// Whether it is frozen and has still to come to stop.
    pub(super) fn is_stopping(&self) -> bool {
        self.pondering.is_stopping(&self.watch.tree.tasks)
    }
}
