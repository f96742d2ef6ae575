//! `mancala check` keeps its budget of time.

use std::time::{Duration, Instant};

use serde_json::Value;

use crate::program::{Run, hostile, mancala};
use crate::runner::{Test, tests};

pub const TESTS: &[Test] =
    tests![a_check_of_a_silent_bot_ends_early, a_check_keeps_its_budget_and_lists_what_it_left_out];

/// A check whose opponents and positions are the same every time.
fn check(bot: &str) -> Run {
    mancala(["check", "--seed=1", bot])
}

fn a_check_of_a_silent_bot_ends_early() {
    // Where the machine is late, rounds are played again within the same budget.
    let began = Instant::now();
    // Of a whole minute it would be 15 s. It is told how long it was waited for, not for how long
    // it would have been enough.
    let options = ["--budget=6s", "--start-time=2700ms", "--move-time=500ms"];
    let outcome = check("sleep 100").args(options).run().code(3);
    assert!(began.elapsed() < Duration::from_secs(12), "{:?}", began.elapsed());
    let outcome = outcome.says("1. fault: it does not answer.");
    let outcome = outcome.says("(it gave no answer for 4 s in total).");
    assert_eq!(outcome.stderr, "");
}

fn a_check_keeps_its_budget_and_lists_what_it_left_out() {
    let began = Instant::now();
    // 350 ms for every answer in the first rounds.
    let options = ["--budget=3s", "--move-time=500ms", "--format=json"];
    let outcome = check(&hostile("most-of-its-time 1 0")).args(options).run().code(3);
    assert!(began.elapsed() < Duration::from_secs(15), "{:?}", began.elapsed());
    let report = outcome.json();
    assert_eq!(report["budget_ms"], 3000);
    let left_out = |probe: &&Value| {
        let why = probe["cut_short"].as_str().unwrap_or_default();
        why.contains("the budget of 3s is spent")
    };
    let probes = report["probes"].as_array().expect("probes");
    assert!(probes.iter().filter(left_out).count() > 2, "{outcome:#?}");
    // A thought that is longer than the whole budget is not waited for.
    let began = Instant::now();
    let options = ["--budget=2s", "--move-time=1h"];
    let outcome = check(&hostile("hang")).args(options).run().success();
    assert!(began.elapsed() < Duration::from_secs(15), "{:?}", began.elapsed());
    outcome.says("(it gave no answer for 1 s in total).").says("gave no answer in this time, so");
}
