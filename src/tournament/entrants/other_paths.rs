//! Finds filled-in words that would name another bot's path: `ann.c` where a command has `{stem}` and
//! another bot's folder is `ann`.

use std::collections::BTreeSet;
use std::path::Path;

use super::HandedIn;
use crate::bot::BotCommand;
use crate::tournament::build_places::{in_folder, path_parts};
use crate::tournament::placeholders::{PLACEHOLDERS, placeholder_in};

/// What the paths begin with that `texts` of commands name themselves: `build` of
/// `-o build/{stem}`.
pub(super) fn taken_names<'a>(texts: impl IntoIterator<Item = &'a String>) -> BTreeSet<String> {
    let words = texts.into_iter().filter_map(|text| shell_words::split(text).ok()).flatten();
    let mut taken = BTreeSet::new();
    for word in words {
        for part in path_parts(&word).filter(|part| part.contains('/') && !part.starts_with('/')) {
            let part = part.trim_start_matches("./");
            let first = part.split('/').next().unwrap_or_default();
            if placeholder_in(first).is_none() && first != ".." {
                taken.insert(first.to_owned());
            }
        }
    }
    taken
}

/// What the bot's `build`, which runs in `folder`, or its command, which runs in its own, makes of
/// the file's name alone, and that stands there for something else than the file and its folder:
/// what is there, and what `taken` paths of commands begin with.
pub(super) fn path_of_another(
    found: &HandedIn,
    [build, text]: [Option<&String>; 2],
    command: &BotCommand,
    (folder, taken): (&Path, &BTreeSet<String>),
) -> Option<String> {
    let place = command.folder.as_ref().map_or(folder.to_owned(), |own| in_folder(folder, own));
    let program = command.words().first().filter(|word| word.contains('/'));
    // A build may put it into the folder of all.
    let program = program.map(|word| in_folder(&place, Path::new(word)));
    let own = in_folder(folder, found.own());
    let is_of_another = |place: &Path, name: &String| {
        let path = in_folder(place, Path::new(name));
        let is_program = program.as_ref() == Some(&path) && !path.is_dir();
        let is_taken = place == folder && path.parent() == Some(folder) && {
            path.file_name().is_some_and(|name| taken.contains(&*name.to_string_lossy()))
        };
        (is_taken || path.symlink_metadata().is_ok())
            && path != place
            && !path.starts_with(&own)
            && !is_program
    };
    // Nothing but the name decides where it leads.
    let is_name = |part: &&str| {
        let beside = PLACEHOLDERS.iter().fold((*part).to_owned(), |rest, it| rest.replace(it, ""));
        // In a folder of all files the folder's name is the pattern's.
        let is_from_file = found.own() != Path::new(found.file.path())
            || ["{stem}", "{file}"].iter().any(|it| part.contains(it));
        placeholder_in(part).is_some()
            && is_from_file
            && beside.chars().all(|sign| ['.', '/'].contains(&sign))
    };
    [(build, folder), (text, &*place)].into_iter().find_map(|(text, place)| {
        shell_words::split(text?).ok()?.iter().find_map(|word| {
            let parts = path_parts(word).filter(is_name);
            let mut names = parts.filter_map(|part| found.file.fill(part).ok());
            names.find(|name| is_of_another(place, name))
        })
    })
}
