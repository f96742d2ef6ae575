//! Bots that take all they can get. Every bomb has a cap here, so that the machine survives a limit
//! that is not in force: a bomb that reaches its cap was not stopped.

use std::fs;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use serde_json::Value;

use super::targets::{Targets, reports};
use crate::program::hostile;
use crate::requirements;

/// Longer than any of these matches takes, even where the machine has other things to do.
const HANGS: Duration = Duration::from_mins(2);

/// From this opening two hostile bots go to and fro, so that a match takes its time.
const TO_AND_FRO: &[&str] = &[
    "--direction=either",
    "--empty-capture=no",
    "--opening=1,0,0,0,0,0,0,1,0,0,0,0,0,0",
    "--max-moves=400",
];

fn bomb(targets: &Targets, mode: &str, cap: &str) -> String {
    hostile(&format!("{mode} 1 1 '{}' {cap}", targets.folder_of("desk")))
}

/// The bot behind a shell that limits itself first.
fn limited(limit: &str, bot: &str) -> String {
    let words = shell_words::quote(bot).into_owned();
    format!("sh -c \"ulimit {limit} && eval exec \\\"\\$0\\\"\" {words}")
}

fn reasons(record: &Value) -> Vec<&Value> {
    let rounds = record["rounds"].as_array().expect("rounds");
    rounds.iter().map(|round| &round["result"]["reason"]).collect()
}

#[test]
fn every_bomb_works_without_limits() {
    for (mode, cap, got) in [
        ("fork-bomb", "20", "20 processes"),
        ("fork-bomb-setsid", "20", "20 processes"),
        ("thread-bomb", "20", "20 threads"),
        ("memory-bomb", "32", "32 MiB"),
        ("memory-bomb-at-once", "32", "32 MiB"),
        ("memory-bomb-children", "32", "32 MiB in all"),
        ("file-bomb", "4", "4 MiB"),
        ("socket-bomb", "20", "20 MiB"),
        ("watch-bomb", "12", "12 thousand watches"),
        ("landlock", "20", "20 thousand rules"),
        ("splice", "20", "20 MiB"),
        ("nameless-bomb", "20", "20 MiB"),
        ("deep-bomb", "20", "20 MiB"),
        ("closed-bomb", "20", "20 MiB"),
    ] {
        let targets = Targets::new();
        let record = targets.record_of(&bomb(&targets, mode, cap), &[]);
        assert_eq!(reports(&record), [format!("attack {mode}: succeeded: {got}")]);
        assert_eq!(reasons(&record), ["completed", "completed"], "{mode}: {record:#}");
        if mode == "file-bomb" {
            let mut files = fs::read_dir(targets.folder_of("tmp")).expect("a folder");
            let file = files.next().expect("a file").expect("a file");
            assert_eq!(file.metadata().expect("it is there").len(), 4 * 1024 * 1024);
        }
    }
}

#[test]
fn a_bomb_that_is_refused_reports_it_and_plays_on() {
    for (mode, limit, cap, said) in [
        ("memory-bomb", "-v 200000", "1000", "MiB: memory allocation failed"),
        ("memory-bomb-at-once", "-v 200000", "", "after 0 MiB: memory allocation failed"),
        ("memory-bomb-children", "-v 60000", "4000", "8 of 8 children hold memory"),
        ("file-bomb", "-f 2048", "64", "MiB: File too large"),
    ] {
        let targets = Targets::new();
        let record = targets.record_of(&limited(limit, &bomb(&targets, mode, cap)), &[]);
        let [report] = &reports(&record)[..] else { panic!("{record:#}") };
        assert!(report.starts_with(&format!("attack {mode}: failed: after ")), "{report}");
        assert!(report.contains(said), "{said:?} is not in {report:?}");
        assert_eq!(reasons(&record), ["completed", "completed"], "{mode}: {record:#}");
    }
}

#[test]
fn a_cpu_burner_plays_until_its_limit() {
    let targets = Targets::new();
    let burner = bomb(&targets, "cpu-burner", "20");
    let record = targets.record_of(&burner, &[]);
    assert_eq!(reasons(&record), ["completed", "completed"], "{record:#}");

    let record = targets.record_of(&limited("-t 1", &burner), TO_AND_FRO);
    let result = &record["rounds"][0]["result"];
    assert_eq!(result["reason"], "exited", "{record:#}");
    let detail = result["fault"]["detail"].as_str().expect("a detail");
    assert!(detail.contains("was ended by signal"), "{detail}");
}

#[test]
fn reports_of_attacks_are_also_on_stderr() {
    let folder = tempfile::tempdir().expect("a folder is made");
    let mut bot = Command::new(env!("CARGO_BIN_EXE_hostile"))
        .args(["attack", "1", "1", &crate::program::path(folder.path())])
        .args(["read-variables=SECRET_", "read-file=/no/such/file"])
        .env("SECRET_TOKEN", "x")
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the bot starts");
    let lines = concat!(
        r#"{"type":"start","round":1,"first":true,"rules":{"direction":"forward"}}"#,
        "\n",
        r#"{"type":"turn","turn":1,"legal":[2],"move_time_ms":1000}"#,
        "\n"
    );
    let mut stdin = bot.stdin.take().expect("stdin is piped");
    std::io::Write::write_all(&mut stdin, lines.as_bytes()).expect("it reads");
    drop(stdin);
    let output = bot.wait_with_output().expect("it ends");
    assert_eq!(
        String::from_utf8_lossy(&output.stderr),
        "attack read-variables=SECRET_: succeeded: SECRET_TOKEN\n\
         attack read-file=/no/such/file: failed: No such file or directory (os error 2)\n"
    );
    let answer: Value = serde_json::from_slice(&output.stdout).expect("an answer");
    assert_eq!(answer["move"], 2);
}

/// Stands for a verdict where the system refuses a bomb what it wants.
const REFUSED: &str = "refused";

/// Bombs that the kernel refuses more where it limits their processes, and that are ended elsewhere.
const OF_PROCESSES: [&str; 3] = ["fork-bomb", "fork-bomb-setsid", "thread-bomb"];

/// A bomb, an option that is to stop it, a cap well beyond what that allows, and what the verdict
/// begins with, or [`REFUSED`].
const LIMITED: &[(&str, &str, &str, &str)] = &[
    ("memory-bomb", "--memory=256MiB", "2000", "out of memory (--memory 256MiB): "),
    ("memory-bomb-at-once", "--memory=256MiB", "65536", REFUSED),
    ("memory-bomb-children", "--memory=256MiB", "4000", "out of memory (--memory 256MiB): "),
    ("fork-bomb", "--processes=32", "200", "more than 32 processes and threads "),
    ("fork-bomb-setsid", "--processes=32", "200", "more than 32 processes and threads "),
    ("thread-bomb", "--processes=32", "10000", "more than 32 processes and threads "),
    ("file-bomb", "--file-size=16MiB", "200", REFUSED),
    ("cpu-burner", "--cpu-time=1s", "30", "out of processor time (--cpu-time 1s): "),
];

#[test]
fn a_limit_stops_every_bomb() {
    for &(mode, limit, cap, verdict) in LIMITED {
        check(mode, &[limit], cap, verdict);
    }
}

/// The same of what is held in the sandbox only.
const HELD: &[(&str, &str, &str, &str)] = &[
    ("socket-bomb", "--memory=16MiB", "20", "out of memory (--memory 16MiB): "),
    ("watch-bomb", "--memory=1GiB", "150", "more open or watched files, pipes and sockets than "),
    ("shm-window", "--memory=32MiB", "", "out of memory (--memory 32MiB): "),
    ("locks", "--memory=32MiB", "", "out of memory (--memory 32MiB): "),
    ("landlock", "--memory=16MiB", "1000", REFUSED),
    ("splice", "--memory=16MiB", "100", REFUSED),
    ("unreadable", "--file-size=16MiB", "100", "too large a file, or too many "),
    ("nameless-bomb", "--file-size=8MiB", "100", "too large a file, or too many "),
    ("deep-bomb", "--file-size=8MiB", "100", "too large a file, or too many "),
    ("closed-bomb", "--file-size=8MiB", "100", "too large a file, or too many "),
];

/// Holds the promise `files`.
#[test]
fn sandbox_limits_count_kernel_memory_and_deleted_files() {
    if !requirements::sandbox_is_there("bombs that no process counts") {
        return;
    }
    for &(mode, limit, cap, verdict) in HELD {
        check(mode, &["--sandbox", limit], cap, verdict);
    }
}

/// Holds the promise `memory`.
#[test]
fn a_limit_stops_every_bomb_in_the_sandbox() {
    if !requirements::sandbox_is_there("bombs in the sandbox") {
        return;
    }
    for &(mode, limit, cap, verdict) in LIMITED {
        check(mode, &["--sandbox", limit], cap, verdict);
    }
}

#[track_caller]
fn check(mode: &str, options: &[&str], cap: &str, verdict: &str) {
    let targets = Targets::new();
    // A bomb is set off in the first round only.
    let mut options = [options, &["--rounds=1"]].concat();
    options.extend(TO_AND_FRO.iter().filter(|_| mode == "cpu-burner"));
    let began = Instant::now();
    // However late a busy machine looks at it.
    let cap = if verdict == REFUSED { cap } else { &format!("{cap} until-ended") };
    let record = targets.record_of(&bomb(&targets, mode, cap), &options);
    assert!(began.elapsed() < HANGS, "{mode}");
    let result = &record["rounds"][0]["result"];
    let is_refused = result["fault"].is_null();
    if !OF_PROCESSES.contains(&mode) {
        assert_eq!(is_refused, verdict == REFUSED, "{mode}: {result:#}");
    }
    if is_refused {
        // What it wanted, and it played on.
        let report = reports(&record).concat();
        assert!(report.starts_with(&format!("attack {mode}: failed: ")), "{mode}: {record:#}");
    } else {
        // It was ended: its own loss, and nobody else's.
        assert_eq!(result["fault"]["bot"], 0, "{mode}: {result:#}");
        assert_eq!(result["reason"], "exited", "{mode}: {result:#}");
        let detail = result["fault"]["detail"].as_str().expect("a detail");
        assert!(detail.starts_with(verdict), "{mode}: {detail}");
    }
}
