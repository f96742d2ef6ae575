//! Files whose names, filled in as words, would be paths of others: `ann.c` where a command has
//! `{stem}` and another bot's folder is `ann`.

use std::path::Path;

use super::HandedIn;
use crate::bot::BotCommand;
use crate::tournament::build_places::{in_folder, path_parts};
use crate::tournament::fields::placeholder_in;

/// A name without a slash that the bot's `build`, which runs in `folder`, or its command, which runs
/// in its own, makes of the file and that stands there for something that was not handed in with it.
pub(super) fn path_of_another(
    found: &HandedIn,
    [build, text]: [Option<&String>; 2],
    command: &BotCommand,
    folder: &Path,
) -> Option<String> {
    let place = command.folder.as_ref().map_or(folder.to_owned(), |own| in_folder(folder, own));
    let program = command.words().first().filter(|word| word.contains('/'));
    // A build may put it into the folder of all.
    let program = program.map(|word| in_folder(&place, Path::new(word)));
    let handed_in = in_folder(folder, &found.handed_in());
    let is_of_another = |place: &Path, name: &String| {
        let path = in_folder(place, Path::new(name));
        !name.contains('/')
            && path.symlink_metadata().is_ok()
            && path != place
            && !path.starts_with(&handed_in)
            && program.as_ref() != Some(&path)
    };
    [(build, folder), (text, &*place)].into_iter().find_map(|(text, place)| {
        shell_words::split(text?).ok()?.iter().find_map(|word| {
            let parts = path_parts(word).filter(|part| placeholder_in(part).is_some());
            let mut names = parts.filter_map(|part| found.file.fill(part).ok());
            names.find(|name| is_of_another(place, name))
        })
    })
}
