//! What people and programs read, letter by letter: a change of any format shows here.
//!
//! After a change that is meant, `SNAPSHOTS=overwrite cargo test golden` writes the files anew.

use std::fs;

use snapbox::{assert_data_eq, file};

use crate::kit::{mancala, path, repository};

/// One match with a forfeit and one with faults that were substituted, as files hold them.
fn records() -> String {
    path(repository().join("tests/it/golden/records.jsonl"))
}

fn shown(format: mancala_referee::report::OutputFormat, columns: Option<usize>) -> String {
    use mancala_referee::record::Reader;
    use mancala_referee::report::{Width, write_match};

    let text = fs::read(records()).expect("the records are there");
    let mut shown = Vec::new();
    for record in Reader::new(&*text) {
        let (_, record) = record.expect("a record");
        let width = columns.map_or(Width::Whole, Width::Columns);
        write_match(&mut shown, &record, format, width).expect("it is written to memory");
    }
    String::from_utf8(shown).expect("it is text")
}

#[test]
fn a_match_is_shown_in_every_format() {
    use mancala_referee::report::OutputFormat;

    assert_data_eq!(shown(OutputFormat::Table, None), file!["golden/table.txt"]);
    assert_data_eq!(shown(OutputFormat::Table, Some(80)), file!["golden/table-80.txt"]);
    assert_data_eq!(shown(OutputFormat::Table, Some(40)), file!["golden/table-40.txt"]);
    assert_data_eq!(shown(OutputFormat::Markdown, None), file!["golden/table.md"]);
    assert_data_eq!(shown(OutputFormat::Csv, None), file!["golden/rows.csv"]);
    // A record is written as it was read.
    let records = fs::read_to_string(records()).expect("the records are there");
    assert_eq!(shown(OutputFormat::Json, None), records);
}

#[test]
fn a_replay_is_shown_in_every_format() {
    let replay = |options: &[&str]| {
        mancala(["replay", "tests/it/golden/records.jsonl"]).args(options).run().success().stdout
    };
    assert_data_eq!(replay(&[]), file!["golden/replay.txt"]);
    assert_data_eq!(replay(&["--format", "json"]), file!["golden/replay.jsonl"]);
    assert_data_eq!(replay(&["--match=2", "--round=1"]), file!["golden/replay-round.txt"]);
}

#[test]
fn rules_and_help_are_shown() {
    let stdout = |arguments: &[&str]| mancala(arguments).run().success().stdout;
    assert_data_eq!(stdout(&["rules", "cs221"]), file!["golden/rules.txt"]);
    assert_data_eq!(stdout(&["replay", "--help"]), file!["golden/help-replay.txt"]);
}
