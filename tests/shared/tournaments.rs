//! Tournaments for tests: how one is started, and what its record file holds.

use std::collections::BTreeMap;
use std::fs;

use serde_json::Value;

use crate::program::{Run, mancala, path};
use crate::test_folder::TestFolder;

/// Four bots that draw lots, always the same ones.
pub const FOUR: [&str; 4] = [
    "easy-1=builtin:easy --seed 1",
    "easy-2=builtin:easy --seed 2",
    "random-3=builtin:random --seed 3",
    "random-4=builtin:random --seed 4",
];

/// A tournament whose workers share the cores with those of other tests.
pub fn tournament() -> Run {
    mancala(["tournament", "--jobs=2", "--oversubscribe", "--quiet"])
}

/// The lines of a tournament's file.
pub fn lines(file: &str) -> Vec<Value> {
    let text = fs::read_to_string(file).expect("there is a record file");
    text.lines().map(|line| serde_json::from_str(line).expect("a line is JSON")).collect()
}

/// What each match of a file came to, by its number; no match stands there twice.
#[track_caller]
pub fn matches<F: AsRef<str>>(files: &[F]) -> BTreeMap<u64, String> {
    let mut matches = BTreeMap::new();
    for line in files.iter().flat_map(|file| lines(file.as_ref())) {
        if line["format"] == "mancala-match/1" {
            let number = line["tournament"]["match"].as_u64().expect("a match has a number");
            let result = (
                &line["bots"][0]["name"],
                &line["bots"][1]["name"],
                &line["score"],
                &line["opening"],
                &line["tournament"]["games"],
            );
            let result = serde_json::to_string(&result).expect("it is JSON");
            assert_eq!(matches.insert(number, result), None, "match {number} stands there twice");
        }
    }
    matches
}

/// Notes of this kind in a file: the bot, the match, the detail.
pub fn notes(file: &str, kind: &str) -> Vec<(String, Option<u64>, String)> {
    let of_kind = |line: &Value| line["format"] == "mancala-note/1" && line["note"] == kind;
    let note = |line: Value| {
        let text = |key: &str| line[key].as_str().unwrap_or_default().to_owned();
        (text("bot"), line["match"].as_u64(), text("detail"))
    };
    lines(file).into_iter().filter(of_kind).map(note).collect()
}

/// A configuration in a folder of its own.
pub fn config(folder: &TestFolder, text: &str) -> String {
    let file = path(folder.path().join("contest.toml"));
    fs::write(&file, text).expect("the configuration is written");
    file
}
