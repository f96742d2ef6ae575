//! JSON as texts of any shape: deep and wide, with odd numbers, keys that stand twice, escapes,
//! and blanks and marks where none should be.

use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::select;

/// Any value, mostly well-formed.
pub fn value() -> impl Strategy<Value = String> {
    let leaf = prop_oneof![
        4 => number(),
        3 => string(),
        2 => select(&["null", "true", "false", "[]", "{}"][..]).prop_map(str::to_owned),
        1 => select(ODD).prop_map(str::to_owned),
    ];
    let tree = leaf.prop_recursive(5, 30, 5, |inner| {
        prop_oneof![
            4 => vec(inner.clone(), 0..5).prop_map(|items| format!("[{}]", items.join(","))),
            4 => vec((key(), inner.clone()), 0..5).prop_map(|fields| object(&fields)),
            1 => (blank(), inner, blank()).prop_map(|(a, value, b)| format!("{a}{value}{b}")),
        ]
    });
    prop_oneof![9 => tree, 1 => deep()]
}

/// An object of these fields, in that order.
pub fn object(fields: &[(String, String)]) -> String {
    let fields: Vec<String> = fields.iter().map(|(key, value)| format!("{key}:{value}")).collect();
    format!("{{{}}}", fields.join(","))
}

/// Words that are not JSON, or JSON that hardly anything expects.
pub const ODD: &[&str] = &[
    "",
    " ",
    "NaN",
    "Infinity",
    "-Infinity",
    "nul",
    "True",
    "None",
    "undefined",
    "'0'",
    "0x3",
    "03",
    "+3",
    ".5",
    "5.",
    "1e",
    "--1",
    "[1,]",
    "{\"a\":1,}",
    "{\"a\"}",
    "[",
    "}",
    "\"",
    "\"\\ud800\"",
    "\"\\x41\"",
    "\"\u{1}\"",
    "/**/3",
    "\u{feff}3",
    "3\u{feff}",
    "\u{a0}3",
    "3\u{0}",
    "[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[",
];

/// Numbers near every border that a reader may have.
pub fn number() -> impl Strategy<Value = String> {
    prop_oneof![
        4 => (0_u8..6).prop_map(|house| house.to_string()),
        3 => select(NUMBERS).prop_map(str::to_owned),
        2 => any::<i64>().prop_map(|number| number.to_string()),
        2 => any::<f64>().prop_map(|number| format!("{number:e}")),
        2 => "-?(0|[1-9][0-9]{0,25})",
        2 => "-?(0|[1-9][0-9]{0,20})(\\.[0-9]{1,20})?([eE][+-]?[0-9]{1,3})?",
    ]
}

pub const NUMBERS: &[&str] = &[
    "-0",
    "-0.0",
    "0.0",
    "3.0",
    "3e0",
    "30e-1",
    "0e99999",
    "5.0000000000000000000000000000001",
    "-1",
    "6",
    "255",
    "256",
    "260",
    "65536",
    "4294967295",
    "4294967296",
    "4294967299",
    "9007199254740993",
    "8999999999999999999",
    "9223372036854775807",
    "9223372036854775808",
    "-9223372036854775808",
    "-9223372036854775809",
    "18446744073709551615",
    "18446744073709551616",
    "18446744073709551619",
    "99999999999999999999999999",
    "1e19",
    "1e308",
    "1.7976931348623157e308",
    "1e309",
    "-1e309",
    "1e999999999999999999999",
    "1e-999999999999999999999",
    "5e-324",
    "2.2250738585072011e-308",
    "0.1",
    "1e23",
];

/// Text in quotes, with escapes of every kind.
fn string() -> impl Strategy<Value = String> {
    let piece = prop_oneof![
        4 => "[ -!#-\\[\\]-~]{0,8}",
        1 => select(&["forward", "backward", "either", "left"][..]).prop_map(str::to_owned),
        2 => select(
            &[
                "\\n", "\\\"", "\\\\", "\\/", "\\u0000", "\\u001b[2J", "\\u202e", "\\ud83c\\udfb2",
                "\\uD83C", "\\udfb2", "\\u12", "\\q", "\t", "\u{7f}", "\u{9b}31m", "\u{202e}",
                "\u{feff}", "\u{e0041}", "播", "é",
            ][..]
        )
        .prop_map(str::to_owned),
        1 => "\\PC{0,4}",
    ];
    vec(piece, 0..4).prop_map(|pieces| format!("\"{}\"", pieces.concat()))
}

/// A key that means something, one written in another way, or any.
pub fn key() -> impl Strategy<Value = String> {
    prop_oneof![
        4 => select(
            &[
                "\"move\"", "\"direction\"", "\"info\"", "\"a\"", "\"mo\\u0076e\"", "\"Move\"",
                "\"\\u0061\"", "\"\"",
            ][..]
        )
        .prop_map(str::to_owned),
        1 => string(),
    ]
}

/// What may stand between values, and some of what may not.
pub fn blank() -> impl Strategy<Value = String> {
    prop_oneof![
        6 => Just(String::new()),
        3 => "[ \t\r]{0,3}",
        1 => select(&["\n", "\u{a0}", "\u{feff}", "\u{2028}", "\u{b}", "//", "\0"][..])
            .prop_map(str::to_owned),
    ]
}

/// Values inside of each other, most of them near the deepest that is allowed.
fn deep() -> impl Strategy<Value = String> {
    let depth = prop_oneof![3 => 120_usize..135, 1 => 0_usize..3000];
    (depth, any::<u64>(), any::<bool>()).prop_map(|(depth, objects, is_closed)| {
        let is_object = |level: usize| objects >> (level % 64) & 1 == 1;
        let open = (0..depth).map(|level| if is_object(level) { "{\"a\":" } else { "[" });
        let close = (0..depth).rev().map(|level| if is_object(level) { "}" } else { "]" });
        let close = close.take(if is_closed { depth } else { depth / 2 });
        open.chain(["0"]).chain(close).collect()
    })
}
