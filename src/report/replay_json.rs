//! What replaying records found as JSON, format `mancala-replay/1`: a line a match, with the board
//! after every move.

use std::io::{self, Write};

use serde::Serialize;

use super::replay::ply_of;
use crate::protocol::{FaultKind, Info, Reason};
use crate::record::{MatchRecord, MoveRecord, ReadError, RoundRecord, Substitute, milliseconds};
use crate::referee::Mismatch;
use crate::rules::{Board, Direction, Game, House, Side};
use crate::seat::{PerSeat, Seat};
use crate::text;

/// The `format` field of every line.
const FORMAT: &str = "mancala-replay/1";

/// A line that cannot be read.
#[derive(Debug, Serialize)]
struct Unreadable {
    format: &'static str,
    #[serde(rename = "match")]
    number: u64,
    line: u64,
    valid: bool,
    problem: String,
}

/// A match that was played again.
#[derive(Debug, Serialize)]
struct Replay<'a> {
    format: &'static str,
    #[serde(rename = "match")]
    number: u64,
    line: u64,
    valid: bool,
    problem: Option<String>,
    bots: PerSeat<&'a str>,
    score: PerSeat<u32>,
    winner: Option<Seat>,
    rounds: Vec<ReplayedRound<'a>>,
}

/// A round of it.
#[derive(Debug, Serialize)]
struct ReplayedRound<'a> {
    round: u32,
    first: Seat,
    reason: Reason,
    fault: Option<Fault<'a>>,
    score: PerSeat<u8>,
    opening: Board,
    moves: Vec<ReplayedMove<'a>>,
    #[serde(rename = "final")]
    final_board: Board,
}

/// The fault that ended a round.
#[derive(Debug, Serialize)]
struct Fault<'a> {
    bot: Seat,
    kind: FaultKind,
    detail: &'a str,
}

/// A move of a round, and what it did.
#[derive(Debug, Serialize)]
struct ReplayedMove<'a> {
    bot: Seat,
    #[serde(rename = "move")]
    house: House,
    #[serde(skip_serializing_if = "Option::is_none")]
    direction: Option<Direction>,
    ms: f64,
    captured: u8,
    extra_turn: bool,
    /// After the move, in the first mover's view.
    board: Board,
    #[serde(skip_serializing_if = "Option::is_none")]
    info: Option<&'a Info>,
    #[serde(skip_serializing_if = "Option::is_none")]
    substitute: Option<&'a Substitute>,
}

/// Writes a match that was played again as one line. The moves of a round end with the last that
/// the rules allow.
///
/// # Errors
///
/// When the writer fails.
pub fn write_replay_json(
    out: &mut dyn Write,
    number: u64,
    line: u64,
    record: &MatchRecord,
    verdict: &Result<(), Mismatch>,
) -> io::Result<()> {
    let replay = Replay {
        format: FORMAT,
        number,
        line,
        valid: verdict.is_ok(),
        problem: verdict.as_ref().err().map(ToString::to_string),
        bots: PerSeat::from_fn(|seat| &*record.bots[seat].name),
        score: record.score,
        winner: record.winner,
        rounds: record.rounds.iter().map(|round| replayed(record, round)).collect(),
    };
    text::write_json(&mut *out, &replay)?;
    writeln!(out)
}

/// Writes a line that is no record, or is cut off, as one line.
///
/// # Errors
///
/// When the writer fails.
pub fn write_unreadable_json(
    out: &mut dyn Write,
    number: u64,
    error: &ReadError,
) -> io::Result<()> {
    let unreadable = Unreadable {
        format: FORMAT,
        number,
        line: error.line,
        valid: false,
        problem: error.to_string(),
    };
    text::write_json(&mut *out, &unreadable)?;
    writeln!(out)
}

fn replayed<'a>(record: &MatchRecord, round: &'a RoundRecord) -> ReplayedRound<'a> {
    let fault = round.result.fault.as_ref();
    let mut game = Game::new(record.rules, record.opening, record.terms.max_moves);
    let replay = |played: &'a MoveRecord| {
        let sown = game.play(ply_of(record, played)).ok()?;
        Some(ReplayedMove {
            bot: played.bot,
            house: played.house,
            direction: played.direction,
            ms: milliseconds(played.time),
            captured: sown.captured,
            extra_turn: sown.extra_turn,
            board: game.board_of(Side::First),
            info: played.info.as_ref(),
            substitute: played.substitute.as_ref(),
        })
    };
    ReplayedRound {
        round: round.round,
        first: round.first,
        reason: round.result.reason,
        fault: fault.map(|fault| Fault { bot: fault.bot, kind: fault.kind, detail: &fault.detail }),
        score: round.result.score,
        opening: record.opening.board(),
        moves: round.moves.iter().map_while(replay).collect(),
        final_board: round.final_board,
    }
}
