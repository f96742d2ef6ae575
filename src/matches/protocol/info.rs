//! What a bot says beside its move.

use std::fmt::Write as _;

use serde::de::Error as _;
use serde::{Deserialize, Deserializer, Serialize};
use serde_json::value::RawValue;

use crate::text;

/// Any JSON that came with a move, kept in the record. Numbers of an answer are kept as a 64-bit
/// integer or float holds them, and fields in the order of their names. The text has no blanks
/// between its parts and nothing unprintable in its strings, so that it is the same however often
/// it is written and read.
#[derive(Clone, Debug, Serialize)]
#[serde(transparent)]
pub struct Info(Box<RawValue>);

impl Info {
    /// The JSON text.
    pub fn json(&self) -> &str {
        self.0.get()
    }

    /// Makes the text of an `info` from any value that serialises.
    ///
    /// # Errors
    ///
    /// When the value is nothing that JSON can hold.
    pub fn from_value(value: &impl Serialize) -> serde_json::Result<Info> {
        serde_json::value::to_raw_value(value).and_then(Info::from_raw)
    }

    fn from_raw(raw: Box<RawValue>) -> serde_json::Result<Info> {
        let plain = plain(raw.get());
        if plain == raw.get() { Ok(Info(raw)) } else { RawValue::from_string(plain).map(Info) }
    }
}

impl<'de> Deserialize<'de> for Info {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Info, D::Error> {
        Info::from_raw(Box::deserialize(deserializer)?).map_err(D::Error::custom)
    }
}

impl PartialEq for Info {
    fn eq(&self, other: &Info) -> bool {
        self.json() == other.json()
    }
}

/// The same JSON without blanks between its parts and with escapes for what is unprintable.
fn plain(json: &str) -> String {
    let mut plain = String::with_capacity(json.len());
    let (mut in_string, mut is_escaped) = (false, false);
    for character in json.chars() {
        if !in_string && character.is_ascii_whitespace() {
            continue;
        }
        match character {
            _ if is_escaped => is_escaped = false,
            '"' => in_string = !in_string,
            '\\' => is_escaped = true,
            _ => {}
        }
        if text::is_unprintable(character) {
            for unit in character.encode_utf16(&mut [0; 2]) {
                let _ = write!(plain, "\\u{unit:04x}");
            }
        } else {
            plain.push(character);
        }
    }
    plain
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_text_has_nothing_that_acts_on_a_terminal_and_says_the_same() {
        let json = "{ \"a\\\" \u{7f}\" :\r[1,\t\"\u{e0041} \\\\\" , {} ] }";
        let info: Info = serde_json::from_str(json).unwrap();
        assert_eq!(info.json(), r#"{"a\" \u007f":[1,"\udb40\udc41 \\",{}]}"#);
        let value: serde_json::Value = serde_json::from_str(json).unwrap();
        assert_eq!(serde_json::from_str::<serde_json::Value>(info.json()).unwrap(), value);
        assert_eq!(Info::from_value(&value).unwrap(), info);
    }
}
