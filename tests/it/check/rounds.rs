//! What a check says of bots that fail between two rounds, or after those of a match.

use super::reference_report::{Finding, Severity};
use super::silence::findings_within;
use crate::requirements;

/// The one finding of a bot that does `at_start` and `at_end` of each round.
#[track_caller]
fn finding_of([at_start, at_end]: [&str; 2]) -> Option<Finding> {
    if !requirements::are_there("python3", "bots in Python") {
        return None;
    }
    let program = format!(
        "\
for line in sys.stdin:
    message = json.loads(line)
    if message['type'] == 'start':
        {at_start}
    if message['type'] not in ('start', 'turn'):
        {at_end}
    if message['type'] == 'turn':
        print(message['legal'][0], flush=True)
"
    );
    let mut findings = findings_within(&["--move-time=20s", "--start-time=60s"], &program);
    assert_eq!(findings.len(), 1, "{findings:#?}");
    findings.pop()
}

#[test]
fn a_crash_at_the_end_of_a_round_is_told_as_that() {
    // Both crash at messages of unknown types, too.
    for (at_end, advice) in [("json.loads('{')", false), ("message['legal'][0]", true)] {
        let Some(finding) = finding_of(["pass", at_end]) else { return };
        let what = "it crashes at the end of a round, before the next one began";
        assert_eq!(finding.what, what, "{finding:#?}");
        assert_eq!(
            finding.fix.contains("an end has none, and wants no answer"),
            advice,
            "{finding:#?}"
        );
    }
    let Some(finding) = finding_of(["assert message['round'] % 2", "pass"]) else { return };
    assert_eq!(finding.what, "it crashes, but only from the second round on", "{finding:#?}");
}

#[test]
fn crashes_at_the_end_and_within_a_round_are_told_in_general_words() {
    if !requirements::are_there("python3", "bots in Python") {
        return;
    }
    let limits = ["--rules=kalah", "--move-time=20s", "--start-time=60s"];
    let program = "\
for line in sys.stdin:
    message = json.loads(line)
    if message['type'] == 'start':
        crashes_at_end = message['rules']['name'] == 'kalah'
    if message['type'] == 'end' and crashes_at_end:
        raise ValueError
    if message['type'] == 'turn':
        if message['turn'] == 2 and not crashes_at_end:
            raise IndexError
        print(message['legal'][0], flush=True)
";
    let findings = findings_within(&limits, program);
    let [finding] = &findings[..] else { panic!("{findings:#?}") };
    assert_eq!(finding.what, "it crashes", "{finding:#?}");
}

#[test]
fn a_crash_in_each_round_after_the_second_is_one_warning() {
    let Some(finding) = finding_of(["assert message['round'] < 3", "pass"]) else { return };
    assert_eq!(finding.what, "it plays two rounds in one process, and no more", "{finding:#?}");
    assert_eq!(finding.severity, Severity::Warning, "{finding:#?}");
}
