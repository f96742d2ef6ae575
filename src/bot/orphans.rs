//! Descendants that outlive their bot: adopted, killed and reaped.
//!
//! A bot's child that starts a session of its own is not in the bot's process group, and one
//! whose parent has gone would belong to nobody. On Linux a program can adopt such orphans; any
//! child of ours that is no bot is then one. Elsewhere they are not found.

use std::collections::HashMap;
use std::collections::hash_map::Entry;
use std::sync::{Mutex, MutexGuard, OnceLock, PoisonError};
use std::time::{Duration, Instant};

use rustix::process::{Pid, Signal, WaitOptions, getpgid, kill_process, waitpid};

/// The children of ours that are bots, once orphans are adopted, and how often each number stands
/// for one: a number may be given anew before its last bearer is struck out.
static BOTS: OnceLock<Mutex<HashMap<Pid, usize>>> = OnceLock::new();

/// How long killed orphans may take to go.
const SWEEP_WAIT: Duration = Duration::from_millis(200);

/// Adopts the orphans of bots from now on. Where the kernel knows no such thing they live on.
pub(super) fn adopt() {
    #[cfg(target_os = "linux")]
    if rustix::process::set_child_subreaper(Some(rustix::process::getpid())).is_ok() {
        BOTS.get_or_init(Mutex::default);
    }
}

/// The bots, held while one is started or struck out, so that no sweep takes it for an orphan.
pub(super) struct Register(Option<MutexGuard<'static, HashMap<Pid, usize>>>);

/// Opens the register of bots.
pub(super) fn register() -> Register {
    Register(BOTS.get().map(|bots| bots.lock().unwrap_or_else(PoisonError::into_inner)))
}

impl Register {
    /// Enters a bot that was just started.
    pub(super) fn enter(&mut self, bot: Pid) {
        if let Some(bots) = &mut self.0 {
            *bots.entry(bot).or_default() += 1;
        }
    }

    /// Strikes out a bot that was just reaped, then kills and reaps every orphan there is, and
    /// the orphans that these leave. Those in the group of a bot that runs are that bot's.
    pub(super) fn strike_out_and_sweep(&mut self, bot: Pid) {
        let Some(bots) = &mut self.0 else { return };
        if let Entry::Occupied(mut times) = bots.entry(bot) {
            *times.get_mut() -= 1;
            if *times.get() == 0 {
                times.remove();
            }
        }
        let deadline = Instant::now() + SWEEP_WAIT;
        loop {
            let is_a_bot_s = |child: Pid| {
                bots.contains_key(&child)
                    || getpgid(Some(child)).is_ok_and(|group| bots.contains_key(&group))
            };
            let orphans: Vec<Pid> =
                children().into_iter().filter(|&child| !is_a_bot_s(child)).collect();
            if orphans.is_empty() || Instant::now() > deadline {
                return;
            }
            for &orphan in &orphans {
                let _ = kill_process(orphan, Signal::KILL);
            }
            for &orphan in &orphans {
                let _ = waitpid(Some(orphan), WaitOptions::NOHANG);
            }
            // Killed is not gone yet; what is gone is missing from the next list.
            std::thread::sleep(Duration::from_micros(200));
        }
    }
}

/// The children of all our threads.
fn children() -> Vec<Pid> {
    let Ok(threads) = std::fs::read_dir("/proc/self/task") else { return Vec::new() };
    let lists = threads
        .filter_map(|thread| std::fs::read_to_string(thread.ok()?.path().join("children")).ok());
    lists
        .flat_map(|list| {
            list.split_whitespace()
                .filter_map(|number| Pid::from_raw(number.parse().ok()?))
                .collect::<Vec<Pid>>()
        })
        .collect()
}
