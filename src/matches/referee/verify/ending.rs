//! How a recorded round ended: can it be, after its moves?

use super::cause::verify_cause;
use crate::protocol::{FaultKind, Reason};
use crate::record::{FaultRecord, MatchRecord, RoundRecord};
use crate::referee::ending::{final_score, side_of};
use crate::referee::policy::Substitutes;
use crate::rules::{Ending, Game};

/// Checks how a round ended against the game and the faults as they stand after the last move.
pub(super) fn verify_ending(
    record: &MatchRecord,
    round: &RoundRecord,
    game: &Game,
    substitutes: Substitutes,
) -> Result<(), String> {
    match (&round.result.fault, round.result.reason) {
        (Some(fault), Reason::Fault(kind)) if kind == fault.kind => {
            verify_fault(round, fault, game)?;
            verify_score(round, game)?;
            verify_kind(record, round, fault)?;
            verify_cost(fault, substitutes)
        }
        (None, Reason::Ended(ending)) => {
            verify_reason(ending, game)?;
            verify_score(round, game)
        }
        _ => Err("the reason and the fault do not fit each other".to_owned()),
    }
}

/// Checks that a round that no fault ended is over, for the given reason.
fn verify_reason(given: Ending, game: &Game) -> Result<(), String> {
    match game.ending() {
        Some(reason) if reason == given => Ok(()),
        Some(reason) => Err(format!("ended as {reason}, but is given as {given}")),
        None => Err(format!("is given as {given}, but had not ended")),
    }
}

/// Checks that a bot can be at fault in this position.
fn verify_fault(round: &RoundRecord, fault: &FaultRecord, game: &Game) -> Result<(), String> {
    if let Some(ending) = game.ending() {
        return Err(format!("a fault is given, but the round had ended ({ending})"));
    }
    let side = side_of(fault.bot, round.first);
    if side != game.mover() && fault.kind != FaultKind::StartFailed {
        return Err("the fault is not of the bot that was to move".to_owned());
    }
    if fault.board != game.board_of(side) {
        return Err("the fault's board is not the position the bot was sent".to_owned());
    }
    Ok(())
}

fn verify_score(round: &RoundRecord, game: &Game) -> Result<(), String> {
    let at_fault = round.result.fault.as_ref().map(|fault| fault.bot);
    let (score, final_board) = final_score(game, round.first, at_fault);
    if round.result.score != score {
        let (given, was) = (round.result.score.0, score.0);
        return Err(format!("the score is given as {given:?}, it was {was:?}"));
    }
    if round.final_board != final_board {
        let (given, was) = (round.final_board.cells(), final_board.cells());
        return Err(format!("the final board is given as {given:?}, it was {was:?}"));
    }
    Ok(())
}

/// Checks that the fault that ended a round can be of its kind there.
fn verify_kind(
    record: &MatchRecord,
    round: &RoundRecord,
    fault: &FaultRecord,
) -> Result<(), String> {
    // After a fault that was substituted, or after a move that a person took back.
    let started_again = record.has_person()
        || round.moves.iter().any(|played| played.bot == fault.bot && played.substitute.is_some());
    if fault.kind == FaultKind::StartFailed && !round.moves.is_empty() && !started_again {
        return Err("a program that was running is given as one that did not start".to_owned());
    }
    verify_cause(fault.kind, fault.cause.as_deref(), fault.board, record)
}

/// Checks that a fault that ended the round was not one to be substituted.
fn verify_cost(fault: &FaultRecord, mut substitutes: Substitutes) -> Result<(), String> {
    match substitutes.count(fault.bot, fault.kind) {
        Err(_) => Ok(()),
        Ok(count) => Err(format!(
            "it ends with a fault of kind {} that was to be substituted, number {count} of {} that may be",
            fault.kind, substitutes.max
        )),
    }
}
