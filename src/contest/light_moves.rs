//! The moves of a record's line, without what was said about them.
//!
//! They are most of the line, and a parser for any JSON takes most of its time for them. Moves that
//! are written as this program writes them are read, and taken out of the line, by a few comparisons.

use std::sync::LazyLock;
use std::time::Duration;

use memchr::memmem::Finder;
use memchr::{memchr, memchr_iter, memchr2};
use serde::Deserialize;
use serde::de::IgnoredAny;

use crate::protocol::FaultKind;
use crate::record::fine_ms;
use crate::rules::{Direction, House};
use crate::seat::Seat;

/// A move without what was said about it.
#[derive(Clone, Copy, Debug, PartialEq, Deserialize)]
pub struct LightMove {
    pub bot: Seat,
    #[serde(rename = "move")]
    pub house: House,
    /// Where the rules leave a choice.
    pub direction: Option<Direction>,
    #[serde(rename = "ms", deserialize_with = "fine_ms::deserialize")]
    pub time: Duration,
    /// Whether it is the first answer of a process, if the record says so.
    #[serde(default)]
    pub fresh: bool,
    /// The fault of a bot for which it was played.
    pub substitute: Option<LightSubstitute>,
    /// The value of the position before it, and what the move gave away, if the record says so.
    pub value: Option<i16>,
    pub loss: Option<i16>,
}

/// A fault for which another move was played.
#[derive(Clone, Copy, Debug, PartialEq, Deserialize)]
pub struct LightSubstitute {
    pub(super) kind: FaultKind,
}

/// The name of a list of moves. In a string its quotes would be escaped.
static MOVES: LazyLock<Finder> = LazyLock::new(|| Finder::new("\"moves\""));
static SUBSTITUTE: LazyLock<Finder> = LazyLock::new(|| Finder::new("\"substitute\""));

/// Adds each list of moves in `line` to `rounds`, and puts the line into `rest` with a number instead
/// of each, from 0. Returns how many there are; `None` if they are not written as this program writes
/// them. `rounds` and `rest` are then left in any state.
pub(super) fn take_moves(
    line: &[u8],
    rounds: &mut Vec<Vec<LightMove>>,
    rest: &mut Vec<u8>,
) -> Option<usize> {
    replace_moves(line, rest, |list| {
        let mut written = Written(list);
        written.expect(b":[")?;
        // A usual round has fewer.
        let mut moves = Vec::with_capacity(64);
        if !written.skip(b"]") {
            loop {
                moves.push(written.light_move()?);
                if !written.skip(b",") {
                    break;
                }
            }
            written.expect(b"]")?;
        }
        rounds.push(moves);
        Some(written.0)
    })
}

/// As [`take_moves`], without reading the moves. `None` if a move may have been substituted, or if
/// the end of a list is not easily found.
pub(super) fn leave_out_moves(line: &[u8], rest: &mut Vec<u8>) -> Option<usize> {
    replace_moves(line, rest, |list| {
        let list = list.strip_prefix(b":[")?;
        let (moves, left) = list.split_at(memchr(b']', list)?);
        // The first `]` ends the list if there is no other list in it, and if it stands in no string:
        // all before it have ended, for without escapes a string has two quotes.
        let is_end = memchr2(b'[', b'\\', moves).is_none()
            && memchr_iter(b'"', moves).count().is_multiple_of(2);
        (is_end && SUBSTITUTE.find(moves).is_none()).then_some(&left[1..])
    })
}

/// Puts `line` into `rest` with a number instead of each list of moves, from 0, and returns how many
/// there are. `take_list` is given what follows a list's name, and returns what follows the list.
fn replace_moves<'a>(
    line: &'a [u8],
    rest: &mut Vec<u8>,
    mut take_list: impl FnMut(&'a [u8]) -> Option<&'a [u8]>,
) -> Option<usize> {
    rest.clear();
    let mut left = std::str::from_utf8(line).ok()?.as_bytes();
    let mut lists = 0;
    while let Some(at) = MOVES.find(left) {
        let (before, list) = left.split_at(at + MOVES.needle().len());
        rest.extend(before);
        rest.extend(format!(":{lists}").bytes());
        lists += 1;
        left = take_list(list)?;
    }
    rest.extend(left);
    Some(lists)
}

/// What is left of a text.
struct Written<'a>(&'a [u8]);

impl<'a> Written<'a> {
    /// Passes over `text` if it comes next; true if it did. With its length in its type it is
    /// compared without a call.
    fn skip<const LENGTH: usize>(&mut self, text: &[u8; LENGTH]) -> bool {
        let split = self.0.split_first_chunk().filter(|(first, _)| *first == text);
        split.map(|(_, left)| self.0 = left).is_some()
    }

    fn expect<const LENGTH: usize>(&mut self, text: &[u8; LENGTH]) -> Option<()> {
        self.skip(text).then_some(())
    }

    fn light_move(&mut self) -> Option<LightMove> {
        self.expect(br#"{"bot":"#)?;
        let bot = Seat::try_from(self.digit()?).ok()?;
        self.expect(br#","move":"#)?;
        let house = House::new(self.digit()?)?;
        let has_direction = self.skip(br#","direction":"#);
        let direction = if has_direction { Some(self.json()?) } else { None };
        self.expect(br#","ms":"#)?;
        let time = Duration::from_micros(self.micros()?);
        let fresh = self.skip(br#","fresh":true"#);
        if self.skip(br#","info":"#) {
            self.json::<IgnoredAny>()?;
        }
        let has_substitute = self.skip(br#","substitute":"#);
        let substitute = if has_substitute { Some(self.json()?) } else { None };
        let value = if self.skip(br#","value":"#) { Some(self.integer()?) } else { None };
        let loss = if self.skip(br#","loss":"#) { Some(self.integer()?) } else { None };
        self.expect(b"}")?;
        Some(LightMove { bot, house, direction, time, fresh, substitute, value, loss })
    }

    /// Any JSON.
    fn json<T: Deserialize<'a>>(&mut self) -> Option<T> {
        let mut values = serde_json::Deserializer::from_slice(self.0).into_iter();
        let value = values.next()?.ok()?;
        self.0 = &self.0[values.byte_offset()..];
        Some(value)
    }

    fn integer(&mut self) -> Option<i16> {
        let is_negative = self.skip(b"-");
        let number = i16::try_from(self.number()?).ok()?;
        // JSON's -0 is not an integer.
        (number != 0 || !is_negative).then_some(if is_negative { -number } else { number })
    }

    /// A number that has one digit in every line of this program.
    fn digit(&mut self) -> Option<u8> {
        let (digit, left) = self.0.split_first()?;
        self.0 = left;
        digit.is_ascii_digit().then(|| digit - b'0')
    }

    /// Digits that any reader takes for the same number.
    fn number(&mut self) -> Option<u64> {
        let starts_with_zero = self.0.first() == Some(&b'0');
        let (number, digits) = self.digits()?;
        (digits == 1 || !starts_with_zero).then_some(number)
    }

    /// Milliseconds with at most three decimals, in microseconds.
    fn micros(&mut self) -> Option<u64> {
        let whole = 1000 * self.number()?;
        if !self.skip(b".") {
            return Some(whole);
        }
        let (decimals, digits) = self.digits()?;
        Some(whole + decimals * [100, 10, 1].get(digits - 1)?)
    }

    /// A number, and of how many digits it is: at least one, and few enough for a time that any
    /// record may have.
    fn digits(&mut self) -> Option<(u64, usize)> {
        let (mut number, mut digits) = (0, 0);
        while let Some((digit, left)) = self.0.split_first()
            && digit.is_ascii_digit()
            && digits < 9
        {
            number = 10 * number + u64::from(digit - b'0');
            digits += 1;
            self.0 = left;
        }
        (digits > 0).then_some((number, digits))
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// The list as it is read by a few comparisons.
    fn taken(list: &str) -> Option<Vec<LightMove>> {
        let (mut rounds, mut rest) = (Vec::new(), Vec::new());
        take_moves(line_with(list).as_bytes(), &mut rounds, &mut rest)?;
        assert_eq!(rest, line_with("0").as_bytes());
        rounds.pop()
    }

    fn is_left_out(list: &str) -> bool {
        let mut rest = Vec::new();
        let is_left_out = leave_out_moves(line_with(list).as_bytes(), &mut rest).is_some();
        assert!(!is_left_out || rest == line_with("0").as_bytes(), "{list}");
        is_left_out
    }

    fn line_with(list: &str) -> String {
        format!(r#"{{"x":"\"moves\"","moves":{list},"result":1}}"#)
    }

    proptest! {
        /// Against a parser for any JSON: what is taken is what it reads.
        #[test]
        fn moves_are_what_a_parser_for_any_json_reads(
            bot in "[01]|2|00",
            house in "[0-6]|-1|05",
            direction in "|,\"direction\":\"(for|back)ward\"",
            ms in "[0-9]{1,8}|[0-9]{1,9}\\.[0-9]{0,4}|[0-9]e[0-9]|-0",
            fresh in "|,\"fresh\":(true|false)",
            info in "|,\"info\":(null|[0-9]|\"[a-z\\]]\"|\\{\"moves\":\\[[0-9],\"}\"\\]\\})",
            substitute in "|,\"substitute\":(null|\\{\"kind\":\"(timeout|crash|none)\",\"detail\":\"]\"\\})",
            value in "|,\"value\":-?[0-9]{1,6}|,\"value\":(null|0.5)",
            end in "|,\"loss\":-?[0-9]{1,2}|,\"x\":(1|\"]\"|\"\\\\\"],\"|\\[1\\])| ",
        ) {
            let one = format!(r#"{{"bot":{bot},"move":{house}{direction},"ms":{ms}{fresh}{info}{substitute}{value}{end}}}"#);
            let list = format!(r#"[{one},{{"bot":0,"move":1,"ms":0.5}}]"#);
            let read = serde_json::from_str::<Vec<LightMove>>(&list).ok();
            let found = taken(&list);
            prop_assert!(found.is_none() || found == read, "{list}: {found:?}, {read:?}");
            let is_plain = |moves: &Vec<LightMove>| moves.iter().all(|it| it.substitute.is_none());
            prop_assert!(!is_left_out(&list) || read.is_none_or(|moves| is_plain(&moves)), "{list}");
        }
    }

    #[test]
    fn what_this_program_writes_is_taken() {
        let list = r#"[{"bot":0,"move":5,"ms":4.1,"fresh":true},{"bot":1,"move":2,"direction":"backward","ms":0.054,"info":{"a":["}]"]},"substitute":{"kind":"timeout","detail":"it is late"},"value":-12,"loss":0},{"bot":1,"move":0,"ms":1000.0}]"#;
        let read: Vec<LightMove> = serde_json::from_str(list).unwrap();
        assert_eq!(taken(list), Some(read));
        assert_eq!(taken("[]"), Some(Vec::new()));
        assert!(!is_left_out(list) && is_left_out("[]"));
        assert!(is_left_out(r#"[{"bot":0,"move":5,"direction":"forward","ms":4.1,"fresh":true}]"#));
        assert_eq!(taken("7"), None);
        assert_eq!(taken(r#"[{"bot":0,"move":1,"ms":1}"#), None);
    }
}
