//! What a check says of bots that keep their answers back: whether they read or print wrongly.

use super::silence::findings_of;
use crate::requirements;

const MISSING: &str = "it answers only when its input ends: a flush is missing";
const READS_AHEAD: &str = "it answers only when the next message comes";

/// This is the one finding of a bot that does `on_turn` and `on_end`, and its fix has these words.
#[track_caller]
fn assert_flush([on_turn, on_end]: [&str; 2], what: &str, fix: &str) {
    if !requirements::are_there("python3", "bots in Python") {
        return;
    }
    let findings = findings_of(&format!(
        "\
for line in sys.stdin:
    message = json.loads(line)
    if message['type'] == 'turn':
        {on_turn}
    if message['type'] == 'end':
        {on_end}
"
    ));
    let [finding] = &findings[..] else { panic!("{findings:#?}") };
    assert_eq!(finding.what, what, "{finding:#?}");
    assert!(finding.fix.contains(fix), "{finding:#?}");
}

#[test]
fn long_answers_without_a_flush_are_no_wrong_reading() {
    // Two of the first fill no buffer, and 20,000 at once do; two of the second fill one.
    for length in ["400", "5000"] {
        let long = "print(json.dumps({'move': message['legal'][0], 'info': 'x' * LENGTH}))";
        let long = &*long.replace("LENGTH", length);
        assert_flush([long, "pass"], MISSING, "In Python: print(move, flush=True)");
    }
}

#[test]
fn a_flush_at_the_end_of_the_round_is_too_late() {
    let on_turn = "print(message['legal'][0])";
    assert_flush([on_turn, "sys.stdout.flush()"], MISSING, "In Python: print(move, flush=True)");
}

#[test]
fn an_answer_that_comes_out_at_an_exit_is_no_wrong_reading() {
    let on_turn = "assert 'seen' not in globals(); seen = True; print(message['legal'][0])";
    assert_flush([on_turn, "del seen"], MISSING, "In Python: print(move, flush=True)");
}

#[test]
fn a_flush_before_the_answer_is_told_from_a_wait_for_the_end() {
    let on_turn = "sys.stdout.flush(); print(message['legal'][0])";
    assert_flush([on_turn, "pass"], READS_AHEAD, "Flush stdout behind the answer, not before it.");
}
