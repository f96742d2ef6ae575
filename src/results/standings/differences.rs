//! What matches that are added up differ in: rules, terms, the program behind a name.

use std::collections::btree_map::Entry;
use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};

use mancala_game::words;
use schemars::JsonSchema;
use serde::Serialize;
use serde_json::Value;

use super::numbered::grown;
use crate::contest::{MatchConditions, without_seed};
use crate::record::{Digest, Restraints, Terms};
use crate::rules::Ruleset;
use crate::text::and_more;

/// What matches may differ in only if the user says so.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Mergeable {
    /// The rules of play.
    Rules,
    /// Times, margin, move limit, fault policy and adjudication.
    Terms,
    /// What is behind a bot's name.
    Versions,
}

words!(
    Mergeable,
    "rules, terms or versions",
    Rules = "rules",
    Terms = "terms",
    Versions = "versions"
);

/// The number of a file, and a line in it.
pub(super) type LinePlace = (usize, u64);

/// The first variant of something and the first one that differs from it, each with the place where
/// it was seen first.
#[derive(Clone, Debug, Default)]
pub(super) struct Variants<T> {
    /// The text of the last one, so that equal ones need not be parsed.
    text: String,
    seen: Vec<(T, LinePlace)>,
    /// Whether there are more, which differ from both.
    pub(super) has_more: bool,
}

impl<T: PartialEq> Variants<T> {
    fn add(&mut self, value: T, place: LinePlace) {
        if self.seen.iter().any(|(seen, _)| *seen == value) {
            return;
        }
        self.has_more = self.seen.len() == 2;
        if !self.has_more {
            self.seen.push((value, place));
        }
    }

    /// The difference between the two; `in_words` is given both.
    fn differing(&self, in_words: impl Fn([&T; 2]) -> String) -> Option<Difference> {
        let [(one, place), (other, other_place)] = &self.seen[..] else { return None };
        Some(Difference { how: in_words([one, other]), places: [*place, *other_place] })
    }
}

impl<T: PartialEq + Serialize> Variants<T> {
    /// The fields that differ; `None` if there is one variant.
    pub(super) fn difference(&self) -> Option<Difference> {
        self.differing(differing_fields)
    }
}

/// A difference in words, and where both sides were seen.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Difference {
    pub(super) how: String,
    pub(super) places: [LinePlace; 2],
}

/// What was seen of the conditions of all matches.
#[derive(Clone, Debug, Default)]
pub(super) struct Differences {
    pub(super) rules: Variants<Ruleset>,
    /// What bots were held to, but for what limits their use of the machine.
    pub(super) terms: Variants<Terms>,
    /// The limits on the use of the machine.
    pub(super) limits: Variants<Restraints>,
    /// The commands of each bot in records without versions, by its number.
    commands: Vec<Variants<Vec<String>>>,
    /// Each version of each bot, by its number: its command and where it was seen first.
    programs: BTreeMap<(u32, Digest), (Vec<String>, LinePlace)>,
    /// The same of versions that were disqualified, maybe before they played.
    disqualified: BTreeMap<(u32, Digest), (Vec<String>, LinePlace)>,
}

/// The versions of bots that are added up.
#[derive(Clone, Debug, Default)]
pub(super) struct UsedVersions {
    /// Those of matches that count, each with the first place of such a match; `None` if all
    /// matches do.
    pub(super) played: Option<HashMap<(u32, Digest), LinePlace>>,
    pub(super) disqualified: HashSet<(u32, Digest)>,
}

impl Differences {
    /// Takes the conditions of a match; `programs` are the numbers of its bots and their versions, in
    /// the order of its commands.
    ///
    /// # Errors
    ///
    /// When rules, limits or commands are not those of a record.
    pub(super) fn add(
        &mut self,
        conditions: &MatchConditions<'_>,
        programs: [(u32, Option<Digest>); 2],
        place: LinePlace,
    ) -> serde_json::Result<()> {
        let MatchConditions { rules, limits, commands, .. } = conditions;
        if self.rules.text != rules.get() {
            self.rules.add(serde_json::from_str(rules.get())?, place);
            rules.get().clone_into(&mut self.rules.text);
        }
        if self.terms.text != limits.get() {
            let terms: Terms = serde_json::from_str(limits.get())?;
            self.limits.add(terms.keeping.clone(), place);
            self.terms.add(Terms { keeping: Restraints::default(), ..terms }, place);
            limits.get().clone_into(&mut self.terms.text);
        }
        for ((bot, version), command) in programs.into_iter().zip(commands) {
            if let Some(version) = version {
                if let Entry::Vacant(program) = self.programs.entry((bot, version)) {
                    program.insert((serde_json::from_str(command.get())?, place));
                }
                continue;
            }
            let commands = grown(&mut self.commands, bot);
            if commands.text != command.get() {
                commands.add(without_seed(serde_json::from_str(command.get())?), place);
                command.get().clone_into(&mut commands.text);
            }
        }
        Ok(())
    }

    /// Takes a version of a bot that was disqualified, with its command.
    pub(super) fn add_disqualified(
        &mut self,
        program: (u32, Digest),
        command: &[String],
        place: LinePlace,
    ) {
        self.disqualified.entry(program).or_insert_with(|| (command.to_vec(), place));
    }

    /// The bots and versions that were disqualified at some time.
    pub(super) fn disqualified(&self) -> impl Iterator<Item = (u32, Digest)> {
        self.disqualified.keys().copied()
    }

    /// The bots and versions whose matches are in `used`; none once they are forgotten.
    pub(super) fn played(&self, used: &UsedVersions) -> BTreeSet<(u32, Digest)> {
        match &used.played {
            // An update may have given a version another name than that of its records.
            Some(played) if !self.programs.is_empty() => played.keys().copied().collect(),
            Some(_) => BTreeSet::new(),
            None => self.programs.keys().copied().collect(),
        }
    }

    /// Forgets the bots' commands and versions, which may tell who made them.
    pub(super) fn forget_commands(&mut self) {
        self.commands.clear();
        self.programs.clear();
        self.disqualified.clear();
    }

    /// The numbers of bots whose name stands for two programs, and what is known of both. Versions
    /// are compared, and commands where a record has no version. Only versions in `used` count.
    pub(super) fn versions(&self, used: &UsedVersions) -> impl Iterator<Item = (u32, Difference)> {
        let last = self.programs.last_key_value().map_or(0, |((bot, _), _)| bot + 1);
        let bots = last.max(u32::try_from(self.commands.len()).unwrap_or(u32::MAX));
        (0..bots).filter_map(move |bot| Some((bot, self.versions_of(bot, used)?)))
    }

    fn versions_of(&self, bot: u32, used: &UsedVersions) -> Option<Difference> {
        let of_bot = || (bot, Digest::default())..(bot + 1, Digest::default());
        let played = self.programs.range(of_bot()).filter_map(|(program, (command, first))| {
            // A match that does not count, in a file that went on since, clashes with none.
            let place = used.played.as_ref().map_or(Some(first), |used| used.get(program))?;
            Some((program, (command, *place)))
        });
        let mut programs: BTreeMap<_, _> = played.collect();
        // Without a match nothing is added up.
        if !programs.is_empty() {
            let disqualified = self.disqualified.range(of_bot());
            let disqualified = disqualified.filter(|(it, _)| used.disqualified.contains(it));
            for (program, (command, place)) in disqualified {
                programs.entry(program).or_insert((command, *place));
            }
        }
        let mut programs: Vec<_> = programs.into_iter().collect();
        programs.sort_by_key(|(_, (_, place))| *place);
        let commands = self.commands.get(bot as usize);
        let unversioned = commands.and_then(|commands| commands.seen.first());
        match (&programs[..], unversioned) {
            ([one, other, ..], _) => {
                let words = [one, other].map(|((_, version), (command, _))| {
                    format!("version {version} (`{}`)", shell_words::join(*command))
                });
                Some(Difference { how: words.join(" and "), places: [one.1.1, other.1.1] })
            }
            ([(_, (command, place))], Some((other, other_place)))
                if without_seed((*command).clone()) != *other =>
            {
                let how = both_commands([other, command]);
                Some(Difference { how, places: [*other_place, *place] })
            }
            _ => commands?.differing(both_commands),
        }
    }
}

fn both_commands([one, other]: [&Vec<String>; 2]) -> String {
    format!("`{}` and `{}`", shell_words::join(one), shell_words::join(other))
}

/// `seeds 3 and 4, direction forward and backward`: the first of the fields that differ.
fn differing_fields<T: Serialize>(both: [&T; 2]) -> String {
    const MOST: usize = 3;
    let [one, other] = both.map(|value| {
        let mut fields = BTreeMap::new();
        flatten(String::new(), serde_json::to_value(value).unwrap_or_default(), &mut fields);
        fields
    });
    let mut names: Vec<&String> = one.keys().chain(other.keys()).collect();
    // The name of the rules says most.
    names.sort_unstable_by_key(|name| (*name != "name", *name));
    names.dedup();
    let value = |fields: &BTreeMap<String, String>, name: &str| {
        fields.get(name).cloned().unwrap_or_else(|| "none".to_owned())
    };
    let mut differing = names.into_iter().filter(|name| one.get(*name) != other.get(*name));
    let shown: Vec<String> = differing
        .by_ref()
        .take(MOST)
        .map(|name| format!("{name} {} and {}", value(&one, name), value(&other, name)))
        .collect();
    shown.join(", ") + &and_more(differing.count())
}

/// The fields of an object with the objects in it, each with its value.
fn flatten(name: String, value: Value, fields: &mut BTreeMap<String, String>) {
    match value {
        Value::Object(object) => {
            let begin = if name.is_empty() { name } else { name + "." };
            object.into_iter().for_each(|(key, value)| {
                flatten(format!("{begin}{key}"), value, fields);
            });
        }
        Value::String(text) => drop(fields.insert(name, text)),
        value => drop(fields.insert(name, value.to_string())),
    }
}

#[cfg(test)]
mod tests {
    use serde_json::value::RawValue;

    use super::*;

    fn raw(json: &str) -> Box<RawValue> {
        RawValue::from_string(json.to_owned()).unwrap()
    }

    const RULES: &str = r#"{"name":"learneroo","seeds":3,"opponent_store":"sow","direction":"forward","empty_capture":true}"#;

    fn seen(matches: &[(&str, &str, &str)]) -> Differences {
        let mut differences = Differences::default();
        for (line, (rules, limits, command)) in (1..).zip(matches) {
            let (rules, limits, command) = (raw(rules), raw(limits), raw(command));
            let other = raw(r#"["other"]"#);
            let commands = [&*command, &*other];
            let opening = (&*rules, None);
            let (rules, limits, started) = (&*rules, &*limits, None);
            let conditions = MatchConditions { rules, limits, commands, opening, started };
            differences.add(&conditions, [(1, None), (0, None)], (0, line)).unwrap();
        }
        differences
    }

    #[test]
    fn the_same_in_other_words_is_no_difference() {
        let spaced = RULES.replace(':', " : ");
        let found = seen(&[
            (RULES, r#"{"move_time_ms":1000}"#, r#"["builtin:easy","--seed","1"]"#),
            (&spaced, r#"{"max_moves":1000,"move_time_ms":1000}"#, r#"["builtin:easy"]"#),
            (RULES, r#"{"move_time_ms":1000}"#, r#"["builtin:easy","--seed=7"]"#),
        ]);
        assert_eq!(
            (found.rules.difference(), found.terms.difference(), found.limits.difference()),
            (None, None, None)
        );
        assert_eq!(found.versions(&UsedVersions::default()).next(), None);
    }

    #[test]
    fn differences_are_in_words() {
        let kalah = RULES.replace("learneroo", "kalah").replace(":3", ":4");
        let limits = r#"{"move_time_ms":2000,"resources":{"memory_bytes":5}}"#;
        let found = seen(&[
            (RULES, r#"{"move_time_ms":1000}"#, r#"["./a b","--seed","1"]"#),
            (&kalah, limits, r#"["./a b","--seed","2"]"#),
        ]);
        let places = [(0, 1), (0, 2)];
        let how = |found: Option<Difference>| {
            let found = found.unwrap();
            assert_eq!(found.places, places);
            found.how
        };
        assert_eq!(how(found.rules.difference()), "name learneroo and kalah, seeds 3 and 4");
        assert_eq!(how(found.terms.difference()), "move_time_ms 1000 and 2000");
        assert_eq!(how(found.limits.difference()), "resources.memory_bytes none and 5");
        let versions: Vec<_> = found.versions(&UsedVersions::default()).collect();
        let how = "`'./a b' --seed 1` and `'./a b' --seed 2`".to_owned();
        assert_eq!(versions, [(1, Difference { how, places })]);
    }
}
