//! Opening books: answers to positions near a standard opening that take too long to solve in a
//! game.
//!
//! A book lists its answers only, in the order in which [`walk`] meets the positions: the owner of
//! the book plays the listed move, its opponent plays every legal move. Reading a book is the same
//! walk again, so positions need not be listed.
//!
//! ```text
//! # cargo bench --bench books -- learneroo 20000
//! 2
//! 4500..0+1++…
//! ```
//!
//! Lines with `#` are comments. Then comes the value of the opening, and in the lines after it one
//! entry for each position: `.` if the book leaves it out, for the expert solves it in its share of
//! 100 ms; otherwise the house of the answer, and one `+` for every two seeds that the position is
//! worth more than after best play of the opponent.

use std::collections::{HashMap, HashSet};

use crate::rules::{Board, House, Opening, Ply, Ruleset, RulesetName, Sower};

use super::exact::Worth;

/// A move of exact value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BookAnswer {
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
    answers: HashMap<Board, BookAnswer>,
}

/// The books that come with the program, 51 KiB in all. Arithmetic coding would save 43 KiB and take
/// 150 lines of code.
const BOOKS: [(RulesetName, &str); 4] = [
    (RulesetName::Learneroo, include_str!("learneroo.txt")),
    (RulesetName::Ece1021, include_str!("ece1021.txt")),
    (RulesetName::Kalah, include_str!("kalah.txt")),
    (RulesetName::Mancala5000, include_str!("mancala5000.txt")),
];

impl Book {
    /// The book that comes with the program for `rules`, if there is one.
    pub fn of(rules: &Ruleset) -> Option<Book> {
        let (_, text) = BOOKS.iter().find(|(name, _)| name.rules() == *rules)?;
        Book::read(text, rules)
    }

    /// The value of `board` to the player who begins, counted from now, if it is the opening of the
    /// book.
    pub(crate) fn value_of_opening(&self, board: Board) -> Option<i16> {
        let (opening, value) = self.opening;
        (board.without_stores() == opening).then_some(value)
    }

    /// The answer for a position.
    pub(crate) fn answer(&self, board: Board) -> Option<BookAnswer> {
        self.answers.get(&board.without_stores()).copied()
    }

    /// All positions and their answers, in any order.
    pub fn answers(&self) -> impl Iterator<Item = (Board, BookAnswer)> + '_ {
        self.answers.iter().map(|(board, answer)| (*board, *answer))
    }

    /// Reads a book of the standard opening of `rules`. `None` if `text` is not exactly one book, or
    /// if the rules have a choice of directions.
    pub fn read(text: &str, rules: &Ruleset) -> Option<Book> {
        let mut lines = text.lines().skip_while(|line| line.starts_with('#'));
        let value: i16 = lines.next()?.parse().ok()?;
        let &[direction] = rules.direction.directions() else { return None };
        if value.unsigned_abs() > Opening::standard(rules).board().seeds().into() {
            return None;
        }
        let sower = Sower::new(rules);
        let mut entries = lines.flat_map(str::bytes).peekable();
        let book = walk(rules, value, &mut |asked| {
            let cell = match entries.next()? {
                b'.' => return Some(None),
                digit => digit.checked_sub(b'0')?,
            };
            let ply = Ply { house: House::new(cell)?, direction };
            let mut value = asked.least;
            while entries.next_if_eq(&b'+').is_some() {
                value = value.checked_add(2)?;
            }
            let is_legal = sower.legal(asked.board).any(|legal| legal == ply);
            let is_possible = value.unsigned_abs() <= asked.board.seeds().into();
            (is_legal && is_possible).then_some(Some(BookAnswer { ply, value }))
        })?;
        entries.peek().is_none().then_some(book)
    }
}

/// A position in which the owner of a book moves, with empty stores.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct BookPosition {
    pub board: Board,
    /// Its value if the opponent played best since the last answer, otherwise a lower bound.
    pub least: i16,
    /// True if the opponent has moved since the last answer.
    pub may_be_more: bool,
}

impl BookPosition {
    /// What is known of its value.
    pub fn worth(self) -> Worth {
        if self.may_be_more { Worth::AtLeast(self.least) } else { Worth::Exactly(self.least) }
    }
}

/// Calls `answer` for each position that can come up against the owner of the book and collects the
/// answers. The walk does not go on behind a position without an answer, `Some(None)`, and ends
/// without a result when `answer` returns `None`.
pub fn walk(
    rules: &Ruleset,
    value_of_opening: i16,
    answer: &mut dyn FnMut(BookPosition) -> Option<Option<BookAnswer>>,
) -> Option<Book> {
    let sower = Sower::new(rules);
    let opening = Opening::standard(rules).board();
    let mut answers = HashMap::new();
    // The cost of a position depends on what is known of its value, so both are compared.
    let mut met = HashSet::new();
    let first = BookPosition { board: opening, least: value_of_opening, may_be_more: false };
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
pub fn after_answer(
    sower: Sower,
    board: Board,
    BookAnswer { ply, value }: BookAnswer,
) -> Vec<BookPosition> {
    let sown = sower.sow(board, ply);
    let least = value - sown.board.lead();
    let board = sown.next().without_stores();
    if sown.extra_turn {
        let asked = BookPosition { board, least, may_be_more: false };
        return if board.is_over() { Vec::new() } else { vec![asked] };
    }
    after_opponent(sower, BookPosition { board, least: -least, may_be_more: false })
}

/// The same after every turn of the opponent, who moves in `first`.
fn after_opponent(sower: Sower, first: BookPosition) -> Vec<BookPosition> {
    let mut open = vec![first];
    let mut next = Vec::new();
    while let Some(BookPosition { board, least, .. }) = open.pop() {
        if board.is_over() {
            continue;
        }
        for ply in sower.legal(board) {
            let sown = sower.sow(board, ply);
            let left = least - sown.board.lead();
            let board = sown.next().without_stores();
            if sown.extra_turn {
                open.push(BookPosition { board, least: left, may_be_more: true });
            } else if !board.is_over() {
                next.push(BookPosition { board, least: -left, may_be_more: true });
            }
        }
    }
    next
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chance::Chance;
    use crate::solve::{Budget, Solver};

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
            let mut answers: Vec<(Board, BookAnswer)> =
                book.answers().filter(|(board, _)| board.seeds() <= 36).collect();
            answers.sort_by_key(|(board, _)| board.cells());
            chance.shuffle(&mut answers);
            assert!(answers.len() >= 5, "{name}");
            for &(board, BookAnswer { ply, value }) in &answers[..5] {
                let found = solver.value(board, &Budget::default(), &mut |_| {}).exact();
                assert_eq!(found, Some(value), "{name} {board:?}");
                let keeps = solver.keeps(board, ply, value, &Budget::default());
                assert_eq!(keeps, Some(true), "{name} {board:?} {ply:?}");
            }
        }
    }

    #[test]
    fn what_is_not_a_whole_book_is_refused() {
        let (name, text) = BOOKS[0];
        let rules = name.rules();
        assert!(Book::read(text, &rules).is_some());
        let (before, last) = text.trim_end().split_at(text.trim_end().len() - 1);
        for broken in [
            "",
            "2\n",
            "x\n",
            &text.replacen("\n2\n", "\n", 1),
            &text.replacen("\n2\n", "\n-32768\n", 1),
            &text.replacen("\n2\n", "\n38\n", 1),
            // One entry is missing, unknown, impossible or too many.
            before,
            &format!("{before}6"),
            &format!("{before}é"),
            &format!("{before}{last}."),
            &format!("{before}0{}", "+".repeat(20_000)),
        ] {
            assert_eq!(Book::read(broken, &rules), None, "{broken}");
        }
    }
}
