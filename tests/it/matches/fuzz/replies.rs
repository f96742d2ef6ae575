//! What a bot may answer, and what the referee makes of it.

use std::num::NonZeroU32;
use std::time::Duration;

use mancala_referee::bot::MAX_LINE;
use mancala_referee::protocol::{FaultKind, Reply};
use mancala_referee::record::{BotRecord, Terms};
use mancala_referee::referee::{Answer, BotRound, MatchSetup, ROUNDS, Stop};
use mancala_referee::rules::{Direction, Game, IllegalMove, Opening, Ply, Ruleset};
use mancala_referee::seat::{PerSeat, Seat};
use mancala_referee::text::quoted;
use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::{Index, select};

use super::mutation::{any_mutation, mutated};
use super::reference_json::{self, Kind, Node};
use super::{Bytes, cases, check_shown, random_json};
use crate::game::rules::rules_and_opening;

/// Most characters of a fault's detail: 200 that are quoted, each as an escape at worst, and words.
const LONGEST_DETAIL: usize = 200 * 10 + 160;

/// Answers that are right, and some that just are not.
const CORPUS: &[&str] = &[
    "0",
    "5",
    "6",
    " 3 \r",
    "-1",
    "-0",
    "3.0",
    "1e0",
    "99999999999999999999",
    "18446744073709551619",
    "\"3\"",
    "[3]",
    "null",
    "",
    "{}",
    "{\"move\":3}",
    "{ \"move\" : 3 }",
    "{\"move\":6}",
    "{\"move\":\"3\"}",
    "{\"move\":3.5}",
    "{\"move\":0,\"direction\":\"backward\"}",
    "{\"move\":0,\"direction\":\"forward\",\"info\":null}",
    "{\"move\":0,\"direction\":\"left\"}",
    "{\"direction\":null,\"move\":1}",
    "{\"move\":1,\"move\":2}",
    "{\"move\":1,\"mo\\u0076e\":2}",
    "{\"move\":3,\"info\":{\"depth\":12,\"value\":-4.25,\"line\":[3,0,5]}}",
    "{\"move\":3,\"info\":{\"a\":1,\"a\":2}}",
    "{\"info\":\"\\ud83c\\udfb2 \\u202e \\u0000\",\"move\":3}",
    "{\"move\":3,\"info\":[0.1,1e300,18446744073709551615,-9223372036854775808]}",
    "{\"move\":2,\"info\":[[[[[[[[[[[[[[[[[[[[]]]]]]]]]]]]]]]]]]]]}",
    "\u{feff}3",
    "I play house 3",
];

/// Answers with values that no record can hold.
const NOT_HELD: &[&str] = &[
    "{\"move\":3,\"info\":[1e999,-1E+400]}",
    "{\"move\":3,\"info\":{\"\\ud800\":\"\\udfff\\ud83c\"}}",
];

fn corpus() -> Vec<Vec<u8>> {
    CORPUS.iter().map(|line| line.as_bytes().to_vec()).collect()
}

/// Lines of every kind: noise, damaged answers, JSON of any shape, and objects much like answers.
pub fn any_line() -> impl Strategy<Value = Bytes> {
    let line = prop_oneof![
        1 => vec(any::<u8>(), 0..200),
        1 => "\\PC{0,40}".prop_map(String::into_bytes),
        4 => damaged(),
        2 => (random_json::blank(), random_json::value(), random_json::blank())
            .prop_map(|(a, value, b)| format!("{a}{value}{b}").into_bytes()),
        4 => answer().prop_map(String::into_bytes),
        1 => long(),
    ];
    line.prop_map(Bytes)
}

fn damaged() -> impl Strategy<Value = Vec<u8>> {
    (any::<Index>(), vec(any_mutation(), 0..5)).prop_map(|(line, mutations)| {
        let corpus = corpus();
        mutated(&corpus[line.index(corpus.len())], &mutations, &corpus)
    })
}

/// An object with the fields of an answer and more, some of them twice.
fn answer() -> impl Strategy<Value = String> {
    let word = select(&["\"forward\"", "\"backward\"", "\"either\"", "\"\\u0066orward\""][..]);
    let field = prop_oneof![
        3 => random_json::number().prop_map(|number| ("\"move\"".to_owned(), number)),
        1 => random_json::value().prop_map(|value| ("\"move\"".to_owned(), value)),
        2 => word.prop_map(|word| ("\"direction\"".to_owned(), word.to_owned())),
        2 => random_json::value().prop_map(|value| ("\"info\"".to_owned(), value)),
        1 => (random_json::key(), random_json::value()),
    ];
    vec(field, 0..4).prop_map(|fields| random_json::object(&fields))
}

/// As long as a line may be, or nearly.
fn long() -> impl Strategy<Value = Vec<u8>> {
    let unit = select(&["x", "[", "{\"a\":", "9", " ", "\u{202e}", "\\u0000", "0,"][..]);
    (unit, random_json::value(), 1_usize..=MAX_LINE).prop_map(|(unit, value, length)| {
        // A long line is slow to look at, and one is much like another.
        let count = length.min(length % 5000 + 1) / unit.len() + 1;
        format!("{}{value}", unit.repeat(count)).into_bytes()
    })
}

/// What an answer is, by the words of `protocol.md` and JSON read by hand.
#[derive(Debug, PartialEq)]
enum Expected {
    Move(u8, Option<Direction>),
    IllegalMove,
    InvalidReply,
}

fn expected(line: &[u8]) -> Expected {
    let node = std::str::from_utf8(line).ok().and_then(reference_json::read);
    node.filter(|node| !node.has_a_key_twice())
        .and_then(|node| as_answer(&node))
        .unwrap_or(Expected::InvalidReply)
}

fn as_answer(node: &Node) -> Option<Expected> {
    let number = match &node.kind {
        Kind::Number(_) => node,
        Kind::Object(_) => node.get("move")?,
        _ => return None,
    };
    let Kind::Number(number) = &number.kind else { return None };
    let direction = match node.get("direction").map(|direction| &direction.kind) {
        None => None,
        Some(Kind::Text(word)) if word == "forward" => Some(Direction::Forward),
        Some(Kind::Text(word)) if word == "backward" => Some(Direction::Backward),
        Some(_) => return None,
    };
    let is_integer = number.bytes().all(|byte| byte == b'-' || byte.is_ascii_digit());
    // Beyond 64 bits every number is whole, however it is written.
    let is_huge = number.parse::<f64>().is_ok_and(|number| number.abs() >= 9.0e18);
    match number.as_str() {
        "0" | "1" | "2" | "3" | "4" | "5" => Some(Expected::Move(number.parse().ok()?, direction)),
        // Zero with a sign is no way to write a house, nor a number of another one.
        "-0" => None,
        _ => (is_integer || is_huge).then_some(Expected::IllegalMove),
    }
}

fn check_reply(line: &[u8]) -> Result<(), TestCaseError> {
    let found = match Reply::parse(line) {
        Ok(reply) => {
            check_canonical(&reply)?;
            check_info(&reply, line)?;
            Expected::Move(reply.house.cell(), reply.direction)
        }
        Err(bad) => {
            check_shown(&bad.in_words(&quoted(line)), LONGEST_DETAIL)?;
            match bad.code.kind() {
                Some(FaultKind::IllegalMove) => Expected::IllegalMove,
                kind => {
                    prop_assert_eq!(kind, Some(FaultKind::InvalidReply));
                    Expected::InvalidReply
                }
            }
        }
    };
    prop_assert_eq!(found, expected(line), "{}", String::from_utf8_lossy(line));
    Ok(())
}

/// The plainest way to write a reply is read as the same reply.
fn check_canonical(reply: &Reply) -> Result<(), TestCaseError> {
    let mut fields = vec![("\"move\"".to_owned(), reply.house.to_string())];
    if let Some(direction) = reply.direction {
        fields.push(("\"direction\"".to_owned(), format!("\"{direction}\"")));
    }
    if let Some(info) = &reply.info {
        fields.push(("\"info\"".to_owned(), info.json().to_owned()));
    }
    let canonical = random_json::object(&fields);
    let again = Reply::parse(canonical.as_bytes());
    prop_assert_eq!(again.as_ref(), Ok(reply), "{}", canonical);
    Ok(())
}

/// What is kept as `info` is what stood in the line, or nothing where no record can hold a value.
fn check_info(reply: &Reply, line: &[u8]) -> Result<(), TestCaseError> {
    let Ok(said) = serde_json::from_slice::<serde_json::Value>(line) else {
        prop_assert_eq!(&reply.info, &None);
        return Ok(());
    };
    let kept = reply.info.as_ref().map(|info| serde_json::from_str(info.json()));
    let kept = kept.transpose().expect("info is JSON");
    prop_assert_eq!(kept.as_ref(), said.get("info"));
    Ok(())
}

/// An answer with its time, and what came with it.
fn any_answer() -> impl Strategy<Value = Answer> {
    let line = (0_u8..6).prop_map(|house| Bytes(vec![b'0' + house]));
    let line = prop_oneof![2 => any_line(), 3 => line];
    let surplus = prop_oneof![4 => Just(Bytes(Vec::new())), 1 => any_line()];
    (line, 0_u64..1200, surplus).prop_map(|(line, ms, surplus)| Answer {
        line: line.0,
        time: Duration::from_millis(ms),
        surplus: surplus.0,
    })
}

/// A match of one turn, for the first bot to take.
fn contest(rules: Ruleset, opening: Opening) -> MatchSetup {
    let bot = |name: &str| BotRecord {
        name: name.to_owned(),
        command: vec![name.to_owned()],
        ..BotRecord::default()
    };
    MatchSetup {
        rules,
        opening,
        terms: Terms::default(),
        bots: PerSeat([bot("one"), bot("other")]),
        first: Seat::A,
        rounds: ROUNDS,
        hides_details: false,
    }
}

/// What the contract makes of an answer, the time first and what came too much last.
fn judged(contest: &MatchSetup, game: &Game, answer: &Answer) -> Result<Ply, FaultKind> {
    if answer.time > Duration::from_millis(1050) {
        return Err(FaultKind::Timeout);
    }
    let (house, direction) = match expected(&answer.line) {
        Expected::Move(house, direction) => (house, direction),
        Expected::IllegalMove => return Err(FaultKind::IllegalMove),
        Expected::InvalidReply => return Err(FaultKind::InvalidReply),
    };
    let direction = direction.unwrap_or(contest.rules.direction.directions()[0]);
    let ply = game.legal().find(|ply| (ply.house.cell(), ply.direction) == (house, direction));
    match ply {
        None => Err(FaultKind::IllegalMove),
        Some(_) if !answer.surplus.is_empty() => Err(FaultKind::UnsolicitedOutput),
        Some(ply) => Ok(ply),
    }
}

proptest! {
    #![proptest_config(cases(2_000))]

    #[test]
    fn reply_parser_agrees_with_reference_parser(line in any_line()) {
        check_reply(&line.0)?;
    }

    #[test]
    fn every_answer_is_a_legal_move_or_a_fault_that_changes_nothing(
        (rules, opening) in rules_and_opening(),
        answer in any_answer(),
    ) {
        let contest = contest(rules, opening);
        let mut game = Game::new(rules, opening, NonZeroU32::MAX);
        let before = game.clone();
        let mut talk = BotRound::new(contest.terms.time, 1, Seat::A, Seat::A, false);
        let taken = talk.take_turn(&contest, &mut game, |_, _| Ok(answer.clone()));
        let found = match taken {
            Ok(played) => {
                let mut by_hand = before.clone();
                prop_assert_eq!(by_hand.play(played.ply), Ok::<_, IllegalMove>(played.sown));
                prop_assert_eq!(by_hand.board(), game.board());
                Ok(played.ply)
            }
            Err(Stop::Fault(fault)) => {
                check_shown(&fault.detail, LONGEST_DETAIL)?;
                prop_assert_eq!(game.board(), before.board());
                prop_assert_eq!((game.mover(), game.moves()), (before.mover(), before.moves()));
                Err(fault.kind)
            }
            Err(stop) => return Err(TestCaseError::fail(format!("{stop:?}"))),
        };
        prop_assert_eq!(found, judged(&contest, &before, &answer));
    }
}

#[test]
fn every_damaged_answer_gets_a_verdict() {
    let not_held = NOT_HELD.iter().map(|line| line.as_bytes().to_vec());
    for line in corpus().into_iter().chain(not_held) {
        check_reply(&line).unwrap();
        for at in 0..=line.len() {
            check_reply(&line[..at]).unwrap();
            check_reply(&line[at..]).unwrap();
            for byte in 0..=255 {
                let mut damaged = line.clone();
                damaged.insert(at, byte);
                check_reply(&damaged).unwrap();
                damaged.remove(at);
                if at < line.len() {
                    damaged[at] = byte;
                    check_reply(&damaged).unwrap();
                }
            }
        }
    }
}
