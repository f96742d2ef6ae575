//! The patterns of a configuration that find bots. When a tournament goes on they are searched again,
//! and may then find what a build has made.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};
use toml::Spanned;

use super::config::Config;
use super::file_search::{WantedFiles, find_files};

/// A `[[bots]]` of a configuration.
#[derive(Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct BotPattern {
    /// What finds its bots.
    pub glob: String,
    /// What each is run by, with words to be filled in.
    pub command: String,
}

/// A file that would be taken for a bot.
#[derive(Clone, PartialEq, Eq)]
pub(super) struct FoundBot {
    pub(super) glob: String,
    /// The command that would run it.
    pub(super) command: Vec<String>,
}

impl BotPattern {
    /// Those of a configuration.
    pub(crate) fn of(config: &Config) -> Vec<BotPattern> {
        let of_bots = |bots: &Spanned<super::config::ConfigBots>| {
            let bots = bots.get_ref();
            let glob = bots.glob.as_ref()?.get_ref().clone();
            Some(BotPattern { glob, command: bots.command.get_ref().clone() })
        };
        config.bots.iter().filter_map(of_bots).collect()
    }

    /// What `patterns`, which are relative to `folder`, find in `places`, by its whole path.
    pub(super) fn find_in(
        patterns: &[BotPattern],
        folder: &Path,
        places: &BTreeSet<PathBuf>,
    ) -> BTreeMap<PathBuf, FoundBot> {
        let folder = folder.canonicalize().unwrap_or_else(|_| folder.to_owned());
        let mut all = BTreeMap::new();
        for BotPattern { glob, command } in patterns {
            let wanted = WantedFiles::Bots { follows_links: false };
            let found = find_files(glob, &folder, wanted).unwrap_or_default();
            for file in found.into_iter().flatten() {
                let path = folder.join(file.path());
                if !places.iter().any(|place| path.starts_with(place)) {
                    continue;
                }
                let words = shell_words::split(command).unwrap_or_default();
                let command = words.iter().filter_map(|word| file.fill_word(word).ok()).collect();
                all.insert(path, FoundBot { glob: glob.clone(), command });
            }
        }
        all
    }
}
