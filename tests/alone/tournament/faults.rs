//! What a tournament says of faults while it is played, and how it stops at the first.

use std::fs;

use serde_json::Value;

use crate::program::{hostile, mancala};
use crate::runner::{Test, tests};
use crate::test_folder::TestFolder;
use crate::tournaments::{matches, tournament};

pub const TESTS: &[Test] = tests![
    the_first_fault_of_a_bot_is_printed_with_the_end_of_its_stderr,
    a_test_that_faults_decide_has_no_verdict,
    an_undecided_test_says_how_to_play_on,
    a_test_of_a_disqualified_bot_has_no_verdict_and_cannot_play_on,
    stop_on_fault_ends_the_tournament_at_the_first_fault,
    only_matches_that_can_be_played_are_counted
];

/// A bot that dies at its first move, as one with a wrong option does.
const DYING: &str = "old=sh -c 'read start; echo \"bad arg --dpeth\" >&2; exit 2'";

const OPENINGS: [&str; 2] = ["--openings=random:4", "--count=12"];

fn the_first_fault_of_a_bot_is_printed_with_the_end_of_its_stderr() {
    // Faults need attention, so --quiet does not hide them.
    let outcome =
        mancala(["tournament", "--quiet", "--jobs=1", "--oversubscribe", DYING, "builtin:easy"])
            .args(OPENINGS)
            .run()
            .code(0);
    let lines: Vec<&str> = outcome.stderr.lines().collect();
    let first = "mancala: first fault of bot \"old\": exited in match 1, round 1: ";
    assert!(lines[0].starts_with(first), "{outcome:?}");
    assert!(lines[0].ends_with("; its stderr ends with"), "{outcome:?}");
    assert_eq!(lines[1], "    bad arg --dpeth");
    assert!(
        lines[2].starts_with("mancala: bot \"old\" has 10 faults; the last: exited in match 5")
    );
    assert_eq!(lines.len(), 3, "24 faults in all: {outcome:?}");
}

fn a_test_that_faults_decide_has_no_verdict() {
    let run = tournament()
        .args(["builtin:easy", DYING, "--sprt=elo0=0,elo1=100", "--format=json"])
        .args(["--openings=random:6", "--count=400"]);
    let outcome = run.run().code(0);
    let last = outcome.stderr.lines().last().unwrap_or_default();
    assert!(last.contains("that of elo1=100 for easy against old; no verdict: "), "{last}");
    let found = outcome.json();
    let (test, matches) = (&found["sprt"], found["matches"].as_u64().unwrap());
    assert!(test["llr"].as_f64() >= test["upper"].as_f64(), "{test}");
    assert!(matches < 400, "it stops at the bound all the same: {matches}");
    assert_eq!(test["verdict"], Value::Null);
    let words = format!(
        "{0} of {0} rounds ended by forfeit or had substituted moves, more than 1 %",
        2 * matches
    );
    assert!(test["withheld"].as_str().unwrap().starts_with(&words), "{test}");
}

fn an_undecided_test_says_how_to_play_on() {
    let bots = ["builtin:random --seed 1", "builtin:random --seed 2"];
    let run = |arguments: &[&str]| {
        tournament().args(bots).args(["--sprt", "elo0=0 elo1=20"]).args(arguments).run().code(0)
    };
    let alone = run(&[]).stderr;
    assert!(alone.contains("--openings random:4 --count N"), "{alone}");
    assert!(!alone.contains("plays more"), "{alone}");
    let unrecorded = run(&["--openings=random:4", "--count=3"]).stderr;
    assert!(
        unrecorded.contains("plays more, from the beginning; add --record FILE"),
        "{unrecorded}"
    );
    // After one move by these rules there are five openings.
    for (suite, count, how, options) in [
        ("random:4", "3", "the same command with ", "--count 6 --resume"),
        ("random:1", "4", "the same command with ", "--count 5 --resume"),
        ("random:1", "5", "with another --record FILE, ", "--openings random:4 --count 10"),
    ] {
        let folder = TestFolder::new();
        let mut record = folder.file("test.jsonl");
        let more = run(&["--openings", suite, "--count", count, "--record", &record]).stderr;
        let words = format!("undecided after {count} matches; {how}{options} plays ");
        assert!(more.contains(&words), "{more}");
        // What it says can be done.
        let mut again: Vec<&str> = options.split(' ').collect();
        if options.ends_with("--resume") {
            again.extend(["--openings", suite]);
        } else {
            record = folder.file("another.jsonl");
        }
        run(&[&again[..], &["--record", &record]].concat());
        let played = matches(std::slice::from_ref(&record)).len();
        assert!(played > count.parse().unwrap(), "{options}: {played}");
    }
}

fn a_test_of_a_disqualified_bot_has_no_verdict_and_cannot_play_on() {
    let folder = TestFolder::new();
    let outcome = tournament()
        .args(["builtin:random", DYING, "--sprt=elo0=0,elo1=20", "--disqualify-after=1"])
        .args(["--openings=random:4", "--count=3", "--record", &folder.file("test.jsonl")])
        .run()
        .code(0);
    let words = "the test has no verdict: bot \"old\" is disqualified\n";
    assert!(outcome.stderr.contains(words) && !outcome.stderr.contains("plays on"), "{outcome:?}");
}

fn stop_on_fault_ends_the_tournament_at_the_first_fault() {
    let folder = TestFolder::new();
    let (record, events) = (folder.file("record"), folder.file("events"));
    let faulty = format!("faulty={}", hostile("exit-at-launch"));
    let bots = ["builtin:easy", "builtin:random", &faulty];
    let play = |more: &[&str]| {
        let run =
            mancala(["tournament", "--jobs=1", "--oversubscribe", "--record", &record]).args(bots);
        run.args(OPENINGS).args(more).run()
    };
    let outcome = play(&["--stop-on-fault", "--events", &events]).code(0);
    let played = matches(std::slice::from_ref(&record)).len();
    assert!(played < 36, "{outcome:?}");
    let are = if played == 1 { "is" } else { "are" };
    let words = format!(
        "{played} of 36 matches {are} played; without --stop-on-fault, the same command with --resume \
         plays the rest; after the bot is fixed, --update does"
    );
    assert!(outcome.stderr.contains(&words), "{outcome:?}");
    assert!(outcome.stderr.contains("first fault of bot \"faulty\""), "{outcome:?}");
    let words = "stopping at the first fault (--stop-on-fault) after 1 running match\n";
    assert!(outcome.stderr.contains(words) && !outcome.stderr.contains("Ctrl-C"), "{outcome:?}");
    let events = fs::read_to_string(&events).unwrap();
    let events: Vec<Value> =
        events.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!(events.last().unwrap()["reason"], "interrupted");
    let count = events.iter().filter(|event| event["event"] == "fault").count();
    assert!((1..=2).contains(&count), "no match began after the first fault: {count}");
    assert!(events.iter().all(|event| event["stderr"].is_null()));
    // It ends at the first fault of the next run, too; --strict says so by its exit code.
    let outcome = play(&["--stop-on-fault", "--resume", "--strict"]).code(3);
    // Nor is that fault its first.
    assert!(!outcome.stderr.contains("first fault of"), "{outcome:?}");
    assert!(matches(std::slice::from_ref(&record)).len() < 36);
    play(&["--resume"]).code(0);
    assert_eq!(matches(std::slice::from_ref(&record)).len(), 36);
}

fn only_matches_that_can_be_played_are_counted() {
    let folder = TestFolder::new();
    let record = folder.file("record");
    let faulty = format!("faulty={}", hostile("exit-at-launch"));
    let unsound = "unsound=sh -c 'read start; read turn; echo nothing; read turn'";
    let outcome = mancala(["tournament", "--jobs=1", "--oversubscribe", "--record", &record])
        .args(["builtin:easy", "builtin:random", &faulty, unsound])
        .args(["--disqualify-after=1", "--openings=random:4", "--count=12"])
        .run()
        .code(0);
    // Of 72 matches 12 have no disqualified bot.
    outcome.says("12 matches, 24 rounds; 60 others are of disqualified bots");
    let cut: String = fs::read_to_string(&record).unwrap().split_inclusive('\n').take(12).collect();
    fs::write(&record, cut).unwrap();
    let outcome = mancala(["standings", &record]).run().success();
    let first = outcome.stdout.lines().next().unwrap();
    assert!(
        first.contains(" of 12, ") && first.contains("60 others are of disqualified"),
        "{first}"
    );
}
