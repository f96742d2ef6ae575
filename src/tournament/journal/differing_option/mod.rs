//! How a plan differs from that of a file, in the words of the command line or of the configuration:
//! which option or key, and what to give to go on.

use serde_json::Value;

use crate::contest::PlanDifference;
use crate::record::{OPTIONS_OF_CHECK, PlanOption, Shape, option_value};
use crate::text::{printable, quoted};
use crate::tournament::config::KeyPlaces;

/// The options that `mancala check` does not have, or is given in another way.
const OPTIONS: [PlanOption; 21] = [
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
    ("match.limits.fault_policy", "--fault-policy", Shape::Plain, "forfeit"),
    ("match.limits.max_faults", "--max-faults", Shape::Plain, ""),
    ("match.limits.sandbox.read", "--allow-read", Shape::Each, ""),
    ("match.limits.sandbox.write", "--allow-write", Shape::Each, ""),
    ("match.limits.sandbox.loopback", "--allow-loopback", Shape::Flag, ""),
    ("match.limits.wrap", "--wrap", Shape::Words, ""),
    ("match.limits.adjudicate", "--adjudicate", Shape::Plain, "none"),
    ("match.env", "--env", Shape::Each, ""),
];

fn option_of(key: &str) -> Option<&'static PlanOption> {
    OPTIONS.iter().chain(&OPTIONS_OF_CHECK).find(|(known, ..)| *known == key)
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
    let shown = |value: &Value| match (shape, option_value(option, value)) {
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
    let value = match (option.2, option_value(option, file)) {
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
    let Some(value) = option_value(option, file) else {
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
mod tests;
