//! The values of all positions with one number of seeds, worked out from those with fewer.

use std::cmp::Reverse;
use std::sync::atomic::{AtomicBool, AtomicI8, AtomicUsize, Ordering};
use std::thread;

use crate::rules::{Board, House, Ply, Ruleset, Sower};

use super::endgames::index;
use super::rows::{number_of, ordered, rows_with, seeds_of};

/// The rows with a number of seeds, in an order in which no row leads to a later one.
pub(super) struct Rows {
    seeds: usize,
    list: Vec<Row>,
    moves: Vec<Move>,
}

/// A row and which moves it has.
#[derive(Clone, Copy)]
struct Row {
    houses: u64,
    number: u32,
    moves: (u32, u32),
    /// The number of the row with a seed more in each of its first houses, by the last of them:
    /// finding it out again for every move takes a tenth of the time.
    sown: [u32; 6],
    /// The number of the row without the seeds of each house.
    cleared: [u32; 6],
}

/// A seed in each house.
const ONE_EACH: u64 = 0x0101_0101_0101;

/// What a move makes of the opponent's row.
#[derive(Clone, Copy)]
enum Opposite {
    /// Nothing.
    Unchanged,
    /// It sows a seed into each of the first houses, the last of them this one.
    Sown(u8),
    /// More than that.
    Otherwise,
}

/// A move as far as it does not depend on the opponent's row.
#[derive(Clone, Copy)]
struct Move {
    /// What the opponent's houses gain.
    opponent: u64,
    /// The number of the own row afterwards, and without the last seed where that captures.
    number: u32,
    captured_number: u32,
    /// Seeds in the own houses afterwards.
    seeds: u8,
    /// Seeds that the opponent's houses gain.
    opponent_seeds: u8,
    /// What the own store gains less what the opponent's does.
    gain: i8,
    /// The opponent's house that may be captured.
    facing: u8,
    captures: bool,
    extra_turn: bool,
    opposite: Opposite,
}

/// With fewer seeds than this, starting threads takes longer than they save.
pub(super) const FEWEST_SEEDS_TO_SHARE: usize = 12;

/// Rows that are looked at together, so that the values they need share lines of the cache.
const TILE: usize = 64;

/// What making a table up to so many seeds takes beside it, in bytes, at most: its rows, and room
/// for the lists of them to grow.
pub(super) fn room(seeds: usize) -> usize {
    let rows: u32 = (0..=seeds).map(rows_with).sum();
    rows as usize * (2 * size_of::<Row>() + 12 * size_of::<Move>())
}

impl Rows {
    /// `None` when the rules let play come back to a row.
    pub(super) fn new(rules: &Ruleset, seeds: usize) -> Option<Rows> {
        let sower = Sower::new(rules);
        let mut moves = Vec::new();
        let mut list = Vec::new();
        for row in ordered(rules, seeds)? {
            let board = Board::from_houses([row, 0])?;
            let first = u32::try_from(moves.len()).ok()?;
            moves.extend(sower.legal(board).map(|ply| Move::new(sower, board, ply)));
            let end = u32::try_from(moves.len()).ok()?;
            let changed = |change: &dyn Fn(u64) -> u64| {
                std::array::from_fn(|house| number_of(change(house as u64)))
            };
            list.push(Row {
                houses: row,
                number: number_of(row),
                moves: (first, end),
                sown: changed(&|house| row + (ONE_EACH >> (8 * (5 - house)))),
                cleared: changed(&|house| row & !(0xff << (8 * house))),
            });
        }
        Some(Rows { seeds, list, moves })
    }

    #[inline]
    fn moves(&self, row: &Row) -> &[Move] {
        &self.moves[row.moves.0 as usize..row.moves.1 as usize]
    }
}

impl Move {
    fn new(sower: Sower, board: Board, ply: Ply) -> Move {
        let (after, last) = sower.spread(board, ply);
        let [own, opponent] = after.houses();
        let last_house = House::new(last);
        let captures = last_house.is_some_and(|house| after.seeds_in(house) == 1);
        let last_seed = if captures { 1 << (8 * last) } else { 0 };
        Move {
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
    let filling = Filling { levels, empty_capture, stopped: AtomicBool::new(false) };
    // A move that leaves all seeds in the houses leaves them in its row: positions in which the
    // seeds are divided otherwise need none of each other.
    let mut divided: Vec<(&Rows, &Rows)> =
        (0..=total / 2).map(|own| (&rows[own], &rows[total - own])).collect();
    divided.sort_by_key(|(xs, ys)| Reverse(xs.list.len() * ys.list.len()));
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

/// Levels by their numbers of seeds, the last of which is filled in by several threads.
struct Filling<'a> {
    levels: &'a [&'a [AtomicI8]],
    empty_capture: bool,
    stopped: AtomicBool,
}

impl Filling<'_> {
    /// Fills in all positions in which one side has a row of these and the other one of those,
    /// unless `stop` says so in any thread.
    fn fill(&self, xs: &Rows, ys: &Rows, stop: &mut dyn FnMut() -> bool) {
        let is_half = xs.seeds == ys.seeds;
        for (tile, tile_xs) in xs.list.chunks(TILE).enumerate() {
            if stop() {
                self.stopped.store(true, Ordering::Relaxed);
            }
            if self.stopped.load(Ordering::Relaxed) {
                return;
            }
            let first = TILE * tile;
            let rows = if is_half { &ys.list[..first + tile_xs.len()] } else { &ys.list[..] };
            // A position needs those in which its mover's row is one that comes before, and the
            // other side is to move: they are in this loop's past whichever side that is.
            for (number, y) in rows.iter().enumerate() {
                let from = if is_half { number.saturating_sub(first) } else { 0 };
                for x in &tile_xs[from..] {
                    self.put(xs, x, ys, y);
                    self.put(ys, y, xs, x);
                }
            }
        }
    }

    #[inline]
    fn put(&self, owns: &Rows, own: &Row, opponents: &Rows, opponent: &Row) {
        let value = self.best(owns, own, opponents, opponent);
        let index = index(owns.seeds, own.number, opponents.seeds, opponent.number);
        self.levels[owns.seeds + opponents.seeds][index].store(value, Ordering::Relaxed);
    }

    #[inline]
    fn at(&self, own_seeds: usize, own: u32, opponent_seeds: usize, opponent: u32) -> i8 {
        let index = index(own_seeds, own, opponent_seeds, opponent);
        self.levels[own_seeds + opponent_seeds][index].load(Ordering::Relaxed)
    }

    #[inline]
    fn best(&self, owns: &Rows, own: &Row, opponents: &Rows, opponent: &Row) -> i8 {
        if owns.seeds == 0 || opponents.seeds == 0 {
            let seeds = |rows: &Rows| low_byte(rows.seeds).cast_signed();
            return seeds(owns) - seeds(opponents);
        }
        let mut best = i8::MIN;
        for played in owns.moves(own) {
            let mut seeds = opponents.seeds + usize::from(played.opponent_seeds);
            let mut number = match played.opposite {
                Opposite::Unchanged => opponent.number,
                Opposite::Sown(house) => opponent.sown[usize::from(house)],
                Opposite::Otherwise => number_of(opponent.houses + played.opponent),
            };
            let mut gain = played.gain;
            let mut own_seeds = usize::from(played.seeds);
            let mut own_number = played.number;
            if played.captures {
                let row = opponent.houses + played.opponent;
                let [prey, ..] = (row >> (8 * played.facing)).to_le_bytes();
                if prey > 0 || self.empty_capture {
                    gain += 1 + prey.cast_signed();
                    own_seeds -= 1;
                    own_number = played.captured_number;
                    seeds -= usize::from(prey);
                    number = match played.opposite {
                        Opposite::Unchanged => opponent.cleared[usize::from(played.facing)],
                        _ => number_of(row & !(0xff << (8 * played.facing))),
                    };
                }
            }
            let value = if played.extra_turn {
                gain + self.at(own_seeds, own_number, seeds, number)
            } else {
                gain - self.at(seeds, number, own_seeds, own_number)
            };
            best = best.max(value);
        }
        best
    }
}
