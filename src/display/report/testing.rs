//! For tests: texts that mean something to somebody, a parser of Markdown, and standings.

use markdown::mdast::Node;
use proptest::prelude::*;

use crate::protocol::FaultKind;
use crate::standings::{
    Crosstable, CrosstableCell, RoundsAs, Standings, StandingsFormat, StandingsRow,
};

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
/// If it is not Markdown.
pub fn parsed(document: &str) -> Node {
    markdown::to_mdast(document, &markdown::ParseOptions::gfm()).unwrap()
}

/// Standings of `bots` bots that met each other 20 times.
pub fn standings(bots: usize, name: impl Fn(usize) -> String) -> Standings {
    let rounds = RoundsAs { rounds: 440, points: 219.5 };
    let row = |place: usize| StandingsRow {
        rank: Some(place as u64 + 1),
        rank_low: Some(1),
        rank_high: Some(bots as u64),
        name: name(place),
        matches: 440,
        won: 200,
        drawn: 40,
        lost: 200,
        points: 220.0,
        first: rounds,
        second: rounds,
        seeds_for: 15_840,
        seeds_against: 15_840,
        faults: [(FaultKind::IllegalMove, 12), (FaultKind::Timeout, 3)].into(),
        median_ms: Some(1.25),
        longest_ms: Some(950.125),
        mean_ms: Some(12.5),
        p95_ms: Some(100.0),
        limit_share: Some(0.95),
        rating: Some(12.0),
        rating_low: Some(-100.0),
        rating_high: Some(124.0),
        los: Some(0.5),
        ..StandingsRow::default()
    };
    let mut crosstable = Crosstable::new(bots);
    for (row, other) in (0..bots).flat_map(|row| (0..bots).map(move |other| (row, other))) {
        if row != other {
            let [seeds_for, seeds_against] = [720; 2];
            let cell = CrosstableCell { won: 9, drawn: 3, lost: 8, seeds_for, seeds_against };
            crosstable.set(row, other, cell);
        }
    }
    Standings {
        format: StandingsFormat::V1,
        tournaments: Vec::new(),
        matches: 5060,
        planned: Some(5060),
        missing: Some(0),
        unfinished: 0,
        not_played: 0,
        retired: 0,
        beyond: 0,
        distinct_games: Some(900),
        rows: (0..bots).map(row).collect(),
        merged: Vec::new(),
        crosstable: Some(crosstable),
        sprt: None,
        trend: None,
    }
}
