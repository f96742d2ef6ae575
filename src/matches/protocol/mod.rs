//! The wire, version 1: one type for each message, JSON Lines in both directions.
//!
//! No I/O: messages become lines here and lines become messages; who sends them, and when, is
//! decided elsewhere. `protocol.md` tells the same to the author of a bot.

mod adapter;
mod cause;
mod cause_words;
mod info;
mod reason;
mod reply;
mod schema;
mod storable_json;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::rules::{Board, Direction, House, Ruleset};
use crate::text;
pub use adapter::AdapterReport;
pub use cause::{Cause, CauseCode};
pub(crate) use cause_words::signal_in_words;
pub use info::Info;
use mancala_game::words;
pub use reason::Reason;
pub use reply::Reply;
pub(crate) use reply::{BadReply, MAX_REPLY};

/// The version that [`Start`] announces.
pub const VERSION: u32 = 1;

/// A message to a bot. A bot ignores a `type` that it does not know.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(tag = "type", rename_all = "snake_case")]
pub enum ToBot {
    /// A round begins. Wants no answer.
    Start(Start),
    /// It is the bot's move. Wants exactly one line.
    Turn(Turn),
    /// The round has ended. Wants no answer.
    End(End),
    /// A message of a later version.
    #[serde(other, skip_serializing)]
    Unknown,
}

impl ToBot {
    /// The message as the line that is sent, newline included.
    #[expect(clippy::missing_panics_doc, reason = "writing JSON to memory does not fail")]
    pub fn to_line(&self) -> Vec<u8> {
        let mut line = Vec::with_capacity(256);
        text::write_json_line(&mut line, self).expect("a message is always JSON");
        line
    }
}

/// What a bot is told when a round begins.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Start {
    /// The protocol's [`VERSION`].
    pub protocol: u32,
    /// The round, from 1.
    pub round: u32,
    /// Whether the bot makes the round's first move.
    pub first: bool,
    /// The bot's own name.
    pub you: String,
    /// The opponent's name.
    pub opponent: String,
    /// The rules of the round.
    pub rules: Ruleset,
    /// The opening, in the bot's own view.
    pub board: Board,
    /// The longest that a move may take, in milliseconds.
    pub move_time_ms: u64,
    /// With a time bank: the bank at the start of the round, in milliseconds.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub game_time_ms: Option<u64>,
}

/// A question: which move?
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Turn {
    /// Counts the bot's own moves in the round, from 1.
    pub turn: u32,
    /// The position, in the bot's own view.
    pub board: Board,
    /// The houses that hold seeds, in order.
    pub legal: Vec<House>,
    /// What was played since the last `turn` the bot was sent, or since the opening.
    pub moves: Vec<PlayedMove>,
    /// The longest that this move may take, in milliseconds.
    pub move_time_ms: u64,
    /// With a time bank: what is left of it before this move, in milliseconds.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub time_left_ms: Option<u64>,
}

/// A move of the round, as told to one of its players.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct PlayedMove {
    /// Who made it.
    pub by: Who,
    /// The house, in the mover's own view.
    #[serde(rename = "move")]
    pub house: House,
    /// The direction, where the rules leave a choice.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub direction: Option<Direction>,
}

/// One of two players, as told to one of them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Who {
    /// The bot that is told.
    You,
    /// The other one.
    Opponent,
}

/// How a round ended, as told to one of its players.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct End {
    /// The round, from 1.
    pub round: u32,
    /// For the bot that is told.
    pub outcome: Outcome,
    /// Seeds, the bot's own first.
    pub score: [u8; 2],
    /// Why it ended.
    pub reason: Reason,
    /// The final board in the bot's own view; after a fault as it stood.
    pub board: Board,
    /// After a fault: whose and which.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub fault: Option<FaultMessage>,
}

/// A round's result for one player.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Outcome {
    /// More seeds than the opponent.
    Win,
    /// Fewer seeds than the opponent.
    Loss,
    /// As many seeds as the opponent.
    Draw,
}

/// A fault, as told to one of the players.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct FaultMessage {
    /// Whose it is.
    pub by: Who,
    /// Its kind.
    pub kind: FaultKind,
    /// What happened, in words; printable, one line.
    pub detail: String,
}

/// The kinds of fault that a bot can commit.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum FaultKind {
    /// A number that is not a legal move now.
    IllegalMove,
    /// A line that is not a move.
    InvalidReply,
    /// Output before it was asked for, or after the one line that was.
    UnsolicitedOutput,
    /// More than 64 KiB without a newline.
    OversizedReply,
    /// No whole line before the deadline, or the time bank is spent.
    Timeout,
    /// The process ended, or closed its output, before it answered.
    Exited,
    /// The program could not be started, in a match that had already begun.
    StartFailed,
}

words!(
    FaultKind,
    "a kind of fault",
    IllegalMove = "illegal_move",
    InvalidReply = "invalid_reply",
    UnsolicitedOutput = "unsolicited_output",
    OversizedReply = "oversized_reply",
    Timeout = "timeout",
    Exited = "exited",
    StartFailed = "start_failed"
);

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::Ending;

    fn check(message: &ToBot, line: &str) {
        assert_eq!(String::from_utf8(message.to_line()).unwrap(), format!("{line}\n"));
        assert_eq!(&serde_json::from_str::<ToBot>(line).unwrap(), message);
    }

    fn board(cells: [u8; 14]) -> Board {
        Board::from_cells(cells).unwrap()
    }

    #[test]
    fn start_is_as_the_protocol_says() {
        let start = Start {
            protocol: VERSION,
            round: 1,
            first: true,
            you: "greedy".to_owned(),
            opponent: "random".to_owned(),
            rules: Ruleset::default(),
            board: board([3, 3, 3, 3, 3, 3, 0, 3, 3, 3, 3, 3, 3, 0]),
            move_time_ms: 1000,
            game_time_ms: None,
        };
        check(
            &ToBot::Start(start),
            r#"{"type":"start","protocol":1,"round":1,"first":true,"you":"greedy","opponent":"random","rules":{"name":"learneroo","seeds":3,"opponent_store":"sow","direction":"forward","empty_capture":true},"board":[3,3,3,3,3,3,0,3,3,3,3,3,3,0],"move_time_ms":1000}"#,
        );
    }

    #[test]
    fn turn_is_as_the_protocol_says() {
        let turn = Turn {
            turn: 2,
            board: board([3, 0, 3, 3, 3, 3, 0, 3, 3, 3, 3, 3, 3, 0]),
            legal: vec![House::ALL[0], House::ALL[5]],
            moves: vec![PlayedMove {
                by: Who::Opponent,
                house: House::ALL[4],
                direction: Some(Direction::Backward),
            }],
            move_time_ms: 1000,
            time_left_ms: Some(60_000),
        };
        check(
            &ToBot::Turn(turn),
            r#"{"type":"turn","turn":2,"board":[3,0,3,3,3,3,0,3,3,3,3,3,3,0],"legal":[0,5],"moves":[{"by":"opponent","move":4,"direction":"backward"}],"move_time_ms":1000,"time_left_ms":60000}"#,
        );
    }

    #[test]
    fn end_is_as_the_protocol_says() {
        let mut end = End {
            round: 1,
            outcome: Outcome::Win,
            score: [20, 16],
            reason: Reason::Ended(Ending::Completed),
            board: board([0, 0, 0, 0, 0, 0, 20, 0, 0, 0, 0, 0, 0, 16]),
            fault: None,
        };
        check(
            &ToBot::End(end.clone()),
            r#"{"type":"end","round":1,"outcome":"win","score":[20,16],"reason":"completed","board":[0,0,0,0,0,0,20,0,0,0,0,0,0,16]}"#,
        );
        end.reason = Reason::Fault(FaultKind::IllegalMove);
        end.fault = Some(FaultMessage {
            by: Who::Opponent,
            kind: FaultKind::IllegalMove,
            detail: "house 2 is empty".to_owned(),
        });
        check(
            &ToBot::End(end),
            r#"{"type":"end","round":1,"outcome":"win","score":[20,16],"reason":"illegal_move","board":[0,0,0,0,0,0,20,0,0,0,0,0,0,16],"fault":{"by":"opponent","kind":"illegal_move","detail":"house 2 is empty"}}"#,
        );
    }

    #[test]
    fn an_unknown_type_and_unknown_fields_are_passed_over() {
        let unknown = r#"{"type":"weather","sun":[1,{"x":2}]}"#;
        assert_eq!(serde_json::from_str::<ToBot>(unknown).unwrap(), ToBot::Unknown);
        let more = r#"{"new":1,"type":"turn","turn":1,"board":[3,3,3,3,3,3,0,3,3,3,3,3,3,0],"legal":[0],"moves":[],"move_time_ms":5,"x":{}}"#;
        assert!(matches!(serde_json::from_str::<ToBot>(more), Ok(ToBot::Turn(_))));
    }

    #[test]
    fn every_reason_is_read_as_what_it_is_written_for() {
        for kind in FaultKind::ALL {
            let reason = Reason::Fault(kind);
            let json = serde_json::to_string(&reason).unwrap();
            assert_eq!(json, format!("\"{kind}\""));
            assert_eq!(serde_json::from_str::<Reason>(&json).unwrap(), reason);
        }
        assert_eq!(
            serde_json::from_str::<Reason>("\"move_limit\"").unwrap(),
            Reason::Ended(Ending::MoveLimit)
        );
        assert!(serde_json::from_str::<Reason>("\"tired\"").is_err());
    }
}
