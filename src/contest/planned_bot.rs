//! A bot as a plan has it.

use std::collections::BTreeMap;
use std::path::PathBuf;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::record::{BotRecord, bot_name};

/// A bot of a plan.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct PlannedBot {
    /// Its name, unique in the plan; at most 40 characters.
    #[serde(deserialize_with = "bot_name")]
    pub name: String,
    /// The words of its command line.
    #[serde(default)]
    pub command: Vec<String>,
    /// Its working folder, relative to the plan's.
    #[serde(rename = "dir", skip_serializing_if = "Option::is_none")]
    pub folder: Option<PathBuf>,
    /// Variables of its environment.
    #[serde(rename = "env", default, skip_serializing_if = "BTreeMap::is_empty")]
    pub environment: BTreeMap<String, String>,
    /// The command that builds it, run in the plan's folder.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub build: Vec<String>,
    /// Patterns of files that are part of its version, beside those that its command line names.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub files: Vec<String>,
    /// The name of the bot of which it is an earlier version, kept by `--keep-old`. Its own name is
    /// that name, `~` and its number, from 1 for the first version.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub version_of: Option<String>,
}

impl PlannedBot {
    /// Whether it is one of this program's own bots.
    pub fn is_builtin(&self) -> bool {
        is_builtin(&self.command)
    }

    /// The name under which its pairings are drawn: all versions of a bot have the same.
    pub fn drawn_name(&self) -> &str {
        self.version_of.as_deref().unwrap_or(&self.name)
    }

    /// The bot with a command line that starts it in its folder, its variables in it.
    pub fn as_started(&self) -> BotRecord {
        let variables = self.environment.iter().map(|(name, value)| format!("{name}={value}"));
        let mut command: Vec<String> = variables.collect();
        if !command.is_empty() {
            command.insert(0, "env".to_owned());
        }
        command.extend(self.command.iter().cloned());
        BotRecord { name: self.name.clone(), command, ..BotRecord::default() }
    }

    /// In words, what else it has than `earlier`, which has its name.
    pub(super) fn other_settings(&self, earlier: &PlannedBot) -> Vec<&'static str> {
        let settings = [
            (self.command != earlier.command, "another command line"),
            (self.folder != earlier.folder, "another dir"),
            (self.environment != earlier.environment, "another env"),
            (self.build != earlier.build, "another build command"),
            (self.files != earlier.files, "another list of files"),
            (self.version_of != earlier.version_of, "another version_of"),
        ];
        settings.into_iter().filter_map(|(differs, words)| differs.then_some(words)).collect()
    }

    /// The number of an earlier version, `u32::MAX` for the bot itself.
    pub fn version_number(&self) -> u32 {
        let number = |_| self.name.rsplit_once('~')?.1.parse().ok();
        self.version_of.as_ref().and_then(number).unwrap_or(u32::MAX)
    }
}

fn is_builtin(command: &[String]) -> bool {
    command.first().is_some_and(|program| program.starts_with("builtin:"))
}

/// A command without what makes no other version of a bot: a built-in bot's `--seed`.
pub fn without_seed(mut command: Vec<String>) -> Vec<String> {
    if is_builtin(&command) {
        command.retain(|word| !word.starts_with("--seed="));
        if let Some(at) = command.iter().position(|word| word == "--seed") {
            command.drain(at..command.len().min(at + 2));
        }
    }
    command
}
