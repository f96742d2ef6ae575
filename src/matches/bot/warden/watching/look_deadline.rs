//! How long one look at a bot may take. A bot can make a look slow: by many processes, each with
//! many mappings, or by running threads that leave the warden hardly any processor time. What is
//! not counted by the deadline counts as the worst that it can be.

use std::time::{Duration, Instant};

use nix::time::{ClockId, clock_gettime};

use super::{crowd, look_guard};

/// Processor time of the warden for one look: some hundred processes, or 10,000 files, with room to spare.
const PROCESSOR_TIME: Duration = Duration::from_millis(150);

/// The longest look at a bot with more than [`crowd::ON_EACH`] processes, which may leave the warden
/// without a processor, or keep the kernel's locks.
const WALL_TIME_OF_CROWD: Duration = Duration::from_millis(400);

/// The longest look at any other bot. If the warden waits longer, others take the processor: the bot
/// is not to blame.
const WALL_TIME: Duration = Duration::from_secs(4);

#[derive(Clone, Copy)]
pub(super) struct LookDeadline {
    began: Instant,
    used_before: Duration,
    wall_time: Duration,
    bot_runs: bool,
}

impl LookDeadline {
    /// For a look that begins now, at a stopped bot of `processes` processes.
    pub(super) fn begin(processes: usize) -> LookDeadline {
        let wall_time = if processes > crowd::ON_EACH { WALL_TIME_OF_CROWD } else { WALL_TIME };
        LookDeadline { began: Instant::now(), used_before: used(), wall_time, bot_runs: false }
    }

    /// The same where the bot runs, if it does.
    pub(super) const fn of_running(self, bot_runs: bool) -> LookDeadline {
        LookDeadline { bot_runs, ..self }
    }

    /// A part of the look for which the bot can have us wait: where it runs, it is stopped if it does.
    pub(super) fn guarded<T>(&self, look: impl FnOnce() -> T) -> T {
        if self.bot_runs { look_guard::guarded(look) } else { look() }
    }

    /// Whether the look has to end.
    pub(super) fn is_over(&self) -> bool {
        self.began.elapsed() > self.wall_time
            || used().saturating_sub(self.used_before) > PROCESSOR_TIME
    }

    /// One that is over already.
    #[cfg(test)]
    pub(super) fn over() -> LookDeadline {
        LookDeadline { wall_time: Duration::ZERO, ..LookDeadline::begin(1) }
    }
}

/// The processor time that this thread has used.
pub(crate) fn used() -> Duration {
    clock_gettime(ClockId::CLOCK_THREAD_CPUTIME_ID).map_or(Duration::ZERO, Duration::from)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn waiting_for_a_processor_ends_only_the_look_at_a_crowd() {
        let began = Instant::now().checked_sub(Duration::from_secs(1)).unwrap();
        for (processes, is_over) in [(1, false), (crowd::ON_EACH, false), (100, true)] {
            let time = LookDeadline { began, ..LookDeadline::begin(processes) };
            assert_eq!(time.is_over(), is_over, "{processes}");
        }
        assert!(LookDeadline::over().is_over());
    }

    #[test]
    fn work_of_its_own_ends_any_look() {
        let time = LookDeadline::begin(1);
        let end = Instant::now() + Duration::from_mins(1);
        while !time.is_over() && Instant::now() < end {
            std::hint::spin_loop();
        }
        assert!(used().saturating_sub(time.used_before) > PROCESSOR_TIME);
    }
}
