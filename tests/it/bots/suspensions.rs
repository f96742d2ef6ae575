//! The referee suspended in mid-round, as by Ctrl-Z and `fg`: the round is played again, and after
//! the third time the match is unfinished. Nobody forfeits.

use std::fs;
use std::process::{Child, Output};
use std::time::Duration;

use rustix::process::{Pid, Signal, kill_process};
use serde_json::Value;

use crate::program::{Outcome, mancala};
use crate::test_folder::{HANGS, TestFolder, wait_until};

/// A match of one round of at most twelve moves between bots in these two modes, with a record.
fn a_match(folder: &TestFolder, modes: [&str; 2], options: &[&str]) -> Child {
    mancala(["match", "--rounds=1", "--max-moves=12", "--margin=0ms", "--start-time=0s"])
        .args(["--record", &folder.file("record")])
        .args(options)
        .args(modes.map(|mode| folder.bot(mode)))
        .start()
}

/// Stops the program when a bot announces that it thinks, and lets it continue after `time`. Where
/// the machine was late by itself, the match may be over before.
fn suspend(folder: &TestFolder, child: &mut Child, time: Duration) {
    let referee = Pid::from_child(child);
    let mut is_over = false;
    wait_until("no bot thinks", || {
        is_over = child.try_wait().expect("it can be looked at").is_some();
        is_over || folder.path().join("done").exists()
    });
    if is_over {
        return;
    }
    fs::remove_file(folder.file("done")).expect("it is there");
    kill_process(referee, Signal::STOP).expect("mancala is there");
    std::thread::sleep(time);
    kill_process(referee, Signal::CONT).expect("mancala is there");
}

fn outcome_of(child: Child) -> Outcome {
    let (send, ended) = std::sync::mpsc::channel();
    std::thread::spawn(move || send.send(child.wait_with_output()));
    let output: Output = ended.recv_timeout(HANGS).expect("it ends").expect("it can be waited for");
    Outcome::of(&output)
}

/// A match that is suspended this number of times in the middle of its round.
fn suspended(folder: &TestFolder, times: u32) -> Outcome {
    // Each move takes some 50 ms of the 800 ms that it may, so that only a stop makes one late. The
    // second turn of the first bot comes once in every attempt at the round.
    let mut child = a_match(folder, ["slowly 1 2", "slowly 9 9"], &["--move-time=800ms"]);
    for _ in 0..times {
        suspend(folder, &mut child, Duration::from_millis(1600));
    }
    outcome_of(child)
}

/// The bots have answered long before the referee looks again.
#[test]
fn a_round_is_replayed_after_up_to_two_suspensions() {
    let is_replayed_twice = || {
        let folder = TestFolder::new();
        let outcome = suspended(&folder, 2);
        folder.none_left();
        // The machine was late by itself, too.
        if outcome.is_unfinished() {
            return false;
        }
        outcome.success();
        let record: Value = serde_json::from_str(&folder.read("record")).expect("one record");
        assert_eq!(record["rounds"][0]["result"]["reason"], "completed", "{record:#}");
        record["rounds"][0]["replayed"] == 2
    };
    assert!((0..5).any(|_| is_replayed_twice()), "no round was played twice again");
}

#[test]
fn a_match_is_unfinished_after_three_suspensions() {
    let folder = TestFolder::new();
    let outcome = suspended(&folder, 3);
    assert!(outcome.stderr.contains("unfinished and does not count"), "{outcome:#?}");
    outcome.failure(1, "the machine, not a bot, was late 3 times");
    assert_eq!(folder.read("record"), "");
    folder.none_left();
}

/// The referee is awake again when the time is over, but it cannot know what it missed.
#[test]
fn a_suspension_within_the_limit_is_detected() {
    let folder = TestFolder::new();
    let mut child = a_match(&folder, ["hang", "hang"], &["--move-time=2s"]);
    // Once in every attempt, as soon as the bot hangs.
    for _ in 0..3 {
        suspend(&folder, &mut child, Duration::from_millis(400));
    }
    outcome_of(child).failure(1, "the machine, not a bot, was late 3 times");
    folder.none_left();
}

/// A time bank is not charged with what the machine took.
#[test]
fn a_suspension_is_not_charged_to_a_time_bank() {
    let folder = TestFolder::new();
    let mut child = mancala(["match", "--rounds=1", "--max-moves=8", "--game-time=5s"])
        .args(["--start-time=0s", "--record", &folder.file("record")])
        .args([folder.bot("slowly 1 1"), folder.bot("slowly 1 3")])
        .start();
    // Each of the eight moves takes some 50 ms.
    for _ in 0..2 {
        suspend(&folder, &mut child, Duration::from_secs(2));
    }
    outcome_of(child).success();
    let record: Value = serde_json::from_str(&folder.read("record")).expect("one record");
    let round = &record["rounds"][0];
    assert_eq!(round["result"]["reason"], "move_limit", "{record:#}");
    assert_eq!(round["replayed"], Value::Null, "{record:#}");
    for played in round["moves"].as_array().expect("moves") {
        // The referee looks at the clock ten times a second.
        let time = played["ms"].as_f64().expect("a time");
        assert!(time < 1000.0, "{record:#}");
    }
    mancala(["replay", &folder.file("record")]).run().success();
    folder.none_left();
}
