//! What a check says of bots that are silent, or answer once too often.

use super::reference_report::{Finding, Probe, ResultWord};
use super::{check, report};
use crate::program::Outcome;
use crate::requirements;

/// A check of this Python program, with these options.
fn checked(options: &[&str], program: &str) -> Outcome {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("bot.py");
    std::fs::write(&file, format!("import json, sys, time\n{program}")).unwrap();
    let bot = format!("python3 '{}'", file.display());
    check(&bot).args(options).arg("--format=json").run()
}

/// The findings of a check of this Python program, and whether an unfinished probe is called clean.
pub(super) fn findings_of(program: &str) -> Vec<Finding> {
    findings_within(&["--move-time=400ms", "--start-time=3s"], program)
}

/// The same with these limits.
pub(super) fn findings_within(limits: &[&str], program: &str) -> Vec<Finding> {
    findings_with(&[limits, &["--rules=cs221", "--budget=30s"]].concat(), program)
}

/// The same with these options.
pub(super) fn findings_with(options: &[&str], program: &str) -> Vec<Finding> {
    let report = report(&checked(options, program).code(3));
    for probe in &report.probes {
        assert!(probe.result != ResultWord::Clean || probe.cut_short.is_none(), "{probe:?}");
        let share = probe.cut_short.as_ref().is_some_and(|why| why.contains("its share of"));
        assert!(!share || probe.answers > 0, "{probe:?}");
    }
    report.findings
}

/// This is found, with this advice, and no guess at a missing flush or an endless loop.
#[track_caller]
fn assert_found(program: &str, what: &str, fix: &str) {
    if !requirements::are_there("python3", "bots in Python") {
        return;
    }
    let findings = findings_of(program);
    let found = findings.iter().find(|finding| finding.what == what);
    let found = found.unwrap_or_else(|| panic!("{findings:#?}"));
    assert!(found.fix.contains(fix), "{found:#?}");
    for finding in &findings {
        assert!(!finding.received.contains("flush"), "{finding:#?}");
        assert!(!finding.fix.contains("endless loop"), "{finding:#?}");
    }
}

#[test]
fn a_bot_that_answers_once_and_never_again_is_sent_back_to_its_loop() {
    let program = "\
for line in sys.stdin:
    message = json.loads(line)
    if message['type'] == 'turn':
        print(message['legal'][0], flush=True)
        break
time.sleep(60)
";
    assert_found(program, "it stops answering", "in a loop until the end of the input");
}

#[test]
fn an_answer_that_is_written_twice_is_recognised() {
    if !requirements::are_there("python3", "bots in Python") {
        return;
    }
    // The second line mostly comes as the answer to the next turn.
    for pause in ["0.001", "0.02"] {
        let program = "\
for line in sys.stdin:
    message = json.loads(line)
    if message['type'] == 'turn':
        print(message['legal'][0], flush=True)
        time.sleep(PAUSE)
        print(message['legal'][0], flush=True)
";
        let findings = findings_of(&program.replace("PAUSE", pause));
        let what: Vec<&str> = findings.iter().map(|finding| &*finding.what).collect();
        assert_eq!(what, ["it writes more than one line for a turn"], "{findings:#?}");
    }
}

#[test]
fn a_bot_that_reads_on_before_it_answers_is_told_so() {
    if !requirements::are_there("python3", "bots in Python") {
        return;
    }
    for (block, expected) in [
        ("200", "it answers only when the next message comes"),
        ("4096", "it waits for the end of its input before it answers"),
    ] {
        let program = "\
text = ''
while piece := sys.stdin.read(BLOCK):
    *lines, text = (text + piece).split('\\n')
    for line in lines:
        message = json.loads(line)
        if message['type'] == 'turn':
            print(message['legal'][0], flush=True)
";
        let findings = findings_of(&program.replace("BLOCK", block));
        let what: Vec<&str> = findings.iter().map(|finding| &*finding.what).collect();
        assert_eq!(what, [expected], "{findings:#?}");
    }
}

#[test]
fn a_surplus_line_and_what_it_is_taken_for_are_one_fault() {
    let program = "\
for line in sys.stdin:
    message = json.loads(line)
    if message['type'] == 'turn':
        print(message['legal'][-1], flush=True)
        print('depth', 7, flush=True)
";
    if requirements::are_there("python3", "bots in Python") {
        let findings = findings_of(program);
        let what: Vec<&str> = findings.iter().map(|finding| &*finding.what).collect();
        assert_eq!(what, ["it writes more than one line for a turn"], "{findings:#?}");
    }
}

#[test]
fn a_missing_flush_is_named_in_the_bots_language() {
    let program = "\
for line in sys.stdin:
    message = json.loads(line)
    if message['type'] == 'turn':
        print(message['legal'][0])
";
    let what = "it answers only when its input ends: a flush is missing";
    assert_found(program, what, "In Python: print(move, flush=True)");
}

#[test]
fn a_flush_that_is_missing_behind_later_answers_is_named_in_the_bots_language() {
    let program = "\
for line in sys.stdin:
    message = json.loads(line)
    if message['type'] == 'turn':
        print(message['legal'][0], flush=message['turn'] == 1)
";
    if requirements::are_there("python3", "bots in Python") {
        let findings = findings_of(program);
        let [finding] = &findings[..] else { panic!("{findings:#?}") };
        assert_eq!(finding.what, "it answers only when its input ends: a flush is missing");
        assert!(finding.fix.contains("In Python: print(move, flush=True)"), "{finding:#?}");
    }
}

#[test]
fn a_late_answer_that_comes_just_after_the_end_of_its_input_is_late() {
    if !requirements::are_there("python3", "bots in Python") {
        return;
    }
    // After 11 s its input ends, and it is listened to for a moment, which a busy machine may miss.
    let program = "\
for line in sys.stdin:
    message = json.loads(line)
    if message['type'] == 'turn':
        time.sleep(0 if message['turn'] == 1 else 11.35)
        print(message['legal'][0], flush=True)
";
    let mut checks =
        (0..5).map(|_| findings_within(&["--move-time=1s", "--start-time=3s"], program));
    let is_heard = |it: &Vec<Finding>| it[0].received.contains("when its input ended it wrote 0");
    let findings = checks.find(is_heard).expect("an answer at the end of its input");
    let [finding] = &findings[..] else { panic!("{findings:#?}") };
    assert_eq!(finding.what, "it answers too late");
}

#[test]
fn a_bot_that_never_flushes_is_told_to_even_if_nothing_comes_at_its_end() {
    // As a PrintWriter that is never closed does in Java.
    let program = "\
import os
out = open(1, 'w', closefd=False, buffering=8192)
for line in sys.stdin:
    message = json.loads(line)
    if message['type'] == 'turn':
        out.write(f\"{message['legal'][0]}\\n\")
os._exit(0)
";
    let what = "it writes answers only when its buffer is full: a flush is missing";
    assert_found(program, what, "In Python: print(move, flush=True)");
}

#[test]
fn a_bot_that_reads_all_its_input_first_is_not_told_to_flush() {
    let program = "\
for line in sys.stdin.readlines():
    message = json.loads(line)
    if message['type'] == 'turn':
        print(message['legal'][0], flush=True)
";
    assert_found(
        program,
        "it waits for the end of its input before it answers",
        "Read line by line",
    );
}

#[test]
fn a_bot_that_takes_its_whole_input_for_one_message_is_told_to_read_lines() {
    let program = "message = json.load(sys.stdin)\nprint(message['legal'][0], flush=True)\n";
    let what = "it waits for the end of its input before it answers";
    assert_found(program, what, "Read line by line");
}

#[test]
fn a_probe_that_its_budget_ends_is_not_a_silent_bot() {
    if !requirements::are_there("python3", "bots in Python") {
        return;
    }
    let report = report(&checked(&["--start-time=9s", "--budget=8s"], &slow_bot(1.6, 0.0)));
    let why = report.probes.iter().filter_map(|probe| probe.cut_short.as_deref());
    let why: Vec<&str> = why.collect();
    assert!(!why.is_empty() && why.iter().all(|why| why.contains("budget")), "{why:?}");
}

#[test]
fn a_bot_without_an_answer_is_told_so_and_not_of_its_share() {
    if !requirements::are_there("python3", "bots in Python") {
        return;
    }
    // Neither is waited for in silence: one exits, the other closes its stdout.
    for leaves in ["sys.exit('no opening book')", "import os; os.close(1); time.sleep(60)"] {
        let bot = format!("time.sleep(1.5)\n{leaves}");
        let report = report(&checked(&["--rules=cs221", "--budget=10s"], &bot).code(3));
        let why: Vec<&str> =
            report.probes.iter().filter_map(|probe| probe.cut_short.as_deref()).collect();
        let spent = "it gave no answer, and the budget of 10s is spent";
        assert!(why.contains(&"it gave no answer") && why.contains(&spent), "{why:?}");
        assert!(why.iter().all(|why| ["it gave no answer", spent].contains(why)), "{why:?}");
    }
}

#[test]
fn where_slow_answers_have_spent_the_budget_it_is_said_to_be() {
    if !requirements::are_there("python3", "bots in Python") {
        return;
    }
    // Its first answers have the start time, too; a second one is late.
    let options = ["--rules=cs221", "--budget=16s", "--start-time=9s", "--move-time=1s"];
    let report = report(&checked(&options, &slow_bot(0.0, 1.6)));
    let last = report.probes.iter().rfind(|probe| probe.probe == Probe::Levels).expect("levels");
    let why = last.cut_short.as_deref();
    assert_eq!(why, Some("the budget of 16s is spent (--budget)"), "{:#?}", report.probes);
}

/// A bot that sleeps for this many seconds before its loop and before each answer.
fn slow_bot(at_start: f64, before_answers: f64) -> String {
    format!(
        "\
time.sleep({at_start})
for line in sys.stdin:
    message = json.loads(line)
    if message['type'] == 'turn':
        time.sleep({before_answers})
        print(message['legal'][0], flush=True)
"
    )
}

/// Every fix has these words, and none guesses at how the bot reads or writes.
#[track_caller]
fn assert_slow(limits: &[&str], bot: &str, words_of_fix: &str) {
    if !requirements::are_there("python3", "bots in Python") {
        return;
    }
    let findings = findings_within(limits, bot);
    for finding in &findings {
        assert!(finding.fix.contains(words_of_fix), "{finding:#?}");
        for guess in ["flush", "Read line by line", "stops answering"] {
            assert!(!format!("{finding:?}").contains(guess), "{guess}: {finding:#?}");
        }
    }
    assert!(!findings.is_empty());
}

/// The same of each of these bots with its limits, all at once: a check of a slow bot mostly waits.
fn assert_each_slow(bots: &[(&[&str], String)], words_of_fix: &str) {
    std::thread::scope(|scope| {
        for (limits, bot) in bots {
            scope.spawn(|| assert_slow(limits, bot, words_of_fix));
        }
    });
}

#[test]
fn a_slow_bot_that_flushes_is_late() {
    let limits = &["--move-time=400ms"][..];
    let bots = [1.6, 2.9].map(|before_answers| (limits, slow_bot(0.0, before_answers)));
    assert_each_slow(&bots, "look at the clock");
}

#[test]
fn a_slow_bot_is_slow_in_every_probe() {
    if !requirements::are_there("python3", "bots in Python") {
        return;
    }
    let program = "\
for line in sys.stdin:
    message = json.loads(line)
    if message['type'] == 'turn':
        time.sleep(0 if message['turn'] == 1 else 3)
        print(message['legal'][0], flush=True)
";
    // Each time the late answer is waited for no longer in another probe: half of what is left is less.
    std::thread::scope(|scope| {
        for budget in ["--budget=14s", "--budget=16s", "--budget=18s", "--budget=20s"] {
            scope.spawn(move || {
                let report = report(&checked(&["--rules=cs221", budget], program).code(3));
                let [finding] = &report.findings[..] else { panic!("{budget}: {report:#?}") };
                assert_eq!(finding.what, "it answers too late", "{budget}");
            });
        }
    });
}

#[test]
fn a_slow_start_is_named() {
    let bots: [(&[&str], String); 4] = [
        (&["--start-time=500ms"], slow_bot(0.0, 2.4)),
        (&["--start-time=1s"], slow_bot(3.0, 0.0)),
        // It answers just after its input was closed.
        (&["--start-time=500ms", "--move-time=400ms"], slow_bot(2.2, 0.0)),
        // After the time in which earlier versions closed its input.
        (&["--start-time=3s", "--move-time=400ms"], slow_bot(5.6, 0.0)),
    ];
    assert_each_slow(&bots, "--start-time");
}

#[test]
fn a_silent_bot_may_have_a_long_start() {
    if !requirements::are_there("python3", "bots in Python") {
        return;
    }
    let limits = ["--start-time=300ms", "--move-time=300ms"];
    let findings = findings_within(&limits, "time.sleep(60)");
    let [finding] = &findings[..] else { panic!("{findings:#?}") };
    assert_eq!(finding.what, "it does not answer");
    assert!(finding.fix.contains("longer --start-time"), "{finding:#?}");
}

#[test]
fn a_late_end_stands_behind_no_guess() {
    let program = "time.sleep(4.5); raise ModuleNotFoundError(\"No module named 'numpy'\")";
    assert_found(program, "its program does not find a module: numpy", "Install a library");
}

#[test]
fn a_prompt_of_input_is_named() {
    if !requirements::are_there("python3", "bots in Python") {
        return;
    }
    let program = "\
while True:
    message = json.loads(input('message? '))
    if message['type'] == 'turn':
        print(message['legal'][0], flush=True)
";
    let findings = findings_of(program);
    assert!(findings[0].fix.contains("use input() without one"), "{findings:#?}");
}

#[test]
fn a_bot_that_exits_in_time_now_and_then_is_not_slow_to_exit() {
    if !requirements::are_there("python3", "bots in Python") {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let program = "\
import json, os, sys, time
starts = os.path.join(os.path.dirname(__file__), 'starts')
with open(starts, 'a') as file:
    file.write('.')
for line in sys.stdin:
    message = json.loads(line)
    if message['type'] == 'turn':
        print(message['legal'][0], flush=True)
# Of three processes one after the other, one is quick.
time.sleep(0.6 if os.path.getsize(starts) % 3 else 0)
";
    let file = folder.path().join("bot.py");
    std::fs::write(&file, program).unwrap();
    let options = ["--rules=cs221", "--move-time=20s", "--start-time=60s", "--format=json"];
    let outcome = check(&format!("python3 '{}'", file.display())).args(options).run().code(0);
    assert!(report(&outcome).findings.is_empty());
}
