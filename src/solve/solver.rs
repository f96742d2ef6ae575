//! The value of a position, by asking again and again whether it is worth so much or more.

use crate::rules::{Board, Direction, DirectionRule, OpponentStore, Ply, Ruleset, Sower};

use super::budget::{Budget, Meter};
use super::endgames::{self, Endgames};
use super::known::Known;
use super::refusal::Refusal;
use super::search::{Child, MOST_PLIES, Search, in_play};
use super::value::Bounds;

/// The least memory of a solver, in bytes.
pub const LEAST_MEMORY: usize = 1 << 20;

/// Memory that is enough for every position that can be solved within minutes, in bytes.
pub const DEFAULT_MEMORY: usize = 256 << 20;

/// How many seeds the table of endgames goes up to after so many positions have been searched: a
/// larger one takes longer to make, and then saves more.
const TABLES: [(u64, usize); 5] =
    [(0, 8), (200_000, 12), (1_500_000, 14), (10_000_000, 16), (60_000_000, 18)];

/// Positions of the first slice of a search. The slices double.
const FIRST_SLICE: u64 = 200_000;

/// From this slice on, easier questions are asked too, so that there are bounds to tell when the
/// budget ends before the answer.
const EASIER_FROM: u64 = 400_000;

/// Exact values under the rules it was made for. What it has found helps it with later positions.
pub struct Solver {
    sower: Sower,
    directions: &'static [Direction],
    rules: Ruleset,
    endgames: Endgames,
    most_seeds: usize,
    known: Known,
    meter: Meter,
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
    /// When play can come back to a position under these rules, or with less than
    /// [`LEAST_MEMORY`].
    pub fn new(rules: &Ruleset, memory: usize) -> Result<Solver, Refusal> {
        refuse_cycles(rules)?;
        if memory < LEAST_MEMORY {
            return Err(Refusal::Memory);
        }
        let fits = |seeds: &usize| endgames::positions(*seeds) <= memory / 2;
        let most_seeds = TABLES.iter().map(|&(_, seeds)| seeds).filter(fits).max().unwrap_or(0);
        Ok(Solver {
            sower: Sower::new(rules),
            directions: rules.direction.directions(),
            rules: *rules,
            endgames: Endgames::default(),
            most_seeds,
            known: Known::new(memory - endgames::positions(most_seeds)),
            meter: Meter::default(),
        })
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
        self.bounds(board.without_stores(), None, progress)
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
        if child.extra_turn {
            self.bounds(child.next(), guess, &mut |_| {}).plus(child.gain)
        } else {
            let guess = guess.map(|value| -value);
            self.bounds(child.next(), guess, &mut |_| {}).flipped().plus(child.gain)
        }
    }

    /// The values of all legal moves, in the order of [`Sower::legal`]. None when the game is over.
    pub fn moves(&mut self, board: Board, budget: &Budget) -> Vec<MoveValue> {
        let mut values = Vec::new();
        let mut guess = None;
        let plies: Vec<Ply> = self.plies(board).collect();
        for (ply, left) in plies.iter().copied().zip((1..=plies.len()).rev()) {
            let value = self.value_of_move(board, ply, guess, &budget.share(left));
            // Most moves are worth no more than the best of those before them.
            guess = guess.max(value.exact());
            values.push(MoveValue { ply, value });
        }
        values
    }

    /// Makes the table of endgames go up to so many seeds now, as far as memory allows, and never
    /// further: no later search spends its time on it.
    pub fn prepare(&mut self, seeds: usize) {
        let seeds = seeds.min(self.most_seeds);
        self.most_seeds = seeds;
        self.endgames.grow(&self.rules, seeds, &mut || false);
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
        let mut plies: Vec<Ply> = self.plies(board).collect();
        // As the search orders them: what it has refuted before is known, and cheap to ask again.
        plies.sort_by_key(|&ply| {
            let child = self.child(board, ply);
            (!child.extra_turn, -child.gain, 5 - ply.house.cell(), ply.direction)
        });
        for ply in plies {
            let child = self.child(board, ply);
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

    /// Memory-enhanced test (Plaat and others, 1996): each answer moves a bound up to it, and the
    /// next question is asked where the value is now expected. Values differ by two seeds, since
    /// those in the houses are odd or even in number.
    fn bounds(
        &mut self,
        board: Board,
        guess: Option<i16>,
        progress: &mut dyn FnMut(Bounds),
    ) -> Bounds {
        let seeds = in_play(board);
        if board.is_over() {
            let swept = board.swept();
            return Bounds::of(i16::from(swept.store()) - i16::from(swept.opponent_store()));
        }
        let mut bounds = Bounds { at_least: -seeds, at_most: seeds };
        let mut asked = guess.unwrap_or(2 + seeds % 2);
        let mut slice = FIRST_SLICE;
        self.grow();
        if let Some(value) = self.endgames.value(board.houses()[0], board.houses()[1]) {
            return Bounds::of(value);
        }
        while bounds.exact().is_none() && !self.meter.is_spent() {
            asked = asked.clamp(bounds.at_least + 2, bounds.at_most);
            if let Some(answer) = self.learn(board, asked, slice, &mut bounds) {
                progress(bounds);
                asked = if answer >= asked { answer + 2 } else { answer };
                continue;
            }
            if self.meter.check() {
                break;
            }
            self.grow();
            if slice >= EASIER_FROM && self.close_in(board, slice, &mut bounds) {
                progress(bounds);
            }
            slice = slice.saturating_mul(2);
        }
        bounds
    }

    /// Asks easier questions than the one that was too hard, from both ends. Whether it learned
    /// anything.
    fn close_in(&mut self, board: Board, slice: u64, bounds: &mut Bounds) -> bool {
        let before = *bounds;
        for from_below in [true, false] {
            let mut step = 8;
            while step >= 2 && bounds.at_most - bounds.at_least > step {
                let asked =
                    if from_below { bounds.at_least + step } else { bounds.at_most - step + 2 };
                let hoped = |answer: i16| (answer >= asked) == from_below;
                if !self.learn(board, asked, slice / 32, bounds).is_some_and(hoped) {
                    step /= 2;
                }
            }
        }
        *bounds != before
    }

    fn learn(&mut self, board: Board, asked: i16, slice: u64, bounds: &mut Bounds) -> Option<i16> {
        self.meter.allow(slice);
        let answer = self.search().ask(board, asked, MOST_PLIES)?;
        bounds.learn(asked, answer);
        Some(answer)
    }

    fn ask_of_move(&mut self, child: Child, asked: i16) -> Option<i16> {
        self.meter.allow(u64::MAX);
        self.search().ask_of_move(child, asked)
    }

    fn search(&mut self) -> Search<'_> {
        Search {
            sower: self.sower,
            directions: self.directions,
            endgames: &self.endgames,
            known: &mut self.known,
            meter: &mut self.meter,
        }
    }

    /// Makes the table of endgames as large as the search so far is worth, if there is time.
    fn grow(&mut self) {
        let nodes = self.meter.nodes();
        let worth = TABLES.iter().filter(|&&(least, _)| least <= nodes).map(|&(_, seeds)| seeds);
        let seeds = worth.max().unwrap_or(0).min(self.most_seeds);
        let Solver { endgames, rules, meter, .. } = self;
        if endgames.seeds() < seeds && !meter.check() {
            endgames.grow(rules, seeds, &mut || meter.check());
        }
    }
}

/// Refuses rules under which play can come back to a position.
///
/// Sown forward, seeds only move along and into stores. Sown backward they do too where the
/// opponent's store is sown into, for a seed leaves its row through that store. With a choice of
/// directions, a cycle would have to move within the two rows for ever; with empty capture no row
/// of any number of seeds can come back: a house that is emptied within its row has at most five
/// seeds, and none of the rows with at most five seeds a house comes back, which a test goes
/// through.
///
/// # Errors
///
/// [`Refusal::Cycles`].
pub fn refuse_cycles(rules: &Ruleset) -> Result<(), Refusal> {
    let (direction, store) = (rules.direction, rules.opponent_store);
    let why = match (direction, store) {
        (DirectionRule::Forward, _) | (DirectionRule::Backward, OpponentStore::Sow) => {
            return Ok(());
        }
        (DirectionRule::Backward | DirectionRule::Either, OpponentStore::Skip) => {
            "sowing backward past the opponent's store"
        }
        (DirectionRule::Either, OpponentStore::Sow) if rules.empty_capture => return Ok(()),
        (DirectionRule::Either, OpponentStore::Sow) => "sowing either way without empty capture",
    };
    Err(Refusal::Cycles(why))
}

#[cfg(test)]
mod tests {
    use super::super::testing::{BruteForce, Numbers, all_rules, solvable_rules};
    use super::*;
    use crate::rules::{Opening, RulesetName, SeedsAHouse};

    fn solver(rules: &Ruleset) -> Solver {
        Solver::new(rules, 64 << 20).unwrap()
    }

    /// A solver that knows no endgames.
    fn searching(rules: &Ruleset) -> Solver {
        Solver { most_seeds: 0, ..Solver::new(rules, LEAST_MEMORY).unwrap() }
    }

    fn exact(solver: &mut Solver, board: Board) -> i16 {
        solver.value(board, &Budget::default(), &mut |_| {}).exact().unwrap()
    }

    fn standard(name: RulesetName, seeds: u8) -> (Ruleset, Board) {
        let rules = Ruleset { seeds: SeedsAHouse::new(seeds).unwrap(), ..name.rules() };
        (rules, Opening::standard(&rules).board())
    }

    #[test]
    fn openings_are_worth_what_is_published() {
        // Irving, Donkers and Uiterwijk, Solving Kalah, ICGA Journal 23(3), 2000; the three-seed
        // opening of learneroo by an independent solver.
        for (seeds, value) in [(1, 2), (2, 10), (3, 2)] {
            let (rules, board) = standard(RulesetName::Ece1021, seeds);
            assert_eq!(exact(&mut solver(&rules), board), value);
        }
        let (rules, board) = standard(RulesetName::Learneroo, 3);
        let mut solver = solver(&rules);
        assert_eq!(exact(&mut solver, board), 2);
        let moves = solver.moves(board, &Budget::default());
        let values: Vec<_> = moves.iter().map(|found| found.value.exact().unwrap()).collect();
        assert_eq!(values, [-14, -16, -10, 0, 2, 0]);
    }

    #[test]
    fn no_move_of_the_published_games_loses_anything() {
        let games = [
            (1, 2, "54-54-3-3-2"),
            (2, 10, "42-42-30-0-1-1-4-5"),
            (3, 2, "4-5-35-250-2-154-451535452-53-3-54-2"),
        ];
        for (seeds, margin, game) in games {
            let (rules, mut board) = standard(RulesetName::Ece1021, seeds);
            let mut solver = solver(&rules);
            let mut value = margin;
            for cell in game.bytes().filter(|&byte| byte != b'-') {
                let moves = solver.moves(board, &Budget::default());
                let played = moves.iter().find(|m| m.ply.house.cell() == cell - b'0').unwrap();
                assert_eq!(played.value.exact(), Some(value), "{game} {board:?}");
                let child = solver.child(board.without_stores(), played.ply);
                value -= child.gain;
                value = if child.extra_turn { value } else { -value };
                board = child.next();
            }
            assert!(board.is_over());
        }
    }

    #[test]
    fn searches_agree_with_brute_force() {
        let mut numbers = Numbers(2);
        for rules in solvable_rules() {
            let mut brute = BruteForce::new(rules);
            let mut searching = searching(&rules);
            let mut solver = solver(&rules);
            for index in 0..60 {
                let board = numbers.position(7 + index % 6);
                let value = brute.value(board);
                assert_eq!(exact(&mut searching, board), value, "{board:?} {rules:?}");
                assert_eq!(exact(&mut solver, board), value, "{board:?} {rules:?}");
            }
        }
    }

    #[test]
    fn a_table_gives_what_a_search_finds() {
        let mut numbers = Numbers(3);
        for rules in solvable_rules() {
            let mut endgames = Endgames::default();
            endgames.grow(&rules, 10, &mut || false);
            let mut searching = searching(&rules);
            for _ in 0..100 {
                let board = numbers.position(10);
                let [own, opponent] = board.houses();
                assert_eq!(endgames.value(own, opponent), Some(exact(&mut searching, board)));
            }
        }
    }

    #[test]
    fn values_do_not_depend_on_memory_nor_on_what_was_solved_before() {
        let mut numbers = Numbers(4);
        let (rules, _) = standard(RulesetName::Ece1021, 4);
        let mut little = Solver::new(&rules, LEAST_MEMORY).unwrap();
        let mut shared = solver(&rules);
        for _ in 0..12 {
            let board = numbers.position(22);
            let value = exact(&mut little, board);
            assert_eq!(exact(&mut shared, board), value, "{board:?}");
            assert_eq!(exact(&mut solver(&rules), board), value, "{board:?}");
        }
    }

    #[test]
    fn a_line_of_best_play_ends_with_the_value() {
        let (rules, board) = standard(RulesetName::Learneroo, 3);
        let mut solver = solver(&rules);
        let value = exact(&mut solver, board);
        let mut played = board;
        let mut own = true;
        for (by, ply) in solver.line(board, value, &Budget::default()) {
            assert_eq!(by, own);
            let sown = Sower::new(&rules).sow(played, ply);
            own ^= !sown.extra_turn;
            played = sown.next();
        }
        assert!(played.is_over());
        let swept = played.swept();
        let margin = i16::from(swept.store()) - i16::from(swept.opponent_store());
        assert_eq!(if own { margin } else { -margin }, value);
    }

    #[test]
    fn what_ends_a_search_early_leaves_bounds_that_are_true() {
        let (rules, board) = standard(RulesetName::Ece1021, 4);
        let mut solver = solver(&rules);
        for nodes in [0, 1, 1000, 300_000] {
            let budget = Budget { nodes: Some(nodes), ..Budget::default() };
            let before = solver.nodes();
            let bounds = solver.value(board, &budget, &mut |_| {});
            assert!(bounds.at_least <= 10 && 10 <= bounds.at_most, "{bounds:?}");
            assert!(solver.nodes() - before <= nodes);
            let moves = solver.moves(board, &budget);
            for (found, value) in moves.iter().zip([-14, -8, 10, -2, -6, 4]) {
                assert!(found.value.at_least <= value && value <= found.value.at_most);
            }
        }
        let stop = std::sync::Arc::new(std::sync::atomic::AtomicBool::new(true));
        let budget = Budget { stop: Some(stop), ..Budget::default() };
        let bounds = solver.value(board, &budget, &mut |_| {});
        assert!(bounds.at_least <= 10 && 10 <= bounds.at_most);
        assert_eq!(solver.best(board, 10, &budget), None);
    }

    #[test]
    fn the_largest_boards_are_searched_without_trouble() {
        for rules in solvable_rules() {
            let board = Board::from_cells([20, 20, 20, 20, 20, 20, 0, 20, 20, 20, 20, 20, 20, 0]);
            let budget = Budget { nodes: Some(200_000), ..Budget::default() };
            let bounds = searching(&rules).value(board.unwrap(), &budget, &mut |_| {});
            assert!(bounds.at_least >= -240 && bounds.at_most <= 240);
        }
    }

    #[test]
    fn a_game_that_is_over_is_worth_what_is_left() {
        let board = Board::from_cells([1, 2, 0, 0, 0, 0, 5, 0, 0, 0, 0, 0, 0, 9]).unwrap();
        let mut solver = solver(&Ruleset::default());
        assert_eq!(exact(&mut solver, board), 3);
        assert!(solver.moves(board, &Budget::default()).is_empty());
        assert_eq!(solver.best(board, 3, &Budget::default()), None);
    }

    #[test]
    fn rules_that_can_cycle_and_too_little_memory_are_refused() {
        let refused = all_rules().into_iter().filter(|rules| Solver::new(rules, 1 << 24).is_err());
        let mut refused: Vec<_> = refused
            .map(|rules| {
                (rules.direction.as_str(), rules.opponent_store.as_str(), rules.empty_capture)
            })
            .collect();
        refused.sort_unstable();
        assert_eq!(
            refused,
            [
                ("backward", "skip", false),
                ("backward", "skip", true),
                ("either", "skip", false),
                ("either", "skip", true),
                ("either", "sow", false),
            ]
        );
        let error = Solver::new(&Ruleset::default(), LEAST_MEMORY - 1).err().unwrap();
        assert_eq!(error.to_string(), "the solver needs at least 1 MiB of memory");
    }
}
