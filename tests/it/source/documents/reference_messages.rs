//! The protocol a second time, as its document tells it: nothing may be missing, and nothing may
//! be there that is not told.

use serde::Deserialize;
use serde_json::Value;

#[derive(Debug, Deserialize)]
#[serde(tag = "type", rename_all = "snake_case", deny_unknown_fields)]
#[expect(dead_code, reason = "read to be checked")]
pub enum Message {
    Start {
        protocol: One,
        round: u32,
        first: bool,
        you: String,
        opponent: String,
        rules: Rules,
        board: Cells,
        move_time_ms: u64,
        game_time_ms: Option<u64>,
    },
    Turn {
        turn: u32,
        board: Cells,
        legal: Vec<Cell>,
        moves: Vec<Played>,
        move_time_ms: u64,
        time_left_ms: Option<u64>,
    },
    End {
        round: u32,
        outcome: Outcome,
        score: [u8; 2],
        reason: Reason,
        board: Cells,
        fault: Option<Told>,
    },
}

type Cells = [u8; 14];

#[derive(Debug, Deserialize)]
#[serde(try_from = "u32")]
pub struct One;

impl TryFrom<u32> for One {
    type Error = String;

    fn try_from(number: u32) -> Result<One, String> {
        if number == 1 { Ok(One) } else { Err(format!("{number} is not 1")) }
    }
}

#[derive(Debug, Deserialize)]
#[serde(try_from = "u8")]
pub struct Cell;

impl TryFrom<u8> for Cell {
    type Error = String;

    fn try_from(number: u8) -> Result<Cell, String> {
        if number < 6 { Ok(Cell) } else { Err(format!("{number} is no house")) }
    }
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
#[expect(dead_code, reason = "read to be checked")]
pub struct Rules {
    name: Name,
    seeds: u8,
    opponent_store: Store,
    direction: DirectionRule,
    empty_capture: bool,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Name {
    Learneroo,
    Kalah,
    Ece1021,
    Cs221,
    Mancala5000,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Store {
    Sow,
    Skip,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum DirectionRule {
    Forward,
    Backward,
    Either,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Direction {
    Forward,
    Backward,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
#[expect(dead_code, reason = "read to be checked")]
pub struct Played {
    by: Who,
    r#move: Cell,
    direction: Option<Direction>,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Who {
    You,
    Opponent,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Outcome {
    Win,
    Loss,
    Draw,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Reason {
    Completed,
    MoveLimit,
    IllegalMove,
    InvalidReply,
    UnsolicitedOutput,
    OversizedReply,
    Timeout,
    Exited,
    StartFailed,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
#[expect(dead_code, reason = "read to be checked")]
pub struct Told {
    by: Who,
    kind: Reason,
    detail: String,
}

/// An answer in its long form.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
#[expect(dead_code, reason = "read to be checked")]
pub struct Answer {
    r#move: Cell,
    direction: Option<Direction>,
    info: Option<Value>,
}
