//! The board in plain text: what a pipe sees.

use super::layout::{Layout, number, side};
use crate::rules::Board;
use crate::seat::Seat;

/// Draws a board in Player A's view: the numbers of Player B's houses and its seeds above, the
/// stores at the two ends, Player A's seeds and the numbers of its houses below. The columns are
/// aligned for any number of seeds.
pub(super) fn draw(board: Board, layout: Layout) -> String {
    let most = board.cells().into_iter().max().unwrap_or(0);
    let width = most.to_string().len().max(2);
    let margin = " ".repeat("B: ".len() + width);
    let row =
        |cells: [u8; 6]| margin.clone() + &cells.map(|cell| format!("  {cell:>width$}")).concat();
    let numbers = |seat| row(layout.row(seat).map(number));
    let seeds = |seat| row(layout.row(seat).map(|house| side(board, seat).seeds_in(house)));
    let rule = format!("{margin} {}", "-".repeat(6 * (width + 2)));
    let (left, right) = (layout.left_store, !layout.left_store);
    let stores = format!(
        "{}: {:>width$}{}  {:>width$} :{}",
        letter(left),
        side(board, left).store(),
        " ".repeat(6 * (width + 2)),
        side(board, right).store(),
        letter(right)
    );
    let lines = [
        numbers(Seat::B),
        rule.clone(),
        seeds(Seat::B),
        stores,
        seeds(Seat::A),
        rule,
        numbers(Seat::A),
    ];
    lines.join("\n") + "\n"
}

/// The letter a player is known by.
pub(super) const fn letter(seat: Seat) -> char {
    match seat {
        Seat::A => 'A',
        Seat::B => 'B',
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(cells: [u8; 14], layout: Layout, lines: [&str; 7]) {
        let drawn = draw(Board::from_cells(cells).unwrap(), layout);
        assert_eq!(drawn.lines().collect::<Vec<_>>(), lines);
    }

    const CELLS: [u8; 14] = [1, 2, 3, 4, 5, 6, 7, 10, 11, 12, 13, 14, 15, 16];

    #[test]
    fn stores_on_the_right_as_in_the_text_of_cs221() {
        check(
            CELLS,
            Layout { left_store: Seat::B },
            [
                "        6   5   4   3   2   1",
                "      ------------------------",
                "       15  14  13  12  11  10",
                "B: 16                           7 :A",
                "        1   2   3   4   5   6",
                "      ------------------------",
                "        1   2   3   4   5   6",
            ],
        );
    }

    #[test]
    fn stores_on_the_left_as_mancala5000_draws_them() {
        check(
            CELLS,
            Layout { left_store: Seat::A },
            [
                "        1   2   3   4   5   6",
                "      ------------------------",
                "       10  11  12  13  14  15",
                "A:  7                          16 :B",
                "        6   5   4   3   2   1",
                "      ------------------------",
                "        6   5   4   3   2   1",
            ],
        );
    }

    #[test]
    fn columns_are_aligned_for_any_count() {
        check(
            [0, 100, 0, 0, 0, 9, 0, 0, 0, 0, 0, 30, 0, 101],
            Layout { left_store: Seat::B },
            [
                "          6    5    4    3    2    1",
                "       ------------------------------",
                "          0   30    0    0    0    0",
                "B: 101                                  0 :A",
                "          0  100    0    0    0    9",
                "       ------------------------------",
                "          1    2    3    4    5    6",
            ],
        );
    }
}
