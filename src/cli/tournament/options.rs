//! The options of `mancala match` in a tournament: from the configuration and from arguments, read
//! by the same parser.

use std::path::Path;

use clap::parser::ValueSource;
use clap::{ArgAction, ArgMatches, CommandFactory, Parser};

use super::super::Failure;
use super::super::options::record_file::MinFreeArgs;
use super::super::options::rules::RulesetArgs;
use super::super::options::terms::MatchTermsArgs;
use crate::record::Terms;
use crate::rules::Ruleset;
use crate::tournament::{ConfigError, ConfigSource, MatchOption, OptionValue};

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

/// The keys that `[match]` may have.
pub(super) fn keys() -> Vec<String> {
    let command = MatchOptionsParser::command();
    let long = |arg: &clap::Arg| arg.get_long().map(|long| long.replace('-', "_"));
    command.get_arguments().filter_map(long).collect()
}

/// The options that stand on the command line, which `matches` is of.
pub(super) fn of_arguments(matches: &ArgMatches) -> Vec<MatchOption> {
    let command = MatchOptionsParser::command();
    let given = command.get_arguments().filter_map(|arg| {
        let id = arg.get_id().as_str();
        (matches.value_source(id) == Some(ValueSource::CommandLine)).then_some(())?;
        let key = arg.get_long()?.replace('-', "_");
        let value = if matches!(arg.get_action(), ArgAction::SetTrue) {
            OptionValue::Switch(true)
        } else {
            let raw = matches.get_raw(id)?;
            OptionValue::Texts(raw.map(|text| text.to_string_lossy().into_owned()).collect())
        };
        Some(MatchOption { key, value, place: 0..0 })
    });
    given.map(|option| absolute(option, Path::new(""))).collect()
}

/// The configuration's options with the arguments' in their place, and what they come to.
pub(super) fn resolve(
    config: Option<(&[MatchOption], &ConfigSource, &Path)>,
    arguments: Vec<MatchOption>,
) -> Result<(Vec<MatchOption>, MatchSettings), Failure> {
    let mut options = Vec::new();
    if let Some((config, source, folder)) = config {
        for option in config {
            let option = absolute(option.clone(), folder);
            // A value that is wrong by itself has a place of its own.
            words(&option)
                .and_then(|words| {
                    MatchOptionsParser::try_parse_from(words).map_err(|e| one_value(&e))
                })
                .map_err(|why| usage(&source.error(&option.place, why)))?;
            options.push(option);
        }
    }
    for argument in arguments {
        options.retain(|option| option.key != argument.key);
        options.push(argument);
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

pub(super) fn usage(error: &ConfigError) -> Failure {
    Failure::Usage(error.to_string())
}

/// Paths as they are from everywhere.
fn absolute(option: MatchOption, folder: &Path) -> MatchOption {
    let MatchOption { key, value, place } = option;
    let value = match value {
        OptionValue::Texts(paths) if PATHS.contains(&key.as_str()) => {
            let whole = |path: &String| std::path::absolute(folder.join(path)).ok();
            let texts = paths.iter().map(|path| {
                let whole = whole(path).and_then(|path| path.to_str().map(str::to_owned));
                whole.unwrap_or_else(|| path.clone())
            });
            OptionValue::Texts(texts.collect())
        }
        value => value,
    };
    MatchOption { key, value, place }
}

/// The option as words of a command line.
fn words(option: &MatchOption) -> Result<Vec<String>, String> {
    let long = option.key.replace('_', "-");
    let command = MatchOptionsParser::command();
    let arg = command.get_arguments().find(|arg| arg.get_long() == Some(&long));
    let is_switch = arg.is_some_and(|arg| matches!(arg.get_action(), ArgAction::SetTrue));
    let is_list = arg.is_some_and(|arg| matches!(arg.get_action(), ArgAction::Append));
    match &option.value {
        OptionValue::Switch(true) if is_switch => Ok(vec![format!("--{long}")]),
        OptionValue::Switch(false) if is_switch => Ok(Vec::new()),
        OptionValue::Switch(yes) => {
            Ok(vec![format!("--{long}={}", if *yes { "yes" } else { "no" })])
        }
        OptionValue::Texts(_) if is_switch => Err(format!("{} must be true or false", option.key)),
        OptionValue::Texts(texts) if texts.len() == 1 || is_list => {
            Ok(texts.iter().map(|text| format!("--{long}={text}")).collect())
        }
        OptionValue::Texts(_) => Err(format!("{} takes one value, not a list", option.key)),
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
        let value = OptionValue::Texts(vec![value.to_owned()]);
        MatchOption { key: key.to_owned(), value, place: 0..0 }
    }

    fn ponder(options: Vec<MatchOption>) -> Ponder {
        let (_, settings) = resolve(None, options).expect("they are options");
        settings.terms.keeping.ponder
    }

    #[test]
    fn bots_wait_for_their_turn_unless_something_else_is_asked_for() {
        assert_eq!(ponder(Vec::new()), Ponder::Freeze);
        assert_eq!(ponder(vec![option("ponder", "allow")]), Ponder::Allow);
        assert_eq!(ponder(vec![option("seeds", "4")]), Ponder::Freeze);
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
        let MatchOption { value: OptionValue::Texts(paths), .. } =
            absolute(option("allow_read", "data"), Path::new("/class"))
        else {
            panic!("it is a path")
        };
        assert_eq!(paths, ["/class/data"]);
    }
}
