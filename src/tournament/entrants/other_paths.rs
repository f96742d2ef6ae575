//! Files whose names, filled in as words, would be paths of others: `ann.c` where a command has
//! `{stem}` and another bot's folder is `ann`.

use std::path::Path;

use super::HandedIn;
use crate::bot::BotCommand;
use crate::tournament::build_places::{in_folder, path_parts};
use crate::tournament::fields::placeholder_in;

/// A name without a slash that these texts of commands make of the file and that stands in `folder`
/// or in the bot's own folder for something that was not handed in with it.
pub(super) fn path_of_another(
    found: &HandedIn,
    texts: [Option<&String>; 2],
    command: &BotCommand,
    folder: &Path,
) -> Option<String> {
    let place = command.folder.as_ref().map_or(folder.to_owned(), |own| in_folder(folder, own));
    let program = command.words().first().filter(|word| word.contains('/'));
    // A build may put it into the folder of all.
    let program = program.map(|word| in_folder(&place, Path::new(word)));
    let handed_in = in_folder(folder, &found.handed_in());
    let is_of_another = |name: &String| {
        !name.contains('/')
            && [folder, &place].into_iter().any(|folder| {
                let path = in_folder(folder, Path::new(name));
                path.symlink_metadata().is_ok()
                    && path != folder
                    && !path.starts_with(&handed_in)
                    && program.as_ref() != Some(&path)
            })
    };
    let words = texts.into_iter().flatten().filter_map(|text| shell_words::split(text).ok());
    words.flatten().find_map(|word| {
        let parts = path_parts(&word).filter(|part| placeholder_in(part).is_some());
        parts.filter_map(|part| found.file.fill(part).ok()).find(is_of_another)
    })
}
