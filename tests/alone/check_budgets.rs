//! `mancala check` keeps its budget of time.

use serde_json::Value;

use crate::program::{Outcome, Run, hostile, mancala};
use crate::runner::{Test, tests};

pub const TESTS: &[Test] =
    tests![a_check_of_a_silent_bot_ends_early, a_check_keeps_its_budget_and_lists_what_it_left_out];

/// A check whose opponents and positions are the same every time.
fn check(bot: &str) -> Run {
    mancala(["check", "--seed=1", bot])
}

/// For how many seconds the bot gave no answer in total, as the check says at its end.
#[track_caller]
fn silence(outcome: &Outcome) -> u64 {
    let words: Vec<&str> = outcome.stdout.split_whitespace().collect();
    let text = words.join(" ");
    let (_, after) = text.rsplit_once("it was waited for ").expect("a silence");
    let (seconds, _) = after.split_once(" s in total).").expect("its length");
    seconds.parse().expect("a number")
}

fn a_check_of_a_silent_bot_ends_early() {
    let options = ["--budget=24s", "--start-time=500ms", "--move-time=300ms"];
    let outcome = check("sleep 100").args(options).run().code(3);
    let outcome = outcome.says("1. fault: it does not answer.");
    // 15 s are enough where the budget is a minute, and 8 s here: it is told how long it was waited
    // for. A check that does not end early comes to 17 s. Where the machine is late, a round is played
    // again within the same budget.
    assert!((8..=13).contains(&silence(&outcome)), "{outcome:#?}");
    assert_eq!(outcome.stderr, "");
}

fn a_check_keeps_its_budget_and_lists_what_it_left_out() {
    // 350 ms for every answer in the first rounds.
    let options = ["--budget=3s", "--move-time=500ms", "--format=json"];
    let outcome = check(&hostile("most-of-its-time 1 0")).args(options).run().code(3);
    let report = outcome.json();
    assert_eq!(report["budget_ms"], 3000);
    // The last of them may begin just before the end.
    let first_answers = report["times"]["first_answers"]["count"].as_u64().expect("a count");
    assert!((3..=9).contains(&first_answers), "{outcome:#?}");
    let left_out = |probe: &&Value| {
        let why = probe["cut_short"].as_str().unwrap_or_default();
        why.contains("the budget of 3s is spent")
    };
    let probes = report["probes"].as_array().expect("probes");
    assert!(probes.iter().filter(left_out).count() > 2, "{outcome:#?}");
    // A thought that is longer than the whole budget is not waited for.
    let options = ["--budget=2s", "--move-time=1h"];
    let outcome = check(&hostile("hang")).args(options).run().code(1);
    assert!(outcome.stderr.contains("gave no answer in this time, so"), "{outcome:#?}");
    assert!((1..=4).contains(&silence(&outcome)), "{outcome:#?}");
    outcome.says("gave no answer in this time, so");
}
