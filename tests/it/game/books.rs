//! The maker of opening books, which `cargo bench --bench books` runs, with small books.

#[path = "../../bench/book_making/mod.rs"]
mod book_making;

use book_making::{BookMaker, CHEAP, make_book};
use mancala_referee::engine::exact::right_answers;
use mancala_referee::engine::{Book, BookAnswer, after_answer, walk};
use mancala_referee::rules::{Ruleset, RulesetName, SeedsAHouse, Sower};
use mancala_referee::solve::{Budget, Solver};

/// Two seeds a house, by the rules of kalah.
fn small() -> (Ruleset, Solver) {
    let rules = Ruleset { seeds: SeedsAHouse::new(2).unwrap(), ..RulesetName::Kalah.rules() };
    (rules, Solver::new(&rules, 4 << 20).unwrap())
}

/// A second solver for [`small`], with the table of endgames that an expert's has, and less memory.
fn cold() -> Solver {
    Solver::prepared(&small().0, 12, 1 << 20, &Budget::default()).unwrap()
}

/// What its opening is worth.
const VALUE: i16 = 6;

#[test]
fn what_a_book_leaves_out_is_affordable_and_so_is_what_comes_next() {
    let (rules, mut solver) = small();
    let all = Budget::default();
    let mut maker = BookMaker::new(&mut solver, cold(), 40, &all);
    let (mut affordable, mut looked_further) = (0, 0);
    walk(&rules, VALUE, &mut |asked| {
        let cost = maker.cost(asked).unwrap();
        let answer = maker.answer(asked).unwrap();
        if !maker.leaves_out(asked).unwrap() {
            affordable += u32::from(cost <= 40);
            return Some(Some(answer));
        }
        assert!(cost <= 40, "{asked:?}");
        if cost > 40 / CHEAP {
            looked_further += 1;
            let hardest = maker.hardest_to_answer(asked.board, answer.value).unwrap();
            let answer = BookAnswer { ply: hardest[0], ..answer };
            for next in after_answer(maker.sower, asked.board, answer) {
                maker.cold.forget();
                maker.cost_now(asked, 1000).unwrap();
                let after = maker.cost_now(next, 1000).unwrap();
                let cost = after.min(maker.cost(next).unwrap());
                assert!(cost <= 40, "{asked:?} {next:?}");
            }
        }
        Some(None)
    })
    .unwrap();
    // Some are affordable, but not what comes after them.
    assert!(affordable > 0 && looked_further > 10, "{affordable} {looked_further}");
}

#[test]
fn an_answer_is_hardest_to_answer_and_leaves_the_least_to_answer() {
    let (rules, mut solver) = small();
    let mut other = Solver::new(&rules, 4 << 20).unwrap();
    let (all, sower) = (Budget::default(), Sower::new(&rules));
    let mut maker = BookMaker::new(&mut solver, cold(), 0, &all);
    let mut chosen = 0;
    for affordable in [10, 20] {
        maker.affordable = affordable;
        maker.costs.clear();
        walk(&rules, VALUE, &mut |asked| {
            if maker.leaves_out(asked)? {
                return Some(None);
            }
            let board = asked.board;
            let found = maker.answer(asked)?;
            let mut share = |ply| {
                let keeps = other.keeps(board, ply, found.value, &all)?;
                let share = right_answers(&mut other, sower, board, ply, found.value, &all)?;
                Some(if keeps { share } else { f64::INFINITY })
            };
            let least = share(found.ply)?;
            for ply in sower.legal(board) {
                assert!(share(ply)? >= least, "{asked:?} {ply:?}");
                if share(ply)? <= least {
                    let other = maker.dear_after(board, BookAnswer { ply, ..found })?;
                    let own = maker.dear_after(board, found)?;
                    assert!(own <= other, "{asked:?} {ply:?}");
                    chosen += u32::from(own < other);
                }
            }
            Some(Some(found))
        })
        .unwrap();
    }
    assert!(chosen > 0);
}

#[test]
fn a_book_that_is_made_is_read_back_and_right() {
    let (rules, mut solver) = small();
    let mut count = 0;
    let all = Budget::default();
    let text = make_book(&mut solver, cold(), 20, &all, &mut |answers| count = answers).unwrap();
    let book = Book::read(&format!("# a word\n{text}"), &rules).unwrap();
    assert_eq!(book.answers().count(), count);
    assert!(count > 20, "{count}");
    for (board, BookAnswer { ply, value }) in book.answers() {
        assert_eq!(solver.value(board, &all, &mut |_| {}).exact(), Some(value));
        assert_eq!(solver.keeps(board, ply, value, &all), Some(true));
    }
}

#[test]
fn positions_that_are_solved_fast_enough_are_left_out() {
    let (rules, mut solver) = small();
    let all = Budget::default();
    let answers = |nodes| {
        let text = make_book(&mut solver, cold(), nodes, &all, &mut |_| {}).unwrap();
        Book::read(&text, &rules).unwrap().answers().count()
    };
    let counts: Vec<usize> = [20, 100, 1_000_000].map(answers).to_vec();
    assert!(counts.is_sorted_by(|more, fewer| more > fewer), "{counts:?}");
    assert_eq!(counts.last(), Some(&0));
}

#[test]
fn a_book_stops_with_its_budget() {
    let mut solver = Solver::new(&RulesetName::Kalah.rules(), 4 << 20).unwrap();
    let little = Budget { nodes: Some(1000), ..Budget::default() };
    assert_eq!(make_book(&mut solver, cold(), 1000, &little, &mut |_| {}), None);
}
