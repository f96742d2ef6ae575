//! Positions that a game may start from.

use std::str::FromStr;

use serde::Serialize;

use super::board::{Board, CELLS};
use super::ruleset::Ruleset;

/// A position in which both sides have a seed in a house, in the first mover's view.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize)]
pub struct Opening(Board);

impl Opening {
    /// The opening of a ruleset: its seeds in every house, both stores empty.
    #[expect(clippy::missing_panics_doc, reason = "12 houses of at most 20 seeds fit the board")]
    pub fn standard(rules: &Ruleset) -> Opening {
        let mut cells = [rules.seeds.get(); CELLS];
        cells[6] = 0;
        cells[13] = 0;
        Opening(Board::from_cells(cells).expect("a standard opening fits the board"))
    }

    /// The opening at `board`.
    ///
    /// # Errors
    ///
    /// When a side has no seed in its houses.
    pub fn new(board: Board) -> Result<Opening, &'static str> {
        if board.own_side_is_empty() {
            Err("the first mover has no seed in its houses (cells 0 to 5)")
        } else if board.is_over() {
            Err("the second mover has no seed in its houses (cells 7 to 12)")
        } else {
            Ok(Opening(board))
        }
    }

    /// The position, in the first mover's view.
    pub const fn board(self) -> Board {
        self.0
    }
}

/// Reads fourteen numbers separated by commas or white space, with or without square brackets.
impl FromStr for Opening {
    type Err = String;

    fn from_str(text: &str) -> Result<Opening, String> {
        let text = text.trim();
        let text = text.strip_prefix('[').and_then(|t| t.strip_suffix(']')).unwrap_or(text);
        let mut cells = Vec::with_capacity(CELLS);
        // A comma separates even when nothing stands between two: "1,,2" has an empty word.
        for word in text.split(',').flat_map(|part| {
            let mut words = part.split_whitespace().peekable();
            let empty = words.peek().is_none().then_some("");
            empty.into_iter().chain(words)
        }) {
            let cell: u8 = word.parse().map_err(|_| {
                format!("{word:?} is not a number of seeds (a whole number from 0 to 240)")
            })?;
            cells.push(cell);
        }
        let cells = <[u8; CELLS]>::try_from(cells.as_slice()).map_err(|_| {
            let count = cells.len();
            format!(
                "an opening is {CELLS} numbers (six houses and a store, the first mover's first), not {count}"
            )
        })?;
        Ok(Opening::new(Board::from_cells(cells)?)?)
    }
}

#[cfg(test)]
mod tests {
    use super::super::ruleset::RulesetName;
    use super::*;

    #[test]
    fn the_standard_openings() {
        let cells = |name: RulesetName| Opening::standard(&name.rules()).board().cells();
        assert_eq!(cells(RulesetName::Learneroo), [3, 3, 3, 3, 3, 3, 0, 3, 3, 3, 3, 3, 3, 0]);
        assert_eq!(cells(RulesetName::Cs221)[12], 5);
    }

    #[test]
    fn numbers_may_be_separated_by_commas_or_blanks() {
        let standard = Opening::standard(&Ruleset::default());
        for text in [
            "3,3,3,3,3,3,0,3,3,3,3,3,3,0",
            "3 3 3 3 3 3 0 3 3 3 3 3 3 0",
            " [3, 3, 3, 3, 3, 3, 0, 3, 3, 3, 3, 3, 3, 0] ",
        ] {
            assert_eq!(text.parse(), Ok(standard), "{text}");
        }
    }

    #[test]
    fn what_is_no_opening_says_why() {
        let error = |text: &str| text.parse::<Opening>().unwrap_err();
        let first = "the first mover has no seed in its houses (cells 0 to 5)";
        let second = "the second mover has no seed in its houses (cells 7 to 12)";
        assert_eq!(
            error("3,3,3,3,3,3,0,3,3,3,3,3,3"),
            "an opening is 14 numbers (six houses and a store, the first mover's first), not 13"
        );
        assert_eq!(error("0,0,0,0,0,0,9,3,3,3,3,3,3,0"), first);
        assert_eq!(error("3,3,3,3,3,3,0,0,0,0,0,0,0,9"), second);
        assert_eq!(error("0,0,0,0,0,0,0,0,0,0,0,0,0,0"), first);
        for (text, word) in
            [("-1,3,3,3,3,3,0,3,3,3,3,3,3,0", "-1"), ("1,,3,3,3,3,3,0,3,3,3,3,3,3,0", "")]
        {
            let why = format!("{word:?} is not a number of seeds (a whole number from 0 to 240)");
            assert_eq!(error(text), why);
        }
        assert_eq!(
            error("200,3,3,3,3,3,0,30,3,3,3,3,3,0"),
            "a board holds at most 240 seeds, not 260"
        );
    }
}
