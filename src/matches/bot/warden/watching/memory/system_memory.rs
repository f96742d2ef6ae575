//! What the whole system has taken since a bot was first looked at, where the bot's own may hide.

use std::fs;
use std::time::Duration;

use rustix::process::Pid;

use super::{KIB, bytes_of};
use crate::bot::system;
use crate::bot::warden::watching::processor_use::ProcessorUse;

/// How much memory nobody fills in a microsecond of a core: the kernel clears each page before.
const FILLED_IN_A_MICROSECOND: u64 = 80 * KIB;

/// The memory of the whole system that the bots' own may hide in.
#[derive(Clone, Copy, Debug)]
pub(super) struct SystemMemory {
    /// Of the kernel's own objects.
    pub(super) kernel: u64,
    /// Shared by processes.
    pub(super) shared: u64,
}

impl SystemMemory {
    fn now() -> SystemMemory {
        let text = fs::read_to_string("/proc/meminfo").unwrap_or_default();
        let bytes = |name| bytes_of(&text, name);
        // It may lie on the disk.
        let swapped = bytes("SwapTotal:").saturating_sub(bytes("SwapFree:"));
        SystemMemory { kernel: bytes("SUnreclaim:"), shared: bytes("Shmem:") + swapped }
    }

    fn least(self, other: SystemMemory) -> SystemMemory {
        SystemMemory {
            kernel: self.kernel.min(other.kernel),
            shared: self.shared.min(other.shared),
        }
    }
}

/// How much more of it there is than at the first look.
#[derive(Debug, Default)]
pub(super) struct SystemGrowth {
    /// The least that there was since the first look.
    least: Option<SystemMemory>,
    /// What others than the bot must have shared since.
    of_others: u64,
    /// At the last look: what there was shared, and what the bot had used before that was read.
    before: Option<(u64, ProcessorUse)>,
    /// The kernel's own memory at this look.
    kernel: Option<u64>,
}

impl SystemGrowth {
    /// All that was taken since, whoever took it.
    pub(super) fn of_all(&mut self) -> SystemMemory {
        (self.before, self.of_others) = (None, 0);
        self.since(SystemMemory::now())
    }

    /// The same without the shared memory that `processes` of a bot cannot have taken, for they had
    /// too little of a processor. `newest` is the newest number of a process in the system.
    pub(super) fn without_others(
        &mut self,
        processes: &[Pid],
        newest: Option<u32>,
    ) -> SystemMemory {
        let before = self.before.take();
        let measure = || {
            let last = before.as_ref().map(|(_, used)| used);
            ProcessorUse::measure(processes, newest, last)
        };
        // Used on both sides of what there is: no moment is in neither of two looks.
        let used = measure();
        let now = SystemMemory::now();
        if let Some((shared, last)) = &before {
            let used = measure().since(last, system::cores());
            self.of_others = of_others(self.of_others, *shared, now.shared, used);
        }
        self.before = Some((now.shared, used));
        self.since(now)
    }

    /// The kernel's own memory at this look, read where it was not yet.
    pub(super) fn take_kernel(&mut self) -> u64 {
        self.kernel.take().unwrap_or_else(|| SystemMemory::now().kernel)
    }

    fn since(&mut self, now: SystemMemory) -> SystemMemory {
        self.kernel = Some(now.kernel);
        let least = self.least.insert(now.least(self.least.unwrap_or(now)));
        let shared = (now.shared - least.shared).saturating_sub(self.of_others);
        SystemMemory { kernel: now.kernel - least.kernel, shared }
    }
}

/// Shared memory of other processes, in bytes: what it was `before`, and what all processes together
/// share more `now` than `then`, less what the bot can have filled in the processor time that it
/// `used`. Memory that was given back was theirs.
fn of_others(before: u64, then: u64, now: u64, used: Duration) -> u64 {
    let used = u64::try_from(used.as_micros()).unwrap_or(u64::MAX).saturating_add(1);
    let by_bot = used.saturating_mul(FILLED_IN_A_MICROSECOND);
    (before + now.saturating_sub(then).saturating_sub(by_bot))
        .saturating_sub(then.saturating_sub(now))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn who_has_not_run_has_taken_nothing() {
        let taken = |before: u64, then: u64, now: u64, milliseconds| {
            of_others(before << 20, then << 20, now << 20, Duration::from_millis(milliseconds))
                >> 20
        };
        assert_eq!(taken(7, 500, 600, 0), 106);
        // It may have taken as much.
        assert_eq!((taken(7, 500, 600, 1), taken(7, 500, 600, 2)), (28, 7));
        assert_eq!((taken(7, 500, 495, 0), taken(7, 500, 400, 9)), (2, 0));
    }

    #[test]
    fn all_that_was_taken_is_the_bot_s_unless_it_was_others() {
        let own = [rustix::process::getpid()];
        let mut growth = SystemGrowth::default();
        growth.of_all();
        growth.least.as_mut().unwrap().shared = 0;
        growth.of_others = 7 << 40;
        assert_eq!(growth.without_others(&own, Some(1)).shared, 0);
        assert!(growth.before.is_some());
        growth.of_all();
        assert!(growth.before.is_none() && growth.of_others == 0);
    }
}
