//! `mancala solve`: exact values through the real program.

use std::process::{ChildStdout, Stdio};
use std::thread::sleep;
use std::time::Duration;

use rustix::process::{Pid, Signal, kill_process};

use super::kit::{Run, mancala};
use super::stage::status_of;

#[test]
fn the_standard_openings_and_all_first_moves_are_worth_what_is_known() {
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
fn best_gives_the_value_and_one_move_that_keeps_it() {
    let ece1021 = ["solve", "--rules", "ece1021", "--seeds", "3", "--best"];
    let json = mancala(ece1021).args(["--format", "json"]).run().success().json();
    assert_eq!(json["value"], 2);
    assert_eq!(json["moves"].as_array().unwrap().len(), 1);
    assert_eq!(json["moves"][0]["value"], 2);
    let table = mancala(ece1021).run().success();
    table.says("value: +2, the player to move wins 19-17 under best play").says("best play: ");
}

#[test]
fn stores_are_left_out_of_the_value_and_counted_in_the_score() {
    let opening = ["solve", "--rules=ece1021", "--opening=1,0,0,0,0,1,17,0,0,0,0,5,0,0"];
    let table = mancala(opening).run().success();
    table.says("value: +7, the player to move wins 24-0 under best play").says("24-0");
    let csv = mancala(opening).args(["--format", "csv"]).run().success();
    assert_eq!(
        csv.stdout.lines().take(2).collect::<Vec<_>>(),
        ["move,direction,at_least,at_most,exact", "0,forward,7,7,true"]
    );
}

#[test]
fn what_is_not_solved_in_its_time_is_given_as_bounds() {
    let json = mancala(["solve", "--seeds=9", "--time=300ms", "--best", "--format=json"])
        .run()
        .success()
        .json();
    assert_eq!(json["exact"], false);
    let at_least = json["value"]["at_least"].as_i64().unwrap();
    let at_most = json["value"]["at_most"].as_i64().unwrap();
    assert!(-108 <= at_least && at_least < at_most && at_most <= 108);
    assert_eq!(json["moves"].as_array().unwrap().len(), 0);
}

/// Sends Ctrl-C a second after the start, long after it is listened for, and gives what was
/// written to stdout by then.
fn interrupted(run: Run) -> String {
    let mut command = run.command();
    let command = command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::null());
    let mut child = command.spawn().unwrap();
    sleep(Duration::from_secs(1));
    kill_process(Pid::from_child(&child), Signal::INT).unwrap();
    assert_eq!(status_of(&mut child).code(), Some(130));
    child.stdout.take().map(std::io::read_to_string::<ChildStdout>).unwrap().unwrap()
}

#[test]
fn an_interrupt_gives_the_bounds_so_far() {
    // Neither is solved while anybody waits.
    let found = interrupted(mancala(["solve", "--seeds=9", "--time=1h", "--format=json"]));
    let json: serde_json::Value = serde_json::from_str(&found).unwrap();
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
        let why = "play can come back to a position";
        mancala(["solve"]).args(arguments).run().failure(2, why);
    }
    mancala(["solve", "--memory=0"]).run().failure(2, "at least 1 MiB");
    mancala(["solve", "--time=0s"]).run().failure(2, "at least 1ms");
    mancala(["solve", "--opening=0,0,0,0,0,0,9,1,0,0,0,0,0,0"]).run().failure(2, "no seed");
}

#[test]
fn the_expert_plays_exactly_from_the_first_move_and_says_so() {
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
