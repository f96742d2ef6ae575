//! A bot that is stopped until it is its turn: what was stopped, and whether it has come to stop.

use std::collections::HashMap;
use std::time::{Duration, Instant};

use rustix::process::Pid;

use super::stopped::StoppedProcesses;
use crate::bot::system;
use crate::bot::warden::BETWEEN_LOOKS;
use crate::bot::warden::watching::processor_use::ProcessorUse;

/// What a frozen bot uses at most, once it was seen to have stopped.
pub(super) const SLACK_OF_A_STOP: Duration = Duration::from_millis(1);

/// What each process of a frozen bot uses to come to stop.
const COST_OF_A_STOP: Duration = Duration::from_micros(100);

/// More processes than this take too long to count: they are frozen without. The bot's group is
/// stopped before all are looked for: a warden that gets one part in hundreds of a core would look
/// for seconds.
pub(super) const MANY: usize = 16;

/// The time between two looks at a frozen bot; and after one that ran again.
const BETWEEN_STOPPED: Duration = Duration::from_millis(5);
pub(super) const AFTER_A_RUN: Duration = Duration::from_millis(2);

/// The pause after a look at a frozen bot, in times of what the look took of its opponent's core.
/// Meanwhile only its processor time is looked at.
const PAUSE: u32 = 40;

/// When the processes and threads of a frozen bot are looked at. The bot decides what that costs, and
/// its opponent pays.
pub(super) struct Pace {
    /// What the last look took of a core.
    took: Duration,
    due: Instant,
    /// Whether the next look comes before it is due, because the bot has run.
    pub(super) is_early: bool,
}

impl Pace {
    pub(super) fn new() -> Pace {
        Pace { took: Duration::ZERO, due: Instant::now(), is_early: false }
    }

    pub(super) fn is_due(&self) -> bool {
        self.due <= Instant::now()
    }

    /// The next look is due after a pause from now on.
    pub(super) fn pause(&mut self) {
        self.due = Instant::now() + self.took * PAUSE;
    }

    /// A look took this time of a core.
    pub(super) fn note(&mut self, took: Duration) {
        (self.took, self.is_early) = (took, false);
        self.pause();
    }
}

/// The time between two looks at a frozen bot with `processes` while its opponent thinks.
pub(super) const fn between_looks(processes: &[Pid]) -> Duration {
    if processes.len() > MANY { BETWEEN_LOOKS } else { BETWEEN_STOPPED }
}

/// What `processes` use to come to stop.
pub(super) fn stop_of(processes: &[Pid]) -> Duration {
    COST_OF_A_STOP * u32::try_from(processes.len()).unwrap_or(u32::MAX)
}

/// What is stopped until it is the bot's turn. Dropping it lets that run.
#[derive(Default)]
#[expect(clippy::struct_excessive_bools, reason = "each can be so whatever the others are")]
pub(super) struct Frozen {
    pub(super) processes: StoppedProcesses,
    /// Whether it plays no match.
    pub(super) rests: bool,
    /// Whether all its threads were seen to have stopped since.
    pub(super) has_stopped: bool,
    /// Whether what it has was looked at since they came to stop.
    pub(super) was_looked_at: bool,
    /// Whether the warden waits until they have, and no bot's clock runs.
    pub(super) is_waited_for: bool,
    /// Until then: those that were, and what each had used by then.
    pub(super) stopped: HashMap<Pid, Duration>,
    /// What the bot had used at the last look.
    pub(super) seen: Option<ProcessorUse>,
}

impl Frozen {
    /// Notes which of `threads` have stopped. Returns whether one that had stopped has run since:
    /// while one is in a long call, others may be let go on, and stop again before the next look.
    pub(super) fn stopped_ones_have_run(&mut self, threads: &[Pid]) -> bool {
        threads.iter().filter(|&&one| system::has_stopped(one)).fold(false, |has_run, &one| {
            let now = system::thread_time(one);
            let then = *self.stopped.entry(one).or_insert(now);
            has_run || now.saturating_sub(then) > SLACK_OF_A_STOP
        })
    }

    /// Whether one of `threads` has still to come to stop: it runs, or is woken for that. One in the
    /// middle of a call that takes no signals may stay there for ever, and uses nothing.
    pub(super) fn is_stopping(&self, threads: &[Pid]) -> bool {
        !self.has_stopped
            && threads.iter().any(|&one| system::is_running(one) && !system::is_in_deep_sleep(one))
    }

    /// Notes whether all of the bot's threads, which are these, have stopped.
    pub(super) fn note_whether_stopped(&mut self, threads: &[Pid]) {
        self.has_stopped = !threads.iter().any(|&one| system::is_running(one));
    }
}
