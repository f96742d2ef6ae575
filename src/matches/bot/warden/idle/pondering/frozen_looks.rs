//! Looks at a bot that is frozen.

use std::time::{Duration, Instant};

use rustix::process::Pid;

use super::{LAST_CALL_AT_MOST, MOST_RUNS, Pondering};
use crate::bot::warden::idle::frozen::{
    AFTER_A_RUN, MANY, SLACK_OF_A_STOP, between_looks, stop_of,
};
use crate::bot::warden::watching::processor_use::ProcessorUse;

impl Pondering {
    /// Whether the next look at the bot, which had these `processes`, can wait: it is frozen, and has used
    /// next to nothing since the last one, after which the pause is not over. `has_new` says whether it
    /// may have others by now.
    pub(crate) fn look_can_wait(
        &mut self,
        processes: &[Pid],
        has_new: impl FnOnce() -> bool,
    ) -> bool {
        self.pace.is_early = false;
        let frozen = self.frozen.as_ref().filter(|frozen| !frozen.is_waited_for);
        let Some(seen) = frozen.and_then(|frozen| frozen.seen.as_ref()) else { return false };
        if self.pace.is_due() {
            return false;
        }
        if Instant::now() < self.next_look {
            return true;
        }
        let now = match self.counted() {
            Some(now) => now,
            None if has_new() => return false,
            None => ProcessorUse::of_living(processes, seen),
        };
        self.pace.is_early = now.seen_since(seen) > SLACK_OF_A_STOP;
        if !self.pace.is_early {
            self.next_look = Instant::now() + between_looks(processes);
        }
        !self.pace.is_early
    }

    /// A process is let go on by a signal, which it can have sent to itself by a timer: it runs until
    /// it is looked at, and may have stopped itself before that, or have started another one. What only
    /// has not come to stop yet was not let go on.
    pub(super) fn look_at_frozen(
        &mut self,
        processes: &[Pid],
        threads: &[Pid],
        newest: Option<u32>,
    ) -> bool {
        let now = self.used_by(processes, newest);
        let used = self.last.as_ref().map_or(Duration::ZERO, |last| now.seen_since(last));
        let late = self.late + used.saturating_sub(stop_of(processes));
        let Some(frozen) = &mut self.frozen else { return false };
        frozen.seen = Some(now);
        let was_late = !frozen.has_stopped && !frozen.is_waited_for;
        let has_run = if frozen.has_stopped {
            used > SLACK_OF_A_STOP
        } else {
            was_late && late > LAST_CALL_AT_MOST
                || frozen.processes.was_continued(processes)
                || frozen.stopped_ones_have_run(threads)
        };
        self.next_look = Instant::now()
            + if has_run && processes.len() <= MANY {
                AFTER_A_RUN
            } else {
                between_looks(processes)
            };
        if has_run || !frozen.has_stopped {
            self.runs += u32::from(has_run);
            frozen.processes.stop_again(processes);
            frozen.note_whether_stopped(threads);
            if has_run || frozen.has_stopped {
                // Until now it could take more.
                frozen.was_looked_at = false;
                frozen.stopped.clear();
                // Measured anew: a call may have ended since it was looked at.
                self.measure_frozen(was_late, processes, newest);
            }
        }
        let rests = self.frozen.as_ref().is_some_and(|frozen| frozen.rests);
        self.runs > if rests { 0 } else { MOST_RUNS }
    }

    /// Measures what a frozen bot has used; adds what it has since it was frozen if it `was_late` to stop.
    pub(super) fn measure_frozen(
        &mut self,
        was_late: bool,
        processes: &[Pid],
        newest: Option<u32>,
    ) {
        let now = self.used_by(processes, newest);
        if let Some(last) = self.last.as_ref().filter(|_| was_late) {
            self.late += now.seen_since(last).saturating_sub(stop_of(processes));
        }
        self.last = Some(now);
    }
}
