//! How a plan differs from that of a file, in words.

use std::collections::{BTreeMap, HashMap};
use std::fmt;

use serde_json::Value;

use super::{Plan, PlanFields};
use crate::PlannedBot;
use crate::record::Digest;
use crate::text::{and_listed, printable};

/// The first difference between a plan and that of a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PlanDifference {
    /// Where in the plan it is: `seed`, `match.rules.name`.
    pub key: String,
    /// The value in the file; null if there is none. Of lists of bots that differ in length, this is
    /// the length.
    pub file: Value,
    /// The same of the plan here.
    pub here: Value,
}

impl PlanDifference {
    /// The key of the sandbox. Its value is null without sandbox.
    pub const SANDBOX: &str = "match.limits.sandbox";
}

impl fmt::Display for PlanDifference {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let is_switched = self.file.is_null() != self.here.is_null();
        let shown = |value: &Value| match value {
            Value::Null => "nothing".to_owned(),
            value => crate::text::quoted(value.to_string().as_bytes()),
        };
        let on_or_off = |value: &Value| if value.is_null() { "off" } else { "on" }.to_owned();
        let (key, [file, here]) = match &*self.key {
            PlanDifference::SANDBOX if is_switched => {
                ("sandbox", [&self.file, &self.here].map(on_or_off))
            }
            key => (key, [&self.file, &self.here].map(shown)),
        };
        write!(out, "{key}: {file} in the file, {here} here")
    }
}

impl Plan {
    /// The first difference between this plan and that of a file; `None` if they are the same
    /// tournament. The count of openings may differ, and without `with_bots` the bots may, and
    /// with them how many earlier versions are among the first of a gauntlet.
    pub fn difference(&self, file: &str, with_bots: bool) -> Option<PlanDifference> {
        let read = |text: &str| {
            let mut plan: Value = serde_json::from_str(text).unwrap_or(Value::Null);
            let fields = serde_json::from_str::<PlanFields>(text).ok().filter(|_| !with_bots);
            if let Some(plan) = plan.as_object_mut() {
                plan.remove("count");
                if !with_bots {
                    plan.remove("bots");
                }
                if let Some(first) = fields.and_then(|fields| fields.challengers()) {
                    plan.insert("gauntlet".to_owned(), first.into());
                }
            }
            plan
        };
        let [theirs, ours] = [read(file), read(&self.json())];
        difference("", &theirs, &ours)
    }

    /// How the bots of this plan differ from those of a file's plan, in words, bots with the same
    /// change together; empty if they do not.
    /// `all` are the versions that any plan of the file has.
    pub fn changes(
        &self,
        file: &str,
        before: &BTreeMap<String, Digest>,
        now: &BTreeMap<String, Digest>,
        all: &HashMap<String, Vec<Digest>>,
    ) -> Vec<String> {
        let file: PlanFields = match serde_json::from_str(file) {
            Ok(file) => file,
            Err(error) => return vec![error.to_string()],
        };
        let words = |bot: &PlannedBot| bot.command.join(" ").replace('=', " ");
        let has_other_words = |bot: &PlannedBot| {
            let mut same_name = file.bots.iter().filter(|of| of.name == bot.name);
            same_name.any(|of| words(of) != words(bot))
        };
        let mut changes = Changes::default();
        for bot in &self.bots {
            let known = all.get(&bot.name);
            let is_known =
                now.get(&bot.name).is_some_and(|now| known.is_some_and(|it| it.contains(now)));
            match before.get(&bot.name) {
                None => match (&bot.version_of, known) {
                    (Some(of), _) => {
                        let of = quoted(of);
                        let one = format!("is an earlier version of bot {of}");
                        let more = format!("are earlier versions of bot {of}");
                        changes.add(&bot.name, [one, more]);
                    }
                    (None, None) => changes.add(&bot.name, ["is new", "are new"]),
                    (None, Some(_)) if is_known => changes.add(&bot.name, ["is back", "are back"]),
                    (None, Some(_)) => {
                        changes.add(&bot.name, ["is back, changed", "are back, changed"]);
                    }
                },
                Some(version) if Some(version) != now.get(&bot.name) => {
                    let how = if is_known {
                        ["is back as it was before", "are back as they were before"]
                    } else {
                        ["has changed", "have changed"]
                    };
                    changes.add(&bot.name, how);
                }
                Some(_) if file.bots.contains(bot) => {}
                // Its version is what it plays, whatever the seed.
                Some(_) if bot.is_builtin() && has_other_words(bot) => {
                    let what = "another --seed, and the same version";
                    changes.add(&bot.name, [format!("has {what}"), format!("have {what}")]);
                }
                Some(_) => {}
            }
        }
        // An earlier version of a bot is not gone where the bot is that version again.
        let is_today = |bot: &PlannedBot| {
            let of = bot.version_of.as_ref().and_then(|of| now.get(of));
            of.is_some() && of == before.get(&bot.name)
        };
        let is_gone = |bot: &&PlannedBot| !now.contains_key(&bot.name) && !is_today(bot);
        let gone = file.bots.iter().filter(is_gone);
        gone.for_each(|bot| changes.add(&bot.name, ["is gone", "are gone"]));
        if changes.0.is_empty() {
            for bot in &self.bots {
                let Some(earlier) = file.bots.iter().find(|of| of.name == bot.name) else {
                    continue;
                };
                let what = bot.other_settings(earlier).join(" and ");
                if !what.is_empty() {
                    changes.add(&bot.name, [format!("has {what}"), format!("have {what}")]);
                }
            }
        }
        if changes.0.is_empty() && file.bots != self.bots {
            return vec!["the bots are in another order".to_owned()];
        }
        changes.in_words()
    }
}

/// Most bots that are named for one change.
const MOST_NAMED: usize = 30;

/// What has become of bots: their names, and it in words for one bot and for more.
#[derive(Default)]
struct Changes(Vec<(Vec<String>, [String; 2])>);

impl Changes {
    /// Adds a bot to those of which the same is said.
    fn add(&mut self, bot: &str, how: [impl Into<String>; 2]) {
        let how = how.map(Into::into);
        match self.0.iter_mut().find(|(_, known)| *known == how) {
            Some((bots, _)) => bots.push(quoted(bot)),
            None => self.0.push((vec![quoted(bot)], how)),
        }
    }

    /// `bot "a" is new`, `bots "b" and "c" have changed`.
    fn in_words(self) -> Vec<String> {
        let words = |(bots, [one, more]): (Vec<String>, [String; 2])| match &*bots {
            [bot] => format!("bot {bot} {one}"),
            _ => format!("bots {} {more}", and_listed(bots, MOST_NAMED)),
        };
        self.0.into_iter().map(words).collect()
    }
}

fn quoted(name: &str) -> String {
    format!("\"{}\"", printable(name))
}

/// Keys from which others follow.
const FIRST: [&str; 3] =
    ["match.rules.name", "match.limits.game_time_ms", "match.limits.move_time_ms"];

/// What the keys of a match begin with. Their lists are short.
const MATCH: &str = "match.";

fn difference(place: &str, file: &Value, here: &Value) -> Option<PlanDifference> {
    let differs =
        |file: Value, here: Value| Some(PlanDifference { key: place.to_owned(), file, here });
    match (file, here) {
        (Value::Object(one), Value::Object(other)) => {
            let keys: std::collections::BTreeSet<&String> =
                one.keys().chain(other.keys()).collect();
            let place_of = |key: &String| {
                if place.is_empty() { key.clone() } else { format!("{place}.{key}") }
            };
            let mut keys: Vec<(String, &String)> =
                keys.into_iter().map(|key| (place_of(key), key)).collect();
            keys.sort_by_key(|(place, _)| !FIRST.contains(&&**place));
            keys.into_iter().find_map(|(place, key)| {
                let (one, other) = (one.get(key), other.get(key));
                difference(&place, one.unwrap_or(&Value::Null), other.unwrap_or(&Value::Null))
            })
        }
        (Value::Array(one), Value::Array(other))
            if one.len() == other.len() && !place.starts_with(MATCH) =>
        {
            let mut pairs = (1..).zip(one.iter().zip(other));
            pairs.find_map(|(index, (one, other))| match one["name"].as_str() {
                // A bot is named, not counted.
                Some(name) if place == "bots" => {
                    let found = difference("", one, other)?;
                    let key = format!("bot \"{}\", {}", printable(name), found.key);
                    Some(PlanDifference { key, ..found })
                }
                _ => difference(&format!("{place}[{index}]"), one, other),
            })
        }
        (Value::Array(one), Value::Array(other)) if !place.starts_with(MATCH) => {
            differs(one.len().into(), other.len().into())
        }
        _ if file == here => None,
        _ => differs(file.clone(), here.clone()),
    }
}
