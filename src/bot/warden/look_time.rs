//! How long one look at a bot may take. A bot can make a look slow: by many processes, each with
//! many mappings, or by so many running threads that the warden hardly gets a processor. What is
//! not counted by the deadline counts as the worst that it can be.

use std::time::{Duration, Instant};

use nix::time::{ClockId, clock_gettime};

/// Processor time of the warden for one look: some hundred processes, or 10,000 files, with room to spare.
const PROCESSOR_TIME: Duration = Duration::from_millis(150);

/// The longest look where the warden has to wait for a processor or for the kernel's locks.
const WALL_TIME: Duration = Duration::from_millis(400);

/// The deadline of one look.
#[derive(Clone, Copy, Debug)]
pub(super) struct LookTime {
    began: Instant,
    used_before: Duration,
}

impl LookTime {
    /// For a look that begins now.
    pub(super) fn begin() -> LookTime {
        LookTime { began: Instant::now(), used_before: used() }
    }

    /// Whether the look has to end.
    pub(super) fn is_over(&self) -> bool {
        self.began.elapsed() > WALL_TIME || used().saturating_sub(self.used_before) > PROCESSOR_TIME
    }

    /// One that is over already.
    #[cfg(test)]
    pub(super) fn over() -> LookTime {
        let began = Instant::now().checked_sub(2 * WALL_TIME).expect("the machine runs longer");
        LookTime { began, used_before: Duration::ZERO }
    }
}

/// The processor time that this thread has used.
fn used() -> Duration {
    clock_gettime(ClockId::CLOCK_THREAD_CPUTIME_ID).map_or(Duration::ZERO, Duration::from)
}
