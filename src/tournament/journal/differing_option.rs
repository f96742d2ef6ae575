//! How a plan differs from that of a file, in the words of the command line or of the configuration:
//! which option or key, and what to give to go on.

use std::time::Duration;

use serde_json::Value;

use crate::contest::PlanDifference;
use crate::text::{bytes, printable, quoted};
use crate::tournament::config::KeyPlaces;

/// How the value of an option is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Shape {
    /// The option stands without a value.
    Flag,
    Plain,
    Milliseconds,
    Bytes,
    YesOrNo,
    /// The words of a command line.
    Words,
    /// The option stands once for each item.
    Each,
    /// The value names the option.
    Format,
}

/// A key of the plan, its option, how its value is written, and the value where the key is missing;
/// empty if the option is left out then.
type PlanOption = (&'static str, &'static str, Shape, &'static str);

const OPTIONS: [PlanOption; 34] = [
    ("name", "--name", Shape::Plain, ""),
    ("format", "", Shape::Format, ""),
    ("gauntlet", "--gauntlet", Shape::Plain, ""),
    ("openings", "--openings", Shape::Plain, ""),
    ("repeat", "--repeat", Shape::Plain, ""),
    ("seed", "--seed", Shape::Plain, ""),
    ("disqualify_after", "--disqualify-after", Shape::Plain, ""),
    ("reuse_bots", "--reuse-bots", Shape::Flag, ""),
    ("restart_after", "--restart-after", Shape::Plain, ""),
    ("anonymous", "--anonymous", Shape::Flag, ""),
    ("check", "--check", Shape::Flag, ""),
    ("sprt", "--sprt", Shape::Plain, ""),
    ("match.rules.name", "--rules", Shape::Plain, ""),
    ("match.rules.seeds", "--seeds", Shape::Plain, ""),
    ("match.rules.opponent_store", "--opponent-store", Shape::Plain, ""),
    ("match.rules.direction", "--direction", Shape::Plain, ""),
    ("match.rules.empty_capture", "--empty-capture", Shape::YesOrNo, ""),
    ("match.limits.move_time_ms", "--move-time", Shape::Milliseconds, ""),
    ("match.limits.start_time_ms", "--start-time", Shape::Milliseconds, ""),
    ("match.limits.game_time_ms", "--game-time", Shape::Milliseconds, ""),
    ("match.limits.margin_ms", "--margin", Shape::Milliseconds, ""),
    ("match.limits.max_moves", "--max-moves", Shape::Plain, ""),
    ("match.limits.fault_policy", "--fault-policy", Shape::Plain, "forfeit"),
    ("match.limits.max_faults", "--max-faults", Shape::Plain, ""),
    ("match.limits.resources.memory_bytes", "--memory", Shape::Bytes, "none"),
    ("match.limits.resources.processes", "--processes", Shape::Plain, "none"),
    ("match.limits.resources.file_size_bytes", "--file-size", Shape::Bytes, "none"),
    ("match.limits.resources.cpu_time_ms", "--cpu-time", Shape::Milliseconds, "none"),
    ("match.limits.sandbox.read", "--allow-read", Shape::Each, ""),
    ("match.limits.sandbox.write", "--allow-write", Shape::Each, ""),
    ("match.limits.sandbox.loopback", "--allow-loopback", Shape::Flag, ""),
    ("match.limits.wrap", "--wrap", Shape::Words, ""),
    ("match.limits.ponder", "--ponder", Shape::Plain, "allow"),
    ("match.limits.adjudicate", "--adjudicate", Shape::Plain, "none"),
];

/// `match.env` is the one key that is beside the limits.
const ENV: PlanOption = ("match.env", "--env", Shape::Each, "");

fn option_of(key: &str) -> Option<&'static PlanOption> {
    OPTIONS.iter().chain([&ENV]).find(|(known, ..)| *known == key)
}

/// A value as the option takes it; `None` where the option is left out.
fn written((_, _, shape, missing): &PlanOption, value: &Value) -> Option<String> {
    let words = || value.as_array().into_iter().flatten().filter_map(Value::as_str);
    Some(match (shape, value) {
        (_, Value::Null) if missing.is_empty() => return None,
        (_, Value::Null) => (*missing).to_owned(),
        (Shape::Flag, value) => return (value == true).then(String::new),
        (Shape::YesOrNo, value) => if value == true { "yes" } else { "no" }.to_owned(),
        (Shape::Milliseconds, value) => {
            let time = Duration::from_millis(value.as_u64()?);
            humantime::format_duration(time).to_string().replace(' ', "")
        }
        (Shape::Bytes, value) => bytes(value.as_u64()?),
        (Shape::Words | Shape::Each, _) if words().next().is_none() => return None,
        (Shape::Words, _) => shell_words::join(words()),
        (Shape::Each, _) => words().collect::<Vec<_>>().join(", "),
        (Shape::Plain | Shape::Format, Value::String(text)) => text.clone(),
        (Shape::Plain | Shape::Format, value) => value.to_string(),
    })
}

/// The key of a configuration that says the same as an option.
fn key_of((_, name, shape, _): &PlanOption) -> String {
    if *shape == Shape::Format {
        return "format".to_owned();
    }
    name.trim_start_matches('-').replace('-', "_")
}

/// The difference: `--seed: 1 in the file, 2 here`.
pub(super) fn difference_in_words(difference: &PlanDifference, keys: &KeyPlaces) -> String {
    let PlanDifference { key, file, here } = difference;
    let Some(option) = option_of(key) else { return difference.to_string() };
    let (_, name, shape, _) = *option;
    let shown = |value: &Value| match (shape, written(option, value)) {
        (Shape::Flag, written) => if written.is_some() { "on" } else { "off" }.to_owned(),
        (_, Some(value)) => quoted(value.as_bytes()),
        (_, None) => "nothing".to_owned(),
    };
    let of_config = key_of(option);
    let is_key = shape == Shape::Format || keys.contains_key(&of_config);
    let name = if is_key { &of_config } else { name };
    format!("{name}: {} in the file, {} here", shown(file), shown(here))
}

/// How to go on with a tournament from which this command's differs so: what to change in the
/// configuration where that says it, else the option with which it was begun.
pub(super) fn way_to_resume(difference: &PlanDifference, keys: &KeyPlaces) -> String {
    let PlanDifference { key, file, .. } = difference;
    if key == PlanDifference::SANDBOX
        && let Some(place) = keys.get("sandbox")
    {
        return format!("{place}: write sandbox = {}", !file.is_null());
    }
    let of_config = option_of(key).and_then(|option| {
        let key = key_of(option);
        Some((option, keys.get(&key)?, key))
    });
    let Some((option, place, key)) = of_config else { return options_to_resume(difference) };
    let value = match (option.2, written(option, file)) {
        (_, None) => return format!("{place}: take {key} out"),
        (Shape::Flag | Shape::YesOrNo, _) => (file == true).to_string(),
        (Shape::Each, _) => file.to_string(),
        (Shape::Plain, Some(_)) if file.is_number() => file.to_string(),
        (_, Some(value)) => format!("{:?}", printable(&value)),
    };
    format!("{place}: write {key} = {value}")
}

/// How to go on with a tournament from which this command's differs so: the option with which it was
/// begun.
fn options_to_resume(difference: &PlanDifference) -> String {
    let PlanDifference { key, file, here } = difference;
    if key == PlanDifference::SANDBOX && file.is_null() {
        return "it was played without the sandbox: add --no-sandbox, or leave --sandbox out"
            .to_owned();
    }
    if key == PlanDifference::SANDBOX && here.is_null() {
        return "it was played in the sandbox: leave --no-sandbox out, or add --sandbox".to_owned();
    }
    // Older files may have none of these limits.
    if key == "match.limits.resources" && file.is_null() {
        return "it was begun with --memory none --processes none --file-size none --cpu-time none: \
                give that again"
            .to_owned();
    }
    let Some(option) = option_of(key) else { return "resume it as it was".to_owned() };
    let (_, name, shape, _) = *option;
    let Some(value) = written(option, file) else {
        return format!("it was begun without {name}: leave it out");
    };
    let quoted = |value: &str| printable(&shell_words::quote(value));
    let given = match shape {
        Shape::Flag => return format!("it was begun with {name}: add it"),
        Shape::Format => format!("--{value}"),
        Shape::Each => {
            let each = file.as_array().into_iter().flatten().filter_map(Value::as_str);
            let each: Vec<String> = each.map(|item| format!("{name} {}", quoted(item))).collect();
            each.join(" ")
        }
        _ if name == "--gauntlet" => format!("{name}={value}"),
        _ => format!("{name} {}", quoted(&value)),
    };
    format!("it was begun with {given}: give that again")
}

#[cfg(test)]
mod tests {
    use std::num::NonZeroU32;

    use serde_json::json;

    use super::*;
    use crate::contest::{Pairings, Plan, PlanFields, Reuse};
    use crate::record::{FaultPolicy, Ponder, Sandbox};
    use crate::rules::Adjudication;

    fn difference(key: &str, file: Value, here: Value) -> PlanDifference {
        PlanDifference { key: key.to_owned(), file, here }
    }

    #[test]
    fn an_option_that_is_missing_is_named() {
        let sandbox = json!({"read": [], "write": []});
        let given_again = |given: &str| format!("it was begun with {given}: give that again");
        for (key, file, here, words) in [
            ("check", json!(true), Value::Null, "it was begun with --check: add it".to_owned()),
            (
                "reuse_bots",
                Value::Null,
                json!(true),
                "it was begun without --reuse-bots: leave it out".to_owned(),
            ),
            ("seed", json!(7), json!(1), given_again("--seed 7")),
            ("format", json!("swiss"), json!("round-robin"), given_again("--swiss")),
            ("gauntlet", json!(2), json!(1), given_again("--gauntlet=2")),
            ("openings", json!("random:4"), json!("standard"), given_again("--openings random:4")),
            (
                "openings",
                json!("file:my o/in the file, f.txt"),
                json!("standard"),
                given_again("--openings 'file:my o/in the file, f.txt'"),
            ),
            ("disqualify_after", json!(3), Value::Null, given_again("--disqualify-after 3")),
            ("match.rules.name", json!("kalah"), json!("cs221"), given_again("--rules kalah")),
            (
                "match.rules.empty_capture",
                json!(false),
                json!(true),
                given_again("--empty-capture no"),
            ),
            (
                "match.limits.move_time_ms",
                json!(1500),
                json!(1000),
                given_again("--move-time 1s500ms"),
            ),
            (
                "match.limits.resources.memory_bytes",
                json!(2_u64 << 30),
                json!(1_u64 << 30),
                given_again("--memory 2GiB"),
            ),
            (
                "match.limits.resources.cpu_time_ms",
                Value::Null,
                json!(1000),
                given_again("--cpu-time none"),
            ),
            ("match.limits.ponder", Value::Null, json!("freeze"), given_again("--ponder allow")),
            (
                "match.limits.wrap",
                json!(["nice", "-n", "5"]),
                Value::Null,
                given_again("--wrap 'nice -n 5'"),
            ),
            ("match.env", json!(["A", "B"]), json!(["A"]), given_again("--env A --env B")),
            (
                "match.env",
                Value::Null,
                json!(["A"]),
                "it was begun without --env: leave it out".to_owned(),
            ),
            ("bots", json!(3), json!(4), "resume it as it was".to_owned()),
            (
                "match.limits.sandbox",
                sandbox.clone(),
                Value::Null,
                "it was played in the sandbox: leave --no-sandbox out, or add --sandbox".to_owned(),
            ),
            (
                "match.limits.sandbox",
                Value::Null,
                sandbox,
                "it was played without the sandbox: add --no-sandbox, or leave --sandbox out"
                    .to_owned(),
            ),
        ] {
            let difference = difference(key, file, here);
            assert_eq!(options_to_resume(&difference), words, "{difference}");
        }
    }

    #[test]
    fn what_is_missing_is_shown_as_its_default() {
        for (key, file, here, words) in [
            ("seed", json!(1), json!(2), "--seed: 1 in the file, 2 here"),
            ("check", json!(true), Value::Null, "--check: on in the file, off here"),
            ("sprt", Value::Null, json!("elo0=0"), "--sprt: nothing in the file, elo0=0 here"),
            (
                "match.limits.ponder",
                json!("freeze"),
                Value::Null,
                "--ponder: freeze in the file, allow here",
            ),
            (
                "match.limits.resources.memory_bytes",
                json!(1 << 30),
                Value::Null,
                "--memory: 1GiB in the file, none here",
            ),
        ] {
            let found = difference_in_words(&difference(key, file, here), &KeyPlaces::default());
            assert_eq!(found, words);
        }
    }

    #[test]
    fn what_a_configuration_says_is_changed_there() {
        for (key, file, here, words) in [
            (
                "check",
                Value::Null,
                json!(true),
                "check: off in the file, on here; c.toml:3: take check out",
            ),
            (
                "check",
                json!(true),
                Value::Null,
                "check: on in the file, off here; c.toml:3: write check = true",
            ),
            (
                "disqualify_after",
                json!(3),
                json!(4),
                "disqualify_after: 3 in the file, 4 here; c.toml:3: write disqualify_after = 3",
            ),
            (
                "match.limits.game_time_ms",
                json!(2000),
                json!(3000),
                "game_time: 2s in the file, 3s here; c.toml:3: write game_time = \"2s\"",
            ),
            (
                "format",
                json!("swiss"),
                json!("round-robin"),
                "format: swiss in the file, round-robin here; c.toml:3: write format = \"swiss\"",
            ),
            (
                "match.env",
                json!(["A"]),
                Value::Null,
                "env: A in the file, nothing here; c.toml:3: write env = [\"A\"]",
            ),
        ] {
            let option = option_of(key).unwrap();
            let keys = KeyPlaces::from([(key_of(option), "c.toml:3".to_owned())]);
            let difference = difference(key, file, here);
            let (found, way) =
                (difference_in_words(&difference, &keys), way_to_resume(&difference, &keys));
            assert_eq!(format!("{found}; {way}"), words);
        }
        let keys = KeyPlaces::from([("sandbox".to_owned(), "c.toml:9".to_owned())]);
        let difference = difference(PlanDifference::SANDBOX, json!({}), Value::Null);
        assert_eq!(way_to_resume(&difference, &keys), "c.toml:9: write sandbox = true");
    }

    /// The keys of a plan that are no tables, but for those of bots.
    fn keys(place: &str, value: &Value, found: &mut Vec<String>) {
        let Value::Object(table) = value else { return found.push(place.to_owned()) };
        for (key, value) in table {
            let place = if place.is_empty() { key.clone() } else { format!("{place}.{key}") };
            keys(&place, value, found);
        }
    }

    #[test]
    fn every_key_of_a_plan_has_its_option() {
        let mut fields: PlanFields = serde_json::from_value(json!({})).unwrap();
        fields.name = Some("autumn".to_owned());
        fields.pairings = Pairings::Gauntlet { first: 1 };
        fields.disqualify_after = Some(3);
        fields.reuse_bots = Some(Reuse { restart_after: Some(7) });
        (fields.anonymous, fields.check) = (true, true);
        fields.sprt = Some("elo0=0,elo1=10".to_owned());
        let terms = &mut fields.terms;
        *terms = crate::record::Terms::default();
        terms.time.game_time = Some(Duration::from_secs(1));
        terms.faults.policy = FaultPolicy::Substitute;
        terms.faults.max = NonZeroU32::new(3);
        terms.keeping.sandbox = Some(Sandbox {
            read: vec!["/a".into()],
            write: vec!["/b".into()],
            loopback: true,
            builds: false,
        });
        terms.keeping.wrap = vec!["nice".to_owned()];
        terms.keeping.environment = vec!["A".to_owned()];
        terms.keeping.ponder = Ponder::Freeze;
        terms.adjudicate = Adjudication::Lead;
        let plan: Value = serde_json::from_str(&Plan::new(fields).json()).unwrap();
        let mut found = Vec::new();
        keys("", &plan, &mut found);
        // The bots are compared by their versions, a larger count is an extension, and a tournament
        // goes on by the arithmetic of its file.
        found.retain(|key| !["bots", "count", "schedule"].contains(&&**key));
        for key in &found {
            assert!(option_of(key).is_some(), "{key}");
        }
        assert_eq!(found.len(), OPTIONS.len() + 1, "{found:?}");
    }
}
