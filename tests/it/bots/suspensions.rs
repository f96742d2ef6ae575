//! The referee suspended in mid-round, as by Ctrl-Z and `fg`: the round is played again, and after
//! the third time the match is unfinished. Nobody forfeits.

use std::fs;
use std::process::{Child, Output};
use std::time::Duration;

use rustix::process::{Pid, Signal, kill_process};
use serde_json::Value;

use crate::program::mancala;
use crate::test_folder::{HANGS, TestFolder};

/// A match of one round of at most twelve moves between bots in these two modes, with a record.
fn a_match(folder: &TestFolder, modes: [&str; 2], options: &[&str]) -> Child {
    mancala(["match", "--rounds=1", "--max-moves=12", "--margin=0ms", "--start-time=0s"])
        .args(["--record", &folder.file("record")])
        .args(options)
        .args(modes.map(|mode| folder.bot(mode)))
        .start()
}

/// Stops the program when a bot announces that it thinks, and lets it continue after `time`.
fn suspend(folder: &TestFolder, child: &Child, time: Duration) {
    let referee = Pid::from_child(child);
    folder.wait_for("done");
    fs::remove_file(folder.file("done")).expect("it is there");
    kill_process(referee, Signal::STOP).expect("mancala is there");
    std::thread::sleep(time);
    kill_process(referee, Signal::CONT).expect("mancala is there");
}

fn output_of(child: Child) -> (Option<i32>, String) {
    let (send, ended) = std::sync::mpsc::channel();
    std::thread::spawn(move || send.send(child.wait_with_output()));
    let output: Output = ended.recv_timeout(HANGS).expect("it ends").expect("it can be waited for");
    (output.status.code(), String::from_utf8_lossy(&output.stderr).into_owned())
}

/// A match that is suspended this number of times in the middle of its round.
fn suspended(folder: &TestFolder, times: u32) -> (Option<i32>, String) {
    // Each move takes some 50 ms of the 800 ms that it may, so that only a stop makes one late. The
    // second turn of the first bot comes once in every attempt at the round.
    let child = a_match(folder, ["slowly 1 2", "slowly 9 9"], &["--move-time=800ms"]);
    for _ in 0..times {
        suspend(folder, &child, Duration::from_millis(1600));
    }
    output_of(child)
}

/// The bots have answered long before the referee looks again.
#[test]
fn a_round_is_replayed_after_up_to_two_suspensions() {
    let folder = TestFolder::new();
    let (code, stderr) = suspended(&folder, 2);
    assert_eq!((code, &*stderr), (Some(0), ""));
    let record: Value = serde_json::from_str(&folder.read("record")).expect("one record");
    assert_eq!(record["rounds"][0]["replayed"], 2, "{record:#}");
    assert_eq!(record["rounds"][0]["result"]["reason"], "completed", "{record:#}");
    folder.none_left();
}

#[test]
fn a_match_is_unfinished_after_three_suspensions() {
    let folder = TestFolder::new();
    let (code, stderr) = suspended(&folder, 3);
    let record = fs::read_to_string(folder.file("record")).unwrap_or_default();
    assert_eq!((code, &*record), (Some(1), ""), "{stderr}");
    assert!(stderr.contains("unfinished and does not count"), "{stderr}");
    assert!(stderr.contains("the machine, not a bot, was late 3 times"), "{stderr}");
    folder.none_left();
}

/// The referee is awake again when the time is over, but it cannot know what it missed.
#[test]
fn a_suspension_within_the_limit_is_detected() {
    let folder = TestFolder::new();
    let child = a_match(&folder, ["hang", "hang"], &["--move-time=1s"]);
    // Once in every attempt, as soon as the bot hangs.
    for _ in 0..3 {
        suspend(&folder, &child, Duration::from_millis(400));
    }
    let (code, stderr) = output_of(child);
    assert_eq!(code, Some(1), "{stderr}");
    assert!(stderr.contains("the machine, not a bot, was late 3 times"), "{stderr}");
    folder.none_left();
}

/// A time bank is not charged with what the machine took.
#[test]
fn a_suspension_is_not_charged_to_a_time_bank() {
    let folder = TestFolder::new();
    let child = mancala(["match", "--rounds=1", "--max-moves=8", "--game-time=1s"])
        .args(["--start-time=0s", "--record", &folder.file("record")])
        .args([folder.bot("slowly 1 1"), folder.bot("slowly 1 3")])
        .start();
    // Each of the eight moves takes some 50 ms.
    for _ in 0..2 {
        suspend(&folder, &child, Duration::from_millis(600));
    }
    let (code, stderr) = output_of(child);
    assert_eq!((code, &*stderr), (Some(0), ""));
    let record: Value = serde_json::from_str(&folder.read("record")).expect("one record");
    let round = &record["rounds"][0];
    assert_eq!(round["result"]["reason"], "move_limit", "{record:#}");
    assert_eq!(round["replayed"], Value::Null, "{record:#}");
    for played in round["moves"].as_array().expect("moves") {
        // The referee looks at the clock ten times a second.
        let time = played["ms"].as_f64().expect("a time");
        assert!(time < 300.0, "{record:#}");
    }
    mancala(["replay", &folder.file("record")]).run().success();
    folder.none_left();
}
