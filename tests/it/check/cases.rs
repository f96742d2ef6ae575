//! What is wrong with a bot, and the one finding that it is.

use super::reference_report::{Finding, Probe, ResultWord, Severity};
use super::{UNHURRIED, check, report};
use crate::program::{hostile, path};
use crate::requirements;
use crate::test_folder::TestFolder;

/// A mode of the hostile bot and what a check finds.
struct Case {
    mode: &'static str,
    severity: Severity,
    /// The kind of fault, or two with a bar between them where it depends on who is faster; empty
    /// where it is none.
    kind: &'static str,
    /// Words of what is wrong.
    what: &'static str,
    /// Words of what was received.
    received: &'static str,
    /// Words of the fix.
    fix: &'static str,
    /// A probe that must have seen it.
    probe: Probe,
    options: &'static [&'static str],
}

/// Time is not the question, and one ruleset is enough.
const ONE_RULESET: [&str; 4] =
    ["--move-time=20s", "--start-time=60s", "--budget=10m", "--rules=cs221"];

const fn fault(
    mode: &'static str,
    kind: &'static str,
    [what, received, fix]: [&'static str; 3],
) -> Case {
    let severity = Severity::Fault;
    let (probe, options) = (Probe::Games, &ONE_RULESET);
    Case { mode, severity, kind, what, received, fix, probe, options }
}

impl Case {
    const fn warning(self) -> Case {
        Case { severity: Severity::Warning, ..self }
    }

    const fn only_in(self, probe: Probe) -> Case {
        Case { probe, ..self }
    }

    const fn hurried(self) -> Case {
        let options = &["--move-time=300ms", "--start-time=700ms", "--rules=cs221", "--budget=8s"];
        Case { options, ..self }
    }
}

/// Makes a test of each case, with the case's name.
macro_rules! cases {
    ($($name:ident: $case:expr;)*) => {
        $(
            #[test]
            fn $name() {
                $case.is_found();
            }
        )*
    };
}

cases! {
    // Which house.
    off_by_one: fault("off-by-one", "illegal_move", ["counts its houses from 1", "", "take 1 off"]);
    bins_from_the_store:
        fault(
            "bins-from-the-store",
            "illegal_move",
            ["from the store: 1 for the nearest", "there is no house 6", "answer 6 minus yours"],
        );
    the_other_side:
        fault(
            "the-other-side",
            "illegal_move",
            ["plays the opponent's row", "is empty", "cells 0 to 5"],
        );
    always_two:
        fault(
            "always-two",
            "illegal_move",
            ["the same answer to every board", "house 2 is empty", "legal"],
        );
    count_on:
        fault(
            "count-on",
            "illegal_move",
            ["does not look at the board", "is empty", "Take \"board\" and \"legal\" from each turn"],
        );
    cell_behind:
        fault(
            "cell-behind",
            "illegal_move",
            ["it chooses a house without seeds", "is empty", "Play one of \"legal\""],
        );
    any_cell:
        fault(
            "any-cell",
            "illegal_move",
            ["houses without seeds, and numbers that are not houses", "", "Choose from \"legal\""],
        );
    fullest_cell:
        fault(
            "fullest-cell",
            "illegal_move",
            ["takes a store for a house", "there is no house 6", "Cells 6 and 13"],
        );
    fullest_of_all:
        fault(
            "fullest-of-all",
            "illegal_move",
            ["takes a store for a house", "there is no house ", "Cells 6 and 13"],
        );
    place_in_legal:
        fault(
            "place-in-legal",
            "illegal_move",
            ["answers a position in \"legal\"", "is empty", "answer legal[i], not i"],
        );
    store_1_3:
        fault(
            "store 1 3",
            "illegal_move",
            ["something that is not a house", "no house 6", "Houses are 0 to 5"],
        );
    wrong_direction:
        fault(
            "wrong-direction",
            "illegal_move",
            ["a direction that the rules do not have", "do not sow backward", "\"either\""],
        );
    opponents_house_2_1:
        fault(
            "opponents-house 2 1",
            "illegal_move",
            ["the opponent's row, by its cells", "no house 7; houses are 0 to 5; it answered {\"move\":7}", "whoever began"],
        );
    opponents_house_1_3:
        fault(
            "opponents-house 1 3",
            "illegal_move",
            ["something that is not a house", "no house 7", "Houses are 0 to 5"],
        );
    nine_now_and_then:
        fault(
            "nine-now-and-then",
            "illegal_move",
            ["something that is not a house", "no house 9", "Houses are 0 to 5"],
        );
    // What is on stdout.
    words: fault("words", "invalid_reply", ["writes text to stdout", "I play house 0", "stderr"]);
    debug_print:
        fault("debug-print", "invalid_reply", ["writes text to stdout", "thinking about", "stderr"]);
    blank_line:
        fault("blank-line", "invalid_reply", ["an empty line", "an empty line", "no empty line"]);
    string: fault("string", "invalid_reply", ["JSON that is not a move", "got \"0\"", "no quotes"]);
    single_quotes:
        fault("single-quotes", "invalid_reply", ["prints an object", "{'move':0}", "json.dumps"]);
    shown_in_javascript:
        fault("shown-in-javascript", "invalid_reply", ["prints an object", "", "JSON.stringify"]);
    early: fault("early", "unsolicited_output", ["without being asked", "", "start and end"]);
    at_the_end:
        fault("at-the-end", "unsolicited_output", ["without being asked", "", "start and end"]);
    twice_at_once:
        fault("twice-at-once", "unsolicited_output", ["more than one line", "", "exactly one line"]);
    flood: fault("flood", "oversized_reply", ["64 KiB without a newline", "xxxx", "End the line"]);
    // When.
    hold_back:
        fault(
            "hold-back",
            "timeout",
            ["waits for the end of its input", "when its input ended it wrote 0\\n", "line by line"],
        )
        .hurried();
    no_newline:
        fault("no-newline", "timeout", ["without a newline", "it wrote 0", "newline"]).hurried();
    almost_late_1_2:
        fault("almost-late 1 2", "timeout", ["answers too late", "; an answer came ", "move_time_ms"])
            .with(&["--move-time=400ms", "--margin=0ms", "--rules=cs221"]);
    hang:
        fault("hang", "timeout", ["does not answer", "no answer after", "endless loop"]).hurried();
    most_of_its_time_4_1:
        fault(
            "most-of-its-time 4 1",
            "",
            ["more than half of its time", "of a limit of 5000.0", "less"],
        )
        .warning()
        .only_in(Probe::Times)
        .with(&["--rules=cs221", "--move-time=5s"]);
    // Gone.
    exit_at_start:
        fault("exit-at-start", "exited", ["exits before its first answer", "code 0", "in a loop"]);
    exit_0_1_2:
        fault("exit-0 1 2", "exited", ["exits in the middle of a round", "code 0", "in a loop"]);
    exit_at_the_end:
        fault("exit-at-the-end", "exited", ["plays one round and exits", "code 0", "the next round"]);
    exit_at_the_end_2:
        fault("exit-at-the-end 2", "exited", ["and no more", "code 0", "whatever its number"])
            .warning()
            .only_in(Probe::Rounds);
    answer_once:
        fault("answer-once", "exited", ["exits in the middle of a round", "code 0", "in a loop"]);
    answer_once_and_fail:
        fault("answer-once-and-fail", "exited", ["it crashes", "code 1", "stderr"]);
    panic: fault("panic", "exited", ["it crashes", "code 101", "stderr"]);
    panic_at_start:
        fault(
            "panic-at-start",
            "exited",
            ["it crashes at the start of a round, before it was asked", "code 101", "stderr"],
        );
    panic_2_1:
        fault(
            "panic 2 1",
            "exited",
            ["it crashes, but only from the second round on", "code 101", "stderr"],
        );
    panic_as_second:
        fault(
            "panic-as-second",
            "exited",
            ["it crashes, but only where its opponent begins", "code 101", "stderr"],
        );
    // Limits.
    memory_bomb:
        fault(
            "memory-bomb",
            "exited",
            ["more memory than it may (--memory 100MiB)", "out of memory", "with its --memory"],
        )
        .with(&["--memory=100MiB", "--move-time=20s", "--rules=cs221"]);
    crowd:
        fault(
            "crowd",
            "exited",
            ["more processes and threads than it may (--processes 20)", "", "with its --processes"],
        )
        .with(&["--processes=20", "--move-time=20s", "--rules=cs221"]);
    crowd_that_gives_up:
        fault(
            "crowd-that-gives-up",
            "exited",
            ["more processes and threads than it may (--processes 20)", "", "with its --processes"],
        )
        .with(&["--processes=20", "--move-time=20s", "--rules=cs221"]);
    too_large_a_file:
        fault(
            "too-large-a-file",
            "exited",
            ["a larger file than it may (--file-size 1MiB)", "", "with its --file-size"],
        )
        .with(&["--file-size=1MiB", "--move-time=20s", "--rules=cs221"]);
    no_memory: fault("no-memory", "exited", ["is refused memory", "according to its stderr", "-Xmx"]);
    busy:
        fault(
            "busy",
            "exited",
            ["more processor time than it may (--cpu-time 1s)", "", "with its --cpu-time"],
        )
        .with(&["--cpu-time=1s", "--move-time=20s", "--rules=cs221", "--budget=7s"]);
    segfault: fault("segfault", "exited", ["it crashes", "SIGSEGV", "stderr"]);
    die_slowly: fault("die-slowly", "exited", ["it crashes", "exited with code 1", "stderr"]);
    close_stdout:
        fault("close-stdout", "exited", ["closes its stdout", "closed its stdout", "open"]);
    panic_at_cs221: fault("panic-at-cs221", "exited", ["it crashes", "code 101", "stderr"]).with(&UNHURRIED);
    panic_at_many_seeds:
        fault("panic-at-many-seeds", "exited", ["it crashes", "code 101", "stderr"])
            .with(&["--seeds=20", "--rules=cs221", "--move-time=20s"]);
    // What whole games do not have.
    panic_at_a_bank:
        fault("panic-at-a-bank", "exited", ["fails with a time bank", "code 101", "time_left_ms"])
            .only_in(Probe::TimeBank);
    panic_at_a_fault:
        fault("panic-at-a-fault", "exited", ["when its opponent forfeits", "code 101", "\"fault\""])
            .only_in(Probe::OpponentsFault);
    panic_at_a_round_without_turn:
        fault(
            "panic-at-a-round-without-turn",
            "exited",
            ["when its opponent forfeits", "code 101", "before its first turn"],
        )
        .only_in(Probe::OpponentsFault);
    ascii_only:
        fault("ascii-only", "exited", ["fails on names", "code 101", "UTF-8"]).only_in(Probe::Names);
    panic_at_unknown_field:
        fault(
            "panic-at-unknown-field",
            "exited",
            ["fails on unknown fields", "code 101", "Ignore every field"],
        )
        .warning()
        .only_in(Probe::UnknownFields);
    // Its silence takes all the time that is left.
    hang_at_unknown_field:
        fault(
            "hang-at-unknown-field",
            "timeout",
            ["fails on unknown fields", "no answer", "Ignore every field"],
        )
        .warning()
        .only_in(Probe::UnknownFields)
        .with(&["--start-time=10s"]);
    panic_at_unknown_rule:
        fault("panic-at-unknown-rule", "exited", ["fails on unknown fields", "code 101", "Ignore every field"])
            .warning()
            .only_in(Probe::UnknownFields);
    panic_at_unknown_type:
        fault(
            "panic-at-unknown-type",
            "exited",
            ["messages of an unknown type", "code 101", "Ignore every line"],
        )
        .warning()
        .only_in(Probe::UnknownTypes);
    answer_unknown_type:
        fault(
            "answer-unknown-type",
            "invalid_reply|unsolicited_output",
            ["messages of an unknown type", "what?", "answer turn only"],
        )
        .warning()
        .only_in(Probe::UnknownTypes);
    // The end of its input.
    hang_after_all:
        fault("hang-after-all", "", ["goes on running", "still ran after", "300 ms"])
            .warning()
            .only_in(Probe::EndOfInput);
    linger_after_all:
        fault("linger-after-all", "", ["goes on running", "by itself, but after", "300 ms"])
            .warning()
            .only_in(Probe::EndOfInput);
    fail_after_all:
        fault("fail-after-all", "", ["for an error", "exited with code 1", "exit with code 0"])
            .warning()
            .only_in(Probe::EndOfInput);
}

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
        let Case { severity, kind, what, received, fix, probe, .. } = *self;
        assert_eq!(finding.severity, severity, "{finding:#?}");
        let found = finding.kind.as_deref().unwrap_or_default();
        assert!(kind.split('|').any(|kind| kind == found), "{finding:#?}");
        for (text, words) in
            [(&finding.what, what), (&finding.received, received), (&finding.fix, fix)]
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
fn a_missing_script_is_the_only_finding() {
    // Where the command line names it, it is known beforehand.
    for (bot, words) in [
        ("python3 no/such/bot.py", "python3 cannot find no/such/bot.py"),
        ("sh no/such/bot.sh", "sh cannot find no/such/bot.sh"),
    ] {
        check(bot).args(UNHURRIED).run().failure(1, words);
    }
    let hostile = hostile("script-is-not-there");
    let outcome = check(&hostile).args(UNHURRIED).arg("--format=json").run().code(3);
    let report = report(&outcome);
    let [finding] = &report.findings[..] else { panic!("{outcome:#?}") };
    assert!(finding.what.contains("find a file: /bots/nope.py"), "{finding:#?}");
    assert_eq!((finding.times, &finding.probes[..]), (1, &[Probe::Start][..]));
    assert!(finding.fix.contains("where mancala is started"), "{finding:#?}");
    for probe in &report.probes[1..] {
        assert!(probe.result == ResultWord::LeftOut && probe.answers == 0, "{probe:?}");
    }
}

#[test]
fn a_crash_in_the_sandbox_names_allow_read_only_if_a_file_was_refused() {
    if !requirements::sandbox_is_there("a crash in the sandbox") {
        return;
    }
    let sandboxed = |bot: &str| {
        let outcome = check(bot).args(UNHURRIED).args(["--sandbox", "--format=json"]).run();
        report(&outcome.code(3)).findings
    };
    let folder = tempfile::tempdir().unwrap();
    let file = path(folder.path().join("book"));
    std::fs::write(&file, "moves").unwrap();
    let findings = sandboxed(&format!("reader=sh -c 'cat {file} >&2 && exit 7; exit 8'"));
    let [finding] = &findings[..] else { panic!("{findings:#?}") };
    assert!(finding.fix.contains("--allow-read PATH opens"), "{finding:#?}");
    let findings = sandboxed(&hostile("panic"));
    let [finding] = &findings[..] else { panic!("{findings:#?}") };
    assert_eq!(finding.what, "it crashes");
    assert!(!finding.fix.contains("--allow-read"), "{finding:#?}");
    let findings = sandboxed(&hostile("no-memory"));
    let [finding] = &findings[..] else { panic!("{findings:#?}") };
    assert!(!finding.fix.contains("--allow-read"), "{finding:#?}");
}

/// A bot that forgets to look at `type`: it answers every message with its first house with seeds,
/// and crashes where there is no board.
const ANSWERS_EVERYTHING: &str = r#"
while read -r line; do
  case $line in *'"board":['*) ;; *) exit 1;; esac
  board=${line#*'"board":['}; IFS=,; set -- ${board%%]*}; house=0
  for seeds; do if [ "$seeds" != 0 ]; then echo $house; break; fi; house=$((house + 1)); done
done
"#;

#[test]
fn a_bot_that_answers_every_message_has_one_fault() {
    let folder = tempfile::tempdir().unwrap();
    let script = path(folder.path().join("bot.sh"));
    std::fs::write(&script, ANSWERS_EVERYTHING).unwrap();
    let bot = format!("sh '{script}'");
    let outcome = check(&bot).args(UNHURRIED).args(["--rules=kalah", "--format=json"]);
    let findings = report(&outcome.run().code(3)).findings;
    let [finding] = &findings[..] else { panic!("{findings:#?}") };
    assert_eq!(finding.what, "it writes to stdout without being asked");
    assert!(finding.fix.contains(r#"only where "type" is "turn""#), "{finding:#?}");
}

#[test]
fn trouble_with_boards_beyond_the_rules_is_a_note() {
    let outcome = check(&hostile("panic-at-many-seeds")).args(UNHURRIED).arg("--format=json");
    let notes = report(&outcome.run().success()).notes;
    let note = notes.iter().find(|note| note.what.contains("more seeds than the rules asked for"));
    let note = note.unwrap_or_else(|| panic!("{notes:?}"));
    assert!(note.what.contains("code 101") && note.what.contains("--opening"), "{note:?}");
}

#[test]
fn harmless_habits_are_notes() {
    for (mode, note) in [
        ("sound", "played the same in 3 of 3 positions"),
        ("crlf", "played the same in 3 of 3 positions"),
        ("info", "played the same in 3 of 3 positions"),
        ("more-fields", "played the same in 3 of 3 positions"),
        ("fickle", "played differently in"),
        ("flood-stderr", "it writes to stderr, which a match ignores"),
        ("close-stderr", "played the same in 3 of 3 positions"),
    ] {
        let outcome = check(&hostile(mode)).args(UNHURRIED).arg("--format=json").run().success();
        let notes = report(&outcome).notes;
        assert!(notes.iter().any(|found| found.what.contains(note)), "{mode}: {notes:?}");
    }
}

#[test]
fn a_finding_shows_what_was_sent_and_received() {
    let bot = format!("mine={}", hostile("curse-and-exit 1 2"));
    let outcome = check(&bot).args(UNHURRIED).run().code(3).plain();
    for words in [
        "mine, with 20000 ms a move, 60000 ms to start; seed 1\n\n┌",
        "│ games            │ findings │      6 │",
        " (the same fault was seen 3 times).\n",
        "1. fault: it crashes.\n  Seen      exited; ",
        "  First     learneroo against random, round 1 as starter, its turn 2\n",
        "  Sent      {\"type\":\"turn\",\"turn\":2,",
        "  Received  exited with code 1 before it answered\n",
        "  stderr    | \\u{1b}[2J\\u{1b}]0;I won\\u{7} ",
        "  Fix       Its stderr usually says why; if it says nothing, ",
        "\nmine has 1 fault.\n",
    ] {
        assert!(outcome.stdout.contains(words), "{words:?} is not in {}", outcome.stdout);
    }
    assert_eq!(outcome.stderr, "");
}

/// The modes that are judged here.
pub const MODES: [&str; 39] = [
    "die-slowly",
    "off-by-one",
    "bins-from-the-store",
    "the-other-side",
    "always-two",
    "count-on",
    "nine-now-and-then",
    "cell-behind",
    "any-cell",
    "fullest-cell",
    "fullest-of-all",
    "place-in-legal",
    "shown-in-javascript",
    "answer-once",
    "answer-once-and-fail",
    "panic-at-start",
    "panic-as-second",
    "crowd",
    "crowd-that-gives-up",
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
    "hang-at-many-seeds",
    "panic-at-a-bank",
    "panic-at-a-fault",
    "panic-at-a-round-without-turn",
    "ascii-only",
    "panic-at-unknown-field",
    "hang-at-unknown-field",
    "panic-at-unknown-rule",
    "panic-at-unknown-type",
    "answer-unknown-type",
];

#[test]
fn a_script_with_a_wrong_encoding_has_one_finding_that_says_so() {
    if !requirements::are_there("python3", "scripts with other encodings") {
        return;
    }
    let folder = TestFolder::new();
    let reads = "import io, json, sys\nfor line in LINES:\n  m = json.loads(line)\n  \
                 if m['type'] == 'turn': WRITE";
    let plain = reads.replace("LINES", "sys.stdin");
    let ascii = "io.TextIOWrapper(sys.stdin.buffer, encoding='ascii')";
    let prints = "print(m['legal'][0], flush=True)\n";
    let utf_16 = "sys.stdout.buffer.write(f\"{m['legal'][0]}\\n\".encode('utf-16')); \
                  sys.stdout.flush()\n";
    for (name, text, what) in [
        ("reads", reads.replace("LINES", ascii).replace("WRITE", prints), "cannot read letters"),
        ("writes", plain.replace("WRITE", utf_16), "writes bytes that are not UTF-8"),
    ] {
        let file = folder.file(&format!("{name}.py"));
        std::fs::write(&file, text).unwrap();
        let bot = format!("python3 {file}");
        let options = ["--rules=cs221", "--format=json"];
        let outcome = check(&bot).args(UNHURRIED).args(options).run().code(3);
        let findings = report(&outcome).findings;
        let [finding] = &findings[..] else { panic!("{findings:#?}") };
        assert!(finding.what.contains(what), "{finding:#?}");
    }
}
