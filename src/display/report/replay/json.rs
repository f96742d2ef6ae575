//! The result of a replay as JSON, format `mancala-replay/1`: a line for each match, with the board
//! after every move.

use std::io::{self, Write};

use schemars::JsonSchema;
use serde::Serialize;

use crate::record::{MatchRecord, MoveRecord, ReadError, RoundRecord, RoundResult};
use crate::referee::Mismatch;
use crate::rules::{Board, Game, Side};
use crate::seat::{PerSeat, Seat};
use crate::text;

/// The `format` field of every line.
const FORMAT: &str = "mancala-replay/1";

/// A line that cannot be read.
#[derive(Debug, Serialize, JsonSchema)]
struct UnreadableLine {
    #[schemars(extend("const" = FORMAT))]
    format: &'static str,
    /// The number of the match in the file, from 1.
    #[serde(rename = "match")]
    number: u64,
    /// The number of the line, from 1.
    line: u64,
    /// Always false.
    valid: bool,
    /// Why it cannot be read.
    problem: String,
}

/// A line of a replay.
#[derive(JsonSchema)]
#[serde(untagged)]
#[expect(private_interfaces, reason = "only its schema is used")]
pub enum ReplayLine {
    /// A match that was replayed.
    Match(Replay<'static>),
    /// A line that cannot be read.
    Unreadable(UnreadableLine),
}

/// A match that was replayed.
#[derive(Debug, Serialize, JsonSchema)]
struct Replay<'a> {
    #[schemars(extend("const" = FORMAT))]
    format: &'static str,
    /// The number of the match in the file, from 1.
    #[serde(rename = "match")]
    number: u64,
    /// The number of the match in its tournament, or null.
    tournament_match: Option<u64>,
    /// The line of the match in the file, from 1.
    line: u64,
    /// True if the match is valid.
    valid: bool,
    /// The first invalid thing, or null.
    problem: Option<String>,
    /// The names of the bots.
    bots: PerSeat<&'a str>,
    /// Seeds of each bot.
    score: PerSeat<u32>,
    /// The winner: 0 or 1, or null after a draw.
    winner: Option<Seat>,
    /// The rounds.
    rounds: Vec<ReplayedRound<'a>>,
}

/// A round of it.
#[derive(Debug, Serialize, JsonSchema)]
struct ReplayedRound<'a> {
    /// The round, from 1.
    round: u32,
    /// The bot that began: 0 or 1.
    first: Seat,
    /// Why it ended, the fault that ended it, if one did, and the seeds of each bot.
    #[serde(flatten)]
    result: &'a RoundResult,
    /// The board before the first move, in the view of the bot that began.
    opening: Board,
    /// The moves.
    moves: Vec<ReplayedMove<'a>>,
    /// The board at the end, as in a record.
    #[serde(rename = "final")]
    final_board: Board,
}

/// A move of a round as in a record, and what it did.
#[derive(Debug, Serialize, JsonSchema)]
struct ReplayedMove<'a> {
    #[serde(flatten)]
    played: &'a MoveRecord,
    /// The seeds that it captured.
    captured: u8,
    /// Whether the mover moves again.
    extra_turn: bool,
    /// After the move, in the first mover's view.
    board: Board,
}

/// Writes a replayed match as one line. The moves of a round end with the last that
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
        tournament_match: record.tournament.as_ref().map(|place| place.number.get()),
        line,
        valid: verdict.is_ok(),
        problem: verdict.as_ref().err().map(ToString::to_string),
        bots: PerSeat::from_fn(|seat| &*record.bots[seat].name),
        score: record.score,
        winner: record.winner,
        rounds: record.rounds.iter().map(|round| replayed(record, round)).collect(),
    };
    text::write_json_line(&mut *out, &replay)
}

/// Writes a line that is not a record, or is cut off, as one line.
///
/// # Errors
///
/// When the writer fails.
pub fn write_unreadable_json(
    out: &mut dyn Write,
    number: u64,
    error: &ReadError,
) -> io::Result<()> {
    let unreadable = UnreadableLine {
        format: FORMAT,
        number,
        line: error.line,
        valid: false,
        problem: error.to_string(),
    };
    text::write_json_line(&mut *out, &unreadable)
}

fn replayed<'a>(record: &MatchRecord, round: &'a RoundRecord) -> ReplayedRound<'a> {
    let mut game = Game::new(record.rules, record.opening, record.terms.max_moves)
        .adjudicated(record.terms.adjudicate);
    let replay = |played: &'a MoveRecord| {
        let sown = game.play(record.rules.ply(played.house, played.direction)).ok()?;
        let (captured, extra_turn) = (sown.captured, sown.extra_turn);
        Some(ReplayedMove { played, captured, extra_turn, board: game.board_of(Side::First) })
    };
    ReplayedRound {
        round: round.round,
        first: round.first,
        result: &round.result,
        opening: record.opening.board(),
        moves: round.moves.iter().map_while(replay).collect(),
        final_board: round.final_board,
    }
}
