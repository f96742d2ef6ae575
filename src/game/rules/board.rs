//! The flat board of fourteen cells, seen by the player to move.

use std::fmt;

use serde::Serialize;

/// Number of cells of a board.
pub const CELLS: usize = 14;

/// Most seeds a board may hold, so that a cell always fits a byte, sums included.
pub const MAX_SEEDS: u16 = 240;

/// One of the six houses of a side: 0 is furthest from its owner's store, 5 nearest to it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
pub struct House(u8);

impl House {
    /// The six houses in order.
    pub const ALL: [House; 6] = [House(0), House(1), House(2), House(3), House(4), House(5)];

    /// The house of that cell, or `None` when `cell` is not 0 to 5.
    pub const fn new(cell: u8) -> Option<House> {
        if cell < 6 { Some(House(cell)) } else { None }
    }

    /// The cell of this house in its owner's view, 0 to 5.
    pub const fn cell(self) -> u8 {
        self.0
    }
}

impl fmt::Display for House {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

/// One player's houses and store, a byte each: byte 0 to 5 the houses, byte 6 the store, byte 7
/// always zero. Sowing is then one addition, and an empty side one comparison.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Default)]
pub(super) struct PlayerCells(pub(super) u64);

impl PlayerCells {
    const HOUSES: u64 = 0x0000_ffff_ffff_ffff;
    const STORE_SHIFT: u32 = 48;

    pub(super) const fn cell(self, index: u8) -> u8 {
        (self.0 >> (8 * index as u32)).to_le_bytes()[0]
    }

    pub(super) const fn cleared(self, index: u8) -> PlayerCells {
        PlayerCells(self.0 & !(0xff << (8 * index as u32)))
    }

    pub(super) const fn with_stored(self, seeds: u8) -> PlayerCells {
        PlayerCells(self.0 + ((seeds as u64) << PlayerCells::STORE_SHIFT))
    }

    const fn is_empty(self) -> bool {
        self.0 & PlayerCells::HOUSES == 0
    }

    fn in_houses(self) -> u8 {
        House::ALL.iter().map(|house| self.cell(house.0)).sum()
    }

    fn swept(self) -> PlayerCells {
        PlayerCells(self.0 & !PlayerCells::HOUSES).with_stored(self.in_houses())
    }

    fn from_cells(cells: &[u8]) -> PlayerCells {
        PlayerCells(cells.iter().rev().fold(0, |row, &seeds| row << 8 | u64::from(seeds)))
    }

    fn write_cells(self, cells: &mut [u8]) {
        cells.copy_from_slice(&self.0.to_le_bytes()[..CELLS / 2]);
    }
}

/// The sum of the bytes of a word.
const fn sum(word: u64) -> u64 {
    const EVEN: u64 = 0x00ff_00ff_00ff_00ff;
    ((word & EVEN) + (word >> 8 & EVEN)).wrapping_mul(0x0001_0001_0001_0001) >> 48
}

/// Fourteen cells in one player's view.
///
/// Cells 0 to 5 are its houses, 6 its store, 7 to 12 the opponent's houses, 13 the opponent's
/// store; house `c` faces cell `12 - c`. All cells together hold at most [`MAX_SEEDS`].
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Board {
    pub(super) own: PlayerCells,
    pub(super) opponent: PlayerCells,
}

impl Board {
    /// The board with `cells`.
    ///
    /// # Errors
    ///
    /// When they sum to more than [`MAX_SEEDS`].
    pub fn from_cells(cells: [u8; CELLS]) -> Result<Board, String> {
        let seeds: u32 = cells.iter().copied().map(u32::from).sum();
        if seeds > u32::from(MAX_SEEDS) {
            return Err(format!("a board holds at most {MAX_SEEDS} seeds, not {seeds}"));
        }
        let (own, opponent) = cells.split_at(CELLS / 2);
        Ok(Board { own: PlayerCells::from_cells(own), opponent: PlayerCells::from_cells(opponent) })
    }

    /// All cells, 0 to 13.
    pub fn cells(self) -> [u8; CELLS] {
        let mut cells = [0; CELLS];
        let (own, opponent) = cells.split_at_mut(CELLS / 2);
        self.own.write_cells(own);
        self.opponent.write_cells(opponent);
        cells
    }

    pub const fn seeds_in(self, house: House) -> u8 {
        self.own.cell(house.0)
    }

    /// Seeds in the own store.
    pub const fn store(self) -> u8 {
        self.own.cell(6)
    }

    /// Seeds in the opponent's store.
    pub const fn opponent_store(self) -> u8 {
        self.opponent.cell(6)
    }

    /// The margin of the stores: the own one less the opponent's.
    #[inline]
    pub const fn lead(self) -> i16 {
        self.store() as i16 - self.opponent_store() as i16
    }

    /// The same position in the other player's view.
    pub const fn flipped(self) -> Board {
        Board { own: self.opponent, opponent: self.own }
    }

    /// Whether the own houses are all empty.
    pub const fn own_side_is_empty(self) -> bool {
        self.own.is_empty()
    }

    /// Whether either side has no seed in its houses: the game has ended.
    pub const fn is_over(self) -> bool {
        self.own.is_empty() || self.opponent.is_empty()
    }

    /// The board after every player has taken the seeds left on its own side.
    pub fn swept(self) -> Board {
        Board { own: self.own.swept(), opponent: self.opponent.swept() }
    }

    /// The houses of the player to move and of its opponent, a byte each: the lowest byte is house
    /// 0, the two highest bytes are zero. The stores are left out.
    #[inline]
    pub(crate) const fn houses(self) -> [u64; 2] {
        [self.own.0 & PlayerCells::HOUSES, self.opponent.0 & PlayerCells::HOUSES]
    }

    /// The board with these [`houses`](Board::houses) and empty stores, or `None` when a high byte
    /// is not zero or there are more than [`MAX_SEEDS`] seeds.
    #[inline]
    pub(crate) const fn from_houses([own, opponent]: [u64; 2]) -> Option<Board> {
        if (own | opponent) & !PlayerCells::HOUSES != 0
            || sum(own) + sum(opponent) > MAX_SEEDS as u64
        {
            return None;
        }
        Some(Board { own: PlayerCells(own), opponent: PlayerCells(opponent) })
    }

    /// The same position with both stores empty.
    #[inline]
    pub const fn without_stores(self) -> Board {
        let [own, opponent] = self.houses();
        Board { own: PlayerCells(own), opponent: PlayerCells(opponent) }
    }

    /// All seeds on the board, stores included.
    pub fn seeds(self) -> u8 {
        self.cells().iter().sum()
    }
}

impl fmt::Debug for Board {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Board{:?}", self.cells())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cells_come_back_as_they_went_in() {
        let cells = [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13];
        let board = Board::from_cells(cells).unwrap();
        assert_eq!(board.cells(), cells);
        assert_eq!(board.store(), 6);
        assert_eq!(board.opponent_store(), 13);
        assert_eq!(board.seeds(), 91);
        assert_eq!(board.flipped().cells(), [7, 8, 9, 10, 11, 12, 13, 0, 1, 2, 3, 4, 5, 6]);
    }

    #[test]
    fn a_cell_and_a_board_hold_up_to_240_seeds() {
        let mut cells = [0; CELLS];
        cells[2] = 240;
        assert!(Board::from_cells(cells).is_ok());
        cells[9] = 1;
        let why = |cells| Board::from_cells(cells).unwrap_err();
        assert_eq!(why(cells), "a board holds at most 240 seeds, not 241");
        assert_eq!(why([255; CELLS]), "a board holds at most 240 seeds, not 3570");
    }

    #[test]
    fn houses_come_back_as_they_went_in_and_stores_are_left_out() {
        let board = Board::from_cells([1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14]).unwrap();
        let houses = board.houses();
        assert_eq!(houses, [0x0605_0403_0201, 0x0d0c_0b0a_0908]);
        assert_eq!(Board::from_houses(houses), Some(board.without_stores()));
        assert_eq!(board.without_stores().cells()[6], 0);
        assert_eq!(board.without_stores().seeds(), 105 - 7 - 14);
        assert!(Board::from_houses([240, 0]).is_some());
        assert_eq!(Board::from_houses([240, 1 << 40]), None);
        assert_eq!(Board::from_houses([1 << 48, 1]), None);
        assert_eq!(Board::from_houses([u64::MAX >> 16, u64::MAX >> 16]), None);
    }

    #[test]
    fn sweeping_moves_each_side_into_its_own_store() {
        let board = Board::from_cells([1, 2, 0, 0, 0, 0, 5, 0, 0, 0, 0, 0, 0, 9]).unwrap();
        assert!(board.is_over());
        assert!(!board.own_side_is_empty());
        assert_eq!(board.swept().cells(), [0, 0, 0, 0, 0, 0, 8, 0, 0, 0, 0, 0, 0, 9]);
    }
}
