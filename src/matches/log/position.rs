//! The position in which a bundle's question was asked, with the rules and limits of the match.

use std::time::Duration;

use super::bundle::Bundle;
use crate::protocol::Turn;
use crate::record::{BotRecord, Terms, TimeTerms};
use crate::referee::{BotRound, MatchSetup, ROUNDS};
use crate::rules::{Game, Opening};
use crate::seat::{PerSeat, Seat};

/// Limits that differ from those of the bundle.
#[derive(Clone, Copy, Default)]
pub struct LimitChanges {
    /// The longest that the answer may take.
    pub move_time: Option<Duration>,
    /// Extra time for the first answer.
    pub start_time: Option<Duration>,
    /// How far past its limit an answer is still taken.
    pub margin: Option<Duration>,
}

/// One position with the bot to move, and the time it has for that.
pub(super) struct AskedPosition {
    pub(super) setup: MatchSetup,
    pub(super) bot_round: BotRound,
    pub(super) game: Game,
}

impl Bundle {
    /// The position in which `turn` is asked, under the limits of the match but for `changes`; `fresh`
    /// if the process has not answered yet.
    ///
    /// # Errors
    ///
    /// When nobody can move in its position.
    pub(super) fn position(
        &self,
        turn: &Turn,
        changes: LimitChanges,
        fresh: bool,
    ) -> Result<AskedPosition, &'static str> {
        let opening = Opening::new(turn.board)?;
        let told = Duration::from_millis(turn.move_time_ms);
        let bank = turn.time_left_ms.map(|ms| Duration::from_millis(ms.max(1)));
        let time = TimeTerms {
            move_time: Some(changes.move_time.unwrap_or(told)),
            start_time: changes.start_time.unwrap_or(self.terms.time.start_time),
            game_time: bank.filter(|_| changes.move_time.is_none()),
            margin: changes.margin.unwrap_or(self.terms.time.margin),
        };
        let terms = Terms { time, max_moves: self.terms.max_moves, ..Terms::default() };
        Ok(self.position_at(opening, terms, fresh))
    }

    /// The start of a round, for a bot that was asked nothing.
    pub(super) fn unasked_position(&self) -> AskedPosition {
        self.position_at(Opening::standard(&self.rules), self.terms.clone(), true)
    }

    fn position_at(&self, opening: Opening, terms: Terms, fresh: bool) -> AskedPosition {
        let opponent =
            BotRecord { name: self.opponent.clone(), command: Vec::new(), ..BotRecord::default() };
        let (rules, first, rounds) = (self.rules, Seat::A, ROUNDS);
        let bots = PerSeat([self.bot.clone(), opponent]);
        let hides_details = false;
        let setup = MatchSetup { rules, opening, terms, bots, first, rounds, hides_details };
        let bot_round = BotRound::new(setup.terms.time, self.round, first, first, fresh);
        let game = Game::new(rules, opening, setup.terms.max_moves);
        AskedPosition { setup, bot_round, game }
    }
}
