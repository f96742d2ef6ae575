//! Whether a fault can have the kind and the cause that a record gives it.

use crate::protocol::{Cause, CauseCode, FaultKind, MAX_REPLY};
use crate::record::{TimeTerms, whole_ms};
use crate::rules::{Board, House, Ruleset};

/// What decides whether there can be such a fault.
#[derive(Clone, Copy, Debug)]
pub(super) struct Circumstances {
    /// The position that the bot was sent, in its own view.
    pub(super) board: Board,
    pub(super) rules: Ruleset,
    pub(super) time: TimeTerms,
}

/// Checks the cause of a fault. Older records have none, and the codes of later versions are not
/// known.
pub(super) fn verify_cause(
    kind: FaultKind,
    cause: Option<&Cause>,
    of: Circumstances,
) -> Result<(), String> {
    let Some(cause) = cause else { return Ok(()) };
    match cause.code.kind() {
        None => return Ok(()),
        Some(own) if own != kind => {
            return Err(format!("a fault of kind {kind} is given, but its cause is of kind {own}"));
        }
        Some(_) => {}
    }
    match cause.code {
        CauseCode::NoSuchHouse => match cause.value {
            Some(value) if usize::try_from(value).is_ok_and(|it| it < House::ALL.len()) => {
                Err(format!("its cause is that there is no house {value}, but there is"))
            }
            _ => Ok(()),
        },
        CauseCode::EmptyHouse => match cause.house {
            Some(house) if of.board.seeds_in(house) > 0 => {
                let seeds = of.board.seeds_in(house);
                Err(format!("its cause is that house {house} is empty, but it has {seeds} seeds"))
            }
            _ => Ok(()),
        },
        CauseCode::WrongDirection => match cause.direction {
            Some(direction) if of.rules.direction.directions().contains(&direction) => {
                Err(format!("its cause is the direction {direction}, which the rules have"))
            }
            _ => Ok(()),
        },
        CauseCode::LineTooLong if differs(cause.limit, Some(MAX_REPLY as u64)) => {
            Err(format!("the limit of a line is {MAX_REPLY} bytes, and its cause has another"))
        }
        _ if kind == FaultKind::Timeout => verify_timeout(cause, of.time),
        _ => Ok(()),
    }
}

/// Whether a cause gives a number, and another one than this.
fn differs(given: Option<u64>, of_match: Option<u64>) -> bool {
    given.is_some() && given != of_match
}

/// Checks the times that a cause gives against the terms of the match. What was left of a bank is known
/// only up to a move's cut microseconds.
fn verify_timeout(cause: &Cause, terms: TimeTerms) -> Result<(), String> {
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
    match cause.waited_ms {
        Some(waited) if waited < late_after => {
            Err(format!("its cause is a timeout before the {late_after} ms that the bot had"))
        }
        _ => Ok(()),
    }
}
