//! A bot that plays illegal houses is asked where only one is legal: what does it call it?

use crate::protocol::Reply;
use crate::rules::{Board, CELLS, Opening};

/// What a bot calls its houses, or which it means instead.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Numbering {
    /// 1 to 6.
    FromOne,
    /// 5 to 0: the distance from the store.
    FromTheStore,
    /// 6 to 1: ECE-1021's bins.
    BinsFromTheStore,
    /// 12 to 7: the facing cells.
    Facing,
    /// 7 to 12: the cells of the other half.
    SecondHalf,
    /// It plays the opponent's houses, 0 to 5 in the opponent's view.
    OpponentsRow,
    /// It plays the opponent's houses by their cells.
    OpponentsCells,
    /// It answers the same number to every board.
    AlwaysTheSame,
    /// It answers the same number to every board that a match begins with, and others later.
    BlindToTheBoard,
}

/// The only house of each side that has a seed, each in its owner's view. No two numberings give
/// the same answers to all six.
const HOUSES: [(u8, u8); 6] = [(0, 3), (1, 5), (2, 0), (3, 1), (4, 2), (5, 4)];

/// The boards to ask with.
pub(super) fn boards() -> Vec<Opening> {
    let board = |(own, opponents): (u8, u8)| {
        let mut cells = [0; CELLS];
        cells[usize::from(own)] = 2;
        cells[usize::from(7 + opponents)] = 2;
        Board::from_cells(cells).ok().and_then(|board| Opening::new(board).ok())
    };
    HOUSES.into_iter().filter_map(board).collect()
}

/// The answer to the only houses of both sides.
type Expected = fn(i64, i64) -> i64;

/// What the answers to those boards, or to the first of them, say; none where they say nothing, or
/// are right.
pub(super) fn recognise(answers: &[Vec<u8>]) -> Option<Numbering> {
    let numbers: Option<Vec<i64>> = answers.iter().map(|line| number(line)).collect();
    let numbers = numbers.filter(|numbers| numbers.len() >= 3)?;
    let all = |expected: Expected| {
        let houses = HOUSES.iter().map(|&(own, opponents)| (own.into(), opponents.into()));
        houses.zip(&numbers).all(|((own, opponents), &number)| number == expected(own, opponents))
    };
    let numberings: [(Numbering, Expected); 7] = [
        (Numbering::FromOne, |own, _| own + 1),
        (Numbering::FromTheStore, |own, _| 5 - own),
        (Numbering::BinsFromTheStore, |own, _| 6 - own),
        (Numbering::Facing, |own, _| 12 - own),
        (Numbering::SecondHalf, |own, _| 7 + own),
        (Numbering::OpponentsRow, |_, opponents| opponents),
        (Numbering::OpponentsCells, |_, opponents| 7 + opponents),
    ];
    let found = numberings.into_iter().find(|(_, expected)| all(*expected));
    let same = numbers.windows(2).all(|pair| pair[0] == pair[1]);
    found.map(|(numbering, _)| numbering).or(same.then_some(Numbering::AlwaysTheSame))
}

/// Whether an answer is the cell of an opponent's house: of a bot that began and plays its own
/// houses, but not as second, say.
pub(super) fn is_an_opponents_cell(line: &[u8]) -> bool {
    number(line).is_some_and(|number| (7..=12).contains(&number))
}

/// The number that an answer names, a house or not.
pub(super) fn number(line: &[u8]) -> Option<i64> {
    if let Ok(reply) = Reply::parse(line) {
        return Some(reply.house.cell().into());
    }
    match serde_json::from_slice(line).ok()? {
        serde_json::Value::Number(number) => number.as_i64(),
        serde_json::Value::Object(fields) => fields.get("move")?.as_i64(),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn recognised(answer: impl Fn(u8, u8) -> u8) -> Option<Numbering> {
        let answers = HOUSES.map(|(own, opponents)| answer(own, opponents).to_string());
        recognise(&answers.map(String::into_bytes))
    }

    #[test]
    fn every_numbering_is_known_by_its_answers() {
        assert_eq!(recognised(|own, _| own), None);
        assert_eq!(recognised(|own, _| own + 1), Some(Numbering::FromOne));
        assert_eq!(recognised(|own, _| 5 - own), Some(Numbering::FromTheStore));
        assert_eq!(recognised(|own, _| 6 - own), Some(Numbering::BinsFromTheStore));
        assert_eq!(recognised(|own, _| 12 - own), Some(Numbering::Facing));
        assert_eq!(recognised(|own, _| 7 + own), Some(Numbering::SecondHalf));
        assert_eq!(recognised(|_, opponents| opponents), Some(Numbering::OpponentsRow));
        assert_eq!(recognised(|_, opponents| 7 + opponents), Some(Numbering::OpponentsCells));
        assert_eq!(recognised(|_, _| 2), Some(Numbering::AlwaysTheSame));
        assert_eq!(recognised(|own, opponents| own * opponents), None);
    }

    #[test]
    fn objects_count_and_words_do_not() {
        let lines = |lines: [&str; 3]| recognise(&lines.map(|line| line.as_bytes().to_vec()));
        let object = "{\"move\":3}";
        assert_eq!(lines(["{\"move\":1}", "2", object]), Some(Numbering::FromOne));
        assert_eq!(lines(["one", "2", object]), None);
        assert_eq!(recognise(&[b"1".to_vec()]), None);
        assert_eq!(boards().len(), 6);
        assert!(is_an_opponents_cell(b"{\"move\":7}") && is_an_opponents_cell(b"12"));
        assert!(!is_an_opponents_cell(b"6") && !is_an_opponents_cell(b"13"));
    }
}
