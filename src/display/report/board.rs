//! A board drawn in three lines.

use std::fmt::Write as _;

use crate::rules::Board;

/// Draws a board as its owner sees it: the opponent's houses on top from 12 to 7, the stores at
/// the two ends, the own houses below from 0 to 5. Each line is indented by two blanks.
pub fn draw(board: Board) -> String {
    let cells = board.cells();
    let width = cells.iter().map(|seeds| seeds.to_string().len()).max().unwrap_or(1).max(2);
    let row = |houses: &mut dyn Iterator<Item = usize>| {
        houses.fold(String::new(), |mut row, cell| {
            let _ = write!(row, " {:>width$}", cells[cell]);
            row
        })
    };
    let top = row(&mut (7..13).rev());
    let bottom = row(&mut (0..6));
    let middle = " ".repeat(top.len());
    let (left, right) = (cells[13], cells[6]);
    let blank = " ".repeat(width);
    format!("  {blank}{top}\n  {left:>width$}{middle} {right:>width$}\n  {blank}{bottom}\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_are_aligned_for_any_count() {
        let board = Board::from_cells([0, 1, 2, 3, 4, 5, 60, 7, 8, 9, 10, 11, 12, 100]).unwrap();
        assert_eq!(
            draw(board),
            "       12  11  10   9   8   7\n  \
             100                          60\n       \
             0   1   2   3   4   5\n"
                .replace("       0   1", "        0   1")
        );
        let board = Board::from_cells([3, 3, 3, 3, 3, 3, 0, 3, 3, 3, 3, 3, 3, 0]).unwrap();
        assert_eq!(
            draw(board),
            "      3  3  3  3  3  3\n   0                    0\n      3  3  3  3  3  3\n"
        );
    }
}
