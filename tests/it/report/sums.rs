//! The tables of a page add up to the numbers of `standings` and `analyse`.

use std::fs;
use std::sync::OnceLock;

use serde_json::{Value, json};

use super::page::{NINE, report};
use crate::program::mancala;
use crate::standings::files::{ID, header_with, note};
use crate::standings::planned::{games_of, planned};
use crate::test_folder::TestFolder;

const NAMES: [&str; 4] = ["a", "b", "c", "d"];

/// Matches from positions near the end, whose moves can all be judged: two in which nobody is at
/// fault, one in which a bot is, and one in which both are before any move.
fn played() -> &'static [Value] {
    static PLAYED: OnceLock<Vec<Value>> = OnceLock::new();
    PLAYED.get_or_init(|| {
        let record = |(opening, bots): (&str, [&str; 2])| {
            let run = mancala(["match", "--format=json", "--move-time=20s", "--opening", opening]);
            run.args(bots).run().code(0).json()
        };
        let [one, other] = ["0,1,0,1,2,1,14,0,1,0,2,1,0,13", "1,0,2,0,0,3,13,2,0,1,0,2,0,12"];
        let random = |name: &str, seed| format!("{name}=builtin:random --seed {seed}");
        let bad = |name: &str| format!("{name}={NINE}");
        let matches = [
            (one, [random("x", 1), random("y", 2)]),
            (other, [random("x", 3), random("y", 4)]),
            (one, [bad("x"), random("y", 2)]),
            (one, [bad("x"), bad("y")]),
        ];
        let matches = matches.iter();
        matches.map(|(opening, [x, y])| record((opening, [x, y]))).collect()
    })
}

/// A match of these bots with their versions, played as the one in that place.
fn record(number: usize, bots: [(&str, &str); 2], place: usize) -> Value {
    let mut record = played()[place].clone();
    let games = games_of(&record);
    record["tournament"] = json!({"id": ID, "match": number, "opening": 1, "games": games});
    record["bots"] =
        json!(bots.map(|(name, version)| {
            json!({"name": name, "command": ["x"], "version": version})
        }));
    record
}

const VERSION: &str = "00000000000000e0";

/// A tournament of four bots with the matches of these pairs, each played as the one in that place,
/// in which some bots are disqualified.
fn tournament(matches: &[([&str; 2], usize)], out: &[&str]) -> String {
    let records = (1..).zip(matches).map(|(number, (names, place))| {
        format!("{}\n", record(number, names.map(|name| (name, VERSION)), *place))
    });
    let notes = out.iter().map(|name| note("disqualified", None, Some(name), "why"));
    let header = header_with(&NAMES, 3, [1, 1], &json!({}));
    planned(&(header + &records.chain(notes).collect::<String>()))
}

/// The page of this file with values has the sums of `standings` and the table of `analyse`.
#[track_caller]
fn expect_sums(text: &str) {
    let folder = TestFolder::new();
    fs::write(folder.file("t.jsonl"), text).unwrap();
    let run =
        |arguments: &str| mancala(arguments.split(' ')).in_folder(folder.path()).run().success();
    run("analyse t.jsonl -q --jobs=1 --write v.jsonl");
    let standings = run("standings v.jsonl --format=json").json();
    let analysis = run("analyse v.jsonl -q --jobs=1 --format=json").json();
    let table = run("analyse v.jsonl -q --jobs=1 --format=csv").stdout;
    report(&folder, "v.jsonl -q --assets figures").success();
    let figure = |name: &str| fs::read_to_string(folder.file(&format!("figures/{name}.csv")));
    let sum =
        |numbers: &[&str]| -> u64 { numbers.iter().map(|it| it.parse::<u64>().unwrap()).sum() };
    let cells = |name: &str| {
        let text = figure(name).unwrap();
        let rows = text.lines().skip(1).map(|row| row.split(',').map(str::to_owned).collect());
        rows.collect::<Vec<Vec<String>>>()
    };
    let total = |rows: &[Vec<String>], names: usize| -> u64 {
        let of_row =
            |row: &Vec<String>| sum(&row[names..].iter().map(String::as_str).collect::<Vec<_>>());
        rows.iter().map(of_row).sum()
    };

    let movers = cells("first-mover");
    let counted = standings["rows"].as_array().unwrap().iter();
    let counted = counted.filter(|row| row["disqualified"].is_null());
    let mut all = 0;
    for row in counted {
        let own = movers.iter().filter(|of| *of[0] == *row["name"].as_str().unwrap());
        let rounds = row["first"]["rounds"].as_u64().unwrap();
        assert_eq!(total(&own.cloned().collect::<Vec<_>>(), 2), rounds, "{row} {movers:?}");
        all += rounds;
    }
    assert_eq!(total(&movers, 2), all, "{movers:?}");

    let of_all = |key: &str| -> u64 {
        let rows = analysis["rows"].as_array().unwrap().iter();
        rows.map(|row| row[key].as_u64().unwrap()).sum()
    };
    assert_eq!(of_all("rounds"), 2 * all, "{analysis}");
    let margins = cells("margins");
    assert_eq!(total(&margins, 1) + of_all("forfeits"), all, "{margins:?} {analysis}");

    match figure("given-away") {
        Ok(found) => assert_eq!(found, table),
        Err(_) => assert_eq!(of_all("solved"), 0, "{table}"),
    }
}

#[test]
fn a_match_of_two_disqualified_bots_counts_nowhere() {
    let matches = [(["a", "b"], 0), (["c", "d"], 1), (["a", "c"], 2), (["b", "d"], 1)];
    expect_sums(&tournament(&matches, &["a", "b"]));
    expect_sums(&tournament(&matches[..1], &["a", "b"]));
}

#[test]
fn a_match_without_a_judged_move_is_in_the_analysis() {
    let matches = [(["a", "b"], 3), (["a", "b"], 0), (["c", "a"], 3), (["c", "d"], 2)];
    expect_sums(&tournament(&matches, &[]));
    expect_sums(&tournament(&matches[..1], &[]));
}
