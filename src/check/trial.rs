//! A short match in which a bot is tried: everything that one can differ in from another.

use std::num::NonZeroU32;

use super::dressing::Dressing;
use super::pairing::BOT;
use super::sparring::Forfeits;
use crate::engine::Level;
use crate::record::Terms;
use crate::rules::{Opening, Ruleset};
use crate::seat::{PerSeat, Seat};

/// What is tried. Begin with [`Trial::new`] and change what is to differ.
#[derive(Clone, Debug)]
pub(super) struct Trial {
    pub(super) rules: Ruleset,
    pub(super) opening: Opening,
    pub(super) limits: Terms,
    pub(super) rounds: NonZeroU32,
    pub(super) first: Seat,
    pub(super) level: Level,
    pub(super) seed: u64,
    pub(super) forfeits: Forfeits,
    pub(super) dressing: Dressing,
    /// The names that the bots are told, where they are not their own.
    pub(super) names: Option<PerSeat<&'static str>>,
}

impl Trial {
    /// A match of two whole rounds against the random player from the ruleset's own opening, in
    /// which the bot begins.
    pub(super) fn new(rules: Ruleset, limits: &Terms, seed: u64) -> Trial {
        Trial {
            rules,
            opening: Opening::standard(&rules),
            limits: limits.clone(),
            rounds: NonZeroU32::MIN.saturating_add(1),
            first: BOT,
            level: Level::Random,
            seed,
            forfeits: Forfeits::Never,
            dressing: Dressing::Plain,
            names: None,
        }
    }

    /// The same with rounds of so many moves at most.
    pub(super) fn short(self, moves: u32) -> Trial {
        let moves = NonZeroU32::new(moves).unwrap_or(NonZeroU32::MIN);
        let max_moves = self.limits.max_moves.min(moves);
        Trial { limits: Terms { max_moves, ..self.limits }, ..self }
    }

    /// The same with so many rounds.
    pub(super) fn rounds(self, rounds: u32) -> Trial {
        Trial { rounds: NonZeroU32::new(rounds).unwrap_or(NonZeroU32::MIN), ..self }
    }
}
