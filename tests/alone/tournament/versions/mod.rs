//! A tournament that lives: bots that change, come and go.

pub mod changed_meanwhile;
pub mod disqualified;
pub mod earlier_versions;
pub mod made_of;
pub mod updates;

use std::fs;
use std::os::unix::process::ExitStatusExt as _;
use std::path::Path;
use std::process::Child;
use std::time::Duration;

use serde_json::Value;

use crate::program::{Outcome, Run, mancala};
use crate::test_folder::{TestFolder, status_of};
use crate::tournaments::{config, tournament};

/// A bot that draws the lots of this seed.
fn write_bot(folder: &TestFolder, name: &str, seed: u64) {
    let program = env!("CARGO_BIN_EXE_mancala");
    let script = format!("exec '{program}' bot random --seed {seed}\n");
    fs::create_dir_all(folder.file("bots")).unwrap();
    fs::write(folder.file(&format!("bots/{name}.sh")), script).unwrap();
}

const CLASS: &str = "openings = \"random:2\"\ncount = 2\n\
                     [match]\nsandbox = false\n\
                     [[bots]]\nglob = \"bots/*.sh\"\ncommand = \"sh {path}\"\n";

/// The tournament of the folder's bots.
fn contest(folder: &TestFolder, record: &str, options: &[&str]) -> Run {
    let file = folder.file("contest.toml");
    if !Path::new(&file).exists() {
        config(folder, CLASS);
    }
    let run = tournament().args(["--config", &file, "--record", &folder.file(record)]);
    run.args(options)
}

/// What makes a script's process start slowly as long as this file is there, so that a tournament
/// does not end before it is killed.
fn slow_start(folder: &TestFolder) -> String {
    format!("if [ -e '{}' ]; then sleep 0.3; fi\n", folder.file("slow"))
}

/// Kills a tournament of bots that [start slowly](slow_start) as soon as this is true.
#[track_caller]
fn kill_once(folder: &TestFolder, mut child: Child, is_there: impl Fn() -> bool) {
    while !is_there() && child.try_wait().unwrap().is_none() {
        std::thread::sleep(Duration::from_millis(1));
    }
    child.kill().unwrap();
    let status = status_of(&mut child);
    assert_eq!(status.signal(), Some(9), "it has ended before it was killed: {status}");
    fs::remove_file(folder.file("slow")).unwrap();
}

fn play(folder: &TestFolder, record: &str, options: &[&str]) -> Outcome {
    contest(folder, record, options).run()
}

#[track_caller]
fn warns(run: &Outcome, words: &str) {
    assert!(run.stderr.contains(words), "{words:?} is not in\n{}", run.stderr);
}

/// The table of a file, and the tournament and rows of its standings.
fn table(folder: &TestFolder, record: &str) -> Value {
    mancala(["standings", "--format=json", &folder.file(record)]).run().success().json()
}

#[track_caller]
fn assert_as_fresh(folder: &TestFolder, record: &str, options: &[&str]) {
    let _ = fs::remove_file(folder.file("fresh"));
    play(folder, "fresh", options).success();
    let [updated, fresh] = [record, "fresh"].map(|record| table(folder, record).to_string());
    assert_eq!(updated.replace(',', "\n"), fresh.replace(',', "\n"));
}

/// The comments beside bots of a dumped configuration.
fn versions(run: &Outcome) -> Vec<String> {
    let comments = run.stdout.lines().filter_map(|line| line.strip_prefix("# version "));
    comments.map(str::to_owned).collect()
}
