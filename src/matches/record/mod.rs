//! What a match leaves behind: the types of its record, format `mancala-match/1`.
//!
//! A record holds all that is needed to replay the match. Unknown fields are ignored on reading.

mod appender;
mod borrowed_text;
mod bot_name;
mod digest;
mod disk_file;
mod first_answers;
mod line_file;
mod lines;
mod note;
mod options;
pub mod own_files;
mod pipe;
mod read_at;
mod reader;
mod reserve;
mod stoppable;
mod terms;
mod time;
mod tournament;

use std::num::NonZeroU32;
use std::time::Duration;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

pub use self::appender::{Appender, AppenderError};
pub use self::bot_name::{MAX_NAME, bot_name};
pub use self::digest::Digest;
pub use self::disk_file::DiskFile;
pub use self::first_answers::{FirstAnswers, marks_first_answers};
pub use self::line_file::{LineFile, OpenLockedError};
pub use self::lines::{MAX_LINE, RecordLines, read_line};
pub use self::note::{
    DEAD_WORKER, DisqualifiedFor, NO_OPPONENT, NOT_BUILT, NOT_STARTED, Note, NoteFormat, NoteKind,
    OR_MORE_FAULTS,
};
pub(crate) use self::options::restraint_options;
pub use self::options::{OPTIONS_OF_CHECK, PlanOption, Shape, check_options, option_value};
pub use self::pipe::{ReaderPatience, wait_for_room, write_in_pieces};
pub use self::read_at::ReadAt;
pub use self::reader::{
    ReadError, ReadErrorKind, Reader, is_beside_records, is_of_records, parse_line, parse_record,
    what_else_it_is,
};
use self::reserve::Reserve;
pub use self::reserve::{MIN_FREE, advice_on};
pub use self::stoppable::Stoppable;
pub use self::terms::{
    FaultPolicy, FaultTerms, Ponder, Resources, Restraints, Sandbox, Terms, TimeTerms,
};
pub use self::time::{Timestamp, fine_ms, milliseconds, whole_ms};
pub use self::tournament::{HeaderFormat, ProgramFile, Shard, TournamentHeader, TournamentMatch};
use crate::protocol::{Cause, FaultKind, Info, Reason};
use crate::rules::{Board, Direction, House, Opening, Ruleset};
use crate::seat::{PerSeat, Seat};

/// The only value of a record's `format` field that this version reads and writes.
pub const FORMAT: &str = "mancala-match/1";

/// A finished match: one line of a record file.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct MatchRecord {
    /// Always [`FORMAT`].
    pub format: RecordFormat,
    /// When it began; `None` in a record of an older version.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub started: Option<Timestamp>,
    /// Its place in the tournament that it was played in.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tournament: Option<TournamentMatch>,
    /// The rules it was played by.
    pub rules: Ruleset,
    /// The opening of every round, in the first mover's view.
    pub opening: Opening,
    /// What the bots were held to.
    #[serde(rename = "limits")]
    pub terms: Terms,
    /// The two bots.
    pub bots: PerSeat<BotRecord>,
    /// How many rounds were planned; `None` in a record of an older version.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub planned_rounds: Option<NonZeroU32>,
    /// The rounds in the order in which they were played.
    pub rounds: Vec<RoundRecord>,
    /// Seeds of all rounds added up, for each bot.
    pub score: PerSeat<u32>,
    /// The bot with the higher score; `None` after a draw.
    pub winner: Option<Seat>,
}

impl MatchRecord {
    /// Writes the record as a line of a file.
    ///
    /// # Errors
    ///
    /// When the writer fails.
    pub fn write_line(&self, writer: &mut dyn std::io::Write) -> std::io::Result<()> {
        crate::text::write_json_line(writer, self)
    }

    /// Whether a bot was at fault, also where its answer was only substituted.
    pub fn has_fault(&self) -> bool {
        self.rounds.iter().any(|round| Seat::BOTH.into_iter().any(|bot| round.faults(bot) > 0))
    }

    /// Whether a person played.
    pub(crate) fn has_person(&self) -> bool {
        self.bots.0.iter().any(BotRecord::is_person)
    }
}

/// The format field: reads and writes [`FORMAT`] and nothing else.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub enum RecordFormat {
    /// Version 1.
    #[default]
    #[serde(rename = "mancala-match/1")]
    V1,
}

/// A bot as the user named it.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct BotRecord {
    /// Its name, unique in the match; at most 40 characters.
    #[serde(deserialize_with = "bot_name")]
    pub name: String,
    /// The words of its command line.
    pub command: Vec<String>,
    /// What it was made of, in a tournament; absent in older records.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub version: Option<Digest>,
}

impl BotRecord {
    /// Whether a person played, for whom no program was started.
    pub(crate) fn is_person(&self) -> bool {
        self.command.is_empty()
    }
}

/// One round.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct RoundRecord {
    /// Its number, from 1.
    pub round: u32,
    /// The bot that began.
    pub first: Seat,
    /// How often it was played again because the machine, not a bot, was late.
    #[serde(default, skip_serializing_if = "is_default")]
    pub replayed: u32,
    /// Its moves.
    pub moves: Vec<MoveRecord>,
    /// How it ended.
    pub result: RoundResult,
    /// The board after the last seeds are taken, in the first mover's view; after a fault as it
    /// stood.
    #[serde(rename = "final")]
    pub final_board: Board,
}

impl RoundRecord {
    /// The faults of a bot: those that were substituted, and the one that ended the round.
    pub fn faults(&self, bot: Seat) -> usize {
        let substituted = self.moves.iter().filter(|played| played.substitute.is_some());
        let forfeited = self.result.fault.iter().filter(|fault| fault.bot == bot);
        substituted.filter(|played| played.bot == bot).count() + forfeited.count()
    }
}

/// Whether a field has the value that it has when it is absent.
fn is_default<T: Default + PartialEq>(value: &T) -> bool {
    *value == T::default()
}

/// One move.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct MoveRecord {
    /// Who made it.
    pub bot: Seat,
    /// The house, in the mover's view.
    #[serde(rename = "move")]
    pub house: House,
    /// The direction, where the rules leave a choice.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub direction: Option<Direction>,
    /// How long the bot took, or how long until it was at fault: milliseconds with three decimals.
    #[serde(rename = "ms", with = "time::fine_ms")]
    #[schemars(with = "f64", range(min = 0))]
    pub time: Duration,
    /// Whether it was the first turn of the bot's process; absent in older records.
    #[serde(default, skip_serializing_if = "is_default")]
    pub fresh: bool,
    /// What the bot said beside its move. `null` is something too.
    #[serde(default, deserialize_with = "some_info", skip_serializing_if = "Option::is_none")]
    pub info: Option<Info>,
    /// The fault for which the move was played for the bot; none when the bot made it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub substitute: Option<Substitute>,
    /// The exact value of the position before it to the mover, where an analysis has added it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub value: Option<i16>,
    /// The seeds that it gave away, where an analysis has added them.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub loss: Option<i16>,
}

/// A fault that cost a bot no more than the choice of its move.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Substitute {
    /// Its kind.
    pub kind: FaultKind,
    /// What happened, in words; printable, one line.
    pub detail: String,
    /// The same for programs; absent in older records.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cause: Option<Box<Cause>>,
    /// Of the bot's first fault of this kind in the round: the end of its stderr, as in
    /// [`FaultRecord::stderr`]. Else empty.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub stderr: String,
}

fn some_info<'de, D: serde::Deserializer<'de>>(deserializer: D) -> Result<Option<Info>, D::Error> {
    Info::deserialize(deserializer).map(Some)
}

/// How a round ended.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct RoundResult {
    /// Why it ended.
    pub reason: Reason,
    /// The fault that ended it, if one did.
    pub fault: Option<FaultRecord>,
    /// Seeds for each bot.
    pub score: PerSeat<u8>,
}

/// A fault: who, what, and all that its author needs to find out why.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct FaultRecord {
    /// Whose it is.
    pub bot: Seat,
    /// Its kind.
    pub kind: FaultKind,
    /// What happened, in words; printable, one line.
    pub detail: String,
    /// The same for programs; absent in older records.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cause: Option<Box<Cause>>,
    /// The position the bot was sent, in its own view.
    pub board: Board,
    /// The end of what its process wrote to stderr.
    pub stderr: String,
}
