//! What the moves of every row do, as far as it does not depend on the opponent's row.

use std::array;
use std::ops::Range;

use crate::rules::{Board, House, Ply, Ruleset, Sower};

use super::rows::{number_of, ordered, rows_with, seeds_of};

/// The rows with a number of seeds.
pub(super) struct Rows {
    pub(super) seeds: usize,
    /// By their numbers.
    pub(super) houses: Vec<u64>,
    /// Where the moves of each row begin, and where those of the last one end.
    first_moves: Vec<u32>,
    moves: Vec<RowMove>,
    /// The number of the row with a seed more in each of its first houses, by the last of them.
    pub(super) sown: [Vec<u32>; 6],
    /// The number of the row without the seeds of each house.
    pub(super) cleared: [Vec<u32>; 6],
    /// The numbers of the rows, each after those of all rows that staying moves lead to.
    pub(super) order: Vec<u32>,
    /// Where the staying moves of each row begin, in this order, and where those of the last one end.
    first_staying: Vec<u32>,
    staying: Vec<Staying>,
}

/// A seed in each house.
const ONE_EACH: u64 = 0x0101_0101_0101;

/// How a move changes the opponent's row.
#[derive(Clone, Copy)]
pub(super) enum Opposite {
    Unchanged,
    /// It sows a seed into each of the first houses, the last of them this one.
    Sown(u8),
    /// In another way.
    Otherwise,
}

/// A move, as far as it does not depend on the opponent's row.
#[derive(Clone, Copy)]
pub(super) struct RowMove {
    /// What the opponent's houses gain.
    pub(super) opponent: u64,
    /// The number of the own row afterwards, and without the last seed where that captures.
    pub(super) number: u32,
    pub(super) captured_number: u32,
    /// Seeds in the own houses afterwards.
    pub(super) seeds: u8,
    /// Seeds that the opponent's houses gain.
    pub(super) opponent_seeds: u8,
    /// What the own store gains less what the opponent's does.
    pub(super) gain: i8,
    /// The opponent's house that may be captured.
    pub(super) facing: u8,
    pub(super) captures: bool,
    pub(super) extra_turn: bool,
    pub(super) opposite: Opposite,
}

/// A move that leaves all seeds in the row, and the opponent's row as it is.
#[derive(Clone, Copy)]
pub(super) struct Staying {
    /// The numbers of the row before and after it.
    pub(super) from: u32,
    pub(super) to: u32,
    /// The opponent's house that has to be empty, otherwise the move captures and does not stay; 6,
    /// which is always empty, for moves that never capture.
    pub(super) facing: u8,
}

/// The most memory, in bytes, that making a table up to `seeds` seeds takes in addition to the table:
/// its rows, and room for the lists of them to grow.
pub(super) fn room(seeds: usize) -> usize {
    let rows: u32 = (0..=seeds).map(rows_with).sum();
    let numbers = 14 * size_of::<u32>();
    rows as usize
        * (2 * (size_of::<u64>() + numbers) + 12 * (size_of::<RowMove>() + size_of::<Staying>()))
}

impl Rows {
    /// `None` if play can come back to a row, or a move can bring seeds to the opponent's row and none
    /// to a store.
    pub(super) fn new(rules: &Ruleset, seeds: usize) -> Option<Rows> {
        let sower = Sower::new(rules);
        let order = ordered(rules, seeds)?;
        let mut houses = order.clone();
        houses.sort_unstable_by_key(|&row| number_of(row));
        let changed = |change: &dyn Fn(u64) -> u64| {
            houses.iter().map(|&row| number_of(change(row))).collect::<Vec<u32>>()
        };
        let mut rows = Rows {
            seeds,
            first_moves: vec![0],
            moves: Vec::new(),
            sown: array::from_fn(|house| changed(&|row| row + (ONE_EACH >> (8 * (5 - house))))),
            cleared: array::from_fn(|house| changed(&|row| row & !(0xff << (8 * house)))),
            order: order.iter().map(|&row| number_of(row)).collect(),
            first_staying: vec![0],
            staying: Vec::new(),
            houses,
        };
        for &row in &rows.houses {
            let board = Board::from_houses([row, 0])?;
            rows.moves.extend(sower.legal(board).map(|ply| RowMove::new(sower, board, ply)));
            rows.first_moves.push(u32::try_from(rows.moves.len()).ok()?);
        }
        let crosses = |played: &RowMove| {
            played.opponent_seeds > 0 && usize::from(played.seeds + played.opponent_seeds) == seeds
        };
        if rows.moves.iter().any(crosses) {
            return None;
        }
        for &from in &rows.order {
            let moves = &rows.moves[range(&rows.first_moves, from as usize, from as usize + 1)];
            for played in moves.iter().filter(|played| usize::from(played.seeds) == seeds) {
                if !(played.captures && rules.empty_capture) {
                    let facing = if played.captures { played.facing } else { 6 };
                    rows.staying.push(Staying { from, to: played.number, facing });
                }
            }
            rows.first_staying.push(u32::try_from(rows.staying.len()).ok()?);
        }
        Some(rows)
    }

    pub(super) fn len(&self) -> usize {
        self.houses.len()
    }

    pub(super) fn moves(&self, row: usize) -> &[RowMove] {
        &self.moves[range(&self.first_moves, row, row + 1)]
    }

    /// The staying moves of the rows at `places` in the order.
    pub(super) fn staying(&self, places: Range<usize>) -> &[Staying] {
        &self.staying[range(&self.first_staying, places.start, places.end)]
    }
}

impl Staying {
    /// True if the move stays against an opponent with these houses.
    #[inline]
    pub(super) fn is_open(&self, opponent: u64) -> bool {
        let [seeds, ..] = (opponent >> (8 * self.facing)).to_le_bytes();
        seeds == 0
    }
}

/// From where the first begins to where the second does.
fn range(firsts: &[u32], from: usize, to: usize) -> Range<usize> {
    firsts[from] as usize..firsts[to] as usize
}

impl RowMove {
    fn new(sower: Sower, board: Board, ply: Ply) -> RowMove {
        let (after, last) = sower.spread(board, ply);
        let [own, opponent] = after.houses();
        let last_house = House::new(last);
        let captures = last_house.is_some_and(|house| after.seeds_in(house) == 1);
        let last_seed = if captures { 1 << (8 * last) } else { 0 };
        RowMove {
            opponent,
            number: number_of(own),
            captured_number: number_of(own & !last_seed),
            seeds: low_byte(seeds_of(own)),
            opponent_seeds: low_byte(seeds_of(opponent)),
            gain: after.store().cast_signed() - after.opponent_store().cast_signed(),
            facing: if captures { 5 - last } else { 0 },
            captures,
            extra_turn: last == 6,
            opposite: match (0..6).find(|house| opponent == ONE_EACH >> (8 * (5 - house))) {
                _ if opponent == 0 => Opposite::Unchanged,
                Some(house) => Opposite::Sown(house),
                None => Opposite::Otherwise,
            },
        }
    }
}

fn low_byte(number: usize) -> u8 {
    number.to_le_bytes()[0]
}
