//! What is played: a pure value, known by a digest of it.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use schemars::{JsonSchema, Schema, SchemaGenerator};
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::schedule::{NoSchedule, Pairings, Schedule};
use crate::record::{Digest, Terms};
use crate::rules::{Ruleset, Suite};

/// A tournament: all that decides what is played, and nothing of where or how fast.
#[derive(Clone, Debug, PartialEq)]
pub struct Plan {
    /// What the user calls it.
    pub name: Option<String>,
    /// How bots are paired.
    pub pairings: Pairings,
    /// What matches begin from.
    pub openings: Suite,
    /// How many openings; in a Swiss tournament how many rounds.
    pub count: u64,
    /// How often a pairing plays each opening.
    pub repeat: u64,
    /// Draws random openings, and their order.
    pub seed: u64,
    /// A bot with so many faults plays no more, and its matches do not count.
    pub disqualify_after: Option<u32>,
    /// How a bot's process goes on from match to match; none for a process a match.
    pub reuse_bots: Option<Reuse>,
    /// Whether bots are told no names: each is `bot-1` or `bot-2` in its match.
    pub anonymous: bool,
    /// Whether bots are checked before the first match, and those with faults do not play.
    pub check: bool,
    /// The test that ends it, of two bots, as the user wrote it.
    pub sprt: Option<String>,
    /// The rules.
    pub rules: Ruleset,
    /// What the bots are held to.
    pub terms: Terms,
    /// Who plays.
    pub bots: Vec<PlannedBot>,
}

/// How a bot's process goes on from match to match.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Reuse {
    /// After so many matches it is started afresh all the same.
    pub restart_after: Option<u32>,
}

/// A bot of a plan.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct PlannedBot {
    /// Its name, unique in the plan.
    pub name: String,
    /// The words of its command line.
    pub command: Vec<String>,
    /// Its working folder, relative to the plan's.
    #[serde(rename = "dir", skip_serializing_if = "Option::is_none")]
    pub folder: Option<PathBuf>,
    /// Variables of its environment.
    #[serde(rename = "env", default, skip_serializing_if = "BTreeMap::is_empty")]
    pub environment: BTreeMap<String, String>,
    /// The command that builds it, run in the plan's folder.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub build: Vec<String>,
}

/// The plan as JSON: its fields in the order of the configuration.
#[derive(Serialize, JsonSchema)]
struct PlanJson<'a> {
    #[serde(skip_serializing_if = "Option::is_none")]
    name: Option<&'a str>,
    format: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    gauntlet: Option<usize>,
    openings: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    count: Option<u64>,
    repeat: u64,
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
    sprt: Option<&'a str>,
    r#match: MatchJson<'a>,
    bots: &'a [PlannedBot],
}

#[derive(Serialize, JsonSchema)]
struct MatchJson<'a> {
    rules: &'a Ruleset,
    limits: &'a Terms,
    #[serde(skip_serializing_if = "<[String]>::is_empty")]
    env: &'a [String],
}

impl JsonSchema for Plan {
    fn schema_name() -> Cow<'static, str> {
        "Plan".into()
    }

    fn json_schema(generator: &mut SchemaGenerator) -> Schema {
        PlanJson::json_schema(generator)
    }
}

impl Plan {
    /// The order of its matches.
    ///
    /// # Errors
    ///
    /// When its bots cannot be paired so, or there are too many matches.
    pub fn schedule(&self) -> Result<Schedule, NoSchedule> {
        Schedule::new(self.pairings, self.bots.len(), self.count, self.repeat)
    }

    /// The paths in it.
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

    /// What the tournament is known by. A larger count of openings is the same tournament.
    #[must_use]
    pub fn id(&self) -> Digest {
        Digest::of(self.compact(None).as_bytes())
    }

    /// The plan as a tournament's file says it.
    #[must_use]
    pub fn json(&self) -> String {
        self.compact(Some(self.count))
    }

    fn compact(&self, count: Option<u64>) -> String {
        let json = PlanJson {
            name: self.name.as_deref(),
            format: self.pairings.as_str(),
            gauntlet: match self.pairings {
                Pairings::Gauntlet { first } => Some(first),
                Pairings::RoundRobin | Pairings::Swiss => None,
            },
            openings: self.openings.to_string(),
            count,
            repeat: self.repeat,
            seed: self.seed,
            disqualify_after: self.disqualify_after,
            reuse_bots: self.reuse_bots.map(|_| true),
            restart_after: self.reuse_bots.and_then(|reuse| reuse.restart_after),
            anonymous: self.anonymous.then_some(true),
            check: self.check.then_some(true),
            sprt: self.sprt.as_deref(),
            r#match: MatchJson {
                rules: &self.rules,
                limits: &self.terms,
                env: &self.terms.keeping.environment,
            },
            bots: &self.bots,
        };
        serde_json::to_string(&json).expect("a plan is always JSON")
    }

    /// The first difference between this plan and the one that a file holds, in words; none when
    /// they are the same tournament. Another count of openings is no difference.
    #[must_use]
    pub fn difference(&self, file: &str) -> Option<String> {
        let ours: Value = serde_json::from_str(&self.json()).unwrap_or(Value::Null);
        let theirs: Value = serde_json::from_str(file).unwrap_or(Value::Null);
        difference("", &theirs, &ours)
    }
}

fn difference(place: &str, file: &Value, here: &Value) -> Option<String> {
    match (file, here) {
        (Value::Object(one), Value::Object(other)) => {
            let keys: std::collections::BTreeSet<&String> =
                one.keys().chain(other.keys()).collect();
            keys.into_iter().filter(|key| !(place.is_empty() && *key == "count")).find_map(|key| {
                let place = if place.is_empty() { key.clone() } else { format!("{place}.{key}") };
                let (one, other) = (one.get(key), other.get(key));
                difference(&place, one.unwrap_or(&Value::Null), other.unwrap_or(&Value::Null))
            })
        }
        (Value::Array(one), Value::Array(other)) if one.len() == other.len() => {
            let mut pairs = (1..).zip(one.iter().zip(other));
            pairs.find_map(|(index, (one, other))| match one["name"].as_str() {
                // A bot by its name, and not by its place in the list.
                Some(name) if place == "bots" => {
                    let what = difference("", one, other)?;
                    Some(format!("bot \"{}\", {what}", crate::text::printable(name)))
                }
                _ => difference(&format!("{place}[{index}]"), one, other),
            })
        }
        (Value::Array(one), Value::Array(other)) => {
            Some(format!("{place}: {} in the file, {} here", one.len(), other.len()))
        }
        _ if file == here => None,
        _ => {
            let shown = |value: &Value| match value {
                Value::Null => "nothing".to_owned(),
                value => crate::text::quoted(value.to_string().as_bytes()),
            };
            Some(format!("{place}: {} in the file, {} here", shown(file), shown(here)))
        }
    }
}

impl Pairings {
    /// The word for it in a configuration.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Pairings::RoundRobin => "round-robin",
            Pairings::Gauntlet { .. } => "gauntlet",
            Pairings::Swiss => "swiss",
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn plan() -> Plan {
        let bot = |name: &str| PlannedBot {
            name: name.to_owned(),
            command: vec![format!("./{name}")],
            folder: None,
            environment: BTreeMap::new(),
            build: Vec::new(),
        };
        Plan {
            name: None,
            pairings: Pairings::RoundRobin,
            openings: Suite::Random { plies: 4 },
            count: 20,
            repeat: 1,
            seed: 1,
            disqualify_after: None,
            reuse_bots: None,
            anonymous: false,
            check: false,
            sprt: None,
            rules: Ruleset::default(),
            terms: Terms::default(),
            bots: ["a", "b", "c"].map(bot).to_vec(),
        }
    }

    #[test]
    fn an_identity_is_of_what_changes_results_and_of_nothing_else() {
        let same = Plan { count: 40, ..plan() };
        assert_eq!(same.id(), plan().id());
        assert_eq!(same.difference(&plan().json()), None);
        let mut bots = plan().bots;
        bots[1].command.push("--fast".to_owned());
        let others = [
            (Plan { seed: 2, ..plan() }, "seed: 1 in the file, 2 here"),
            (Plan { repeat: 3, ..plan() }, "repeat: 1 in the file, 3 here"),
            (Plan { pairings: Pairings::Swiss, ..plan() }, "format: \"round-robin\" in the file"),
            (Plan { disqualify_after: Some(3), ..plan() }, "disqualify_after: nothing in the file"),
            (Plan { check: true, ..plan() }, "check: nothing in the file, true here"),
            (Plan { anonymous: true, ..plan() }, "anonymous: nothing in the file, true here"),
            (Plan { bots, ..plan() }, "bot \"b\", command: 1 in the file, 2 here"),
            (Plan { bots: plan().bots[..2].to_vec(), ..plan() }, "bots: 3 in the file, 2 here"),
        ];
        for (other, words) in others {
            assert_ne!(other.id(), plan().id());
            let difference = other.difference(&plan().json()).unwrap();
            assert!(difference.starts_with(words), "{difference}");
        }
    }

    #[test]
    fn the_identity_of_a_plan_is_the_beginning_of_the_hash_of_its_json() {
        let json = r#"{"format":"round-robin","openings":"random:4","repeat":1,"seed":1,"match":{"rules":"#;
        assert!(plan().compact(None).starts_with(json), "{}", plan().compact(None));
        assert_eq!(plan().id(), Digest::of(plan().compact(None).as_bytes()));
    }
}
