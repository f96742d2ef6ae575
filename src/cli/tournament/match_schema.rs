//! The JSON Schema of `[match]`, made from the options of `mancala match`.

use clap::builder::Str;
use clap::{Arg, CommandFactory, Parser};
use serde_json::{Value, json};

use super::option_values::{OptionKind, is_list, kind_of};
use super::options::MatchOptionsParser;
use crate::rules::{DirectionRule, RulesetName};

/// Where bots play in the sandbox though nobody says so.
const SANDBOXED: &str = "true with [[bots]], else false";

/// A duration: 0, or numbers with their units.
const TIME: &str = r"\s*(0\s*|([0-9][0-9\s]*(\.[0-9]+\s*)?(ns|nsec|nanos|us|usec|µs|ms|msec|millis|s|sec|secs|second|seconds|m|min|mins|minute|minutes|h|hr|hrs|hour|hours|d|day|days)\s*)+)";

/// A number of bytes.
const SIZE: &str = r"0*[1-9][0-9]*\s*(K|KiB|M|MiB|G|GiB|T|TiB)";

/// A whole number from 1, as a text.
const NUMBER: &str = r"\+?0*[1-9][0-9]*";

/// What the JSON Schema of `[match]` says of its keys. A default that a key does not take is in its
/// description.
pub(in crate::cli) fn match_options_schema() -> [(&'static str, Value); 3] {
    let command = MatchOptionsParser::command();
    let schema = |arg: &Arg| Some((arg.get_long()?.replace('-', "_"), schema_of(arg)));
    let in_sandbox = json!({"properties": {"sandbox": {"not": {"const": false}}}});
    let needs = json!({
        "max_faults": {
            "required": ["fault_policy"], "properties": {"fault_policy": {"const": "substitute"}}
        },
        "allow_read": in_sandbox,
        "allow_write": in_sandbox,
        "allow_loopback": in_sandbox,
    });
    [
        ("properties", Value::Object(command.get_arguments().filter_map(schema).collect())),
        ("additionalProperties", false.into()),
        ("dependentSchemas", needs),
    ]
}

fn schema_of(arg: &Arg) -> Value {
    let help = arg.get_help().map(ToString::to_string).unwrap_or_default();
    let (help, usual) = match help.split_once(" [default: ") {
        Some((help, usual)) => (help.to_owned(), Some(usual.trim_end_matches(']').to_owned())),
        None => (help, None),
    };
    let given = arg.get_default_values().first();
    let usual = given.map(|given| given.to_string_lossy().into_owned()).or(usual);
    let usual = if arg.get_long() == Some("sandbox") { Some(SANDBOXED.to_owned()) } else { usual };
    let kind = kind_of(arg);
    let mut schema = json!({"description": help});
    match kind {
        OptionKind::Flag => schema["type"] = "boolean".into(),
        OptionKind::YesOrNo => schema["enum"] = json!(["yes", "no", true, false]),
        OptionKind::Number => {
            schema["type"] = json!(["string", "integer"]);
            schema["minimum"] = 1.into();
            schema["maximum"] = most(arg).into();
        }
        OptionKind::Text if is_list(arg) => {
            schema["type"] = json!(["string", "array"]);
            schema["items"] = json!({"type": "string"});
        }
        OptionKind::Text => {
            schema["type"] = "string".into();
            let words = listed_words(arg);
            if !words.is_empty() {
                schema["enum"] = words.into();
            }
        }
    }
    if schema["enum"].is_null()
        && let Some(pattern) = pattern(arg)
    {
        let none = if help.contains("or none") { "none|" } else { "" };
        let pattern = format!("^({none}{pattern})$");
        if kind == OptionKind::Text && is_list(arg) {
            schema["items"]["pattern"] = pattern.clone().into();
        }
        schema["pattern"] = pattern.into();
    }
    if kind != OptionKind::Flag {
        schema["value"] = value_name(arg).into();
    }
    match usual {
        None if kind == OptionKind::Flag => schema["default"] = false.into(),
        None => {}
        Some(usual) if !is_list(arg) && is_value(arg, &usual) => {
            let number = usual.parse::<u64>().ok().filter(|_| kind == OptionKind::Number);
            schema["default"] = number.map_or_else(|| usual.into(), Value::from);
        }
        Some(usual) => schema["description"] = format!("{help} [default: {usual}]").into(),
    }
    schema
}

/// What a text that an option takes looks like, if not all are taken.
fn pattern(arg: &Arg) -> Option<String> {
    Some(match &*value_name(arg) {
        "TIME" if is_value(arg, "0s") => TIME.to_owned(),
        "TIME" => format!("(?=.*[1-9]){TIME}"),
        "SIZE" => SIZE.to_owned(),
        "N" => NUMBER.to_owned(),
        // Of a variable: words are listed elsewhere.
        "NAME" => r"[^=\u0000]+".to_owned(),
        "COMMAND" => r"[^\u0000]*[^\s\u0000][^\u0000]*".to_owned(),
        _ => return None,
    })
}

/// The largest number that an option takes, whatever other options it needs.
fn most(arg: &Arg) -> u64 {
    let (mut most, mut too_many) = (1, 1 << 32);
    while too_many - most > 1 {
        let between = u64::midpoint(most, too_many);
        if MatchOptionsParser::try_parse_from([option(arg, &between.to_string())]).is_ok() {
            most = between;
        } else {
            too_many = between;
        }
    }
    most
}

fn value_name(arg: &Arg) -> String {
    let names: Vec<&str> = arg.get_value_names().into_iter().flatten().map(Str::as_str).collect();
    names.join(" ")
}

/// The words that an option takes, if they are listed.
fn listed_words(arg: &Arg) -> Vec<String> {
    let name = value_name(arg);
    let words = match arg.get_long() {
        Some("rules") => RulesetName::WORDS.to_vec(),
        Some("direction") => DirectionRule::WORDS.to_vec(),
        _ => name.split('|').filter(|_| name.contains('|')).collect(),
    };
    words.into_iter().map(str::to_owned).collect()
}

/// Whether an option takes `text`, given alone.
fn is_value(arg: &Arg, text: &str) -> bool {
    MatchOptionsParser::read([option(arg, text)]).is_ok()
}

fn option(arg: &Arg, text: &str) -> String {
    format!("--{}={text}", arg.get_long().unwrap_or_default())
}
