//! The files that a bot is made of: those that its commands name and those that it lists.

use std::collections::BTreeSet;
use std::io;
use std::os::unix::fs::MetadataExt;
use std::path::{Component, Path, PathBuf};

use serde::{Deserialize, Serialize};

use crate::bot::{find_program, is_source};
use crate::contest::PlannedBot;
use crate::record::Digest;
use crate::record::own_files::open_regular_file;
use crate::report::SYSTEM_FOLDERS;
use crate::text::{printable, printable_path};
use crate::tournament::build_places::in_folder;
use crate::tournament::file_search::{NoFiles, WantedFiles, find_files, folder_of_pattern};

/// A file of a bot. While none of this changes, its contents are taken to be the same.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct SeenFile {
    pub(super) path: String,
    pub(super) length: u64,
    inode: u64,
    /// Seconds and nanoseconds of the last change of its contents, and of anything else.
    times: [i64; 4],
    is_link: bool,
}

/// That a file of a bot cannot be read, in words.
pub(super) fn unreadable(bot: &PlannedBot, file: &Path, why: &dyn ToString) -> String {
    let (bot, file, why) = (printable(&bot.name), printable_path(file), why.to_string());
    format!("{file} is part of bot \"{bot}\" and cannot be read: {why}")
}

impl SeenFile {
    /// What it holds; of a link where it leads.
    pub(super) fn content(&self, folder: &Path) -> io::Result<Digest> {
        let place = folder.join(&self.path);
        if self.is_link {
            return Ok(Digest::of(place.read_link()?.as_os_str().as_encoded_bytes()));
        }
        Digest::of_content(open_regular_file(&place)?)
    }
}

/// The files that a bot is made of, by their paths, which are relative to `folder` where they lie
/// in it; and the first that cannot be read. In what was `handed_in` no link is followed.
///
/// With a build, what its command names is not among them: the build makes it. Nor is what is `made`.
pub(super) fn seen_files(
    bot: &PlannedBot,
    folder: &Path,
    (handed_in, made): (Option<&str>, &BTreeSet<String>),
) -> (Vec<SeenFile>, Option<String>) {
    let mut first_unreadable = None;
    let mut note = |place: &Path, why: &dyn ToString| {
        first_unreadable.get_or_insert_with(|| unreadable(bot, place, why));
    };
    if let Some(place) = folder_for_file(bot, folder) {
        let is_program = bot.folder.is_none() && place == folder.join(&bot.command[0]);
        note(
            &place,
            &if is_program {
                "it is a folder, not a program; for a folder of submissions give --config with \
                 [[bots]] and a glob"
            } else {
                "it is a folder; put the file there"
            },
        );
    }
    let mut paths = named_files(bot, folder);
    for pattern in &bot.files {
        let fixed = folder_of_pattern(pattern, folder).to_string_lossy().into_owned();
        if handed_in.is_some_and(|place| outermost_link(&fixed, place, folder).is_some()) {
            paths.push(fixed);
            continue;
        }
        match find_files(pattern, folder, WantedFiles::PartsOfBot) {
            Ok(found) => found.iter().for_each(|found| match found {
                Ok(file) => {
                    let path = relative(file.path(), folder);
                    if names_files_like(pattern, &path) || !is_made(bot, &path, folder) {
                        paths.push(path);
                    }
                }
                Err(why) => note(Path::new(pattern), why),
            }),
            // Not every student has such a file.
            Err(NoFiles::NoMatch(_)) if handed_in.is_some() => {}
            Err(why) => note(Path::new(pattern), &why),
        }
    }
    paths.retain(|path| !path.contains(PYTHON_CACHE) && !is_in(path, made));
    let link = |path: &String| handed_in.and_then(|place| outermost_link(path, place, folder));
    let mut paths: Vec<(String, bool)> = paths
        .into_iter()
        .map(|path| link(&path).map_or((path, false), |link| (link, true)))
        .collect();
    paths.sort_unstable();
    paths.dedup();
    let mut seen = |(path, is_link): (String, bool)| {
        let place = folder.join(&path);
        let file = if is_link { place.symlink_metadata() } else { place.metadata() };
        let file = file.inspect_err(|error| note(&place, error)).ok()?;
        let times = [file.mtime(), file.mtime_nsec(), file.ctime(), file.ctime_nsec()];
        Some(SeenFile { path, length: file.len(), inode: file.ino(), times, is_link })
    };
    let seen = paths.into_iter().filter_map(&mut seen).collect();
    (seen, first_unreadable)
}

/// Whether a file is one of `paths`, or in one of them.
pub(super) fn is_in(file: &str, paths: &BTreeSet<String>) -> bool {
    !paths.is_empty()
        && Path::new(file).ancestors().any(|it| it.to_str().is_some_and(|it| paths.contains(it)))
}

/// The paths of what is new in `seen` beside `files`; in place of the files of a new folder that folder.
/// Empty if they are too many.
pub(super) fn new_paths(seen: &[SeenFile], files: &[SeenFile]) -> BTreeSet<String> {
    fn path(file: &SeenFile) -> &Path {
        Path::new(&file.path)
    }
    let known: BTreeSet<&Path> = files.iter().flat_map(|file| path(file).ancestors()).collect();
    let folders: BTreeSet<&Path> = files.iter().filter_map(|file| path(file).parent()).collect();
    let outermost = |new: &SeenFile| {
        let unknown = path(new).ancestors().take_while(|it| !known.contains(it)).last();
        let beside = unknown.filter(|it| it.parent().is_some_and(|it| folders.contains(it)));
        beside.unwrap_or(path(new)).to_string_lossy().into_owned()
    };
    let new = seen.iter().filter(|file| !known.contains(path(file)));
    let new: BTreeSet<String> = new.map(outermost).collect();
    if new.len() > MOST_MADE { BTreeSet::new() } else { new }
}

/// The first link on the way to a path in what was `handed_in`, that itself included.
fn outermost_link(path: &str, handed_in: &str, folder: &Path) -> Option<String> {
    let inside = Path::new(path).ancestors().take_while(|part| part.starts_with(handed_in));
    let link = inside.filter(|part| folder.join(part).is_symlink()).last()?;
    Some(link.to_string_lossy().into_owned())
}

/// A folder where the bot's command names its program or a script.
fn folder_for_file(bot: &PlannedBot, folder: &Path) -> Option<PathBuf> {
    // A build may make it.
    let words = bot.command.iter().enumerate().filter(|_| bot.build.is_empty());
    let is_path = |word: &str| word.contains('/') || find_program(word).is_none();
    let files = words.filter(|(index, word)| *index == 0 && is_path(word) || is_source(word));
    let own = folder.join(bot.folder.as_deref().unwrap_or(Path::new("")));
    files.map(|(_, word)| own.join(word)).find(|path| path.is_dir())
}

/// The first folder that a bot's command line names beside its program, and in which it has none of its
/// `files`, relative to `folder`; with a build what that one names and the command does not, as for
/// files.
pub(super) fn named_folder<'a>(
    bot: &'a PlannedBot,
    files: &[SeenFile],
    folder: &Path,
) -> Option<&'a str> {
    let own = folder.join(bot.folder.as_deref().unwrap_or(Path::new("")));
    let words = |words: &'a [String]| words.iter().skip(1).flat_map(|word| values(word));
    let is_built = !bot.build.is_empty();
    let made = words(&bot.command).filter(|_| is_built).map(|word| own.join(word));
    let made: Vec<PathBuf> = made.collect();
    let (line, place) = if is_built { (&bot.build, folder) } else { (&bot.command, &*own) };
    let is_named = |word: &&str| {
        let path = place.join(word);
        let inner = relative(&path.to_string_lossy(), folder);
        path.is_dir()
            && !made.contains(&path)
            && !files.iter().any(|file| Path::new(&file.path).starts_with(&inner))
    };
    words(line).find(is_named)
}

/// A word of a command line, what stands behind `=` in it, and behind the letter of a short option:
/// `-bbook.txt`.
fn values(word: &str) -> impl Iterator<Item = &str> {
    let value = word.split_once('=').map(|(_, value)| value);
    let mut option = word.chars();
    let is_short = option.next() == Some('-') && option.next().is_some_and(|letter| letter != '-');
    let glued = is_short.then_some(option.as_str());
    [Some(word), value, glued].into_iter().flatten().filter(|text| !text.is_empty())
}

/// Whether a file, relative to `folder`, is one that the bot's command lines name.
pub(in crate::tournament) fn names_file(bot: &PlannedBot, file: &str, folder: &Path) -> bool {
    named_files(bot, folder).contains(&relative(file, folder))
}

/// Files that a bot's command line names, relative to `folder`; with a build what that one names and
/// the command does not, for what both name is what the build makes.
fn named_files(bot: &PlannedBot, folder: &Path) -> Vec<String> {
    if bot.is_builtin() {
        return Vec::new();
    }
    let place = folder.join(bot.folder.as_deref().unwrap_or(Path::new("")));
    let by_command = files_of(&bot.command, &[&place, folder], folder);
    if bot.build.is_empty() {
        return by_command;
    }
    let mut by_build = files_of(&bot.build, &[folder], folder);
    by_build.retain(|file| !by_command.contains(file));
    by_build
}

/// Files that `words` name, relative to `folder`. The first one, the program, is looked for in
/// all `places`, the others in the first.
fn files_of(words: &[String], places: &[&Path], folder: &Path) -> Vec<String> {
    let mut named = Vec::new();
    for (index, word) in words.iter().enumerate() {
        // A program of the system is not the bot's own; its path is noted beside the version.
        if index == 0 && (!word.contains('/') || is_of_system(Path::new(word))) {
            continue;
        }
        // A class path is one word: `a.jar:lib/b.jar`.
        let texts = values(word).flat_map(|text| std::iter::once(text).chain(text.split(':')));
        for text in texts {
            let places = if index == 0 { places } else { &places[..1] };
            let found = places.iter().map(|place| place.join(text)).find(|path| path.is_file());
            named.extend(found.map(|path| relative(&path.to_string_lossy(), folder)));
        }
    }
    named
}

/// Most paths that are noted of what a build has made.
const MOST_MADE: usize = 2000;

/// The folder in which Python keeps what it has compiled.
const PYTHON_CACHE: &str = "__pycache__/";

/// Endings of files that compilers leave beside what they read.
const COMPILED: [&str; 13] =
    ["o", "obj", "class", "hi", "cmi", "cmo", "cmx", "d", "so", "a", "dylib", "exe", "gch"];

/// The folder in which these tools keep what they have compiled, beside the file that they read.
const TARGET: &str = "target";
const READ_BESIDE_TARGET: [&str; 2] = ["Cargo.toml", "pom.xml"];

/// Whether a pattern gives a file's whole path or its ending, as `*.o` does and `**` does not.
fn names_files_like(pattern: &str, file: &str) -> bool {
    let ending = Path::new(pattern).extension();
    let names_ending = ending.is_some() && ending == Path::new(file).extension();
    names_ending || !pattern.contains(['*', '?'])
}

/// Whether the bot's build or an interpreter makes `file`, which is relative to `folder`.
pub(super) fn is_made(bot: &PlannedBot, file: &str, folder: &Path) -> bool {
    let ending = Path::new(file).extension().and_then(|ending| ending.to_str());
    if file.contains(PYTHON_CACHE) || ending == Some("pyc") {
        return true;
    }
    !bot.build.is_empty()
        && (ending.is_some_and(|ending| COMPILED.contains(&ending))
            || is_in_target(&folder.join(file))
            || is_output(bot, Path::new(file), folder))
}

fn is_in_target(file: &Path) -> bool {
    let mut folders = file.ancestors().skip(1).filter(|it| it.ends_with(TARGET));
    folders.any(|it| READ_BESIDE_TARGET.iter().any(|name| it.with_file_name(name).is_file()))
}

/// Whether a file is the program of the bot's command, or one that the build names, too. It may not
/// be there yet. A script is written by hand, an archive is not.
fn is_output(bot: &PlannedBot, file: &Path, folder: &Path) -> bool {
    let own = folder.join(bot.folder.as_deref().unwrap_or(Path::new("")));
    let file = in_folder(folder, file);
    let names = |word: &String, place: &Path| {
        values(word).any(|text| in_folder(place, Path::new(text)) == file)
    };
    let mut words = without_class_path(&bot.command);
    let program = words.find(|word| word.contains('/') || is_source(word));
    let program = program.filter(|word| !is_source(word) || is_archive(word));
    program.is_some_and(|word| names(word, &own) || names(word, folder))
        || bot.command.iter().any(|word| names(word, &own))
            && bot.build.iter().any(|word| names(word, folder))
}

/// The words of a command without the class path of Java, in which archives were handed in.
fn without_class_path(command: &[String]) -> impl Iterator<Item = &String> {
    let is_option = |word: &String| ["-cp", "-classpath", "--class-path"].contains(&&**word);
    let before = std::iter::once(false).chain(command.iter().map(is_option));
    command.iter().zip(before).filter(|(_, is_behind)| !is_behind).map(|(word, _)| word)
}

/// Whether it names a program of several files in one, which builds make.
fn is_archive(word: &str) -> bool {
    let ending = Path::new(word).extension().and_then(|ending| ending.to_str());
    ending.is_some_and(|ending| ["jar", "pyz", "class"].contains(&ending))
}

/// Where the system has its programs.
pub(in crate::tournament) fn is_of_system(path: &Path) -> bool {
    let more = ["/opt", "/nix", "/snap"];
    SYSTEM_FOLDERS.iter().chain(&more).any(|folder| path.starts_with(folder))
}

/// The path relative to `folder`, where it lies in it, without steps that lead nowhere.
pub(super) fn relative(word: &str, folder: &Path) -> String {
    let path = Path::new(word);
    let inside = path.strip_prefix(folder);
    if inside.is_err() && !word.starts_with("./") {
        return word.to_owned();
    }
    let steps = inside.unwrap_or(path).components().filter(|step| *step != Component::CurDir);
    steps.collect::<PathBuf>().to_string_lossy().into_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn options_name_files_too() {
        let of = |word| values(word).collect::<Vec<_>>();
        assert_eq!(of("book.txt"), ["book.txt"]);
        assert_eq!(of("--book=book.txt"), ["--book=book.txt", "book.txt"]);
        assert_eq!(of("-bbook.txt"), ["-bbook.txt", "book.txt"]);
        assert_eq!(of("-\u{e9}x"), ["-\u{e9}x", "x"]);
        for word in ["-", "--", "-b", "--book"] {
            assert_eq!(of(word), [word]);
        }
    }
}
