//! Which moves are the first answer of a process and have the time to start on top.

use super::MatchRecord;
use crate::seat::{PerSeat, Seat};

/// Goes through the moves of a match and tells which of them are first answers.
#[derive(Clone, Copy, Debug)]
pub struct FirstAnswers {
    is_told: bool,
    is_new: PerSeat<bool>,
}

impl FirstAnswers {
    /// Begins a match. `is_told` if a move of it is marked as `fresh` or the record says what a bot
    /// is made of: where no move is marked then, both processes have played before. An older record
    /// does neither, and a bot's first move in it is a first answer.
    pub fn new(is_told: bool) -> FirstAnswers {
        FirstAnswers { is_told, is_new: PerSeat([true; 2]) }
    }

    /// Whether the next move, of `bot`, is a first answer. `is_fresh` if it is marked as one.
    pub fn is_first(&mut self, bot: Seat, is_fresh: bool) -> bool {
        let is_new = std::mem::replace(&mut self.is_new[bot], false);
        if self.is_told { is_fresh } else { is_new }
    }

    /// Ends a round. A bot that forfeited it has a new process in the next one.
    pub fn end_round(&mut self, forfeited: Option<Seat>) {
        if let Some(bot) = forfeited {
            self.is_new[bot] = true;
        }
    }
}

impl MatchRecord {
    /// Begins with the first move of the match.
    pub fn first_answers(&self) -> FirstAnswers {
        let mut moves = self.rounds.iter().flat_map(|round| &round.moves);
        let has_version = self.bots.0.iter().any(|bot| bot.version.is_some());
        FirstAnswers::new(has_version || moves.any(|played| played.fresh))
    }
}
