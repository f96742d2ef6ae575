//! All bots stopped for a moment: a bot outside the sandbox may kill what is to keep its opponent,
//! again and again, for as long as it runs.

use rustix::process::{Pid, Signal, kill_process};

use super::orphans;
use crate::bot::system;
use crate::bot::warden::tree;

/// How often, at most, processes that were started meanwhile are looked for.
const SWEEPS: u32 = 20;

/// While this lives, only wardens run below this process. Used between turns, when no bot's clock
/// runs.
#[derive(Debug)]
pub(in crate::bot) struct Standstill {
    /// What was not stopped before.
    stopped: Vec<Pid>,
}

impl Standstill {
    pub(in crate::bot) fn begin() -> Standstill {
        let mut standstill = Standstill { stopped: Vec::new() };
        for _ in 0..SWEEPS {
            let new: Vec<Pid> = bots()
                .into_iter()
                .filter(|one| !standstill.stopped.contains(one) && system::is_running(*one))
                .collect();
            if new.is_empty() {
                break;
            }
            for process in new {
                let _ = kill_process(process, Signal::STOP);
                standstill.stopped.push(process);
            }
        }
        standstill
    }
}

impl Drop for Standstill {
    fn drop(&mut self) {
        // Numbers of processes that have ended may be a stranger's by now; what is below us is not.
        let below = bots();
        for process in self.stopped.drain(..).filter(|one| below.contains(one)) {
            let _ = kill_process(process, Signal::CONT);
        }
    }
}

/// All processes below this one but the wardens.
fn bots() -> Vec<Pid> {
    let wardens = orphans::all_wardens().clone();
    tree::below_us().into_iter().filter(|process| !wardens.contains(process)).collect()
}
