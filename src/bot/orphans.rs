//! Descendants that outlive their bot: adopted, killed and reaped.
//!
//! A bot's child that starts a session of its own is not in the bot's process group, and one
//! whose parent has gone would belong to nobody. On Linux a program can adopt such orphans; any
//! child of ours that is no bot is then one. Elsewhere they are not found.

use std::collections::HashMap;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, MutexGuard, OnceLock, PoisonError};
use std::time::{Duration, Instant};

use rustix::process::{Pid, Signal, WaitOptions, getpgid, kill_process, waitpid};

/// The bots that run, once orphans are adopted.
static BOTS: OnceLock<Mutex<HashMap<Mark, Pid>>> = OnceLock::new();

/// What tells a bot and its descendants from all others: a number never given twice, which they
/// inherit in their environment.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct Mark(u64);

impl Mark {
    /// The environment variable that holds it.
    pub(super) const VARIABLE: &str = "MANCALA_BOT";

    pub(super) fn new() -> Mark {
        static NEXT: AtomicU64 = AtomicU64::new(1);
        Mark(NEXT.fetch_add(1, Ordering::Relaxed))
    }

    /// The variable's value: our own process number and the mark's.
    pub(super) fn value(self) -> String {
        format!("{}.{}", std::process::id(), self.0)
    }
}

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
pub(super) struct Register(Option<MutexGuard<'static, HashMap<Mark, Pid>>>);

/// Opens the register of bots.
pub(super) fn register() -> Register {
    Register(BOTS.get().map(|bots| bots.lock().unwrap_or_else(PoisonError::into_inner)))
}

impl Register {
    /// Enters a bot that was just started.
    pub(super) fn enter(&mut self, mark: Mark, bot: Pid) {
        if let Some(bots) = &mut self.0 {
            bots.insert(mark, bot);
        }
    }

    /// Strikes out a bot that was just reaped, then kills and reaps every orphan there is, and
    /// the orphans that these leave. Those of a bot that runs are left alone: what is in its group
    /// or bears its mark.
    pub(super) fn strike_out_and_sweep(&mut self, mark: Mark) {
        let Some(bots) = &mut self.0 else { return };
        bots.remove(&mark);
        let deadline = Instant::now() + SWEEP_WAIT;
        loop {
            let is_a_bot_s = |child: Pid| {
                let group = getpgid(Some(child)).unwrap_or(child);
                bots.values().any(|&bot| bot == child || bot == group)
                    || (!bots.is_empty() && bears_any_mark(child, bots.keys()))
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

/// Whether a process inherited one of these marks.
fn bears_any_mark<'a>(process: Pid, mut marks: impl Iterator<Item = &'a Mark>) -> bool {
    let path = format!("/proc/{}/environ", process.as_raw_nonzero());
    let environment = std::fs::read(path).unwrap_or_default();
    let prefix = format!("{}=", Mark::VARIABLE);
    let mut variables = environment.split(|&byte| byte == 0);
    let value = variables.find_map(|variable| variable.strip_prefix(prefix.as_bytes()));
    value.is_some_and(|value| marks.any(|mark| mark.value().as_bytes() == value))
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
