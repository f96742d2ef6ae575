//! The options of `mancala match` in a tournament: from the configuration and from arguments, read
//! by the same parser.

use std::path::Path;

use clap::parser::ValueSource;
use clap::{ArgAction, ArgMatches, CommandFactory, Parser};
use toml::Value;

use super::super::Failure;
use super::super::options::record_file::MinFreeArgs;
use super::super::options::rules::RulesetArgs;
use super::super::options::terms::MatchTermsArgs;
use crate::record::Terms;
use crate::rules::Ruleset;
use crate::tournament::{Config, ConfigSource, MatchOption};

/// What each match is played by.
#[derive(Debug, clap::Args)]
pub(super) struct MatchOptionArgs {
    #[command(flatten)]
    rules: RulesetArgs,

    #[command(flatten)]
    terms: MatchTermsArgs,

    #[command(flatten)]
    min_free: MinFreeArgs,
}

/// The same options by themselves.
#[derive(Debug, Parser)]
#[command(name = "match", no_binary_name = true, disable_help_flag = true)]
struct MatchOptionsParser {
    #[command(flatten)]
    options: MatchOptionArgs,
}

/// What the options come to.
#[derive(Debug)]
pub(super) struct MatchSettings {
    pub(super) rules: Ruleset,
    pub(super) terms: Terms,
    /// Bytes that are kept free on the disk of the record file.
    pub(super) min_free: Option<u64>,
}

/// Options whose values are paths.
const PATHS: [&str; 2] = ["allow_read", "allow_write"];

/// The option that bots play in the sandbox, or do not.
pub(super) fn sandbox(is_on: bool) -> MatchOption {
    MatchOption { key: "sandbox".to_owned(), value: is_on.into(), place: 0..0 }
}

/// The keys that `[match]` may have.
pub(super) fn keys() -> Vec<String> {
    let command = MatchOptionsParser::command();
    let long = |arg: &clap::Arg| arg.get_long().map(|long| long.replace('-', "_"));
    command.get_arguments().filter_map(long).collect()
}

/// Where bots play in the sandbox though nobody says so.
const SANDBOXED: &str = "true with [[bots]], else false";

/// The JSON Schema of each key of `[match]`.
pub(in crate::cli) fn match_options_schema() -> serde_json::Value {
    let command = MatchOptionsParser::command();
    let schema = |arg: &clap::Arg| {
        let key = arg.get_long()?.replace('-', "_");
        let help = arg.get_help().map(ToString::to_string).unwrap_or_default();
        let (help, default) = match help.split_once(" [default: ") {
            Some((help, default)) => (help, Some(default.trim_end_matches(']').to_owned())),
            None => (&*help, None),
        };
        let given = arg.get_default_values().first();
        let given = given.map(|default| default.to_string_lossy().into_owned());
        let value = serde_json::json!(["string", "integer", "boolean"]);
        let (kind, default) = match arg.get_action() {
            ArgAction::SetTrue => (serde_json::json!("boolean"), Some("false".to_owned())),
            ArgAction::Append => (serde_json::json!(["string", "array"]), default),
            _ => (value, given.or(default)),
        };
        let mut schema = serde_json::json!({"description": help, "type": kind});
        let names: Vec<&str> =
            arg.get_value_names().into_iter().flatten().map(clap::builder::Str::as_str).collect();
        if !names.is_empty() && !matches!(arg.get_action(), ArgAction::SetTrue) {
            schema["value"] = names.join(" ").into();
        }
        let default = if key == "sandbox" { Some(SANDBOXED.to_owned()) } else { default };
        if let Some(default) = default {
            schema["default"] = default.into();
        }
        Some((key, schema))
    };
    serde_json::Value::Object(command.get_arguments().filter_map(schema).collect())
}

/// The options that stand on the command line, which `matches` is of.
pub(super) fn of_arguments(matches: &ArgMatches) -> Vec<MatchOption> {
    let command = MatchOptionsParser::command();
    let given = command.get_arguments().filter_map(|arg| {
        let id = arg.get_id().as_str();
        (matches.value_source(id) == Some(ValueSource::CommandLine)).then_some(())?;
        let key = arg.get_long()?.replace('-', "_");
        let value = if matches!(arg.get_action(), ArgAction::SetTrue) {
            true.into()
        } else {
            let raw = matches.get_raw(id)?;
            let mut texts: Vec<_> = raw.map(|text| text.to_string_lossy().into_owned()).collect();
            if texts.len() == 1 { texts.remove(0).into() } else { texts.into() }
        };
        Some(MatchOption { key, value, place: 0..0 })
    });
    given.map(|option| absolute(option, Path::new(""))).collect()
}

/// The configuration's options with the arguments' in their place, and what they come to.
pub(super) fn resolve(
    config: &Config,
    source: &ConfigSource,
    folder: &Path,
    arguments: Vec<MatchOption>,
) -> Result<(Vec<MatchOption>, MatchSettings), Failure> {
    let mut options = Vec::new();
    for option in config.match_options() {
        let option = absolute(option, folder);
        // A value that is wrong without the others is reported with its place.
        words(&option)
            .and_then(|words| {
                MatchOptionsParser::try_parse_from(words).map_err(|error| one_value(&error))
            })
            .map_err(|why| source.error(&option.place, why))?;
        options.push(option);
    }
    for argument in arguments {
        options.retain(|option| option.key != argument.key);
        options.push(argument);
    }
    if options.contains(&sandbox(false)) {
        // What would be open in it is open without.
        options.retain(|option| !option.key.starts_with("allow_"));
    }
    // Unless somebody asks for something else: an opponent that thinks on takes the core of the bot
    // whose turn it is.
    let ponder = options.iter().all(|option| option.key != "ponder").then_some("--ponder=freeze");
    let given = options.iter().map(words).collect::<Result<Vec<_>, _>>().map_err(Failure::Usage)?;
    let words = ponder.map(str::to_owned).into_iter().chain(given.concat());
    let MatchOptionsParser { options: all } = MatchOptionsParser::try_parse_from(words)?;
    let terms = all.terms.terms()?;
    let min_free = all.min_free.bytes();
    let settings = MatchSettings { rules: all.rules.rules(), terms, min_free };
    Ok((options, settings))
}

/// The option with paths that are relative to `folder` made absolute.
fn absolute(mut option: MatchOption, folder: &Path) -> MatchOption {
    let paths = match &mut option.value {
        _ if !PATHS.contains(&&*option.key) => &mut [],
        Value::Array(paths) => paths.as_mut_slice(),
        path => std::slice::from_mut(path),
    };
    for value in paths {
        if let Value::String(path) = value
            && let Ok(absolute) = std::path::absolute(folder.join(&*path))
            && let Some(absolute) = absolute.to_str()
        {
            absolute.clone_into(path);
        }
    }
    option
}

/// The option as words of a command line.
fn words(MatchOption { key, value, .. }: &MatchOption) -> Result<Vec<String>, String> {
    let long = key.replace('_', "-");
    let command = MatchOptionsParser::command();
    let arg = command.get_arguments().find(|arg| arg.get_long() == Some(&long));
    let is_switch = arg.is_some_and(|arg| matches!(arg.get_action(), ArgAction::SetTrue));
    let is_list = arg.is_some_and(|arg| matches!(arg.get_action(), ArgAction::Append));
    let text = |value: &Value| match value {
        Value::String(text) => Ok(format!("--{long}={text}")),
        Value::Integer(number) => Ok(format!("--{long}={number}")),
        _ => Err(format!("{key} must be a text, a number, true or false")),
    };
    match value {
        Value::Boolean(true) if is_switch => Ok(vec![format!("--{long}")]),
        Value::Boolean(false) if is_switch => Ok(Vec::new()),
        _ if is_switch => Err(format!("{key} must be true or false")),
        Value::Boolean(true) => Ok(vec![format!("--{long}=yes")]),
        Value::Boolean(false) => Ok(vec![format!("--{long}=no")]),
        Value::Array(values) if values.len() == 1 || is_list => values.iter().map(text).collect(),
        Value::Array(_) => Err(format!("{key} takes one value, not a list")),
        value => Ok(vec![text(value)?]),
    }
}

/// What the parser says of one value, without the words that belong to a command line.
fn one_value(error: &clap::Error) -> String {
    let text = super::super::failure::one_line(error);
    text.split("; see mancala").next().unwrap_or(&text).to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::record::Ponder;

    fn option(key: &str, value: &str) -> MatchOption {
        MatchOption { key: key.to_owned(), value: value.into(), place: 0..0 }
    }

    fn ponder(options: Vec<MatchOption>) -> Ponder {
        let (config, source) = (Config::default(), ConfigSource::default());
        let resolved = resolve(&config, &source, Path::new(""), options);
        let (_, settings) = resolved.expect("they are options");
        settings.terms.keeping.ponder
    }

    #[test]
    fn bots_wait_for_their_turn_unless_something_else_is_asked_for() {
        assert_eq!(ponder(Vec::new()), Ponder::Freeze);
        assert_eq!(ponder(vec![option("ponder", "allow")]), Ponder::Allow);
        assert_eq!(ponder(vec![option("seeds", "4")]), Ponder::Freeze);
    }

    #[test]
    fn nothing_is_open_in_a_sandbox_that_there_is_not() {
        let (config, source) = (Config::default(), ConfigSource::default());
        let options =
            vec![option("allow_loopback", "yes"), option("allow_read", "/usr"), sandbox(false)];
        let resolved = resolve(&config, &source, Path::new(""), options);
        let (options, settings) = resolved.expect("they are options");
        assert_eq!(options, [sandbox(false)]);
        assert_eq!(settings.terms.keeping.sandbox, None);
    }

    #[test]
    fn every_key_is_an_option_of_a_match_and_paths_are_whole() {
        let keys = keys();
        for key in ["rules", "seeds", "move_time", "fault_policy", "adjudicate", "min_free"] {
            assert!(keys.iter().any(|known| known == key), "{key} is not in {keys:?}");
        }
        // What a tournament decides itself.
        for key in ["opening", "rounds", "first", "record", "format", "quiet"] {
            assert!(keys.iter().all(|known| known != key), "{key}");
        }
        let absolute = absolute(option("allow_read", "data"), Path::new("/class"));
        assert_eq!(absolute.value, "/class/data".into());
    }

    #[test]
    fn values_of_another_type_are_refused() {
        let refusal = |key: &str, value: Value| {
            words(&MatchOption { key: key.to_owned(), value, place: 0..0 }).unwrap_err()
        };
        let wrong_type = |key: &str| format!("{key} must be a text, a number, true or false");
        assert_eq!(refusal("rules", 1.5.into()), wrong_type("rules"));
        assert_eq!(refusal("allow_read", vec![1.5].into()), wrong_type("allow_read"));
        assert_eq!(refusal("sandbox", 1.into()), "sandbox must be true or false");
        assert_eq!(refusal("rules", vec!["a", "b"].into()), "rules takes one value, not a list");
    }
}
