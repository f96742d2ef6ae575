//! A tournament's configuration: TOML in, with the place of every mistake.

mod bounds;
mod content;
mod dump;
mod mistakes;

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use serde::Deserialize;
use toml::Spanned;
use toml::de::{DeTable, DeValue, Deserializer};

use super::placeholders::refuse_blanks_in_placeholders;
use crate::text::{printable, printable_path};
pub(super) use content::ConfigBots;
pub(crate) use content::{Config, ConfigPlace, MAX_OPENINGS, MAX_REPEATS, MatchOption};
pub(crate) use dump::config_of;

/// A mistake in a configuration, and where it stands.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{}:{line}:{column}: {message}", printable_path(.path))]
pub(crate) struct ConfigError {
    /// The file.
    pub path: PathBuf,
    /// The line, from 1.
    pub line: usize,
    /// The column, from 1.
    pub column: usize,
    /// What is wrong, and what to do.
    pub message: String,
}

/// Options of the command line, as keys.
#[derive(Clone, Default)]
pub(crate) struct OptionKeys {
    /// Those that `[match]` may have.
    pub of_match: Vec<String>,
    /// All of `mancala tournament`.
    pub of_tournament: Vec<String>,
}

/// By its name where each key of a configuration stands.
pub(crate) type KeyPlaces = BTreeMap<String, String>;

/// A configuration with its text, for messages that name a place in it.
#[derive(Clone, Default)]
pub(crate) struct ConfigSource {
    path: PathBuf,
    text: String,
    options: OptionKeys,
}

impl ConfigSource {
    /// A configuration's text, and the options that it may have.
    pub(crate) fn new(path: &Path, text: String, options: OptionKeys) -> ConfigSource {
        ConfigSource { path: path.to_owned(), text, options }
    }

    /// A mistake at `place`.
    pub(crate) fn error(&self, place: &ConfigPlace, message: impl Into<String>) -> ConfigError {
        let before = &self.text[..place.start.min(self.text.len())];
        let line = before.matches('\n').count() + 1;
        let column = before.rsplit('\n').next().unwrap_or("").chars().count() + 1;
        ConfigError { path: self.path.clone(), line, column, message: message.into() }
    }

    /// The file and the line of each key at the top and of `[match]`, as `c.toml:3`.
    pub(crate) fn places(&self) -> KeyPlaces {
        let (table, _) = DeTable::parse_recoverable(&self.text);
        let table = table.get_ref();
        let options = table.get("match").and_then(|options| options.get_ref().as_table());
        let place = |key: &Spanned<_>| {
            let ConfigError { path, line, .. } = self.error(&key.span(), "");
            format!("{}:{line}", printable_path(&path))
        };
        let keys = options.into_iter().chain([table]).flat_map(|table| table.keys());
        keys.map(|key| (key.get_ref().to_string(), place(key))).collect()
    }

    /// Reads the configuration.
    ///
    /// # Errors
    ///
    /// The first mistake.
    pub(crate) fn read(&self) -> Result<Config, ConfigError> {
        let (table, errors) = DeTable::parse_recoverable(&self.text);
        let place = |error: &toml::de::Error| error.span().unwrap_or(0..0);
        // Later ones follow from the first.
        if let Some(first) = errors.iter().min_by_key(|error| place(error).start) {
            let message: Vec<&str> = first.message().split_whitespace().collect();
            return Err(self.error(&place(first), printable(&message.join(" "))));
        }
        if let Some(place) = table.get_ref().values().find_map(text_with_nul) {
            let message = "there is a NUL character in this text, which no program can be given";
            return Err(self.error(&place, message));
        }
        self.check_headings(table.get_ref())?;
        let mut config = Config::deserialize(Deserializer::from(table.clone()))
            .map_err(|error| self.explain(&error, table.get_ref()))?;
        for key in config.match_options.keys() {
            self.check_option(key.get_ref(), &key.span())?;
        }
        for (key, number) in [("count", &config.count), ("repeat", &config.repeat)] {
            let most = greatest(key);
            if let Some(number) = number.as_ref().filter(|it| u64::from(it.get_ref().get()) > most)
            {
                let message = format!("{key} must be a whole number from 1 to {most}");
                return Err(self.error(&number.span(), message));
            }
        }
        if config.name.as_ref().is_some_and(|name| name.trim().is_empty()) {
            let place = table.get_ref().get("name").map(Spanned::span).unwrap_or_default();
            return Err(self.error(&place, "the name is empty; leave the key out"));
        }
        for bots in &mut config.bots {
            let place = bots.span();
            if bots.get_ref().glob.is_none() {
                let message = "this [[bots]] has no glob, a pattern such as \"submissions/*.c\"; \
                               a single bot is a [[bot]]";
                return Err(self.error(&place, message));
            }
            let ConfigBots { name, command, dir, build, .. } = bots.get_ref();
            for text in name.iter().chain(dir).chain(build).chain([command]) {
                let checked = refuse_blanks_in_placeholders(text.get_ref());
                checked.map_err(|why| self.error(&text.span(), why))?;
            }
            let name = &mut bots.get_mut().name;
            name.get_or_insert_with(|| Spanned::new(place, "{stem}".to_owned()));
        }
        Ok(config)
    }
}

/// The greatest value of a number at the top.
fn greatest(key: &str) -> u64 {
    match key {
        "count" => MAX_OPENINGS,
        "repeat" => MAX_REPEATS,
        _ => u32::MAX.into(),
    }
}

fn text_with_nul(value: &Spanned<DeValue<'_>>) -> Option<ConfigPlace> {
    match value.get_ref() {
        DeValue::String(text) => text.contains('\0').then(|| value.span()),
        DeValue::Array(items) => items.iter().find_map(text_with_nul),
        DeValue::Table(table) => table.values().find_map(text_with_nul),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Result<Config, String> {
        let keys = |keys: &str| keys.split(' ').map(str::to_owned).collect();
        let options = OptionKeys {
            of_match: keys("rules move_time sandbox allow_read max_moves"),
            of_tournament: keys("jobs log stop_on_fault update swiss no_sandbox"),
        };
        let source = ConfigSource::new(Path::new("c.toml"), text.to_owned(), options);
        source.read().map_err(|error| error.to_string())
    }

    #[test]
    fn a_whole_configuration_is_read() {
        let config = read(
            r#"
            name = "autumn"
            openings = "random:4"
            count = 0x14
            seed = 1
            [match]
            rules = "ece1021"
            sandbox = true
            max_moves = 300
            allow_read = ["a", "b"]
            [[bots]]
            glob = "submissions/*.c"
            build = "./build.sh {path}"
            command = "build/{stem}"
            [[bot]]
            name = "greedy"
            command = "python3 greedy.py"
            dir = "bots"
            env = { DEPTH = "4" }
            "#,
        )
        .unwrap();
        assert_eq!(config.name.as_deref(), Some("autumn"));
        assert_eq!(config.count.as_ref().map(|count| count.get_ref().get()), Some(20));
        let bots_in_order = config.bots_in_order();
        let options = config.match_options();
        let values: Vec<_> = options.into_iter().map(|o| (o.key, o.value)).collect();
        let expected = [
            ("rules", "ece1021".into()),
            ("sandbox", true.into()),
            ("max_moves", 300.into()),
            ("allow_read", vec!["a", "b"].into()),
        ];
        let expected = expected.map(|(key, value): (&str, toml::Value)| (key.to_owned(), value));
        assert_eq!(values, expected);
        let bots: Vec<_> = bots_in_order.iter().map(|bots| bots.get_ref()).collect();
        assert_eq!(bots.len(), 2);
        assert_eq!(bots[0].glob.as_ref().unwrap().get_ref(), "submissions/*.c");
        assert_eq!(bots[0].name.as_ref().unwrap().get_ref(), "{stem}");
        assert_eq!(bots[1].env[&Spanned::new(0..0, "DEPTH".to_owned())], "4");
    }

    #[test]
    fn every_mistake_has_its_place_and_says_what_was_meant() {
        let cases = [
            ("cuont = 3", "c.toml:1:1: unknown key cuont; did you mean count?"),
            ("\n  colour = 3", "c.toml:2:3: unknown key colour; known are name, dir, format"),
            ("count = \"3\"", "c.toml:1:9: count must be a whole number from 1, not a string"),
            ("max_moves = 3", "c.toml:1:1: unknown key max_moves; it belongs under [match]"),
            ("[match]\nseed = 3", "c.toml:2:1: unknown key seed; it belongs at the top, before"),
            ("[[bot]]\ncheck = true", "c.toml:2:1: unknown key check; it belongs at the top"),
            ("foo.bar = 1", "c.toml:1:1: unknown key foo; known are name, dir, format"),
            (
                "[[bot]]\ncommand = \"x\"\n[match]\nname = \"y\"",
                "c.toml:4:1: unknown key name; it belongs at the top, before the first [heading], or \
                 under [[bots]] or [[bot]]",
            ),
            (
                "command = \"x\"",
                "c.toml:1:1: unknown key command; it belongs under [[bots]] or [[bot]]",
            ),
            ("name = \" \"", "c.toml:1:8: the name is empty; leave the key out"),
            ("jobs = 3", "c.toml:1:1: unknown key jobs; give --jobs on the command line"),
            ("count = 0", "c.toml:1:9: count must be a whole number from 1"),
            ("count = 1000001", "c.toml:1:9: count must be a whole number from 1 to 1000000"),
            ("count = 99999999999", "c.toml:1:9: count must be a whole number from 1 to 1000000"),
            ("repeat = 5000000000", "c.toml:1:10: repeat must be a whole number from 1 to 1000000"),
            ("repeat = 1000001", "c.toml:1:10: repeat must be a whole number from 1 to 1000000"),
            (
                "disqualify_after = 5000000000",
                "c.toml:1:20: disqualify_after must be a whole number from 1 to 4294967295",
            ),
            (
                "[[bot]]\ncommand = \"x\"\nenv = { A = \"b\\u0000\" }",
                "c.toml:3:13: there is a NUL character in this text",
            ),
            ("log = \"x\"", "c.toml:1:1: unknown key log; give --log on the command line"),
            ("stop_on_fault = true", "give --stop-on-fault on the command line"),
            ("update = true", "give --update on the command line"),
            ("swiss = true", "c.toml:1:1: unknown key swiss; write format = \"swiss\" at the top"),
            (
                "[match]\nno_sandbox = true",
                "c.toml:2:1: unknown key no_sandbox; write sandbox = fal",
            ),
            ("[[match]]\nsandbox = true", "c.toml:1:1: write [match], once"),
            ("count = 1.5", "not a float"),
            ("name = 3", "name must be a text in quotes, not an integer"),
            (
                "[match]\nmove-time = \"1s\"",
                "c.toml:2:1: unknown key move-time; did you mean move_time?",
            ),
            ("[match]\nrounds = 10", "c.toml:2:1: rounds is not for a tournament: a match has two"),
            ("bot = 3", "under a heading of its own, [[bot]]"),
            ("[[bot]]\nname = \"x\"", "c.toml:1:1: this [[bot]] has no command"),
            (
                "[[bot]]\nname = \"x\"\nglob = \"y\"",
                "c.toml:3:8: glob makes a bot of each file that it matches; write this under [[bots]]",
            ),
            (
                "[[bots]]\ncommand = \"x\"",
                "has no glob, a pattern such as \"submissions/*.c\"; a single bot is a [[bot]]",
            ),
            (
                "[[bot]]\ncommand = \"x\"\nglob = \"y\"",
                "c.toml:3:8: glob makes a bot of each file that it matches; write this under [[bots]]",
            ),
            (
                "[[bot]]\ncommand = 3",
                "c.toml:2:11: command must be a text in quotes, not an integer",
            ),
            (
                "[bot]\ncommand = \"x\"",
                "c.toml:1:1: write each under a heading of its own, [[bot]]",
            ),
            ("match = 3", "c.toml:1:9: match must be a table, not an integer"),
            ("anonymous = 1", "c.toml:1:13: anonymous must be true or false, not an integer"),
            ("seed = -1", "c.toml:1:8: seed must be a whole number from 0"),
            ("seed = 99999999999999999999", "seed must be a whole number from 0"),
            (
                "[[bot]]\ncommand = \"x\"\nenv = { A = 1 }",
                "c.toml:3:13: A must be a text in quotes",
            ),
            ("[[bots]]\ncomand = \"x\"", "c.toml:2:1: unknown key comand; did you mean command?"),
            (
                "[[bots]]\nglob = \"x\"\ncommand = \"y { path }\"",
                "c.toml:3:11: a placeholder has no blanks; write {path}",
            ),
            ("name = \"a\nb\"", "c.toml:1:"),
            ("name = \"a\"\nname = \"b\"", "c.toml:2:1: duplicate key"),
        ];
        for (text, words) in cases {
            let error = read(text).unwrap_err();
            assert!(error.contains(words), "{text}: {error}");
        }
    }
}
