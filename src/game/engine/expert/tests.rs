//! The expert, by games and single positions.

use super::super::level::Level;
use super::super::player::Player;
use super::*;
use crate::rules::{Game, Opening, RandomOpenings, RulesetName, Side, Sower};

/// The seeds by which the expert is ahead of `hard` in two games from each opening, with `nodes`
/// positions a move for both.
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
            ahead += i32::from(game.score_of(side)) - i32::from(game.score_of(!side));
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
            let now = exact.unwrap() + board.lead();
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
    // Solved at once, and too hard for 100,000 positions.
    let [easy, hard] =
        [[0, 0, 0, 2, 1, 2, 0, 1, 0, 2, 1, 2, 1, 0], [5, 5, 5, 5, 5, 5, 0, 5, 5, 5, 5, 5, 5, 0]]
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
    let sown = expert.searcher.sower.sow(board, choice.ply);
    assert!(sown.extra_turn);
    let value = exact.unwrap() + board.lead() - sown.board.lead();
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
