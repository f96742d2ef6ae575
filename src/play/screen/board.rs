//! The board in boxes, with the chosen house and the place of its last seed marked.

use super::super::board_game::BoardGame;
use super::super::drawing::letter;
use super::super::layout::{number, side};
use super::terminal::{Look, StyledLine};
use crate::rules::{House, Ply, Sower};
use crate::seat::Seat;

/// How wide the parts of a board are.
#[derive(Clone, Copy)]
pub(super) struct Widths {
    house: usize,
    store: usize,
}

impl Widths {
    /// The widest board that fits `columns` columns; `None` if all are wider.
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
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum BoardPlace {
    House(Seat, House),
    Store(Seat),
}

/// The place where the last seed of a player's move falls.
pub(super) fn landing(table: &BoardGame, seat: Seat, ply: Ply) -> BoardPlace {
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
    let (left, right) = (table.layout.left_store, !table.layout.left_store);
    let faint = |text: String| (text, Look::Faint);
    let at_the_side = |text: String, look| (format!("{text:^width$}", width = widths.store), look);
    let letter = |seat| at_the_side(letter(seat).to_string(), own_look(seat));
    let blank = at_the_side(String::new(), Look::Plain);
    let store = |seat| cell(table, chosen, BoardPlace::Store(seat), widths.store);
    let bars = |left: &str, middle: &str, right: &str| {
        let bars = vec!["─".repeat(widths.house); 6].join(middle);
        faint(format!("{left}{bars}{right}"))
    };
    let numbers = |seat| {
        let width = widths.house;
        faint(table.layout.row(seat).map(|house| format!(" {:^width$}", number(house))).concat())
    };
    let houses = |seat, left_side, right_side| {
        let mut line = vec![left_side, faint("│".to_owned())];
        for house in table.layout.row(seat) {
            line.push(cell(table, chosen, BoardPlace::House(seat, house), widths.house));
            line.push(faint("│".to_owned()));
        }
        line.extend(right_side);
        line
    };
    vec![
        vec![blank.clone(), numbers(Seat::B)],
        vec![blank.clone(), bars("┌", "┬", "┐")],
        houses(Seat::B, letter(left), Some(letter(right))),
        vec![store(left), bars("├", "┼", "┤"), store(right)],
        houses(Seat::A, blank.clone(), None),
        vec![blank.clone(), bars("└", "┴", "┘")],
        vec![blank, numbers(Seat::A)],
    ]
}

/// A cell's seeds, in brackets when it is chosen or the last seed would fall there: what is
/// marked shows without colours too.
fn cell(
    table: &BoardGame,
    chosen: Option<(Seat, Ply)>,
    place: BoardPlace,
    width: usize,
) -> (String, Look) {
    let (seeds, own_look) = match place {
        BoardPlace::House(seat, house) => match side(table.board(), seat).seeds_in(house) {
            0 => (0, Look::Faint),
            seeds => (seeds, own_look(seat)),
        },
        BoardPlace::Store(seat) => (side(table.board(), seat).store(), own_look(seat)),
    };
    let (marked, look) = match chosen {
        Some((seat, ply)) if place == BoardPlace::House(seat, ply.house) => {
            (format!("[{seeds:>2}]"), Look::Chosen)
        }
        Some((seat, ply)) if place == landing(table, seat, ply) => {
            (format!("({seeds:>2})"), Look::Landing)
        }
        _ => (format!(" {seeds:>2} "), own_look),
    };
    // Three digits and two brackets are more than the narrowest house holds.
    let text = if marked.len() > width { seeds.to_string() } else { marked };
    (format!("{text:^width$}"), look)
}

/// How what is a player's looks.
pub(super) fn own_look(seat: Seat) -> Look {
    match seat {
        Seat::A => Look::PlayerA,
        Seat::B => Look::PlayerB,
    }
}
