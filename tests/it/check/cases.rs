//! What is wrong with a bot, and the one finding that it is.

use std::panic::catch_unwind;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

use super::model::{Finding, Probe, ResultWord, Severity};
use super::{UNHURRIED, check, report};
use crate::kit::hostile;
use crate::tools;

/// A mode of the hostile bot and what a check finds.
struct Case {
    mode: &'static str,
    severity: Severity,
    /// The kind of fault; empty where it is none.
    kind: &'static str,
    /// Words of what is wrong.
    what: &'static str,
    /// Words of what came back.
    came_back: &'static str,
    /// Words of how to mend it.
    mend: &'static str,
    /// A probe that must have met it.
    probe: Probe,
    options: &'static [&'static str],
}

const fn fault(
    mode: &'static str,
    kind: &'static str,
    [what, came_back, mend]: [&'static str; 3],
) -> Case {
    let severity = Severity::Fault;
    let (probe, options) = (Probe::Games, &UNHURRIED);
    Case { mode, severity, kind, what, came_back, mend, probe, options }
}

impl Case {
    const fn warning(self) -> Case {
        Case { severity: Severity::Warning, ..self }
    }

    const fn only_in(self, probe: Probe) -> Case {
        Case { probe, ..self }
    }

    const fn hurried(self) -> Case {
        Case { options: &["--move-time=300ms", "--start-time=700ms", "--rules=cs221"], ..self }
    }
}

const CASES: &[Case] = &[
    // Which house.
    fault("off-by-one", "illegal_move", ["counts its houses from 1", "", "take 1 off"]),
    fault(
        "bins-from-the-store",
        "illegal_move",
        ["from the store: 1 for the nearest", "there is no house 6", "answer 6 minus yours"],
    ),
    fault(
        "the-other-side",
        "illegal_move",
        ["plays the opponent's row", "is empty", "cells 0 to 5"],
    ),
    fault(
        "always-two",
        "illegal_move",
        ["the same whatever the board", "house 2 is empty", "legal"],
    ),
    fault(
        "count-on",
        "illegal_move",
        ["does not look at the board", "is empty", "Take \"board\" and \"legal\" from each turn"],
    ),
    fault(
        "store 1 3",
        "illegal_move",
        ["something that is no house", "no house 6", "Houses are 0 to 5"],
    ),
    fault(
        "wrong-direction",
        "illegal_move",
        ["a direction that the rules do not have", "do not sow backward", "\"either\""],
    ),
    fault(
        "opponents-house 2 1",
        "illegal_move",
        ["the opponent's row, by its cells", "no house {\"move\":7}", "whoever began"],
    ),
    // What is on stdout.
    fault("words", "invalid_reply", ["writes text to stdout", "I play house 0", "stderr"]),
    fault("debug-print", "invalid_reply", ["writes text to stdout", "thinking about", "stderr"]),
    fault("blank-line", "invalid_reply", ["an empty line", "an empty line", "no empty line"]),
    fault("string", "invalid_reply", ["JSON that is no move", "got \"0\"", "no quotes"]),
    fault("single-quotes", "invalid_reply", ["prints an object", "{'move':0}", "json.dumps"]),
    fault("shown-in-javascript", "invalid_reply", ["prints an object", "", "JSON.stringify"]),
    fault("early", "unsolicited_output", ["without being asked", "", "start and end"]),
    fault("at-the-end", "unsolicited_output", ["without being asked", "", "start and end"]),
    fault("twice-at-once", "unsolicited_output", ["more than one line", "", "exactly one line"]),
    fault("flood", "oversized_reply", ["64 KiB without a newline", "xxxx", "End the line"]),
    // When.
    fault(
        "hold-back",
        "timeout",
        ["a flush is missing", "when its input ended came 0\\n", "Flush"],
    )
    .hurried(),
    fault("no-newline", "timeout", ["without a newline", "it wrote 0", "newline"]).hurried(),
    fault("almost-late 1 2", "timeout", ["answers too late", "; an answer came ", "move_time_ms"])
        .with(&["--move-time=400ms", "--margin=0ms", "--rules=cs221"]),
    fault("hang", "timeout", ["does not answer", "no answer after", "endless loop"]).hurried(),
    fault(
        "most-of-its-time 4 1",
        "",
        ["more than half of its time", "of a limit of 1000.0", "less"],
    )
    .warning()
    .only_in(Probe::Times)
    .with(&["--rules=cs221"]),
    // Gone.
    fault("exit-at-start", "exited", ["exits before its first answer", "code 0", "in a loop"]),
    fault("exit-0 1 2", "exited", ["exits in the middle of a round", "code 0", "in a loop"]),
    fault("exit-at-the-end", "exited", ["plays one round and exits", "code 0", "the next round"]),
    fault("exit-at-the-end 2", "exited", ["and no more", "code 0", "whatever its number"])
        .warning()
        .only_in(Probe::Rounds),
    fault("answer-once", "exited", ["exits in the middle of a round", "code 0", "in a loop"]),
    fault("answer-once-and-fail", "exited", ["it crashes", "code 1", "stderr"]),
    fault("panic", "exited", ["it crashes", "code 101", "stderr"]),
    fault(
        "panic-at-start",
        "exited",
        ["it crashes at the start of a round, before it was asked", "code 101", "stderr"],
    ),
    fault(
        "panic 2 1",
        "exited",
        ["it crashes, but only from the second round on", "code 101", "stderr"],
    ),
    fault(
        "panic-as-second",
        "exited",
        ["it crashes, but only where its opponent begins", "code 101", "stderr"],
    ),
    // Limits.
    fault(
        "memory-bomb",
        "exited",
        ["more memory than it may (--memory 100MiB)", "out of memory", "with its --memory"],
    )
    .with(&["--memory=100MiB", "--move-time=20s", "--rules=cs221"]),
    fault(
        "crowd",
        "exited",
        ["more processes and threads than it may (--processes 20)", "", "with its --processes"],
    )
    .with(&["--processes=20", "--move-time=20s", "--rules=cs221"]),
    fault(
        "too-large-a-file",
        "exited",
        ["a larger file than it may (--file-size 1MiB)", "", "with its --file-size"],
    )
    .with(&["--file-size=1MiB", "--move-time=20s", "--rules=cs221"]),
    fault("no-memory", "exited", ["is refused memory", "says its stderr", "-Xmx"]),
    fault(
        "busy",
        "exited",
        ["more processor time than it may (--cpu-time 1s)", "", "with its --cpu-time"],
    )
    .with(&["--cpu-time=1s", "--move-time=20s", "--rules=cs221"]),
    fault("segfault", "exited", ["it crashes", "SIGSEGV", "stderr"]),
    fault("close-stdout", "exited", ["closes its stdout", "closed its stdout", "open"]),
    fault("panic-at-cs221", "exited", ["it crashes", "code 101", "stderr"]),
    fault("panic-at-many-seeds", "exited", ["it crashes", "code 101", "stderr"])
        .only_in(Probe::Positions),
    // What whole games do not have.
    fault("panic-at-a-bank", "exited", ["fails with a time bank", "code 101", "time_left_ms"])
        .only_in(Probe::TimeBank),
    fault("panic-at-a-fault", "exited", ["when its opponent forfeits", "code 101", "\"fault\""])
        .only_in(Probe::OpponentsFault),
    fault(
        "panic-at-a-round-without-turn",
        "exited",
        ["when its opponent forfeits", "code 101", "before its first turn"],
    )
    .only_in(Probe::OpponentsFault),
    fault("ascii-only", "exited", ["fails on names", "code 101", "UTF-8"]).only_in(Probe::Names),
    fault(
        "panic-at-unknown-field",
        "exited",
        ["fails on fields", "code 101", "Ignore every field"],
    )
    .warning()
    .only_in(Probe::UnknownFields),
    fault("panic-at-unknown-rule", "exited", ["fails on fields", "code 101", "Ignore every field"])
        .warning()
        .only_in(Probe::UnknownFields),
    fault(
        "panic-at-unknown-type",
        "exited",
        ["messages of a type", "code 101", "Ignore every line"],
    )
    .warning()
    .only_in(Probe::UnknownTypes),
    fault(
        "answer-unknown-type",
        "invalid_reply",
        ["messages of a type", "what?", "answer turn only"],
    )
    .warning()
    .only_in(Probe::UnknownTypes),
    // The end of its input.
    fault("hang-after-all", "", ["goes on running", "still ran after", "300 ms"])
        .warning()
        .only_in(Probe::EndOfInput),
    fault("linger-after-all", "", ["goes on running", "by itself, but after", "300 ms"])
        .warning()
        .only_in(Probe::EndOfInput),
    fault("fail-after-all", "", ["for an error", "exited with code 1", "exit with code 0"])
        .warning()
        .only_in(Probe::EndOfInput),
];

impl Case {
    const fn with(self, options: &'static [&'static str]) -> Case {
        Case { options, ..self }
    }

    /// This and nothing else is found.
    fn is_found(&self) {
        let bot = hostile(self.mode);
        let outcome = check(&bot).args(self.options).arg("--format=json").run().code(3);
        let report = report(&outcome);
        let [finding] = &report.findings[..] else { panic!("{outcome:#?}") };
        self.is(finding);
    }

    /// Whether this is the finding.
    #[track_caller]
    fn is(&self, finding: &Finding) {
        let Case { severity, kind, what, came_back, mend, probe, .. } = *self;
        assert_eq!(finding.severity, severity, "{finding:#?}");
        assert_eq!(finding.kind.as_deref().unwrap_or_default(), kind, "{finding:#?}");
        for (text, words) in
            [(&finding.what, what), (&finding.came_back, came_back), (&finding.mend, mend)]
        {
            assert!(text.contains(words), "{words:?} is not in {finding:#?}");
        }
        assert!(finding.probes.contains(&probe), "{finding:#?}");
        assert!(probe == Probe::Games || finding.probes[0] == probe, "{finding:#?}");
        assert!(finding.times > 0 && !finding.during.is_empty(), "{finding:#?}");
        // What was sent can be sent again, but for the end of the input.
        let sent = finding.sent.last().expect("something was sent");
        let is_a_turn = sent.contains("\"type\":\"turn\"");
        assert!(is_a_turn || sent == "(the end of input)", "{finding:#?}");
        let panicked = self.mode.contains("panic") || self.mode == "ascii-only";
        // How much more a panic says is for the environment to choose.
        assert_eq!(finding.stderr.contains("RUST_BACKTRACE"), panicked, "{finding:#?}");
    }
}

#[test]
fn each_misbehaviour_is_its_own_finding_and_no_other() {
    let (next, failed) = (AtomicUsize::new(0), Mutex::new(Vec::new()));
    // Some of them mostly wait.
    std::thread::scope(|scope| {
        for _ in 0..4 {
            scope.spawn(|| {
                while let Some(case) = CASES.get(next.fetch_add(1, Ordering::Relaxed)) {
                    if catch_unwind(|| case.is_found()).is_err() {
                        failed.lock().expect("no panic with the lock").push(case.mode);
                    }
                }
            });
        }
    });
    let failed = failed.into_inner().expect("no panic with the lock");
    assert!(failed.is_empty(), "{failed:?}");
}

#[test]
fn a_script_that_is_not_there_is_named_and_nothing_more_is_tried() {
    let hostile = hostile("script-is-not-there");
    for (bot, name) in [
        ("python3 no/such/bot.py", "no/such/bot.py is not there"),
        ("sh no/such/bot.sh", "no/such/bot.sh is not there"),
        (&hostile, "find a file: /bots/nope.py is not there"),
    ] {
        let outcome = check(bot).args(UNHURRIED).arg("--format=json").run().code(3);
        let report = report(&outcome);
        let [finding] = &report.findings[..] else { panic!("{outcome:#?}") };
        assert!(finding.what.contains(name), "{finding:#?}");
        assert_eq!((finding.times, &finding.probes[..]), (1, &[Probe::Start][..]));
        assert!(finding.mend.contains("where mancala is started"), "{finding:#?}");
        for probe in &report.probes[1..] {
            assert!(probe.result == ResultWord::LeftOut && probe.answers == 0, "{probe:?}");
        }
    }
}

#[test]
fn a_crash_in_the_sandbox_is_told_with_what_opens_it() {
    if !tools::sandbox_is_there("a crash in the sandbox") {
        return;
    }
    let sandboxed = |bot: &str| {
        let outcome = check(bot).args(UNHURRIED).args(["--sandbox", "--format=json"]).run();
        report(&outcome.code(3)).findings
    };
    let findings = sandboxed(&hostile("panic"));
    let [finding] = &findings[..] else { panic!("{findings:#?}") };
    assert_eq!(finding.what, "it crashes");
    assert!(finding.mend.contains("--allow-read PATH opens"), "{finding:#?}");
    let findings = sandboxed(&hostile("no-memory"));
    let [finding] = &findings[..] else { panic!("{findings:#?}") };
    assert!(!finding.mend.contains("--allow-read"), "{finding:#?}");
}

#[test]
fn what_is_no_fault_is_noted_at_most() {
    for (mode, note) in [
        ("sound", "played the same in 3 of 3 positions"),
        ("crlf", "played the same in 3 of 3 positions"),
        ("info", "played the same in 3 of 3 positions"),
        ("more-fields", "played the same in 3 of 3 positions"),
        ("fickle", "played differently in"),
        ("flood-stderr", "it writes to stderr, which is its own"),
        ("close-stderr", "played the same in 3 of 3 positions"),
    ] {
        let outcome = check(&hostile(mode)).args(UNHURRIED).arg("--format=json").run().success();
        let notes = report(&outcome).notes;
        assert!(notes.iter().any(|found| found.what.contains(note)), "{mode}: {notes:?}");
    }
}

#[test]
fn a_finding_is_told_with_what_was_sent_and_what_came_back() {
    let bot = format!("mine={}", hostile("curse-and-exit 1 2"));
    let outcome = check(&bot).args(UNHURRIED).run().code(3).plain();
    for words in [
        "mine, with 20000 ms a move, 60000 ms to start; seed 1\n\ntried ",
        "games             findings        6 ",
        "\n  not all of it: it was at the same fault 3 times\n",
        "1. fault: it crashes.\n  Met   exited; ",
        "  First learneroo against random, round 1 as starter, its turn 2\n",
        "  Sent  {\"type\":\"turn\",\"turn\":2,",
        "  Got   exited with code 1 before it answered\n",
        "  Said  | \\u{1b}[2J\\u{1b}]0;I won\\u{7} ",
        "  Mend  The reason is mostly in its stderr.",
        "\nmine has 1 fault.\n",
    ] {
        assert!(outcome.stdout.contains(words), "{words:?} is not in {}", outcome.stdout);
    }
    assert_eq!(outcome.stderr, "");
}

/// The modes that are judged here.
pub const MODES: [&str; 29] = [
    "off-by-one",
    "bins-from-the-store",
    "the-other-side",
    "always-two",
    "count-on",
    "shown-in-javascript",
    "answer-once",
    "answer-once-and-fail",
    "panic-at-start",
    "panic-as-second",
    "crowd",
    "too-large-a-file",
    "no-memory",
    "script-is-not-there",
    "hold-back",
    "most-of-its-time",
    "fickle",
    "fail-after-all",
    "linger-after-all",
    "panic-at-cs221",
    "panic-at-many-seeds",
    "panic-at-a-bank",
    "panic-at-a-fault",
    "panic-at-a-round-without-turn",
    "ascii-only",
    "panic-at-unknown-field",
    "panic-at-unknown-rule",
    "panic-at-unknown-type",
    "answer-unknown-type",
];
