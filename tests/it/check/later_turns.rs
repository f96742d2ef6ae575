//! What a check says of bots that answer the first turns of a round, and not a later one.

use super::reference_report::{Finding, Probe};
use super::silence::findings_with;
use crate::requirements;

/// Half of this budget is more than the longest wait for a late answer, also on a busy machine.
const OPTIONS: [&str; 4] =
    ["--move-time=400ms", "--start-time=3s", "--rules=cs221", "--budget=60s"];

/// The one finding of a bot that does this at its third turn, and then answers.
#[track_caller]
fn finding_of(at_the_third: &str) -> Option<Finding> {
    if !requirements::are_there("python3", "bots in Python") {
        return None;
    }
    let program = format!(
        "\
for line in sys.stdin:
    message = json.loads(line)
    if message['type'] == 'turn':
        if message['turn'] == 3:
            {at_the_third}
        print(message['legal'][0], flush=True)
"
    );
    let mut findings = findings_with(&OPTIONS, &program);
    assert_eq!(findings.len(), 1, "{findings:#?}");
    findings.pop()
}

#[test]
fn a_bot_that_computes_on_is_not_told_to_read_on() {
    let Some(finding) = finding_of("while True: pass") else { return };
    assert_eq!(finding.what, "it computes on and gives no answer");
    let last_turn = finding.sent.last().expect("a turn");
    assert!(last_turn.contains(r#""turn":3,"#), "{finding:#?}");
    assert!(finding.received.contains("it used the processor meanwhile"), "{finding:#?}");
    assert!(finding.fix.contains("does it still read each line?"), "{finding:#?}");
    let Some(finding) = finding_of("time.sleep(60)") else { return };
    assert_eq!(finding.what, "it stops answering", "{finding:#?}");
    // The one long wait for a late answer leaves the other probes their time.
    assert!(finding.probes.contains(&Probe::TimeBank), "{finding:#?}");
}

#[test]
fn a_bot_that_ends_after_its_time_is_told_by_its_end() {
    for (error, what) in [
        ("ValueError", "it crashes"),
        ("MemoryError", "it is refused memory, according to its stderr"),
    ] {
        let Some(finding) = finding_of(&format!("time.sleep(1); raise {error}")) else { return };
        assert_eq!(finding.what, what, "{finding:#?}");
        assert!(finding.received.ends_with("; it then exited with code 1"), "{finding:#?}");
    }
}

#[test]
fn a_bot_that_closes_its_stdout_after_its_time_is_told_that() {
    let closes = "time.sleep(1); import os; os.close(1); time.sleep(60)";
    let Some(finding) = finding_of(closes) else { return };
    assert_eq!(finding.what, "it closes its stdout", "{finding:#?}");
    assert!(finding.received.ends_with("; it then closed its stdout"), "{finding:#?}");
}

#[test]
fn an_answer_after_several_seconds_is_late() {
    let Some(finding) = finding_of("time.sleep(7)") else { return };
    assert_eq!(finding.what, "it answers too late", "{finding:#?}");
}
