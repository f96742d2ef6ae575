//! Bots that misbehave: the verdict on each behaviour, in both seats and in both rounds.

use std::collections::HashMap;
use std::fs;
use std::path::Path;
use std::sync::Mutex;

use serde_json::{Value, json};

use crate::check;
use crate::processes;
use crate::program::{Outcome, hostile, mancala, path, until_fair};
use crate::test_folder::{HANGS, TestFolder};

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

const fn no_fault(mode: &'static str) -> Case {
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
    Case { fault: Some((kind, detail)), moves: Some(0), ..no_fault(mode) }
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
const fn timeout(mode: &'static str, detail: &'static str) -> Case {
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

/// A test for each mode, in a module of its own for each group, and the list of the group's modes.
macro_rules! cases {
    ($group:ident; $($name:ident: $case:expr,)+) => {
        mod $group {
            use super::*;

            pub(crate) const MODES: &[&str] = &[$($case.mode),+];

            $(
                #[test]
                fn $name() {
                    const CASE: Case = $case;
                    judge_all(&CASE);
                }
            )+
        }
    };
}

// A wrong line costs the round.
cases! { lines;
    blank_line: invalid("blank-line", "an empty line"),
    blanks: invalid("blanks", "an empty line"),
    words: invalid("words", r#"not JSON; expected a house 0 to 5 or {"move":…}, got I play house 0"#),
    debug_print: invalid(
        "debug-print",
        r#"not JSON; expected a house 0 to 5 or {"move":…}, got thinking about 0"#,
    ),
    bom: invalid("bom", r#"more than a number; expected a house 0 to 5 or {"move":…}, got \u{feff}0"#),
    nul: invalid("nul", r"got 0\u{0}"),
    not_utf8: invalid("not-utf8", r#"not UTF-8; expected a house 0 to 5 or {"move":…}, got 0\xff\xfe"#),
    utf16: invalid("utf16", r#"not UTF-8; expected a house 0 to 5 or {"move":…}, got \xff\xfe0\u{0}"#),
    ansi: invalid("ansi", r"got \u{1b}[2J\u{1b}]0;I won\u{7}\u{9b}31m0\u{7f}"),
    bidi: invalid("bidi", r"got \u{202e}0\u{2066}\u{200b}\u{2028}"),
    cr_inside: invalid("cr-inside", r"got 0\r1"),
    deep: invalid("deep", r#"too deep; expected a house 0 to 5 or {"move":…}, got [[[["#),
    deep_info: invalid("deep-info", "too deep; "),
    deep_objects: invalid("deep-objects", "too deep; "),
    string: invalid("string", "neither a number nor an object; "),
    array: invalid("array", "neither a number nor an object; "),
    literal_null: invalid("null", "no value; "),
    literal_true: invalid("true", "neither a number nor an object; "),
    float: invalid("float", "not a whole number; "),
    exponent: invalid("exponent", "not a whole number; "),
    minus_zero: invalid("minus-zero", "not a whole number; "),
    nan: invalid("nan", "got NaN"),
    infinity: invalid("infinity", r#"got {"move":Infinity}"#),
    leading_zero: invalid("leading-zero", "got 00"),
    plus: invalid("plus", "got +0"),
    two_numbers: invalid("two-numbers", "got 0 1"),
    after_the_number: invalid("after-the-number", "got 0;"),
    after_the_object: invalid("after-the-object", r#"got {"move":0}{"move":1}"#),
    half_an_object: invalid("half-an-object", "incomplete JSON; "),
    single_quotes: invalid("single-quotes", "got {'move':0}"),
    no_move: invalid("no-move", r#"no "move" in it; "#),
    wrong_case: invalid("wrong-case", r#"no "move" in it; "#),
    move_as_string: invalid("move-as-string", r#""move" is not a number; "#),
    move_as_null: invalid("move-as-null", r#""move" is not a number; "#),
    move_as_float: invalid("move-as-float", "not a whole number; "),
    two_moves: invalid("two-moves", "duplicate key; "),
    two_in_info: invalid("two-in-info", "duplicate key; "),
    unknown_direction: invalid("unknown-direction", "no such direction; "),
    direction_as_number: invalid("direction-as-number", r#""direction" is not a string; "#),
    garbage_of_64_kib: invalid("garbage-of-64-kib", "xxxx…"),
    wrong_direction: illegal("wrong-direction", "these rules do not sow backward"),
    empty_house: illegal("empty-house", "house 0 is empty; it answered 0").at_turn(2),
    store: illegal("store", "there is no house 6"),
    opponents_house: illegal("opponents-house", r#"there is no house 7; houses are 0 to 5; it answered {"move":7}"#),
    negative: illegal("negative", "there is no house -1"),
    huge_number: illegal("huge-number", "there is no house 99999999"),
    huge_exponent: illegal("huge-exponent", "there is no house 1e999999999"),
    big_number: illegal("big-number", "there is no house 99999999999999999999"),
    one_byte_too_long: oversized("one-byte-too-long"),
    flood: oversized("flood"),
    flood_of_zeros: oversized("flood-of-zeros"),
}

// Output that nobody asked for costs the round.
cases! { unasked;
    early: unsolicited("early", "wrote to stdout without being asked: 0"),
    at_the_end: unsolicited("at-the-end", "wrote to stdout without being asked: 0")
        .in_rounds(Rounds::ShowsInTheNext),
    twice_at_once: unsolicited("twice-at-once", "wrote to stdout without being asked: 0").after_moves(0),
    twice: unsolicited("twice", "wrote to stdout without being asked: 0").with_patience(),
    answer_and_blank_line: unsolicited("answer-and-blank-line", "wrote an empty line to stdout").after_moves(0),
    answer_and_half_a_line: unsolicited("answer-and-half-a-line", "wrote to stdout without being asked: I was")
        .after_moves(0),
    talk_while_idle: unsolicited("talk-while-idle", r"without being asked: \u{1b}[31myour turn").with_patience(),
    flood_of_lines: unsolicited("flood-of-lines", r"without being asked: 0\n0\n0\n"),
    flood_while_idle: unsolicited("flood-while-idle", "without being asked: xxx").with_patience(),
}

// No answer in time costs the round.
cases! { time;
    hang: timeout("hang", "no answer after "),
    hang_deaf: timeout("hang-deaf", "no answer after "),
    stop: timeout("stop", "no answer after "),
    busy: timeout("busy", "(limit 700 ms, margin 100 ms)"),
    dribble: timeout("dribble", "; it wrote 1"),
    dribble_spaces: timeout("dribble-spaces", "; it wrote \"  "),
    dribble_stderr: timeout("dribble-stderr", "no answer after "),
    flood_stderr_and_hang: timeout("flood-stderr-and-hang", "no answer after "),
    no_newline: timeout("no-newline", " without a newline at its end"),
    old_mac: timeout("old-mac", r"\r without a newline at its end"),
    late: timeout("late", "no answer after "),
    answer_then_hang: timeout("answer-then-hang", "no answer after ").after_moves(2),
    close_stdin: timeout("close-stdin", "; it does not read its stdin").after_moves(2),
    read_no_more: timeout("read-no-more", "; it does not read its stdin").with(TO_AND_FRO).sooner_or_later(),
    become_another: timeout("become-another", "no answer after "),
    join_the_referee: timeout("join-the-referee", "no answer after "),
    spend_the_bank: timeout("spend-the-bank", ", bank 1500 ms")
        .with(&["--game-time=1500ms", "--margin=100ms"])
        .sooner_or_later(),
    too_slow_to_start: timeout(
            "too-slow-to-start",
            "(limit 700 ms + 1000 ms to start, margin 100 ms), and nothing on its stdout: does it \
             flush its output after each line, or ",
        )
        .with(HURRIED_FROM_THE_START)
        .in_rounds(Rounds::First)
        .after_moves(0),
    hang_at_start: timeout("hang-at-start", "no answer after ").with(HURRIED_FROM_THE_START).after_moves(0),
    slow_to_start: no_fault("slow-to-start").with(HURRIED).in_rounds(Rounds::First),
    almost_late: no_fault("almost-late").with(&["--move-time=200ms", "--margin=20s"]).at_turn(2),
}

// A bot that has gone loses the round.
cases! { gone;
    exit_0: exited("exit-0", "exited with code 0 before it answered"),
    exit_3: exited("exit-3", "exited with code 3 before it answered"),
    exit_at_launch: exited("exit-at-launch", "exited with code 4 before it answered").in_rounds(Rounds::First),
    exit_at_start: exited("exit-at-start", "exited with code 0 before it answered"),
    exit_at_the_end: exited("exit-at-the-end", "exited with code 0 before it answered")
        .in_rounds(Rounds::ShowsInTheNext),
    answer_and_exit: exited("answer-and-exit", "exited with code 0 before it answered").after_moves(1),
    half_a_line_and_exit: exited("half-a-line-and-exit", "exited with code 0 before it answered"),
    panic: exited("panic", "exited with code 101 before it answered"),
    abort: exited("abort", "was ended by signal 6 (SIGABRT, an abort) before it answered"),
    segfault: exited("segfault", "was ended by signal 11 (SIGSEGV, a bad memory access)"),
    kill_itself: exited("kill-itself", "was ended by signal 9 (SIGKILL)"),
    end_itself: exited("end-itself", "was ended by signal 15 (SIGTERM)"),
    kill_its_group: exited("kill-its-group", "was ended by signal 9 (SIGKILL)"),
    close_stdout: exited("close-stdout", "closed its stdout before it answered"),
    answer_and_close_stdout: exited("answer-and-close-stdout", "closed its stdout before it answered").after_moves(1),
    child_keeps_stdout: exited("child-keeps-stdout", "exited with code 3 before it answered"),
    daemon_keeps_stdout: exited("daemon-keeps-stdout", "exited with code 3 before it answered"),
    curse_and_exit: exited("curse-and-exit", "exited with code 1 before it answered"),
}

// What harms nobody is no fault.
cases! { harmless;
    sound: no_fault("sound"),
    crlf: no_fault("crlf"),
    spaces: no_fault("spaces"),
    object: no_fault("object"),
    more_fields: no_fault("more-fields"),
    info: no_fault("info"),
    longest_line: no_fault("longest-line"),
    byte_by_byte: no_fault("byte-by-byte"),
    close_stderr: no_fault("close-stderr"),
    flood_stderr: no_fault("flood-stderr"),
    flood_stderr_while_idle: no_fault("flood-stderr-while-idle").with_patience(),
    pour: no_fault("pour"),
    flood_after_all: no_fault("flood-after-all"),
    hang_after_all: no_fault("hang-after-all"),
    stop_after_all: no_fault("stop-after-all"),
    child: no_fault("child"),
    children: no_fault("children"),
    orphan: no_fault("orphan"),
    child_with_a_group: no_fault("child-with-a-group"),
    daemon: no_fault("daemon"),
    write_to_terminal: no_fault("write-to-terminal"),
    change_terminal: no_fault("change-terminal"),
}

/// Modes that other tests are about, or that serve as opponents.
const ELSEWHERE: &[&str] = &[
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
    "slowly",
    "kill-wardens",
    "kill-wardens-for-ever",
    "burners",
    "burners-elsewhere",
    "burners-and-hang",
    "socket-bomb",
    "in-flight-bomb",
    "shm-window",
    "locks",
    "landlock",
    "splice",
    "unreadable",
    "watch-bomb",
    "nameless-bomb",
    "deep-bomb",
    "closed-bomb",
    "ponder",
    "ponder-in-turns",
    "ponder-in-short-lives",
    "ponder-in-rare-lives",
    "thaw",
    "thaw-and-stop",
    "hup",
    "sigpending",
    "alarm",
    "compute",
    "pause",
    "hoard-descriptors",
    "hoard-folders",
    "kill-everything",
    "kill-starter",
    "stop-starter",
    "kill-starter-by-descriptor",
    "lock",
];

#[test]
fn every_mode_is_judged() {
    let modes = std::process::Command::new(env!("CARGO_BIN_EXE_hostile")).arg("--modes").output();
    let modes = String::from_utf8(modes.expect("the bot runs").stdout).expect("text");
    let judged = [lines::MODES, unasked::MODES, time::MODES, gone::MODES, harmless::MODES].concat();
    let elsewhere = [ELSEWHERE, &check::MODES].concat();
    for mode in modes.lines().filter(|mode| !elsewhere.contains(mode)) {
        assert!(judged.contains(&mode), "no case judges {mode:?}");
    }
    assert!(judged.len() > 100);
}

/// Plays the case in both seats and its rounds, all at once: most of their time is waiting.
#[track_caller]
fn judge_all(case: &'static Case) {
    let folder = tempfile::tempdir().expect("a folder is made");
    let rounds = if case.rounds == Rounds::First { 1..=1 } else { 1..=2 };
    let trials = rounds.flat_map(|round| [(0, round), (1, round)]);
    std::thread::scope(|scope| {
        let folder = folder.path();
        let trials: Vec<_> = trials
            .map(|(seat, round)| {
                let folder = folder.join(format!("{seat}-{round}"));
                scope.spawn(move || judge(case, seat, round, &folder))
            })
            .collect();
        let failed = trials.into_iter().filter_map(|trial| trial.join().err()).count();
        assert!(failed == 0, "{failed} of the trials failed; each said why above");
    });
}

/// Plays a match of the mode, in that seat and round, against a sound bot.
fn judge(case: &Case, seat: usize, round: usize, folder: &Path) {
    let folder = path(folder);
    let bot = |mode: &str| hostile(&format!("{mode} {round} {} '{folder}'", case.turn));
    let opponent = if case.patient { "patient" } else { "witness" };
    let mut bots = [format!("bad={}", bot(case.mode)), format!("good={}", bot(opponent))];
    if seat == 1 {
        bots.swap(0, 1);
    }
    let file = format!("{folder}/record");
    // What shows only when a bot is started first does not show when the round is played again.
    let is_fair = |output: &Outcome| {
        let may_replay = case.rounds != Rounds::First;
        !output.is_unfinished()
            && (may_replay || output.code != Some(0) || !has_replays(&output.json()))
    };
    let output = until_fair(is_fair, || {
        // What an earlier match left.
        let _ = fs::remove_dir_all(&folder);
        fs::create_dir(&folder).expect("a folder is made");
        let output = mancala(["match", "--format=json", "--record", &file])
            .args(&bots)
            .args(case.options)
            .run_within(HANGS);
        processes::none_left(&folder);
        output
    });
    let output = output.success();

    let record = output.json();
    assert_eq!(fs::read_to_string(&file).expect("there is a record"), output.stdout);
    mancala(["replay", &file]).run().success().says("1 of 1 matches are valid");

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
    if !has_replays(&record) {
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

/// Whether the machine was late, so that a round was played again.
fn has_replays(record: &Value) -> bool {
    let rounds = record["rounds"].as_array().expect("rounds");
    rounds.iter().any(|round| !round["replayed"].is_null())
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
            .run_until_finished()
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
    let run = mancala(["match", "--format=json"]).args(bots).args(limits);
    let record = run.run_until_finished().success().json();
    let stderr = &record["rounds"][0]["result"]["fault"]["stderr"];
    let stderr = stderr.as_str().expect("text");
    assert!(stderr.starts_with('…') && stderr.len() < 5_000, "{} bytes", stderr.len());
    assert!(stderr.contains("This is an outrage. "));
}

#[test]
fn an_answer_far_past_a_short_limit_is_late() {
    // The first answer has time to start, so the second one is late. Its opponent moves once before.
    let slow =
        "sh -c 'while read -r line; do case $line in *legal*) sleep 0.035; echo 0;; esac; done'";
    let options = ["--move-time=10ms", "--rounds=1", "--format=json"];
    let run = mancala(["match", slow, &hostile("sound")]).args(options);
    let record = run.run_until_finished().code(0).json();
    assert_eq!(record["limits"]["margin_ms"], 10);
    let result = &record["rounds"][0]["result"];
    assert_eq!((&result["reason"], &result["fault"]["bot"]), (&"timeout".into(), &0.into()));
    let detail = result["fault"]["detail"].as_str().unwrap();
    assert!(detail.contains("(limit 10 ms, margin 10 ms)"), "{detail}");
}

#[test]
fn a_fault_leaves_the_other_bots_processes_running() {
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
fn bot_output_is_escaped_in_every_format() {
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

#[test]
fn strict_exits_with_3_after_a_fault() {
    let folder = TestFolder::new();
    let play = |first: &str, second: &str, options: &[&str]| {
        mancala(["match", "--record", &folder.file("record")])
            .args([folder.bot(first), folder.bot(second)])
            .args(options)
            .run()
    };
    play("sound", "sound", &["--strict"]).success();
    play("words", "sound", &[]).success();
    for (first, second) in [("words", "sound"), ("sound", "words 2 1")] {
        let Outcome { code, stdout, stderr } = play(first, second, &["--strict"]);
        assert_eq!((code, stderr.as_str()), (Some(3), ""));
        assert!(stdout.contains("forfeits, invalid_reply"), "{stdout}");
    }
    // All of them count: the work was done.
    mancala(["replay", &folder.file("record")]).run().success().says("4 of 4 matches are valid");
}
