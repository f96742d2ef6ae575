//! The JSON Schema of the keys of `[match]`, made from the options of `mancala match`.

use clap::builder::Str;
use clap::{Arg, CommandFactory};
use serde_json::{Value, json};

use super::options::{MatchOptionsParser, Takes, is_list, takes};
use crate::rules::{DirectionRule, RulesetName};

/// Where bots play in the sandbox though nobody says so.
const SANDBOXED: &str = "true with [[bots]], else false";

/// The JSON Schema of each key of `[match]`. A default that the key does not take is in its
/// description.
pub(in crate::cli) fn match_options_schema() -> Value {
    let command = MatchOptionsParser::command();
    let schema = |arg: &Arg| Some((arg.get_long()?.replace('-', "_"), schema_of(arg)));
    Value::Object(command.get_arguments().filter_map(schema).collect())
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
    let kind = takes(arg);
    let mut schema = json!({"description": help});
    match kind {
        Takes::Flag => schema["type"] = "boolean".into(),
        Takes::YesOrNo => schema["enum"] = json!(["yes", "no", true, false]),
        Takes::Number => {
            schema["type"] = json!(["string", "integer"]);
            schema["minimum"] = 1.into();
            schema["pattern"] =
                if can_be_none(&help) { "^([0-9]+|none)$" } else { "^[0-9]+$" }.into();
        }
        Takes::Text if is_list(arg) => {
            schema["type"] = json!(["string", "array"]);
            schema["items"] = json!({"type": "string"});
        }
        Takes::Text => {
            schema["type"] = "string".into();
            let words = listed_words(arg);
            if !words.is_empty() {
                schema["enum"] = words.into();
            } else if ["TIME", "SIZE"].contains(&&*value_name(arg)) {
                let pattern = if can_be_none(&help) { "^([0-9]|none$)" } else { "^[0-9]" };
                schema["pattern"] = pattern.into();
            }
        }
    }
    if kind != Takes::Flag {
        schema["value"] = value_name(arg).into();
    }
    match usual {
        None if kind == Takes::Flag => schema["default"] = false.into(),
        None => {}
        Some(usual) if !is_list(arg) && is_value(arg, &usual) => {
            let number = usual.parse::<u64>().ok().filter(|_| kind == Takes::Number);
            schema["default"] = number.map_or_else(|| usual.into(), Value::from);
        }
        Some(usual) => schema["description"] = format!("{help} [default: {usual}]").into(),
    }
    schema
}

fn can_be_none(help: &str) -> bool {
    help.contains("or none")
}

fn value_name(arg: &Arg) -> String {
    let names: Vec<&str> = arg.get_value_names().into_iter().flatten().map(Str::as_str).collect();
    names.join(" ")
}

/// The words that an option takes, if they are listed.
fn listed_words(arg: &Arg) -> Vec<String> {
    match arg.get_long() {
        Some("rules") => RulesetName::ALL.iter().map(ToString::to_string).collect(),
        Some("direction") => {
            use DirectionRule::{Backward, Either, Forward};
            [Forward, Backward, Either].iter().map(ToString::to_string).collect()
        }
        _ => {
            let name = value_name(arg);
            let words = name.split('|').filter(|_| name.contains('|'));
            words.map(str::to_owned).collect()
        }
    }
}

/// Whether an option takes this text, given alone.
fn is_value(arg: &Arg, text: &str) -> bool {
    let option = format!("--{}={text}", arg.get_long().unwrap_or_default());
    MatchOptionsParser::read([option]).is_ok()
}
