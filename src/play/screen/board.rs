//! The board in boxes, with the chosen house and the place of its last seed marked.

use super::super::board_game::BoardGame;
use super::super::drawing::letter;
use super::super::layout::{number, seeds, store};
use super::terminal::{Look, StyledLine};
use crate::rules::Ply;
use crate::seat::Seat;

/// How wide the parts of a board are.
#[derive(Clone, Copy, Debug)]
pub(super) struct Widths {
    house: usize,
    store: usize,
}

impl Widths {
    /// The widest board that fits that many columns, or none.
    pub(super) fn that_fit(columns: usize) -> Option<Widths> {
        [(8, 7), (6, 6), (4, 4)]
            .into_iter()
            .map(|(house, store)| Widths { house, store })
            .find(|widths| widths.total() < columns)
    }

    /// Columns of the whole board.
    pub(super) const fn total(self) -> usize {
        6 * (self.house + 1) + 1 + 2 * self.store
    }
}

/// A cell of the board as the players see it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum BoardPlace {
    House(Seat, crate::rules::House),
    Store(Seat),
}

/// The place where the last seed of a player's move falls.
pub(super) fn landing(table: &BoardGame, seat: Seat, ply: Ply) -> BoardPlace {
    use crate::rules::{House, Sower};
    let cell = Sower::new(&table.contest.rules).last_cell(table.game.board(), ply);
    match (cell, House::new(cell % 7)) {
        (0..=5, Some(house)) => BoardPlace::House(seat, house),
        (7..=12, Some(house)) => BoardPlace::House(!seat, house),
        (6, _) => BoardPlace::Store(seat),
        _ => BoardPlace::Store(!seat),
    }
}

/// The lines of the board; `chosen` is the move under the cursor.
pub(super) fn board(
    table: &BoardGame,
    chosen: Option<(Seat, Ply)>,
    widths: Widths,
) -> Vec<StyledLine> {
    let drawing = Drawing { table, chosen, widths };
    let (left, right) = (table.layout.left_store(), !table.layout.left_store());
    let side = |text: &str, look| (format!("{text:^width$}", width = widths.store), look);
    let blank = side("", Look::Plain);
    let between = |left: &str, middle: &str, right: &str| {
        let bars = vec!["─".repeat(widths.house); 6].join(middle);
        (format!("{left}{bars}{right}"), Look::Faint)
    };
    let stores = vec![drawing.store(left), between("├", "┼", "┤"), drawing.store(right)];
    let mut above = drawing.houses(Seat::B);
    above.insert(0, side(&letter(left).to_string(), own_look(left)));
    above.push(side(&letter(right).to_string(), own_look(right)));
    let mut below = drawing.houses(Seat::A);
    below.insert(0, blank.clone());
    vec![
        vec![blank.clone(), drawing.numbers(Seat::B)],
        vec![blank.clone(), between("┌", "┬", "┐")],
        above,
        stores,
        below,
        vec![blank.clone(), between("└", "┴", "┘")],
        vec![blank, drawing.numbers(Seat::A)],
    ]
}

struct Drawing<'a> {
    table: &'a BoardGame,
    chosen: Option<(Seat, Ply)>,
    widths: Widths,
}

impl Drawing<'_> {
    fn numbers(&self, seat: Seat) -> (String, Look) {
        let width = self.widths.house;
        let numbers =
            self.table.layout.row(seat).map(|house| format!(" {:^width$}", number(house)));
        (numbers.concat(), Look::Faint)
    }

    fn houses(&self, seat: Seat) -> StyledLine {
        let board = self.table.board();
        let mut line = vec![("│".to_owned(), Look::Faint)];
        for house in self.table.layout.row(seat) {
            let place = BoardPlace::House(seat, house);
            line.push(self.cell(place, seeds(board, seat, house), self.widths.house));
            line.push(("│".to_owned(), Look::Faint));
        }
        line
    }

    fn store(&self, seat: Seat) -> (String, Look) {
        self.cell(BoardPlace::Store(seat), store(self.table.board(), seat), self.widths.store)
    }

    /// A cell's seeds, in brackets when it is chosen or the last seed would fall there: what is
    /// marked shows without colours too.
    fn cell(&self, place: BoardPlace, seeds: u8, width: usize) -> (String, Look) {
        let (BoardPlace::House(owner, _) | BoardPlace::Store(owner)) = place;
        let (marked, look) = match self.chosen {
            Some((seat, ply)) if place == BoardPlace::House(seat, ply.house) => {
                (format!("[{seeds:>2}]"), Look::Chosen)
            }
            Some((seat, ply)) if place == landing(self.table, seat, ply) => {
                (format!("({seeds:>2})"), Look::Landing)
            }
            _ if seeds == 0 && matches!(place, BoardPlace::House(..)) => {
                (format!(" {seeds:>2} "), Look::Faint)
            }
            _ => (format!(" {seeds:>2} "), own_look(owner)),
        };
        // Three digits and two brackets are more than the narrowest house holds.
        let text = if marked.len() > width { seeds.to_string() } else { marked };
        (format!("{text:^width$}"), look)
    }
}

fn own_look(seat: Seat) -> Look {
    match seat {
        Seat::A => Look::PlayerA,
        Seat::B => Look::PlayerB,
    }
}
