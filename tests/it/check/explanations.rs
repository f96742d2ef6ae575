//! A fault of a match is explained by its bundle alone, and never by the words of its detail.

use proptest::prelude::*;
use proptest::sample::select;

use mancala_referee::check::{Explanation, explain};
use mancala_referee::log::{Bundle, FORMAT};
use mancala_referee::protocol::{Cause, CauseCode, FaultKind, Reply};
use mancala_referee::record::{BotRecord, Terms};
use mancala_referee::rules::{House, Ruleset};

const START: &str = r#"{"type":"start","protocol":1,"round":1,"first":true,"you":"a","opponent":"b","rules":{"name":"learneroo","seeds":3,"opponent_store":"sow","direction":"forward","empty_capture":true},"board":[3,3,3,3,3,3,0,3,3,3,3,3,3,0],"move_time_ms":1000}"#;
const TURN: &str = r#"{"type":"turn","turn":1,"board":[0,3,3,3,3,3,3,3,3,3,3,3,3,0],"legal":[1,2,3,4,5],"moves":[],"move_time_ms":1000}"#;

/// The bundle of a fault with this cause.
fn bundle(cause: Cause, reply: &str) -> Bundle {
    Bundle {
        format: FORMAT.to_owned(),
        bot: BotRecord { name: "a".to_owned(), command: vec!["./a".to_owned()] },
        opponent: "b".to_owned(),
        round: 1,
        turn: 1,
        kind: cause.code.kind().unwrap(),
        detail: cause.in_words(reply),
        cause: Some(Box::new(cause)),
        rules: Ruleset::default(),
        terms: Terms::default(),
        environment: Vec::new(),
        start: START.to_owned(),
        input: Some(TURN.to_owned()),
        reply: Some(reply.to_owned()),
        reply_hex: None,
        waited_ms: None,
        limit_ms: None,
        late_after_ms: None,
        exit: None,
        stderr: String::new(),
        reproduce: String::new(),
        told: Some(vec![START.to_owned()]),
    }
}

fn what(cause: Cause, reply: &str) -> String {
    let Explanation { what, fix, .. } = explain(&bundle(cause, reply));
    assert!(fix.ends_with(['.', ')', '?']), "{fix}");
    what
}

#[test]
fn a_fault_is_explained_in_the_words_of_a_check() {
    use CauseCode as Code;
    let answered = |reply: &str| what(*Reply::parse(reply.as_bytes()).unwrap_err(), reply);
    let empty = Cause { house: House::new(0), ..Code::EmptyHouse.into() };
    assert_eq!(what(empty, "0"), "it chooses a house without seeds");
    assert_eq!(answered("8"), "it plays the opponent's row, by its cells 7 to 12");
    assert_eq!(answered("70"), "it chooses something that is not a house");
    assert_eq!(answered("hello"), "it writes text to stdout where a move is expected");
    assert_eq!(
        answered("{'move': 3}"),
        "it prints an object as its own language shows it, where JSON is expected"
    );
    assert_eq!(answered("\"3\""), "it answers with JSON that is not a move");
    for (code, problem) in [
        (Code::MoreThanOneLine, "it writes more than one line for a turn"),
        (Code::Unasked, "it writes to stdout without being asked"),
        (Code::NeverAnswered, "it does not answer"),
        (Code::LateAnswer, "it answers too late"),
        (Code::ClosedStdout, "it closes its stdout"),
        (Code::Sandbox, "it crashes"),
    ] {
        assert_eq!(what(code.into(), "3"), problem);
    }
    let crashed = Cause { signal: Some(11), ..Code::Signal.into() };
    assert_eq!(what(crashed, ""), "it crashes with a bad memory access (SIGSEGV)");
    let exited = Cause { exit_code: Some(1), ..Code::ExitCode.into() };
    let stderr = "ModuleNotFoundError: No module named 'numpy'".to_owned();
    let missing = explain(&Bundle { stderr, ..bundle(exited, "") }).what;
    assert!(missing.ends_with("numpy"), "{missing}");
    let size = what(Cause::of_limit(Code::MemoryLimit, 1 << 30), "");
    assert!(size.ends_with("(--memory 1GiB)"), "{size}");
}

#[test]
fn an_adapters_words_are_the_finding() {
    let line = r#"{"move":7,"info":{"adapter":{"code":"no_bin","words":"f returned bin -1"}}}"#;
    let cause = *Reply::parse(line.as_bytes()).unwrap_err();
    let explained = explain(&bundle(cause.clone(), line));
    assert_eq!(explained.what, "f returned bin -1");
    let again = line.replace("-1", "9");
    let again = explain(&bundle(*Reply::parse(again.as_bytes()).unwrap_err(), &again));
    assert_eq!(explained, again, "the same code is the same problem");
    let none = explain(&Bundle { cause: None, ..bundle(cause, line) });
    assert_eq!(none.what, "illegal_move");
}

proptest! {
    /// Rewording a message changes no diagnosis.
    #[test]
    fn a_diagnosis_does_not_read_the_detail(
        code in select(CauseCode::ALL), reply in ".{0,9}", detail in ".*", exit in 0..3i32,
    ) {
        let exits = code.kind() == Some(FaultKind::Exited);
        let cause = Cause { exit_code: exits.then_some(exit), ..code.into() };
        let bundle = bundle(cause, &reply);
        let explained = explain(&bundle);
        prop_assert!(!explained.fix.is_empty());
        prop_assert_eq!(explained, explain(&Bundle { detail, ..bundle }));
    }
}

#[test]
fn silence_is_explained_by_what_came_before() {
    let never = explain(&bundle(CauseCode::NeverAnswered.into(), ""));
    assert!(never.fix.starts_with("Flush stdout after each answer. In C"), "{}", never.fix);
    let told = vec![START.to_owned(), TURN.to_owned()];
    let stopped = bundle(CauseCode::NoAnswer.into(), "");
    let stopped = explain(&Bundle { told: Some(told), ..stopped });
    assert_eq!(stopped.what, "it answers, and then no more");
    assert!(!stopped.fix.contains("Flush") && !stopped.fix.contains("endless"));
}

#[test]
fn an_empty_house_that_was_just_played_is_said_to_be() {
    let own = r#""moves":[{"by":"you","move":0},{"by":"opponent","move":2}]"#;
    let input = Some(TURN.replace(r#""moves":[]"#, own));
    let cause = Cause { house: House::new(0), ..CauseCode::EmptyHouse.into() };
    let explained = explain(&Bundle { input, ..bundle(cause, "0") });
    assert_eq!(explained.what, "it chooses a house without seeds: the one of its last answer");
}
