//! How far the round of a Swiss tournament is.

use std::collections::{HashMap, HashSet};

/// How far the round of a Swiss tournament is that was paired last.
#[derive(Clone, Debug, Default)]
pub struct SwissRoundState {
    /// Its number; 0 before the first round.
    pub(crate) round: u64,
    /// How many bots have no opponent in it.
    pub(crate) byes: u64,
    /// How many matches each pair has played in it, by the places of its bots, the lower one first.
    pub(crate) played: HashMap<[usize; 2], u64>,
    /// The pairs that have played a match in any round, the lower place first.
    pub(crate) met: HashSet<[usize; 2]>,
}

impl SwissRoundState {
    /// The state of `round`, which may be a new one; `None` for an earlier one.
    fn of_round(&mut self, round: u64) -> Option<&mut SwissRoundState> {
        if round > self.round {
            let met = std::mem::take(&mut self.met);
            *self = SwissRoundState { round, met, ..SwissRoundState::default() };
        }
        (round == self.round).then_some(self)
    }

    pub fn add_match(&mut self, round: u64, mut bots: [usize; 2]) {
        bots.sort_unstable();
        self.met.insert(bots);
        if let Some(state) = self.of_round(round) {
            *state.played.entry(bots).or_default() += 1;
        }
    }

    /// Adds a bot without an opponent.
    pub fn add_bye(&mut self, round: u64) {
        if let Some(state) = self.of_round(round) {
            state.byes += 1;
        }
    }
}
