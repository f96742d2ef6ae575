//! The two bots of a match as the referee's players.

use std::time::Duration;

use super::command::BotCommand;
use super::interrupt::Interrupt;
use super::player::{Bot, end_all};
use super::readable::ReadablePaths;
use super::wardens::Wardens;
use crate::protocol::ToBot;
use crate::referee::{Answer, Overheard, Players, Trouble};
use crate::seat::{PerSeat, Seat};

/// Two bots that are started when they are needed. [`end`](Pair::end) lets them exit by
/// themselves; dropping the pair kills them.
#[derive(Debug)]
pub struct Pair<'a> {
    bots: PerSeat<Bot>,
    interrupt: Option<&'a Interrupt>,
}

impl<'a> Pair<'a> {
    /// Two bots, not started yet, to be kept by these wardens. While one is asked, `interrupt` is
    /// watched.
    #[must_use]
    pub fn new(
        commands: &PerSeat<BotCommand>,
        wardens: &Wardens,
        interrupt: Option<&'a Interrupt>,
    ) -> Pair<'a> {
        Pair { bots: PerSeat::from_fn(|seat| Bot::new(&commands[seat], wardens)), interrupt }
    }

    /// What each may read and run in the sandbox, beside the system's own.
    #[must_use]
    pub fn reach(&self) -> PerSeat<ReadablePaths> {
        PerSeat::from_fn(|seat| self.bots[seat].reach().clone())
    }

    /// Hands on, from its next start, all that each bot writes to stderr, too.
    pub fn copy_stderr_to(&mut self, copies: PerSeat<Overheard>) {
        let PerSeat(copies) = copies;
        for (bot, copy) in self.bots.0.iter_mut().zip(copies) {
            bot.copy_stderr_to(copy);
        }
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

    fn stop(&mut self, seat: Seat) {
        self.bots[seat].stop();
    }

    fn stderr_tail(&mut self, seat: Seat) -> String {
        self.bots[seat].stderr_tail()
    }
}
