//! Adds `value` and `loss` to the moves in a record's line and leaves all else as it is.

use std::borrow::Cow;
use std::fmt;

use serde::Deserialize;
use serde::de::{Deserializer as _, MapAccess, Visitor};
use serde_json::value::RawValue;

use super::judged::JudgedMatch;
use crate::solve::JudgedMove;

/// The line of a valid record with the known values and losses in its moves. Fields `value` and
/// `loss` from before are replaced. Bytes outside of the moves and all other fields stay the same.
///
/// # Errors
///
/// When the line is not the one that was judged.
pub(super) fn annotated(line: &[u8], judged: &JudgedMatch) -> Result<Vec<u8>, serde_json::Error> {
    let raw: RawMatch = serde_json::from_slice(line)?;
    let mut annotated = Vec::with_capacity(line.len() + line.len() / 2);
    let mut copied = 0;
    for (round, judged) in raw.rounds.iter().zip(judged) {
        for (played, judged) in round.moves.iter().zip(judged) {
            let text = played.get();
            // `text` is borrowed from `line`.
            let begin = text.as_ptr() as usize - line.as_ptr() as usize;
            annotated.extend_from_slice(&line[copied..begin]);
            write_move(&mut annotated, text, judged)?;
            copied = begin + text.len();
        }
    }
    annotated.extend_from_slice(&line[copied..]);
    Ok(annotated)
}

fn write_move(out: &mut Vec<u8>, text: &str, judged: &JudgedMove) -> Result<(), serde_json::Error> {
    let fields = fields_in_order(text)?;
    let kept = fields.iter().filter(|(name, _)| !matches!(&**name, "value" | "loss"));
    let mut separator = b'{';
    for (name, value) in kept {
        out.push(separator);
        serde_json::to_writer(&mut *out, name)?;
        out.push(b':');
        out.extend_from_slice(value.get().as_bytes());
        separator = b',';
    }
    for (name, number) in [("value", judged.value), ("loss", judged.loss)] {
        if let Some(number) = number {
            out.push(separator);
            out.extend_from_slice(format!("\"{name}\":{number}").as_bytes());
        }
    }
    out.push(b'}');
    Ok(())
}

#[derive(Deserialize)]
struct RawMatch<'a> {
    #[serde(borrow)]
    rounds: Vec<RawRound<'a>>,
}

#[derive(Deserialize)]
struct RawRound<'a> {
    #[serde(borrow)]
    moves: Vec<&'a RawValue>,
}

/// The fields of an object in their order, their values as text.
///
/// # Errors
///
/// When the text is not an object.
pub fn fields_in_order(json: &str) -> Result<Vec<(Cow<'_, str>, &RawValue)>, serde_json::Error> {
    /// The name of a field; a plain `Cow` would always be owned.
    #[derive(Deserialize)]
    struct FieldName<'a>(#[serde(borrow)] Cow<'a, str>);

    struct InOrder;

    impl<'de> Visitor<'de> for InOrder {
        type Value = Vec<(Cow<'de, str>, &'de RawValue)>;

        fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
            f.write_str("an object")
        }

        fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Self::Value, A::Error> {
            let mut fields = Vec::new();
            while let Some((FieldName(name), value)) = map.next_entry()? {
                fields.push((name, value));
            }
            Ok(fields)
        }
    }

    serde_json::Deserializer::from_str(json).deserialize_map(InOrder)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::Board;

    fn judged(value: Option<i16>, loss: Option<i16>) -> JudgedMove {
        JudgedMove { board: Board::from_cells([1; 14]).unwrap(), value, loss }
    }

    #[test]
    fn all_but_the_values_stays_as_it_is() {
        let line = br#"{ "a":[1, 2],"rounds":[{"moves":[{"bot":0, "x":"}\"\u00e9"},{"bot":1,"value":9,"info":{"value":7},"loss":5}]},{"moves":[{"bot":1}], "b" : 1e5}],"c":"]"}"#;
        let moves =
            vec![vec![judged(Some(-2), Some(0)), judged(Some(4), None)], vec![judged(None, None)]];
        let expected = r#"{ "a":[1, 2],"rounds":[{"moves":[{"bot":0,"x":"}\"\u00e9","value":-2,"loss":0},{"bot":1,"info":{"value":7},"value":4}]},{"moves":[{"bot":1}], "b" : 1e5}],"c":"]"}"#;
        let found = annotated(line, &moves).unwrap();
        assert_eq!(String::from_utf8(found.clone()).unwrap(), expected);
        assert_eq!(annotated(&found, &moves).unwrap(), found, "as often as it is done");
    }
}
