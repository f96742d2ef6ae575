//! Whether a fault can have the kind and the cause that a record gives it.

use crate::protocol::{Cause, CauseCode, FaultKind, MAX_REPLY};
use crate::record::{MatchRecord, TimeTerms, whole_ms};
use crate::rules::{Board, House};

/// Checks the cause of a fault of a bot that was sent `board`, in its own view. Older records have none,
/// and the codes of later versions are not known.
pub(super) fn verify_cause(
    kind: FaultKind,
    cause: Option<&Cause>,
    board: Board,
    record: &MatchRecord,
) -> Result<(), String> {
    let Some(cause) = cause else { return Ok(()) };
    let Some(own) = cause.code.kind() else { return Ok(()) };
    if own != kind {
        return Err(format!("a fault of kind {kind} is given, but its cause is of kind {own}"));
    }
    match cause.code {
        CauseCode::NoSuchHouse
            if let Some(value) = cause.value
                && usize::try_from(value).is_ok_and(|it| it < House::ALL.len()) =>
        {
            Err(format!("its cause is that there is no house {value}, but there is"))
        }
        CauseCode::EmptyHouse
            if let Some(house) = cause.house
                && board.seeds_in(house) > 0 =>
        {
            let seeds = board.seeds_in(house);
            Err(format!("its cause is that house {house} is empty, but it has {seeds} seeds"))
        }
        CauseCode::WrongDirection
            if let Some(direction) = cause.direction
                && record.rules.direction.directions().contains(&direction) =>
        {
            Err(format!("its cause is the direction {direction}, which the rules have"))
        }
        CauseCode::LineTooLong if differs(cause.limit, Some(MAX_REPLY as u64)) => {
            Err(format!("the limit of a line is {MAX_REPLY} bytes, and its cause has another"))
        }
        CauseCode::CpuTimeLimit => Ok(()),
        _ => verify_times(cause, kind, record.terms.time),
    }
}

/// Whether a cause gives a number, and another one than this.
fn differs(given: Option<u64>, of_match: Option<u64>) -> bool {
    given.is_some() && given != of_match
}

/// Checks the times that a cause gives against the terms of the match. What was left of a bank is known
/// only up to a move's cut microseconds.
fn verify_times(cause: &Cause, kind: FaultKind, terms: TimeTerms) -> Result<(), String> {
    let bank = terms.game_time.map(whole_ms);
    if differs(cause.bank_ms, bank) {
        return Err("its cause has another time bank than the match".to_owned());
    }
    if cause.code == CauseCode::BankSpent {
        return match bank {
            Some(_) => Ok(()),
            None => Err("its cause is a spent time bank, but the match has none".to_owned()),
        };
    }
    let limits = [terms.move_time.map(whole_ms), cause.time_left_ms];
    let left_is_of_bank = cause.time_left_ms.is_none_or(|left| bank.is_some_and(|all| left <= all));
    let is_known = bank.is_none() || cause.time_left_ms.is_some();
    let limit = limits.into_iter().flatten().min();
    if !left_is_of_bank || is_known && differs(cause.limit_ms, limit) {
        return Err("its cause has another limit than the match".to_owned());
    }
    if differs(cause.start_ms, Some(whole_ms(terms.start_time)))
        || differs(cause.margin_ms, Some(whole_ms(terms.margin)))
    {
        return Err("its cause has another extra time or margin than the match".to_owned());
    }
    let parts = [cause.limit_ms, cause.start_ms, cause.margin_ms];
    let late_after = parts.into_iter().flatten().fold(0, u64::saturating_add);
    #[expect(clippy::cast_precision_loss, reason = "a limit is far below 2^52")]
    let late_after = late_after as f64;
    let Some(waited) = cause.waited_ms else { return Ok(()) };
    match kind {
        // A bot that leaves more unread than any that reads is not asked any more.
        FaultKind::Timeout if waited < late_after && cause.code != CauseCode::NotReading => {
            Err(format!("its cause is a timeout before the {late_after} ms that the bot had"))
        }
        // A limit is written without its microseconds.
        FaultKind::IllegalMove | FaultKind::InvalidReply
            if cause.limit_ms.is_some() && waited >= late_after + 1.0 =>
        {
            Err(format!(
                "its cause is of kind {kind}, but after the {late_after} ms that the bot had"
            ))
        }
        _ => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::super::tests::{played, refused};
    use super::super::verify;
    use super::*;
    use crate::referee::testing::{ScriptedAction, lenient};

    #[test]
    fn the_cause_of_a_fault_is_of_its_kind() {
        let cause = |code: CauseCode| Some(Box::new(Cause::from(code)));
        refused(
            |record| {
                record.rounds[0].result.fault.as_mut().unwrap().cause =
                    cause(CauseCode::EmptyHouse);
            },
            "round 1: a fault of kind timeout is given, but its cause is of kind illegal_move",
        );
        refused(
            |record| {
                let substitute = record.rounds[0].moves[0].substitute.as_mut().unwrap();
                substitute.cause = cause(CauseCode::NotJson);
            },
            "round 1, move 1: a fault of kind illegal_move is given, but its cause is of kind invalid_reply",
        );
        let mut later = played(lenient(2), ScriptedAction::Hang);
        later.rounds[0].result.fault.as_mut().unwrap().cause = cause(CauseCode::Unknown);
        assert_eq!(verify(&later), Ok(()));
    }

    /// Changes the cause of the timeout that ends the first round.
    #[track_caller]
    fn refused_cause(change: impl FnOnce(&mut Cause), words: &str) {
        refused(
            |record| {
                let fault = record.rounds[0].result.fault.as_mut().unwrap();
                change(fault.cause.as_mut().unwrap());
            },
            words,
        );
    }

    #[test]
    fn a_timeout_has_the_times_of_its_match() {
        refused_cause(
            |cause| cause.waited_ms = Some(1.0),
            "round 1: its cause is a timeout before the 1050 ms that the bot had",
        );
        let limit = "round 1: its cause has another limit than the match";
        refused_cause(|cause| cause.limit_ms = Some(5), limit);
        refused_cause(|cause| cause.time_left_ms = Some(5), limit);
        let extra = "round 1: its cause has another extra time or margin than the match";
        refused_cause(|cause| cause.start_ms = Some(7), extra);
        refused_cause(|cause| cause.margin_ms = Some(7), extra);
        let bank = "round 1: its cause has another time bank than the match";
        refused_cause(|cause| cause.bank_ms = Some(5), bank);
        refused_cause(
            |cause| *cause = CauseCode::BankSpent.into(),
            "round 1: its cause is a spent time bank, but the match has none",
        );
    }

    #[test]
    fn a_wrong_answer_came_in_the_time_of_its_match() {
        let refused_cause = |change: &dyn Fn(&mut Cause), words: &str| {
            refused(
                |record| {
                    let substitute = record.rounds[0].moves[0].substitute.as_mut().unwrap();
                    change(substitute.cause.as_mut().unwrap());
                },
                &format!("round 1, move 1: its cause {words}"),
            );
        };
        refused_cause(
            &|cause| cause.waited_ms = Some(11_051.0),
            "is of kind illegal_move, but after the 11050 ms that the bot had",
        );
        refused_cause(&|cause| cause.limit_ms = Some(5), "has another limit than the match");
    }

    #[test]
    fn a_bot_that_does_not_read_is_not_waited_for() {
        let mut record = played(lenient(2), ScriptedAction::Hang);
        let fault = record.rounds[0].result.fault.as_mut().unwrap();
        let cause = fault.cause.as_mut().unwrap();
        (cause.code, cause.waited_ms) = (CauseCode::NotReading, Some(0.0));
        assert_eq!(verify(&record), Ok(()));
    }

    /// Another program's record may leave numbers out.
    #[test]
    fn a_cause_may_say_less() {
        let mut record = played(lenient(2), ScriptedAction::Hang);
        let fault = record.rounds[0].result.fault.as_mut().unwrap();
        fault.cause = Some(Box::new(CauseCode::LateAnswer.into()));
        assert_eq!(verify(&record), Ok(()));
    }

    #[test]
    fn the_cause_of_a_substituted_fault_is_one_of_its_position() {
        let refused_cause = |cause: Cause, words: &str| {
            refused(
                |record| {
                    let substitute = record.rounds[0].moves[0].substitute.as_mut().unwrap();
                    substitute.kind = cause.code.kind().unwrap();
                    substitute.cause = Some(Box::new(cause));
                },
                &format!("round 1, move 1: {words}"),
            );
        };
        let of = |code: CauseCode| Cause::from(code);
        refused_cause(
            Cause { value: Some(3), ..of(CauseCode::NoSuchHouse) },
            "its cause is that there is no house 3, but there is",
        );
        refused_cause(
            Cause { house: Some(House::ALL[1]), ..of(CauseCode::EmptyHouse) },
            "its cause is that house 1 is empty, but it has 3 seeds",
        );
        refused_cause(
            Cause {
                direction: Some(crate::rules::Direction::Forward),
                ..of(CauseCode::WrongDirection)
            },
            "its cause is the direction forward, which the rules have",
        );
        refused_cause(
            Cause { limit: Some(5), ..of(CauseCode::LineTooLong) },
            "the limit of a line is 65536 bytes, and its cause has another",
        );
        let late = |record: &mut MatchRecord| {
            record.rounds[0].moves[2].time = Duration::from_millis(9999);
        };
        refused(
            late,
            "round 1, move 3: it is given as a fault of kind illegal_move, but took 9999.000 ms, beyond the limit",
        );
        let spent = |record: &mut MatchRecord| {
            let substitute = record.rounds[0].moves[0].substitute.as_mut().unwrap();
            (substitute.kind, substitute.cause) =
                (FaultKind::Timeout, Some(Box::new(of(CauseCode::BankSpent))));
        };
        refused(
            spent,
            "round 1, move 1: it is given as a spent time bank, but took 1.000 ms: such a bot is not asked",
        );
    }
}
