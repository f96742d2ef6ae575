//! The options of `mancala match` in a tournament: from the configuration and from arguments, read
//! by the same parser.

use std::path::Path;

use clap::parser::ValueSource;
use clap::{Arg, ArgAction, ArgMatches, Args as _, Command, CommandFactory, Parser};
use toml::Value;

use super::super::Failure;
use super::super::options::{MatchTermsArgs, MinFreeArgs, RulesetArgs};
use crate::record::Terms;
use crate::rules::Ruleset;
use crate::tournament::{Config, ConfigSource, MatchOption, OptionKeys};

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
pub(super) struct MatchOptionsParser {
    #[command(flatten)]
    options: MatchOptionArgs,
}

impl MatchOptionsParser {
    /// What these words of a command line come to.
    ///
    /// # Errors
    ///
    /// [`Failure::Arguments`] for a word that is wrong, [`Failure::Usage`] where options contradict
    /// each other.
    pub(super) fn read(words: impl IntoIterator<Item = String>) -> Result<MatchSettings, Failure> {
        let MatchOptionsParser { options } = MatchOptionsParser::try_parse_from(words)?;
        let (terms, min_free) = (options.terms.terms()?, options.min_free.bytes());
        Ok(MatchSettings { rules: options.rules.rules(), terms, min_free })
    }
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

/// The options of the command line, as keys of a configuration.
pub(super) fn keys() -> OptionKeys {
    let long = |arg: &Arg| arg.get_long().map(|long| long.replace('-', "_"));
    let of = |command: Command| command.get_arguments().filter_map(long).collect();
    let of_tournament = of(super::Args::augment_args(Command::new("tournament")));
    OptionKeys { of_match: of(MatchOptionsParser::command()), of_tournament }
}

/// What the value of an option is in a configuration.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Takes {
    /// True or false, and no value on the command line.
    Flag,
    /// True or false, or a text.
    YesOrNo,
    /// A whole number, or a text.
    Number,
    Text,
}

/// What the value of this option is.
pub(super) fn takes(arg: &Arg) -> Takes {
    let names = arg.get_value_names().unwrap_or_default();
    match arg.get_action() {
        ArgAction::SetTrue => Takes::Flag,
        _ if names.iter().any(|name| name == "yes|no") => Takes::YesOrNo,
        _ if names.iter().any(|name| name == "N") => Takes::Number,
        _ => Takes::Text,
    }
}

/// Whether this option may have several values.
pub(super) fn is_list(arg: &Arg) -> bool {
    matches!(arg.get_action(), ArgAction::Append)
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
    let settings = MatchOptionsParser::read(words).map_err(|failure| match failure {
        Failure::Usage(why) => in_words_of_config(&why, &options, source),
        failure => failure,
    })?;
    Ok((options, settings))
}

/// Why options contradict each other, in the words of the configuration if the first one that is
/// named is of it.
fn in_words_of_config(why: &str, options: &[MatchOption], source: &ConfigSource) -> Failure {
    let named = |option: &&MatchOption| {
        let long = option.key.replace('_', "-");
        !option.place.is_empty() && why.starts_with(&format!("--{long} "))
    };
    let Some(MatchOption { key, place, .. }) = options.iter().find(named) else {
        return Failure::usage(why);
    };
    let (_, rest) = why.split_once(' ').unwrap_or_default();
    let rest = rest.replace("--sandbox", "sandbox = true");
    let rest = rest.replace("--fault-policy substitute", "fault_policy = \"substitute\"");
    source.error(place, format!("{key} {rest}")).into()
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
    let (takes, is_list) = (arg.map_or(Takes::Text, takes), arg.is_some_and(is_list));
    let text = |value: &Value| match (takes, value) {
        (Takes::Flag, _) => Err(format!("{key} must be true or false")),
        (_, Value::String(text)) => Ok(format!("--{long}={text}")),
        (Takes::Number, Value::Integer(number)) => Ok(format!("--{long}={number}")),
        (Takes::Number, _) => Err(format!("{key} must be a whole number")),
        (Takes::YesOrNo, Value::Boolean(true)) => Ok(format!("--{long}=yes")),
        (Takes::YesOrNo, Value::Boolean(false)) => Ok(format!("--{long}=no")),
        (Takes::YesOrNo, _) => Err(format!("{key} must be true or false")),
        (Takes::Text, _) => Err(format!("{key} must be a text in quotes")),
    };
    match (takes, value) {
        (Takes::Flag, Value::Boolean(true)) => Ok(vec![format!("--{long}")]),
        (Takes::Flag, Value::Boolean(false)) => Ok(Vec::new()),
        (_, Value::Array(values)) if values.len() == 1 || is_list => {
            values.iter().map(text).collect()
        }
        (_, Value::Array(_)) => Err(format!("{key} takes one value, not a list")),
        (_, value) => Ok(vec![text(value)?]),
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
        let keys = keys().of_match;
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
    fn an_option_at_the_top_of_a_config_is_told_where_it_goes() {
        for key in keys().of_tournament {
            let source = ConfigSource::new(Path::new("c.toml"), format!("{key} = [1.5]"));
            let error = source.read(&keys()).expect_err(&key).to_string();
            let is_lost = error.contains("known are") || error.contains("did you mean");
            assert!(!is_lost, "{error}");
        }
    }

    #[test]
    fn values_of_another_type_are_refused() {
        let refusal = |key: &str, value: Value| {
            words(&MatchOption { key: key.to_owned(), value, place: 0..0 }).unwrap_err()
        };
        let no_text = |key: &str| format!("{key} must be a text in quotes");
        assert_eq!(refusal("rules", 1.5.into()), no_text("rules"));
        assert_eq!(refusal("move_time", true.into()), no_text("move_time"));
        assert_eq!(refusal("allow_read", vec![1.5].into()), no_text("allow_read"));
        for key in ["max_moves", "seeds", "processes"] {
            for value in [Value::from(3.0), true.into()] {
                assert_eq!(refusal(key, value), format!("{key} must be a whole number"));
            }
        }
        assert_eq!(refusal("empty_capture", 1.into()), "empty_capture must be true or false");
        assert_eq!(refusal("sandbox", 1.into()), "sandbox must be true or false");
        assert_eq!(refusal("rules", vec!["a", "b"].into()), "rules takes one value, not a list");
    }
}
