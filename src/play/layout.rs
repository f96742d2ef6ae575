//! Where houses and stores stand on the screen, and which way seeds run there.

use crate::rules::{Board, Direction, House, Ruleset, RulesetName};
use crate::seat::Seat;
use mancala_game::words;

/// How a board is drawn: Player A's houses below, Player B's above, the stores at the two ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Layout {
    /// Every player's store is on its right, as in the text of CS221. Forward is anticlockwise.
    StoresRight,
    /// Every player's store is on its left, as Mancala5000 draws it. Forward is clockwise.
    StoresLeft,
}

/// A way along a row, as the screen shows it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Arrow {
    /// To the left.
    Left,
    /// To the right.
    Right,
}

words!(Arrow, "< or >", Left = "<", Right = ">");

/// A way around the board, as the screen shows it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Turning {
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
    /// The layout that the game of these rules is known by.
    pub const fn of(rules: &Ruleset) -> Layout {
        match rules.name {
            RulesetName::Mancala5000 => Layout::StoresLeft,
            RulesetName::Learneroo
            | RulesetName::Kalah
            | RulesetName::Ece1021
            | RulesetName::Cs221 => Layout::StoresRight,
        }
    }

    /// A player's houses from left to right.
    pub fn row(self, seat: Seat) -> [House; 6] {
        let mut row = House::ALL;
        if self.forward_arrow(seat) == Arrow::Left {
            row.reverse();
        }
        row
    }

    /// Whose store is at the left end.
    pub const fn left_store(self) -> Seat {
        match self {
            Layout::StoresRight => Seat::B,
            Layout::StoresLeft => Seat::A,
        }
    }

    /// The way in which a player's seeds run along its own row.
    pub fn arrow(self, seat: Seat, direction: Direction) -> Arrow {
        match (self.forward_arrow(seat), direction) {
            (arrow, Direction::Forward) => arrow,
            (Arrow::Left, Direction::Backward) => Arrow::Right,
            (Arrow::Right, Direction::Backward) => Arrow::Left,
        }
    }

    /// The direction in which a player's seeds run that way along its own row.
    pub fn direction(self, seat: Seat, arrow: Arrow) -> Direction {
        if self.forward_arrow(seat) == arrow { Direction::Forward } else { Direction::Backward }
    }

    /// The way around the board, the same for both players.
    pub const fn turning(self, direction: Direction) -> Turning {
        match (self, direction) {
            (Layout::StoresRight, Direction::Forward)
            | (Layout::StoresLeft, Direction::Backward) => Turning::Anticlockwise,
            (Layout::StoresRight, Direction::Backward)
            | (Layout::StoresLeft, Direction::Forward) => Turning::Clockwise,
        }
    }

    /// The direction that goes that way around the board.
    pub fn direction_of(self, turning: Turning) -> Direction {
        if self.turning(Direction::Forward) == turning {
            Direction::Forward
        } else {
            Direction::Backward
        }
    }

    fn forward_arrow(self, seat: Seat) -> Arrow {
        // Towards the own store, which is at the end where the other player's is not.
        if self.left_store() == seat { Arrow::Left } else { Arrow::Right }
    }
}

/// The number that is printed at a house: 1 furthest from its owner's store, 6 nearest to it.
pub const fn number(house: House) -> u8 {
    house.cell() + 1
}

/// The house of that number.
pub fn house_numbered(number: u8) -> Option<House> {
    number.checked_sub(1).and_then(House::new)
}

/// Seeds in a player's house, on a board in Player A's view.
pub fn seeds(board: Board, seat: Seat, house: House) -> u8 {
    side(board, seat).seeds_in(house)
}

/// Seeds in a player's store, on a board in Player A's view.
pub fn store(board: Board, seat: Seat) -> u8 {
    side(board, seat).store()
}

/// A board in Player A's view, seen by a player.
pub const fn side(board: Board, seat: Seat) -> Board {
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
        for layout in [Layout::StoresRight, Layout::StoresLeft] {
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
        for layout in [Layout::StoresRight, Layout::StoresLeft] {
            for seat in Seat::BOTH {
                let row = layout.row(seat).map(number);
                let nearest = if layout.left_store() == seat { row[0] } else { row[5] };
                assert_eq!(nearest, 6);
            }
        }
        assert_eq!(house_numbered(0), None);
        assert_eq!(house_numbered(7), None);
        assert_eq!(House::ALL.map(number), [1, 2, 3, 4, 5, 6]);
    }
}
