//! Players whose every message is logged.

use std::cell::RefCell;
use std::time::{Duration, Instant};

use super::match_log::Log;
use crate::protocol::ToBot;
use crate::referee::{Answer, Players, Trouble};
use crate::seat::Seat;

/// Passes every call on to the real players and logs it.
pub(crate) struct Logged<'a, 'log, P> {
    players: &'a mut P,
    log: &'a RefCell<&'log mut Log>,
}

impl<'a, 'log, P: Players> Logged<'a, 'log, P> {
    /// The same players, logged.
    pub(crate) fn new(players: &'a mut P, log: &'a RefCell<&'log mut Log>) -> Logged<'a, 'log, P> {
        Logged { players, log }
    }
}

impl<P: Players> Players for Logged<'_, '_, P> {
    fn ready(&mut self, seat: Seat) -> Result<bool, Trouble> {
        let ready = self.players.ready(seat);
        self.log.borrow_mut().process_ready(seat, &ready);
        ready
    }

    fn send(&mut self, seat: Seat, message: &ToBot) {
        self.players.send(seat, message);
        self.log.borrow_mut().sent(seat, message);
    }

    fn ask(
        &mut self,
        seat: Seat,
        message: &ToBot,
        late_after: Duration,
    ) -> Result<Answer, Trouble> {
        let asked = Instant::now();
        let what = self.players.ask(seat, message, late_after);
        self.log.borrow_mut().question_ended(seat, message, (asked, late_after), &what);
        // A bot that answered at once may have written to stderr since; now there is time to read.
        self.stderr_tail(seat);
        what
    }

    fn stop(&mut self, seat: Seat) {
        self.players.stop(seat);
        self.log.borrow_mut().stopped(seat);
    }

    fn stderr_tail(&mut self, seat: Seat) -> String {
        let tail = self.players.stderr_tail(seat);
        self.log.borrow_mut().log_stderr(seat);
        tail
    }
}

#[cfg(test)]
mod tests;
