//! What is printed, read back by parsers of Markdown (as GitHub has it) and CSV that are not ours:
//! text of bots comes back as it was, and never as markup.

use markdown::mdast::Node;
use proptest::prelude::*;
use unicode_width::UnicodeWidthStr;

use super::markdown::write_markdown;
use super::table::{Column, Footnote, Table};
use super::testing::{hostile_text, parsed, standings};
use super::{OutputFormat, Width, write_csv, write_match, write_replay, write_standings};
use crate::record::MatchRecord;
use crate::seat::{PerSeat, Seat};
use crate::text::printable;

/// The text of a part of a document. Markup that is not text fails.
fn text_of(node: &Node, found: &mut String) {
    match node {
        Node::Text(text) => found.push_str(&text.value),
        Node::Root(_)
        | Node::Paragraph(_)
        | Node::Table(_)
        | Node::TableRow(_)
        | Node::TableCell(_)
        | Node::List(_)
        | Node::ListItem(_)
        | Node::Code(_) => {
            for child in node.children().into_iter().flatten() {
                text_of(child, found);
            }
        }
        other => panic!("not text: {other:?}"),
    }
}

fn all_of(node: &Node, is_wanted: fn(&Node) -> bool, found: &mut Vec<String>) {
    if is_wanted(node) {
        let mut text = String::new();
        text_of(node, &mut text);
        found.push(text);
        return;
    }
    for child in node.children().into_iter().flatten() {
        all_of(child, is_wanted, found);
    }
}

proptest! {
    #[test]
    fn markdown_shows_the_very_same_text(
        names in prop::collection::vec(hostile_text(), 1..4),
        sentence in hostile_text().prop_filter("a sentence", |text| !text.trim().is_empty()),
        line in hostile_text(),
    ) {
        let mut table = Table::new([
            Column::text("bot", &names, |name| name),
            Column::number("points", &names, |_| "-1.5"),
            Column::text("again", &names, |name| name),
        ])
        .titled(&sentence);
        table.remark(sentence.trim_start());
        table.below.push(Footnote::Lines(vec![line.clone()]));
        let mut out = Vec::new();
        write_markdown(&mut out, &[table]).unwrap();
        let out = String::from_utf8(out).unwrap();
        let document = parsed(&out);
        let mut whole = String::new();
        text_of(&document, &mut whole);

        let (mut cells, mut paragraphs) = (Vec::new(), Vec::new());
        all_of(&document, |node| matches!(node, Node::TableCell(_)), &mut cells);
        let names = names.iter().flat_map(|name| [printable(name), "-1.5".to_owned(), printable(name)]);
        let heads = ["bot", "points", "again"].map(str::to_owned);
        prop_assert_eq!(cells, heads.into_iter().chain(names).collect::<Vec<_>>(), "{}", out);
        all_of(&document, |node| matches!(node, Node::Paragraph(_)), &mut paragraphs);
        let expected = [printable(&sentence), printable(sentence.trim_start())];
        prop_assert_eq!(paragraphs, expected, "{}", out);
        let code = document.children().unwrap().last().and_then(|list| list.children()?.last());
        let Some(Node::Code(code)) = code.and_then(|item| item.children()?.last()) else {
            panic!("no block: {out}");
        };
        prop_assert_eq!(&code.value, &printable(&line), "{}", out);
    }

    #[test]
    fn csv_has_the_very_same_text_and_no_formula(
        names in prop::collection::vec(hostile_text(), 1..4),
    ) {
        let table = Table::new([
            Column::text("bot", &names, |name| name),
            Column::number("points", &names, |_| "-1.5"),
        ]);
        let mut out = Vec::new();
        write_csv(&mut out, &table).unwrap();
        let mut reader = csv::Reader::from_reader(&out[..]);
        let rows: Vec<csv::StringRecord> = reader.records().map(Result::unwrap).collect();
        prop_assert_eq!(rows.len(), names.len());
        for (row, name) in rows.iter().zip(&names) {
            let text = row[0].trim_start();
            prop_assert!(!text.starts_with(['=', '+', '-', '@', '\t', '\r']));
            prop_assert!(!text.starts_with(['＝', '＋', '－', '＠']));
            prop_assert_eq!(row[0].strip_prefix('\'').unwrap_or(&row[0]), printable(name));
            prop_assert_eq!(&row[1], "-1.5");
        }
    }

    /// Names, details and stderr of a whole match.
    #[test]
    fn a_match_in_markdown_has_no_markup(name in hostile_text(), words in hostile_text()) {
        let mut record = recorded_match();
        record.bots[Seat::A].name.clone_from(&name);
        for round in &mut record.rounds {
            if let Some(fault) = &mut round.result.fault {
                fault.detail.clone_from(&words);
                fault.stderr = format!("{words}\n{name}");
            }
        }
        let mut out = Vec::new();
        write_match(&mut out, &record, OutputFormat::Markdown, Width::Whole).unwrap();
        let out = String::from_utf8(out).unwrap();
        let (document, mut whole, mut cells) = (parsed(&out), String::new(), Vec::new());
        text_of(&document, &mut whole);
        all_of(&document, |node| matches!(node, Node::TableCell(_)), &mut cells);
        prop_assert!(cells.contains(&printable(&name)), "{out}");
    }
}

#[test]
fn no_line_of_standings_is_wider_than_the_terminal() {
    let remark = "A remark of many words that is true of a-bot, b-bot and c-bot. ".repeat(3);
    for bots in [3, 10, 23, 100] {
        for columns in [40, 60, 80, 100, 132] {
            let standings = standings(bots, |place| format!("a-bot-with-a-long-name-{place}"));
            let mut out = Vec::new();
            let width = Width::Columns(columns);
            write_standings(
                &mut out,
                &standings,
                std::slice::from_ref(&remark),
                OutputFormat::Table,
                width,
            )
            .unwrap();
            let out = String::from_utf8(out).unwrap();
            let widest = out.lines().map(UnicodeWidthStr::width).max().unwrap();
            assert!(widest <= columns, "{bots} bots, {widest} of {columns} columns\n{out}");
        }
    }
}

#[test]
fn no_line_about_a_replayed_match_is_wider_than_the_terminal() {
    let mut record = recorded_match();
    for (seat, name) in Seat::BOTH.into_iter().zip(["a", "b"]) {
        record.bots[seat].name = format!("{name}-bot-with-a-long-name");
    }
    let PerSeat([own, other]) = record.score;
    for columns in [40, 80] {
        let mut out = Vec::new();
        let width = Width::Columns(columns);
        write_replay((&mut out, width), 1, 1, &record, &Ok(())).unwrap();
        let out = String::from_utf8(out).unwrap();
        assert!(out.lines().all(|line| line.width() <= columns), "{out}");
        let words: Vec<&str> = out.split_whitespace().collect();
        let score = format!("a-bot-with-a-long-name {own} : {other} b-bot-with-a-long-name");
        assert_eq!(words.join(" "), format!("match 1: valid, {score}"));
    }
}

fn recorded_match() -> MatchRecord {
    let records = include_str!("../../../tests/it/golden/records.jsonl");
    serde_json::from_str(records.lines().next().unwrap()).unwrap()
}

proptest! {
    #[test]
    fn standings_in_markdown_and_csv_have_the_very_same_names(
        names in prop::collection::vec(hostile_text(), 3..5),
    ) {
        let standings = standings(names.len(), |place| names[place].clone());
        let write = |format| {
            let mut out = Vec::new();
            write_standings(&mut out, &standings, &names, format, Width::Whole).unwrap();
            String::from_utf8(out).unwrap()
        };
        let markdown = write(OutputFormat::Markdown);
        let (document, mut whole, mut cells) = (parsed(&markdown), String::new(), Vec::new());
        text_of(&document, &mut whole);
        all_of(&document, |node| matches!(node, Node::TableCell(_)), &mut cells);
        let csv = write(OutputFormat::Csv);
        let mut reader = csv::Reader::from_reader(csv.as_bytes());
        let column = reader.headers().unwrap().iter().position(|head| head == "name").unwrap();
        for (row, name) in reader.records().zip(&names) {
            let shown = printable(name);
            prop_assert!(cells.iter().filter(|cell| **cell == shown).count() >= 2, "{}", markdown);
            let row = row.unwrap();
            prop_assert_eq!(row[column].strip_prefix('\'').unwrap_or(&row[column]), shown);
        }
    }
}
