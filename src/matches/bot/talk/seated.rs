//! The two bots of a match as the referee's players.

use std::time::Duration;

use super::player::{Bot, end_all};
use crate::bot::interrupt::Interrupt;
use crate::bot::start::BotCommand;
use crate::bot::start::readable::ReadablePaths;
use crate::bot::wardens::Wardens;
use crate::protocol::ToBot;
use crate::referee::{Answer, Players, StderrCopy, Trouble};
use crate::seat::{PerSeat, Seat};

/// Two bots that are started when they are needed. [`end`](SeatedBots::end) lets them exit by
/// themselves; [`into_bots`](SeatedBots::into_bots) keeps them for another match; dropping them
/// kills them.
pub struct SeatedBots {
    bots: PerSeat<Bot>,
    interrupt: Option<Interrupt>,
}

impl SeatedBots {
    /// Two bots for a match, which do not run yet.
    pub fn seat(commands: &PerSeat<BotCommand>, wardens: &Wardens) -> SeatedBots {
        let bots = PerSeat::from_fn(|seat| Bot::new(&commands[seat], wardens));
        SeatedBots::new(bots, wardens)
    }

    /// These bots, whose processes may have played another match before. While one is asked, the
    /// interrupt of the `wardens` is watched.
    pub fn new(bots: PerSeat<Bot>, wardens: &Wardens) -> SeatedBots {
        SeatedBots { bots, interrupt: wardens.interrupt().cloned() }
    }

    /// What each may read and run in the sandbox, beside the system's own.
    pub fn reach(&self) -> PerSeat<ReadablePaths> {
        PerSeat::from_fn(|seat| self.bots[seat].reach.clone())
    }

    /// Which bots left the place that their processes were given, and were put back, since that was
    /// asked last: on other cores, in another scheduling class, with a better priority.
    pub fn left_its_cores(&mut self) -> PerSeat<bool> {
        PerSeat::from_fn(|seat| self.bots[seat].has_left_its_cores())
    }

    /// Hands on all that each bot writes to stderr from now on, too; without copies, no longer.
    pub(crate) fn copy_stderr_to(&mut self, copies: Option<&PerSeat<StderrCopy>>) {
        for seat in Seat::BOTH {
            self.bots[seat].copy_stderr_to(copies.map(|copies| copies[seat].clone()));
        }
    }

    /// Stops a process that cannot begin another match as it is; the match then starts it afresh.
    pub(crate) fn stop_unfit(&mut self) {
        for bot in &mut self.bots.0 {
            bot.stop_if_unfit();
        }
    }

    /// The bots themselves. Those that run are frozen until their next match.
    pub fn into_bots(mut self) -> PerSeat<Bot> {
        self.bots.0.iter_mut().for_each(Bot::rest);
        self.bots
    }

    /// Closes the stdin of both, gives both the same short grace to exit, and ends them.
    pub fn end(self) {
        end_all(self.bots.0);
    }

    fn stop_if_interrupted(&self) -> Result<(), Trouble> {
        let is_raised = self.interrupt.as_ref().is_some_and(Interrupt::is_raised);
        if is_raised { Err(Trouble::Interrupted) } else { Ok(()) }
    }
}

impl Players for SeatedBots {
    fn ready(&mut self, seat: Seat) -> Result<bool, Trouble> {
        self.stop_if_interrupted()?;
        self.bots[seat].ready()
    }

    fn send(&mut self, seat: Seat, message: &ToBot) {
        self.bots[seat].send(message);
    }

    fn ask(
        &mut self,
        seat: Seat,
        message: &ToBot,
        late_after: Duration,
    ) -> Result<Answer, Trouble> {
        // Where both bots answer at once, no wait is long enough to watch for it.
        self.stop_if_interrupted()?;
        let PerSeat([a, b]) = &mut self.bots;
        let (active, idle) = match seat {
            Seat::A => (a, b),
            Seat::B => (b, a),
        };
        active.ask(message, late_after, Some(idle), self.interrupt.as_ref())
    }

    fn stop(&mut self, seat: Seat) {
        self.bots[seat].stop();
    }

    fn stderr_tail(&mut self, seat: Seat) -> String {
        self.bots[seat].stderr_tail()
    }
}
