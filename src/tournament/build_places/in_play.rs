//! What a bot may read in the sandbox while it plays: nothing of another bot's, and nothing that only
//! the name or the place of what was handed in leads to.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use super::{PathOwners, in_folder};
use crate::bot::{BotCommand, ReadablePaths};

impl PathOwners {
    /// What the bot with `command` may read, of a bot that was found with what was `handed_in`.
    /// `program` is this program's file.
    ///
    /// A folder is open to it if it is the bot's own, or if nothing in it is another bot's or the
    /// referee's and it does not lie above what was handed in. Of any other folder the files are that
    /// the command names.
    pub(crate) fn read_in_play(
        &self,
        bot: usize,
        handed_in: Option<&Path>,
        command: &BotCommand,
        program: &Path,
    ) -> ReadablePaths {
        let mut reach = ReadablePaths::of(command, program, &self.strangers_words(bot, handed_in));
        let real = |path: &Path| {
            let folder = path.parent().and_then(|folder| folder.canonicalize().ok());
            folder.zip(path.file_name()).map(|(folder, name)| folder.join(name))
        };
        let place = handed_in.and_then(|path| real(&in_folder(&self.folder, path)));
        let own: Vec<PathBuf> = self.bots[bot].own.iter().filter_map(|path| real(path)).collect();
        let is_open = |folder: &Path| {
            let is_above = place.as_ref().is_some_and(|it| it != folder && it.starts_with(folder));
            own.iter().any(|own| folder.starts_with(own) || own.parent() == Some(folder))
                || self.is_free(folder, bot) && !is_above
        };
        let named = self.bots[bot].all.iter().filter_map(|path| path.canonicalize().ok());
        let named: Vec<PathBuf> = named.collect();
        for paths in [&mut reach.own, &mut reach.tools] {
            let closed: Vec<PathBuf> =
                paths.extract_if(.., |path| !path.is_file() && !is_open(path)).collect();
            for folder in closed {
                let within = named.iter().filter(|path| path.starts_with(&folder));
                let opened: BTreeSet<&Path> = within
                    .filter_map(|path| {
                        let parent = path.parent().filter(|_| path.is_file());
                        let whole = parent.unwrap_or(path);
                        if is_open(whole) { Some(whole) } else { parent.and(Some(path)) }
                    })
                    .collect();
                // What the plan's user names by hand has to be somewhere.
                if opened.is_empty() && place.is_none() {
                    paths.push(folder);
                } else {
                    paths.extend(opened.into_iter().map(Path::to_owned));
                }
            }
        }
        let ReadablePaths { tools, own, .. } = &mut reach;
        tools.retain(|path| !own.iter().any(|own| path.starts_with(own)));
        // The folder of an adapter.
        let shared = reach.own.extract_if(.., |path| self.is_nobodys(path));
        reach.tools.extend(shared);
        reach
    }

    /// Names that whoever handed a bot in has chosen.
    pub(crate) fn strangers_words(&self, bot: usize, handed_in: Option<&Path>) -> BTreeSet<String> {
        let Some(place) = handed_in.map(|path| in_folder(&self.folder, path)) else {
            return BTreeSet::new();
        };
        let above = place.parent().unwrap_or(&place);
        let named = self.bots[bot].all.iter().chain([&place]);
        let inner = named.filter_map(|path| path.strip_prefix(above).ok());
        let parts = inner.flat_map(|path| path.iter().map(Path::new));
        let chosen = parts.flat_map(|part| [part.file_name(), part.file_stem()]).flatten();
        chosen.filter_map(|name| name.to_str()).map(str::to_owned).collect()
    }
}
