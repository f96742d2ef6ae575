//! For tests: texts that mean something to somebody, a parser of Markdown, and standings.

use markdown::mdast::Node;
use proptest::prelude::*;

use crate::standings::Standings;

/// Pieces of names that mean something to somebody.
const PIECES: [&str; 50] = [
    "<img src=x onerror=alert(1)>",
    "<script>",
    "</td>",
    "<!--",
    "<http://a.b>",
    "<a@b.cd>",
    "[a](javascript:alert(1))",
    "![i](http://a.b/c.png)",
    "[a]: /b",
    "[^1]",
    "[x]",
    "](",
    "http://a.b",
    "https://a.b/c",
    "HTTP://A.b",
    "www.a.b",
    "WWW.a.b",
    "ftp://a.b",
    "mailto:a@b.cd",
    "xmpp:a@b.cd",
    "a.b-c@d.ef",
    "|",
    "\\",
    "`",
    "```",
    "~~~",
    "~",
    "**",
    "*",
    "__",
    "_",
    "Ⓐ",
    "²",
    "☃",
    "é",
    "$",
    "$$",
    "&lt;",
    "&#60;",
    "# ",
    "- ",
    "1. ",
    "2) ",
    "+",
    "=",
    "-",
    "@",
    "'",
    "＝",
    "＠",
];

/// Names made of such pieces, of printable characters and of some that are not.
pub fn hostile_text() -> impl Strategy<Value = String> {
    let piece = prop_oneof![
        3 => prop::sample::select(&PIECES[..]).prop_map(str::to_owned),
        2 => "[ -~]{1,3}",
        1 => "\\PC{1,2}",
        1 => prop::sample::select(&["\t", "\r", "\n", "\x1b[2J", "  ", "\u{202e}"][..]).prop_map(str::to_owned),
    ];
    prop::collection::vec(piece, 1..6).prop_map(|pieces| pieces.concat())
}

/// The tree of a document.
///
/// # Panics
///
/// If it is no Markdown.
pub fn parsed(document: &str) -> Node {
    markdown::to_mdast(document, &markdown::ParseOptions::gfm()).unwrap()
}

/// Standings of `bots` bots that met each other 20 times.
///
/// # Panics
///
/// If there are fields that standings do not have.
pub fn standings(bots: usize, name: impl Fn(usize) -> String) -> Standings {
    let rounds = serde_json::json!({ "rounds": 440, "points": 219.5 });
    let row = |place: usize| {
        serde_json::json!({
            "rank": place + 1, "rank_low": 1, "rank_high": bots, "name": name(place),
            "matches": 440, "won": 200, "drawn": 40, "lost": 200, "points": 220.0,
            "first": rounds, "second": rounds, "seeds_for": 15_840, "seeds_against": 15_840,
            "faults": { "illegal_move": 12, "timeout": 3 }, "double_faults": 0,
            "median_ms": 1.25, "longest_ms": 950.125, "mean_ms": 12.5, "p95_ms": 100.0,
            "limit_share": 0.95, "rating": 12.0, "rating_low": -100.0, "rating_high": 124.0,
            "los": 0.5, "disqualified": null,
        })
    };
    let cell = serde_json::json!({
        "won": 9, "drawn": 3, "lost": 8, "seeds_for": 720, "seeds_against": 720
    });
    let cells = |row: usize| -> Vec<_> {
        (0..bots).map(|other| (other != row).then(|| cell.clone())).collect()
    };
    let crosstable: Vec<_> = (0..bots).map(cells).collect();
    serde_json::from_value(serde_json::json!({
        "format": "mancala-standings/1", "tournaments": [], "matches": 5060, "planned": 5060,
        "missing": 0, "unfinished": 0, "not_played": 0, "beyond": 0, "distinct_games": 900,
        "rows": (0..bots).map(row).collect::<Vec<_>>(), "crosstable": crosstable, "sprt": null,
    }))
    .unwrap()
}
