//! The five named rulesets and the options in which they differ.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::board::House;
use super::sowing::Ply;
use crate::words;

/// Most seeds a house may start with.
pub const MAX_SEEDS_A_HOUSE: u8 = 20;

/// The way in which seeds are sown.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Direction {
    /// 0, 1, … 13, 0: along the own row into the own store. Mancala5000's *clockwise*.
    Forward,
    /// Out of house 0 into the opponent's store, then 12 down to 7, then the own store.
    /// Mancala5000's *anticlockwise*.
    Backward,
}

words!(Direction, "forward or backward", Forward = "forward", Backward = "backward");

/// Which directions a ruleset lets a player sow in.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum DirectionRule {
    /// Always forward.
    Forward,
    /// Always backward.
    Backward,
    /// The player chooses before each move.
    Either,
}

words!(
    DirectionRule,
    "forward, backward or either",
    Forward = "forward",
    Backward = "backward",
    Either = "either"
);

impl DirectionRule {
    /// The directions a player may sow in, in the order in which moves are listed.
    pub const fn directions(self) -> &'static [Direction] {
        match self {
            DirectionRule::Forward => &[Direction::Forward],
            DirectionRule::Backward => &[Direction::Backward],
            DirectionRule::Either => &[Direction::Forward, Direction::Backward],
        }
    }

    /// Whether a player chooses the direction with its move.
    pub const fn is_a_choice(self) -> bool {
        matches!(self, DirectionRule::Either)
    }
}

/// What happens when sowing passes the opponent's store.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum OpponentStore {
    /// It gets a seed like any other cell.
    Sow,
    /// It is passed over.
    Skip,
}

words!(OpponentStore, "sow or skip", Sow = "sow", Skip = "skip");

/// The sources whose rules are known by name.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum RulesetName {
    /// The two-round challenge on a flat board: three seeds, the opponent's store is sown into.
    Learneroo,
    /// Kalah as most programs play it: four seeds, the opponent's store is skipped, and a last seed
    /// captures only when the facing house has seeds.
    Kalah,
    /// The C tournament: four seeds, the opponent's store is skipped.
    Ece1021,
    /// The text game for two people: five seeds, the opponent's store is skipped.
    Cs221,
    /// The handheld game: four seeds, the opponent's store is sown into.
    Mancala5000,
}

words!(
    RulesetName,
    "learneroo, kalah, ece1021, cs221 or mancala5000",
    Learneroo = "learneroo",
    Kalah = "kalah",
    Ece1021 = "ece1021",
    Cs221 = "cs221",
    Mancala5000 = "mancala5000"
);

impl RulesetName {
    /// The ruleset of that name with nothing changed.
    pub const fn rules(self) -> Ruleset {
        let (seeds, opponent_store) = match self {
            RulesetName::Learneroo => (3, OpponentStore::Sow),
            RulesetName::Kalah | RulesetName::Ece1021 => (4, OpponentStore::Skip),
            RulesetName::Cs221 => (5, OpponentStore::Skip),
            RulesetName::Mancala5000 => (4, OpponentStore::Sow),
        };
        Ruleset {
            name: self,
            seeds: SeedsAHouse(seeds),
            opponent_store,
            direction: DirectionRule::Forward,
            empty_capture: !matches!(self, RulesetName::Kalah),
        }
    }
}

/// Seeds in each house of the standard opening, 1 to [`MAX_SEEDS_A_HOUSE`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize)]
pub struct SeedsAHouse(u8);

impl SeedsAHouse {
    /// That many seeds, or `None` when it is not 1 to [`MAX_SEEDS_A_HOUSE`].
    pub const fn new(seeds: u8) -> Option<SeedsAHouse> {
        if seeds >= 1 && seeds <= MAX_SEEDS_A_HOUSE { Some(SeedsAHouse(seeds)) } else { None }
    }

    /// The number.
    pub const fn get(self) -> u8 {
        self.0
    }
}

/// The rules of a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
pub struct Ruleset {
    /// Where the rules come from. The other fields are what is valid.
    pub name: RulesetName,
    /// Seeds in each house of the ruleset's own opening.
    pub seeds: SeedsAHouse,
    /// Whether the opponent's store is sown into or skipped.
    pub opponent_store: OpponentStore,
    /// The way round the board.
    pub direction: DirectionRule,
    /// Whether a last seed in an empty own house is captured when the facing house is empty.
    pub empty_capture: bool,
}

impl Ruleset {
    /// A move from `house`, by default in the first direction of the rules.
    pub const fn ply(&self, house: House, direction: Option<Direction>) -> Ply {
        match direction {
            Some(direction) => Ply { house, direction },
            None => Ply { house, direction: self.direction.directions()[0] },
        }
    }
}

impl Default for Ruleset {
    fn default() -> Ruleset {
        RulesetName::Learneroo.rules()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_word_is_read_as_what_it_is_written_for() {
        for name in RulesetName::ALL {
            assert_eq!(name.to_string().parse(), Ok(name));
        }
        for direction in [DirectionRule::Forward, DirectionRule::Backward, DirectionRule::Either] {
            assert_eq!(direction.to_string().parse(), Ok(direction));
        }
        let unknown = "sideways".parse::<Direction>().unwrap_err();
        assert_eq!(unknown.to_string(), "expected forward or backward");
    }

    #[test]
    fn seeds_a_house_are_1_to_20() {
        assert_eq!(SeedsAHouse::new(0), None);
        assert_eq!(SeedsAHouse::new(1).map(SeedsAHouse::get), Some(1));
        assert_eq!(SeedsAHouse::new(20).map(SeedsAHouse::get), Some(20));
        assert_eq!(SeedsAHouse::new(21), None);
    }
}
