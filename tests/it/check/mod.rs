//! `mancala check`: what is wrong is found, each thing as itself and nothing else beside it, and
//! what is sound is called clean.

mod cases;
mod examples;
mod explanations;
mod flushes;
mod later_turns;
mod reference_report;
mod rounds;
mod silence;

use std::process::Stdio;

use rustix::process::{Pid, Signal, kill_process};

pub use self::cases::MODES;
use self::reference_report::{Probe, Report, ResultWord};
use crate::bots::languages;
use crate::processes;
use crate::program::{Outcome, Run, hostile, mancala, path};
use crate::requirements;
use crate::test_folder::{TestFolder, status_of};

/// A check whose opponents and positions are the same every time.
fn check(bot: &str) -> Run {
    mancala(["check", "--seed=1", bot])
}

/// Time is not the question, and the machine may be busy.
const UNHURRIED: [&str; 3] = ["--move-time=20s", "--start-time=60s", "--budget=10m"];

#[track_caller]
fn report(outcome: &Outcome) -> Report {
    serde_json::from_str(&outcome.stdout).unwrap_or_else(|error| panic!("{error}: {outcome:#?}"))
}

#[test]
fn the_built_in_bots_are_clean() {
    for bot in ["builtin:random", "builtin:easy", "builtin:average --seed 3"] {
        let outcome = check(bot).args(UNHURRIED).arg("--format=json").run().success();
        let report = report(&outcome);
        assert_eq!(report.findings.len(), 0, "{outcome:#?}");
        assert_eq!(report.probes.len(), 13);
        for probe in &report.probes {
            assert!(probe.result == ResultWord::Clean && probe.cut_short.is_none(), "{probe:?}");
            assert!(probe.answers > 0 || probe.probe == Probe::Times, "{probe:?}");
        }
        // Two rounds against two levels by each of five rulesets, and against two more by the first.
        assert_eq!(report.games.len(), 12);
        for games in &report.games {
            assert_eq!((games.won + games.drawn + games.lost, games.faulted), (2, 0), "{games:?}");
        }
        let times = report.times.other_answers.expect("there were answers");
        assert!(times.count > 200, "{times:?}");
        assert!(times.median_ms <= times.p99_ms && times.p99_ms <= times.longest_ms, "{times:?}");
    }
}

#[test]
fn times_are_left_out_for_want_of_answers_not_of_budget() {
    let outcome = check("sh -c 'exit 3'").args(UNHURRIED).arg("--format=json").run().code(3);
    let report = outcome.json();
    let times = report["probes"].as_array().and_then(|probes| probes.last()).expect("probes");
    assert_eq!(times["result"], "left_out", "{times}");
    assert_eq!(times["cut_short"], "it gave no answer", "{times}");
    // One answer in all has no spread.
    let folder = tempfile::tempdir().unwrap();
    let once = path(folder.path().join("once"));
    let bot = format!("sh -c 'mkdir {once} || exit 3; read -r start; read -r turn; echo 0; cat'");
    let report = check(&bot).args(UNHURRIED).arg("--format=json").run().code(3).json();
    let times = report["probes"].as_array().and_then(|probes| probes.last()).expect("probes");
    assert_eq!(times["result"], "left_out", "{report}");
    assert_eq!(times["cut_short"], "it gave one answer", "{times}");
    // Answers of which each is the first of its process tell nothing of the others.
    let first = "sh -c 'read -r start; read -r turn; echo 0; sleep 1; exit 3'";
    let report = check(first).args(UNHURRIED).arg("--format=json").run().code(3).json();
    let times = report["probes"].as_array().and_then(|probes| probes.last()).expect("probes");
    let why = "it answered nothing but the first turns of its processes";
    assert_eq!((&times["result"], &times["cut_short"]), (&"left_out".into(), &why.into()));
}

#[test]
fn a_probe_that_was_cut_short_is_not_clean() {
    let cut_short = |mode: &str, options: &[&str], wanted: Probe| {
        let outcome = check(&hostile(mode)).args(options).args(["--rules=cs221", "--format=json"]);
        let mut probes = report(&outcome.run()).probes.into_iter();
        let probe = probes.find(|it| it.probe == wanted).expect("it is in the report");
        assert_eq!(probe.result, ResultWord::Incomplete, "{mode}: {probe:?}");
        probe.cut_short.expect("a reason")
    };
    // What it does at the end of its input is not known, as it leaves before that.
    for mode in ["exit-at-the-end", "answer-once"] {
        let why = cut_short(mode, &UNHURRIED, Probe::EndOfInput);
        assert_eq!(why, "it had left before its input ended", "{mode}");
    }
    // The boards with more seeds than the rules have come last, and take all that is left.
    let options = ["--move-time=1h", "--start-time=1h", "--budget=6s"];
    let why = cut_short("hang-at-many-seeds", &options, Probe::Positions);
    assert!(why.contains("of 6s is spent") || why.contains("it was waited for"), "{why}");
}

#[test]
fn what_was_not_tried_is_named_once_for_each_reason() {
    let outcome = check("sh -c 'exit 3'").args(UNHURRIED).run().code(3);
    let words: Vec<&str> = outcome.stdout.split_whitespace().collect();
    let text = words.join(" ");
    let same = "Not tried in full: games, determinism, positions, levels (the same fault was seen 3 times).";
    assert!(text.contains(same), "{outcome:#?}");
    assert!(text.contains("Not tried: times (it gave no answer)."), "{outcome:#?}");
    assert!(!text.contains("│ times │"), "{outcome:#?}");
}

#[test]
fn answers_to_experiments_are_not_among_the_times() {
    for mode in ["off-by-one", "always-two", "panic-at-a-bank", "panic-at-many-seeds"] {
        let outcome = check(&hostile(mode)).args(UNHURRIED).arg("--format=json").run();
        let report = report(&outcome);
        let answers: u32 = report.probes.iter().map(|probe| probe.answers).sum();
        let times = [report.times.first_answers, report.times.other_answers];
        let count: u32 = times.iter().flatten().map(|spread| spread.count).sum();
        assert!(answers >= count, "{mode}: {answers} answers, {count} times");
    }
}

#[test]
fn stderr_of_a_crash_is_not_noted_beside_it() {
    let notes = |bot: &str| {
        let report = check(bot).args(UNHURRIED).arg("--format=json").run().code(3).json();
        (report["notes"].as_array().expect("notes").len(), report["findings"].clone())
    };
    let (of_crash, findings) = notes("sh -c 'echo Traceback >&2; exit 3'");
    assert_eq!(of_crash, 0, "{findings}");
    assert_eq!(findings[0]["stderr"], "Traceback\n");
    let (of_words, findings) = notes("sh -c 'echo loading >&2; read -r start; echo x; cat'");
    assert_eq!(of_words, 1, "{findings}");
}

#[test]
fn the_examples_are_clean_in_every_direction() {
    let folder = tempfile::tempdir().unwrap();
    for bot in languages::bots(folder.path()) {
        // Interpreters that take long to start sow in both directions at least.
        let starts_fast = ["c=", "rust=", "python="].iter().any(|name| bot.starts_with(name));
        let backward: &[&str] = if starts_fast { &["--direction=backward"] } else { &[] };
        let options = ["--rules=cs221", "--direction=either"];
        let outcome = check(&bot).args(UNHURRIED).args(options).args(backward).run().success();
        assert!(outcome.stdout.ends_with(" is clean.\n"), "{outcome:#?}");
        let lines = ["cs221 either", "played the same in 3 of 3", "cs221 backward"];
        for line in &lines[..2 + backward.len()] {
            assert!(outcome.stdout.contains(line), "{line}: {outcome:#?}");
        }
    }
}

#[test]
fn a_seed_repeats_a_check() {
    let games = |seed: &str| {
        let bot = hostile("sound");
        let outcome = mancala(["check", "--format=json", "--seed", seed, &bot]).args(UNHURRIED);
        let report = report(&outcome.run().success());
        assert_eq!(report.seed.to_string(), seed);
        let answers: Vec<u32> = report.probes.iter().map(|probe| probe.answers).collect();
        let won: Vec<_> = report.games.iter().map(|games| (games.won, games.lost)).collect();
        (answers, won)
    };
    assert_eq!(games("5"), games("5"));
    assert_ne!(games("5"), games("6"));
}

#[test]
fn a_check_plays_only_the_named_rules() {
    let bot = hostile("panic-at-cs221");
    let rules = ["--rules=kalah", "--rules", "learneroo", "--rules=ece1021", "--format=json"];
    let outcome = check(&bot).args(UNHURRIED).args(rules).run().success();
    let names: Vec<String> =
        report(&outcome).games.iter().map(|games| games.rules.name.clone()).collect();
    let all = ["kalah", "learneroo", "ece1021"];
    assert_eq!(names, [&all[..], &all, &["kalah"; 2]].concat());
    let found = check(&bot).args(UNHURRIED).arg("--format=json").run().code(3);
    for games in report(&found).games {
        let is_at_fault = games.rules.name == "cs221";
        assert_eq!(games.faulted == 2, is_at_fault, "{games:?}");
        assert_eq!(games.won + games.drawn + games.lost == 2, !is_at_fault, "{games:?}");
    }
}

#[test]
fn a_bot_that_cannot_be_started_fails_as_in_a_match() {
    for bot in ["lost=./no/such/bot --fast", "no-such-program", "./src"] {
        let of_a_match = mancala(["match", bot, "builtin:easy"]).run();
        let of_a_check = check(bot).run();
        assert_eq!(of_a_check.stderr, of_a_match.stderr);
        of_a_check.failure(1, "cannot start bot");
    }
}

#[test]
fn a_program_removed_during_a_check_is_a_finding() {
    let folder = tempfile::tempdir().unwrap();
    let program = path(folder.path().join("vanishing"));
    std::os::unix::fs::symlink(env!("CARGO_BIN_EXE_hostile"), &program).unwrap();
    let outcome = check(&format!("'{program}' vanish 2 1")).args(UNHURRIED).run().code(3);
    let outcome = outcome.says("its program does not start again").plain();
    assert!(outcome.stdout.contains("its program does not start any more"), "{outcome:#?}");
}

#[test]
fn wrong_check_arguments_are_errors_of_one_line() {
    let sound = hostile("sound");
    for (arguments, words) in [
        (&["check"][..], "<BOT>"),
        (&["check", ""], "the command is empty"),
        (&["check", "builtin:best"], "there is no \"builtin:best\""),
        (&["check", "./one", "./two"], "unexpected argument './two'"),
        (&["check", &sound, "--rules=chess"], "expected learneroo, kalah, ece1021"),
        (&["check", &sound, "--direction=left"], "expected forward, backward or either"),
        (&["check", &sound, "--seed=x"], "'--seed <N>'"),
        (&["check", &sound, "--format=csv"], "expected table, json, "),
        (&["check", &sound, "--move-time=5"], "expected a time with its unit"),
    ] {
        mancala(arguments).run().failure(2, words);
    }
}

#[test]
fn bot_output_is_escaped_in_a_check() {
    for mode in ["ansi", "bidi", "curse-and-exit", "not-utf8", "dribble-stderr"] {
        for format in ["table", "json"] {
            let options = ["--move-time=300ms", "--start-time=1s", "--budget=3s", "--rules=cs221"];
            let options = options.into_iter().chain(["--format"]);
            check(&hostile(mode)).args(options).arg(format).run().code(3).plain();
        }
    }
}

#[test]
fn a_bot_that_allows_one_instance_passes_check() {
    if !requirements::are_there("flock", "a bot that allows one instance") {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let script = path(folder.path().join("locked.sh"));
    let bot = hostile("sound");
    // The kernel gives the lock back, also where a busy machine lets the bot exit too late.
    let text = format!("exec 9> \"$1/lock\"\nflock -n 9 || exit 1\nexec {bot}\n");
    std::fs::write(&script, text).unwrap();
    let bot = format!("sh '{script}' '{}'", path(folder.path()));
    let outcome = check(&bot).args(UNHURRIED).arg("--format=json").run().success();
    assert!(report(&outcome).probes.iter().all(|probe| probe.cut_short.is_none()));
}

#[test]
fn rules_can_be_changed_as_in_a_match() {
    let rules = ["--rules=kalah", "--seeds=6", "--opponent-store=sow", "--empty-capture=yes"];
    let bot = hostile("sound");
    let outcome = check(&bot).args(UNHURRIED).args(rules).arg("--format=json").run().success();
    for games in report(&outcome).games {
        let rules = games.rules;
        assert_eq!((rules.seeds, &*rules.opponent_store, rules.empty_capture), (6, "sow", true));
    }
    let outcome = check(&bot).args(UNHURRIED).args(rules).run().success();
    outcome.says("│ kalah, 6 seeds │");
}

#[test]
fn a_check_can_be_interrupted_while_a_bot_exits() {
    // A bot has 300 ms to exit. Where its end is looked at it has 1500 ms; only there it still runs
    // after 400.
    for [before, after] in [["0", "0.2"], ["0.4", "0.6"]] {
        // On a busy machine the bot may live for longer.
        let ends_it = (0..5).any(|_| an_interrupt_ends_it(before, after));
        assert!(ends_it, "the bot went on for {after} s");
    }
}

/// Whether a bot is gone this long `after` it interrupted the check, which it does this long `before`
/// that, at the end of its input. Both are seconds.
fn an_interrupt_ends_it(before: &str, after: &str) -> bool {
    let folder = TestFolder::new();
    let (script, late) = (folder.file("interrupting.sh"), folder.file("late"));
    let bot = hostile("sound");
    let text = format!(
        "{bot}\nsleep {before}\nkill -INT $MANCALA_BOT\nsleep {after}\n: > '{late}'\nsleep 60\n"
    );
    std::fs::write(&script, text).unwrap();
    check(&format!("sh '{script}'")).args(UNHURRIED).run().failure(130, "interrupted");
    folder.none_left();
    !std::fs::exists(late).unwrap()
}

#[test]
fn an_interrupted_check_leaves_nothing_behind() {
    for (mode, signal) in [("hang", Signal::INT), ("hang-deaf", Signal::TERM)] {
        let folder = TestFolder::new();
        let mut command = check(&folder.bot(mode)).arg("--move-time=1h").command();
        let mut child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
        folder.wait_for("done");
        kill_process(Pid::from_child(&child), signal).unwrap();
        assert_eq!(status_of(&mut child).code(), Some(130));
        let output = child.wait_with_output().unwrap();
        assert_eq!(String::from_utf8_lossy(&output.stderr), "mancala: interrupted\n");
        assert_eq!(output.stdout, b"");
        folder.none_left();
    }
}

#[test]
fn a_check_leaves_nothing_running() {
    let folder = tempfile::tempdir().unwrap();
    let marker = path(folder.path());
    for (mode, code) in
        [("children", 0), ("daemon", 0), ("hang-after-all", 3), ("child-with-a-group", 0)]
    {
        let bot = hostile(&format!("{mode} 1 1 '{marker}'"));
        let options = ["--rules=cs221", "--format=json"];
        check(&bot).args(UNHURRIED).args(options).run().code(code);
        processes::none_left(&marker);
    }
}
