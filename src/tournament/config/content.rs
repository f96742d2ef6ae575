//! What a configuration says, key by key. Only types and bounds are checked here.

use std::collections::BTreeMap;
use std::num::NonZeroU32;
use std::ops::Range;

use schemars::JsonSchema;
use serde::Deserialize;
use toml::{Spanned, Value};

use super::bounds;
use crate::tournament::placeholders::PLACEHOLDERS;

/// A place in the configuration's text, in bytes.
pub(crate) type ConfigPlace = Range<usize>;

/// Most openings of a tournament.
pub(crate) const MAX_OPENINGS: u64 = 1_000_000;

/// Most times that a pairing plays each opening.
pub(crate) const MAX_REPEATS: u64 = 1_000_000;

/// The values of `format`.
pub(super) const FORMATS: [&str; 3] = ["round-robin", "gauntlet", "swiss"];

/// A configuration. Its keys are those of the TOML file; all but the bots may be missing.
#[derive(Clone, Debug, Default, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
#[schemars(extend("dependentSchemas" = bounds::keys_that_need_others()))]
pub(crate) struct Config {
    /// What the tournament is called.
    #[schemars(extend("pattern" = bounds::TEXT))]
    pub name: Option<String>,
    /// Folder that the config's paths are relative to. [default: the folder of the config]
    #[schemars(with = "Option<String>")]
    pub dir: Option<Spanned<String>>,
    /// `round-robin`, `gauntlet` or `swiss`.
    #[schemars(with = "Option<String>", extend("default" = "round-robin", "enum" = FORMATS))]
    pub format: Option<Spanned<String>>,
    /// In a gauntlet, how many of the first bots meet all others. Without `format` it asks for a gauntlet.
    #[schemars(with = "Option<NonZeroU32>", extend("default" = 1, "maximum" = u32::MAX))]
    pub gauntlet: Option<Spanned<NonZeroU32>>,
    /// The suite of openings: `standard`, `random:PLIES`, `fairkalah` or `file:PATH`.
    #[schemars(with = "Option<String>", extend("default" = "standard", "pattern" = bounds::OPENINGS))]
    pub openings: Option<Spanned<String>>,
    /// How many openings, or rounds of a Swiss tournament, each from an opening of its own.
    #[schemars(with = "Option<NonZeroU32>", extend("default" = 1, "maximum" = MAX_OPENINGS))]
    pub count: Option<Spanned<NonZeroU32>>,
    /// How often a pairing plays each opening.
    #[schemars(with = "Option<NonZeroU32>", extend("default" = 1, "maximum" = MAX_REPEATS))]
    pub repeat: Option<Spanned<NonZeroU32>>,
    /// Seed of random openings, and of the order of a suite's or file's openings.
    #[schemars(extend("default" = 1, "maximum" = u64::MAX))]
    pub seed: Option<u64>,
    /// Faults after which a bot is disqualified.
    #[schemars(extend("maximum" = u32::MAX))]
    pub disqualify_after: Option<NonZeroU32>,
    /// Whether a bot's process plays several matches.
    #[schemars(extend("default" = false))]
    pub reuse_bots: Option<bool>,
    /// With `reuse_bots`: matches after which a bot's process is restarted.
    #[schemars(with = "Option<NonZeroU32>", extend("maximum" = u32::MAX))]
    pub restart_after: Option<Spanned<NonZeroU32>>,
    /// Whether names are hidden from bots.
    #[schemars(extend("default" = false))]
    pub anonymous: Option<bool>,
    /// Whether bots are checked before the first match.
    #[schemars(extend("default" = false))]
    pub check: Option<bool>,
    /// The terms of a sequential test between two bots, such as `elo0=0,elo1=10`.
    #[schemars(with = "Option<String>", extend("pattern" = bounds::SPRT))]
    pub sprt: Option<Spanned<String>>,
    /// Options of each match.
    #[serde(rename = "match")]
    #[schemars(with = "BTreeMap<String, serde_json::Value>")]
    pub match_options: BTreeMap<Spanned<String>, Spanned<Value>>,
    /// `[[bot]]`: single bots.
    #[schemars(with = "Vec<ConfigBots>", extend("items" = bounds::single_bot()))]
    pub bot: Vec<Spanned<ConfigBots>>,
    /// `[[bots]]`: a bot for each file that matches.
    #[schemars(with = "Vec<ConfigBots>", extend("items" = bounds::bots_of_pattern()))]
    pub bots: Vec<Spanned<ConfigBots>>,
}

impl Config {
    /// The keys of `[match]` in the order in which they stand in the file.
    pub(crate) fn match_options(&self) -> Vec<MatchOption> {
        let option = |(key, value): (&Spanned<String>, &Spanned<Value>)| MatchOption {
            key: key.get_ref().clone(),
            value: value.get_ref().clone(),
            place: value.span(),
        };
        let mut options: Vec<_> = self.match_options.iter().map(option).collect();
        options.sort_by_key(|option| option.place.start);
        options
    }

    /// `[[bot]]` and `[[bots]]` in the order in which they stand in the file.
    pub(crate) fn bots_in_order(&self) -> Vec<&Spanned<ConfigBots>> {
        let mut bots: Vec<_> = self.bot.iter().chain(&self.bots).collect();
        bots.sort_by_key(|bots| bots.span().start);
        bots
    }
}

/// One `[[bot]]`, or one `[[bots]]` that stands for as many bots as there are files.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct ConfigBots {
    /// The pattern of `[[bots]]`, such as `submissions/*/bot.c`; `[[bot]]` has none.
    #[schemars(with = "Option<String>", extend("pattern" = bounds::PATTERN))]
    pub glob: Option<Spanned<String>>,
    /// The name, or what it is made of. For `[[bot]]` the default is made from its
    /// command. [default: {stem}]
    #[schemars(with = "Option<String>", extend("placeholders" = PLACEHOLDERS))]
    pub name: Option<Spanned<String>>,
    /// The command line.
    #[schemars(with = "String", extend("placeholders" = PLACEHOLDERS, "pattern" = bounds::TEXT))]
    pub command: Spanned<String>,
    /// The working folder. [default: the top-level dir]
    #[schemars(with = "Option<String>", extend("placeholders" = PLACEHOLDERS, "pattern" = bounds::NO_NUL))]
    pub dir: Option<Spanned<String>>,
    /// Variables of its environment.
    #[serde(default)]
    #[schemars(with = "BTreeMap<String, String>", extend("placeholders" = PLACEHOLDERS,
               "propertyNames" = bounds::variable(), "additionalProperties" = bounds::texts(bounds::NO_NUL)))]
    pub env: BTreeMap<Spanned<String>, String>,
    /// The command line that builds the bot. It runs in the top-level `dir`, and in the sandbox if the bots do.
    #[schemars(with = "Option<String>", extend("placeholders" = PLACEHOLDERS, "pattern" = bounds::TEXT))]
    pub build: Option<Spanned<String>>,
    /// Patterns of files that are part of its version, such as `src/**`, besides those named in
    /// `command` or `build`.
    #[serde(default)]
    #[schemars(with = "Vec<String>", extend("placeholders" = PLACEHOLDERS, "items" = bounds::texts(bounds::PATTERN)))]
    pub files: Vec<Spanned<String>>,
}

/// A key of `[match]`.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct MatchOption {
    /// The key, with `_` for `-`.
    pub key: String,
    /// What it is set to.
    pub value: Value,
    /// Where its value stands.
    pub place: ConfigPlace,
}
