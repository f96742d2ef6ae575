//! Opening books: the answers to positions near a standard opening that take too long to solve in a
//! game.
//!
//! A book lists its answers only, in the order in which a walk through the game meets the
//! positions: the owner of the book makes the move that the book says, its opponent makes every
//! move there is. Whoever walks again has the positions back. The walk ends at positions that the
//! book leaves out, since they are solved fast enough; most of those after them are, too.
//!
//! ```text
//! # mancala solve --rules ece1021 --book 200000
//! 10
//! M0!…
//! ```
//!
//! First come lines with #, for people, then the value of the opening. In the text after it, the
//! bytes from `!` to `b` are answers: 11 for each house, the first where the opponent has made no
//! mistake since the last answer, the next where its moves gave away two seeds, then four and so on.
//! `~` before an answer adds 22 seeds. The bytes from `c` to `}` leave out the next 1 to 27
//! positions.

use std::collections::{HashMap, HashSet};
use std::iter::repeat_n;

use crate::rules::{Board, House, Opening, Ply, Ruleset, RulesetName, Sower};
use crate::solve::{Budget, Solver};

use super::expert::{exact_move, hardest_to_answer, prepared_solver};

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

/// The first byte of an answer.
const FIRST: u8 = b'!';

/// Answers with one house: the opponent gave away twice so many seeds less two, or fewer.
const MISTAKES: u8 = 11;

/// The byte that leaves out one position: it comes after the last answer.
const LEFT_OUT: u8 = FIRST + 6 * MISTAKES;

/// Most positions that one byte leaves out.
const MOST_LEFT_OUT: u8 = GREAT_MISTAKE - LEFT_OUT;

/// A byte before an answer: the opponent gave away twice `MISTAKES` seeds more.
const GREAT_MISTAKE: u8 = b'~';

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
        let value = lines.next()?.parse().ok()?;
        let mut written = lines.flat_map(str::bytes).flat_map(|byte| match byte {
            LEFT_OUT..GREAT_MISTAKE => repeat_n(None, usize::from(byte - LEFT_OUT) + 1),
            _ => repeat_n(Some(byte), 1),
        });
        let direction = *rules.direction.directions().first()?;
        let book = walk(rules, value, &mut |board, expected| {
            let Some(first) = written.next()? else { return Some(None) };
            let (house, mistakes) = read_answer(first, &mut written)?;
            let ply = Ply { house, direction };
            Sower::new(rules).legal(board).find(|legal| *legal == ply)?;
            Some(Some(Answer { ply, value: expected + 2 * mistakes }))
        })?;
        written.next().is_none().then_some(book)
    }

    /// Makes the book of the standard opening of a solver's rules, which have one direction of
    /// sowing, and writes it. It leaves out what an expert without memories solves with at most so
    /// many positions. `progress` is told how many answers there are so far. None when the budget is
    /// spent first.
    #[must_use]
    pub fn make(
        solver: &mut Solver,
        affordable: u64,
        budget: &Budget,
        progress: &mut dyn FnMut(usize),
    ) -> Option<String> {
        let rules = *solver.rules();
        let sower = Sower::new(&rules);
        let mut cold = prepared_solver(&rules)?;
        let affordable = budget.at_most(affordable);
        let opening = Opening::standard(&rules).board();
        let value_of_opening = solver.value(opening, budget, &mut |_| {}).exact()?;
        let mut written = String::new();
        let mut answers = 0;
        let mut skipped = 0;
        walk(&rules, value_of_opening, &mut |board, expected| {
            cold.forget();
            if exact_move(&mut cold, board, Some(expected), &affordable).is_some() {
                skipped += 1;
                return Some(None);
            }
            let value = solver.value_near(board, Some(expected), budget).exact()?;
            let mistakes = u8::try_from((value - expected) / 2).ok()?;
            let ply = hardest_to_answer(solver, sower, board, value, budget)?;
            written += &leave_out(std::mem::take(&mut skipped));
            written += &answer_with(ply.house, mistakes);
            answers += 1;
            progress(answers);
            Some(Some(Answer { ply, value }))
        })?;
        written += &leave_out(skipped);
        let mut text = format!("{value_of_opening}\n");
        for line in written.as_bytes().chunks(LINE) {
            text.extend(line.iter().map(|&byte| char::from(byte)));
            text.push('\n');
        }
        Some(text)
    }
}

/// The bytes of an answer: the move, and how many pairs of seeds the opponent gave away.
fn answer_with(house: House, mistakes: u8) -> String {
    let great = repeat_n(GREAT_MISTAKE, usize::from(mistakes / MISTAKES));
    let code = FIRST + MISTAKES * house.cell() + mistakes % MISTAKES;
    great.chain([code]).map(char::from).collect()
}

/// Reads an answer that begins with this byte.
fn read_answer(first: u8, rest: &mut impl Iterator<Item = Option<u8>>) -> Option<(House, i16)> {
    let (mut byte, mut mistakes) = (first, 0);
    while byte == GREAT_MISTAKE {
        mistakes += i16::from(MISTAKES);
        byte = rest.next()??;
    }
    let code = byte.checked_sub(FIRST)?;
    Some((House::new(code / MISTAKES)?, mistakes + i16::from(code % MISTAKES)))
}

/// The bytes that leave out so many positions.
fn leave_out(positions: usize) -> String {
    let most = usize::from(MOST_LEFT_OUT);
    let rest =
        (1..).zip(LEFT_OUT..GREAT_MISTAKE).find(|&(left_out, _)| left_out == positions % most);
    let whole = repeat_n(GREAT_MISTAKE - 1, positions / most);
    whole.chain(rest.map(|(_, code)| code)).map(char::from).collect()
}

/// Asks for an answer to each position that can come up against the owner of the book. It is asked
/// with the value that the position has if the opponent made no mistake, which is the least that
/// it can have; where its answer is to leave the position out, the walk goes no further. None as
/// soon as `answer` says so.
fn walk(
    rules: &Ruleset,
    value_of_opening: i16,
    answer: &mut dyn FnMut(Board, i16) -> Option<Option<Answer>>,
) -> Option<Book> {
    let sower = Sower::new(rules);
    let opening = Opening::standard(rules).board();
    let mut answers = HashMap::new();
    for is_first in [true, false] {
        let mut met = HashSet::new();
        // Positions to go on from, whether the owner of the book moves in them, and their values
        // if the opponent has made no mistake since the last answer.
        let mut open = vec![(opening, is_first, value_of_opening)];
        while let Some((board, own, expected)) = open.pop() {
            if board.is_over() || !met.insert((board, own)) {
                continue;
            }
            let after = |ply: Ply, value: i16| {
                let sown = sower.sow(board, ply);
                let gain = i16::from(sown.board.store()) - i16::from(sown.board.opponent_store());
                let left = value - gain;
                let expected = if sown.extra_turn { left } else { -left };
                (sown.next().without_stores(), own == sown.extra_turn, expected)
            };
            if !own {
                open.extend(sower.legal(board).map(|ply| after(ply, expected)));
                continue;
            }
            let found = match answers.get(&board) {
                Some(&found) => found,
                None => match answer(board, expected)? {
                    Some(found) => *answers.entry(board).insert_entry(found).get(),
                    None => continue,
                },
            };
            open.push(after(found.ply, found.value));
        }
    }
    Some(Book { opening: (opening, value_of_opening), answers })
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
    fn answers_are_read_as_they_were_written() {
        for house in House::ALL {
            for mistakes in 0..=3 * MISTAKES {
                let written = answer_with(house, mistakes);
                let mut bytes = written.bytes().map(Some);
                let first = bytes.next().unwrap().unwrap();
                assert!(!(LEFT_OUT..GREAT_MISTAKE).contains(&first));
                let read = read_answer(first, &mut bytes);
                assert_eq!(read, Some((house, i16::from(mistakes))), "{written}");
                assert_eq!(bytes.next(), None);
            }
        }
        assert_eq!(read_answer(GREAT_MISTAKE, &mut std::iter::empty()), None);
    }

    #[test]
    fn as_many_positions_are_left_out_as_were_written() {
        assert_eq!([leave_out(0), leave_out(1), leave_out(2)], ["", "c", "d"]);
        assert_eq!([leave_out(27), leave_out(28), leave_out(55)], ["}", "}c", "}}c"]);
    }

    #[test]
    fn the_greatest_mistake_of_a_first_move_is_answered() {
        let rules = RulesetName::Mancala5000.rules();
        let (book, sower) = (Book::of(&rules).unwrap(), Sower::new(&rules));
        let opening = Opening::standard(&rules).board();
        let after = sower.legal(opening).map(|ply| sower.sow(opening, ply));
        let answers = after.filter_map(|sown| book.answer(sown.next()));
        let greatest = answers.map(|answer| answer.value + 12).max().unwrap();
        assert!(greatest > 2 * i16::from(MISTAKES), "{greatest}");
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
        assert!(text.contains(['c', 'd', 'e']), "{text}");
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
        let last_line = cut.lines().next_back().unwrap();
        for broken in [
            "",
            "2\n",
            "x\n",
            &cut[..cut.len() - 1],
            &format!("{cut}!"),
            &format!("{cut}c"),
            // House 5 is nobody's answer to a board without seeds in it.
            &cut.replace(last_line, &"X".repeat(last_line.len())),
            &text.replacen("\n2\n", "\n 2\n", 1),
        ] {
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
