//! A player of a given level: positions in, moves out.

use std::time::{Duration, Instant};

use crate::rules::{Board, Ply, Ruleset};

use super::deepening::Thought;
use super::level::Level;
use super::search::SearchAllowance;
use super::searcher::Searcher;
use super::table::TranspositionTable;
use crate::chance::Chance;

/// Most positions looked at for one move: so few that on an ordinary machine they, and not the
/// clock, end the search, and a game is the same every time.
const NODES: u64 = 100_000;

/// Pairs of slots in the table of its search, of 32 bytes each: 2 MiB, of which only touched pages
/// take memory.
const PAIRS: usize = 1 << 16;

/// A player takes at most this part of its time: one in ten.
const SHARE_OF_TIME: u32 = 10;

/// A move and what led to it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ChosenMove {
    pub ply: Ply,
    pub thought: Thought,
}

/// Someone to play against, for any number of games under the same rules.
///
/// The same level, rules and seed give the same moves for the same positions in the same order,
/// unless the clock ends a search. What it remembers of earlier moves takes at most 2 MiB.
pub struct Player {
    level: Level,
    searcher: Searcher,
    chance: Chance,
    pub(super) nodes: u64,
}

impl Player {
    /// A player of `rules`. Its random choices follow from `seed`.
    pub fn new(level: Level, rules: &Ruleset, seed: u64) -> Player {
        Player {
            level,
            searcher: Searcher::new(rules, TranspositionTable::new(PAIRS)),
            chance: Chance::new(seed),
            nodes: NODES,
        }
    }

    /// The move it makes on a board in its own view, or `None` when the game is over.
    ///
    /// Of the `time` granted for the move it takes at most a tenth, on the monotonic clock and
    /// counted from this call. With none at all it still moves, within a millisecond or so.
    pub fn choose(&mut self, board: Board, time: Duration) -> Option<ChosenMove> {
        let since = Instant::now();
        if board.is_over() {
            return None;
        }
        // The first of equal moves is taken: shuffling makes that any of them.
        let mut moves: Vec<Ply> = self.searcher.sower.legal(board).collect();
        self.chance.shuffle(&mut moves);
        let is_careless = self.chance.below(100) < self.level.careless_moves_in_a_hundred();
        let turns = if is_careless { 0 } else { self.level.turns_ahead() };
        let allowance = SearchAllowance { nodes: self.nodes, since, time: time / SHARE_OF_TIME };
        let thought = self.searcher.search(board, &mut moves, turns, allowance, None);
        Some(ChosenMove { ply: *moves.first()?, thought })
    }
}

#[cfg(test)]
mod tests {
    use super::super::testing::{all_rules, random_board};
    use super::*;
    use crate::rules::{DirectionRule, Opening, RulesetName, Sower};

    const TIME: Duration = Duration::from_mins(10);

    /// A player that is soon done.
    fn quick(level: Level, rules: &Ruleset, seed: u64) -> Player {
        Player { nodes: 500, ..Player::new(level, rules, seed) }
    }

    fn moves_from(mut player: Player, mut board: Board) -> Vec<ChosenMove> {
        std::iter::from_fn(|| {
            let choice = player.choose(board, TIME)?;
            board = player.searcher.sower.sow(board, choice.ply).next();
            Some(choice)
        })
        .collect()
    }

    #[test]
    fn every_level_plays_every_game_to_its_end() {
        let mut chance = Chance::new(1);
        for rules in all_rules() {
            let sower = Sower::new(&rules);
            for level in Level::ALL {
                for seeds in [2, 9, 48, 240] {
                    let mut player = quick(level, &rules, 7);
                    let mut board = random_board(&mut chance, seeds);
                    // Cycles are allowed to go on.
                    for _ in 0..500 {
                        let Some(choice) = player.choose(board, TIME) else { break };
                        assert!(sower.legal(board).any(|ply| ply == choice.ply), "{board:?}");
                        board = sower.sow(board, choice.ply).next();
                    }
                    assert_eq!(player.choose(board, TIME).is_none(), board.is_over());
                }
            }
        }
    }

    #[test]
    fn a_seed_gives_the_same_game_every_time() {
        let mut rules = RulesetName::Cs221.rules();
        rules.direction = DirectionRule::Either;
        let board = Opening::standard(&rules).board();
        for level in Level::ALL {
            let game = |seed| moves_from(quick(level, &rules, seed), board);
            assert_eq!(game(3), game(3), "{level}");
            assert_ne!(game(3), game(4), "{level}");
        }
    }

    #[test]
    fn random_makes_every_legal_move_equally_often() {
        let mut rules = RulesetName::Mancala5000.rules();
        rules.direction = DirectionRule::Either;
        let mut player = Player::new(Level::Random, &rules, 5);
        let board = Board::from_cells([1, 0, 2, 0, 0, 3, 0, 1, 1, 0, 0, 0, 0, 0]).unwrap();
        let mut times = std::collections::HashMap::new();
        for _ in 0..6000 {
            let choice = player.choose(board, TIME).unwrap();
            *times.entry(choice.ply).or_insert(0) += 1;
        }
        assert_eq!(times.len(), 6);
        // 1,000 each, give or take four standard deviations of 29.
        assert!(times.values().all(|&times| (884..=1116).contains(&times)), "{times:?}");
    }

    #[test]
    fn with_no_time_at_all_it_moves_and_hardly_thinks() {
        for rules in all_rules() {
            let board = Opening::standard(&rules).board();
            let choice = Player::new(Level::Hard, &rules, 0).choose(board, Duration::ZERO).unwrap();
            assert!(choice.thought.nodes <= 1024, "{choice:?}");
            let mut player = Player { nodes: 0, ..Player::new(Level::Hard, &rules, 0) };
            assert_eq!(player.choose(board, TIME).unwrap().thought.depth, 0);
            assert!(player.choose(board, Duration::MAX).is_some());
        }
    }

    #[test]
    fn hard_looks_at_no_more_positions_than_it_may() {
        let rules = RulesetName::Cs221.rules();
        let board = Opening::standard(&rules).board();
        let choice = Player::new(Level::Hard, &rules, 0).choose(board, TIME).unwrap();
        assert_eq!(choice.thought.nodes, NODES);
        assert!(!choice.thought.solved);
    }

    #[test]
    fn nobody_moves_when_the_game_is_over() {
        for cells in [
            [0, 0, 0, 0, 0, 0, 9, 1, 2, 0, 0, 0, 0, 0],
            [1, 2, 0, 0, 0, 0, 9, 0, 0, 0, 0, 0, 0, 0],
            [0; 14],
        ] {
            let board = Board::from_cells(cells).unwrap();
            for level in Level::ALL {
                let mut player = Player::new(level, &Ruleset::default(), 0);
                assert_eq!(player.choose(board, TIME), None);
            }
        }
    }
}
