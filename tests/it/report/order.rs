//! What a page shows of a tournament does not depend on which of its matches ended first.

use std::collections::BTreeMap;
use std::fs;

use serde_json::Value;

use super::contest::contest_page;
use super::page::report;
use crate::test_folder::TestFolder;

/// The rows of a file of `--assets`, with the numbers of matches in their tournament.
fn rows(folder: &TestFolder, file: &str, matches: &[Value]) -> Vec<Vec<String>> {
    let mut reader = csv::Reader::from_path(folder.file(&format!("figures/{file}"))).unwrap();
    let heads = reader.headers().unwrap().clone();
    let column = heads.iter().position(|head| head == "match").unwrap();
    let row = |row: csv::StringRecord| {
        let mut row: Vec<String> = row.iter().map(str::to_owned).collect();
        let place: usize = row[column].parse().unwrap();
        row[column] = matches[place - 1]["tournament"]["match"].to_string();
        row
    };
    reader.records().map(|it| row(it.unwrap())).collect()
}

/// The number of the first match in which each bot has each kind of fault.
fn first_faults(matches: &[Value]) -> BTreeMap<(String, String), u64> {
    let mut first = BTreeMap::new();
    for record in matches {
        let number = record["tournament"]["match"].as_u64().unwrap();
        for round in record["rounds"].as_array().unwrap() {
            let fault = &round["result"]["fault"];
            let Some(kind) = fault["kind"].as_str() else { continue };
            let bot = usize::try_from(fault["bot"].as_u64().unwrap()).unwrap();
            let name = record["bots"][bot]["name"].as_str().unwrap();
            let known = first.entry((name.to_owned(), kind.to_owned())).or_insert(number);
            *known = number.min(*known);
        }
    }
    first
}

#[test]
fn first_cases_and_worst_moves_are_those_of_the_first_matches_in_any_order() {
    let folder = TestFolder::new();
    let mut matches = contest_page(&folder);
    let text = folder.read("c.jsonl");
    let header = text.lines().next().unwrap();
    let first = first_faults(&matches);
    matches.sort_by_key(|record| record["tournament"]["match"].as_u64());
    let mut seen = Vec::new();
    for is_turned in [false, true] {
        if is_turned {
            matches.reverse();
        }
        let lines: Vec<String> = matches.iter().map(Value::to_string).collect();
        fs::write(folder.file("t.jsonl"), format!("{header}\n{}\n", lines.join("\n"))).unwrap();
        // The case of a fault is among the games, however few there are.
        let outcome = report(&folder, "t.jsonl -q --assets figures --games 9").code(0);
        let missing = "games.csv has 9 of 42 matches; --games all writes all";
        assert_eq!(outcome.stderr, format!("mancala: warning: {missing}\n"));
        let faults = rows(&folder, "faults.csv", &matches);
        for row in &faults {
            let number = first[&(row[0].clone(), row[1].clone())].to_string();
            assert_eq!(row[3], number, "{row:?}");
        }
        assert_eq!(faults.len(), first.len());
        let page = folder.read("t.html");
        let linked = page.matches("The first case: <a href").count();
        assert_eq!(linked, faults.len());
        seen.push((faults, rows(&folder, "worst-moves.csv", &matches)));
    }
    assert_eq!(seen[0], seen[1]);
}

#[test]
fn places_of_moves_name_the_number_in_the_tournament() {
    let folder = TestFolder::new();
    let matches = contest_page(&folder);
    let page = folder.read("c.html");
    let mut seen = 0;
    for link in page.split("<a href=\"#match-").skip(1) {
        let (link, rest) = link.split_once("\">").unwrap();
        let Some((place, _)) = link.split_once("-move-") else { continue };
        let (number, round) = place.split_once("-round-").unwrap();
        let index: usize = number.parse().unwrap();
        let in_tournament = &matches[index - 1]["tournament"]["match"];
        let text =
            format!("match {number} (number {in_tournament} of its tournament), round {round}, ");
        assert!(rest.starts_with(&text), "{text}: {}", &rest[..60]);
        seen += 1;
    }
    assert!(seen > 5, "{seen}");
}
