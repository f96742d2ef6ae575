//! The values of all positions with few seeds in the houses, a byte each.

use std::sync::atomic::{AtomicBool, AtomicI8, AtomicUsize, Ordering};
use std::thread;

use crate::rules::{Board, House, Ply, Ruleset, Sower};

use super::hints::prefer_large_pages;
use super::refusal::refuse_too_much;
use super::rows::{number_of, ordered, rows_with, seeds_of};

/// Most seeds in the houses of both sides that a table may be made for: 1.3 GB.
pub const MOST_SEEDS: usize = 24;

/// How many seeds the table is worth making for once so many positions have been searched: a larger
/// one takes longer to make, about as long as the search took until then, and then saves more.
pub(super) const WORTH: [(u64, usize); 5] =
    [(0, 8), (200_000, 12), (800_000, 14), (2_000_000, 16), (5_000_000, 18)];

/// The seeds of [`WORTH`] after so many positions.
pub(super) fn worth(nodes: u64) -> usize {
    let worth = WORTH.iter().filter(|&&(least, _)| least <= nodes).map(|&(_, seeds)| seeds);
    worth.max().unwrap_or(0)
}

const LENGTH: usize = MOST_SEEDS + 1;

/// The value of every position with at most so many seeds in the houses, for the rules it was made
/// for.
pub struct Endgames {
    seeds: usize,
    values: Vec<AtomicI8>,
}

/// Where the positions with so many seeds on either side begin: all positions with fewer seeds
/// come first, and among those with as many the ones with fewer seeds on the mover's side.
static BLOCKS: [[u32; LENGTH]; LENGTH] = blocks();

const fn blocks() -> [[u32; LENGTH]; LENGTH] {
    let mut blocks = [[0; LENGTH]; LENGTH];
    let mut next = 0;
    let mut seeds = 0;
    while seeds <= MOST_SEEDS {
        let mut own = 0;
        while own <= seeds {
            blocks[own][seeds - own] = next;
            next += rows_with(own) * rows_with(seeds - own);
            own += 1;
        }
        seeds += 1;
    }
    blocks
}

static ROWS: [u32; LENGTH] = {
    let mut rows = [0; LENGTH];
    let mut seeds = 0;
    while seeds < LENGTH {
        rows[seeds] = rows_with(seeds);
        seeds += 1;
    }
    rows
};

/// The place of a position, by the seeds and the numbers of both rows.
#[inline]
fn index(own_seeds: usize, own: u32, opponent_seeds: usize, opponent: u32) -> usize {
    (BLOCKS[own_seeds][opponent_seeds] + own * ROWS[opponent_seeds] + opponent) as usize
}

/// How many positions have at most this many seeds in the houses, up to [`MOST_SEEDS`].
#[must_use]
pub const fn positions(seeds: usize) -> usize {
    // Stars and bars: `seeds` and twelve bars in any order, the last part being left out.
    let mut count = 1;
    let mut bar = 1;
    while bar <= 12 {
        count = count * (seeds + bar) / bar;
        bar += 1;
    }
    count
}

impl Default for Endgames {
    /// The table of the one position that has no seed at all.
    fn default() -> Endgames {
        Endgames { seeds: 0, values: vec![AtomicI8::new(0)] }
    }
}

impl Endgames {
    /// Makes the table go up to so many seeds, or as far as there is memory, unless `stop` says so
    /// first or the rules let play come back to a position: then it stays as it was. Takes so many
    /// threads, this one included.
    pub(super) fn grow(
        &mut self,
        rules: &Ruleset,
        seeds: usize,
        threads: usize,
        stop: &mut dyn FnMut() -> bool,
    ) {
        if seeds > MOST_SEEDS {
            return;
        }
        let has_room = |seeds: &usize| refuse_too_much(positions(*seeds) + room(*seeds)).is_ok();
        let Some(seeds) = (self.seeds + 1..=seeds).rev().find(has_room) else { return };
        let rows: Option<Vec<Rows>> = (0..=seeds).map(|seeds| Rows::new(rules, seeds)).collect();
        let Some(rows) = rows else { return };
        self.values.reserve_exact(positions(seeds).saturating_sub(self.values.len()));
        prefer_large_pages(&self.values);
        for total in self.seeds + 1..=seeds {
            self.values.resize_with(positions(total), AtomicI8::default);
            let filling = Filling {
                values: &self.values,
                empty_capture: rules.empty_capture,
                stopped: AtomicBool::new(false),
            };
            // A move that leaves all seeds in the houses leaves them in its row: positions in
            // which the seeds are divided otherwise need none of each other.
            let mut divided: Vec<(&Rows, &Rows)> =
                (0..=total / 2).map(|own| (&rows[own], &rows[total - own])).collect();
            divided.sort_by_key(|(xs, ys)| std::cmp::Reverse(xs.list.len() * ys.list.len()));
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
            if filling.stopped.into_inner() {
                return;
            }
            self.seeds = total;
        }
    }

    /// Most seeds of a position whose value it has.
    pub(super) const fn seeds(&self) -> usize {
        self.seeds
    }

    /// The value of the position with these houses; `None` when it has more seeds than the table.
    #[inline]
    pub(super) fn value(&self, own: u64, opponent: u64) -> Option<i16> {
        let (own_seeds, opponent_seeds) = (seeds_of(own), seeds_of(opponent));
        if own_seeds + opponent_seeds > self.seeds {
            return None;
        }
        let index = index(own_seeds, number_of(own), opponent_seeds, number_of(opponent));
        self.values.get(index).map(|value| i16::from(value.load(Ordering::Relaxed)))
    }
}

/// The rows with a number of seeds, in an order in which no row leads to a later one.
struct Rows {
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
const FEWEST_SEEDS_TO_SHARE: usize = 12;

/// Rows that are looked at together, so that the values they need share lines of the cache.
const TILE: usize = 64;

/// What making a table up to so many seeds takes beside it, in bytes, at most: its rows, and room
/// for the lists of them to grow.
fn room(seeds: usize) -> usize {
    let rows: u32 = (0..=seeds).map(rows_with).sum();
    rows as usize * (2 * size_of::<Row>() + 12 * size_of::<Move>())
}

impl Rows {
    fn new(rules: &Ruleset, seeds: usize) -> Option<Rows> {
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

/// The values of one number of seeds, which several threads fill in.
struct Filling<'a> {
    values: &'a [AtomicI8],
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
        self.values[index].store(value, Ordering::Relaxed);
    }

    #[inline]
    fn at(&self, index: usize) -> i8 {
        self.values[index].load(Ordering::Relaxed)
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
                gain + self.at(index(own_seeds, own_number, seeds, number))
            } else {
                gain - self.at(index(seeds, number, own_seeds, own_number))
            };
            best = best.max(value);
        }
        best
    }
}

#[cfg(test)]
mod tests {
    use super::super::testing::{BruteForce, Numbers, all_rules, solvable_rules};
    use super::*;
    use crate::rules::RulesetName;

    fn table(rules: &Ruleset, seeds: usize) -> Endgames {
        let mut endgames = Endgames::default();
        endgames.grow(rules, seeds, 1, &mut || false);
        endgames
    }

    fn values(endgames: &Endgames) -> Vec<i8> {
        endgames.values.iter().map(|value| value.load(Ordering::Relaxed)).collect()
    }

    #[test]
    fn a_table_made_by_several_threads_is_the_same() {
        let seeds = FEWEST_SEEDS_TO_SHARE;
        for rules in [RulesetName::Learneroo, RulesetName::Kalah].map(RulesetName::rules) {
            let mut endgames = Endgames::default();
            endgames.grow(&rules, seeds, 3, &mut || false);
            assert_eq!(endgames.seeds(), seeds);
            assert!(values(&endgames) == values(&table(&rules, seeds)));
        }
    }

    #[test]
    fn every_position_has_a_place_of_its_own() {
        let mut places = vec![0; positions(6)];
        let mut count = 0;
        for own_seeds in 0..=6 {
            for opponent_seeds in 0..=6 - own_seeds {
                for own in 0..rows_with(own_seeds) {
                    for opponent in 0..rows_with(opponent_seeds) {
                        places[index(own_seeds, own, opponent_seeds, opponent)] += 1;
                        count += 1;
                    }
                }
            }
        }
        assert_eq!(count, places.len());
        assert!(places.iter().all(|&times| times == 1));
        // Stars and bars.
        assert_eq!((positions(14), positions(18)), (9_657_700, 86_493_225));
    }

    #[test]
    fn values_are_those_of_brute_force() {
        let mut numbers = Numbers(1);
        for rules in solvable_rules() {
            let endgames = table(&rules, 8);
            let mut brute = BruteForce::new(rules);
            for _ in 0..15_000 {
                let seeds = 2 + numbers.below(7);
                let board = numbers.position(seeds);
                let [own, opponent] = board.houses();
                assert_eq!(endgames.value(own, opponent), Some(brute.value(board)), "{board:?}");
            }
        }
    }

    #[test]
    fn a_table_that_grows_is_one_that_was_made_at_once() {
        let rules = Ruleset::default();
        let mut endgames = table(&rules, 3);
        let mut calls = 0;
        let mut stop = || {
            calls += 1;
            calls > 3
        };
        endgames.grow(&rules, 7, 1, &mut stop);
        assert_eq!(endgames.seeds(), 4, "stopped in the middle of five seeds");
        endgames.grow(&rules, 7, 1, &mut || false);
        assert_eq!(values(&endgames), values(&table(&rules, 7)));
        assert_eq!(endgames.value(0x0303_0303_0303, 0x0303_0303_0303), None);
    }

    #[test]
    fn no_table_is_made_for_rows_that_come_back() {
        for rules in all_rules() {
            let comes_back = rules.direction.is_a_choice() && !rules.empty_capture;
            assert_eq!(table(&rules, 5).seeds() == 0, comes_back, "{rules:?}");
        }
    }
}
