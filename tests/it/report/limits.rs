//! The limits of moves in a page are those that `standings --times` holds the moves against.

use std::fs;

use serde_json::{Value, json};

use super::node;
use super::page::report;
use crate::program::mancala;
use crate::requirements::are_there;
use crate::test_folder::TestFolder;
use crate::tournaments::lines;

/// Answers no number in its second turn of the first round, and the first legal house everywhere
/// else.
const ONCE: &str = r#"bash -c 'while read -r line; do case $line in \
*start*round\":1,*) one=1;; *start*) one=;; \
*turn\":2,*) house=${line#*legal*[}; if [ $one ]; then echo no; else echo ${house%%[],]*}; fi;; \
*type*turn*) house=${line#*legal*[}; echo ${house%%[],]*};; esac; done'"#;

/// The last match of a tournament of these options.
fn played(folder: &TestFolder, other: &str, options: &[&str]) -> Value {
    let _ = fs::remove_file(folder.file("t.jsonl"));
    mancala(["tournament", "easy=builtin:easy", &format!("other={other}")])
        .args(["--record", "t.jsonl", "-q", "--oversubscribe", "--jobs", "1"])
        .args(options)
        .in_folder(folder.path())
        .run()
        .code(0);
    let mut matches = lines(&folder.file("t.jsonl")).into_iter();
    matches.rfind(|line| line["format"] == "mancala-match/1").unwrap()
}

/// The moves of a round in a record.
fn moves(record: &mut Value, round: usize) -> &mut Vec<Value> {
    record["rounds"][round]["moves"].as_array_mut().unwrap()
}

/// The longest answer of each bot as the page shows it: its time and its limit, in milliseconds.
fn longest_in_page(page: &str, record: &Value) -> [(f64, f64); 2] {
    let found: Value = serde_json::from_str(&node(["boards", page])).unwrap();
    let mut longest = [(0.0, 1.0); 2];
    let rounds = record["rounds"].as_array().unwrap();
    for (round, found) in rounds.iter().zip(found[0].as_array().unwrap()) {
        let moves = round["moves"].as_array().unwrap();
        for (played, found) in moves.iter().zip(found["moves"].as_array().unwrap()) {
            let of = [&found["ms"], &found["limit"]].map(|it| it.as_f64().unwrap());
            let longest = &mut longest[usize::from(played["bot"] == 1)];
            if of[0] > longest.0 {
                *longest = (of[0], of[1]);
            }
        }
    }
    longest
}

fn expect_the_limits_of_standings(folder: &TestFolder, record: &Value, what: &str) {
    fs::write(folder.file("m.jsonl"), format!("{record}\n")).unwrap();
    report(folder, "m.jsonl -q").success();
    let longest = longest_in_page(&folder.file("m.html"), record);
    let standings = mancala(["standings", "m.jsonl", "--times", "--format", "json"]);
    let standings = standings.in_folder(folder.path()).run().success().json();
    for row in standings["rows"].as_array().unwrap() {
        let seat = usize::from(row["name"] == record["bots"][1]["name"]);
        let (ms, limit) = longest[seat];
        assert_eq!(json!(ms), row["longest_ms"], "{what} {seat}");
        let share = row["limit_share"].as_f64().unwrap();
        assert!((ms / limit - share).abs() < 1e-4, "{what} {seat}: {ms} of {limit}, {share}");
    }
}

#[test]
fn limits_in_the_page_are_those_behind_the_times_of_standings() {
    if !are_there("node", "limits in the script") {
        return;
    }
    let folder = TestFolder::new();
    let kept = ["--reuse-bots", "--count", "2", "--openings", "random:4"];
    let mut record = played(&folder, "builtin:random", &kept);
    for round in 0..2 {
        // Of processes that had answered in the match before.
        assert!(moves(&mut record, round).iter().all(|played| played.get("fresh").is_none()));
        assert!(record["bots"][round]["version"].is_string());
    }
    for played in &mut moves(&mut record, 0)[..2] {
        played["ms"] = json!(500.0);
    }
    expect_the_limits_of_standings(&folder, &record, "kept bots");

    let mut record = played(&folder, ONCE, &[]);
    assert_eq!(record["rounds"][0]["result"]["fault"]["bot"], 1, "{record}");
    expect_the_limits_of_standings(&folder, &record, "a forfeit");
    // As an older version has recorded it.
    for bot in 0..2 {
        record["bots"][bot].as_object_mut().unwrap().remove("version");
        for played in moves(&mut record, bot) {
            played.as_object_mut().unwrap().remove("fresh");
        }
    }
    for seat in 0..2 {
        let mut all = moves(&mut record, 1).iter_mut();
        all.find(|played| played["bot"] == seat).unwrap()["ms"] = json!(500.0);
    }
    expect_the_limits_of_standings(&folder, &record, "an old record");
}
