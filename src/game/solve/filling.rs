//! Computes the values of all positions with one number of seeds from those with fewer.
//!
//! Most moves take seeds out of the houses, to positions whose values are known. These values are
//! looked up for one row of the mover and many rows of the opponent at once: the move does the same
//! for all of them, and the values are neighbours in memory. The other moves leave all seeds in the
//! mover's row. They come last, in an order in which the positions after them are known, too.

use std::cmp::Reverse;
use std::ops::Range;
use std::sync::atomic::{AtomicBool, AtomicI8, AtomicUsize, Ordering};
use std::thread;

use super::endgames::{ROWS, block};
use super::row_moves::{Opposite, RowMove, Rows};
use super::rows::number_of;

/// With fewer seeds, starting threads takes longer than they save.
pub(super) const FEWEST_SEEDS_TO_SHARE: usize = 12;

/// Rows of either side that are treated together, so that the values they need share cache lines.
const TILE: usize = 64;

/// Fills the last of `levels` from the ones before it on `threads` threads, this one included. False
/// if `stop` ended it early.
pub(super) fn fill(
    levels: &[&[AtomicI8]],
    rows: &[Rows],
    empty_capture: bool,
    threads: usize,
    stop: &mut dyn FnMut() -> bool,
) -> bool {
    let total = levels.len() - 1;
    let filling = Filling::new(levels, empty_capture);
    // A move that leaves all seeds in the houses leaves them in its row. So positions with another
    // division of seeds between the sides do not depend on each other.
    let mut divided: Vec<(&Rows, &Rows)> =
        (0..=total / 2).map(|own| (&rows[own], &rows[total - own])).collect();
    divided.sort_by_key(|(xs, ys)| Reverse(xs.len() * ys.len()));
    let helpers = if total < FEWEST_SEEDS_TO_SHARE { 0 } else { threads - 1 };
    let next = AtomicUsize::new(0);
    let work = |stop: &mut dyn FnMut() -> bool| {
        while let Some((xs, ys)) = divided.get(next.fetch_add(1, Ordering::Relaxed)) {
            filling.fill(xs, ys, stop);
        }
    };
    thread::scope(|scope| {
        for _ in 0..helpers {
            let help = || work(&mut || false);
            if thread::Builder::new().spawn_scoped(scope, help).is_err() {
                // The system allows no more threads.
                break;
            }
        }
        work(stop);
    });
    !filling.stopped.into_inner()
}

/// A level that several threads fill.
struct Filling<'a> {
    /// `blocks[opponent][own]`: by the seeds of the opponent's row and of the mover's.
    blocks: Vec<Vec<Block<'a>>>,
    empty_capture: bool,
    stopped: AtomicBool,
}

/// The values of all positions with the same seeds on either side.
#[derive(Clone, Copy)]
struct Block<'a> {
    /// The values for one row of the mover are neighbours.
    values: &'a [AtomicI8],
    /// The number of the opponent's rows.
    width: usize,
}

impl<'a> Block<'a> {
    #[inline]
    fn cell(self, own: usize, opponent: usize) -> &'a AtomicI8 {
        &self.values[own * self.width + opponent]
    }

    #[inline]
    fn at(self, own: usize, opponent: usize) -> i8 {
        self.cell(own, opponent).load(Ordering::Relaxed)
    }

    /// The values of all positions with row `own` of the mover.
    #[inline]
    fn row(self, own: usize) -> &'a [AtomicI8] {
        &self.values[own * self.width..][..self.width]
    }
}

impl<'a> Filling<'a> {
    fn new(levels: &[&'a [AtomicI8]], empty_capture: bool) -> Filling<'a> {
        let block = |own: usize, opponent: usize| {
            let values = &levels[own + opponent][block(own, opponent)..];
            Block { values, width: ROWS[opponent] as usize }
        };
        let most = levels.len();
        let blocks = (0..most)
            .map(|opponent| (0..most - opponent).map(|own| block(own, opponent)).collect())
            .collect();
        Filling { blocks, empty_capture, stopped: AtomicBool::new(false) }
    }

    #[inline]
    fn block(&self, own_seeds: usize, opponent_seeds: usize) -> Block<'a> {
        self.blocks[opponent_seeds][own_seeds]
    }

    /// Fills all positions in which one side has a row of `xs` and the other one of `ys`, unless `stop`
    /// returns true in any thread.
    fn fill(&self, xs: &Rows, ys: &Rows, stop: &mut dyn FnMut() -> bool) {
        let mut goes_on = || {
            if stop() {
                self.stopped.store(true, Ordering::Relaxed);
            }
            !self.stopped.load(Ordering::Relaxed)
        };
        let is_half = xs.seeds == ys.seeds;
        let _ = tiles(xs.len()).all(|tile| goes_on() && self.leave(xs, tile, ys))
            && (is_half || tiles(ys.len()).all(|tile| goes_on() && self.leave(ys, tile, xs)))
            && tiles(xs.len()).all(|tile| goes_on() && self.raise_staying(xs, tile, ys));
    }

    /// Computes the values of all positions in which `owns` move against `opponents`, by the moves that
    /// take seeds out of the houses.
    fn leave(&self, owns: &Rows, tile: Range<usize>, opponents: &Rows) -> bool {
        let block = self.block(owns.seeds, opponents.seeds);
        let [all, ..] = (owns.seeds + opponents.seeds).to_le_bytes().map(u8::cast_signed);
        for facing in tiles(opponents.len()) {
            for own in tile.clone() {
                let mut values = [i8::MIN; TILE];
                let values = &mut values[..facing.len()];
                if owns.seeds == 0 || opponents.seeds == 0 {
                    values.fill(if owns.seeds == 0 { -all } else { all });
                } else {
                    for played in owns.moves(own) {
                        self.raise(values, played, opponents, facing.clone());
                    }
                }
                for (cell, value) in block.row(own)[facing.clone()].iter().zip(values) {
                    cell.store(*value, Ordering::Relaxed);
                }
            }
        }
        true
    }

    /// Raises each value to that of the move against the row at its index, if the move takes seeds out
    /// of the houses.
    fn raise(&self, values: &mut [i8], played: &RowMove, opponents: &Rows, facing: Range<usize>) {
        let sown = match played.opposite {
            Opposite::Unchanged if played.captures => {
                return self.raise_by_capture(values, played, opponents, facing);
            }
            Opposite::Unchanged if played.gain == 0 => return,
            Opposite::Unchanged => None,
            Opposite::Sown(house) if !played.captures => {
                Some(&opponents.sown[usize::from(house)][facing.clone()])
            }
            _ => {
                let rows = opponents.houses[facing].iter();
                return raise(values, rows.map(|&row| self.value(played, opponents.seeds, row)));
            }
        };
        let RowMove { number, gain, .. } = *played;
        let number = number as usize;
        let own_seeds = usize::from(played.seeds);
        let seeds = opponents.seeds + usize::from(played.opponent_seeds);
        if played.extra_turn {
            let row = self.block(own_seeds, seeds).row(number);
            let at = |cell: &AtomicI8| gain + cell.load(Ordering::Relaxed);
            match sown {
                None => raise(values, row[facing].iter().map(at)),
                Some(sown) => raise(values, sown.iter().map(|&number| at(&row[number as usize]))),
            }
        } else {
            let block = self.block(seeds, own_seeds);
            let at = |row: usize| gain - block.at(row, number);
            match sown {
                None => raise(values, facing.map(at)),
                Some(sown) => raise(values, sown.iter().map(|&row| at(row as usize))),
            }
        }
    }

    /// The same for a move that captures and leaves the opponent's other houses unchanged.
    fn raise_by_capture(
        &self,
        values: &mut [i8],
        played: &RowMove,
        opponents: &Rows,
        facing: Range<usize>,
    ) {
        let blocks = &self.blocks[usize::from(played.seeds) - 1][..=opponents.seeds];
        let number = played.captured_number as usize;
        let house = usize::from(played.facing);
        let cleared = &opponents.cleared[house][facing.clone()];
        let rows = opponents.houses[facing].iter().zip(cleared);
        for (value, (&row, &cleared)) in values.iter_mut().zip(rows) {
            let [prey, ..] = (row >> (8 * house)).to_le_bytes();
            if prey > 0 || self.empty_capture {
                let block = blocks[opponents.seeds - usize::from(prey)];
                let gain = played.gain + 1 + prey.cast_signed();
                *value = (*value).max(gain - block.at(cleared as usize, number));
            }
        }
    }

    /// The value of a move that takes seeds out of the houses, against `row`.
    fn value(&self, played: &RowMove, seeds: usize, opponent: u64) -> i8 {
        let mut row = opponent + played.opponent;
        let mut seeds = seeds + usize::from(played.opponent_seeds);
        let mut own_seeds = usize::from(played.seeds);
        let mut number = played.number;
        let mut gain = played.gain;
        let [prey, ..] = (row >> (8 * played.facing)).to_le_bytes();
        if played.captures && (prey > 0 || self.empty_capture) {
            gain += 1 + prey.cast_signed();
            own_seeds -= 1;
            number = played.captured_number;
            seeds -= usize::from(prey);
            row &= !(0xff << (8 * played.facing));
        }
        let (own, opponent) = (number as usize, number_of(row) as usize);
        if played.extra_turn {
            gain + self.block(own_seeds, seeds).at(own, opponent)
        } else {
            gain - self.block(seeds, own_seeds).at(opponent, own)
        }
    }

    /// Raises the values of all positions in which one side has a row of `xs` and the other one of
    /// `ys`, by the moves that leave all seeds in a row.
    fn raise_staying(&self, xs: &Rows, tile: Range<usize>, ys: &Rows) -> bool {
        let is_half = xs.seeds == ys.seeds;
        let x_moves = self.block(xs.seeds, ys.seeds);
        let y_moves = self.block(ys.seeds, xs.seeds);
        // If both lists are the same, x is the later row.
        let end = if is_half { tile.end } else { ys.len() };
        for facing in tiles(end) {
            for place in tile.clone() {
                let x = xs.order[place] as usize;
                let until = |end: usize| {
                    let end = if is_half { facing.end.min(end) } else { facing.end };
                    facing.start..end.max(facing.start)
                };
                let row = x_moves.row(x);
                for staying in xs.staying(place..place + 1) {
                    for &y in &ys.order[until(place)] {
                        let y = y as usize;
                        if staying.is_open(ys.houses[y]) {
                            raise_cell(&row[y], -y_moves.at(y, staying.to as usize));
                        }
                    }
                }
                for staying in ys.staying(until(place + 1)) {
                    if staying.is_open(xs.houses[x]) {
                        let value = -row[staying.to as usize].load(Ordering::Relaxed);
                        raise_cell(y_moves.cell(staying.from as usize, x), value);
                    }
                }
            }
        }
        true
    }
}

/// Raises each value to the new value at its index.
#[inline]
fn raise(values: &mut [i8], others: impl Iterator<Item = i8>) {
    for (value, other) in values.iter_mut().zip(others) {
        *value = (*value).max(other);
    }
}

/// No other thread writes to it.
#[inline]
fn raise_cell(cell: &AtomicI8, value: i8) {
    cell.store(cell.load(Ordering::Relaxed).max(value), Ordering::Relaxed);
}

/// The numbers below `end`, in ranges of [`TILE`].
fn tiles(end: usize) -> impl Iterator<Item = Range<usize>> {
    (0..end).step_by(TILE).map(move |start| start..end.min(start + TILE))
}
