//! The report of a check: its data, which are the format `mancala-check/2`.
//!
//! Reading order: `probe` is what is tried; `shown` is how people read the report, `hand_in_formats` what
//! programs of courses read.

mod hand_in_formats;
mod probe;
mod shown;

use std::time::Duration;

use schemars::JsonSchema;
use serde::Serialize;

pub use self::hand_in_formats::{CHECK_FORMATS, write_report_of_check};
pub use self::probe::Probe;
pub use self::shown::{verdict as verdict_of_check, write_check};
use crate::protocol::FaultKind;
use crate::record::{BotRecord, Terms, fine_ms, milliseconds};
use crate::rules::{DirectionRule, Ruleset};

/// Everything that a check found out.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct CheckReport {
    /// Always `mancala-check/2`.
    pub format: CheckFormat,
    /// The bot that was checked.
    pub bot: BotRecord,
    /// The seed that makes the check the same again.
    pub seed: u64,
    /// How long the whole check might take, in milliseconds.
    pub budget_ms: u64,
    /// What the bot was held to.
    pub limits: Terms,
    /// What was tried, in order.
    pub probes: Vec<ProbeReport>,
    /// The games of each ruleset: losses here, faults in `findings`.
    pub games: Vec<GamesReport>,
    /// How long the bot took.
    pub times: AnswerTimes,
    /// What was seen and is not a finding.
    pub notes: Vec<CheckNote>,
    /// What is wrong, faults before warnings.
    pub findings: Vec<Finding>,
}

impl CheckReport {
    /// Whether nothing is known of the bot: every probe was left out, for want of an answer in time.
    pub fn knows_nothing(&self) -> bool {
        self.findings.is_empty()
            && self.probes.iter().all(|probe| probe.result == ProbeResult::LeftOut)
    }
}

/// The format field.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, JsonSchema)]
pub enum CheckFormat {
    /// Version 2.
    #[default]
    #[serde(rename = "mancala-check/2")]
    V2,
}

/// The result of a probe.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct ProbeReport {
    /// Which probe.
    pub probe: Probe,
    /// Its result.
    pub result: ProbeResult,
    /// Rounds that were played.
    pub rounds: u32,
    /// Answers that came in time.
    pub answers: u32,
    /// Why it is incomplete, where it is.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cut_short: Option<CutShort>,
}

/// Why a probe was cut short; JSON has its words.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(transparent)]
pub struct CutShort {
    pub words: String,
    /// Whether the time of the check was over, which is no fault of the bot.
    #[serde(skip)]
    pub budget_is_spent: bool,
}

impl<T: Into<String>> From<T> for CutShort {
    fn from(words: T) -> CutShort {
        CutShort { words: words.into(), budget_is_spent: false }
    }
}

/// Clean or not.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum ProbeResult {
    /// Nothing is wrong.
    Clean,
    /// Something is wrong.
    Findings,
    /// Nothing wrong was seen, but not all of it was tried.
    Incomplete,
    /// It was not tried.
    LeftOut,
}

/// The whole games of one ruleset against one built-in bot.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct GamesReport {
    /// The rules.
    pub rules: Ruleset,
    /// The built-in bot's level.
    pub opponent: String,
    /// Rounds that were won by playing.
    pub won: u32,
    /// Rounds that were drawn.
    pub drawn: u32,
    /// Rounds that were lost by playing.
    pub lost: u32,
    /// Rounds that a fault of the bot ended.
    pub faulted: u32,
}

/// A ruleset's name, with its direction and its seeds where they are not the usual ones.
pub fn rules_in_words(rules: &Ruleset) -> String {
    let mut words = rules.name.to_string();
    if rules.direction != DirectionRule::Forward {
        words += &format!(" {}", rules.direction);
    }
    if rules.seeds != rules.name.rules().seeds {
        words += &format!(", {} seeds", rules.seeds.get());
    }
    words
}

/// Milliseconds as they are shown.
pub fn in_ms(time: Duration) -> String {
    format!("{:.1} ms", milliseconds(time))
}

/// How long the bot took.
#[derive(Clone, Debug, Default, PartialEq, Serialize, JsonSchema)]
pub struct AnswerTimes {
    /// The first answers of processes, their start included.
    pub first_answers: Option<Spread>,
    /// All other answers.
    pub other_answers: Option<Spread>,
}

/// How times are spread. Milliseconds with three decimals in JSON.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct Spread {
    /// How many there are.
    pub count: usize,
    /// Half of them are this long at most.
    #[serde(rename = "median_ms", with = "fine_ms")]
    #[schemars(with = "f64")]
    pub median: Duration,
    /// 99 of 100 are this long at most.
    #[serde(rename = "p99_ms", with = "fine_ms")]
    #[schemars(with = "f64")]
    pub p99: Duration,
    /// The longest.
    #[serde(rename = "longest_ms", with = "fine_ms")]
    #[schemars(with = "f64")]
    pub longest: Duration,
}

impl Spread {
    /// The spread of `times`, by nearest rank; `None` without any.
    pub fn of(times: &[Duration]) -> Option<Spread> {
        let mut sorted = times.to_vec();
        sorted.sort_unstable();
        let count = sorted.len();
        let rank = |percent: usize| sorted.get((count * percent).div_ceil(100).saturating_sub(1));
        Some(Spread { count, median: *rank(50)?, p99: *rank(99)?, longest: *rank(100)? })
    }
}

/// Something that was seen and is not a finding.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct CheckNote {
    /// Where it was seen.
    pub probe: Probe,
    /// What it is; printable, one line.
    pub what: String,
}

/// How bad a finding is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Severity {
    /// It forfeits a round.
    Fault,
    /// It works in a match today, and may not on a busier machine or with a later version.
    Warning,
}

/// Something that is wrong. All texts are printable and of one line.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct Finding {
    /// How bad it is.
    pub severity: Severity,
    /// The kind of fault that it is in a match, where it is one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub kind: Option<FaultKind>,
    /// The probes that saw it.
    pub probes: Vec<Probe>,
    /// How often it was seen.
    pub times: u32,
    /// What is wrong, in a sentence.
    pub what: String,
    /// Where it was seen first.
    pub during: String,
    /// The lines that the bot was sent since its last good answer, without their newlines.
    pub sent: Vec<String>,
    /// What was received.
    pub received: String,
    /// The end of what the bot wrote to stderr; several lines.
    pub stderr: String,
    /// How to fix it.
    pub fix: String,
}
