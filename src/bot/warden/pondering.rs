//! Bots that use the processor while their opponent is to move: noticed by the time they take, and
//! frozen until they are asked.

use std::os::fd::OwnedFd;
use std::time::{Duration, Instant};

use rustix::process::{Pid, Signal, kill_process_group};

use super::stopped::StoppedProcesses;
use super::tree;
use crate::bot::system;

/// A bot that waits uses less than 1/`ONE_PART_IN` of a core.
const ONE_PART_IN: u32 = 4;

/// Of more processes than this, only some are looked at, and the bot's group is stopped before all
/// are looked for: a warden that gets one part in hundreds of a core would look for seconds.
const MANY: usize = 16;

/// Whether a bot uses its opponent's time.
#[derive(Debug, Default)]
pub(super) struct Pondering {
    /// When it was seen to wait for its turn, and what it had used by then.
    waits: Option<(Instant, Used)>,
    frozen: StoppedProcesses,
    is_frozen: bool,
    /// The bot's group, where all of it was stopped at once.
    group: Option<Pid>,
}

/// The processor time that some of a bot's processes had used.
#[derive(Debug)]
struct Used {
    /// At most [`MANY`], evenly chosen.
    by: Vec<Pid>,
    time: Duration,
}

impl Used {
    fn by_some_of(processes: &[Pid]) -> Used {
        let every = processes.len().div_ceil(MANY).max(1);
        let by: Vec<Pid> = processes.iter().step_by(every).copied().collect();
        Used { time: system::processor_time(&by), by }
    }

    /// What all `processes` have used since, if the others are like the ones that were measured.
    fn since_by(&self, processes: usize) -> Duration {
        let used = system::processor_time(&self.by).saturating_sub(self.time);
        let times = u32::try_from(processes.div_ceil(self.by.len().max(1)));
        used.saturating_mul(times.unwrap_or(u32::MAX))
    }
}

/// What a bot does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum BotActivity {
    HasItsTurn,
    BeginsToWait,
    Waits,
    Ponders,
}

impl Pondering {
    /// Freezes the bot if it waits for its turn, as the byte in the pipe says, and uses the
    /// processor. What runs of a frozen bot is stopped again. `processes` are its own. Returns
    /// whether to look again soon.
    pub(super) fn look(&mut self, turns: Option<&OwnedFd>, bot: Pid, processes: &[Pid]) -> bool {
        if self.is_frozen {
            self.frozen.stop_again(processes);
            return false;
        }
        let Some(turns) = turns else { return false };
        let seen = self.see(turns, processes);
        // Whichever side takes the byte decides; the referee may have been faster.
        if seen == BotActivity::Ponders
            && rustix::io::read(turns, &mut [0; 1]).is_ok_and(|count| count == 1)
        {
            self.freeze(bot, processes);
        }
        seen == BotActivity::BeginsToWait
    }

    fn see(&mut self, turns: &OwnedFd, processes: &[Pid]) -> BotActivity {
        if !system::is_readable(turns) {
            self.waits = None;
            return BotActivity::HasItsTurn;
        }
        let Some((since, used)) = &self.waits else {
            self.waits = Some((Instant::now(), Used::by_some_of(processes)));
            return BotActivity::BeginsToWait;
        };
        let used = used.since_by(processes.len()).saturating_mul(ONE_PART_IN);
        let seen = if used > since.elapsed() { BotActivity::Ponders } else { BotActivity::Waits };
        self.waits = Some((Instant::now(), Used::by_some_of(processes)));
        seen
    }

    /// Stops all processes of the bot, of which these are known, and those that they start
    /// meanwhile. Returns whether none of them runs now.
    pub(super) fn freeze(&mut self, bot: Pid, known: &[Pid]) -> bool {
        self.waits = None;
        self.is_frozen = true;
        if known.len() > MANY && kill_process_group(bot, Signal::STOP).is_ok() {
            self.group = Some(bot);
        }
        self.frozen.stop(tree::below_us)
    }

    /// Lets run what was stopped.
    pub(super) fn thaw(&mut self) {
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
    use std::io::Write as _;
    use std::process::{Command, Stdio};

    use super::*;

    #[test]
    fn of_many_processes_only_some_are_looked_at_and_stand_for_all() {
        let own = rustix::process::getpid();
        assert_eq!(Used::by_some_of(&[own; 3]).by.len(), 3);
        let used = Used::by_some_of(&[own; 250]);
        assert_eq!(used.by.len(), 16);
        let end = Instant::now() + Duration::from_millis(30);
        while Instant::now() < end {
            std::hint::spin_loop();
        }
        // This thread alone had some of that time.
        let some = used.since_by(16);
        let all = used.since_by(250);
        assert!(!some.is_zero() && all >= some * 15, "{some:?} {all:?}");
    }

    #[test]
    fn who_uses_the_processor_while_it_waits_ponders() {
        for (script, seen) in
            [("while :; do :; done", BotActivity::Ponders), ("exec sleep 60", BotActivity::Waits)]
        {
            let mut child =
                Command::new("sh").args(["-c", script]).stdout(Stdio::null()).spawn().unwrap();
            let pid = [Pid::from_child(&child)];
            let (reader, mut writer) = std::io::pipe().unwrap();
            let turns = OwnedFd::from(reader);
            let mut pondering = Pondering::default();
            assert_eq!(pondering.see(&turns, &pid), BotActivity::HasItsTurn);
            writer.write_all(&[0]).unwrap();
            // Its start, and a machine with other things to do, take their time.
            assert_eq!(pondering.see(&turns, &pid), BotActivity::BeginsToWait);
            let mut looks = (0..200).map(|_| {
                std::thread::sleep(Duration::from_millis(20));
                pondering.see(&turns, &pid)
            });
            assert!(looks.any(|look| look == seen), "{script}");
            child.kill().unwrap();
            child.wait().unwrap();
        }
    }
}
