//! Bots that use the processor while their opponent is to move: noticed by the time they take, and
//! frozen until they are asked.

use std::os::fd::OwnedFd;
use std::time::{Duration, Instant};

use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::process::{Pid, Signal, kill_process};

use super::tree::Tree;
use crate::bot::system;

/// A bot that waits uses less than one part in so many of a core.
const ONE_PART_IN: u32 = 4;

/// Processes are looked for so often, at most, for some that were started meanwhile.
const SWEEPS: u32 = 20;

/// Whether a bot uses its opponent's time.
#[derive(Debug, Default)]
pub(super) struct Pondering {
    /// When it was seen to wait for its turn, and the processor time that it had used by then.
    waits: Option<(Instant, Duration)>,
    /// What is stopped, and was not when we stopped it.
    frozen: Vec<Pid>,
}

/// What a bot does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Seen {
    HasItsTurn,
    BeginsToWait,
    Waits,
    Ponders,
}

impl Pondering {
    /// Freezes the bot if it waits for its turn, as the byte in the pipe says, and uses the
    /// processor. `processes` are its own. Returns whether to look again soon.
    pub(super) fn look(&mut self, turns: &OwnedFd, processes: &[Pid]) -> bool {
        let seen = self.see(turns, processes);
        // Who takes the byte has the say; the referee may have been faster.
        if seen == Seen::Ponders
            && rustix::io::read(turns, &mut [0; 1]).is_ok_and(|count| count == 1)
        {
            self.freeze();
        }
        seen == Seen::BeginsToWait
    }

    fn see(&mut self, turns: &OwnedFd, processes: &[Pid]) -> Seen {
        let mut watched = [PollFd::new(turns, PollFlags::IN)];
        if !poll(&mut watched, Some(&Timespec::default())).is_ok_and(|ready| ready > 0) {
            self.waits = None;
            return Seen::HasItsTurn;
        }
        let now = (Instant::now(), system::processor_time(processes));
        let Some(before) = self.waits.replace(now) else { return Seen::BeginsToWait };
        let used = now.1.saturating_sub(before.1);
        if used * ONE_PART_IN > now.0 - before.0 { Seen::Ponders } else { Seen::Waits }
    }

    /// Stops all processes of the bot, and those that they start meanwhile.
    pub(super) fn freeze(&mut self) {
        self.waits = None;
        for _ in 0..SWEEPS {
            let all = Tree::below_us().processes;
            let new = all.into_iter().filter(|one| !self.frozen.contains(one));
            // What the bot has stopped itself stays stopped when it is let run.
            let new: Vec<Pid> = new.filter(|&one| system::is_running(one)).collect();
            if new.is_empty() {
                return;
            }
            for process in new {
                let _ = kill_process(process, Signal::STOP);
                self.frozen.push(process);
            }
        }
    }

    /// Lets run what was stopped.
    pub(super) fn thaw(&mut self) {
        if self.frozen.is_empty() {
            return;
        }
        // Numbers of processes that have ended may be a stranger's by now; what is below us is not.
        let below = Tree::below_us().processes;
        for process in self.frozen.drain(..).filter(|one| below.contains(one)) {
            let _ = kill_process(process, Signal::CONT);
        }
    }
}

#[cfg(test)]
mod tests {
    use std::io::Write as _;
    use std::process::{Command, Stdio};

    use super::*;

    #[test]
    fn who_uses_the_processor_while_it_waits_ponders() {
        for (script, seen) in
            [("while :; do :; done", Seen::Ponders), ("exec sleep 60", Seen::Waits)]
        {
            let mut child =
                Command::new("sh").args(["-c", script]).stdout(Stdio::null()).spawn().unwrap();
            let pid = [Pid::from_child(&child)];
            let (reader, mut writer) = std::io::pipe().unwrap();
            let turns = OwnedFd::from(reader);
            let mut pondering = Pondering::default();
            assert_eq!(pondering.see(&turns, &pid), Seen::HasItsTurn);
            writer.write_all(&[0]).unwrap();
            // Its start, and a machine with other things to do, take their time.
            assert_eq!(pondering.see(&turns, &pid), Seen::BeginsToWait);
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
