//! Bots that use the processor while their opponent is to move: noticed by the time they take, and
//! frozen until they are asked.

use std::rc::Rc;
use std::time::{Duration, Instant};

use rustix::process::{Pid, Signal, kill_process_group};

use super::BETWEEN_LOOKS;
use super::group::GroupClock;
use super::processor_use::ProcessorUse;
use super::stopped::StoppedProcesses;
use super::tree;
use crate::bot::system;

/// What a bot may use of its opponent's time while it is watched, in all of a match. As much goes
/// unwatched, twice, and some until it is noticed: 40 ms in all.
const ALLOWANCE: Duration = Duration::from_millis(10);

/// It may also use 1/`ONE_PART_IN` of the time.
const ONE_PART_IN: u32 = 20;

/// More processes than this take too long to count: they are frozen without. The bot's group is
/// stopped before all are looked for: a warden that gets one part in hundreds of a core would look
/// for seconds.
const MANY: usize = 16;

/// The time between two looks at least.
const SHORTEST: Duration = Duration::from_millis(1);

/// Whether a bot uses its opponent's time.
#[derive(Debug)]
pub(super) struct Pondering {
    cores: u32,
    /// What counts the time of all its processes, where the kernel does.
    clock: Option<Rc<GroupClock>>,
    /// Whether it waits for its turn and runs.
    waits: bool,
    /// What it had used when that was measured last.
    last: Option<ProcessorUse>,
    next_look: Instant,
    /// What it has used in this match while it waited, and for how long it has waited.
    used: Duration,
    waited: Duration,
    /// Whether it has used too much, and is frozen whenever it waits.
    ponders: bool,
    frozen: StoppedProcesses,
    is_frozen: bool,
    /// The bot's group, where all of it was stopped at once.
    group: Option<Pid>,
}

impl Pondering {
    /// For a bot that begins to play, whose processes this `clock` counts.
    pub(super) fn new(clock: Option<Rc<GroupClock>>) -> Pondering {
        Pondering {
            cores: system::cores(),
            clock,
            waits: false,
            last: None,
            next_look: Instant::now(),
            used: Duration::ZERO,
            waited: Duration::ZERO,
            ponders: false,
            frozen: StoppedProcesses::default(),
            is_frozen: false,
            group: None,
        }
    }

    /// The bot, which has these `processes`, waits for its turn from now on. `newest` is the newest
    /// number of a process in the system.
    pub(super) fn bot_waits(&mut self, bot: Pid, processes: &[Pid], newest: Option<u32>) {
        self.ponders |= processes.len() > MANY;
        if self.ponders {
            self.freeze(bot, processes);
        } else if !self.waits && !self.is_frozen {
            self.waits = true;
            self.last = Some(self.used_by(processes, newest));
            self.plan_look();
        }
    }

    /// Freezes the bot if it waits for its turn and has used too much of that time. What runs of a
    /// frozen bot is stopped again.
    pub(super) fn look(&mut self, bot: Pid, processes: &[Pid], newest: Option<u32>) {
        if self.is_frozen {
            self.frozen.stop_again(processes);
            return;
        }
        if self.waits {
            self.measure(processes, newest);
            self.ponders |= processes.len() > MANY;
            if self.ponders {
                self.freeze(bot, processes);
            }
        }
    }

    /// Whether it is stopped until it has its turn.
    pub(super) const fn is_frozen(&self) -> bool {
        self.is_frozen
    }

    /// When to look next; none while it plays, or is frozen.
    pub(super) fn next_look(&self) -> Option<Instant> {
        self.waits.then_some(self.next_look)
    }

    /// The bot has its turn, and runs. Returns whether it has used too much of its opponent's time.
    pub(super) fn bot_plays(&mut self, processes: &[Pid], newest: Option<u32>) -> bool {
        if std::mem::take(&mut self.waits) {
            self.measure(processes, newest);
        }
        self.thaw();
        self.ponders
    }

    /// Freezes the bot until its next match. Returns whether none of its processes runs now.
    pub(super) fn rest(&mut self, bot: Pid, known: &[Pid]) -> bool {
        (self.used, self.waited, self.ponders) = (Duration::ZERO, Duration::ZERO, false);
        self.freeze(bot, known)
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
        let counted = self.clock.as_ref().and_then(|clock| clock.time());
        counted.map_or_else(
            || ProcessorUse::measure(processes, newest, self.last.as_ref()),
            ProcessorUse::counted,
        )
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
    /// meanwhile. Returns whether none of them runs now.
    fn freeze(&mut self, bot: Pid, known: &[Pid]) -> bool {
        self.waits = false;
        self.is_frozen = true;
        if known.len() > MANY && kill_process_group(bot, Signal::STOP).is_ok() {
            self.group = Some(bot);
        }
        self.frozen.stop(tree::below_us)
    }

    /// Lets run what was stopped.
    fn thaw(&mut self) {
        self.is_frozen = false;
        // This also wakes processes that the bot itself had stopped in a group of many.
        if let Some(group) = self.group.take() {
            let _ = kill_process_group(group, Signal::CONT);
        }
        self.frozen = StoppedProcesses::default();
    }
}

#[cfg(test)]
mod tests {
    use std::process::{Command, Stdio};

    use super::*;

    #[test]
    fn who_uses_too_much_while_it_waits_ponders() {
        for (script, expected) in [("while :; do :; done", true), ("exec sleep 60", false)] {
            let mut child =
                Command::new("sh").args(["-c", script]).stdout(Stdio::null()).spawn().unwrap();
            let bot = Pid::from_child(&child);
            // Its start takes its time, too.
            while !expected
                && std::fs::read(format!("/proc/{}/comm", child.id())).unwrap() != b"sleep\n"
            {
                std::thread::sleep(Duration::from_millis(1));
            }
            std::thread::sleep(Duration::from_millis(20));
            let mut pondering = Pondering::new(None);
            pondering.bot_waits(bot, &[bot], Some(1));
            // By a machine with other things to do it gets little, and is allowed little.
            while !pondering.ponders && pondering.waited < Duration::from_millis(400) {
                std::thread::sleep(Duration::from_millis(2));
                pondering.measure(&[bot], Some(1));
                let until_next = pondering.next_look().unwrap() - Instant::now();
                assert!(until_next <= BETWEEN_LOOKS, "{until_next:?}");
            }
            let (used, waited) = (pondering.used, pondering.waited);
            assert_eq!(pondering.ponders, expected, "{used:?} {waited:?}");
            assert_eq!(used > ALLOWANCE + waited / 20, expected, "{used:?} {waited:?}");
            child.kill().unwrap();
            child.wait().unwrap();
            assert_eq!(pondering.bot_plays(&[], Some(1)), pondering.ponders);
        }
    }

    #[test]
    fn what_was_used_in_several_turns_counts_together() {
        let own = rustix::process::getpid();
        let mut pondering = Pondering::new(None);
        let mut turns = 0;
        while !pondering.ponders {
            pondering.bot_waits(own, &[own], Some(1));
            let end = Instant::now() + Duration::from_millis(2);
            while Instant::now() < end {
                std::hint::spin_loop();
            }
            pondering.bot_plays(&[own], Some(1));
            turns += 1;
            assert!(turns < 10_000, "{:?} of {:?}", pondering.used, pondering.waited);
        }
        assert!(turns > 1);
    }
}
