//! What the bots of a match are held to: the settings of a match, and how its record says them.

use std::num::NonZeroU32;
use std::path::PathBuf;
use std::time::Duration;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::{is_default, time, whole_ms};
use crate::rules::Adjudication;
use mancala_game::words;

/// What every bot of a match is held to. In JSON it is the `limits` of a record, which names all
/// but [`Restraints::environment`].
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(from = "RecordedLimits", into = "RecordedLimits")]
pub struct Terms {
    /// How long bots may think.
    pub time: TimeTerms,
    /// The longest that a round may be, in moves.
    pub max_moves: NonZeroU32,
    /// What a fault costs.
    pub faults: FaultTerms,
    /// What a bot may use of the machine.
    pub keeping: Restraints,
    /// Whether a round ends before its last move.
    pub adjudicate: Adjudication,
}

impl Default for Terms {
    fn default() -> Terms {
        Terms {
            time: TimeTerms::default(),
            max_moves: NonZeroU32::new(1000).expect("1000 is not 0"),
            faults: FaultTerms::default(),
            keeping: Restraints::default(),
            adjudicate: Adjudication::None,
        }
    }
}

/// How long bots may think, on the monotonic clock.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TimeTerms {
    /// The longest that a move may take; none when only the bank counts.
    pub move_time: Option<Duration>,
    /// Extra time for the first answer of each process.
    pub start_time: Duration,
    /// The time bank of each bot and round.
    pub game_time: Option<Duration>,
    /// How far past its limit an answer is still taken.
    pub margin: Duration,
}

impl Default for TimeTerms {
    fn default() -> TimeTerms {
        TimeTerms {
            move_time: Some(Duration::from_secs(1)),
            start_time: Duration::from_secs(10),
            game_time: None,
            margin: Duration::from_millis(50),
        }
    }
}

/// What a fault costs, and how many of them are forgiven.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct FaultTerms {
    /// What a fault costs.
    pub policy: FaultPolicy,
    /// With [`FaultPolicy::Substitute`]: how many faults of a bot are substituted in a round.
    pub max: Option<NonZeroU32>,
}

impl FaultTerms {
    /// How many faults of a bot are substituted in a round; `None`: the first one forfeits it.
    pub fn max_substitutes(&self) -> u32 {
        match self.policy {
            FaultPolicy::Forfeit => 0,
            FaultPolicy::Substitute => self.max.map_or(0, NonZeroU32::get),
        }
    }
}

/// What a bot may use of the machine, and what of our environment it sees.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Restraints {
    /// Memory, processes, files and processor time.
    pub resources: Resources,
    /// What a bot in the sandbox may use. `None` without sandbox.
    pub sandbox: Option<Sandbox>,
    /// Words that are put in front of every bot's command line.
    pub wrap: Vec<String>,
    /// Names of environment variables that are handed on beside the usual ones.
    pub environment: Vec<String>,
    /// What it may do during its opponent's turn.
    pub ponder: Ponder,
}

/// What a bot may do during its opponent's turn.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Ponder {
    /// Think on, with the processor time that there is.
    #[default]
    Allow,
    /// Wait. One that uses the processor is stopped, with all its processes, until it is asked.
    Freeze,
}

words!(Ponder, "allow or freeze", Allow = "allow", Freeze = "freeze");

/// The terms as a record says them. Times are whole milliseconds.
#[derive(Clone, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
struct RecordedLimits {
    #[serde(skip_serializing_if = "Option::is_none")]
    move_time_ms: Option<u64>,
    start_time_ms: u64,
    #[serde(skip_serializing_if = "Option::is_none")]
    game_time_ms: Option<u64>,
    margin_ms: u64,
    max_moves: NonZeroU32,
    #[serde(skip_serializing_if = "is_default")]
    fault_policy: FaultPolicy,
    #[serde(skip_serializing_if = "Option::is_none")]
    max_faults: Option<NonZeroU32>,
    /// A record that does not say had no limits.
    #[serde(skip_serializing_if = "Resources::is_unlimited")]
    resources: Resources,
    #[serde(skip_serializing_if = "Option::is_none")]
    sandbox: Option<Sandbox>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    wrap: Vec<String>,
    #[serde(skip_serializing_if = "is_default")]
    ponder: Ponder,
    #[serde(skip_serializing_if = "is_default")]
    adjudicate: Adjudication,
}

/// What holds where a record does not say.
impl Default for RecordedLimits {
    fn default() -> RecordedLimits {
        let usual = Terms::default().into();
        RecordedLimits { move_time_ms: None, resources: Resources::unlimited(), ..usual }
    }
}

impl From<Terms> for RecordedLimits {
    fn from(terms: Terms) -> RecordedLimits {
        let Terms { time, max_moves, faults, keeping, adjudicate } = terms;
        RecordedLimits {
            move_time_ms: time.move_time.map(whole_ms),
            start_time_ms: whole_ms(time.start_time),
            game_time_ms: time.game_time.map(whole_ms),
            margin_ms: whole_ms(time.margin),
            max_moves,
            fault_policy: faults.policy,
            max_faults: faults.max,
            resources: keeping.resources,
            sandbox: keeping.sandbox,
            wrap: keeping.wrap,
            ponder: keeping.ponder,
            adjudicate,
        }
    }
}

impl From<RecordedLimits> for Terms {
    fn from(limits: RecordedLimits) -> Terms {
        let RecordedLimits { max_moves, resources, sandbox, wrap, ponder, adjudicate, .. } = limits;
        Terms {
            time: TimeTerms {
                move_time: limits.move_time_ms.map(Duration::from_millis),
                start_time: Duration::from_millis(limits.start_time_ms),
                game_time: limits.game_time_ms.map(Duration::from_millis),
                margin: Duration::from_millis(limits.margin_ms),
            },
            max_moves,
            faults: FaultTerms { policy: limits.fault_policy, max: limits.max_faults },
            keeping: Restraints { resources, sandbox, wrap, environment: Vec::new(), ponder },
            adjudicate,
        }
    }
}

/// What a bot in the sandbox may reach beside its own folder and the system's programs.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub struct Sandbox {
    /// Files and folders that it may read and run.
    pub read: Vec<PathBuf>,
    /// Files and folders that it may read, run and write.
    pub write: Vec<PathBuf>,
    /// Whether it may talk to itself by TCP, on a loopback of its own.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub loopback: bool,
    /// Whether it may change modes and times of files that it may write: for builds, and in no
    /// record.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    #[schemars(skip)]
    pub builds: bool,
}

/// What each bot may use of the machine, with all its processes; `None` is without limit.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
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
    #[schemars(with = "Option<u64>")]
    pub cpu_time: Option<Duration>,
}

impl Resources {
    /// No limits at all.
    pub const fn unlimited() -> Resources {
        Resources { memory: None, processes: None, file_size: None, cpu_time: None }
    }

    /// Whether there is no limit at all.
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
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum FaultPolicy {
    /// The round.
    #[default]
    Forfeit,
    /// The choice of its move: the first legal one is played for it, a few times a round.
    Substitute,
}

words!(FaultPolicy, "forfeit or substitute", Forfeit = "forfeit", Substitute = "substitute");

#[cfg(test)]
mod tests {
    use super::*;

    /// A record's fields are a contract: their names, order and what is left out.
    #[test]
    fn recorded_limits_keep_their_fields() {
        let plain = r#"{"move_time_ms":1000,"start_time_ms":10000,"margin_ms":50,"max_moves":1000,"resources":{"memory_bytes":1073741824,"processes":256,"file_size_bytes":67108864,"cpu_time_ms":3600000}}"#;
        let terms = Terms::default();
        assert_eq!(serde_json::to_string(&terms).unwrap(), plain);
        assert_eq!(serde_json::from_str::<Terms>(plain).unwrap(), terms);

        let all = r#"{"start_time_ms":0,"game_time_ms":60000,"margin_ms":0,"max_moves":7,"fault_policy":"substitute","max_faults":3,"sandbox":{"read":["/data"],"write":[]},"wrap":["nice","-n","5"],"ponder":"freeze","adjudicate":"lead"}"#;
        let terms = Terms {
            time: TimeTerms {
                move_time: None,
                start_time: Duration::ZERO,
                game_time: Some(Duration::from_mins(1)),
                margin: Duration::ZERO,
            },
            max_moves: NonZeroU32::new(7).unwrap(),
            faults: FaultTerms { policy: FaultPolicy::Substitute, max: NonZeroU32::new(3) },
            keeping: Restraints {
                resources: Resources::unlimited(),
                sandbox: Some(Sandbox { read: vec!["/data".into()], ..Sandbox::default() }),
                wrap: ["nice", "-n", "5"].map(str::to_owned).into(),
                environment: Vec::new(),
                ponder: Ponder::Freeze,
            },
            adjudicate: Adjudication::Lead,
        };
        assert_eq!(serde_json::to_string(&terms).unwrap(), all);
        assert_eq!(serde_json::from_str::<Terms>(all).unwrap(), terms);
    }

    #[test]
    fn what_a_record_does_not_say_is_at_its_default() {
        let unlimited = Restraints { resources: Resources::unlimited(), ..Restraints::default() };
        let terms: Terms = serde_json::from_str(r#"{"margin_ms":5,"later":1}"#).unwrap();
        let time =
            TimeTerms { move_time: None, margin: Duration::from_millis(5), ..TimeTerms::default() };
        assert_eq!(terms, Terms { time, keeping: unlimited, ..Terms::default() });
        assert!(serde_json::from_str::<Terms>(r#"{"fault_policy":"forgive"}"#).is_err());
        assert!(serde_json::from_str::<Terms>(r#"{"max_moves":0}"#).is_err());
    }
}
