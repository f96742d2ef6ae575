//! Where houses and stores stand on the screen, and which way seeds run there.

use crate::rules::{Board, Direction, House, Ruleset, RulesetName};
use crate::seat::Seat;
use mancala_game::words;

/// How a board is drawn: Player A's houses below, Player B's above, the stores at the two ends.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) struct Layout {
    /// Whose store is at the left end.
    pub left_store: Seat,
}

/// A way along a row, as the screen shows it.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Arrow {
    Left,
    Right,
}

words!(Arrow, "< or >", Left = "<", Right = ">");

/// A way around the board, as the screen shows it.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Turning {
    /// As the hands of a clock.
    Clockwise,
    /// The other way.
    Anticlockwise,
}

words!(
    Turning,
    "clockwise or anticlockwise",
    Clockwise = "clockwise",
    Anticlockwise = "anticlockwise" | "counterclockwise"
);

impl Layout {
    /// The layout that the game of `rules` is known by: Mancala5000 draws every player's store
    /// on its left, so that forward is clockwise; the text of CS221 and the others on its right.
    pub(crate) fn of(rules: &Ruleset) -> Layout {
        let stores_are_left = rules.name == RulesetName::Mancala5000;
        Layout { left_store: if stores_are_left { Seat::A } else { Seat::B } }
    }

    /// A player's houses from left to right.
    pub(crate) fn row(self, seat: Seat) -> [House; 6] {
        let mut row = House::ALL;
        if self.left_store == seat {
            row.reverse();
        }
        row
    }

    /// The way in which a player's seeds run along its own row: forward is towards its store.
    pub(crate) fn arrow(self, seat: Seat, direction: Direction) -> Arrow {
        let is_to_the_left = (self.left_store == seat) == (direction == Direction::Forward);
        if is_to_the_left { Arrow::Left } else { Arrow::Right }
    }

    /// The direction in which a player's seeds run that way along its own row.
    pub(crate) fn direction(self, seat: Seat, arrow: Arrow) -> Direction {
        let is_forward = self.arrow(seat, Direction::Forward) == arrow;
        if is_forward { Direction::Forward } else { Direction::Backward }
    }

    /// The way around the board, the same for both players.
    pub(crate) fn turning(self, direction: Direction) -> Turning {
        // As the hands of a clock go below, where Player A's houses are.
        match self.arrow(Seat::A, direction) {
            Arrow::Left => Turning::Clockwise,
            Arrow::Right => Turning::Anticlockwise,
        }
    }

    /// The direction that goes that way around the board.
    pub(crate) fn direction_of(self, turning: Turning) -> Direction {
        let is_forward = self.turning(Direction::Forward) == turning;
        if is_forward { Direction::Forward } else { Direction::Backward }
    }
}

/// The number that is printed at a house: 1 furthest from its owner's store, 6 nearest to it.
pub(super) const fn number(house: House) -> u8 {
    house.cell() + 1
}

pub(super) fn house_numbered(number: u8) -> Option<House> {
    number.checked_sub(1).and_then(House::new)
}

/// A board in Player A's view, seen by a player.
pub(super) const fn side(board: Board, seat: Seat) -> Board {
    match seat {
        Seat::A => board,
        Seat::B => board.flipped(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn seeds_run_round_the_screen_as_the_layout_says() {
        for layout in Seat::BOTH.map(|left_store| Layout { left_store }) {
            for direction in [Direction::Forward, Direction::Backward] {
                // Clockwise is to the left below, where A's houses are, and to the right above.
                let clockwise = layout.turning(direction) == Turning::Clockwise;
                assert_eq!(layout.arrow(Seat::A, direction) == Arrow::Left, clockwise);
                assert_eq!(layout.arrow(Seat::B, direction) == Arrow::Right, clockwise);
                assert_eq!(layout.direction_of(layout.turning(direction)), direction);
                for seat in Seat::BOTH {
                    assert_eq!(layout.direction(seat, layout.arrow(seat, direction)), direction);
                }
            }
        }
    }

    #[test]
    fn house_6_is_next_to_its_owners_store() {
        for layout in Seat::BOTH.map(|left_store| Layout { left_store }) {
            for seat in Seat::BOTH {
                let row = layout.row(seat).map(number);
                let nearest = if layout.left_store == seat { row[0] } else { row[5] };
                assert_eq!(nearest, 6);
            }
        }
        assert_eq!(house_numbered(0), None);
        assert_eq!(house_numbered(7), None);
        assert_eq!(House::ALL.map(number), [1, 2, 3, 4, 5, 6]);
    }
}
