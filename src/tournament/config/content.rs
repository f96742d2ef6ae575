//! What a configuration says, key by key. Only types and bounds are checked here.

use std::collections::BTreeMap;
use std::fmt;
use std::ops::Range;

use serde::de::{Error, MapAccess, SeqAccess, Unexpected, Visitor};
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use toml::Spanned;

/// A place in the configuration's text, in bytes.
pub type ConfigPlace = Range<usize>;

/// Most openings of a tournament.
pub const MAX_OPENINGS: u64 = 1_000_000;

/// A whole number from 1 to a million.
pub type Count = WholeNumber<1, MAX_OPENINGS>;

/// A configuration. Its keys are those of the TOML file; all but the bots may be missing.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Config {
    /// What the tournament is called.
    pub name: Option<String>,
    /// What its paths are relative to, if not its own folder.
    pub dir: Option<Spanned<String>>,
    /// `round-robin`, `gauntlet` or `swiss`.
    pub format: Option<Spanned<String>>,
    /// How many of the first bots meet all others.
    pub gauntlet: Option<Spanned<Count>>,
    /// The suite of openings.
    pub openings: Option<Spanned<String>>,
    /// How many openings, or rounds of a Swiss tournament.
    pub count: Option<Spanned<Count>>,
    /// How often a pairing plays each opening.
    pub repeat: Option<Count>,
    /// Draws random openings, and the order of those of a suite.
    pub seed: Option<WholeNumber<0, { u64::MAX }>>,
    /// Faults after which a bot plays no more.
    pub disqualify_after: Option<Count>,
    /// Whether a bot's process plays several matches.
    pub reuse_bots: Option<bool>,
    /// Matches after which such a process is started afresh.
    pub restart_after: Option<Count>,
    /// Whether bots are told no names.
    pub anonymous: Option<bool>,
    /// Whether bots are checked before the first match.
    pub check: Option<bool>,
    /// The terms of a sequential test.
    pub sprt: Option<Spanned<String>>,
    /// The options of `mancala match`.
    #[serde(rename = "match")]
    pub match_options: MatchOptions,
    /// `[[bot]]`: single bots.
    pub bot: Vec<Spanned<ConfigBots>>,
    /// `[[bots]]`: a bot for each file that matches.
    pub bots: Vec<Spanned<ConfigBots>>,
}

impl Config {
    /// `[[bot]]` and `[[bots]]` in the order in which they stand in the file.
    #[must_use]
    pub fn bots_in_order(&self) -> Vec<&Spanned<ConfigBots>> {
        let mut bots: Vec<_> = self.bot.iter().chain(&self.bots).collect();
        bots.sort_by_key(|bots| bots.span().start);
        bots
    }
}

/// One `[[bot]]`, or one `[[bots]]` that stands for as many bots as there are files.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ConfigBots {
    /// The pattern of `[[bots]]`; `None` for `[[bot]]`.
    pub glob: Option<Spanned<String>>,
    /// The name, or what it is made of.
    pub name: Option<Spanned<String>>,
    /// The command line.
    pub command: Spanned<String>,
    /// The working folder.
    pub dir: Option<Spanned<String>>,
    /// Variables of its environment.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub env: BTreeMap<VariableName, String>,
    /// The command line of its build.
    pub build: Option<Spanned<String>>,
}

/// The name of an environment variable: not empty, without `=` and NUL.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(try_from = "String")]
pub struct VariableName(pub String);

impl TryFrom<String> for VariableName {
    type Error = String;

    fn try_from(name: String) -> Result<VariableName, String> {
        if name.is_empty() || name.contains(['=', '\0']) {
            return Err(format!("{name:?} cannot be a variable's name"));
        }
        Ok(VariableName(name))
    }
}

/// A whole number from `LEAST` to `MOST`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(transparent)]
pub struct WholeNumber<const LEAST: u64, const MOST: u64>(pub u64);

impl Count {
    /// The number, which is at most a million.
    #[must_use]
    pub fn small(self) -> u32 {
        u32::try_from(self.0).unwrap_or(u32::MAX)
    }
}

impl<'de, const LEAST: u64, const MOST: u64> Deserialize<'de> for WholeNumber<LEAST, MOST> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_u64(WholeNumberVisitor::<LEAST, MOST>)
    }
}

struct WholeNumberVisitor<const LEAST: u64, const MOST: u64>;

impl<const LEAST: u64, const MOST: u64> Visitor<'_> for WholeNumberVisitor<LEAST, MOST> {
    type Value = WholeNumber<LEAST, MOST>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "a whole number from {LEAST}")?;
        if MOST < u64::MAX { write!(f, " to {MOST}") } else { Ok(()) }
    }

    fn visit_i64<E: Error>(self, number: i64) -> Result<Self::Value, E> {
        match u64::try_from(number) {
            Ok(number) => self.visit_u64(number),
            Err(_) => Err(E::invalid_value(Unexpected::Signed(number), &self)),
        }
    }

    fn visit_u64<E: Error>(self, number: u64) -> Result<Self::Value, E> {
        if (LEAST..=MOST).contains(&number) {
            Ok(WholeNumber(number))
        } else {
            Err(E::invalid_value(Unexpected::Unsigned(number), &self))
        }
    }
}

/// A key of `[match]`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MatchOption {
    /// The key, with `_` for `-`.
    pub key: String,
    /// What it is set to.
    pub value: OptionValue,
    /// Where it stands.
    pub place: ConfigPlace,
}

/// What an option is set to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum OptionValue {
    /// `true` or `false`.
    Switch(bool),
    /// One value, or several of an option that can be repeated.
    Texts(Vec<String>),
}

/// The keys of `[match]`, in their order.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct MatchOptions(pub Vec<MatchOption>);

impl Serialize for MatchOptions {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map(self.0.iter().map(|option| (&option.key, &option.value)))
    }
}

impl<'de> Deserialize<'de> for MatchOptions {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<MatchOptions, D::Error> {
        deserializer.deserialize_map(MatchOptionsVisitor)
    }
}

struct MatchOptionsVisitor;

impl<'de> Visitor<'de> for MatchOptionsVisitor {
    type Value = MatchOptions;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a table")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<MatchOptions, A::Error> {
        let mut options = Vec::new();
        while let Some((key, value)) = map.next_entry::<Spanned<String>, _>()? {
            let place = key.span();
            options.push(MatchOption { key: key.into_inner(), value, place });
        }
        options.sort_by_key(|option| option.place.start);
        Ok(MatchOptions(options))
    }
}

impl Serialize for OptionValue {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            OptionValue::Switch(switch) => switch.serialize(serializer),
            OptionValue::Texts(texts) => match texts.as_slice() {
                [text] => text.serialize(serializer),
                texts => texts.serialize(serializer),
            },
        }
    }
}

impl<'de> Deserialize<'de> for OptionValue {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<OptionValue, D::Error> {
        deserializer.deserialize_any(OptionValueVisitor)
    }
}

struct OptionValueVisitor;

impl<'de> Visitor<'de> for OptionValueVisitor {
    type Value = OptionValue;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a text, a number, true or false")
    }

    fn visit_bool<E: Error>(self, switch: bool) -> Result<OptionValue, E> {
        Ok(OptionValue::Switch(switch))
    }

    fn visit_i64<E: Error>(self, number: i64) -> Result<OptionValue, E> {
        self.visit_str(&number.to_string())
    }

    fn visit_u64<E: Error>(self, number: u64) -> Result<OptionValue, E> {
        self.visit_str(&number.to_string())
    }

    fn visit_str<E: Error>(self, text: &str) -> Result<OptionValue, E> {
        Ok(OptionValue::Texts(vec![text.to_owned()]))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut items: A) -> Result<OptionValue, A::Error> {
        let mut texts = Vec::new();
        while let Some(text) = items.next_element()? {
            texts.push(text);
        }
        Ok(OptionValue::Texts(texts))
    }
}
