//! A match to be played: everything about it but the players.

use std::num::NonZeroU32;

use crate::record::{BotRecord, Terms};
use crate::rules::{Opening, Ruleset};
use crate::seat::{PerSeat, Seat};

/// A match to be played.
#[derive(Clone)]
pub struct MatchSetup {
    /// The rules of every round.
    pub rules: Ruleset,
    /// The opening of every round.
    pub opening: Opening,
    /// What the bots are held to.
    pub terms: Terms,
    /// Who plays.
    pub bots: PerSeat<BotRecord>,
    /// Who begins the first round; the starter changes with each round.
    pub first: Seat,
    /// How many rounds are played.
    pub rounds: NonZeroU32,
    /// Whether a bot learns only the kind of its opponent's fault. The details quote what the
    /// opponent wrote, which may name it.
    pub hides_details: bool,
}

/// The bot that begins a round of a match whose first round `first` begins.
pub(super) fn starter(first: Seat, round: u32) -> Seat {
    if round % 2 == 1 { first } else { !first }
}

/// The rounds of a match, unless another number is asked for.
pub const ROUNDS: NonZeroU32 = NonZeroU32::new(2).unwrap();
