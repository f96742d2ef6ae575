//! `mancala solve`: exact values through the real program.

use std::process::{ChildStdout, Stdio};

use rustix::process::{Pid, Signal, kill_process};
use serde_json::Value;
use signal_hook::consts::SIGINT;

use crate::program::{Run, mancala, wait_until_handled};
use crate::terminal::Terminal;
use crate::test_folder::status_of;

#[test]
fn values_of_standard_openings_are_the_published_ones() {
    let json = mancala(["solve", "--format", "json"]).run().success().json();
    assert_eq!(json["format"], "mancala-solve/1");
    assert_eq!(json["rules"]["name"], "learneroo");
    assert_eq!((&json["value"], &json["exact"]), (&2.into(), &true.into()));
    let values: Vec<i64> = (0..6)
        .map(|cell| {
            assert_eq!(json["moves"][cell]["move"], cell);
            json["moves"][cell]["value"].as_i64().unwrap()
        })
        .collect();
    assert_eq!(values, [-14, -16, -10, 0, 2, 0]);
    assert_eq!(json["line"][0], serde_json::json!({"by": 0, "move": 4}));
    assert!(json["nodes"].as_u64().unwrap() > 0 && json["ms"].as_f64().unwrap() > 0.0);
}

#[test]
fn best_prints_the_value_and_one_best_move() {
    let ece1021 = ["solve", "--rules", "ece1021", "--seeds", "3", "--best"];
    let json = mancala(ece1021).args(["--format", "json"]).run().success().json();
    assert_eq!(json["value"], 2);
    assert_eq!(json["moves"].as_array().unwrap().len(), 1);
    assert_eq!(json["moves"][0]["value"], 2);
    let table = mancala(ece1021).run().success();
    table.says("value: +2, the player to move wins 19-17 under best play").says("best play: ");
}

#[test]
fn values_exclude_stores_and_scores_include_them() {
    let opening = ["solve", "--rules=ece1021", "--opening=1,0,0,0,0,1,17,0,0,0,0,5,0,0"];
    let table = mancala(opening).run().success();
    let words =
        "value: +7 from here on; with the stores the player to move wins 24-0 under best play";
    table.says(words).says("24-0");
    let csv = mancala(opening).args(["--format", "csv"]).run().success();
    assert_eq!(
        csv.stdout.lines().take(2).collect::<Vec<_>>(),
        ["move,direction,at_least,at_most,exact", "0,forward,7,7,true"]
    );
}

#[test]
fn unsolved_positions_have_bounds() {
    let json = mancala(["solve", "--seeds=9", "--time=300ms", "--best", "--format=json"])
        .run()
        .success()
        .json();
    assert_eq!(json["exact"], false);
    let at_least = json["value"]["at_least"].as_i64().unwrap();
    let at_most = json["value"]["at_most"].as_i64().unwrap();
    assert!(-108 <= at_least && at_least < at_most && at_most <= 108);
    assert_eq!(json["moves"].as_array().unwrap().len(), 0);
    // The bounds are in every format.
    let best = ["solve", "--seeds=9", "--time=1ms", "--best", "--format=csv"];
    let csv = mancala(best).run().success();
    assert_eq!(csv.stdout, "move,direction,at_least,at_most,exact\n,,-108,108,false\n");
    // No move is told to be worth more than the position.
    let all = ["solve", "--seeds=9", "--time=500ms", "--format=json"];
    let json = mancala(all).run().success().json();
    let at_most = |value: &Value| value.as_i64().or(value["at_most"].as_i64()).unwrap();
    for found in json["moves"].as_array().unwrap() {
        assert!(at_most(&found["value"]) <= at_most(&json["value"]), "{json}");
    }
}

/// With so little memory for the whole program, in KiB.
pub fn with_little_memory(arguments: &[&str], kib: u32) -> Run {
    let limit = format!("ulimit -v {kib}; exec \"$@\"");
    mancala(arguments).behind(&["sh", "-c", &limit, "sh"])
}

#[test]
fn too_much_memory_for_the_solver_is_an_error_of_one_line() {
    let why = "the system has no 4GiB of memory; give --memory a smaller size";
    for arguments in
        [&["solve", "--memory=4GiB"][..], &["openings", "fair", "--memory=4GiB", "--count=1"]]
    {
        with_little_memory(arguments, 1_000_000).run().failure(1, why);
    }
    let enough = ["solve", "--seeds=2", "--memory=16MiB", "--best"];
    with_little_memory(&enough, 1_000_000).run().success().says("best play");
    // Wherever in the work there is no more; with the least there is too little, and with the most
    // enough.
    let mut codes = Vec::new();
    for kib in (40_000..80_000).step_by(2_000) {
        let hard = ["solve", "--seeds=9", "--memory=32MiB", "--time=500ms", "--best"];
        let outcome = with_little_memory(&hard, kib).run();
        codes.push(outcome.code);
        match outcome.code {
            Some(0) => outcome.success().says("value: "),
            _ => outcome.failure(1, "the system has no 32"),
        };
    }
    assert_eq!((codes[0], codes[codes.len() - 1]), (Some(1), Some(0)), "{codes:?}");
}

#[test]
fn a_terminal_shows_the_progress_of_solving() {
    // The first bounds come after the table of endgames, which is small in so little memory.
    let arguments = ["solve", "--seeds=9", "--time=1h", "--memory=64MiB"];
    let Some(mut terminal) = Terminal::start(&arguments, (50, 24)) else { return };
    terminal.wait_for("0 s: solving…");
    terminal.wait_for(" s: value proven so far: ");
    // The seconds go on without any news.
    terminal.wait_for("6 s: ");
    terminal.type_in("\x03");
    let (code, output) = terminal.end();
    assert_eq!(code, Some(130), "{output}");
    assert!(output.contains("not solved") && output.contains("mancala: interrupted"), "{output}");
    // On a busy machine the moves may be solved before the interrupt arrives.
    let is_interrupted = || {
        let arguments = ["solve", "--seeds=3", "--rules=ece1021"];
        let mut terminal = Terminal::start(&arguments, (80, 24)).expect("as above");
        terminal.wait_for(" s: value: +2; solving each move");
        terminal.type_in("\x03");
        let (code, output) = terminal.end();
        assert!(output.contains("value: +2, the player to move wins 19-17"), "{output}");
        code == Some(130)
    };
    assert!((0..5).any(|_| is_interrupted()), "five interrupts came too late");
}

/// Sends Ctrl-C as soon as the program handles it, and returns what was written to stdout by then.
fn interrupted(run: Run) -> String {
    let mut command = run.command();
    let command = command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::null());
    let mut child = command.spawn().unwrap();
    wait_until_handled(&child, SIGINT);
    kill_process(Pid::from_child(&child), Signal::INT).unwrap();
    assert_eq!(status_of(&mut child).code(), Some(130));
    child.stdout.take().map(std::io::read_to_string::<ChildStdout>).unwrap().unwrap()
}

#[test]
fn an_interrupt_prints_the_bounds_so_far() {
    // Neither is solved while anybody waits.
    let found = interrupted(mancala(["solve", "--seeds=9", "--time=1h", "--format=json"]));
    let json: Value = serde_json::from_str(&found).unwrap();
    assert_eq!(json["exact"], false);
    assert!(json["value"]["at_least"].as_i64() < json["value"]["at_most"].as_i64());
    let found = interrupted(mancala(["openings", "fair", "--seeds=9", "--count=3"]));
    assert_eq!(found, "");
}

#[test]
fn rules_that_can_cycle_and_bad_positions_are_refused() {
    for arguments in [
        &["--direction=either", "--empty-capture=no"][..],
        &["--direction=backward", "--opponent-store=skip"],
        &["--direction=either", "--opponent-store=skip"],
    ] {
        let why = "a position can repeat";
        mancala(["solve"]).args(arguments).run().failure(2, why);
    }
    mancala(["solve", "--memory=0"]).run().failure(2, "must be from 1MiB to 1024GiB");
    mancala(["solve", "--memory=1KiB"]).run().failure(2, "must be from 1MiB to 1024GiB");
    mancala(["solve", "--memory=2TiB"]).run().failure(2, "must be from 1MiB to 1024GiB");
    mancala(["solve", "--memory=64mb"]).run().failure(2, "such as 256MiB or 2GiB");
    mancala(["solve", "--time=0s"]).run().failure(2, "at least 1ms");
    mancala(["solve", "--opening=0,0,0,0,0,0,9,1,0,0,0,0,0,0"]).run().failure(2, "no seed");
}

#[test]
fn the_expert_plays_exact_moves_from_the_book() {
    let record = mancala(["match", "builtin:expert", "builtin:random --seed=3"])
        .args(["--move-time=20s", "--format=json"])
        .run()
        .success()
        .json();
    assert_eq!(record["winner"], 0);
    for round in record["rounds"].as_array().unwrap() {
        for played in round["moves"].as_array().unwrap() {
            if played["bot"] == 0 {
                assert_eq!(played["info"]["exact"], true, "{played}");
            }
        }
    }
    // First to move it has +2 before its first move, as published.
    assert_eq!(record["rounds"][0]["moves"][0]["move"], 4);
    assert_eq!(record["rounds"][0]["moves"][0]["info"]["value"], 2);
}
