//! The solver against published values, brute force and itself.

use std::num::NonZeroUsize;

use super::endgames::Endgames;
use super::testing::{BruteForce, TestNumbers, all_rules, shared_endgames, solvable_rules};
use super::{Bounds, Budget, DEFAULT_MEMORY, LEAST_MEMORY, Solver, is_worth};
use crate::rules::{Board, Opening, Ruleset, RulesetName, SeedsAHouse, Sower};

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
    let moves = solver.moves(board, None, &Budget::default());
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
            let moves = solver.moves(board, None, &Budget::default());
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

/// Openings of the 254 that are published as fair, by their lines, have the value 0: all are in
/// `cargo bench --bench solve`.
fn are_fair(lines: [usize; 2]) {
    let rules = RulesetName::Ece1021.rules();
    let solver = Solver::new(&rules, DEFAULT_MEMORY).unwrap();
    let endgames = shared_endgames(&rules, solver.most_seeds);
    let mut solver = Solver { endgames, ..solver };
    let text = include_str!("../../../tests/data/fairkalah.txt");
    let openings: Vec<Opening> = text.lines().map(|line| line.parse().unwrap()).collect();
    for line in lines {
        let found = is_worth(&mut solver, openings[line], 0, &Budget::default());
        assert_eq!(found, Some(true), "{:?}", openings[line]);
    }
}

// Four that are soon solved, in two tests that run at the same time.
#[test]
fn openings_of_fairkalah_are_worth_nothing() {
    are_fair([100, 209]);
}

#[test]
fn more_openings_of_fairkalah_are_worth_nothing() {
    are_fair([107, 114]);
}

#[test]
fn searches_agree_with_brute_force() {
    let mut numbers = TestNumbers(2);
    for rules in solvable_rules() {
        let mut brute = BruteForce::new(rules);
        let mut searching = searching(&rules);
        let mut solver = solver(&rules);
        for index in 0..200 {
            let board = numbers.position(9 + index % 4);
            let value = brute.value(board);
            assert_eq!(exact(&mut searching, board), value, "{board:?} {rules:?}");
            assert_eq!(exact(&mut solver, board), value, "{board:?} {rules:?}");
        }
    }
}

#[test]
fn a_table_gives_what_a_search_finds() {
    let mut numbers = TestNumbers(3);
    for rules in solvable_rules() {
        let endgames = Endgames::new(&rules);
        endgames.grow(10, 1, &mut || false);
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
    let mut numbers = TestNumbers(4);
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
fn values_do_not_depend_on_the_order_of_moves_nor_on_threads() {
    let mut numbers = TestNumbers(5);
    for rules in solvable_rules() {
        let mut solver = solver(&rules);
        let mut worst_first = Solver { worst_first: true, ..searching(&rules) };
        let mut threaded =
            Solver::new(&rules, 64 << 20).unwrap().with_threads(NonZeroUsize::new(3).unwrap());
        threaded.prepare(12, &Budget::default());
        for index in 0..20 {
            let board = numbers.position(8 + index % 4);
            let value = exact(&mut solver, board);
            assert_eq!(exact(&mut worst_first, board), value, "{board:?} {rules:?}");
            assert_eq!(exact(&mut threaded, board), value, "{board:?} {rules:?}");
        }
    }
}

#[test]
fn a_team_shares_its_table_and_its_memory() {
    let rules = Ruleset::default();
    let three = NonZeroUsize::new(3).unwrap();
    let mut team = Solver::team(&rules, 64 << 20, three).unwrap();
    assert_eq!(team.len(), 3);
    let board = TestNumbers(6).position(10);
    assert!(team.iter().all(|solver| solver.endgame(board).is_none()));
    team[0].prepare(10, &Budget::default());
    let value = exact(&mut solver(&rules), board);
    assert!(team.iter().all(|solver| solver.endgame(board) == Some(value)));
    assert_eq!(Solver::team(&rules, 2 * LEAST_MEMORY, three).unwrap().len(), 2);
    assert!(Solver::team(&rules, LEAST_MEMORY - 1, three).is_err());
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
        let moves = solver.moves(board, None, &budget);
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
fn a_small_budget_is_not_spent_on_a_table_that_earlier_searches_were_worth() {
    let (rules, board) = standard(RulesetName::Ece1021, 4);
    let mut solver = solver(&rules);
    let much = Budget { nodes: Some(1_200_000), ..Budget::default() };
    solver.value(board, &much, &mut |_| {});
    let before = solver.endgame_seeds();
    // With two seeds a house it is solved at once.
    let (_, easy) = standard(RulesetName::Ece1021, 2);
    let little = Budget { nodes: Some(100_000), ..Budget::default() };
    assert_eq!(solver.value(easy, &little, &mut |_| {}), Bounds::of(10));
    assert_eq!(solver.endgame_seeds(), before);
    // With more to spend, the larger table is worth it.
    solver.value(board, &Budget { nodes: Some(3_000_000), ..much }, &mut |_| {});
    assert!(solver.endgame_seeds() > before);
}

#[test]
fn what_one_move_leaves_of_the_budget_the_others_spend() {
    let (rules, board) = standard(RulesetName::Ece1021, 3);
    let mut solver = searching(&rules);
    let all = solver.moves(board, None, &Budget::default());
    let needed = solver.nodes();
    let mut solver = searching(&rules);
    solver.value_of_move(board, all[0].ply, None, &Budget::default());
    let shares = all.len() as u64;
    assert!(solver.nodes() > 2 * needed / shares, "the first move takes more than its share");
    let mut solver = searching(&rules);
    let budget = Budget { nodes: Some(2 * needed), ..Budget::default() };
    assert_eq!(solver.moves(board, None, &budget), all);
    assert!(solver.nodes() <= 2 * needed);
    for nodes in [0, 1, 100, needed / 2] {
        let before = solver.nodes();
        let budget = Budget { nodes: Some(nodes), ..Budget::default() };
        solver.forget();
        let moves = solver.moves(board, None, &budget);
        assert!(solver.nodes() - before <= nodes);
        assert!(moves.iter().any(|found| found.value.exact().is_none()));
    }
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
    assert!(solver.moves(board, None, &Budget::default()).is_empty());
    assert_eq!(solver.best(board, 3, &Budget::default()), None);
}

#[test]
fn rules_that_can_cycle_and_too_little_memory_are_refused() {
    let refused = all_rules().into_iter().filter(|rules| Solver::new(rules, 1 << 24).is_err());
    let mut refused: Vec<_> = refused
        .map(|rules| (rules.direction.as_str(), rules.opponent_store.as_str(), rules.empty_capture))
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
