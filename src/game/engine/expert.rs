//! The strongest player: exact where a position can be solved in its time, as deep as its time
//! allows elsewhere.

use std::time::{Duration, Instant};

use super::book::{Answer, Book};
use super::deepening::Thought;
use super::evaluation::Estimate;
use super::exact::{
    Worth, exact_move, expected_cost, hardest_to_answer, lead, memory_of_solver, prepared_solver,
    prove,
};
use super::player::Choice;
use super::search::Allowance;
use super::searcher::Searcher;
use super::table::TranspositionTable;
use crate::rules::{Board, Ply, Ruleset};
use crate::solve::{Budget, Refusal, Solver, refuse_too_much};

/// Pairs of slots for the positions it has looked at without solving them.
const PAIRS: usize = 1 << 20;

/// What they take, in bytes.
const SEARCHER: usize = 32 << 20;

/// Positions that the choice among exact moves may always take. Where solving took more, it may take
/// as many as that.
const AMONG_EQUALS: u64 = 100_000;

/// Positions a second that the solver may count on.
const SPEED: f64 = 3e6;

/// The share of its effort, in percent, in which it solves a position or leaves the rest to a
/// search: where it knows what the position was worth a move ago, and where it does not.
const SURE: u32 = 90;
const UNSURE: u32 = 75;

/// What a search has at least of the time for a move, one part of so many.
const LAST_SEARCH: u32 = 10;

/// More turns than any search comes to.
const TURNS: u8 = 100;

/// What a move may cost.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Effort {
    /// The time for a move, on the monotonic clock.
    pub time: Duration,
    /// The time to solve a position whose value is nearly known, if that is more. When it was not
    /// enough, a short search comes after it.
    pub to_solve: Duration,
    /// At most so many positions, solved and searched together; without a bound, none.
    pub nodes: Option<u64>,
}

impl Effort {
    /// At most so many positions, however long that takes.
    #[must_use]
    pub const fn positions(nodes: u64) -> Effort {
        let time = Duration::from_hours(1);
        Effort { time, to_solve: time, nodes: Some(nodes) }
    }
}

/// What the expert thought of its move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Judgement {
    /// The move, and what a search thought of it.
    pub choice: Choice,
    /// The value of the position, counted from now, where it was solved: the move keeps it.
    pub exact: Option<i16>,
}

/// Someone to play against who does not err where it can know.
pub struct Expert {
    searcher: Searcher,
    /// None where play can come back to a position.
    solver: Option<Solver>,
    book: Option<Book>,
    /// The final margin under best play after its last move, where that was exact, or in the
    /// opening of its book.
    margin: Option<i16>,
    /// The position in which it moves with that margin, if no move of the opponent comes before.
    own_turn: Option<Board>,
}

impl Expert {
    /// An expert of these rules. Takes a few seconds, for its table of endgames.
    ///
    /// # Errors
    ///
    /// [`Refusal::NoMemory`]: with less it would play worse than it is known to.
    pub fn new(rules: &Ruleset) -> Result<Expert, Refusal> {
        Expert::made_within(rules, &Budget::default())
    }

    /// The same, with a smaller table of endgames where the time of the budget is not enough.
    ///
    /// # Errors
    ///
    /// As of [`Expert::new`].
    pub fn made_within(rules: &Ruleset, budget: &Budget) -> Result<Expert, Refusal> {
        refuse_too_much(memory_of_solver(rules) + SEARCHER)?;
        let solver = prepared_solver(rules, budget);
        let searcher = Searcher::new(rules, TranspositionTable::with_pairs(PAIRS));
        let searcher = searcher.with_estimate(Estimate::closer(rules));
        Ok(Expert { searcher, solver, book: Book::of(rules), margin: None, own_turn: None })
    }

    /// Begins a game, from an opening in its own view. What is known of positions stays.
    pub fn begin_game(&mut self, opening: Board, is_first: bool) {
        // With the value of the opening, the first position is solved faster, as the later ones are.
        let value = self.book.as_ref().and_then(|book| book.value_of_opening(opening));
        self.margin = value.map(|value| lead(opening) + if is_first { value } else { -value });
        self.own_turn = is_first.then_some(opening);
    }

    /// The move it makes on a board in its own view, or `None` when the game is over.
    pub fn choose(&mut self, board: Board, effort: Effort) -> Option<Judgement> {
        let judgement = self.judge(board, effort)?;
        self.margin = judgement.exact.map(|value| value + lead(board));
        let sown = self.searcher.sower().sow(board, judgement.choice.ply);
        self.own_turn = sown.extra_turn.then_some(sown.board);
        Some(judgement)
    }

    fn worth(&self, board: Board) -> Worth {
        match self.margin.map(|margin| margin - lead(board)) {
            Some(value) if self.own_turn == Some(board) => Worth::Exactly(value),
            Some(value) => Worth::AtLeast(value),
            None => Worth::Unknown,
        }
    }

    fn judge(&mut self, board: Board, effort: Effort) -> Option<Judgement> {
        let since = Instant::now();
        if let Some(Answer { ply, value }) = self.book.as_ref().and_then(|book| book.answer(board))
        {
            return Some(exact(board, ply, value, 0));
        }
        let mut nodes = 0;
        if let Some(solved) = self.solved(board, effort, since, &mut nodes) {
            return Some(solved);
        }
        let legal = self.searcher.sower().legal(board).filter(|_| !board.is_over());
        let mut moves: Vec<Ply> = legal.collect();
        // Of equal moves, the one nearest to the own store.
        moves.reverse();
        let left = effort.nodes.map_or(u64::MAX, |most| most.saturating_sub(nodes));
        let time = effort.time.max(since.elapsed() + effort.time / LAST_SEARCH);
        let allowance = Allowance { nodes: left, since, time };
        let solver = self.solver.as_ref();
        let thought = self.searcher.search(board, &mut moves, TURNS, allowance, solver);
        let thought = Thought { nodes: thought.nodes + nodes, ..thought };
        let exact = thought.solved.then_some(thought.value - lead(board));
        Some(Judgement { choice: Choice { ply: *moves.first()?, thought }, exact })
    }

    /// A move of exact value, if the position can be solved in its share of the effort.
    fn solved(
        &mut self,
        board: Board,
        effort: Effort,
        since: Instant,
        nodes: &mut u64,
    ) -> Option<Judgement> {
        let worth = self.worth(board);
        let solver = self.solver.as_mut()?;
        let most = effort
            .nodes
            .map_or(f64::INFINITY, |most| f64::from(u32::try_from(most).unwrap_or(u32::MAX)));
        let affordable = most.min(effort.time.as_secs_f64() * SPEED);
        // After an exact move, much of what is needed is known.
        if worth == Worth::Unknown && expected_cost(board, solver.endgame_seeds()) > affordable {
            return None;
        }
        let percent = if worth == Worth::Unknown { UNSURE } else { SURE };
        let time = effort.time * percent / 100;
        let nodes_to_solve = effort.nodes.map(|most| most.saturating_mul(percent.into()) / 100);
        let budget = Budget { nodes: nodes_to_solve, until: since.checked_add(time), stop: None };
        let longer = if worth == Worth::Unknown { time } else { time.max(effort.to_solve) };
        let to_solve = Budget { until: since.checked_add(longer), ..budget.clone() };
        let before = solver.nodes();
        let found = exact_move(solver, board, worth, &to_solve);
        *nodes = solver.nodes() - before;
        let (best, value) = found?;
        prove(solver, board, worth, &budget.after(*nodes));
        *nodes = solver.nodes() - before;
        let rest = budget.after(*nodes).at_most(AMONG_EQUALS.max(*nodes));
        let ply =
            hardest_to_answer(solver, self.searcher.sower(), board, value, &rest).unwrap_or(best);
        *nodes = solver.nodes() - before;
        Some(exact(board, ply, value, *nodes))
    }
}

fn exact(board: Board, ply: Ply, value: i16, nodes: u64) -> Judgement {
    let thought = Thought { depth: 0, value: value + lead(board), nodes, solved: true };
    Judgement { choice: Choice { ply, thought }, exact: Some(value) }
}

#[cfg(test)]
mod tests {
    use super::super::level::Level;
    use super::super::player::Player;
    use super::*;
    use crate::rules::{Game, Opening, RandomOpenings, RulesetName, Side, Sower};

    /// The seeds by which the expert is ahead of `hard` over all games, both looking at so many
    /// positions a move: two games from each opening.
    fn ahead_of_hard(rules: &Ruleset, openings: usize, nodes: u64) -> i32 {
        let mut expert = Expert::new(rules).unwrap();
        let mut hard = Player::new(Level::Hard, rules, 2);
        hard.nodes = nodes;
        let effort = Effort::positions(nodes);
        let mut ahead = 0;
        for opening in RandomOpenings::new(rules, 3, 0).take(openings) {
            for side in [Side::First, Side::Second] {
                let mut game = Game::new(*rules, opening, std::num::NonZeroU32::MAX);
                while game.ending().is_none() {
                    let ply = if game.mover() == side {
                        expert.choose(game.board(), effort).unwrap().choice.ply
                    } else {
                        hard.choose(game.board(), effort.time).unwrap().ply
                    };
                    game.play(ply).unwrap();
                }
                let score = game.score();
                ahead += i32::from(score.of(side)) - i32::from(score.of(!side));
            }
        }
        ahead
    }

    #[test]
    fn the_standard_openings_are_exact_without_a_search() {
        for name in [RulesetName::Kalah, RulesetName::Cs221] {
            let rules = name.rules();
            let opening = Opening::standard(&rules).board();
            let effort = Effort::positions(1000);
            let judgement = Expert::new(&rules).unwrap().choose(opening, effort).unwrap();
            // Five seeds a house are not solved.
            let is_known = name != RulesetName::Cs221;
            assert_eq!(judgement.exact.is_some(), is_known, "{name}");
            assert_eq!(judgement.choice.thought.nodes == 0, is_known, "{name}");
        }
    }

    #[test]
    fn after_an_exact_move_the_next_one_is_solved_too() {
        let rules = RulesetName::Learneroo.rules();
        let mut expert = Expert::new(&rules).unwrap();
        let effort = Effort::positions(400_000);
        let mut game = Game::new(rules, Opening::standard(&rules), std::num::NonZeroU32::MAX);
        let mut margin = 0;
        while game.ending().is_none() {
            let board = game.board();
            let ply = if game.mover() == Side::First {
                let Judgement { choice, exact } = expert.choose(board, effort).unwrap();
                let now = exact.unwrap() + lead(board);
                assert!(now >= margin, "{board:?}: {now} after {margin}");
                margin = now;
                choice.ply
            } else {
                Sower::new(&rules).legal(board).next().unwrap()
            };
            game.play(ply).unwrap();
        }
        assert!(margin >= 2);
    }

    #[test]
    fn what_a_game_was_worth_says_nothing_of_the_next_one() {
        let rules = RulesetName::Kalah.rules();
        let effort = Effort::positions(100_000);
        // Solved at once, and too hard to try with so many positions.
        let [easy, hard] = [
            [0, 0, 0, 2, 1, 2, 0, 1, 0, 2, 1, 2, 1, 0],
            [5, 5, 5, 5, 5, 5, 0, 5, 5, 5, 5, 5, 5, 0],
        ]
        .map(|cells| Board::from_cells(cells).unwrap());
        let mut expert = Expert::new(&rules).unwrap();
        expert.begin_game(hard, true);
        let alone = expert.choose(hard, effort).unwrap();
        let mut expert = Expert::new(&rules).unwrap();
        assert!(expert.choose(easy, effort).unwrap().exact.is_some());
        expert.begin_game(hard, true);
        assert_eq!(expert.choose(hard, effort).unwrap(), alone);
    }

    #[test]
    fn what_the_opening_of_the_book_is_worth_is_known_from_the_start() {
        let rules = RulesetName::Mancala5000.rules();
        let mut expert = Expert::new(&rules).unwrap();
        let opening = Opening::standard(&rules).board();
        expert.begin_game(opening, true);
        assert_eq!(expert.margin, Some(12));
        let [own, opponent] = opening.houses();
        let other = Board::from_houses([own, opponent + 1]).unwrap();
        expert.begin_game(other, true);
        assert_eq!(expert.margin, None);
        let mut cells = opening.cells();
        (cells[6], cells[13]) = (7, 2);
        expert.begin_game(Board::from_cells(cells).unwrap(), false);
        assert_eq!(expert.margin, Some(5 - 12));
    }

    #[test]
    fn after_an_extra_turn_of_its_own_the_value_is_known() {
        let rules = RulesetName::Kalah.rules();
        let effort = Effort::positions(u64::MAX);
        // The fourth house from the left brings an extra turn.
        let board = Board::from_cells([0, 3, 2, 3, 1, 1, 4, 1, 3, 0, 2, 4, 1, 5]).unwrap();
        let mut expert = Expert::new(&rules).unwrap();
        let Judgement { choice, exact } = expert.choose(board, effort).unwrap();
        let sown = expert.searcher.sower().sow(board, choice.ply);
        assert!(sown.extra_turn);
        let value = exact.unwrap() + lead(board) - lead(sown.board);
        assert!(expert.worth(sown.board) == Worth::Exactly(value));
        let found = expert.choose(sown.board, effort).unwrap();
        assert_eq!(found.exact, Some(value));
        // Any other position may be the opponent's mistake.
        assert!(expert.worth(sown.next().flipped()) != Worth::Exactly(value));
        let alone = Expert::new(&rules).unwrap().choose(sown.board, effort).unwrap();
        assert_eq!(alone.exact, Some(value));
    }

    #[test]
    fn made_in_too_short_a_time_its_table_of_endgames_is_smaller() {
        let rules = RulesetName::Kalah.rules();
        let now = Budget { until: Some(Instant::now()), ..Budget::default() };
        let mut hurried = Expert::made_within(&rules, &now).unwrap();
        let seeds = |expert: &Expert| expert.solver.as_ref().unwrap().endgame_seeds();
        let whole = Expert::new(&rules).unwrap();
        assert_eq!(seeds(&whole), 20);
        assert!(seeds(&hurried) < seeds(&whole));
        // Solving does not make it larger, since that is time of the move.
        let effort = Effort::positions(200_000);
        let board = Board::from_cells([0, 3, 2, 3, 1, 1, 4, 1, 3, 0, 2, 4, 1, 5]).unwrap();
        let before = seeds(&hurried);
        assert!(hurried.choose(board, effort).unwrap().exact.is_some());
        assert_eq!(seeds(&hurried), before);
    }

    #[test]
    fn more_time_is_taken_where_a_value_is_nearly_known() {
        let mut expert = Expert::new(&RulesetName::Kalah.rules()).unwrap();
        let board = Board::from_cells([0, 4, 3, 4, 2, 2, 0, 2, 4, 1, 3, 5, 2, 0]).unwrap();
        let more = Duration::from_hours(1);
        let effort = Effort { time: Duration::ZERO, to_solve: more, nodes: None };
        assert_eq!(expert.choose(board, effort).unwrap().exact, None);
        expert.margin = Some(-2);
        assert_eq!(expert.choose(board, effort).unwrap().exact, Some(0));
        // That there was no time to choose among equals spoils nothing.
        assert_eq!(expert.margin, Some(0));
    }

    #[test]
    fn from_a_standard_opening_every_answer_to_any_move_is_exact() {
        // What is searched in a tenth of a second.
        let effort = Effort::positions(400_000);
        for name in RulesetName::ALL.into_iter().filter(|name| Book::of(&name.rules()).is_some()) {
            let rules = name.rules();
            let mut opponent = Player::new(Level::Random, &rules, 4);
            let mut expert = Expert::new(&rules).unwrap();
            let opening = Opening::standard(&rules);
            expert.begin_game(opening.board(), false);
            let mut game = Game::new(rules, opening, std::num::NonZeroU32::MAX);
            while game.ending().is_none() {
                let board = game.board();
                let ply = if game.mover() == Side::Second {
                    let judgement = expert.choose(board, effort).unwrap();
                    assert!(judgement.exact.is_some(), "{name} {board:?}");
                    judgement.choice.ply
                } else {
                    opponent.choose(board, effort.time).unwrap().ply
                };
                game.play(ply).unwrap();
            }
        }
    }

    #[test]
    fn at_as_many_positions_the_expert_gets_more_seeds_than_hard() {
        for rules in [RulesetName::Ece1021, RulesetName::Learneroo].map(RulesetName::rules) {
            let ahead = ahead_of_hard(&rules, 20, 3000);
            assert!(ahead > 0, "{ahead} {rules:?}");
        }
    }
}
