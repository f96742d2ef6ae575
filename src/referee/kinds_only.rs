//! Players that learn only the kind of an opponent's fault.

use std::time::Duration;

use super::players::{Answer, Players, Trouble};
use crate::protocol::{End, ToBot, ToldFault, Who};
use crate::seat::Seat;

/// Passes everything on, except the details of an opponent's fault: they quote what the opponent
/// wrote, which may name it.
pub struct KindsOnly<'a>(pub &'a mut dyn Players);

/// What stands in place of the details.
const NOT_TOLD: &str = "details of the other bot's faults are not told in a tournament";

impl Players for KindsOnly<'_> {
    fn ready(&mut self, seat: Seat) -> Result<bool, Trouble> {
        self.0.ready(seat)
    }

    fn send(&mut self, seat: Seat, message: &ToBot) {
        match message {
            ToBot::End(end @ End { fault: Some(fault), .. }) if fault.by == Who::Opponent => {
                let fault = Some(ToldFault { detail: NOT_TOLD.to_owned(), ..*fault });
                self.0.send(seat, &ToBot::End(End { fault, ..end.clone() }));
            }
            message => self.0.send(seat, message),
        }
    }

    fn ask(
        &mut self,
        seat: Seat,
        message: &ToBot,
        late_after: Duration,
    ) -> Result<Answer, Trouble> {
        self.0.ask(seat, message, late_after)
    }

    fn stop(&mut self, seat: Seat) {
        self.0.stop(seat);
    }

    fn stderr_tail(&mut self, seat: Seat) -> String {
        self.0.stderr_tail(seat)
    }
}

#[cfg(test)]
mod tests {
    use super::super::play::play_match;
    use super::super::testing::{Deed, Scripted, setup};
    use super::*;
    use crate::record::Terms;

    /// Keeps the faults that are sent to the players.
    struct Overheard<P>(P, Vec<(Seat, ToldFault)>);

    impl<P: Players> Players for Overheard<P> {
        fn ready(&mut self, seat: Seat) -> Result<bool, Trouble> {
            self.0.ready(seat)
        }

        fn send(&mut self, seat: Seat, message: &ToBot) {
            if let ToBot::End(End { fault: Some(fault), .. }) = message {
                self.1.push((seat, fault.clone()));
            }
            self.0.send(seat, message);
        }

        fn ask(&mut self, seat: Seat, message: &ToBot, at: Duration) -> Result<Answer, Trouble> {
            self.0.ask(seat, message, at)
        }

        fn stop(&mut self, seat: Seat) {
            self.0.stop(seat);
        }

        fn stderr_tail(&mut self, seat: Seat) -> String {
            self.0.stderr_tail(seat)
        }
    }

    #[test]
    fn the_author_at_fault_reads_what_the_bot_wrote_and_nobody_else() {
        let script = |seat, _| if seat == Seat::B { Deed::Say("my name") } else { Deed::Play };
        let mut overheard = Overheard(Scripted::new(script), Vec::new());
        play_match(&setup(Terms::default()), &mut KindsOnly(&mut overheard), &mut |_| ()).unwrap();
        let told = overheard.1;
        assert_eq!(told.len(), 4, "{told:?}");
        for (seat, fault) in told {
            assert_eq!(fault.detail.contains("my name"), seat == Seat::B, "{fault:?}");
        }
    }
}
