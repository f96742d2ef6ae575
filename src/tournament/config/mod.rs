//! A tournament's configuration: TOML in, with the place of every mistake.

mod content;
mod field;

use std::collections::BTreeMap;
use std::fmt;
use std::path::{Path, PathBuf};

use toml::de::{DeTable, DeValue};

use crate::text::printable;
pub use content::{Config, ConfigBots, MatchOption, OptionValue, Place};
use field::Field;

/// A mistake in a configuration, and where it stands.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ConfigError {
    /// The file.
    pub path: PathBuf,
    /// Line and column, from 1, where they are known.
    pub place: Option<(usize, usize)>,
    /// What is wrong, and what to do.
    pub message: String,
}

impl fmt::Display for ConfigError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", printable(&self.path.to_string_lossy()))?;
        if let Some((line, column)) = self.place {
            write!(f, ":{line}:{column}")?;
        }
        write!(f, ": {}", self.message)
    }
}

impl std::error::Error for ConfigError {}

/// A configuration with its text, for messages that name a place in it.
#[derive(Clone, Debug)]
pub struct Source {
    path: PathBuf,
    text: String,
}

/// Most openings of a tournament.
pub const MAX_OPENINGS: u64 = 1_000_000;

/// Keys at the top of a configuration.
const KEYS: [&str; 17] = [
    "name",
    "dir",
    "format",
    "gauntlet",
    "openings",
    "count",
    "repeat",
    "seed",
    "disqualify_after",
    "reuse_bots",
    "restart_after",
    "anonymous",
    "check",
    "sprt",
    "match",
    "bot",
    "bots",
];

/// Keys of a `[[bot]]`, and of a `[[bots]]` beside `glob`.
const BOT_KEYS: [&str; 5] = ["name", "command", "dir", "env", "build"];

/// Options of `mancala tournament` that are no part of a plan.
const NOT_OF_A_PLAN: [&str; 14] = [
    "jobs",
    "cores",
    "cores_per_match",
    "oversubscribe",
    "build_time",
    "check_time",
    "record",
    "resume",
    "shard",
    "events",
    "feedback",
    "strict",
    "quiet",
    "rank_by",
];

/// Options of `mancala match` that a tournament decides itself, and what to use instead.
const DECIDED: [(&str, &str); 8] = [
    ("opening", "set openings at the top, as in openings = \"file:PATH\""),
    ("first", "each bot begins one round of every match"),
    ("rounds", "a match has two rounds; set count or repeat at the top for more matches"),
    ("record", "give --record FILE on the command line"),
    ("log", "play one match again with mancala match --log"),
    ("format", "give --format on the command line, or set format at the top"),
    ("verbose", "follow a tournament with --events"),
    ("strict", "give --strict on the command line"),
];

impl Source {
    /// A configuration's text.
    #[must_use]
    pub fn new(path: &Path, text: String) -> Source {
        Source { path: path.to_owned(), text }
    }

    /// A mistake at this place.
    #[must_use]
    pub fn error(&self, place: &Place, message: impl Into<String>) -> ConfigError {
        let before = &self.text[..place.start.min(self.text.len())];
        let line = before.matches('\n').count() + 1;
        let column = before.rsplit('\n').next().unwrap_or("").chars().count() + 1;
        let message = message.into();
        ConfigError { path: self.path.clone(), place: Some((line, column)), message }
    }

    /// Reads the configuration. `options` are the keys that `[match]` may have.
    ///
    /// # Errors
    ///
    /// The first mistake.
    pub fn read(&self, options: &[String]) -> Result<Config, ConfigError> {
        let (table, errors) = DeTable::parse_recoverable(&self.text);
        let place = |error: &toml::de::Error| error.span().unwrap_or(0..0);
        // Later ones follow from the first.
        if let Some(first) = errors.iter().min_by_key(|error| place(error).start) {
            let message: Vec<&str> = first.message().split_whitespace().collect();
            return Err(self.error(&place(first), printable(&message.join(" "))));
        }
        let mut config = Config::default();
        let mut bots = Vec::new();
        for (key, value) in table.get_ref() {
            let field = Field { source: self, key: key.get_ref(), value };
            match key.get_ref().as_ref() {
                "name" => config.name = Some(field.text()?),
                "dir" => config.folder = Some((field.text()?, value.span())),
                "format" => config.format = Some((field.text()?, value.span())),
                "gauntlet" => {
                    config.gauntlet = Some((field.number(1, 1_000_000)?, value.span()));
                }
                "openings" => config.openings = Some((field.text()?, value.span())),
                "count" => config.count = Some((field.number(1, MAX_OPENINGS)?, value.span())),
                "repeat" => config.repeat = Some(field.number(1, 1_000_000)?),
                "seed" => config.seed = Some(field.number(0, u64::MAX)?),
                "disqualify_after" => {
                    config.disqualify_after = Some(field.number(1, 1_000_000)?);
                }
                "reuse_bots" => config.reuse_bots = Some(field.switch()?),
                "restart_after" => config.restart_after = Some(field.number(1, 1_000_000)?),
                "anonymous" => config.anonymous = Some(field.switch()?),
                "check" => config.check = Some(field.switch()?),
                "sprt" => config.sprt = Some((field.text()?, value.span())),
                "match" => config.match_options = self.match_options(&field, options)?,
                "bot" => bots.extend(self.bots(&field, false, options)?),
                "bots" => bots.extend(self.bots(&field, true, options)?),
                unknown => return Err(self.unknown(&key.span(), unknown, &KEYS, options)),
            }
        }
        bots.sort_by_key(|bots: &ConfigBots| bots.place.start);
        config.bots = bots;
        Ok(config)
    }

    fn match_options(
        &self,
        field: &Field<'_>,
        options: &[String],
    ) -> Result<Vec<MatchOption>, ConfigError> {
        let mut found = Vec::new();
        for (key, value) in field.table()? {
            let name = key.get_ref().as_ref();
            if let Some((_, instead)) = DECIDED.iter().find(|(decided, _)| *decided == name) {
                let message = format!("{name} is not for a tournament: {instead}");
                return Err(self.error(&key.span(), message));
            }
            if !options.iter().any(|option| option == name) {
                let keys: Vec<&str> = options.iter().map(String::as_str).collect();
                return Err(self.unknown(&key.span(), name, &keys, options));
            }
            let field = Field { source: self, key: name, value };
            let value = match value.get_ref() {
                DeValue::Boolean(switch) => OptionValue::Switch(*switch),
                DeValue::Array(_) => OptionValue::Texts(field.texts()?),
                DeValue::Integer(number) => OptionValue::Texts(vec![number.to_string()]),
                DeValue::String(text) => OptionValue::Texts(vec![text.to_string()]),
                _ => return Err(field.wrong_type("a text, a number, true or false")),
            };
            found.push(MatchOption { key: name.to_owned(), value, place: key.span() });
        }
        found.sort_by_key(|option| option.place.start);
        Ok(found)
    }

    fn bots(
        &self,
        field: &Field<'_>,
        several: bool,
        options: &[String],
    ) -> Result<Vec<ConfigBots>, ConfigError> {
        let heading = if several { "[[bots]]" } else { "[[bot]]" };
        let DeValue::Array(tables) = field.value.get_ref() else {
            let message = format!("write each under a heading of its own, {heading}");
            return Err(self.error(&field.value.span(), message));
        };
        let mut found = Vec::new();
        for table in tables {
            let field = Field { source: self, key: field.key, value: table };
            found.push(self.bot(&field, several, heading, options)?);
        }
        Ok(found)
    }

    fn bot(
        &self,
        bot: &Field<'_>,
        several: bool,
        heading: &str,
        options: &[String],
    ) -> Result<ConfigBots, ConfigError> {
        let (mut glob, mut name, mut command, mut build) = (None, None, None, None);
        let (mut folder, mut environment) = (None, BTreeMap::new());
        for (key, value) in bot.table()? {
            let field = Field { source: self, key: key.get_ref(), value };
            let text = || Ok::<_, ConfigError>(Some((field.text()?, value.span())));
            match key.get_ref().as_ref() {
                "glob" if several => glob = text()?,
                "name" => name = text()?,
                "command" => command = text()?,
                "build" => build = text()?,
                "dir" => folder = text()?,
                "env" => environment = field.variables()?,
                unknown => {
                    let glob = several.then_some("glob");
                    let keys: Vec<&str> = glob.into_iter().chain(BOT_KEYS).collect();
                    return Err(self.unknown(&key.span(), unknown, &keys, options));
                }
            }
        }
        let place = bot.value.span();
        let missing = |key: &str| self.error(&place, format!("this {heading} has no {key}"));
        if several && glob.is_none() {
            return Err(missing(
                "glob, a pattern such as \"submissions/*.c\"; a single bot is a [[bot]]",
            ));
        }
        if several && name.is_none() {
            name = Some(("{stem}".to_owned(), place.clone()));
        }
        let command = command.ok_or_else(|| missing("command"))?;
        Ok(ConfigBots { glob, name, command, build, folder, environment, place })
    }

    /// A key that is none of `keys`. `options` are those of `[match]`.
    fn unknown(&self, place: &Place, key: &str, keys: &[&str], options: &[String]) -> ConfigError {
        let plain = key.replace('-', "_");
        let near = keys
            .iter()
            .map(|known| (strsim::damerau_levenshtein(&plain, known), known))
            .filter(|(distance, known)| *distance <= 2.max(known.len() / 3))
            .min();
        let meant = match near {
            Some((0, known)) => format!("did you mean {known}?"),
            // A key of another place is no misspelt one.
            _ if options.contains(&plain) => "it belongs under [match]".to_owned(),
            _ if KEYS.contains(&&*plain) => {
                "it belongs at the top, before the first [heading]".to_owned()
            }
            _ if NOT_OF_A_PLAN.contains(&&*plain) => {
                format!("give --{} on the command line", plain.replace('_', "-"))
            }
            Some((_, known)) => format!("did you mean {known}?"),
            None => format!("known are {}", keys.join(", ")),
        };
        self.error(place, format!("unknown key {}; {meant}", printable(key)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Result<Config, String> {
        let options = ["rules", "move_time", "sandbox", "allow_read", "max_moves"];
        let source = Source::new(Path::new("c.toml"), text.to_owned());
        source.read(&options.map(str::to_owned)).map_err(|error| error.to_string())
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
        assert_eq!(config.count.map(|(count, _)| count), Some(20));
        let values: Vec<_> = config.match_options.into_iter().map(|o| (o.key, o.value)).collect();
        let texts = |texts: &[&str]| OptionValue::Texts(texts.iter().map(|&t| t.into()).collect());
        assert_eq!(
            values,
            [
                ("rules".to_owned(), texts(&["ece1021"])),
                ("sandbox".to_owned(), OptionValue::Switch(true)),
                ("max_moves".to_owned(), texts(&["300"])),
                ("allow_read".to_owned(), texts(&["a", "b"])),
            ]
        );
        assert_eq!(config.bots.len(), 2);
        assert_eq!(config.bots[0].glob.as_ref().unwrap().0, "submissions/*.c");
        assert_eq!(config.bots[0].name.as_ref().unwrap().0, "{stem}");
        assert_eq!(config.bots[1].environment["DEPTH"], "4");
    }

    #[test]
    fn every_mistake_has_its_place_and_says_what_was_meant() {
        let cases = [
            ("cuont = 3", "c.toml:1:1: unknown key cuont; did you mean count?"),
            ("\n  colour = 3", "c.toml:2:3: unknown key colour; known are name, dir, format"),
            (
                "count = \"3\"",
                "c.toml:1:9: count must be a whole number from 1 to 1000000, not a string",
            ),
            ("max_moves = 3", "c.toml:1:1: unknown key max_moves; it belongs under [match]"),
            ("[match]\nseed = 3", "c.toml:2:1: unknown key seed; it belongs at the top, before"),
            ("[[bot]]\ncheck = true", "c.toml:2:1: unknown key check; it belongs at the top"),
            ("jobs = 3", "c.toml:1:1: unknown key jobs; give --jobs on the command line"),
            ("count = 0", "c.toml:1:9: count must be a whole number from 1"),
            ("count = 1.5", "not a float"),
            ("name = 3", "name must be a text in quotes, not an integer"),
            (
                "[match]\nmove-time = \"1s\"",
                "c.toml:2:1: unknown key move-time; did you mean move_time?",
            ),
            ("[match]\nrounds = 10", "c.toml:2:1: rounds is not for a tournament: a match has two"),
            ("[match]\nrules = 1.5", "rules must be a text, a number, true or false"),
            ("bot = 3", "under a heading of its own, [[bot]]"),
            ("[[bot]]\nname = \"x\"", "c.toml:1:1: this [[bot]] has no command"),
            (
                "[[bots]]\ncommand = \"x\"",
                "has no glob, a pattern such as \"submissions/*.c\"; a single bot is a [[bot]]",
            ),
            ("[[bot]]\ncommand = \"x\"\nglob = \"y\"", "c.toml:3:1: unknown key glob"),
            ("[[bot]]\ncommand = \"x\"\nenv = { \"A=\" = \"y\" }", "cannot be a variable's name"),
            ("name = \"a\nb\"", "c.toml:1:"),
            ("name = \"a\"\nname = \"b\"", "c.toml:2:1: duplicate key"),
        ];
        for (text, words) in cases {
            let error = read(text).unwrap_err();
            assert!(error.contains(words), "{text}: {error}");
        }
    }
}
