//! What the bots of a match are held to, as its record says it.

use std::num::NonZeroU32;
use std::path::PathBuf;
use std::time::Duration;

use serde::{Deserialize, Serialize};

use super::time;
use crate::words::words;

/// What every bot is held to. Times are whole milliseconds in JSON, as `…_ms`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Limits {
    /// The longest that a move may take; none when only the bank counts.
    #[serde(
        rename = "move_time_ms",
        default,
        with = "time::optional_ms",
        skip_serializing_if = "Option::is_none"
    )]
    pub move_time: Option<Duration>,
    /// Granted on top to the first answer of a process.
    #[serde(rename = "start_time_ms", with = "time::ms")]
    pub start_time: Duration,
    /// The time bank of each bot and round.
    #[serde(
        rename = "game_time_ms",
        default,
        with = "time::optional_ms",
        skip_serializing_if = "Option::is_none"
    )]
    pub game_time: Option<Duration>,
    /// How far past its limit an answer is still taken.
    #[serde(rename = "margin_ms", with = "time::ms")]
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
        with = "time::optional_ms",
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
