//! What a configuration says, key by key.

use std::collections::BTreeMap;
use std::ops::Range;

/// A place in the configuration's text.
pub type Place = Range<usize>;

/// What a configuration says; nothing of it is judged beyond its type.
#[derive(Clone, Debug, Default)]
pub struct Config {
    /// `name`.
    pub name: Option<String>,
    /// `dir`: what its paths are relative to, where that is not its own folder.
    pub folder: Option<(String, Place)>,
    /// `format`: round-robin, gauntlet or swiss.
    pub format: Option<(String, Place)>,
    /// `gauntlet`: how many of the first bots meet all others.
    pub gauntlet: Option<(usize, Place)>,
    /// `openings`.
    pub openings: Option<(String, Place)>,
    /// `count`.
    pub count: Option<(u64, Place)>,
    /// `repeat`.
    pub repeat: Option<u64>,
    /// `seed`.
    pub seed: Option<u64>,
    /// `disqualify_after`.
    pub disqualify_after: Option<u32>,
    /// `reuse_bots`.
    pub reuse_bots: Option<bool>,
    /// `restart_after`.
    pub restart_after: Option<u32>,
    /// `anonymous`.
    pub anonymous: Option<bool>,
    /// `check`.
    pub check: Option<bool>,
    /// `sprt`.
    pub sprt: Option<(String, Place)>,
    /// The keys of `[match]`, as options of `mancala match`.
    pub match_options: Vec<MatchOption>,
    /// `[[bot]]` and `[[bots]]`, in their order.
    pub bots: Vec<ConfigBots>,
}

/// A key of `[match]`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MatchOption {
    /// The key, with `_` for `-`.
    pub key: String,
    /// What it is set to.
    pub value: OptionValue,
    /// Where it stands.
    pub place: Place,
}

/// What an option is set to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum OptionValue {
    /// `true` or `false`.
    Switch(bool),
    /// One value, or several of an option that can be repeated.
    Texts(Vec<String>),
}

/// One `[[bot]]`, or one `[[bots]]` that stands for as many bots as there are files.
#[derive(Clone, Debug)]
pub struct ConfigBots {
    /// The pattern of `[[bots]]`; none for `[[bot]]`.
    pub glob: Option<(String, Place)>,
    /// The name, or what it is made of.
    pub name: Option<(String, Place)>,
    /// The command line.
    pub command: (String, Place),
    /// The command line of its build.
    pub build: Option<(String, Place)>,
    /// The working folder.
    pub folder: Option<(String, Place)>,
    /// Variables of its environment.
    pub environment: BTreeMap<String, String>,
    /// Where it stands.
    pub place: Place,
}
