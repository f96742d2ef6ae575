//! What a warden is asked while its bot's opponent thinks.

use std::time::Duration;

use super::warden::{FREEZE_WAIT, Warden};
use crate::bot::warden::wire::Request;

impl Warden {
    /// Its bot's opponent is about to be asked. Where that may take long, the bot is watched, and one
    /// that has used too much of such time before is frozen.
    pub(in crate::bot) fn bot_waits(&mut self) {
        let Some(idle) = &mut self.idle else { return };
        if idle.is_to_be_watched() {
            idle.is_watched = self.process.ask::<()>(&Request::BotWaits, FREEZE_WAIT).is_ok();
        }
        idle.from_the_start = idle.is_watched;
    }

    /// Has the bot watched, for its opponent takes long. Does not wait.
    pub(in crate::bot) fn watch(&mut self) {
        if let Some(idle) = self.idle.as_mut().filter(|idle| !idle.is_watched) {
            idle.is_watched = self.process.notify(&Request::BotWaits).is_ok();
        }
    }

    /// Its bot's opponent has taken this time.
    pub(in crate::bot) fn bot_has_waited(&mut self, time: Duration) {
        if let Some(idle) = &mut self.idle {
            idle.end(time);
        }
    }

    /// After which time of its opponent the bot is to be watched. `None` where it may use that.
    pub(in crate::bot) fn unwatched_at_most(&self) -> Option<Duration> {
        self.idle.as_ref().map(|idle| idle.at_most)
    }
}
