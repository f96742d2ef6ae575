//! Whole contests as people hold them: bots of several languages, hostile ones among them, whatever
//! is killed on the way, on one machine or in parts.

use std::fs;
use std::process::Child;

use rustix::process::{Pid, Signal, kill_process};
use serde_json::Value;

use crate::program::{hostile, mancala, path, repository};
use crate::requirements;
use crate::runner::{Test, tests};
use crate::test_folder::{TestFolder, status_of};
use crate::tournaments::{lines, matches, tournament};

pub const TESTS: &[Test] = tests![
    a_tournament_with_a_bot_that_kills_its_warden,
    a_sandboxed_tournament_with_a_bot_that_kills_all_it_can
];

/// Ten bots in C, Python, JavaScript, bash and Rust that play the same again; the first two attack.
fn bots(folder: &TestFolder, attacks: [&str; 2]) -> Option<Vec<String>> {
    let needed = "cc python3 node bash";
    if !requirements::are_there(needed, "a contest of bots in four languages") {
        return None;
    }
    let compiled = folder.file("greedy-c");
    let source = path(repository().join("examples/c/greedy.c"));
    let cc = std::process::Command::new("cc").args(["-O1", "-o", &compiled, &source]).status();
    assert!(cc.expect("cc starts").success());
    let example = |name: &str| path(repository().join("examples").join(name));
    let mut bots: Vec<String> = attacks.iter().map(|attack| (*attack).to_owned()).collect();
    bots.extend([
        format!("c={compiled}"),
        format!("python=python3 {}", example("python/greedy.py")),
        format!("node=node {}", example("javascript/greedy.js")),
        format!("bash=bash {}", example("bash/greedy.sh")),
        format!("sound={}", hostile("sound 1 1")),
        "random=builtin:random --seed 1".to_owned(),
        "easy=builtin:easy --seed 2".to_owned(),
        "average=builtin:average --seed 3".to_owned(),
    ]);
    Some(bots)
}

/// Time enough that a busy machine makes nobody late.
const OPTIONS: [&str; 2] = ["--openings=random:3", "--move-time=20s"];

fn begun(bots: &[String], options: &[&str], record: &str, at_least: usize) -> Child {
    let run = tournament().args(bots).args(OPTIONS).args(options).args(["--record", record]);
    let mut child = run.command().spawn().expect("mancala starts");
    let played = || fs::read_to_string(record).unwrap_or_default().lines().count();
    while played() < at_least && child.try_wait().expect("it is waited for").is_none() {
        std::thread::sleep(std::time::Duration::from_millis(2));
    }
    child
}

fn kill_a_worker(of: &Child) {
    let children = fs::read_to_string(format!("/proc/{0}/task/{0}/children", of.id()));
    let first = children.ok().and_then(|pids| pids.split_whitespace().next()?.parse().ok());
    if let Some(worker) = first.and_then(Pid::from_raw) {
        let _ = kill_process(worker, Signal::KILL);
    }
}

/// The table of these files.
fn table<F: AsRef<str>>(files: &[F]) -> Value {
    let files = files.iter().map(AsRef::as_ref);
    mancala(["standings", "--format=json"]).args(files).run().code(0).json()
}

/// Only the bot that leaves is at fault, and perhaps the one that attacks.
#[track_caller]
fn assert_only_the_guilty(table: &Value) {
    for row in table["rows"].as_array().expect("there are rows") {
        let has_faults = row["faults"].as_object().is_some_and(|faults| !faults.is_empty());
        match row["name"].as_str().expect("a row has a name") {
            "leaves" => assert!(has_faults, "{row:#}"),
            "killer" => {}
            _ => assert!(!has_faults, "{row:#}"),
        }
    }
}

/// Whatever is killed, and in how many parts it is played, the table is the same.
fn survives(folder: &TestFolder, bots: &[String], options: &[&str]) -> Value {
    let whole = folder.file("whole");
    tournament().args(bots).args(OPTIONS).args(options).args(["--record", &whole]).run().code(0);
    let undisturbed = table(&[&whole]);

    let record = folder.file("killed");
    let mut child = begun(bots, options, &record, 12);
    child.kill().expect("the coordinator is killed");
    status_of(&mut child);
    let resumed = [options, &["--resume"]].concat();
    let mut child = begun(bots, &resumed, &record, 25);
    kill_a_worker(&child);
    assert!(status_of(&mut child).success());
    assert_eq!(matches(&[&record]), matches(&[&whole]));
    assert_eq!(table(&[&record]), undisturbed);

    let parts = ["1/4", "2/4", "3/4", "4/4"].map(|shard| {
        let part = folder.file(&shard.replace('/', "-"));
        let run = tournament().args(bots).args(OPTIONS).args(options);
        run.args(["--shard", shard, "--record", &part]).run().code(0);
        part
    });
    assert_eq!(table(&parts), undisturbed);
    assert!(lines(&whole).len() > 45);
    undisturbed
}

fn a_tournament_with_a_bot_that_kills_its_warden() {
    let folder = TestFolder::new();
    let killer = format!("killer={}", hostile("kill-wardens 1 1"));
    let faulty = format!("leaves={}", hostile("exit-3 2 1"));
    let Some(bots) = bots(&folder, [&killer, &faulty]) else { return };
    let table = survives(&folder, &bots, &[]);
    assert_only_the_guilty(&table);
    folder.none_left();
}

fn a_sandboxed_tournament_with_a_bot_that_kills_all_it_can() {
    if !requirements::sandbox_is_there("a contest in the sandbox") {
        return;
    }
    let folder = TestFolder::new();
    let killer = format!("killer={}", hostile("kill-everything 1 1"));
    let faulty = format!("leaves={}", hostile("exit-3 2 1"));
    let Some(bots) = bots(&folder, [&killer, &faulty]) else { return };
    let table = survives(&folder, &bots, &["--sandbox"]);
    assert_only_the_guilty(&table);
    folder.none_left();
}
