//! The options of `mancala match` in a tournament: from the configuration and from arguments, read
//! by the same parser.

use std::path::Path;

use clap::parser::ValueSource;
use clap::{Arg, ArgAction, ArgMatches, Args as _, Command, CommandFactory, Id, Parser};
use toml::Value;

use super::super::failure::{CliResult, Failure};
use super::super::options::{MatchTermsArgs, MinFreeArgs, RulesetArgs};
use super::option_values::{why_not, words};
use crate::record::Terms;
use crate::rules::Ruleset;
use crate::tournament::{Config, ConfigSource, KeyPlaces, MatchOption, OptionKeys};

/// What each match is played by.
#[derive(clap::Args)]
pub(super) struct MatchOptionArgs {
    #[command(flatten)]
    rules: RulesetArgs,

    #[command(flatten)]
    terms: MatchTermsArgs,

    #[command(flatten)]
    min_free: MinFreeArgs,
}

/// The same options by themselves.
#[derive(Parser)]
#[command(name = "match", no_binary_name = true, disable_help_flag = true)]
pub(super) struct MatchOptionsParser {
    #[command(flatten)]
    options: MatchOptionArgs,
}

impl MatchOptionsParser {
    /// What `words` of a command line come to.
    ///
    /// # Errors
    ///
    /// [`Failure::Arguments`] for a word that is wrong, [`Failure::Usage`] where options contradict
    /// each other.
    pub(super) fn read(words: impl IntoIterator<Item = String>) -> CliResult<MatchSettings> {
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

/// The keys of the configuration but those in whose place the command line has an option.
pub(super) fn keys_that_count(source: &ConfigSource, matches: &ArgMatches) -> KeyPlaces {
    let mut keys = source.places();
    for id in matches.ids().map(Id::as_str) {
        if matches.value_source(id) == Some(ValueSource::CommandLine) {
            let overridden: &[&str] = match id {
                "swiss" | "round_robin" | "gauntlet" => &["format", "gauntlet"],
                "no_sandbox" => &["sandbox"],
                id => &[id],
            };
            keys.retain(|key, _| !overridden.contains(&&**key));
        }
    }
    keys
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
) -> CliResult<(Vec<MatchOption>, MatchSettings)> {
    let mut options = Vec::new();
    for option in config.match_options() {
        let option = absolute(option, folder);
        // A value that is wrong without the others is reported with its place.
        words(&option)
            .and_then(|words| {
                MatchOptionsParser::try_parse_from(words)
                    .map_err(|error| why_not(&option.key, &error))
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

/// What is asked for on the command line, and how a configuration says it.
const IN_CONFIG: [(&str, &str); 5] = [
    ("--sprt ", "sprt "),
    (" (--swiss)", ""),
    ("leave --swiss out and give --count N", "leave format = \"swiss\" out and set count"),
    ("add --rules ece1021", "write rules = \"ece1021\" under [match]"),
    ("--count ", "count = "),
];

/// A message in the words of the configuration.
pub(super) fn in_keys(message: &str) -> String {
    let words = IN_CONFIG.iter();
    words.fold(message.to_owned(), |message, (option, key)| message.replace(option, key))
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
    fn a_value_that_is_wrong_is_told_with_its_place_and_its_key() {
        for (text, expected) in [
            (
                "move_time = \"2\"",
                "c.toml:2:13: move_time cannot be \"2\": expected a time with its unit",
            ),
            (
                "env = [\"A\", \"B=\"]",
                "c.toml:2:7: env cannot be \"B=\": \"B=\" is not a valid name",
            ),
            ("rules = \"kala\"", "c.toml:2:9: rules cannot be \"kala\": "),
            ("seeds = 21", "c.toml:2:9: seeds cannot be \"21\": a house starts with 1 to 20"),
            ("move_time = \"\"", "c.toml:2:13: move_time cannot be \"\": expected a time"),
            ("max_faults = 3", "c.toml:2:14: max_faults needs fault_policy = \"substitute\""),
        ] {
            let source =
                ConfigSource::new(Path::new("c.toml"), format!("[match]\n{text}\n"), keys());
            let config = source.read().expect(text);
            let error = resolve(&config, &source, Path::new(""), Vec::new()).expect_err(text);
            let Failure::Usage(why) = error else { panic!("{text}: {error:?}") };
            assert!(why.starts_with(expected), "{why}");
        }
    }

    #[test]
    fn an_option_at_the_top_of_a_config_is_told_where_it_goes() {
        for key in keys().of_tournament {
            let source = ConfigSource::new(Path::new("c.toml"), format!("{key} = [1.5]"), keys());
            let error = source.read().expect_err(&key).to_string();
            let is_lost = error.contains("known are") || error.contains("did you mean");
            assert!(!is_lost, "{error}");
        }
    }
}
