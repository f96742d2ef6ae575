//! What a bot answers: a house, or an object with the house in it.

use std::fmt;

use serde::de::{DeserializeSeed, Error as _, MapAccess, SeqAccess, Visitor};
use serde::{Deserialize, Deserializer};
use serde_json::{Map, Number, Value};

use super::Info;
use crate::rules::{Direction, House};
use crate::text;

/// A well-formed answer to a turn; whether it is legal is for the referee to say.
#[derive(Clone, Debug, PartialEq)]
pub struct Reply {
    /// The house to sow from.
    pub house: House,
    /// The direction, where the bot named one.
    pub direction: Option<Direction>,
    /// What else it said.
    pub info: Option<Info>,
}

/// A line that is no answer. The text says what was wrong with it and quotes it, printable and
/// cut to [`text::QUOTED_CHARACTERS`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum BadReply {
    /// A whole number, but not of a house: the fault `illegal_move`.
    NoSuchHouse(String),
    /// Not a move at all: the fault `invalid_reply`.
    NotAMove(String),
}

impl fmt::Display for BadReply {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            BadReply::NoSuchHouse(detail) | BadReply::NotAMove(detail) => f.write_str(detail),
        }
    }
}

impl Reply {
    /// Reads one line, without its newline.
    ///
    /// # Errors
    ///
    /// When the line is anything but a house 0 to 5, or an object with one as its `move`.
    pub fn parse(line: &[u8]) -> Result<Reply, BadReply> {
        if let [digit @ b'0'..=b'9'] = line {
            return reply_of(&Number::from(digit - b'0'), None, None, line);
        }
        let not_a_move = |why: &str| {
            BadReply::NotAMove(format!(
                "{why}; expected a house 0 to 5 or {{\"move\":…}}, got {}",
                shown(line)
            ))
        };
        let json = std::str::from_utf8(line).map_err(|_| not_a_move("not UTF-8"))?;
        if json.trim().is_empty() {
            return Err(not_a_move("an empty line"));
        }
        match serde_json::from_str::<StrictValue>(json) {
            Ok(StrictValue(Value::Number(number))) => reply_of(&number, None, None, line),
            Ok(StrictValue(Value::Object(fields))) => object_reply(fields, line, not_a_move),
            Ok(_) => Err(not_a_move("neither a number nor an object")),
            Err(error) => Err(not_a_move(trouble(&error))),
        }
    }
}

fn object_reply(
    mut fields: Map<String, Value>,
    line: &[u8],
    not_a_move: impl Fn(&str) -> BadReply,
) -> Result<Reply, BadReply> {
    let direction = match fields.remove("direction") {
        None => None,
        Some(Value::String(word)) => {
            Some(word.parse().map_err(|_| not_a_move("no such direction"))?)
        }
        Some(_) => return Err(not_a_move("\"direction\" is not a string")),
    };
    let info = fields
        .remove("info")
        .map(|info| Info::from_value(&info).map_err(|_| not_a_move("\"info\" is not JSON")))
        .transpose()?;
    match fields.remove("move") {
        Some(Value::Number(number)) => reply_of(&number, direction, info, line),
        Some(_) => Err(not_a_move("\"move\" is not a number")),
        None => Err(not_a_move("no \"move\" in it")),
    }
}

fn reply_of(
    number: &Number,
    direction: Option<Direction>,
    info: Option<Info>,
    line: &[u8],
) -> Result<Reply, BadReply> {
    let cell = number.as_u64().and_then(|cell| u8::try_from(cell).ok());
    if let Some(house) = cell.and_then(House::new) {
        return Ok(Reply { house, direction, info });
    }
    // A whole number beyond 64 bits is read as a float; it is still a number of no house.
    let whole = number.is_u64()
        || number.is_i64()
        || number.as_f64().is_some_and(|float| float.abs() >= 9.0e18);
    if whole {
        Err(BadReply::NoSuchHouse(format!("there is no house {}; houses are 0 to 5", shown(line))))
    } else {
        Err(BadReply::NotAMove(format!(
            "not a whole number; expected a house 0 to 5 or {{\"move\":…}}, got {}",
            shown(line)
        )))
    }
}

fn shown(line: &[u8]) -> String {
    text::quoted(line.strip_suffix(b"\r").unwrap_or(line))
}

/// The reason in our own words: a JSON error's text may quote the input.
fn trouble(error: &serde_json::Error) -> &'static str {
    let message = error.to_string();
    if message.starts_with(DUPLICATE_KEY) {
        "a key stands twice in it"
    } else if message.starts_with("recursion limit") {
        "too deep"
    } else if error.is_eof() {
        "incomplete JSON"
    } else {
        "not JSON"
    }
}

const DUPLICATE_KEY: &str = "duplicate key";

/// Any JSON value in which no object has a key twice. Its depth is bounded by the parser.
struct StrictValue(Value);

impl<'de> Deserialize<'de> for StrictValue {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<StrictValue, D::Error> {
        StrictVisitor.deserialize(deserializer).map(StrictValue)
    }
}

#[derive(Clone, Copy)]
struct StrictVisitor;

impl<'de> DeserializeSeed<'de> for StrictVisitor {
    type Value = Value;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Value, D::Error> {
        deserializer.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for StrictVisitor {
    type Value = Value;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("any JSON value")
    }

    fn visit_unit<E>(self) -> Result<Value, E> {
        Ok(Value::Null)
    }

    fn visit_bool<E>(self, value: bool) -> Result<Value, E> {
        Ok(Value::Bool(value))
    }

    fn visit_i64<E>(self, value: i64) -> Result<Value, E> {
        Ok(Value::from(value))
    }

    fn visit_u64<E>(self, value: u64) -> Result<Value, E> {
        Ok(Value::from(value))
    }

    fn visit_f64<E>(self, value: f64) -> Result<Value, E> {
        Ok(Value::from(value))
    }

    fn visit_str<E>(self, value: &str) -> Result<Value, E> {
        Ok(Value::from(value))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut items: A) -> Result<Value, A::Error> {
        let mut values = Vec::new();
        while let Some(value) = items.next_element_seed(self)? {
            values.push(value);
        }
        Ok(Value::Array(values))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut entries: A) -> Result<Value, A::Error> {
        let mut values = Map::new();
        while let Some(key) = entries.next_key::<String>()? {
            if values.contains_key(&key) {
                return Err(A::Error::custom(DUPLICATE_KEY));
            }
            values.insert(key, entries.next_value_seed(self)?);
        }
        Ok(Value::Object(values))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn house(cell: u8) -> Reply {
        Reply { house: House::new(cell).unwrap(), direction: None, info: None }
    }

    #[test]
    fn a_number_or_an_object_is_a_move() {
        assert_eq!(Reply::parse(b"3"), Ok(house(3)));
        assert_eq!(Reply::parse(b" 3 \r"), Ok(house(3)));
        assert_eq!(Reply::parse(br#"{"move":3}"#), Ok(house(3)));
        assert_eq!(Reply::parse(br#"{"x":[],"move":0,"y":null}"#), Ok(house(0)));
        let reply = Reply::parse(br#"{"info":{"depth":9},"direction":"backward","move":5}"#);
        let reply = reply.unwrap();
        assert_eq!(reply.direction, Some(Direction::Backward));
        assert_eq!(reply.info.unwrap().json(), r#"{"depth":9}"#);
    }

    #[test]
    fn a_whole_number_of_no_house_is_told_apart_from_what_is_no_move() {
        for line in ["6", "-1", "255", "256", "99999999999999999999999", "{\"move\":7}"] {
            let reply = Reply::parse(line.as_bytes());
            assert!(matches!(&reply, Err(BadReply::NoSuchHouse(why)) if why.contains(line)));
        }
        for (line, why) in [
            ("", "an empty line"),
            ("  ", "an empty line"),
            ("hello", "not JSON"),
            ("3 4", "not JSON"),
            ("3;", "not JSON"),
            ("03", "not JSON"),
            ("+3", "not JSON"),
            ("NaN", "not JSON"),
            ("\u{feff}3", "not JSON"),
            ("3.0", "not a whole number"),
            ("1e0", "not a whole number"),
            ("1e999", "not JSON"),
            ("{\"move\":3", "incomplete JSON"),
            ("\"3\"", "neither a number nor an object"),
            ("[3]", "neither a number nor an object"),
            ("null", "neither a number nor an object"),
            ("true", "neither a number nor an object"),
            ("{}", "no \"move\" in it"),
            ("{\"Move\":3}", "no \"move\" in it"),
            ("{\"move\":\"3\"}", "\"move\" is not a number"),
            ("{\"move\":3.5}", "not a whole number"),
            ("{\"move\":3,\"move\":4}", "a key stands twice in it"),
            ("{\"move\":3,\"info\":{\"a\":1,\"a\":2}}", "a key stands twice in it"),
            ("{\"move\":3,\"direction\":\"left\"}", "no such direction"),
            ("{\"move\":3,\"direction\":null}", "\"direction\" is not a string"),
        ] {
            let reply = Reply::parse(line.as_bytes());
            assert!(
                matches!(&reply, Err(BadReply::NotAMove(text)) if text.starts_with(why)),
                "{line:?}: {reply:?}"
            );
        }
    }

    #[test]
    fn depth_size_and_bytes_of_any_kind_are_refused_in_words() {
        for open in ["[", "{\"a\":", "{\"move\":3,\"info\":["] {
            let deep = Reply::parse(open.repeat(60_000 / open.len()).as_bytes());
            let Err(BadReply::NotAMove(why)) = deep else { panic!("{deep:?}") };
            assert!(why.starts_with("too deep"), "{why}");
            assert!(why.len() < 400);
        }
        let Err(BadReply::NotAMove(why)) = Reply::parse(b"\xff\x1b[2J3") else { panic!() };
        assert!(why.starts_with("not UTF-8"));
        assert!(why.ends_with(r"got \xff\u{1b}[2J3"), "{why}");
    }
}
