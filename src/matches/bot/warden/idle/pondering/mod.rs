//! Bots that use the processor while their opponent is to move: noticed by the time they take, and
//! frozen until they are asked.

mod frozen_looks;

use std::rc::Rc;
use std::time::{Duration, Instant};

use rustix::process::Pid;

use super::frozen::{AFTER_A_RUN, Frozen, MANY, Pace};
use super::stopped::StoppedGroup;
use crate::bot::system::{self, FEW_BUSY, Load};
use crate::bot::warden::BETWEEN_LOOKS;
use crate::bot::warden::look_schedule::LookReason;
use crate::bot::warden::start::control_group::GroupClock;
use crate::bot::warden::watching::processor_use::ProcessorUse;
use crate::bot::warden::watching::tree;

/// What a bot may use of its opponent's time while it is watched, in all of a match. As much goes
/// unwatched, twice, and some until it is noticed: 40 ms in all.
const ALLOWANCE: Duration = Duration::from_millis(10);

/// It may also use 1/`ONE_PART_IN` of the time.
const ONE_PART_IN: u32 = 20;

/// The time between two looks at least.
const SHORTEST: Duration = Duration::from_millis(1);

/// What a look takes at most for which the bot does not pay, where it has some tens of threads.
const FREE_LOOK: Duration = Duration::from_millis(1);

/// What a frozen bot uses until it has stopped, in all of a match at most: a thread stops when the call
/// of the system ends that it is in. To take or to return a hundred MiB takes some tens of
/// milliseconds. The warden waits as long where no bot's clock runs.
pub(crate) const LAST_CALL_AT_MOST: Duration = Duration::from_millis(300);

/// So often may a frozen bot be found to have run in a match: somebody else may have let it go on. One
/// that plays none loses nothing when it is ended.
const MOST_RUNS: u32 = 2;

/// How often, at most, a bot is stopped at once in a match and runs on, because others crowd the system.
const MOST_STOPS_IN_VAIN: u32 = 2;

/// Most looks at whether a bot uses the processor, and the time before each.
const RUN_LOOKS: u32 = 4;
const BETWEEN_RUN_LOOKS: Duration = Duration::from_micros(100);

/// Whether a bot uses its opponent's time.
pub(crate) struct Pondering {
    cores: u32,
    /// What counts the time of all its processes, where the kernel does.
    clock: Option<Rc<GroupClock>>,
    /// Whether it waits for its turn and runs.
    waits: bool,
    /// What it had used when that was measured last; once it is frozen, when it was stopped.
    last: Option<ProcessorUse>,
    next_look: Instant,
    /// What it has used in this match while it waited, and for how long it has waited.
    used: Duration,
    waited: Duration,
    /// Whether it has used too much, and is frozen whenever it waits.
    ponders: bool,
    /// Whether the last look at what it has took too much of a core. Before another one can fall into its
    /// opponent's time it is frozen.
    is_dear: bool,
    /// How often in this match it was stopped at once and the system had as much to do without it.
    stops_in_vain: u32,
    /// The bot's group, where all of it was stopped at once.
    group: Option<StoppedGroup>,
    frozen: Option<Frozen>,
    /// What it has used in this match while it was frozen and had not come to stop, in its opponent's
    /// time.
    late: Duration,
    /// How often it was found to have run although it was frozen, in this match or rest.
    runs: u32,
    pace: Pace,
}

impl Pondering {
    /// For a bot that begins to play, whose processes this `clock` counts.
    pub(crate) fn new(clock: Option<Rc<GroupClock>>) -> Pondering {
        Pondering {
            cores: system::cores(),
            clock,
            waits: false,
            last: None,
            next_look: Instant::now(),
            used: Duration::ZERO,
            waited: Duration::ZERO,
            ponders: false,
            is_dear: false,
            stops_in_vain: 0,
            group: None,
            frozen: None,
            late: Duration::ZERO,
            runs: 0,
            pace: Pace::new(),
        }
    }

    /// The bot, which has these `processes`, waits for its turn from now on. `newest` is the newest
    /// number of a process in the system. Returns whether it is to be waited for until it has come to
    /// stop: before its opponent's time, in which one was frozen that ponders first.
    pub(crate) fn bot_waits(&mut self, bot: Pid, processes: &[Pid], newest: Option<u32>) -> bool {
        let is_known = self.ponders;
        self.ponders |= processes.len() > MANY || self.group.is_some() || self.is_dear;
        if self.ponders {
            self.freeze(bot, processes, newest);
            self.frozen.get_or_insert_default().is_waited_for = is_known;
        } else if !self.waits && self.frozen.is_none() {
            self.waits = true;
            self.last = Some(self.used_by(processes, newest));
            self.plan_look();
        }
        is_known
    }

    /// Stops the group of a bot that is about to wait, if more than a few threads of these `processes`
    /// run. To be called first: beside a crowd every other step takes too long.
    pub(crate) fn stop_crowd(&mut self, bot: Pid, processes: &[Pid], load: Load) {
        if self.may_crowd(load) && system::has_more_busy_threads(processes, FEW_BUSY) {
            self.group = StoppedGroup::stop(bot, processes);
        }
    }

    /// The same in its opponent's time, in which to ask what each thread does takes too long. A bot
    /// with more than a few that uses the processor is stopped first, and runs on if the system has
    /// as much to do without it. One that did so twice in a match is asked for its threads.
    pub(crate) fn stop_crowd_at_once(&mut self, bot: Pid, processes: &[Pid], load: Load) {
        let has_some = self.may_crowd(load) && system::has_more_threads(processes, FEW_BUSY);
        if !has_some || !are_running(processes) {
            return;
        }
        // What the bot itself has stopped would run on with it.
        let has_stopped_some = processes.iter().any(|&one| system::has_stopped(one));
        if self.stops_in_vain >= MOST_STOPS_IN_VAIN || has_stopped_some {
            return self.stop_crowd(bot, processes, load);
        }
        self.group = StoppedGroup::stop(bot, processes);
        if !load.falls() {
            self.stops_in_vain += 1;
            StoppedGroup::resume(&mut self.group);
        }
    }

    /// Whether it runs where more than a few threads of the system do.
    const fn may_crowd(&self, load: Load) -> bool {
        load.is_crowded() && self.frozen.is_none() && self.group.is_none()
    }

    /// Stops the group again, if it was stopped: a count may have let it go on.
    pub(crate) fn stop_again(&mut self, bot: Pid, processes: &[Pid]) {
        if self.group.is_some() {
            self.group = StoppedGroup::stop(bot, processes).or(self.group.take());
        }
    }

    /// Whether it is frozen and one of its threads, which are these, has still to come to stop.
    pub(crate) fn is_stopping(&self, threads: &[Pid]) -> bool {
        self.frozen.as_ref().is_some_and(|frozen| frozen.is_stopping(threads))
    }

    /// It was waited for until it had come to stop, or for long enough. What it uses from now on is its
    /// opponent's time.
    pub(crate) fn was_waited_for(&mut self, processes: &[Pid], threads: &[Pid]) {
        let now = self.used_by(processes, None);
        if let Some(frozen) = &mut self.frozen {
            frozen.is_waited_for = false;
            frozen.note_whether_stopped(threads);
            frozen.seen = Some(now.clone());
            self.last = Some(now);
            self.pace.pause();
        }
    }

    /// A look at the bot took this time of a core. The bot has used that itself if the look was dear, or
    /// if it was frozen and the look came early.
    pub(crate) fn look_took(&mut self, took: Duration) {
        if self.waits {
            self.used += took.saturating_sub(FREE_LOOK);
        }
        if self.pace.is_early {
            self.late += took;
        }
        if self.frozen.is_some() {
            self.pace.note(took);
        }
    }

    /// Freezes the bot, which has these `processes` and `threads`, if it waits for its turn and has
    /// used too much of that time. What runs of a frozen bot is stopped again. Returns whether it has
    /// run too often, so that it is to be ended.
    pub(crate) fn look(
        &mut self,
        bot: Pid,
        (processes, threads): (&[Pid], &[Pid]),
        newest: Option<u32>,
    ) -> bool {
        if self.frozen.is_some() {
            return self.look_at_frozen(processes, threads, newest);
        }
        if self.waits {
            self.measure(processes, newest);
            self.ponders |= processes.len() > MANY || self.group.is_some();
            if self.ponders {
                self.freeze(bot, processes, newest);
            }
        }
        false
    }

    /// Whether it waits for its turn, and runs.
    pub(crate) const fn waits(&self) -> bool {
        self.waits
    }

    /// Whether it is stopped until it has its turn.
    pub(crate) const fn is_frozen(&self) -> bool {
        self.frozen.is_some()
    }

    /// Why what it has is to be looked at.
    pub(crate) fn reason(&self) -> LookReason {
        match &self.frozen {
            Some(frozen) if frozen.was_looked_at && frozen.has_stopped => LookReason::None,
            Some(frozen) if frozen.was_looked_at => LookReason::HangsInCall,
            Some(_) => LookReason::IsFrozen,
            None if self.waits => LookReason::Waits,
            None => LookReason::Runs,
        }
    }

    /// What it has was looked at, which took this time of a core: the bot makes looks dear, so that
    /// while it waits it has used that itself.
    pub(crate) fn was_looked_at(&mut self, took: Duration, is_stopping: bool) {
        self.is_dear = took > ALLOWANCE;
        if self.waits {
            self.used += took;
            self.plan_look();
        }
        if let Some(frozen) = &mut self.frozen {
            frozen.was_looked_at = !is_stopping;
        }
    }

    /// When to look next; none while it plays, or rests.
    pub(crate) fn next_look(&self) -> Option<Instant> {
        let is_watched = self.waits || self.frozen.as_ref().is_some_and(|frozen| !frozen.rests);
        is_watched.then_some(self.next_look)
    }

    /// The bot has its turn, and runs. Returns whether it has used too much of its opponent's time.
    pub(crate) fn bot_plays(&mut self, processes: &[Pid], newest: Option<u32>) -> bool {
        if std::mem::take(&mut self.waits) {
            self.measure(processes, newest);
        } else if self.frozen.as_ref().is_some_and(|frozen| !frozen.has_stopped && !frozen.rests) {
            self.measure_frozen(true, processes, newest);
        }
        self.thaw();
        self.ponders
    }

    /// Freezes the bot until its next match. Returns whether all its processes were found. It is to be
    /// waited for until they have come to stop.
    pub(crate) fn rest(&mut self, bot: Pid, known: &[Pid]) -> bool {
        (self.used, self.waited, self.ponders) = (Duration::ZERO, Duration::ZERO, false);
        (self.late, self.runs, self.stops_in_vain) = (Duration::ZERO, 0, 0);
        let is_whole = self.freeze(bot, known, None);
        let frozen = self.frozen.get_or_insert_default();
        (frozen.rests, frozen.is_waited_for) = (true, true);
        is_whole
    }

    /// Adds what was used since the last look.
    fn measure(&mut self, processes: &[Pid], newest: Option<u32>) {
        let now = self.used_by(processes, newest);
        if let Some(last) = &self.last {
            self.used += now.since(last, self.cores);
            self.waited += now.elapsed_since(last);
        }
        self.last = Some(now);
        self.ponders |= self.used > self.allowed();
        self.plan_look();
    }

    fn used_by(&self, processes: &[Pid], newest: Option<u32>) -> ProcessorUse {
        let before = self.last.as_ref();
        self.counted().unwrap_or_else(|| ProcessorUse::measure(processes, newest, before))
    }

    /// What all its processes have used, where the kernel counts that.
    fn counted(&self) -> Option<ProcessorUse> {
        self.clock.as_ref()?.time().map(ProcessorUse::counted)
    }

    /// What it may have used by now.
    fn allowed(&self) -> Duration {
        ALLOWANCE + self.waited / ONE_PART_IN
    }

    /// The next look is when it may have used too much at the earliest.
    fn plan_look(&mut self) {
        let left = self.allowed().saturating_sub(self.used) / self.cores;
        self.next_look = Instant::now() + left.clamp(SHORTEST, BETWEEN_LOOKS);
    }

    /// Stops all processes of the bot, of which these are known, and those that they start
    /// meanwhile. Returns whether no more were found at last.
    fn freeze(&mut self, bot: Pid, known: &[Pid], newest: Option<u32>) -> bool {
        self.waits = false;
        self.next_look = Instant::now() + AFTER_A_RUN;
        let frozen = self.frozen.get_or_insert_default();
        frozen.has_stopped = false;
        frozen.stopped.clear();
        frozen.seen = None;
        if known.len() > MANY && self.group.is_none() {
            self.group = StoppedGroup::stop(bot, &[]);
        }
        let is_whole = frozen.processes.stop(tree::below_us);
        self.last = Some(self.used_by(known, newest));
        is_whole
    }

    /// Lets run what was stopped.
    fn thaw(&mut self) {
        StoppedGroup::resume(&mut self.group);
        self.frozen = None;
    }
}

/// Whether `processes` use the processor now.
fn are_running(processes: &[Pid]) -> bool {
    let used = || processes.iter().filter_map(|&one| system::processor_time(one)).sum::<Duration>();
    let mut before = used();
    (0..RUN_LOOKS).any(|_| {
        // The system counts what a thread has used when it leaves the processor, to this one at least.
        std::thread::sleep(BETWEEN_RUN_LOOKS);
        let now = used();
        now.saturating_sub(std::mem::replace(&mut before, now)) >= BETWEEN_RUN_LOOKS / 2
    })
}

#[cfg(test)]
mod tests;
