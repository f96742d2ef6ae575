//! Whoever wants exact values asks here: of positions, of moves, of lines of best play.

use std::cmp::Reverse;
use std::num::NonZeroUsize;
use std::sync::Arc;

use crate::rules::{Board, Direction, Ply, Ruleset, Sower};

use super::budget::{Budget, Meter};
use super::closing_in::{expected_nodes, widest};
use super::endgames::{self, Endgames, WORTH};
use super::known::Known;
use super::order::many_seeds;
use super::refusal::{LEAST_MEMORY, Refusal, refuse_cycles, refuse_too_much};
use super::search::{Child, Search, in_play};
use super::value::Bounds;

/// Memory that is enough for every position that can be solved within minutes, in bytes.
pub const DEFAULT_MEMORY: usize = 256 << 20;

/// Memory for many hard positions, in bytes: enough for a table of endgames up to 22 seeds, with
/// which four-seed games are analysed several times as fast, and all moves of an opening solved in
/// half the time.
pub const MANY_MEMORY: usize = 1 << 30;

/// The table of endgames is made no larger than is worth while for a search of this part of the
/// budget, one of so many, however much was searched before: making it takes time from the search.
const PART_FOR_TABLES: u64 = 6;

/// Exact values under the rules it was made for. What it has found helps it with later positions.
pub struct Solver {
    sower: Sower,
    directions: &'static [Direction],
    rules: Ruleset,
    pub(super) endgames: Arc<Endgames>,
    pub(super) most_seeds: usize,
    known: Known,
    pub(super) meter: Meter,
    threads: usize,
    /// Solvers that share the table of endgames.
    sharers: u64,
    #[cfg(test)]
    pub(super) worst_first: bool,
}

/// The value of a move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MoveValue {
    /// The move.
    pub ply: Ply,
    /// The mover's final margin after it, counted from before it.
    pub value: Bounds,
}

impl Solver {
    /// A solver that takes at most about so many bytes.
    ///
    /// # Errors
    ///
    /// When play can come back to a position under these rules, with less than [`LEAST_MEMORY`],
    /// or with more than the system has.
    pub fn new(rules: &Ruleset, memory: usize) -> Result<Solver, Refusal> {
        Solver::sharing(rules, memory, 1).map(|(solver, _)| solver)
    }

    /// A solver whose table of endgames goes up to so many seeds from the start, or as far as memory
    /// and the time of the budget allow, and never further. It takes so many bytes beside that.
    ///
    /// # Errors
    ///
    /// As of [`Solver::new`].
    pub fn prepared(
        rules: &Ruleset,
        seeds: usize,
        memory: usize,
        budget: &Budget,
    ) -> Result<Solver, Refusal> {
        let solver = Solver::new(rules, memory)?;
        let mut solver = Solver { most_seeds: seeds, known: Known::new(memory), ..solver };
        solver.prepare(seeds, budget);
        Ok(solver)
    }

    /// Solvers for so many threads, which share the table of endgames and at most about so many
    /// bytes: at most as many as have [`LEAST_MEMORY`] each.
    ///
    /// # Errors
    ///
    /// As of [`Solver::new`].
    pub fn team(
        rules: &Ruleset,
        memory: usize,
        solvers: NonZeroUsize,
    ) -> Result<Vec<Solver>, Refusal> {
        let count = solvers.get().min(memory / LEAST_MEMORY);
        let (first, share) = Solver::sharing(rules, memory, count)?;
        let first = first.with_threads(solvers);
        let mut team = Vec::with_capacity(count);
        while team.len() + 1 < count && refuse_too_much(share).is_ok() {
            team.push(Solver {
                endgames: Arc::clone(&first.endgames),
                known: Known::new(share),
                meter: Meter::default(),
                ..first
            });
        }
        team.push(first);
        Ok(team)
    }

    /// The first of so many solvers that share so many bytes, and the bytes that each has for what
    /// it finds.
    fn sharing(rules: &Ruleset, memory: usize, solvers: usize) -> Result<(Solver, usize), Refusal> {
        refuse_cycles(rules)?;
        if memory < LEAST_MEMORY {
            return Err(Refusal::Memory);
        }
        refuse_too_much(memory)?;
        // A little more than half of it, so that [`MANY_MEMORY`] is enough for 22 seeds.
        let fits = |seeds: &usize| endgames::positions(*seeds) <= memory / 7 * 4;
        let most_seeds = WORTH.iter().map(|&(_, seeds)| seeds).filter(fits).max().unwrap_or(0);
        let share = (memory - endgames::positions(most_seeds)) / solvers.max(1);
        let solver = Solver {
            sower: Sower::new(rules),
            directions: rules.direction.directions(),
            rules: *rules,
            endgames: Arc::new(Endgames::new(rules)),
            most_seeds,
            known: Known::new(share),
            meter: Meter::default(),
            threads: 1,
            sharers: solvers as u64,
            #[cfg(test)]
            worst_first: false,
        };
        Ok((solver, share))
    }

    /// The same, making its table of endgames in so many threads. No value depends on them.
    #[must_use]
    pub fn with_threads(self, threads: NonZeroUsize) -> Solver {
        Solver { threads: threads.get(), ..self }
    }

    /// The rules it solves.
    #[must_use]
    pub const fn rules(&self) -> &Ruleset {
        &self.rules
    }

    /// Positions it has searched since it was made.
    #[must_use]
    pub const fn nodes(&self) -> u64 {
        self.meter.nodes()
    }

    /// The value of a position: exact, or bounds that are true when the budget is spent first.
    /// Each time the bounds become closer `progress` is told.
    pub fn value(
        &mut self,
        board: Board,
        budget: &Budget,
        progress: &mut dyn FnMut(Bounds),
    ) -> Bounds {
        self.meter.begin(budget);
        let board = board.without_stores();
        self.bounds(board, widest(board), None, progress)
    }

    /// The value of a position, faster where the `guess` is near.
    pub fn value_near(&mut self, board: Board, guess: Option<i16>, budget: &Budget) -> Bounds {
        self.meter.begin(budget);
        let board = board.without_stores();
        self.bounds(board, widest(board), guess, &mut |_| {})
    }

    /// The value of a legal move. A `guess` that is near makes it faster.
    pub fn value_of_move(
        &mut self,
        board: Board,
        ply: Ply,
        guess: Option<i16>,
        budget: &Budget,
    ) -> Bounds {
        self.meter.begin(budget);
        let child = self.child(board.without_stores(), ply);
        let guess = guess.map(|value| value - child.gain);
        let next = child.next();
        if child.extra_turn {
            self.bounds(next, widest(next), guess, &mut |_| {}).plus(child.gain)
        } else {
            let guess = guess.map(|value| -value);
            self.bounds(next, widest(next), guess, &mut |_| {}).flipped().plus(child.gain)
        }
    }

    /// The values of all legal moves, in the order of [`Sower::legal`]. None when the game is over.
    /// A `guess` of the best of them makes it faster. What one move leaves of the budget is for the
    /// others.
    pub fn moves(&mut self, board: Board, guess: Option<i16>, budget: &Budget) -> Vec<MoveValue> {
        let before = self.nodes();
        let mut guess = guess;
        let plies = self.plies(board);
        let mut moves: Vec<MoveValue> =
            plies.map(|ply| MoveValue { ply, value: Bounds::WIDEST }).collect();
        // The table is of use to all moves: the share of one would not pay for it.
        self.meter.begin(budget);
        self.grow_for(expected_nodes(board).saturating_mul(moves.len() as u64));
        loop {
            let is_open = |found: &&mut MoveValue| found.value.exact().is_none();
            let open: Vec<&mut MoveValue> = moves.iter_mut().filter(is_open).collect();
            let shares = (1..=open.len()).rev();
            for (found, shares) in open.into_iter().zip(shares) {
                let share = budget.after(self.nodes() - before).share(shares);
                found.value = found.value.and(self.value_of_move(board, found.ply, guess, &share));
                // Most moves are worth no more than the best of those before them.
                guess = guess.max(found.value.exact());
            }
            let is_spent = budget.is_over() || budget.after(self.nodes() - before).nodes == Some(0);
            if is_spent || moves.iter().all(|found| found.value.exact().is_some()) {
                return moves;
            }
        }
    }

    /// Makes the table of endgames go up to so many seeds now, as far as memory and the time of the
    /// budget allow, and never further, and takes all the memory there is for what it finds: no later
    /// search spends its time on that.
    pub fn prepare(&mut self, seeds: usize, budget: &Budget) {
        self.known.grow_for(u64::MAX);
        // Memory is slow when it is first written.
        self.known.clear();
        let seeds = seeds.min(self.most_seeds);
        self.endgames.grow(seeds, self.threads, &mut || budget.is_over());
        self.most_seeds = self.endgames.seeds();
    }

    /// Makes both tables as large as is worth while for the positions searched so far, or for so
    /// many that this search is expected to take, if there is time.
    pub(super) fn grow_for(&mut self, expected: u64) {
        let searched = self.meter.nodes();
        let affordable = self.meter.allowed() / PART_FOR_TABLES;
        if !self.meter.check() {
            // As many again are searched before it is asked for more.
            self.known.grow_for(searched.max(expected.min(affordable)).saturating_mul(2));
        }
        // The others are about as far.
        let worth = searched.max(expected).saturating_mul(self.sharers).min(affordable);
        let seeds = endgames::worth(worth).min(self.most_seeds);
        let Solver { endgames, threads, meter, .. } = self;
        if endgames.seeds() < seeds && !meter.check() {
            endgames.grow(seeds, *threads, &mut || meter.check());
        }
    }

    /// Forgets what it has found, but not its table of endgames.
    pub fn forget(&mut self) {
        self.known.clear();
    }

    /// Seeds up to which its table of endgames goes by now.
    #[must_use]
    pub fn endgame_seeds(&self) -> usize {
        self.endgames.seeds()
    }

    /// The value of a position that the table of endgames has.
    #[must_use]
    #[inline]
    pub fn endgame(&self, board: Board) -> Option<i16> {
        let [own, opponent] = board.houses();
        self.endgames.value(own, opponent)
    }

    /// Whether a legal move is worth at least so much; `None` when the budget is spent.
    pub fn keeps(&mut self, board: Board, ply: Ply, value: i16, budget: &Budget) -> Option<bool> {
        self.meter.begin(budget);
        let child = self.child(board.without_stores(), ply);
        self.ask_of_move(child, value).map(|answer| answer >= value)
    }

    /// A move that keeps the value of the position, which has to be exact, and the value after it
    /// in the view of the player who moves then. `None` when the game is over or the budget is
    /// spent.
    pub fn best(&mut self, board: Board, value: i16, budget: &Budget) -> Option<(Ply, i16)> {
        self.meter.begin(budget);
        let board = board.without_stores();
        let mut moves: Vec<(Ply, Child)> =
            self.plies(board).map(|ply| (ply, self.child(board, ply))).collect();
        // As the search orders them: what it has refuted before is known, and cheap to ask again.
        let search = self.search();
        moves.sort_by_key(|&(ply, child)| {
            (Reverse(search.rank(child)), 5 - ply.house.cell(), ply.direction)
        });
        if in_play(board) >= search.many_seeds {
            moves.sort_by_cached_key(|&(_, child)| Reverse(search.prospects(child)));
        }
        for (ply, child) in moves {
            if self.ask_of_move(child, value)? >= value {
                let left = value - child.gain;
                return Some((ply, if child.extra_turn { left } else { -left }));
            }
        }
        None
    }

    /// A line of best play from a position whose value is exact, to the end of the game or until
    /// the budget is spent: who moves (true for the mover of the first move) and what.
    pub fn line(&mut self, board: Board, value: i16, budget: &Budget) -> Vec<(bool, Ply)> {
        let (mut board, mut value, mut own) = (board.without_stores(), value, true);
        let mut line = Vec::new();
        while !board.is_over() && !budget.is_over() {
            let Some((ply, next)) = self.best(board, value, budget) else { break };
            let child = self.child(board, ply);
            line.push((own, ply));
            own ^= !child.extra_turn;
            board = child.next();
            value = next;
        }
        line
    }

    fn plies(&self, board: Board) -> impl Iterator<Item = Ply> + use<> {
        let is_over = board.is_over();
        self.sower.legal(board).filter(move |_| !is_over)
    }

    fn child(&self, board: Board, ply: Ply) -> Child {
        Child::new(self.sower.sow(board, ply), in_play(board))
    }

    fn ask_of_move(&mut self, child: Child, asked: i16) -> Option<i16> {
        self.meter.allow(u64::MAX);
        self.search().ask_of_move(child, asked)
    }

    pub(super) fn search(&mut self) -> Search<'_> {
        Search {
            sower: self.sower,
            directions: self.directions,
            endgames: &self.endgames,
            known: &mut self.known,
            meter: &mut self.meter,
            many_seeds: many_seeds(self.endgames.seeds()),
            #[cfg(test)]
            worst_first: self.worst_first,
        }
    }
}

#[cfg(test)]
#[path = "solver_tests.rs"]
mod tests;
