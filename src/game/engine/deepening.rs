//! Looking one turn further again and again, until the game is solved or the allowance is spent.

use crate::rules::{Board, Ply};

use super::evaluation::Value;
use super::ordering::Candidate;
use super::search::{TurnSearch, Window};

/// What the player thought of its move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Thought {
    /// Turns that were looked ahead in full, the own one among them; an extra turn is part of the
    /// turn that earned it. 0 when the move was made without thinking.
    pub depth: u8,
    /// The final margin expected with this move, in seeds: the mover's less the opponent's.
    pub value: i16,
    /// Positions looked at.
    pub nodes: u64,
    /// Whether every line was followed to the end of the game: no move is better, and `value` is
    /// the margin under perfect play.
    pub(crate) solved: bool,
}

/// Puts the best move first. Of equal moves the one that came first is taken.
///
/// Without any time it leaves the moves as they are.
pub(super) fn deepen(
    search: &mut TurnSearch<'_>,
    board: Board,
    moves: &mut [Ply],
    turns: u8,
) -> Thought {
    let mut expected = search.estimate.of(board);
    let mut depth = 0;
    let mut solved = false;
    while depth < turns && !solved {
        let mut window = Window { alpha: -Value::MAX, beta: Value::MAX };
        let mut proven = true;
        let mut spent = false;
        for index in 0..moves.len() {
            let candidate = Candidate::new(search.sower, board, moves[index]);
            let Some(found) = search.value_of_move(candidate, depth + 1, window, index == 0) else {
                spent = true;
                break;
            };
            proven &= found.proven;
            // The best of the last depth comes first: one that beats it stands even when the
            // allowance ends before the rest have been looked at.
            if found.value > window.alpha {
                window.alpha = found.value;
                expected = found.value;
                moves[..=index].rotate_right(1);
            }
        }
        if spent {
            break;
        }
        depth += 1;
        solved = proven;
    }
    Thought { depth, value: expected.seeds(), nodes: search.nodes, solved }
}

#[cfg(test)]
mod tests {
    use std::time::{Duration, Instant};

    use super::super::search::SearchAllowance;
    use super::super::searcher::Searcher;
    use super::super::table::TranspositionTable;
    use super::super::testing::{all_rules, forced, forced_by, random_board};
    use super::*;
    use crate::chance::Chance;
    use crate::rules::{Opening, Ruleset, RulesetName, SeedsAHouse, Sower};

    fn searcher(rules: &Ruleset) -> Searcher {
        Searcher::new(rules, TranspositionTable::new(1 << 16))
    }

    fn think(searcher: &mut Searcher, board: Board, turns: u8) -> (Ply, Thought) {
        let all = SearchAllowance { nodes: u64::MAX, since: Instant::now(), time: Duration::MAX };
        let mut moves: Vec<Ply> = searcher.sower.legal(board).collect();
        let thought = searcher.search(board, &mut moves, turns, all, None);
        (moves[0], thought)
    }

    #[test]
    fn small_endgames_are_worth_what_can_be_forced() {
        let mut chance = Chance::new(2);
        let mut endless = 0;
        for rules in all_rules() {
            let sower = Sower::new(&rules);
            let roots: Vec<Board> =
                (0..60).map(|index| random_board(&mut chance, 3 + index % 4)).collect();
            let boards = forced(sower, &roots);
            let mut searcher = searcher(&rules);
            for root in roots {
                let (least, most) = boards[&root];
                let (ply, thought) = think(&mut searcher, root, 100);
                assert!((least..=most).contains(&thought.value), "{root:?} {rules:?} {thought:?}");
                if thought.solved {
                    assert_eq!(least, most, "{root:?} {rules:?} {thought:?}");
                    assert_eq!(forced_by(&boards, sower, root, ply).0, least, "{root:?} {ply:?}");
                } else {
                    assert_eq!(thought.depth, 100);
                    assert!(rules.direction.is_a_choice() && !rules.empty_capture);
                    endless += 1;
                }
            }
        }
        // To and fro for ever: the search ends at its depth and does not claim to have solved it.
        assert!(endless > 0);
    }

    #[test]
    fn one_and_two_seeds_a_house_are_worth_what_is_published() {
        // Irving, Donkers and Uiterwijk, Solving Kalah, ICGA Journal 23(3), 2000.
        for (seeds, value) in [(1, 2), (2, 10)] {
            let mut rules = RulesetName::Ece1021.rules();
            rules.seeds = SeedsAHouse::new(seeds).unwrap();
            let board = Opening::standard(&rules).board();
            let (_, thought) = think(&mut searcher(&rules), board, 100);
            assert!(thought.solved);
            assert_eq!(thought.value, value);
        }
    }

    #[test]
    fn without_thinking_the_moves_stay_as_they_are() {
        let rules = Ruleset::default();
        let board = Board::from_cells([3, 3, 3, 3, 3, 3, 9, 3, 3, 3, 3, 3, 3, 4]).unwrap();
        let (ply, thought) = think(&mut searcher(&rules), board, 0);
        assert_eq!(ply.house.cell(), 0);
        assert_eq!(thought, Thought { depth: 0, value: 5, nodes: 0, solved: false });
    }

    #[test]
    fn a_settled_game_is_still_played_for_the_margin() {
        // 17 of 24 seeds are in, yet cell 0 captures 5 more and cell 5 leaves them.
        let rules = RulesetName::Ece1021.rules();
        let board = Board::from_cells([1, 0, 0, 0, 0, 1, 17, 0, 0, 0, 0, 5, 0, 0]).unwrap();
        let (ply, thought) = think(&mut searcher(&rules), board, 100);
        assert_eq!(ply.house.cell(), 0);
        assert_eq!((thought.value, thought.solved), (24, true));
    }
}
