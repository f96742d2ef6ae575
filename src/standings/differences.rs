//! What matches that are added up differ in: rules, terms, the program behind a name.

use mancala_game::words;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::contest::MatchConditions;
use crate::record::{Restraints, Terms};
use crate::rules::Ruleset;

/// What matches may differ in only if the user says so.
#[derive(
    Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema,
)]
#[serde(rename_all = "snake_case")]
pub enum Mergeable {
    /// The rules of play.
    Rules,
    /// Times, margin, move limit, fault policy and adjudication.
    Terms,
    /// The command behind a bot's name.
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

/// A value and where it was seen first.
#[derive(Clone, Debug)]
struct Variant<T> {
    value: T,
    place: LinePlace,
}

/// The first variant of something, and the first one that differs from it.
#[derive(Clone, Debug)]
struct Variants<T> {
    /// The text of the last one, so that equal ones need not be parsed.
    text: String,
    first: Option<Variant<T>>,
    other: Option<Variant<T>>,
}

impl<T> Default for Variants<T> {
    fn default() -> Variants<T> {
        Variants { text: String::new(), first: None, other: None }
    }
}

impl<T: PartialEq> Variants<T> {
    fn add(&mut self, value: T, place: LinePlace) {
        match &self.first {
            None => self.first = Some(Variant { value, place }),
            Some(first) if first.value == value => {}
            Some(_) => {
                self.other.get_or_insert(Variant { value, place });
            }
        }
    }

    /// The two that differ.
    fn differing(&self) -> Option<[&Variant<T>; 2]> {
        Some([self.first.as_ref()?, self.other.as_ref()?])
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
    rules: Variants<Ruleset>,
    terms: Variants<Terms>,
    limits: Variants<Restraints>,
    /// The command of each bot, by its number.
    commands: Vec<Variants<Vec<String>>>,
}

impl Differences {
    /// Takes the conditions of a match; `bots` are the numbers of its bots in the order of its
    /// commands.
    ///
    /// # Errors
    ///
    /// When rules, limits or commands are not those of a record.
    pub(super) fn add(
        &mut self,
        conditions: &MatchConditions<'_>,
        bots: [u32; 2],
        place: LinePlace,
    ) -> serde_json::Result<()> {
        let MatchConditions { rules, limits, commands } = conditions;
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
        for (bot, command) in bots.into_iter().zip(commands) {
            let bot = bot as usize;
            if self.commands.len() <= bot {
                self.commands.resize_with(bot + 1, Variants::default);
            }
            if self.commands[bot].text != command.get() {
                self.commands[bot].add(version(serde_json::from_str(command.get())?), place);
                command.get().clone_into(&mut self.commands[bot].text);
            }
        }
        Ok(())
    }

    /// Forgets the bots' commands, which may name their authors.
    pub(super) fn forget_commands(&mut self) {
        self.commands.clear();
    }

    /// The rules that differ.
    pub(super) fn rules(&self) -> Option<Difference> {
        difference_in_fields(&self.rules)
    }

    /// The terms that differ: what a bot was held to, but for what limits its use of the machine.
    pub(super) fn terms(&self) -> Option<Difference> {
        difference_in_fields(&self.terms)
    }

    /// The limits on the use of the machine that differ.
    pub(super) fn limits(&self) -> Option<Difference> {
        difference_in_fields(&self.limits)
    }

    /// The numbers of bots whose name stands for two programs, and the commands of both.
    pub(super) fn versions(&self) -> impl Iterator<Item = (u32, Difference)> {
        (0..).zip(&self.commands).filter_map(|(bot, commands)| {
            let both = commands.differing()?;
            let [one, other] = both.map(|of| shell_words::join(&of.value));
            let how = format!("`{one}` and `{other}`");
            Some((bot, Difference { how, places: both.map(|of| of.place) }))
        })
    }
}

/// A command without what makes no other program of it: a built-in bot's `--seed`.
fn version(mut command: Vec<String>) -> Vec<String> {
    if command.first().is_some_and(|program| program.starts_with("builtin:")) {
        command.retain(|word| !word.starts_with("--seed="));
        if let Some(at) = command.iter().position(|word| word == "--seed") {
            command.drain(at..command.len().min(at + 2));
        }
    }
    command
}

fn difference_in_fields<T: PartialEq + Serialize>(variants: &Variants<T>) -> Option<Difference> {
    const MOST: usize = 3;
    let both = variants.differing()?;
    let mut fields = [Vec::new(), Vec::new()];
    for (fields, of) in fields.iter_mut().zip(both) {
        let value = serde_json::to_value(&of.value).unwrap_or(Value::Null);
        flatten("", &value, fields);
    }
    let [one, other] = fields;
    let find = |fields: &[(String, String)], name: &str| {
        let found = fields.iter().find(|(field, _)| field == name);
        found.map_or_else(|| "none".to_owned(), |(_, value)| value.clone())
    };
    let missing = other.iter().filter(|(name, _)| !one.iter().any(|(field, _)| field == name));
    let mut names: Vec<&String> = one.iter().chain(missing).map(|(name, _)| name).collect();
    // The name of the rules says most.
    names.sort_by_key(|name| *name != "name");
    let differing: Vec<String> = names
        .into_iter()
        .map(|name| (name, find(&one, name), find(&other, name)))
        .filter(|(_, one, other)| one != other)
        .map(|(name, one, other)| format!("{name} {one} and {other}"))
        .collect();
    let more = differing.len().saturating_sub(MOST);
    let mut how = differing[..differing.len().min(MOST)].join(", ");
    if more > 0 {
        how += &format!(" and {more} more");
    }
    Some(Difference { how, places: both.map(|of| of.place) })
}

/// The fields of an object with the objects in it, each with its value.
fn flatten(name: &str, value: &Value, fields: &mut Vec<(String, String)>) {
    match value {
        Value::Object(object) => {
            let begin = if name.is_empty() { String::new() } else { format!("{name}.") };
            object.iter().for_each(|(key, value)| flatten(&format!("{begin}{key}"), value, fields));
        }
        Value::String(text) => fields.push((name.to_owned(), text.clone())),
        value => fields.push((name.to_owned(), value.to_string())),
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
            let conditions =
                MatchConditions { rules: &rules, limits: &limits, commands: [&command, &other] };
            differences.add(&conditions, [1, 0], (0, line)).unwrap();
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
        assert_eq!((found.rules(), found.terms(), found.limits()), (None, None, None));
        assert_eq!(found.versions().next(), None);
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
        assert_eq!(how(found.rules()), "name learneroo and kalah, seeds 3 and 4");
        assert_eq!(how(found.terms()), "move_time_ms 1000 and 2000");
        assert_eq!(how(found.limits()), "resources.memory_bytes none and 5");
        let versions: Vec<_> = found.versions().collect();
        let how = "`'./a b' --seed 1` and `'./a b' --seed 2`".to_owned();
        assert_eq!(versions, [(1, Difference { how, places })]);
    }
}
