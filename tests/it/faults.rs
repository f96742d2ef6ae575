//! Bots that misbehave: the verdict on each behaviour, in both seats and in both rounds.

use std::collections::HashMap;
use std::fs;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::Path;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use serde_json::{Value, json};

use super::kit::{hostile, mancala, path};
use super::{check, processes};

/// A mode of the hostile bot and what the referee makes of it.
#[derive(Clone, Copy)]
struct Case {
    mode: &'static str,
    /// The kind of fault and words of its detail; none where there is no fault.
    fault: Option<(&'static str, &'static str)>,
    rounds: Rounds,
    /// The offender's turn at which it misbehaves.
    turn: usize,
    /// Moves of the offender before the fault; none where that depends on who is faster.
    moves: Option<usize>,
    /// Whether the opponent waits until the offender has done what it does.
    patient: bool,
    options: &'static [&'static str],
}

/// The rounds in which a mode is tried.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Rounds {
    Both,
    /// Only the first: the mode is about the beginning of a match.
    First,
    /// Both, and the fault shows in the round after.
    ShowsInTheNext,
}

const fn sound(mode: &'static str) -> Case {
    Case {
        mode,
        fault: None,
        rounds: Rounds::Both,
        turn: 1,
        moves: None,
        patient: false,
        options: UNHURRIED,
    }
}

const fn fault(mode: &'static str, kind: &'static str, detail: &'static str) -> Case {
    Case { fault: Some((kind, detail)), moves: Some(0), ..sound(mode) }
}

const fn invalid(mode: &'static str, detail: &'static str) -> Case {
    fault(mode, "invalid_reply", detail)
}

const fn illegal(mode: &'static str, detail: &'static str) -> Case {
    fault(mode, "illegal_move", detail)
}

const fn oversized(mode: &'static str) -> Case {
    fault(mode, "oversized_reply", "a line of more than 64 KiB")
}

/// Unasked output, which shows at once when it comes with the answer, and else a turn later.
const fn unsolicited(mode: &'static str, detail: &'static str) -> Case {
    fault(mode, "unsolicited_output", detail).sooner_or_later()
}

/// Too late at turn 2, the first that has no allowance for starting.
const fn late(mode: &'static str, detail: &'static str) -> Case {
    Case { turn: 2, moves: Some(1), options: HURRIED, ..fault(mode, "timeout", detail) }
}

const fn exited(mode: &'static str, detail: &'static str) -> Case {
    fault(mode, "exited", detail)
}

impl Case {
    const fn at_turn(self, turn: usize) -> Case {
        Case { turn, moves: Some(turn - 1), ..self }
    }

    /// The fault shows after so many moves of the offender.
    const fn after_moves(self, moves: usize) -> Case {
        Case { moves: Some(moves), ..self }
    }

    const fn sooner_or_later(self) -> Case {
        Case { moves: None, ..self }
    }

    const fn in_rounds(self, rounds: Rounds) -> Case {
        Case { rounds, ..self }
    }

    const fn with_patience(self) -> Case {
        Case { patient: true, ..self }
    }

    const fn with(self, options: &'static [&'static str]) -> Case {
        Case { options, ..self }
    }
}

/// Where time is not judged, a slow machine has all the time it needs.
const UNHURRIED: &[&str] = &["--move-time", "20s"];
const HURRIED: &[&str] = &["--move-time", "700ms", "--margin", "100ms"];
const HURRIED_FROM_THE_START: &[&str] =
    &["--move-time", "700ms", "--margin", "100ms", "--start-time", "1s"];
/// From this opening the hostile bot and its opponent go to and fro until the move limit.
const TO_AND_FRO: &[&str] = &[
    "--direction=either",
    "--empty-capture=no",
    "--opening=1,0,0,0,0,0,0,1,0,0,0,0,0,0",
    "--max-moves=2000",
    "--move-time=700ms",
    "--margin=100ms",
];

const LINES: &[Case] = &[
    invalid("blank-line", "an empty line"),
    invalid("blanks", "an empty line"),
    invalid("words", r#"not JSON; expected a house 0 to 5 or {"move":…}, got I play house 0"#),
    invalid(
        "debug-print",
        r#"not JSON; expected a house 0 to 5 or {"move":…}, got thinking about 0"#,
    ),
    invalid("bom", r#"not JSON; expected a house 0 to 5 or {"move":…}, got \u{feff}0"#),
    invalid("nul", r"got 0\u{0}"),
    invalid("not-utf8", r#"not UTF-8; expected a house 0 to 5 or {"move":…}, got 0\xff\xfe"#),
    invalid("utf16", r#"not UTF-8; expected a house 0 to 5 or {"move":…}, got \xff\xfe0\u{0}"#),
    invalid("ansi", r"got \u{1b}[2J\u{1b}]0;I won\u{7}\u{9b}31m0\u{7f}"),
    invalid("bidi", r"got \u{202e}0\u{2066}\u{200b}\u{2028}"),
    invalid("cr-inside", r"got 0\r1"),
    invalid("deep", r#"too deep; expected a house 0 to 5 or {"move":…}, got [[[["#),
    invalid("deep-info", "too deep; "),
    invalid("deep-objects", "too deep; "),
    invalid("string", "neither a number nor an object; "),
    invalid("array", "neither a number nor an object; "),
    invalid("null", "neither a number nor an object; "),
    invalid("true", "neither a number nor an object; "),
    invalid("float", "not a whole number; "),
    invalid("exponent", "not a whole number; "),
    invalid("minus-zero", "not a whole number; "),
    invalid("nan", "got NaN"),
    invalid("infinity", r#"got {"move":Infinity}"#),
    invalid("huge-number", "got 99999999"),
    invalid("huge-exponent", "got 1e999999999"),
    invalid("leading-zero", "got 00"),
    invalid("plus", "got +0"),
    invalid("two-numbers", "got 0 1"),
    invalid("after-the-number", "got 0;"),
    invalid("after-the-object", r#"got {"move":0}{"move":1}"#),
    invalid("half-an-object", "incomplete JSON; "),
    invalid("single-quotes", "got {'move':0}"),
    invalid("no-move", r#"no "move" in it; "#),
    invalid("wrong-case", r#"no "move" in it; "#),
    invalid("move-as-string", r#""move" is not a number; "#),
    invalid("move-as-null", r#""move" is not a number; "#),
    invalid("move-as-float", "not a whole number; "),
    invalid("two-moves", "a key stands twice in it; "),
    invalid("two-in-info", "a key stands twice in it; "),
    invalid("unknown-direction", "no such direction; "),
    invalid("direction-as-number", r#""direction" is not a string; "#),
    invalid("garbage-of-64-kib", "xxxx…"),
    illegal("wrong-direction", "these rules do not sow backward"),
    illegal("empty-house", "house 0 is empty; it answered 0").at_turn(2),
    illegal("store", "there is no house 6"),
    illegal("opponents-house", r#"there is no house {"move":7}"#),
    illegal("negative", "there is no house -1"),
    illegal("big-number", "there is no house 99999999999999999999"),
    oversized("one-byte-too-long"),
    oversized("flood"),
    oversized("flood-of-zeros"),
];

const UNASKED: &[Case] = &[
    unsolicited("early", "wrote to stdout without being asked: 0"),
    unsolicited("at-the-end", "wrote to stdout without being asked: 0")
        .in_rounds(Rounds::ShowsInTheNext),
    unsolicited("twice-at-once", "wrote to stdout without being asked: 0").after_moves(0),
    unsolicited("twice", "wrote to stdout without being asked: 0").with_patience(),
    unsolicited("answer-and-blank-line", "wrote an empty line to stdout").after_moves(0),
    unsolicited("answer-and-half-a-line", "wrote to stdout without being asked: I was")
        .after_moves(0),
    unsolicited("talk-while-idle", r"without being asked: \u{1b}[31myour turn").with_patience(),
    unsolicited("flood-of-lines", r"without being asked: 0\n0\n0\n"),
    unsolicited("flood-while-idle", "without being asked: xxx").with_patience(),
];

const TIME: &[Case] = &[
    late("hang", "no answer after "),
    late("hang-deaf", "no answer after "),
    late("stop", "no answer after "),
    late("busy", "(limit 700 ms, margin 100 ms)"),
    late("dribble", "; it wrote 1"),
    late("dribble-spaces", "; it wrote  "),
    late("dribble-stderr", "no answer after "),
    late("flood-stderr-and-hang", "no answer after "),
    late("no-newline", " without a newline at its end"),
    late("old-mac", r"\r without a newline at its end"),
    late("late", "no answer after "),
    late("answer-then-hang", "no answer after ").after_moves(2),
    late("close-stdin", "; it does not read its stdin").after_moves(2),
    late("read-no-more", "; it does not read its stdin").with(TO_AND_FRO).sooner_or_later(),
    late("become-another", "no answer after "),
    late("join-the-referee", "no answer after "),
    late("spend-the-bank", ", bank 1500 ms")
        .with(&["--game-time=1500ms", "--margin=100ms"])
        .sooner_or_later(),
    late("too-slow-to-start", "(limit 700 ms + 1000 ms to start, margin 100 ms)")
        .with(HURRIED_FROM_THE_START)
        .in_rounds(Rounds::First)
        .after_moves(0),
    late("hang-at-start", "no answer after ").with(HURRIED_FROM_THE_START).after_moves(0),
    sound("slow-to-start").with(HURRIED).in_rounds(Rounds::First),
    sound("almost-late").with(&["--move-time=200ms", "--margin=20s"]).at_turn(2),
];

const GONE: &[Case] = &[
    exited("exit-0", "exited with code 0 before it answered"),
    exited("exit-3", "exited with code 3 before it answered"),
    exited("exit-at-launch", "exited with code 4 before it answered").in_rounds(Rounds::First),
    exited("exit-at-start", "exited with code 0 before it answered"),
    exited("exit-at-the-end", "exited with code 0 before it answered")
        .in_rounds(Rounds::ShowsInTheNext),
    exited("answer-and-exit", "exited with code 0 before it answered").after_moves(1),
    exited("half-a-line-and-exit", "exited with code 0 before it answered"),
    exited("panic", "exited with code 101 before it answered"),
    exited("abort", "was ended by signal 6 (SIGABRT, an abort) before it answered"),
    exited("segfault", "was ended by signal 11 (SIGSEGV, a bad memory access)"),
    exited("kill-itself", "was ended by signal 9 (SIGKILL)"),
    exited("end-itself", "was ended by signal 15 (SIGTERM)"),
    exited("kill-its-group", "was ended by signal 9 (SIGKILL)"),
    exited("close-stdout", "closed its stdout before it answered"),
    exited("answer-and-close-stdout", "closed its stdout before it answered").after_moves(1),
    exited("child-keeps-stdout", "exited with code 3 before it answered"),
    exited("daemon-keeps-stdout", "exited with code 3 before it answered"),
    exited("curse-and-exit", "exited with code 1 before it answered"),
];

const HARMLESS: &[Case] = &[
    sound("sound"),
    sound("crlf"),
    sound("spaces"),
    sound("object"),
    sound("more-fields"),
    sound("info"),
    sound("longest-line"),
    sound("byte-by-byte"),
    sound("close-stderr"),
    sound("flood-stderr"),
    sound("flood-stderr-while-idle").with_patience(),
    sound("pour"),
    sound("flood-after-all"),
    sound("hang-after-all"),
    sound("stop-after-all"),
    sound("child"),
    sound("children"),
    sound("orphan"),
    sound("child-with-a-group"),
    sound("daemon"),
    sound("write-to-terminal"),
    sound("change-terminal"),
];

#[test]
fn a_wrong_line_costs_the_round() {
    judge_all(LINES, 3);
}

#[test]
fn output_that_nobody_asked_for_costs_the_round() {
    judge_all(UNASKED, 2);
}

#[test]
fn no_answer_in_time_costs_the_round() {
    judge_all(TIME, 6);
}

#[test]
fn a_bot_that_has_gone_loses_the_round() {
    judge_all(GONE, 2);
}

#[test]
fn what_harms_nobody_is_no_fault() {
    judge_all(HARMLESS, 3);
}

/// Modes that other tests are about, or that serve as opponents.
const ELSEWHERE: [&str; 19] = [
    "witness",
    "patient",
    "announce",
    "a-little-late",
    "exit-at-the-limit",
    "leave-a-mess",
    "helped",
    "show-descriptors",
    "show-signals",
    "vanish",
    "attack",
    "fork-bomb",
    "fork-bomb-setsid",
    "thread-bomb",
    "memory-bomb",
    "memory-bomb-at-once",
    "memory-bomb-children",
    "file-bomb",
    "cpu-burner",
];

#[test]
fn every_mode_is_judged() {
    let modes = std::process::Command::new(env!("CARGO_BIN_EXE_hostile")).arg("--modes").output();
    let modes = String::from_utf8(modes.expect("the bot runs").stdout).expect("text");
    let judged = [LINES, UNASKED, TIME, GONE, HARMLESS].concat();
    let elsewhere = [&ELSEWHERE[..], &check::MODES].concat();
    for mode in modes.lines().filter(|mode| !elsewhere.contains(mode)) {
        assert!(judged.iter().any(|case| case.mode == mode), "no case judges {mode:?}");
    }
    assert!(judged.len() > 100);
}

/// Plays every case in both seats and its rounds, several at a time.
#[track_caller]
fn judge_all(cases: &[Case], at_a_time: usize) {
    let folder = tempfile::tempdir().expect("a folder is made");
    let trials: Vec<(&Case, usize, usize)> = cases
        .iter()
        .flat_map(|case| {
            let rounds = if case.rounds == Rounds::First { 1..=1 } else { 1..=2 };
            rounds.flat_map(move |round| [(case, 0, round), (case, 1, round)])
        })
        .collect();
    let next = AtomicUsize::new(0);
    let failed = Mutex::new(Vec::new());
    std::thread::scope(|scope| {
        for _ in 0..at_a_time {
            scope.spawn(|| {
                while let Some(&(case, seat, round)) =
                    trials.get(next.fetch_add(1, Ordering::Relaxed))
                {
                    let name = format!("{}-{seat}-{round}", case.mode);
                    let folder = folder.path().join(&name);
                    let judged =
                        catch_unwind(AssertUnwindSafe(|| judge(case, seat, round, &folder)));
                    if judged.is_err() {
                        failed.lock().expect("no panic with the lock").push(name);
                    }
                }
            });
        }
    });
    let failed = failed.into_inner().expect("no panic with the lock");
    assert!(failed.is_empty(), "mode-seat-round: {failed:?}");
}

/// Longer than any of these matches takes, even where the machine has other things to do.
const HANGS: Duration = Duration::from_mins(1);

/// Plays a match of the mode, in that seat and round, against a sound bot.
fn judge(case: &Case, seat: usize, round: usize, folder: &Path) {
    fs::create_dir(folder).expect("a folder is made");
    let folder = path(folder);
    let bot = |mode: &str| hostile(&format!("{mode} {round} {} '{folder}'", case.turn));
    let opponent = if case.patient { "patient" } else { "witness" };
    let mut bots = [format!("bad={}", bot(case.mode)), format!("good={}", bot(opponent))];
    if seat == 1 {
        bots.swap(0, 1);
    }
    let file = format!("{folder}/record");
    let began = Instant::now();
    let output = mancala(["match", "--format=json", "--record", &file])
        .args(&bots)
        .args(case.options)
        .run()
        .success();
    assert!(began.elapsed() < HANGS);
    processes::none_left(&folder);

    let record = output.json();
    assert_eq!(fs::read_to_string(&file).expect("there is a record"), output.stdout);
    mancala(["replay", &file]).run().success().says("1 of 1 matches hold");

    let faulty = match (case.fault, case.rounds) {
        (None, _) => None,
        (Some(_), Rounds::ShowsInTheNext) => (round == 1).then_some(2),
        (Some(_), _) => Some(round),
    };
    let undisturbed = undisturbed_rounds(case.options);
    for number in 1..=2 {
        let played = &record["rounds"][number - 1];
        if faulty == Some(number) {
            check_forfeit(case, seat, &record, played, &undisturbed[number - 1]);
        } else {
            assert_eq!(played["result"]["fault"], Value::Null, "round {number}: {record:#}");
            assert_eq!(moves(played), moves(&undisturbed[number - 1]));
            assert_eq!(played["result"]["score"], undisturbed[number - 1]["result"]["score"]);
        }
    }
    let again = record["rounds"].as_array().expect("rounds").iter();
    if again.clone().all(|round| round["replayed"] == Value::Null) {
        let launches = fs::read_to_string(format!("{folder}/launches")).expect("it was launched");
        assert_eq!(launches.lines().count(), 1, "the opponent was started again");
    }
    // The second `end` may come too late for a bot that has nothing to do but to exit.
    if faulty == Some(1) {
        let ends = fs::read_to_string(format!("{folder}/ends")).expect("it was told the end");
        let end: Value = serde_json::from_str(ends.lines().next().expect("a line")).expect("JSON");
        let fault = &record["rounds"][0]["result"]["fault"];
        let told = json!({"by": "opponent", "kind": fault["kind"], "detail": fault["detail"]});
        assert_eq!(end["fault"], told);
        assert_eq!(end["outcome"], "win");
        assert_eq!(end["score"], json!([seeds(&record), 0]));
    }
}

/// The round is forfeited by the bot in that seat, for the right reason, and no sooner.
fn check_forfeit(case: &Case, seat: usize, record: &Value, played: &Value, undisturbed: &Value) {
    let (kind, words) = case.fault.expect("the case has a fault");
    let result = &played["result"];
    let fault = &result["fault"];
    assert_eq!(fault["bot"], json!(seat), "{record:#}");
    assert_eq!(fault["kind"], kind, "{fault:#}");
    assert_eq!(result["reason"], kind);
    let detail = fault["detail"].as_str().expect("a detail");
    assert!(detail.contains(words), "{words:?} is not in {detail:?}");
    assert!(detail.chars().count() < 2_500, "{detail:?}");
    let mut score = [seeds(record); 2];
    score[seat] = 0;
    assert_eq!(result["score"], json!(score));

    let moves = moves(played);
    assert_eq!(moves, self::moves(undisturbed)[..moves.len()]);
    if let Some(count) = case.moves {
        let own = moves.iter().filter(|(bot, _)| *bot == json!(seat)).count();
        assert_eq!(own, count, "moves before the fault: {fault:#}");
    }
    if let Some((_, waited)) = detail.split_once("no answer after ") {
        let waited: f64 = waited.split(' ').next().expect("a word").parse().expect("a number");
        // The bound tells a verdict from a hang; it is no measure of speed.
        assert!((100.0..10_000.0).contains(&waited), "{detail}");
    }
}

/// Who played which house, in order.
fn moves(round: &Value) -> Vec<(Value, Value)> {
    let moves = round["moves"].as_array().expect("moves");
    moves.iter().map(|played| (played["bot"].clone(), played["move"].clone())).collect()
}

/// The seeds of the opening.
fn seeds(record: &Value) -> u64 {
    let opening = record["opening"].as_array().expect("an opening");
    opening.iter().filter_map(Value::as_u64).sum()
}

/// The rounds as two sound bots play them.
fn undisturbed_rounds(options: &'static [&'static str]) -> Vec<Value> {
    static KNOWN: Mutex<Option<HashMap<&[&str], Vec<Value>>>> = Mutex::new(None);
    let mut known = KNOWN.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
    let rounds = known.get_or_insert_default().entry(options).or_insert_with(|| {
        let control = mancala(["match", "--format=json"])
            .args([hostile("sound"), hostile("sound")])
            .args(options)
            .run()
            .success()
            .json();
        control["rounds"].as_array().expect("rounds").clone()
    });
    rounds.clone()
}

#[test]
fn the_tail_of_stderr_is_in_the_record() {
    let bots = [hostile("panic"), hostile("sound")];
    let record = mancala(["match", "--format=json"]).args(bots).run().success().json();
    let fault = &record["rounds"][0]["result"]["fault"];
    assert!(fault["stderr"].as_str().expect("text").contains("I lost my way"), "{fault:#}");
    assert_eq!(fault["board"], record["opening"]);

    let bots = [hostile("flood-stderr-and-hang"), hostile("sound")];
    let limits = ["--move-time=200ms", "--start-time=1s"];
    let record = mancala(["match", "--format=json"]).args(bots).args(limits).run().success().json();
    let stderr = &record["rounds"][0]["result"]["fault"]["stderr"];
    let stderr = stderr.as_str().expect("text");
    assert!(stderr.starts_with('…') && stderr.len() < 5_000, "{} bytes", stderr.len());
    assert!(stderr.contains("This is an outrage. "));
}

#[test]
fn the_processes_of_the_other_bot_are_left_alone() {
    for seat in [0, 1] {
        let folder = tempfile::tempdir().expect("a folder is made");
        let folder = path(folder.path());
        let mut bots =
            [hostile(&format!("words 1 2 '{folder}'")), hostile(&format!("helped 1 1 '{folder}'"))];
        bots.swap(0, seat);
        let record = mancala(["match", "--format=json"]).args(bots).run().success().json();
        assert_eq!(record["rounds"][0]["result"]["fault"]["bot"], json!(seat), "{record:#}");
        assert_eq!(record["rounds"][1]["result"]["fault"], Value::Null, "{record:#}");
        processes::none_left(&folder);
    }
}

#[test]
fn nothing_that_a_bot_prints_acts_on_the_terminal() {
    let folder = tempfile::tempdir().expect("a folder is made");
    let named = path(folder.path().join("\x1b[31m\u{202e}red\u{9b}\r\n\u{7}"));
    std::os::unix::fs::symlink(env!("CARGO_BIN_EXE_hostile"), &named).expect("a link is made");
    for mode in ["ansi", "bidi", "nul", "not-utf8", "cr-inside", "bom", "curse-and-exit"] {
        for format in ["table", "json", "markdown", "csv"] {
            let record = path(folder.path().join("record"));
            let bots = [format!("'{named}' {mode}"), hostile("sound")];
            let output = mancala(["match", "-v", "--format", format, "--record", &record]);
            output.args(bots).run().plain().code(0);
            mancala(["replay", &record, "--match=1", "--round=1"]).run().plain().success();
        }
    }
}
