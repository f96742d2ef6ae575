//! How well the built-in player plays.

use crate::words;

/// A strength of the built-in player, each clearly stronger than the one before.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Level {
    /// Any legal move.
    Random,
    /// Looks at its own move and the answer to it, and makes two moves in five, by chance,
    /// without looking.
    Easy,
    /// Looks three turns ahead.
    Average,
    /// Looks as far ahead as it can in its time, to the end of the game where it can.
    Hard,
}

words!(
    Level,
    "random, easy, average or hard",
    Random = "random",
    Easy = "easy",
    Average = "average",
    Hard = "hard"
);

impl Level {
    /// Turns it looks ahead at most, its own among them.
    pub(super) const fn turns_ahead(self) -> u8 {
        match self {
            Level::Random => 0,
            Level::Easy => 2,
            Level::Average => 3,
            // More than any search comes to, but for endgames in which play can cycle.
            Level::Hard => 100,
        }
    }

    /// Moves in a hundred that are made, by chance, without looking.
    pub(super) const fn careless_moves_in_a_hundred(self) -> u32 {
        match self {
            Level::Easy => 40,
            Level::Random | Level::Average | Level::Hard => 0,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_level_is_read_as_what_it_is_written_for() {
        for level in Level::ALL {
            assert_eq!(level.to_string().parse(), Ok(level));
        }
        let unknown = "medium".parse::<Level>().unwrap_err();
        assert_eq!(unknown.to_string(), "expected random, easy, average or hard");
    }
}
