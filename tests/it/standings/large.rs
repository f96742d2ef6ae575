//! Files with many names, and too little memory.

use std::fmt::Write as _;

use serde_json::{Value, json};

use super::files::Played;
use super::path;
use crate::program::mancala;

/// A file of `matches` matches in which every bot plays once.
fn file_of_names(folder: &tempfile::TempDir, matches: u64) -> String {
    let template = Played::new(1, ["FIRST", "SECOND"], [[20, 16], [19, 17]]).record.to_string();
    let mut text = String::new();
    for number in 1..=matches {
        let line = template
            .replace("FIRST", &format!("a{number}"))
            .replace("SECOND", &format!("b{number}"))
            .replace("\"match\":1", &format!("\"match\":{number}"));
        writeln!(text, "{line}").unwrap();
    }
    let file = folder.path().join("names.jsonl");
    std::fs::write(&file, text).unwrap();
    path(file)
}

/// A subcommand in this many KiB of address space.
fn limited(kib: u64, arguments: &[&str]) -> std::process::Output {
    let limit = format!("ulimit -v {kib}; exec \"$@\"");
    std::process::Command::new("sh")
        .args(["-c", &limit, "sh", env!("CARGO_BIN_EXE_mancala")])
        .args(arguments)
        .output()
        .unwrap()
}

#[test]
fn sixteen_thousand_names_need_memory_for_their_matches_only() {
    let folder = tempfile::tempdir().unwrap();
    let file = file_of_names(&folder, 8_000);
    let outcome = limited(300_000, &["standings", &file, "--format", "csv"]);
    assert!(outcome.status.success(), "{}", String::from_utf8_lossy(&outcome.stderr));
    assert_eq!(String::from_utf8(outcome.stdout).unwrap().lines().count(), 16_001);
    let outcome = limited(300_000, &["standings", &file]);
    let table = String::from_utf8(outcome.stdout).unwrap();
    assert!(table.contains("│ a1 ") && !table.contains("crosstable"), "{table:.100}");
    let outcome = limited(300_000, &["standings", &file, "--format", "json"]);
    let found: serde_json::Value = serde_json::from_slice(&outcome.stdout).unwrap();
    assert_eq!(
        (found["rows"].as_array().unwrap().len(), found.get("crosstable")),
        (16_000, Some(&json!(null)))
    );
    // A smaller one is whole.
    let file = file_of_names(&folder, 100);
    let outcome = limited(300_000, &["standings", &file]);
    let table = String::from_utf8(outcome.stdout).unwrap();
    assert!(table.contains("The crosstable of 200 bots is in --format json."), "{table:.100}");
    let outcome = mancala(["standings", &file, "--format", "json"]).run().success();
    let found: serde_json::Value = serde_json::from_str(&outcome.stdout).unwrap();
    assert_eq!(found["crosstable"].as_array().unwrap().len(), 200);
    assert!(found["crosstable"].as_array().unwrap().iter().all(|row| {
        let cells = row.as_array().unwrap();
        cells.len() == 200 && cells.iter().filter(|cell| !cell.is_null()).count() == 1
    }));
    assert_eq!(found["rows"][0]["rank_low"], json!(1));
}

#[test]
fn a_page_of_two_thousand_names_needs_memory_for_their_matches_only() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("names.jsonl");
    let bots = ["FIRST=builtin:random --seed 1", "SECOND=builtin:easy --seed 1"];
    mancala(["match", "--record", &path(file.clone()), bots[0], bots[1]]).run().success();
    let played = std::fs::read_to_string(&file).unwrap();
    let named = |number: u32| {
        played.replace("FIRST", &format!("a{number}")).replace("SECOND", &format!("b{number}"))
    };
    std::fs::write(&file, (1..=1_000).map(named).collect::<String>()).unwrap();
    let page = folder.path().join("page.html");
    let outcome = limited(400_000, &["report", &path(file), "-o", &path(page.clone())]);
    assert!(outcome.status.success(), "{}", String::from_utf8_lossy(&outcome.stderr));
    let page = std::fs::read_to_string(page).unwrap();
    assert!(page.contains("With more than 100 bots there is no crosstable"), "{page:.100}");
    assert!(page.contains(">a1000<") && !page.contains("class=\"cross\""), "{page:.100}");
}

#[test]
fn a_name_that_is_too_long_is_refused_by_all_who_read_it() {
    let folder = tempfile::tempdir().unwrap();
    let file = path(folder.path().join("names.jsonl"));
    mancala(["match", "--record", &file, "a=builtin:random", "builtin:easy"]).run().success();
    let played = std::fs::read_to_string(&file).unwrap();
    let named = |length| played.replace("\"a\"", &format!("\"{}\"", "x".repeat(length)));
    std::fs::write(&file, named(40)).unwrap();
    mancala(["standings", &file]).run().success();
    std::fs::write(&file, named(5_000_000)).unwrap();
    let page = path(folder.path().join("page.html"));
    let commands: [&[&str]; 4] = [
        &["standings", &file],
        &["report", &file, "-o", &page],
        &["replay", &file],
        &["analyse", "--quiet", &file],
    ];
    for words in commands {
        let outcome = mancala(words.iter().copied()).run();
        let printed = format!("{}{}", outcome.stdout, outcome.stderr);
        let why = "line 1: not a mancala-match/1 record: a bot's name of 5000000 characters; 40 is the most";
        assert_eq!(outcome.code, Some(1), "{words:?}: {printed:.300}");
        assert!(printed.contains(&why["line ".len()..]), "{words:?}: {printed:.300}");
        assert!(printed.len() < 400, "{words:?}: {printed:.300}");
    }
}

#[test]
fn a_note_has_no_longer_name_either_and_its_words_are_cut() {
    let folder = tempfile::tempdir().unwrap();
    let file = path(folder.path().join("t.jsonl"));
    mancala(["tournament", "--oversubscribe", "a=builtin:random", "b=builtin:easy"])
        .args(["--record", &file])
        .run_until_finished()
        .code(0);
    let played = std::fs::read_to_string(&file).unwrap();
    let header: Value = serde_json::from_str(played.lines().next().unwrap()).unwrap();
    let id = &header["id"];
    let mut tables = Vec::new();
    for (name, detail) in [("x".repeat(5_000_000), 1), ("a".to_owned(), 3_000_000)] {
        let note = json!({"format": "mancala-note/1", "tournament": id, "match": null,
            "note": "disqualified", "bot": name, "detail": "y".repeat(detail)});
        std::fs::write(&file, format!("{played}{note}\n")).unwrap();
        let outcome = mancala(["standings", &file, "--format", "json"]).run();
        assert!(outcome.stdout.len() + outcome.stderr.len() < 20_000, "{:.300}", outcome.stderr);
        tables.push(outcome);
    }
    let why = "it is mancala-note/1 with a bot's name of 5000000 characters; 40 is the most";
    assert!(tables[0].stderr.contains(why), "{}", tables[0].stderr);
    assert_eq!((tables[0].code, tables[1].code), (Some(1), Some(0)));
    let disqualified = tables[1].json()["rows"]
        .as_array()
        .unwrap()
        .iter()
        .find_map(|row| row["disqualified"].as_str().map(str::len));
    assert_eq!(disqualified, Some(4096 + "…".len()));
}

#[test]
fn too_little_memory_is_an_error_in_words() {
    let folder = tempfile::tempdir().unwrap();
    let file = file_of_names(&folder, 8_000);
    let outcome = limited(70_000, &["standings", &file, "--format", "csv"]);
    let stderr = String::from_utf8(outcome.stderr).unwrap();
    assert_eq!(outcome.status.code(), Some(1), "{stderr}");
    assert!(stderr.starts_with("mancala: there is not enough memory for"), "{stderr}");
    assert_eq!(stderr.lines().count(), 1, "{stderr}");
}
