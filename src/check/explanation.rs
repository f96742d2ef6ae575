//! A fault of a match explained as a check would, without its experiments: a bundle is all that is
//! known.

use super::clues::{FaultClues, RoundTrace};
use super::diagnosis::{Diagnosis, diagnose};
use super::flush::flush_advice;
use super::table::Problem;
use crate::log::Bundle;
use crate::protocol::{CauseCode, ToBot, Who};

/// What a fault was, and how to fix it. Two are equal where they are the same problem.
#[derive(Clone, Debug)]
pub struct Explanation {
    /// What is wrong, in a sentence without its full stop.
    pub what: String,
    /// How to fix it, in whole sentences.
    pub fix: String,
    diagnosis: Option<Diagnosis>,
}

impl PartialEq for Explanation {
    fn eq(&self, other: &Explanation) -> bool {
        match (&self.diagnosis, &other.diagnosis) {
            (None, None) => self.what == other.what,
            (one, another) => one == another,
        }
    }
}

/// Explains a fault; by its kind alone where the bundle has no cause.
#[must_use]
pub fn explain(bundle: &Bundle) -> Explanation {
    let (line, trace) = (bundle.reply_bytes().unwrap_or_default(), trace(bundle));
    let clues = FaultClues::new(bundle.cause.as_deref(), &line, &bundle.stderr, &trace);
    let diagnosis = clues.and_then(|clues| {
        let plays_the_other_row = clues.cause.adapter.is_none()
            && clues.number().is_some_and(|cell| (7..=12).contains(&cell));
        if plays_the_other_row { Some(Problem::OpponentsCells.into()) } else { diagnose(&clues) }
    });
    let Some(diagnosis) = diagnosis else {
        let (what, fix) = (bundle.kind.to_string(), String::new());
        return Explanation { what, fix, diagnosis: None };
    };
    let flush = flush_advice(&bundle.bot.command);
    let mut fix = diagnosis.fix(flush);
    if bundle.cause.as_ref().is_some_and(|cause| cause.code == CauseCode::NeverAnswered) {
        fix = format!("Flush stdout after each answer. {flush} {fix}");
    }
    Explanation { what: diagnosis.what(), fix, diagnosis: Some(diagnosis) }
}

/// What led to the fault, as far as the lines tell that the bot was sent.
fn trace(bundle: &Bundle) -> RoundTrace {
    let before = bundle.turn.saturating_sub(1);
    let turn = |line: &String| match serde_json::from_str(line) {
        Ok(ToBot::Turn(turn)) => Some(turn),
        _ => None,
    };
    let turns = bundle.told.as_ref().map(|told| told.iter().filter_map(turn).count());
    let moves = bundle.input.as_ref().and_then(turn).map(|turn| turn.moves).unwrap_or_default();
    let own = moves.iter().find(|played| played.by == Who::You);
    RoundTrace {
        answers_in_process: turns.map_or(before, |turns| turns.try_into().unwrap_or(u32::MAX)),
        answers_in_round: before,
        previous: own.map(|played| played.house.cell().into()),
        ..RoundTrace::default()
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use proptest::sample::select;

    use super::*;
    use crate::log::FORMAT;
    use crate::protocol::{Cause, FaultKind, Reply};
    use crate::record::{BotRecord, Terms};
    use crate::rules::{House, Ruleset};

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
        assert_eq!(what(empty, "0"), Problem::EmptyHouse.row().what);
        assert_eq!(answered("8"), Problem::OpponentsCells.row().what);
        assert_eq!(answered("70"), Problem::NoSuchHouse.row().what);
        assert_eq!(answered("hello"), Problem::Text.row().what);
        assert_eq!(answered("{'move': 3}"), Problem::ShownObject.row().what);
        assert_eq!(answered("\"3\""), Problem::NotAMove.row().what);
        for (code, problem) in [
            (Code::MoreThanOneLine, Problem::MoreThanOneLine),
            (Code::Unasked, Problem::Unasked),
            (Code::NeverAnswered, Problem::Silent),
            (Code::LateAnswer, Problem::Late),
            (Code::ClosedStdout, Problem::ClosesStdout),
            (Code::Sandbox, Problem::Crashes),
        ] {
            assert_eq!(what(code.into(), "3"), problem.row().what);
        }
        let crashed = Cause { signal: Some(11), ..Code::Signal.into() };
        assert_eq!(what(crashed, ""), Problem::BadMemoryAccess.row().what);
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
        assert_eq!(stopped.what, Problem::StopsAnswering.row().what);
        assert!(!stopped.fix.contains("Flush") && !stopped.fix.contains("endless"));
    }

    #[test]
    fn an_empty_house_that_was_just_played_is_said_to_be() {
        let own = r#""moves":[{"by":"you","move":0},{"by":"opponent","move":2}]"#;
        let input = Some(TURN.replace(r#""moves":[]"#, own));
        let cause = Cause { house: House::new(0), ..CauseCode::EmptyHouse.into() };
        let explained = explain(&Bundle { input, ..bundle(cause, "0") });
        assert_eq!(explained.what, Problem::SameAsLast.row().what);
    }
}
