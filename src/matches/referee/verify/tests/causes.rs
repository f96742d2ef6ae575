//! A cause that contradicts its fault or its match is refused.

use super::*;

#[test]
fn the_cause_of_a_fault_is_of_its_kind() {
    let cause = |code: CauseCode| Some(Box::new(Cause::from(code)));
    refused(
        |record| {
            record.rounds[0].result.fault.as_mut().unwrap().cause = cause(CauseCode::EmptyHouse);
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
    let mut later = played(lenient(2), Deed::Hang);
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

/// Another program's record may leave numbers out.
#[test]
fn a_cause_may_say_less() {
    let mut record = played(lenient(2), Deed::Hang);
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
