//! The values of all positions with one number of seeds, worked out from those with fewer.
//!
//! Most moves take seeds out of the houses, to positions whose values are known. They are looked
//! up for one row of the mover's and many of the opponent's at once: what the move does is the same
//! for all of them, and the values lie together. The other moves leave all seeds in the mover's
//! row. They come last, and in an order in which the positions after them are known, too.

use std::cmp::Reverse;
use std::ops::Range;
use std::sync::atomic::{AtomicBool, AtomicI8, AtomicUsize, Ordering};
use std::thread;

use super::endgames::{ROWS, block};
use super::row_moves::{Move, Opposite, Rows};
use super::rows::number_of;

/// With fewer seeds than this, starting threads takes longer than they save.
pub(super) const FEWEST_SEEDS_TO_SHARE: usize = 12;

/// Rows of either side that are looked at together, so that the values they need share lines of the
/// cache.
const TILE: usize = 64;

/// Fills in the last of the levels, which all others come before, in so many threads, this one
/// included. Whether it came to the end before `stop` said so.
pub(super) fn fill(
    levels: &[&[AtomicI8]],
    rows: &[Rows],
    empty_capture: bool,
    threads: usize,
    stop: &mut dyn FnMut() -> bool,
) -> bool {
    let total = levels.len() - 1;
    let filling = Filling::new(levels, empty_capture);
    // A move that leaves all seeds in the houses leaves them in its row: positions in which the
    // seeds are divided otherwise need none of each other.
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
                // As many threads as the system allows.
                break;
            }
        }
        work(stop);
    });
    !filling.stopped.into_inner()
}

/// What several threads fill in together.
struct Filling<'a> {
    /// By the seeds of the opponent's row and of the mover's.
    blocks: Vec<Vec<Block<'a>>>,
    empty_capture: bool,
    stopped: AtomicBool,
}

/// The values of all positions with so many seeds on either side.
#[derive(Clone, Copy)]
struct Block<'a> {
    /// Those of a row of the mover's together.
    values: &'a [AtomicI8],
    /// How many rows the opponent may have.
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

    /// The values of all positions with this row of the mover's.
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

    /// Fills in all positions in which one side has a row of these and the other one of those,
    /// unless `stop` says so in any thread.
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
            && tiles(xs.len()).all(|tile| goes_on() && self.stay(xs, tile, ys));
    }

    /// The values of all positions in which these rows move and those face them, by the moves that
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

    /// Raises each value to that of a move against the row in its place, where the move takes seeds
    /// out of the houses.
    fn raise(&self, values: &mut [i8], played: &Move, opponents: &Rows, facing: Range<usize>) {
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
        let Move { number, gain, .. } = *played;
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

    /// The same, for a move that captures and leaves the other houses of the opponent as they are.
    fn raise_by_capture(
        &self,
        values: &mut [i8],
        played: &Move,
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

    /// The value of a move that takes seeds out of the houses, against a row with so many seeds.
    fn value(&self, played: &Move, seeds: usize, opponent: u64) -> i8 {
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

    /// Raises the values of all positions in which one side has one of these rows and the other one of
    /// those, by the moves that leave all seeds in a row.
    fn stay(&self, xs: &Rows, tile: Range<usize>, ys: &Rows) -> bool {
        let is_half = xs.seeds == ys.seeds;
        let x_moves = self.block(xs.seeds, ys.seeds);
        let y_moves = self.block(ys.seeds, xs.seeds);
        // Of two rows of one list, the later one is x.
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

/// Raises each of these to the value in the same place.
#[inline]
fn raise(values: &mut [i8], others: impl Iterator<Item = i8>) {
    for (value, other) in values.iter_mut().zip(others) {
        *value = (*value).max(other);
    }
}

/// Nobody else writes to it.
#[inline]
fn raise_cell(cell: &AtomicI8, value: i8) {
    cell.store(cell.load(Ordering::Relaxed).max(value), Ordering::Relaxed);
}

/// The numbers below this one, so many together as rows are looked at.
fn tiles(end: usize) -> impl Iterator<Item = Range<usize>> {
    (0..end).step_by(TILE).map(move |start| start..end.min(start + TILE))
}
