//! Which moves are the first answer of a process and have the time to start on top.

use super::{Digest, MatchRecord};
use crate::seat::{PerSeat, Seat};

/// Goes through the moves of a match and tells which of them are first answers.
pub struct FirstAnswers {
    /// Whether the record marks them.
    pub(crate) is_told: bool,
    /// Whether the next answer of a bot is one in a record that does not.
    pub(crate) is_new: PerSeat<bool>,
}

impl FirstAnswers {
    /// Begins a match. `is_told` as [`marks_first_answers`]; in an older record, which does not, a
    /// bot's first move is a first answer.
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
        FirstAnswers::new(self.marks_first_answers())
    }

    /// Whether it says which moves are the first ones of processes. In a record that does, no move is
    /// one where both processes have played before.
    pub(crate) fn marks_first_answers(&self) -> bool {
        let moves = self.rounds.iter().flat_map(|round| &round.moves);
        let versions = self.bots.0.each_ref().map(|bot| bot.version);
        marks_first_answers(moves.map(|played| played.fresh), versions)
    }
}

/// As [`MatchRecord::marks_first_answers`], by the marks of its moves and the versions of its bots.
pub fn marks_first_answers(
    mut fresh: impl Iterator<Item = bool>,
    versions: [Option<Digest>; 2],
) -> bool {
    fresh.any(|is_fresh| is_fresh) || versions.iter().any(Option::is_some)
}
