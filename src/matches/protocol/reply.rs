//! What a bot answers: a house, or an object with the house in it.

use std::fmt;

use serde::de::{Error as _, MapAccess, SeqAccess, Visitor};
use serde::{Deserialize, Deserializer};
use serde_json::{Map, Number, Value};

use super::storable_json::storable_json;
use super::{AdapterReport, Cause, CauseCode, Info};
use crate::rules::{Direction, House};

/// The largest answer in bytes, its newline not counted.
pub(crate) const MAX_REPLY: usize = 64 * 1024;

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

/// Why a line is not an answer; boxed, for it is larger than an answer.
pub(crate) type BadReply = Box<Cause>;

impl Reply {
    /// Reads one line, without its newline.
    ///
    /// # Errors
    ///
    /// When the line is anything but a house 0 to 5, or an object with one as its `move`.
    pub fn parse(line: &[u8]) -> Result<Reply, BadReply> {
        let json = std::str::from_utf8(line).map_err(|_| bad(CauseCode::NotUtf8))?;
        if json.trim().is_empty() {
            return Err(bad(CauseCode::EmptyLine));
        }
        let parsed = serde_json::from_str(json);
        // A value that no record can hold costs the bot its `info`, and not its move.
        let held = parsed.as_ref().err().and_then(|_| storable_json(json));
        match held.as_ref().map_or(parsed, |held| serde_json::from_str(held)) {
            Ok(StrictValue(Value::Number(number))) => reply_of(&number, None, None),
            Ok(StrictValue(Value::Object(mut fields))) => {
                let adapter = fields.get("info").and_then(AdapterReport::in_value);
                let reply = object_reply(&mut fields);
                let reply = reply.map_err(|cause| Box::new(Cause { adapter, ..*cause }))?;
                Ok(Reply { info: reply.info.filter(|_| held.is_none()), ..reply })
            }
            Ok(StrictValue(Value::Null)) => Err(bad(CauseCode::NoValue)),
            Ok(_) => Err(bad(CauseCode::NotAMove)),
            Err(error) => Err(bad(defect(&error, json))),
        }
    }
}

fn bad(code: CauseCode) -> BadReply {
    Box::new(code.into())
}

fn object_reply(fields: &mut Map<String, Value>) -> Result<Reply, BadReply> {
    let direction = match fields.remove("direction") {
        None => None,
        Some(Value::String(word)) => {
            Some(word.parse().map_err(|_| bad(CauseCode::UnknownDirection))?)
        }
        Some(_) => return Err(bad(CauseCode::DirectionNotText)),
    };
    match fields.remove("move") {
        Some(Value::Number(number)) => reply_of(&number, direction, fields.get("info")),
        Some(_) => Err(bad(CauseCode::MoveNotANumber)),
        None => Err(bad(CauseCode::NoMove)),
    }
}

fn reply_of(
    number: &Number,
    direction: Option<Direction>,
    info: Option<&Value>,
) -> Result<Reply, BadReply> {
    let cell = number.as_u64().and_then(|cell| u8::try_from(cell).ok());
    if let Some(house) = cell.and_then(House::new) {
        let info = info.map(Info::from_value).transpose().map_err(|_| bad(CauseCode::NotJson))?;
        return Ok(Reply { house, direction, info });
    }
    // A whole number beyond 64 bits is read as a float; it is still a number of no house.
    let whole = number.is_u64()
        || number.is_i64()
        || number.as_f64().is_some_and(|float| float.abs() >= 9.0e18);
    let code = if whole { CauseCode::NoSuchHouse } else { CauseCode::NotWhole };
    Err(Box::new(Cause { value: number.as_i64(), ..code.into() }))
}

fn defect(error: &serde_json::Error, json: &str) -> CauseCode {
    let message = error.to_string();
    if message.starts_with(DUPLICATE_KEY) {
        CauseCode::DuplicateKey
    } else if message.starts_with("recursion limit") {
        CauseCode::TooDeep
    } else if NO_VALUE.contains(&json.trim()) {
        CauseCode::NoValue
    } else if is_house_and_more(json) {
        CauseCode::MoreThanANumber
    } else if error.is_eof() {
        CauseCode::IncompleteJson
    } else if is_shown_object(json) {
        CauseCode::ShownObject
    } else {
        CauseCode::NotJson
    }
}

/// What languages print for a function that returned nothing; JSON itself knows `null`.
const NO_VALUE: [&str; 4] = ["None", "undefined", "nil", "NaN"];

/// Whether text that is not JSON has no letters, and a house comes first of one or two numbers: `0;`,
/// `> 0`, `5 0`, or `0` in colour. More numbers may be a board that is printed.
fn is_house_and_more(text: &str) -> bool {
    // The letter that ends a colour is not text.
    let plain = text.split("\u{1b}[").enumerate().map(|(number, part)| match number {
        0 => part,
        _ => {
            part.trim_start_matches(|c: char| c.is_ascii_digit() || c == ';').get(1..).unwrap_or("")
        }
    });
    let plain: Vec<&str> = plain.collect();
    if plain.iter().any(|part| part.contains(char::is_alphabetic)) {
        return false;
    }
    let numbers = plain.iter().flat_map(|part| part.split(|c: char| !c.is_ascii_digit()));
    let mut numbers = numbers.filter(|number| !number.is_empty());
    let first = numbers.next().and_then(|number| number.parse().ok());
    first.and_then(House::new).is_some() && numbers.count() <= 1
}

/// Whether text that is not JSON looks like an object as Python or JavaScript shows it:
/// `{'move': 3}`.
fn is_shown_object(text: &str) -> bool {
    let inside = text.trim().strip_prefix('{').and_then(|text| text.strip_suffix('}'));
    inside.is_some_and(|inside| {
        let key = inside.trim_start();
        let key = key.strip_prefix('\'').unwrap_or(key);
        ["move", "info", "direction"].iter().any(|field| key.starts_with(field))
    })
}

const DUPLICATE_KEY: &str = "duplicate key";

/// Any JSON value in which no object has a key twice. Its depth is bounded by the parser.
struct StrictValue(Value);

impl<'de> Deserialize<'de> for StrictValue {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<StrictValue, D::Error> {
        deserializer.deserialize_any(StrictVisitor).map(StrictValue)
    }
}

struct StrictVisitor;

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
        while let Some(StrictValue(value)) = items.next_element()? {
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
            let StrictValue(value) = entries.next_value()?;
            values.insert(key, value);
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
        // No record could hold what these say beside the move.
        for info in ["1e999", r#""\ud800""#, r#"[{"\udfff":-1E+400}]"#] {
            let line = format!(r#"{{"info":{info},"move":0}}"#);
            assert_eq!(Reply::parse(line.as_bytes()), Ok(house(0)), "{line}");
        }
    }

    #[test]
    fn a_whole_number_of_no_house_differs_from_what_is_not_a_move() {
        for (line, value) in [
            ("6", Some(6)),
            ("-1", Some(-1)),
            ("256", Some(256)),
            ("99999999999999999999999", None),
            ("1e999", None),
            ("{\"move\":7}", Some(7)),
        ] {
            let cause = Reply::parse(line.as_bytes()).unwrap_err();
            assert_eq!((cause.code, cause.value), (CauseCode::NoSuchHouse, value), "{line}");
        }
        for (line, code) in [
            ("", CauseCode::EmptyLine),
            ("  ", CauseCode::EmptyLine),
            ("hello", CauseCode::NotJson),
            ("3 4", CauseCode::MoreThanANumber),
            ("5,0", CauseCode::MoreThanANumber),
            ("3 -12", CauseCode::MoreThanANumber),
            ("7 3", CauseCode::NotJson),
            ("4 4 4 4 4 4 0", CauseCode::NotJson),
            ("3;", CauseCode::MoreThanANumber),
            ("3,", CauseCode::MoreThanANumber),
            ("3]", CauseCode::MoreThanANumber),
            ("[3", CauseCode::MoreThanANumber),
            ("3 3", CauseCode::MoreThanANumber),
            ("> 3", CauseCode::MoreThanANumber),
            ("\u{1b}[1;32m3\u{1b}[0m", CauseCode::MoreThanANumber),
            ("03", CauseCode::MoreThanANumber),
            ("+3", CauseCode::MoreThanANumber),
            ("\u{feff}3", CauseCode::MoreThanANumber),
            ("6;", CauseCode::NotJson),
            ("\u{1b}[32m", CauseCode::NotJson),
            ("\u{1b}[é3", CauseCode::NotJson),
            ("3 seeds", CauseCode::NotJson),
            ("None", CauseCode::NoValue),
            ("undefined\r", CauseCode::NoValue),
            ("nil", CauseCode::NoValue),
            ("NaN", CauseCode::NoValue),
            ("null", CauseCode::NoValue),
            ("None of these", CauseCode::NotJson),
            ("3.0", CauseCode::NotWhole),
            ("1e0", CauseCode::NotWhole),
            ("move 3", CauseCode::NotJson),
            ("{3}", CauseCode::MoreThanANumber),
            ("I got {move: 3}", CauseCode::NotJson),
            ("{'move': 3}\r", CauseCode::ShownObject),
            ("{ move: 3 }", CauseCode::ShownObject),
            ("{info: {}, move: 3}", CauseCode::ShownObject),
            ("{\"move\":3", CauseCode::IncompleteJson),
            ("\"3\"", CauseCode::NotAMove),
            ("[3]", CauseCode::NotAMove),
            ("true", CauseCode::NotAMove),
            ("{}", CauseCode::NoMove),
            ("{\"Move\":3}", CauseCode::NoMove),
            ("{\"move\":\"3\"}", CauseCode::MoveNotANumber),
            ("{\"move\":3.5}", CauseCode::NotWhole),
            ("{\"move\":3,\"move\":4}", CauseCode::DuplicateKey),
            ("{\"move\":3,\"info\":{\"a\":1,\"a\":2}}", CauseCode::DuplicateKey),
            ("{\"move\":3,\"info\":[{\"a\":1e999,\"a\":2}]}", CauseCode::DuplicateKey),
            ("{\"move\":3,\"direction\":\"left\"}", CauseCode::UnknownDirection),
            ("{\"move\":3,\"direction\":null}", CauseCode::DirectionNotText),
        ] {
            assert_eq!(Reply::parse(line.as_bytes()).unwrap_err().code, code, "{line:?}");
        }
    }

    #[test]
    fn depth_and_bytes_of_any_kind_are_refused() {
        for open in ["[", "{\"a\":", "{\"move\":3,\"info\":["] {
            let deep = Reply::parse(open.repeat(60_000 / open.len()).as_bytes());
            assert_eq!(deep.unwrap_err().code, CauseCode::TooDeep);
        }
        assert_eq!(Reply::parse(b"\xff\x1b[2J3").unwrap_err().code, CauseCode::NotUtf8);
    }

    #[test]
    fn a_refused_answer_keeps_what_an_adapter_says() {
        let line = r#"{"move":6,"info":{"adapter":{"code":"no_bin","words":"f returned bin 0"}}}"#;
        let cause = Reply::parse(line.as_bytes()).unwrap_err();
        assert_eq!((cause.code, cause.value), (CauseCode::NoSuchHouse, Some(6)));
        assert_eq!(cause.in_words("x"), "f returned bin 0");
    }
}
