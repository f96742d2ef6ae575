//! Folders of the machine that played a contest, which nobody else is to read of.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use crate::contest::{PlanFields, PlannedBot};

/// What is at the same place on most machines.
pub const SYSTEM_FOLDERS: [&str; 5] = ["/usr", "/bin", "/sbin", "/lib", "/lib64"];

/// The folders of a contest in `folder`: that one, those outside it in which its bots are, and the
/// user's home.
pub fn folders_of_contest(plan: &PlanFields, folder: &Path) -> Vec<PathBuf> {
    let all = plan.bots.iter().flat_map(|bot| folders_of_bot(bot, folder));
    let mut beside: BTreeMap<PathBuf, BTreeSet<PathBuf>> = BTreeMap::new();
    for place in all.filter(|place| !place.starts_with(folder)) {
        beside.entry(place.parent().unwrap_or(&place).to_owned()).or_default().insert(place);
    }
    let mut folders = vec![folder.to_owned()];
    for (parent, places) in beside {
        // The names of bots' folders tell whose it is.
        let is_of_several = places.len() > 1 && parent.parent().is_some();
        folders.extend(if is_of_several { BTreeSet::from([parent]) } else { places });
    }
    if let Some(home) = std::env::home_dir() {
        folders.extend(home.canonicalize());
        folders.push(home);
    }
    folders
}

/// Where the bot's folder is, and each file that its commands name by a path, with links and without.
fn folders_of_bot(bot: &PlannedBot, folder: &Path) -> Vec<PathBuf> {
    let own = bot.folder.as_ref().map(|own| folder.join(own));
    let words = bot.command.iter().chain(&bot.build).filter(|word| word.contains('/'));
    let files = words.map(|word| folder.join(word));
    let files = files.filter(|file| !SYSTEM_FOLDERS.iter().any(|system| file.starts_with(system)));
    let named = own.into_iter().chain(files);
    let real = |place: PathBuf| {
        let real = place.canonicalize().ok();
        [Some(place), real].into_iter().flatten()
    };
    named.flat_map(real).filter_map(|place| place.parent().map(Path::to_owned)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn where_the_system_has_its_programs_is_no_secret() {
        let of = |word: &str| {
            let command = vec![word.to_owned(), "x".to_owned()];
            folders_of_bot(&PlannedBot { command, ..PlannedBot::default() }, Path::new("/contest"))
        };
        for word in ["/usr/bin/python3", "/lib/ld.so", "/lib64/ld-linux-x86-64.so.2"] {
            assert!(of(word).is_empty(), "{word}");
        }
        assert_eq!(of("/nosuch/ann/bot"), [PathBuf::from("/nosuch/ann")]);
    }
}
