//! JSON with values that no record can hold: numbers beyond 64-bit floats, and halves of surrogate
//! pairs, such as `"\ud800"`, which Python's `json.dumps` writes for an undecodable file name.

use serde_json::value::RawValue;

/// The same JSON with other values in place of those that cannot be held. `None` if it is not JSON or
/// has no such value.
pub(super) fn storable_json(json: &str) -> Option<String> {
    // The parser knows the grammar, and looks at no value.
    serde_json::from_str::<&RawValue>(json).ok()?;
    let held = with_smaller_numbers(&with_whole_pairs(json));
    (held != json).then_some(held)
}

/// Puts a character for private use in place of each half of a pair: keys that differ still do.
fn with_whole_pairs(json: &str) -> String {
    let unit = |text: &str| {
        let digits = text.strip_prefix("\\u")?.get(..4)?;
        u16::from_str_radix(digits, 16).ok()
    };
    let mut whole = String::with_capacity(json.len());
    let mut rest = json;
    while let Some(at) = rest.find('\\') {
        let (before, escape) = rest.split_at(at);
        whole.push_str(before);
        let (first, second) = (unit(escape), escape.get(6..).and_then(unit));
        let length = match (first, second) {
            (None, _) => 2,
            (Some(0xd800..0xdc00), Some(0xdc00..0xe000)) => 12,
            _ => 6,
        };
        let (escape, after) = escape.split_at_checked(length).unwrap_or((escape, ""));
        match first.filter(|half| length == 6 && (0xd800..0xe000).contains(half)) {
            Some(half) => whole.extend(char::from_u32(0xf_0000 + u32::from(half))),
            None => whole.push_str(escape),
        }
        rest = after;
    }
    whole + rest
}

/// Makes `1e308` of each number beyond 64-bit floats.
fn with_smaller_numbers(json: &str) -> String {
    let mut smaller = String::with_capacity(json.len());
    let mut rest = json;
    while let Some(first) = rest.bytes().next() {
        let is_in_number = |byte: u8| byte.is_ascii_alphanumeric() || b"+-.".contains(&byte);
        let length = match first {
            b'"' => string_length(rest),
            _ if is_in_number(first) => {
                rest.bytes().position(|byte| !is_in_number(byte)).unwrap_or(rest.len())
            }
            _ => 1,
        };
        let (token, after) = rest.split_at_checked(length).unwrap_or((rest, ""));
        let is_number = first == b'-' || first.is_ascii_digit();
        if is_number && token.parse::<f64>().is_ok_and(f64::is_infinite) {
            smaller.push_str("1e308");
        } else {
            smaller.push_str(token);
        }
        rest = after;
    }
    smaller
}

/// The length of the string that this JSON begins with, its quotes included.
fn string_length(json: &str) -> usize {
    let mut is_escaped = false;
    let is_end = |byte: u8| {
        let is_end = byte == b'"' && !is_escaped;
        is_escaped = byte == b'\\' && !is_escaped;
        is_end
    };
    json.bytes().skip(1).position(is_end).map_or(json.len(), |at| at + 2)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_values_that_cannot_be_held_change() {
        for (json, held) in [
            (
                r#"{"a":1e999,"b":[-1E+400, 1e-999,1e308]}"#,
                r#"{"a":1e308,"b":[1e308, 1e-999,1e308]}"#,
            ),
            (
                r#"["\ud800","\uDFFF\ud83c\udfb2é","1e999"]"#,
                "[\"\u{fd800}\",\"\u{fdfff}\\ud83c\\udfb2é\",\"1e999\"]",
            ),
            (r#"{"\ud800\\":"\"1e999"}"#, "{\"\u{fd800}\\\\\":\"\\\"1e999\"}"),
        ] {
            assert_eq!(storable_json(json).as_deref(), Some(held));
        }
        for json in ["1e9", r#"["\\ud800","\ud83c\udfb2"]"#, "01e999", "[1e999", "\"\\ud80\"", "é"]
        {
            assert_eq!(storable_json(json), None, "{json}");
        }
    }
}
