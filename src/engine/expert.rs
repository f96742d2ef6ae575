//! The strongest player: exact where a position can be solved in its time, as deep as its time
//! allows elsewhere.

use std::time::{Duration, Instant};

use super::deepening::Thought;
use super::evaluation::Estimate;
use super::player::Choice;
use super::search::Allowance;
use super::searcher::Searcher;
use super::table::TranspositionTable;
use crate::rules::{Board, Ply, Ruleset, Sower};
use crate::solve::{Budget, Solver, Wanted, solve};

/// Memory of its solver, in bytes.
const MEMORY: usize = 64 << 20;

/// Pairs of slots for the positions it has looked at without solving them: 32 MiB.
const PAIRS: usize = 1 << 20;

/// The table of endgames that is made before the first move: half a second.
const ENDGAMES: usize = 14;

/// Positions a second that the solver may count on.
const SPEED: f64 = 2e6;

/// More turns than any search comes to.
const TURNS: u8 = 100;

/// What a move may cost.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Effort {
    /// At most this time, on the monotonic clock.
    pub time: Duration,
    /// At most so many positions, solved and searched together; without a bound, none.
    pub nodes: Option<u64>,
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
}

impl Expert {
    /// An expert of these rules. Takes half a second, for its table of endgames.
    #[must_use]
    pub fn new(rules: &Ruleset) -> Expert {
        let mut solver = Solver::new(rules, MEMORY).ok();
        if let Some(solver) = &mut solver {
            solver.prepare(ENDGAMES);
        }
        let searcher = Searcher::new(rules, TranspositionTable::with_pairs(PAIRS));
        Expert { searcher: searcher.with_estimate(Estimate::closer(rules)), solver }
    }

    /// The move it makes on a board in its own view, or `None` when the game is over.
    pub fn choose(&mut self, board: Board, effort: Effort) -> Option<Judgement> {
        let since = Instant::now();
        let mut nodes = 0;
        if let Some(solved) = self.solved(board, effort, since, &mut nodes) {
            return Some(solved);
        }
        let legal = self.searcher.sower().legal(board).filter(|_| !board.is_over());
        let mut moves: Vec<Ply> = legal.collect();
        // Of equal moves, the one nearest to the own store.
        moves.reverse();
        let left = effort.nodes.map_or(u64::MAX, |most| most.saturating_sub(nodes));
        let allowance = Allowance { nodes: left, since, time: effort.time };
        let solver = self.solver.as_ref();
        let thought = self.searcher.search(board, &mut moves, TURNS, allowance, solver);
        let thought = Thought { nodes: thought.nodes + nodes, ..thought };
        let margin = i16::from(board.store()) - i16::from(board.opponent_store());
        let exact = thought.solved.then_some(thought.value - margin);
        Some(Judgement { choice: Choice { ply: *moves.first()?, thought }, exact })
    }

    /// A move of exact value, if the position can be solved in three quarters of the effort.
    fn solved(
        &mut self,
        board: Board,
        effort: Effort,
        since: Instant,
        nodes: &mut u64,
    ) -> Option<Judgement> {
        let solver = self.solver.as_mut()?;
        let most = effort
            .nodes
            .map_or(f64::INFINITY, |most| f64::from(u32::try_from(most).unwrap_or(u32::MAX)));
        let affordable = most.min(effort.time.as_secs_f64() * SPEED);
        if expected_cost(board) > affordable {
            return None;
        }
        let until = since.checked_add(effort.time.mul_f64(0.75));
        let share = effort.nodes.map(|most| most / 4 * 3);
        let budget = Budget { nodes: share, until, stop: None };
        let solution = solve(solver, board, Wanted::Best, &budget, &mut |_| {});
        *nodes = solution.nodes;
        let value = solution.value.exact()?;
        let best = solution.moves.first()?.ply;
        let before = solver.nodes();
        let spent = Budget { nodes: share.map(|most| most.saturating_sub(*nodes)), ..budget };
        let ply =
            hardest_to_answer(solver, self.searcher.sower(), board, value, &spent).unwrap_or(best);
        *nodes += solver.nodes() - before;
        let margin = i16::from(board.store()) - i16::from(board.opponent_store());
        let thought = Thought { depth: 0, value: value + margin, nodes: *nodes, solved: true };
        Some(Judgement { choice: Choice { ply, thought }, exact: Some(value) })
    }
}

/// Of the moves that keep the value, the one after which the fewest of the opponent's answers keep
/// it; `None` when that could not be found out. A move that earns another turn comes first: the
/// opponent is asked later.
fn hardest_to_answer(
    solver: &mut Solver,
    sower: Sower,
    board: Board,
    value: i16,
    budget: &Budget,
) -> Option<Ply> {
    let mut least = f64::INFINITY;
    let mut hardest = None;
    for ply in sower.legal(board) {
        if !solver.keeps(board, ply, value, budget)? {
            continue;
        }
        let sown = sower.sow(board, ply);
        if sown.extra_turn {
            return Some(ply);
        }
        let (mut good, mut all) = (0.0, 0.0);
        let next = sown.next();
        let gain = i16::from(sown.board.store())
            - i16::from(board.store())
            - (i16::from(sown.board.opponent_store()) - i16::from(board.opponent_store()));
        if !next.is_over() {
            for answer in sower.legal(next) {
                all += 1.0;
                if solver.keeps(next, answer, gain - value, budget)? {
                    good += 1.0;
                }
            }
        }
        let share = if all > 0.0 { good / all } else { 1.0 };
        if share < least {
            least = share;
            hardest = Some(ply);
        }
    }
    hardest
}

/// Positions that solving takes, about: half as many again for every seed, measured on standard
/// openings and on positions of games with 24 to 38 seeds in the houses.
fn expected_cost(board: Board) -> f64 {
    let in_play = board.without_stores().seeds();
    2_f64.powf(0.6 * f64::from(in_play) - 4.0)
}

#[cfg(test)]
mod tests {
    use super::super::level::Level;
    use super::super::player::Player;
    use super::*;
    use crate::rules::{Game, RandomOpenings, RulesetName, Side};

    /// The seeds by which the expert is ahead of `hard` over all games, both looking at so many
    /// positions a move: two games from each opening.
    fn ahead_of_hard(rules: &Ruleset, openings: usize, nodes: u64) -> i32 {
        let mut expert = Expert::new(rules);
        let mut hard = Player::new(Level::Hard, rules, 2);
        hard.nodes = nodes;
        let effort = Effort { time: Duration::from_hours(1), nodes: Some(nodes) };
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
    fn at_as_many_positions_the_expert_gets_more_seeds_than_hard() {
        for rules in [RulesetName::Ece1021, RulesetName::Learneroo].map(RulesetName::rules) {
            let ahead = ahead_of_hard(&rules, 20, 3000);
            assert!(ahead > 0, "{ahead} {rules:?}");
        }
    }
}
