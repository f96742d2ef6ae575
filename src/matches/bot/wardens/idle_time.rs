//! Decides when a warden watches a bot during its opponent's turn.

use std::time::Duration;

use super::warden::{FREEZE_WAIT, Warden};
use crate::bot::system::{self, Load};
use crate::bot::warden::wire::Request;

/// The most of its opponent's time in which a bot with one core is not watched. Longer than the
/// kernel's own tick, or every wait would set the hardware timer anew, which costs more than it saves.
const UNWATCHED: Duration = Duration::from_millis(10);

/// The same with any number of cores, each of which it may use meanwhile.
const LEAST_UNWATCHED: Duration = Duration::from_millis(1);

/// What the system does is looked at after a turn of this time, in which a bot may have started many
/// threads, and after `SHORT_TURNS` shorter turns.
const TURN_OF_CROWD: Duration = Duration::from_micros(500);
const SHORT_TURNS: u32 = 50;

/// If the system has more than this many threads more than before the bot was started, the bot may have
/// them. It is watched before its opponent is asked: later the referee may get no processor.
const MANY_THREADS: usize = 48;

/// The time that a bot waits for its turn. To be watched costs some 0.05 ms at both ends of such a
/// time, so that a bot is watched only where its opponent takes long, or did so in all.
#[expect(clippy::struct_excessive_bools, reason = "each can be so whatever the others are")]
pub(super) struct IdleTime {
    /// How much of it goes unwatched at once: how long its opponent may take before the bot is to be
    /// watched. What goes unwatched in a match is at most twice as
    /// much.
    at_most: Duration,
    /// What has gone unwatched in this match.
    unwatched: Duration,
    /// Whether the warden was told, and not yet that the bot's turn has come.
    pub(super) is_watched: bool,
    /// Whether it was before its opponent was asked.
    from_the_start: bool,
    /// What its opponent took when it was asked last.
    last: Duration,
    /// How many threads there were in the system before the bot was started.
    threads_before: usize,
    /// How many short turns the bot has had since the system was looked at.
    short_turns: u32,
    /// Whether more than a few threads ran in the system when it was looked at, or many had come to it.
    may_crowd: bool,
    /// Whether the bot has used more of its opponent's time than it may.
    pub(super) ponders: bool,
}

impl IdleTime {
    pub(super) fn new() -> IdleTime {
        IdleTime {
            at_most: (UNWATCHED / system::cores()).max(LEAST_UNWATCHED),
            unwatched: Duration::ZERO,
            is_watched: false,
            from_the_start: false,
            last: Duration::ZERO,
            threads_before: Load::now().all,
            // The first turn may be short, and many threads be there before it.
            short_turns: SHORT_TURNS,
            may_crowd: false,
            ponders: false,
        }
    }

    /// Another match begins, for the same bot or another one.
    pub(super) fn begin_match(&mut self) {
        let IdleTime { is_watched, threads_before, .. } = *self;
        *self = IdleTime { is_watched, threads_before, ..IdleTime::new() };
    }

    /// Whether the bot is to be watched before its opponent is asked.
    fn is_to_be_watched(&self) -> bool {
        let opponent_is_slow = self.last >= self.at_most || self.unwatched > self.at_most;
        !self.is_watched && (self.ponders || self.may_crowd || opponent_is_slow)
    }

    /// Its opponent has taken `time`.
    fn end(&mut self, time: Duration) {
        self.last = time;
        if !self.from_the_start {
            self.unwatched += time.min(self.at_most);
        }
    }
}

/// What a warden is asked while its bot's opponent thinks.
impl Warden {
    /// Its bot's opponent is about to be asked. Where that may take long, the bot is watched, and one
    /// that has used too much of such time before is frozen.
    pub(crate) fn bot_waits(&mut self) {
        let Some(idle) = &mut self.idle else { return };
        if idle.is_to_be_watched() {
            let request = Request::BotWaits { opponent_thinks: false };
            idle.is_watched = self.process.ask::<()>(&request, FREEZE_WAIT).is_ok();
        }
        idle.from_the_start = idle.is_watched;
    }

    /// Has the bot watched, for its opponent takes long. Does not wait.
    pub(crate) fn watch(&mut self) {
        if let Some(idle) = self.idle.as_mut().filter(|idle| !idle.is_watched) {
            let request = Request::BotWaits { opponent_thinks: true };
            idle.is_watched = self.process.notify(&request).is_ok();
        }
    }

    /// Its bot has taken `time` for its turn.
    pub(crate) fn bot_has_played(&mut self, time: Duration) {
        let Some(idle) = &mut self.idle else { return };
        if time < TURN_OF_CROWD && idle.short_turns < SHORT_TURNS {
            idle.short_turns += 1;
            return;
        }
        idle.short_turns = 0;
        let load = Load::now();
        idle.may_crowd = load.is_crowded() || load.all > idle.threads_before + MANY_THREADS;
    }

    /// Its bot's opponent has taken `time`.
    pub(crate) fn bot_has_waited(&mut self, time: Duration) {
        if let Some(idle) = &mut self.idle {
            idle.end(time);
        }
    }

    /// After which time of its opponent the bot is to be watched. `None` where it may use that.
    pub(crate) fn unwatched_at_most(&self) -> Option<Duration> {
        self.idle.as_ref().map(|idle| idle.at_most)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn little_goes_unwatched_however_the_time_is_cut() {
        for part in [Duration::from_micros(300), Duration::from_millis(7), Duration::from_secs(1)] {
            let mut idle = IdleTime::new();
            let mut unwatched = Duration::ZERO;
            for _ in 0..1000 {
                let is_watched = idle.is_to_be_watched();
                (idle.is_watched, idle.from_the_start) = (is_watched, is_watched);
                if !is_watched {
                    unwatched += part.min(idle.at_most);
                    idle.is_watched = part >= idle.at_most;
                }
                idle.end(part);
                assert_eq!(idle.is_watched, is_watched || part >= idle.at_most);
                idle.is_watched = false;
            }
            assert!(unwatched <= 2 * idle.at_most, "{unwatched:?} with {part:?}");
            // A bot between two matches.
            idle.begin_match();
            assert!(!idle.is_to_be_watched());
        }
    }

    #[test]
    fn who_has_used_too_much_is_watched_from_the_start() {
        let mut idle = IdleTime::new();
        idle.end(Duration::ZERO);
        assert!(!idle.is_watched && !idle.is_to_be_watched());
        idle.ponders = true;
        assert!(idle.is_to_be_watched());
    }
}
