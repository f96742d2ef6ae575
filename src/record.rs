//! What a match leaves behind: the types of its record, format `mancala-match/1`.
//!
//! A record holds all that is needed to replay the match. Unknown fields are ignored on reading.

mod file;

use std::num::NonZeroU32;
use std::path::PathBuf;
use std::time::Duration;

use serde::{Deserialize, Serialize};

pub use self::file::{Appender, ReadError, ReadErrorKind, Reader};
use crate::protocol::{FaultKind, Info, Reason};
use crate::rules::{Board, Direction, House, Opening, Ruleset};
use crate::seat::{PerSeat, Seat};
use crate::words::words;

/// The only value of a record's `format` field that this version reads and writes.
pub const FORMAT: &str = "mancala-match/1";

/// A finished match: one line of a record file.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct MatchRecord {
    /// Always [`FORMAT`].
    pub format: Format,
    /// The rules it was played by.
    pub rules: Ruleset,
    /// The opening of every round, in the first mover's view.
    pub opening: Opening,
    /// The limits the bots were held to.
    pub limits: Limits,
    /// The two bots.
    pub bots: PerSeat<BotRecord>,
    /// The rounds in the order in which they were played.
    pub rounds: Vec<RoundRecord>,
    /// Seeds of all rounds added up, for each bot.
    pub score: PerSeat<u32>,
    /// The bot with the higher score; none after a draw.
    pub winner: Option<Seat>,
}

impl MatchRecord {
    /// Whether a bot was at fault, whatever that cost it.
    #[must_use]
    pub fn has_fault(&self) -> bool {
        self.rounds.iter().any(|round| Seat::BOTH.into_iter().any(|bot| round.faults(bot) > 0))
    }
}

/// The format field: reads and writes [`FORMAT`] and nothing else.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum Format {
    /// Version 1.
    #[default]
    #[serde(rename = "mancala-match/1")]
    V1,
}

/// A bot as the user named it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct BotRecord {
    /// Its name, unique in the match.
    pub name: String,
    /// The words of its command line.
    pub command: Vec<String>,
}

/// What every bot is held to. Times are whole milliseconds in JSON, as `…_ms`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Limits {
    /// The longest that a move may take; none when only the bank counts.
    #[serde(
        rename = "move_time_ms",
        default,
        with = "optional_ms",
        skip_serializing_if = "Option::is_none"
    )]
    pub move_time: Option<Duration>,
    /// Granted on top to the first answer of a process.
    #[serde(rename = "start_time_ms", with = "ms")]
    pub start_time: Duration,
    /// The time bank of each bot and round.
    #[serde(
        rename = "game_time_ms",
        default,
        with = "optional_ms",
        skip_serializing_if = "Option::is_none"
    )]
    pub game_time: Option<Duration>,
    /// How far past its limit an answer is still taken.
    #[serde(rename = "margin_ms", with = "ms")]
    pub margin: Duration,
    /// A round ends after so many moves at the latest.
    pub max_moves: NonZeroU32,
    /// What a fault costs.
    #[serde(default, skip_serializing_if = "FaultPolicy::is_forfeit")]
    pub fault_policy: FaultPolicy,
    /// With [`FaultPolicy::Substitute`]: how many faults of a bot are substituted in a round.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub max_faults: Option<NonZeroU32>,
    /// What each bot may use of the machine; none in a record that does not say.
    #[serde(default = "Resources::unlimited", skip_serializing_if = "Resources::is_unlimited")]
    pub resources: Resources,
    /// The sandbox that each bot was kept in; none where it could do all that its user may.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub sandbox: Option<Sandbox>,
    /// The words that were put in front of every bot's command line.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub wrap: Vec<String>,
}

impl Limits {
    /// How many faults of a bot are substituted in a round; none where the first one forfeits it.
    #[must_use]
    pub fn max_substitutes(&self) -> u32 {
        match self.fault_policy {
            FaultPolicy::Forfeit => 0,
            FaultPolicy::Substitute => self.max_faults.map_or(0, NonZeroU32::get),
        }
    }
}

impl Default for Limits {
    fn default() -> Limits {
        Limits {
            move_time: Some(Duration::from_secs(1)),
            start_time: Duration::from_secs(10),
            game_time: None,
            margin: Duration::from_millis(50),
            max_moves: NonZeroU32::new(1000).expect("1000 is not 0"),
            resources: Resources::default(),
            sandbox: None,
            wrap: Vec::new(),
            fault_policy: FaultPolicy::Forfeit,
            max_faults: None,
        }
    }
}

/// What a bot in the sandbox may reach beside its own folder and the system's programs.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Sandbox {
    /// Files and folders that it may read and run.
    pub read: Vec<PathBuf>,
    /// Files and folders that it may read, run and write.
    pub write: Vec<PathBuf>,
}

/// What each bot may use of the machine, with all its processes; `None` is without limit.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Resources {
    /// Bytes of memory in use, files not counted.
    #[serde(rename = "memory_bytes", default, skip_serializing_if = "Option::is_none")]
    pub memory: Option<u64>,
    /// Processes and threads at once.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub processes: Option<u32>,
    /// Bytes of each file that it writes.
    #[serde(rename = "file_size_bytes", default, skip_serializing_if = "Option::is_none")]
    pub file_size: Option<u64>,
    /// Processor time of each process, in whole seconds.
    #[serde(
        rename = "cpu_time_ms",
        default,
        with = "optional_ms",
        skip_serializing_if = "Option::is_none"
    )]
    pub cpu_time: Option<Duration>,
}

impl Resources {
    /// No limits at all.
    #[must_use]
    pub const fn unlimited() -> Resources {
        Resources { memory: None, processes: None, file_size: None, cpu_time: None }
    }

    /// Whether there is no limit at all.
    #[must_use]
    pub fn is_unlimited(&self) -> bool {
        *self == Resources::unlimited()
    }
}

impl Default for Resources {
    /// Limits that no honest bot meets: 1 GiB of memory, 256 processes and threads, files of
    /// 64 MiB, an hour of processor time.
    fn default() -> Resources {
        Resources {
            memory: Some(1 << 30),
            processes: Some(256),
            file_size: Some(64 << 20),
            cpu_time: Some(Duration::from_hours(1)),
        }
    }
}

/// What a fault costs a bot.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum FaultPolicy {
    /// The round.
    #[default]
    Forfeit,
    /// The choice of its move: the first legal one is played for it, so many times a round.
    Substitute,
}

words!(FaultPolicy, "forfeit or substitute", Forfeit = "forfeit", Substitute = "substitute");

impl FaultPolicy {
    // serde hands over a reference.
    fn is_forfeit(&self) -> bool {
        *self == FaultPolicy::Forfeit
    }
}

/// One round.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct RoundRecord {
    /// Its number, from 1.
    pub round: u32,
    /// The bot that began.
    pub first: Seat,
    /// How often it was played again because the machine, not a bot, was late.
    #[serde(default, skip_serializing_if = "is_zero")]
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
    #[must_use]
    pub fn faults(&self, bot: Seat) -> usize {
        let substituted = self.moves.iter().filter(|played| played.substitute.is_some());
        let forfeited = self.result.fault.iter().filter(|fault| fault.bot == bot);
        substituted.filter(|played| played.bot == bot).count() + forfeited.count()
    }
}

fn is_zero(number: &u32) -> bool {
    *number == 0
}

/// One move.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
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
    #[serde(rename = "ms", with = "fine_ms")]
    pub time: Duration,
    /// What the bot said beside its move. `null` is something too.
    #[serde(default, deserialize_with = "some_info", skip_serializing_if = "Option::is_none")]
    pub info: Option<Info>,
    /// The fault for which the move was played for the bot; none when the bot made it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub substitute: Option<Substitute>,
}

/// A fault that cost a bot no more than the choice of its move.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Substitute {
    /// Its kind.
    pub kind: FaultKind,
    /// What happened, in words; printable, one line.
    pub detail: String,
}

fn some_info<'de, D: serde::Deserializer<'de>>(deserializer: D) -> Result<Option<Info>, D::Error> {
    Info::deserialize(deserializer).map(Some)
}

/// How a round ended.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct RoundResult {
    /// Why it ended.
    pub reason: Reason,
    /// The fault that ended it, if one did.
    pub fault: Option<FaultRecord>,
    /// Seeds for each bot.
    pub score: PerSeat<u8>,
}

/// A fault: who, what, and all that its author needs to find out why.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct FaultRecord {
    /// Whose it is.
    pub bot: Seat,
    /// Its kind.
    pub kind: FaultKind,
    /// What happened, in words; printable, one line.
    pub detail: String,
    /// The position the bot was sent, in its own view.
    pub board: Board,
    /// The end of what its process wrote to stderr.
    pub stderr: String,
}

/// A duration as whole milliseconds.
mod ms {
    use super::{Deserialize, Duration};
    use serde::{Deserializer, Serializer};

    pub fn serialize<S: Serializer>(time: &Duration, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_u64(super::whole_ms(*time))
    }

    pub fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Duration, D::Error> {
        u64::deserialize(deserializer).map(Duration::from_millis)
    }
}

mod optional_ms {
    use super::{Deserialize, Duration, Serialize};
    use serde::{Deserializer, Serializer};

    // serde hands over a reference.
    #[expect(clippy::ref_option)]
    pub fn serialize<S: Serializer>(
        time: &Option<Duration>,
        serializer: S,
    ) -> Result<S::Ok, S::Error> {
        time.map(super::whole_ms).serialize(serializer)
    }

    pub fn deserialize<'de, D: Deserializer<'de>>(
        deserializer: D,
    ) -> Result<Option<Duration>, D::Error> {
        Ok(Option::<u64>::deserialize(deserializer)?.map(Duration::from_millis))
    }
}

/// A duration as milliseconds with three decimals.
mod fine_ms {
    use super::{Deserialize, Duration};
    use serde::{Deserializer, Serializer};

    /// No move takes a year. Up to there a float holds every microsecond, however often a time is
    /// written and read, and the times of any match add up.
    const LONGEST: Duration = Duration::from_hours(366 * 24);

    pub fn serialize<S: Serializer>(time: &Duration, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_f64(super::milliseconds(*time))
    }

    pub fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Duration, D::Error> {
        use serde::de::Error as _;
        let ms = f64::deserialize(deserializer)?;
        let time = Duration::try_from_secs_f64(ms / 1e3).map_err(D::Error::custom)?;
        if time > LONGEST {
            return Err(D::Error::custom("a move takes at most 366 days"));
        }
        // Rounded, for a decimal such as 0.113 is not exactly a number of microseconds.
        Ok(Duration::from_micros(whole(time.as_secs_f64() * 1e6)))
    }

    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "within a year")]
    fn whole(micros: f64) -> u64 {
        micros.round() as u64
    }
}

/// Whole milliseconds of a duration, rounded down.
#[must_use]
pub fn whole_ms(time: Duration) -> u64 {
    u64::try_from(time.as_millis()).unwrap_or(u64::MAX)
}

/// Milliseconds of a duration, cut after three decimals.
#[must_use]
pub fn milliseconds(time: Duration) -> f64 {
    // A duration of 285 years would lose its last microsecond.
    #[expect(clippy::cast_precision_loss)]
    let micros = time.as_micros() as f64;
    micros / 1e3
}
