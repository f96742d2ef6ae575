//! What the whole system does.

use std::fs;

/// If more threads than this run, the referee and its wardens may wait too long for a processor.
pub const FEW_BUSY: usize = 8;

/// What the whole system does.
#[derive(Clone, Copy, Default)]
pub struct Load {
    /// How many processes and threads run, or would if they had a processor.
    pub running: usize,
    /// How many processes and threads there are.
    pub all: usize,
    /// The number that it gave to its newest process or thread.
    pub newest: Option<u32>,
}

impl Load {
    /// As it is now; nothing where the system does not tell.
    pub fn now() -> Load {
        Load::of(&fs::read_to_string("/proc/loadavg").unwrap_or_default()).unwrap_or_default()
    }

    /// Whether more than a few threads run.
    pub const fn is_crowded(self) -> bool {
        self.running > FEW_BUSY
    }

    /// `0.20 0.18 0.12 1/80 11206`
    fn of(text: &str) -> Option<Load> {
        let mut words = text.split_whitespace().skip(3);
        let (running, all) = words.next()?.split_once('/')?;
        let (running, all) = (running.parse().ok()?, all.parse().ok()?);
        Some(Load { running, all, newest: words.next()?.parse().ok() })
    }
}
