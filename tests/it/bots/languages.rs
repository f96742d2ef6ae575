//! The example bots, a language each, play whole matches against each other through the program.
//! They all choose the same moves, so every match under the same rules must be the same.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::atomic::{AtomicUsize, Ordering};

use mancala_referee::record::MatchRecord;
use mancala_referee::rules::{Direction, House};

use crate::program::{mancala, repository};
use crate::requirements;

/// Rules and openings that between them use all that the examples know.
const RULES: [&str; 7] = [
    "--rules learneroo",
    "--rules ece1021",
    "--rules cs221 --empty-capture no",
    "--rules mancala5000 --direction backward",
    "--rules mancala5000 --direction either --opponent-store skip",
    "--rules kalah",
    "--rules ece1021 --direction backward --opening 1,30,0,0,14,13,0,27,0,1,0,15,0,2",
];

#[test]
fn example_bots_in_all_languages_play_the_same_moves() {
    let folder = tempfile::tempdir().unwrap();
    let bots = bots(folder.path());
    let pairs: Vec<(&str, &str)> = bots.windows(2).map(|two| (&two[0][..], &two[1][..])).collect();
    for rules in RULES {
        let records = play_all(rules, &pairs);
        let mut games = records.iter().flat_map(|record| games(record));
        if let Some(game) = games.next() {
            for other in games {
                assert_eq!(other, game, "{rules}");
            }
        }
        let holding = format!("\n{0} of {0} matches are valid\n", pairs.len());
        if !pairs.is_empty() {
            mancala(["replay", "-"]).stdin(records.concat()).run().success().says(&holding);
        }
    }
}

#[test]
fn example_bots_in_the_sandbox_play_the_same_moves() {
    if !requirements::sandbox_is_there("languages in the sandbox") {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let bots = bots(folder.path());
    let pairs: Vec<(&str, &str)> = bots.windows(2).map(|two| (&two[0][..], &two[1][..])).collect();
    for rules in ["--rules learneroo --sandbox", "--rules ece1021 --sandbox"] {
        let records = play_all(rules, &pairs);
        let without = play_all(rules.trim_end_matches(" --sandbox"), &pairs[..1]);
        let game = games(&without[0]);
        for record in &records {
            assert!(record.contains("\"sandbox\":{"));
            assert_eq!(games(record), game, "{rules}");
        }
    }
}

#[test]
fn a_bot_that_is_told_an_unknown_version_says_so_and_exits() {
    let folder = tempfile::tempdir().unwrap();
    let start = r#"{"type":"start","protocol":2,"round":1,"first":true,"you":"a","opponent":"b","rules":{"name":"learneroo","seeds":3,"opponent_store":"sow","direction":"forward","empty_capture":true},"board":[3,3,3,3,3,3,0,3,3,3,3,3,3,0],"move_time_ms":1000}"#;
    let turn = r#"{"type":"turn","turn":1,"board":[3,3,3,3,3,3,0,3,3,3,3,3,3,0],"legal":[0,1,2,3,4,5],"moves":[],"move_time_ms":1000}"#;
    let program = env!("CARGO_BIN_EXE_mancala");
    let builtin =
        ["random", "hard", "expert"].map(|level| format!("{level}='{program}' bot {level}"));
    for bot in bots(folder.path()).into_iter().chain(builtin) {
        let (name, command) = bot.split_once('=').unwrap();
        // One that reads to its end would take the rest for a question.
        let outcome = mancala([""]).instead(&["sh", "-c", command]);
        let outcome = outcome.stdin(format!("{start}\n{turn}\n")).run();
        assert_eq!((outcome.code, &*outcome.stdout), (Some(1), ""), "{name}: {outcome:#?}");
        assert!(outcome.stderr.contains("version 2"), "{name}: {outcome:#?}");
    }
}

/// The command lines of the bots that can run here, compiled where they need to be.
pub fn bots(folder: &Path) -> Vec<String> {
    let mut bots = Vec::new();
    for (name, command) in [
        ("python", "python3 examples/python/greedy.py"),
        ("javascript", "node examples/javascript/greedy.js"),
        ("bash", "bash examples/bash/greedy.sh"),
    ] {
        if requirements::are_there(command, name) {
            bots.push(format!("{name}={command}"));
        }
    }
    if requirements::are_there("cc", "c") {
        let program = folder.join("greedy");
        let program = program.to_str().unwrap();
        let flags = ["-O2", "-Wall", "-Wextra", "-Werror", "-std=c11", "-o", program];
        build("cc", &[&flags[..], &["examples/c/greedy.c"]].concat());
        bots.push(format!("c='{program}'"));
    }
    if requirements::are_there("java javac", "java") {
        let classes = folder.join("classes");
        let classes = classes.to_str().unwrap();
        build("javac", &["-Xlint:all", "-Werror", "-d", classes, "examples/java/Greedy.java"]);
        bots.push(format!("java=java -cp '{classes}' Greedy"));
    }
    // `cargo test` builds the examples beside its tests; with `--test` it does not.
    let rust = rust_example();
    if requirements::is_built(&rust, "rust") {
        bots.push(format!("rust='{}'", rust.to_str().unwrap()));
    }
    bots
}

/// Where cargo puts the example: `target/<profile>/examples/`; this test is in `deps/`.
fn rust_example() -> PathBuf {
    let test = std::env::current_exe().unwrap();
    let profile = test.parent().and_then(Path::parent).unwrap();
    profile.join("examples/greedy")
}

fn build(compiler: &str, arguments: &[&str]) {
    let output = Command::new(compiler).args(arguments).current_dir(repository()).output();
    let output = output.expect("the compiler starts");
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{compiler} {arguments:?}:\n{said}");
}

/// Plays all pairs under the same rules, a few at a time; returns the records as they are written.
fn play_all(rules: &str, pairs: &[(&str, &str)]) -> Vec<String> {
    let next = AtomicUsize::new(0);
    let work = || {
        let mut records = Vec::new();
        while let Some(pair) = pairs.get(next.fetch_add(1, Ordering::Relaxed)) {
            records.push(play(rules, *pair));
        }
        records
    };
    let workers = std::thread::available_parallelism().map_or(1, usize::from);
    std::thread::scope(|scope| {
        let workers: Vec<_> = (0..workers).map(|_| scope.spawn(work)).collect();
        workers.into_iter().flat_map(|worker| worker.join().unwrap()).collect()
    })
}

/// Plays one match, in which nobody is at fault.
fn play(rules: &str, (one, other): (&str, &str)) -> String {
    // Time is not the question here, and the machine may be busy.
    let options = "--strict --format json --move-time 20s --start-time 60s";
    let arguments = ["match"].into_iter().chain(options.split(' ')).chain(rules.split(' '));
    let outcome = mancala(arguments.chain([one, other])).run();
    // The sandbox says on stderr what is in force.
    let sandbox_notice = rules.contains("--sandbox");
    if sandbox_notice { outcome.code(0).stdout } else { outcome.success().stdout }
}

/// The two rounds of a match: who moved (the one who began or not) and what.
fn games(record: &str) -> Vec<Vec<(bool, House, Option<Direction>)>> {
    let record: MatchRecord = serde_json::from_str(record).unwrap();
    let rounds = record.rounds.iter();
    let games: Vec<Vec<_>> = rounds
        .map(|round| {
            let moves = round.moves.iter();
            moves.map(|made| (made.bot == round.first, made.house, made.direction)).collect()
        })
        .collect();
    assert_eq!(games[0], games[1], "both rounds are the same game");
    assert!(games[0].len() > 5, "{games:?}");
    games
}
