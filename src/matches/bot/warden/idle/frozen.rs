//! A bot that is stopped until it is its turn: what was stopped, and whether it has come to stop.

use std::collections::HashMap;
use std::time::Duration;

use rustix::process::Pid;

use super::stopped::StoppedProcesses;
use crate::bot::system;

/// What a frozen bot uses at most, once it was seen to have stopped.
pub(super) const SLACK_OF_A_STOP: Duration = Duration::from_millis(1);

/// What is stopped until it is the bot's turn. Dropping it lets that run.
#[derive(Default)]
#[expect(clippy::struct_excessive_bools, reason = "each can be so whatever the others are")]
pub(super) struct Frozen {
    pub(super) processes: StoppedProcesses,
    /// The bot's group, where all of it was stopped at once.
    pub(super) group: Option<Pid>,
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
}

impl Frozen {
    /// Notes which of these threads have stopped. Returns whether one that had stopped has run since:
    /// while one is in a long call, others may be let go on, and stop again before the next look.
    pub(super) fn stopped_ones_have_run(&mut self, threads: &[Pid]) -> bool {
        threads.iter().filter(|&&one| system::has_stopped(one)).fold(false, |has_run, &one| {
            let now = system::thread_time(one);
            let then = *self.stopped.entry(one).or_insert(now);
            has_run || now.saturating_sub(then) > SLACK_OF_A_STOP
        })
    }

    /// Whether one of these threads has still to come to stop: it runs, or is woken for that. One in the
    /// middle of a call that takes no signals may stay there for ever, and uses nothing.
    pub(super) fn comes_to_stop(&self, threads: &[Pid]) -> bool {
        !self.has_stopped
            && threads.iter().any(|&one| system::is_running(one) && !system::is_in_deep_sleep(one))
    }

    /// Notes whether all of the bot's threads, which are these, have stopped.
    pub(super) fn note_whether_stopped(&mut self, threads: &[Pid]) {
        self.has_stopped = !threads.iter().any(|&one| system::is_running(one));
    }
}
