//! The two bots of a match as the referee's players.

use std::io;
use std::time::Duration;

use super::command::BotCommand;
use super::interrupt::Interrupt;
use super::player::{Bot, end_all};
use crate::protocol::ToBot;
use crate::referee::{Answer, Players, Trouble};
use crate::seat::{PerSeat, Seat};

/// Two bots that are started when they are needed. [`end`](Pair::end) lets them exit by
/// themselves; dropping the pair kills them.
#[derive(Debug)]
pub struct Pair<'a> {
    bots: PerSeat<Bot>,
    interrupt: Option<&'a Interrupt>,
}

impl<'a> Pair<'a> {
    /// Two bots, not started yet. While one is asked, `interrupt` is watched.
    ///
    /// # Errors
    ///
    /// As [`Bot::new`].
    pub fn new(
        commands: &PerSeat<BotCommand>,
        interrupt: Option<&'a Interrupt>,
    ) -> io::Result<Pair<'a>> {
        let bots = PerSeat([Bot::new(&commands[Seat::A])?, Bot::new(&commands[Seat::B])?]);
        Ok(Pair { bots, interrupt })
    }

    /// Closes the stdin of both, gives both the same short grace to exit, and ends them.
    pub fn end(self) {
        end_all(self.bots.0);
    }
}

impl Players for Pair<'_> {
    fn ready(&mut self, seat: Seat) -> Result<bool, Trouble> {
        if self.interrupt.is_some_and(Interrupt::is_raised) {
            return Err(Trouble::Interrupted);
        }
        self.bots[seat].ready()
    }

    fn tell(&mut self, seat: Seat, message: &ToBot) {
        self.bots[seat].tell(message);
    }

    fn ask(
        &mut self,
        seat: Seat,
        message: &ToBot,
        late_after: Duration,
    ) -> Result<Answer, Trouble> {
        // Where both bots answer at once, no wait is long enough to watch for it.
        if self.interrupt.is_some_and(Interrupt::is_raised) {
            return Err(Trouble::Interrupted);
        }
        let PerSeat([a, b]) = &mut self.bots;
        let (active, idle) = match seat {
            Seat::A => (a, b),
            Seat::B => (b, a),
        };
        active.ask(message, late_after, Some(idle), self.interrupt)
    }

    fn dismiss(&mut self, seat: Seat) {
        self.bots[seat].dismiss();
    }

    fn stderr_tail(&mut self, seat: Seat) -> String {
        self.bots[seat].stderr_tail()
    }
}
