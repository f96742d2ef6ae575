//! How a round ended: its record, and the message about it to each bot.

use super::fault::Fault;
use super::moves::Moves;
use crate::protocol::{End, FaultMessage, Outcome, Reason, ToBot, Who};
use crate::record::{RoundRecord, RoundResult};
use crate::rules::{Board, Ending, Game, Side};
use crate::seat::{PerSeat, Seat};

/// The side of a bot in a round that `first` begins.
pub(super) fn side_of(seat: Seat, first: Seat) -> Side {
    if seat == first { Side::First } else { Side::Second }
}

/// The bot of a side in a round that `first` begins.
pub fn seat_of(side: Side, first: Seat) -> Seat {
    if side == Side::First { first } else { !first }
}

/// The score and the final board of a round that ends as `game` stands: by its rules, or by the
/// fault of a bot.
pub(super) fn final_score(
    game: &Game,
    first: Seat,
    at_fault: Option<Seat>,
) -> (PerSeat<u8>, Board) {
    let board = game.board_of(Side::First);
    let score = PerSeat::from_fn(|seat| match at_fault {
        None => game.score_of(side_of(seat, first)),
        Some(bot) if bot == seat => 0,
        Some(_) => board.seeds(),
    });
    (score, if at_fault.is_none() { board.swept() } else { board })
}

/// The record of a round that has ended: by its rules, or by the fault of a bot, which comes with
/// the end of what the bot wrote to stderr.
pub fn conclude(
    game: &Game,
    round: u32,
    first: Seat,
    moves: Moves,
    fault: Option<(Seat, Fault, String)>,
) -> RoundRecord {
    let fault = fault.map(|(bot, fault, stderr)| {
        fault.into_record(bot, game.board_of(side_of(bot, first)), stderr)
    });
    let reason = match &fault {
        Some(fault) => Reason::Fault(fault.kind),
        None => Reason::Ended(game.ending().unwrap_or(Ending::MoveLimit)),
    };
    let (score, final_board) = final_score(game, first, fault.as_ref().map(|fault| fault.bot));
    RoundRecord {
        round,
        first,
        replayed: 0,
        moves: moves.into_records(),
        result: RoundResult { reason, fault, score },
        final_board,
    }
}

/// What a bot reads in place of the details of its opponent's fault.
const HIDDEN: &str = "details of the other bot's faults are not told in a tournament";

/// The message to a bot about a round that has ended, with `hides_details` as in
/// [`MatchSetup`](super::MatchSetup).
pub fn end_message(record: &RoundRecord, seat: Seat, hides_details: bool) -> ToBot {
    let RoundResult { reason, ref fault, score } = record.result;
    ToBot::End(End {
        round: record.round,
        outcome: outcome(score[seat], score[!seat]),
        score: [score[seat], score[!seat]],
        reason,
        board: match side_of(seat, record.first) {
            Side::First => record.final_board,
            Side::Second => record.final_board.flipped(),
        },
        fault: fault.as_ref().map(|fault| {
            let by = if fault.bot == seat { Who::You } else { Who::Opponent };
            let is_hidden = hides_details && by == Who::Opponent;
            let detail = if is_hidden { HIDDEN.to_owned() } else { fault.detail.clone() };
            FaultMessage { by, kind: fault.kind, detail }
        }),
    })
}

fn outcome(own: u8, opponents: u8) -> Outcome {
    match own.cmp(&opponents) {
        std::cmp::Ordering::Greater => Outcome::Win,
        std::cmp::Ordering::Less => Outcome::Loss,
        std::cmp::Ordering::Equal => Outcome::Draw,
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::super::play::play_match;
    use super::super::testing::{Scripted, ScriptedAction, setup};
    use super::*;
    use crate::record::Terms;
    use crate::referee::{Answer, MatchSetup, Players, Trouble};

    /// Keeps the faults that are sent to the players.
    struct Overheard<P>(P, Vec<(Seat, FaultMessage)>);

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
        let script = |seat, _| {
            if seat == Seat::B { ScriptedAction::Say("my name") } else { ScriptedAction::Play }
        };
        let mut overheard = Overheard(Scripted::new(script), Vec::new());
        let setup = MatchSetup { hides_details: true, ..setup(Terms::default()) };
        play_match(&setup, &mut overheard, &mut |_| ()).unwrap();
        let told = overheard.1;
        assert_eq!(told.len(), 4, "{told:?}");
        for (seat, fault) in told {
            assert_eq!(fault.detail.contains("my name"), seat == Seat::B, "{fault:?}");
        }
    }
}
