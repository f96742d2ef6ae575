//! The first cases of faults: of matches that the rows count, and of each kind that they count.

use std::collections::BTreeSet;
use std::fs;
use std::sync::OnceLock;

use proptest::prelude::*;
use serde_json::{Value, json};

use super::contest::contest_page;
use super::page::report;
use crate::markdown::table_rows;
use crate::program::mancala;
use crate::standings::files::{ID, header_with, note};
use crate::standings::planned::planned;
use crate::test_folder::TestFolder;
use crate::tournaments::lines;

/// Matches in which the one that lost is not at fault, answers no house, or no number.
fn played() -> &'static [Value] {
    static PLAYED: OnceLock<Vec<Value>> = OnceLock::new();
    PLAYED.get_or_init(|| {
        let folder = TestFolder::new();
        let answers = |text: &str| {
            format!(
                "sh -c 'while read line; do case $line in *type*turn\\\"*) echo {text}; esac; done'"
            )
        };
        let others = ["builtin:random --seed 1".to_owned(), answers("9"), answers("east")];
        let record = |(number, other)| {
            let file = format!("{number}.jsonl");
            mancala(["tournament", "--count=1", "-q", "--oversubscribe", "--record", &file])
                .args(["--seed=1", "sound=builtin:hard", &format!("other={other}")])
                .in_folder(folder.path())
                .run()
                .code(0);
            let lines = lines(&folder.file(&file)).into_iter();
            let mut records = lines.filter(|line| line["format"] == "mancala-match/1");
            records.next().unwrap()
        };
        others.iter().enumerate().map(record).collect()
    })
}

/// A match that the first of these bots won: its number, and its place among those that were played.
fn record(number: usize, bots: [&str; 2], kind: usize) -> Value {
    let mut record = played()[kind].clone();
    (record["tournament"]["id"], record["tournament"]["match"]) = (json!(ID), json!(number));
    let [won, lost] = bots.map(|name| json!({"name": name, "command": ["x"]}));
    record["bots"] = if record["winner"] == 0 { json!([won, lost]) } else { json!([lost, won]) };
    record
}

/// Each kind that a row of the table counts has a case, of a match that it counts.
fn expect_cases(records: &[Value], before: &str, after: &str) -> Result<(), TestCaseError> {
    let folder = TestFolder::new();
    let text: Vec<String> = records.iter().map(Value::to_string).collect();
    let text = text.join("\n");
    fs::write(folder.file("t.jsonl"), planned(&format!("{before}{text}\n{after}"))).unwrap();
    let mut records = lines(&folder.file("t.jsonl"));
    records.retain(|line| line["format"] == "mancala-match/1");
    let standings = mancala(["standings", "t.jsonl", "--format=json"]).in_folder(folder.path());
    let standings = standings.run().success().json();
    report(&folder, "t.jsonl -q --assets figures").success();
    let rows = standings["rows"].as_array().unwrap();
    let mut counted = BTreeSet::new();
    let mut out = BTreeSet::new();
    for row in rows {
        let name = row["name"].as_str().unwrap();
        let kinds = row["faults"].as_object().unwrap().keys();
        counted.extend(kinds.map(|kind| (name.to_owned(), kind.clone())));
        if !row["disqualified"].is_null() {
            out.insert(name.to_owned());
        }
    }
    let beyond = standings["beyond"].as_u64().unwrap();
    let last = if beyond == 0 { u64::MAX } else { records.len() as u64 - beyond };
    let mut found = BTreeSet::new();
    let mut cases = csv::Reader::from_path(folder.file("figures/faults.csv")).unwrap();
    for case in cases.records() {
        let case = case.unwrap();
        let name = case[0].to_owned();
        prop_assert!(!case[3].is_empty(), "no case: {case:?}");
        let number: u64 = case[3].parse().unwrap();
        let of = &records[usize::try_from(number).unwrap() - 1];
        let names = [0, 1].map(|seat| of["bots"][seat]["name"].as_str().unwrap());
        let is_disqualified = names.iter().any(|name| out.contains(*name));
        let in_tournament = of["tournament"]["match"].as_u64().unwrap();
        prop_assert!(names.contains(&&*name) && in_tournament <= last, "{case:?}");
        prop_assert!(!is_disqualified || out.contains(&name), "{case:?}");
        found.insert((name, case[1].to_owned()));
    }
    prop_assert_eq!(found, counted);
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(16))]
    #[test]
    fn cases_of_a_tournament_with_disqualified_bots(
        matches in proptest::collection::vec((0_usize..4, 1_usize..4, 0_usize..3), 1..10),
        out in proptest::sample::subsequence(vec!["a", "b", "c", "d"], 0..=2),
    ) {
        let names = ["a", "b", "c", "d"];
        let records: Vec<Value> = (1..).zip(&matches).map(|(number, (one, step, kind))| {
            record(number, [names[*one], names[(one + step) % 4]], *kind)
        }).collect();
        let notes: String =
            out.iter().map(|name| note("disqualified", Some(1), Some(name), "why")).collect();
        expect_cases(&records, &header_with(&names, 9, [1, 1], &json!({})), &notes)?;
    }

    #[test]
    fn cases_of_a_test_that_ended_early(
        kinds in proptest::collection::vec(
            (any::<bool>(), prop_oneof![8 => Just(0_usize), 2 => 1_usize..3]), 40..60),
        is_reversed in any::<bool>(),
    ) {
        let mut records: Vec<Value> = (1..).zip(&kinds).map(|(number, (is_turned, kind))| {
            // z wins the first ones, which decides the test.
            record(number, if number > 30 && *is_turned { ["y", "z"] } else { ["z", "y"] }, *kind)
        }).collect();
        if is_reversed {
            records.reverse();
        }
        let terms = json!({"sprt": "elo0=0,elo1=200"});
        expect_cases(&records, &header_with(&["z", "y"], 100, [1, 1], &terms), "")?;
    }
}

#[test]
fn the_overview_names_the_test_of_the_tournament() {
    let folder = TestFolder::new();
    let header = header_with(&["z", "y"], 100, [1, 1], &json!({"sprt": "elo0=0,elo1=200"}));
    let text = format!("{header}{}\n", record(1, ["z", "y"], 0));
    fs::write(folder.file("m.jsonl"), planned(&text)).unwrap();
    report(&folder, "m.jsonl -q").success();
    let page = folder.read("m.html");
    assert!(page.contains("; SPRT of elo0=0,elo1=200, at most 100 matches"));
}

/// A number that a bot calls a loss is its own.
#[test]
fn info_that_looks_like_a_loss_is_no_analysis() {
    let folder = TestFolder::new();
    let mut record = played()[0].clone();
    for played in record["rounds"][0]["moves"].as_array_mut().unwrap() {
        played["info"] = json!({"loss": 1, "value": 3});
    }
    fs::write(folder.file("m.jsonl"), format!("{record}\n")).unwrap();
    report(&folder, "m.jsonl -q --assets figures").success();
    assert!(!folder.read("m.html").contains("ave away by phase"));
    for file in ["given-away.csv", "given-away.svg", "worst-moves.csv"] {
        assert!(fs::metadata(folder.file(&format!("figures/{file}"))).is_err(), "{file}");
    }
}

/// The page of a bot counts the faults that it lists, whether their matches count or not; the index
/// has the bots in the order of the table.
#[test]
fn kinds_of_faults_add_up_to_the_faults_that_feedback_lists() {
    let folder = TestFolder::new();
    let names = ["c", "b", "a"];
    // b answers no house, and c no number; a is out in the second contest.
    let records = [record(1, ["a", "b"], 1), record(2, ["a", "c"], 2), record(3, ["c", "b"], 1)];
    let records = records.map(|record| format!("{record}\n"));
    let header = header_with(&names, 2, [1, 1], &json!({}));
    let whole = header.clone() + &records[..2].concat();
    let out = header + &records.concat() + &note("disqualified", None, Some("a"), "why");
    for (text, left_out) in [(whole, 0), (out, 2)] {
        fs::write(folder.file("t.jsonl"), planned(&text)).unwrap();
        let run = |arguments: &str| {
            mancala(arguments.split(' ')).in_folder(folder.path()).run().success()
        };
        run("feedback -q t.jsonl -o out");
        for name in names {
            let page = folder.read(&format!("out/{name}/feedback.md"));
            let listed = page.lines().filter_map(|line| {
                let (count, rest) = line.split_once(' ')?;
                let is_count = rest.starts_with("fault. ") || rest.starts_with("faults. ");
                count.parse::<u64>().ok().filter(|_| is_count)
            });
            let listed: u64 = listed.sum();
            let by_kind = page.split_once("By kind: ").map(|(_, rest)| rest.split('.').next());
            let kinds = by_kind.flatten().unwrap_or_default().split(", ");
            let kinds = kinds.filter_map(|kind| kind.split_once(' ')?.1.parse::<u64>().ok());
            assert_eq!(kinds.sum::<u64>(), listed, "{name}: {page}");
            assert_eq!(listed > 0, name != "a", "{page}");
            let said = format!(" {left_out} of them are in matches that do not count.");
            assert_eq!(page.contains(&said), listed > 0 && left_out > 0, "{page}");
        }
        let mut index = csv::Reader::from_path(folder.file("out/index.csv")).unwrap();
        let index: Vec<String> = index.records().map(|row| row.unwrap()[1].to_owned()).collect();
        let table = run("standings t.jsonl --format=json").json();
        let table = table["rows"].as_array().unwrap().iter();
        assert!(table.map(|row| row["name"].as_str().unwrap()).eq(index));
        fs::remove_dir_all(folder.file("out")).unwrap();
    }
}

/// The texts of a table's rows that follow a caption with these words in a page.
fn rows_after(page: &str, words: &str) -> Vec<Vec<String>> {
    let Some((_, after)) = page.split_once(words) else { return Vec::new() };
    let body = after.split_once("<tbody>\n").unwrap().1.split_once("</table>").unwrap().0;
    let cells = |row: &str| {
        let cells = row.trim_start_matches("<tr>").replace("<th scope=row>", "<td>");
        let text =
            |cell: &str| cell.rsplit_once("\">").map_or(cell, |(_, text)| text).replace("</a>", "");
        cells.split("<td>").skip(1).map(text).collect()
    };
    body.lines().map(cells).collect()
}

/// Both pages of a bot's feedback have its times and what it gave away, as its part of the report has.
#[test]
fn feedback_has_the_measured_moves_of_the_report() {
    let folder = TestFolder::new();
    contest_page(&folder);
    let page = folder.read("c.html");
    mancala(["feedback", "c.jsonl", "-o", "out"]).in_folder(folder.path()).run().success();
    let mut tables = 0;
    for name in ["easy", "random", "says", "hangs", "ansi", "boom"] {
        let part = page.split(&format!("<article id=\"bot-{name}\">")).nth(1).unwrap();
        let part = part.split("</article>").next().unwrap();
        let [html, markdown] =
            ["html", "md"].map(|ending| folder.read(&format!("out/{name}/feedback.{ending}")));
        for words in ["Times of ", "gave away a round", "gave away most"] {
            let mut expected = rows_after(part, words);
            let mut found = rows_after(&html, words);
            for row in &found {
                let row: Vec<&str> = row.iter().map(String::as_str).collect();
                assert!(table_rows(&markdown).contains(&row), "{row:?}: {markdown}");
            }
            // The report numbers matches by their places, feedback by the plan, in whose order equal
            // moves stand.
            if words.ends_with("most") {
                for row in expected.iter_mut().chain(&mut found) {
                    *row = row.split_off(3);
                }
            }
            assert_eq!(found, expected, "{name}, {words}: {html}");
            tables += usize::from(!found.is_empty());
        }
    }
    assert!(tables > 12, "{tables}");
}
