//! What is played: a pure value, known by a digest of it.

mod difference;

use std::borrow::Cow;
use std::ops::Deref;
use std::path::{Path, PathBuf};

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

pub use self::difference::PlanDifference;
use super::{Pairings, PlannedBot, Schedule};
use crate::record::{Digest, Terms};
use crate::rules::{Ruleset, Suite};

/// A tournament with its identity, which never changes again.
#[derive(Clone, Debug)]
pub struct Plan {
    fields: PlanFields,
    id: Digest,
}

/// All that decides what is played, and nothing of where or how fast. In JSON it is the `plan` of
/// a tournament's file; unknown keys there are ignored, and missing ones have their defaults.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(try_from = "PlanJson", into = "PlanJson")]
#[schemars(rename = "Plan")]
pub struct PlanFields {
    /// What the user calls it.
    pub name: Option<String>,
    /// How bots are paired.
    pub pairings: Pairings,
    /// What decides who is first in a pairing.
    pub first_by: FirstBy,
    /// What matches begin from.
    pub openings: Suite,
    /// How many openings; in a Swiss tournament how many rounds.
    pub count: u64,
    /// How often a pairing plays each opening.
    pub repeat: u64,
    /// Draws random openings, and their order.
    pub seed: u64,
    /// After this many faults a bot plays no more, and none of its matches count.
    pub disqualify_after: Option<u32>,
    /// Whether a bot's process goes on to its next match. `None`: one process for each match.
    pub reuse_bots: Option<Reuse>,
    /// Whether bots see no names: each is `bot-1` or `bot-2` in its match.
    pub anonymous: bool,
    /// Whether bots are checked before the first match, and those with faults do not play.
    pub check: bool,
    /// The test between two bots that ends it, as the user wrote it.
    pub sprt: Option<String>,
    /// The rules.
    pub rules: Ruleset,
    /// What the bots are held to.
    pub terms: Terms,
    /// Who plays.
    pub bots: Vec<PlannedBot>,
}

/// What decides which bot of a pairing is first in its first match.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum FirstBy {
    /// The bots' places, in plans of the first versions of this program.
    Places,
    /// Their names and the seed.
    #[default]
    Names,
}

/// How a bot's process goes on from match to match.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Reuse {
    /// After this many matches it is started afresh all the same.
    pub restart_after: Option<u32>,
}

/// The plan as JSON: its fields in the order of the configuration.
#[derive(Clone, Serialize, Deserialize, JsonSchema)]
struct PlanJson {
    #[serde(skip_serializing_if = "Option::is_none")]
    name: Option<String>,
    #[serde(default = "round_robin")]
    format: Cow<'static, str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    gauntlet: Option<usize>,
    /// The version of the arithmetic by which numbers become matches: 2, absent in plans of
    /// version 1.
    #[serde(skip_serializing_if = "Option::is_none")]
    schedule: Option<u32>,
    #[serde(default = "standard")]
    openings: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    count: Option<u64>,
    #[serde(default = "one")]
    repeat: u64,
    #[serde(default = "one")]
    seed: u64,
    #[serde(skip_serializing_if = "Option::is_none")]
    disqualify_after: Option<u32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    reuse_bots: Option<bool>,
    #[serde(skip_serializing_if = "Option::is_none")]
    restart_after: Option<u32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    anonymous: Option<bool>,
    #[serde(skip_serializing_if = "Option::is_none")]
    check: Option<bool>,
    #[serde(skip_serializing_if = "Option::is_none")]
    sprt: Option<String>,
    #[serde(default)]
    r#match: MatchJson,
    #[serde(default, alias = "bot")]
    bots: Vec<PlannedBot>,
}

#[derive(Clone, Default, Serialize, Deserialize, JsonSchema)]
struct MatchJson {
    #[serde(default)]
    rules: Ruleset,
    #[serde(default)]
    limits: Terms,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    env: Vec<String>,
}

fn round_robin() -> Cow<'static, str> {
    Cow::Borrowed(Pairings::RoundRobin.as_str())
}

fn standard() -> String {
    Suite::Standard.to_string()
}

const fn one() -> u64 {
    1
}

impl From<PlanFields> for PlanJson {
    fn from(plan: PlanFields) -> PlanJson {
        PlanJson {
            name: plan.name,
            format: Cow::Borrowed(plan.pairings.as_str()),
            gauntlet: match plan.pairings {
                Pairings::Gauntlet { first } => Some(first),
                Pairings::RoundRobin | Pairings::Swiss => None,
            },
            schedule: (plan.first_by == FirstBy::Names).then_some(2),
            openings: plan.openings.to_string(),
            count: Some(plan.count),
            repeat: plan.repeat,
            seed: plan.seed,
            disqualify_after: plan.disqualify_after,
            reuse_bots: plan.reuse_bots.map(|_| true),
            restart_after: plan.reuse_bots.and_then(|reuse| reuse.restart_after),
            anonymous: plan.anonymous.then_some(true),
            check: plan.check.then_some(true),
            sprt: plan.sprt,
            r#match: MatchJson {
                rules: plan.rules,
                env: plan.terms.keeping.environment.clone(),
                limits: plan.terms,
            },
            bots: plan.bots,
        }
    }
}

impl TryFrom<PlanJson> for PlanFields {
    type Error = String;

    fn try_from(plan: PlanJson) -> Result<PlanFields, String> {
        let MatchJson { rules, limits: mut terms, env } = plan.r#match;
        terms.keeping.environment = env;
        let reuse = Reuse { restart_after: plan.restart_after };
        Ok(PlanFields {
            name: plan.name,
            pairings: match &*plan.format {
                "round-robin" => Pairings::RoundRobin,
                "gauntlet" => Pairings::Gauntlet { first: plan.gauntlet.unwrap_or(1) },
                "swiss" => Pairings::Swiss,
                other => return Err(format!("unknown format {other:?}")),
            },
            first_by: match plan.schedule {
                None => FirstBy::Places,
                Some(2) => FirstBy::Names,
                Some(other) => return Err(format!("unknown schedule {other}")),
            },
            openings: plan.openings.parse().map_err(|_| "unknown openings")?,
            count: plan.count.unwrap_or(1),
            repeat: plan.repeat,
            seed: plan.seed,
            disqualify_after: plan.disqualify_after,
            reuse_bots: plan.reuse_bots.unwrap_or(false).then_some(reuse),
            anonymous: plan.anonymous.unwrap_or(false),
            check: plan.check.unwrap_or(false),
            sprt: plan.sprt,
            rules,
            terms,
            bots: plan.bots,
        })
    }
}

impl PlanFields {
    /// The order of its matches.
    ///
    /// # Errors
    ///
    /// If there are too few bots for the pairings, or too many matches.
    pub fn schedule(&self) -> Result<Schedule, String> {
        let schedule = Schedule::new(self.pairings, self.bots.len(), self.count, self.repeat)?;
        Ok(match self.first_by {
            FirstBy::Places => schedule,
            FirstBy::Names => schedule.by_names(&self.bots, self.seed),
        })
    }

    /// How many bots of a gauntlet are the first, earlier versions of theirs not counted.
    pub fn challengers(&self) -> Option<usize> {
        let Pairings::Gauntlet { first } = self.pairings else { return None };
        let first = self.bots.get(..first)?;
        Some(first.iter().filter(|bot| bot.version_of.is_none()).count())
    }

    pub fn paths(&self) -> impl Iterator<Item = &Path> {
        let openings = match &self.openings {
            Suite::File(path) => Some(path),
            _ => None,
        };
        let sandbox = self.terms.keeping.sandbox.iter();
        let folders = self.bots.iter().filter_map(|bot| bot.folder.as_ref());
        let allowed = sandbox.flat_map(|sandbox| sandbox.read.iter().chain(&sandbox.write));
        openings.into_iter().chain(folders).chain(allowed).map(PathBuf::as_path)
    }
}

#[cfg(any(test, feature = "testing"))]
thread_local! {
    /// How many plans were given an identity in this thread: all of a plan is hashed for it.
    pub static IDENTITIES: std::cell::Cell<usize> = const { std::cell::Cell::new(0) };
}

impl Plan {
    pub fn new(fields: PlanFields) -> Plan {
        #[cfg(any(test, feature = "testing"))]
        IDENTITIES.set(IDENTITIES.get() + 1);
        let without_count = PlanJson { count: None, ..fields.clone().into() };
        let id = Digest::of(compact(&without_count).as_bytes());
        Plan { fields, id }
    }

    /// What the tournament is known by. A larger count of openings is the same tournament.
    pub const fn id(&self) -> Digest {
        self.id
    }

    /// The plan as a tournament's file has it.
    pub fn json(&self) -> String {
        compact(&self.fields.clone().into())
    }
}

impl Deref for Plan {
    type Target = PlanFields;

    fn deref(&self) -> &PlanFields {
        &self.fields
    }
}

fn compact(plan: &PlanJson) -> String {
    serde_json::to_string(plan).expect("a plan is always JSON")
}

#[cfg(test)]
mod tests;
