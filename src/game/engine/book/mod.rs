//! Opening books: the answers to positions near a standard opening that take too long to solve in a
//! game.
//!
//! A book is its answers only, in the order in which a walk through the game meets the positions:
//! the owner of the book makes the move that the book says, its opponent makes every move there is.
//! Whoever walks again has the positions back. The walk ends at positions that the book leaves out,
//! since the expert solves them, and those after them, in its share of 100 ms: see [`Maker`].
//!
//! ```text
//! # mancala solve --rules learneroo --book 20000
//! 2 37
//! hYaDB|1O@…
//! ```
//!
//! First come lines with #, for people, then the value of the opening and the number of answers.
//! The text after them is what [`Code`] makes of a few questions on each position, with yes or no:
//! whether it is in the book; of one legal move after the other whether it is the answer; whether
//! the opponent has given away two seeds since the last answer, then four and so on.

mod code;
mod making;

use std::cmp::Reverse;
use std::collections::{HashMap, HashSet};

use crate::rules::{Board, Opening, Ply, Ruleset, RulesetName, Sower};
use crate::solve::{Budget, Solver};

use self::code::Code;
use self::making::Maker;
use super::exact::{Worth, lead};

/// A move of exact value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Answer {
    /// The move.
    pub ply: Ply,
    /// The value of the position, to the player who moves and counted from now.
    pub value: i16,
}

/// The answers for one ruleset.
#[derive(Debug, PartialEq, Eq)]
pub struct Book {
    /// The standard opening, and its value to the player who begins.
    opening: (Board, i16),
    /// By position with empty stores.
    answers: HashMap<Board, Answer>,
}

/// The books that come with the program.
const BOOKS: [(RulesetName, &str); 4] = [
    (RulesetName::Learneroo, include_str!("learneroo.txt")),
    (RulesetName::Ece1021, include_str!("ece1021.txt")),
    (RulesetName::Kalah, include_str!("kalah.txt")),
    (RulesetName::Mancala5000, include_str!("mancala5000.txt")),
];

/// Characters on a line.
const LINE: usize = 96;

impl Book {
    /// The book that comes with the program for these rules; none for rules without one.
    #[must_use]
    pub fn of(rules: &Ruleset) -> Option<Book> {
        let (_, text) = BOOKS.iter().find(|(name, _)| name.rules() == *rules)?;
        Book::read(text, rules)
    }

    /// The value of its opening, to the player who begins and counted from now; none of another
    /// position.
    #[must_use]
    pub fn value_of_opening(&self, board: Board) -> Option<i16> {
        let (opening, value) = self.opening;
        (board.without_stores() == opening).then_some(value)
    }

    /// The answer for a position.
    #[must_use]
    pub fn answer(&self, board: Board) -> Option<Answer> {
        self.answers.get(&board.without_stores()).copied()
    }

    /// All positions, in no order, and their answers.
    pub fn answers(&self) -> impl Iterator<Item = (Board, Answer)> + '_ {
        self.answers.iter().map(|(board, answer)| (*board, *answer))
    }

    /// Reads a book of these rules' standard opening; none if it is not one.
    #[must_use]
    pub fn read(text: &str, rules: &Ruleset) -> Option<Book> {
        let mut lines = text.lines().skip_while(|line| line.starts_with('#'));
        let (value, count) = lines.next()?.split_once(' ')?;
        let (value, count): (i16, usize) = (value.parse().ok()?, count.parse().ok()?);
        if value.unsigned_abs() > Opening::standard(rules).board().seeds().into() {
            return None;
        }
        let text: Vec<u8> = lines.flat_map(str::bytes).collect();
        let mut code = Code::reading(text.clone())?;
        let sower = Sower::new(rules);
        let mut answers = 0;
        let book = walk(rules, value, &mut |asked| {
            let answer = code_answer(&mut code, sower, asked, None);
            answers += usize::from(answer.is_some());
            (answers <= count).then_some(answer)
        })?;
        (answers == count && code.text() == text).then_some(book)
    }

    /// Makes the book of the standard opening of a solver's rules, which have one direction of
    /// sowing, and writes it. It leaves out what an expert solves with at most so many positions.
    /// `progress` is told how many answers there are so far. None when the budget is spent first.
    #[must_use]
    pub fn make(
        solver: &mut Solver,
        affordable: u64,
        budget: &Budget,
        progress: &mut dyn FnMut(usize),
    ) -> Option<String> {
        let rules = *solver.rules();
        let sower = Sower::new(&rules);
        let opening = Opening::standard(&rules).board();
        let value_of_opening = solver.value(opening, budget, &mut |_| {}).exact()?;
        let mut maker = Maker::new(solver, affordable, budget)?;
        let mut code = Code::writing();
        let mut answers = 0;
        walk(&rules, value_of_opening, &mut |asked| {
            let answer = if maker.leaves_out(asked)? { None } else { Some(maker.answer(asked)?) };
            if answer.is_some() {
                answers += 1;
                progress(answers);
            }
            code_answer(&mut code, sower, asked, answer);
            Some(answer)
        })?;
        let mut text = format!("{value_of_opening} {answers}\n");
        for line in code.text().chunks(LINE) {
            text.extend(line.iter().map(|&byte| char::from(byte)));
            text.push('\n');
        }
        Some(text)
    }
}

/// A position in which the owner of a book moves.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
struct Asked {
    board: Board,
    /// What it is worth if the opponent has made no mistake since the last answer; if it has, it is
    /// worth more.
    least: i16,
    /// Whether the opponent has moved since the last answer.
    may_be_more: bool,
}

impl Asked {
    /// What is known of its value.
    fn worth(self) -> Worth {
        if self.may_be_more { Worth::AtLeast(self.least) } else { Worth::Exactly(self.least) }
    }
}

/// Kinds of questions, by what makes yes more likely or less.
#[derive(PartialEq, Eq, Hash)]
enum Question {
    /// Is the position in the book?
    InBook { hardness: i16, may_be_more: bool },
    /// Is this move the answer?
    IsTheMove { ply: Ply, extra_turn: bool, gain: i16 },
    /// Has the opponent given away more seeds than this?
    GaveMore { than: i16 },
}

/// Writes the answer to a position, or reads it.
fn code_answer(
    code: &mut Code<Question>,
    sower: Sower,
    asked: Asked,
    answer: Option<Answer>,
) -> Option<Answer> {
    let Asked { board, least, may_be_more } = asked;
    // A seed more makes a position about as much harder as two that can be gained make it easier.
    let hardness = 2 * i16::from(board.seeds()) - most_gained(sower, board);
    let question = Question::InBook { hardness, may_be_more };
    if !code.is(question, answer.is_some()) {
        return None;
    }
    let mut plies: Vec<Ply> = sower.legal(board).collect();
    plies.sort_by_key(|&ply| Reverse((sower.sow(board, ply).extra_turn, ply.house)));
    let last = plies.pop()?;
    let is_the_move = |&ply: &Ply| {
        let sown = sower.sow(board, ply);
        let gain = lead(sown.board);
        let question = Question::IsTheMove { ply, extra_turn: sown.extra_turn, gain };
        code.is(question, answer.is_some_and(|answer| answer.ply == ply))
    };
    let ply = plies.into_iter().find(is_the_move).unwrap_or(last);
    let mut value = least;
    // No position is worth more than its seeds.
    while may_be_more && value + 2 <= i16::from(board.seeds()) {
        let more = answer.is_some_and(|answer| answer.value > value);
        if !code.is(Question::GaveMore { than: value - least }, more) {
            break;
        }
        value += 2;
    }
    Some(Answer { ply, value })
}

/// The most that a turn gains from a position with empty stores.
fn most_gained(sower: Sower, board: Board) -> i16 {
    if board.is_over() {
        return lead(board.swept());
    }
    let gain = |ply| {
        let sown = sower.sow(board, ply);
        if sown.extra_turn { most_gained(sower, sown.board) } else { lead(sown.board) }
    };
    sower.legal(board).map(gain).max().unwrap_or(0)
}

/// Asks for an answer to each position that can come up against the owner of the book; where its
/// answer is to leave the position out, the walk goes no further. None as soon as `answer` says so.
fn walk(
    rules: &Ruleset,
    value_of_opening: i16,
    answer: &mut dyn FnMut(Asked) -> Option<Option<Answer>>,
) -> Option<Book> {
    let sower = Sower::new(rules);
    let opening = Opening::standard(rules).board();
    let mut answers = HashMap::new();
    // What is cheap to solve depends on what is known of a position, not on the position alone.
    let mut met = HashSet::new();
    let first = Asked { board: opening, least: value_of_opening, may_be_more: false };
    let mut open = vec![first];
    open.extend(after_opponent(sower, first));
    while let Some(asked) = open.pop() {
        if answers.contains_key(&asked.board) || !met.insert(asked) {
            continue;
        }
        if let Some(found) = answer(asked)? {
            answers.insert(asked.board, found);
            open.extend(after_answer(sower, asked.board, found));
        }
    }
    Some(Book { opening: (opening, value_of_opening), answers })
}

/// The positions in which the owner of a book moves next, after its answer.
fn after_answer(sower: Sower, board: Board, Answer { ply, value }: Answer) -> Vec<Asked> {
    let sown = sower.sow(board, ply);
    let least = value - lead(sown.board);
    let board = sown.next().without_stores();
    if sown.extra_turn {
        let asked = Asked { board, least, may_be_more: false };
        return if board.is_over() { Vec::new() } else { vec![asked] };
    }
    after_opponent(sower, Asked { board, least: -least, may_be_more: false })
}

/// The same after every turn of the opponent, who moves in the position.
fn after_opponent(sower: Sower, first: Asked) -> Vec<Asked> {
    let mut open = vec![first];
    let mut next = Vec::new();
    while let Some(Asked { board, least, .. }) = open.pop() {
        if board.is_over() {
            continue;
        }
        for ply in sower.legal(board) {
            let sown = sower.sow(board, ply);
            let left = least - lead(sown.board);
            let board = sown.next().without_stores();
            if sown.extra_turn {
                open.push(Asked { board, least: left, may_be_more: true });
            } else if !board.is_over() {
                next.push(Asked { board, least: -left, may_be_more: true });
            }
        }
    }
    next
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chance::Chance;
    use crate::rules::SeedsAHouse;

    fn books() -> impl Iterator<Item = (RulesetName, Book)> {
        BOOKS.iter().map(|(name, _)| (*name, Book::of(&name.rules()).unwrap()))
    }

    #[test]
    fn every_book_has_an_answer_to_its_standard_opening() {
        // Irving, Donkers and Uiterwijk, 2000, for ece1021; the others by an independent solver.
        let values = [2, 10, 8, 12];
        for ((name, book), value) in books().zip(values) {
            let board = Opening::standard(&name.rules()).board();
            assert_eq!(book.answer(board).unwrap().value, value, "{name}");
            assert_eq!(book.value_of_opening(board), Some(value), "{name}");
            let stored = board.cells().map(|seeds| if seeds == 0 { 7 } else { seeds });
            assert!(book.answer(Board::from_cells(stored).unwrap()).is_some(), "{name}");
        }
        assert!(Book::of(&RulesetName::Cs221.rules()).is_none());
    }

    #[test]
    fn twenty_drawn_answers_are_what_the_solver_finds() {
        let mut chance = Chance::new(7);
        for (name, book) in books() {
            let mut solver = Solver::new(&name.rules(), 64 << 20).unwrap();
            // `cargo bench --bench solve -- book` solves those with more seeds, too.
            let mut answers: Vec<(Board, Answer)> =
                book.answers().filter(|(board, _)| board.seeds() <= 36).collect();
            answers.sort_by_key(|(board, _)| board.cells());
            chance.shuffle(&mut answers);
            assert!(answers.len() >= 5, "{name}");
            for &(board, Answer { ply, value }) in &answers[..5] {
                let found = solver.value(board, &Budget::default(), &mut |_| {}).exact();
                assert_eq!(found, Some(value), "{name} {board:?}");
                let keeps = solver.keeps(board, ply, value, &Budget::default());
                assert_eq!(keeps, Some(true), "{name} {board:?} {ply:?}");
            }
        }
    }

    #[test]
    fn a_book_that_is_made_is_read_back_and_right() {
        let rules = Ruleset { seeds: SeedsAHouse::new(2).unwrap(), ..RulesetName::Kalah.rules() };
        let mut solver = Solver::new(&rules, 4 << 20).unwrap();
        let mut told = 0;
        let all = Budget::default();
        let text = Book::make(&mut solver, 20, &all, &mut |answers| told = answers).unwrap();
        let book = Book::read(&format!("# a word\n{text}"), &rules).unwrap();
        assert_eq!(book.answers().count(), told);
        assert!(told > 20, "{told}");
        for (board, Answer { ply, value }) in book.answers() {
            let found = solver.value(board, &all, &mut |_| {}).exact();
            assert_eq!(found, Some(value));
            assert_eq!(solver.keeps(board, ply, value, &all), Some(true));
        }
    }

    #[test]
    fn positions_that_are_solved_fast_enough_are_left_out() {
        let rules = Ruleset { seeds: SeedsAHouse::new(2).unwrap(), ..RulesetName::Kalah.rules() };
        let mut solver = Solver::new(&rules, 4 << 20).unwrap();
        let all = Budget::default();
        let most: Vec<usize> = [1, 20, 100, 1_000_000]
            .map(|nodes| {
                let text = Book::make(&mut solver, nodes, &all, &mut |_| {}).unwrap();
                Book::read(&text, &rules).unwrap().answers().count()
            })
            .to_vec();
        assert!(most.is_sorted_by(|more, fewer| more > fewer), "{most:?}");
        assert_eq!(most.last(), Some(&0));
    }

    #[test]
    fn what_is_not_a_whole_book_is_none() {
        let (name, text) = BOOKS[0];
        let rules = name.rules();
        assert!(Book::read(text, &rules).is_some());
        let cut = text.trim_end();
        let (all_but_one, last) = cut.split_at(cut.len() - 1);
        let other = if last == "x" { "y" } else { "x" };
        let head = text.lines().nth(1).unwrap();
        let (value, count) = head.split_once(' ').unwrap();
        let count: usize = count.parse().unwrap();
        let with_head = |other: &str| text.replacen(head, other, 1);
        for broken in [
            "",
            "2\n",
            &format!("{head}\n"),
            "x\n",
            all_but_one,
            &format!("{all_but_one}{other}"),
            &format!("{cut}!"),
            &format!("{all_but_one}é"),
            &with_head(&format!("{value} {}", count - 1)),
            &with_head(&format!("{value} {}", count + 1)),
            &with_head(&format!(" {head}")),
            &with_head(value),
            &with_head(&format!("-32768 {count}")),
        ] {
            assert_ne!(broken, text);
            assert_eq!(Book::read(broken, &rules), None, "{broken}");
        }
    }

    #[test]
    fn a_book_stops_with_its_budget() {
        let mut solver = Solver::new(&RulesetName::Kalah.rules(), 4 << 20).unwrap();
        let little = Budget { nodes: Some(1000), ..Budget::default() };
        assert_eq!(Book::make(&mut solver, 1000, &little, &mut |_| {}), None);
    }
}
