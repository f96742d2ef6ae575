//! What the whole system does.

use std::fs;
use std::time::Duration;

/// If more threads than this run, the referee and its wardens may wait too long for a processor.
pub(crate) const FEW_BUSY: usize = 8;

/// Most looks at whether fewer threads run, and the time between two. Hundreds of threads come to stop
/// within some milliseconds.
const FALL_LOOKS: u32 = 30;
const BETWEEN_FALL_LOOKS: Duration = Duration::from_micros(100);

/// What the whole system does.
#[derive(Clone, Copy, Default)]
pub(crate) struct Load {
    /// How many processes and threads run, or would if they had a processor.
    pub running: usize,
    /// How many processes and threads there are.
    pub all: usize,
    /// The number that it gave to its newest process or thread.
    pub newest: Option<u32>,
}

impl Load {
    /// As it is now; nothing where the system does not tell.
    pub(crate) fn now() -> Load {
        Load::of(&fs::read_to_string("/proc/loadavg").unwrap_or_default()).unwrap_or_default()
    }

    /// Whether more than a few threads run.
    pub(crate) const fn is_crowded(self) -> bool {
        self.running > FEW_BUSY
    }

    /// Whether soon no more than a few threads run, or more than a few fewer than then.
    pub(crate) fn falls(self) -> bool {
        for _ in 0..FALL_LOOKS {
            let now = Load::now();
            if !now.is_crowded() || now.running + FEW_BUSY < self.running {
                return true;
            }
            std::thread::sleep(BETWEEN_FALL_LOOKS);
        }
        false
    }

    /// `0.20 0.18 0.12 1/80 11206`
    fn of(text: &str) -> Option<Load> {
        let mut words = text.split_whitespace().skip(3);
        let (running, all) = words.next()?.split_once('/')?;
        let (running, all) = (running.parse().ok()?, all.parse().ok()?);
        Some(Load { running, all, newest: words.next()?.parse().ok() })
    }
}
