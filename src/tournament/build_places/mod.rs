//! What the build of each bot may read and write in the sandbox, so that no build reaches another
//! bot's files. A folder that is one bot's alone is open to it; in any other folder its own file is.
//!
//! Whose a path is follows from the commands of all bots: a path that only one bot's commands name
//! is that bot's. The versions of a bot are one bot here.

mod in_play;
mod layout;

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Component, Path, PathBuf};

use crate::bot::{is_of_all, is_system};
use crate::contest::PlannedBot;

pub(super) use self::layout::first_ones;

/// Whose the paths are that the commands of a plan name.
pub(crate) struct PathOwners {
    /// The plan's folder, as the kernel knows it.
    folder: PathBuf,
    owners: BTreeMap<PathBuf, Owner>,
    bots: Vec<NamedPaths>,
    /// The place of the first version of each bot.
    firsts: Vec<usize>,
}

/// What a bot's paths are about to be used for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum PathUse {
    /// Its build, which may write to any of them.
    Build,
    /// Play, which reads them. Nobody but the plan's user has put links anywhere but in what was
    /// handed in.
    Play,
}

/// Whose a path is.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Owner {
    /// That of the bot whose first version has this place.
    Bot(usize),
    /// It is named by several bots: a compiler's script, a header.
    Several,
    /// The referee writes there.
    Referee,
}

/// The paths that a bot's commands name.
#[derive(Default)]
struct NamedPaths {
    build: BTreeSet<PathBuf>,
    /// What the build makes: the program of the command, and what both commands name.
    outputs: BTreeSet<PathBuf>,
    /// The file that its command runs.
    program: Option<PathBuf>,
    /// Its command, and the folder that this is relative to.
    command: Vec<String>,
    place: PathBuf,
    own: BTreeSet<PathBuf>,
    all: BTreeSet<PathBuf>,
}

/// What a build may reach, beside the system and a private folder.
#[derive(Clone, Default, PartialEq, Eq)]
pub(crate) struct BuildPlaces {
    /// Files and folders that it may read and run.
    pub read: BTreeSet<PathBuf>,
    /// Files and folders that it may write, too.
    pub write: BTreeSet<PathBuf>,
    /// Folders that have to be there before it runs.
    pub folders: BTreeSet<PathBuf>,
    /// Files that have to be there before it runs, since it may make no others in their folders.
    pub files: BTreeSet<PathBuf>,
    /// Files that it makes, if they are files.
    pub outputs: BTreeSet<PathBuf>,
    /// Folders that its command names and that it may not read: other bots' files are in them.
    closed: BTreeSet<PathBuf>,
}

impl PathOwners {
    /// The paths of `bots`, whose commands are relative to `folder`. The referee writes to
    /// `kept`.
    pub(crate) fn new(bots: &[PlannedBot], folder: &Path, kept: &[PathBuf]) -> PathOwners {
        let folder = folder.canonicalize().unwrap_or_else(|_| folder.to_owned());
        let mut owners = BTreeMap::new();
        let mut of_bots: Vec<NamedPaths> =
            bots.iter().map(|bot| NamedPaths::of(bot, &folder)).collect();
        let mut by_name = BTreeMap::new();
        let first = |(place, bot): (usize, &'_ PlannedBot)| {
            *by_name.entry(bot.drawn_name().to_owned()).or_insert(place)
        };
        let firsts: Vec<usize> = bots.iter().enumerate().map(first).collect();
        for (paths, &first) in of_bots.iter().zip(&firsts) {
            for path in paths.build.union(&paths.own) {
                let owner = owners.entry(path.clone()).or_insert(Owner::Bot(first));
                if *owner != Owner::Bot(first) {
                    *owner = Owner::Several;
                }
            }
        }
        for path in kept {
            let parent = path.parent().and_then(|parent| parent.canonicalize().ok());
            let known = parent.zip(path.file_name()).map(|(parent, name)| parent.join(name));
            let path = known.unwrap_or_else(|| in_folder(&folder, path));
            owners.insert(path, Owner::Referee);
        }
        for (paths, &first) in of_bots.iter_mut().zip(&firsts) {
            paths.own.extend(paths.build.iter().cloned());
            paths.all.clone_from(&paths.own);
            paths.own.retain(|path| owners.get(path) == Some(&Owner::Bot(first)));
        }
        PathOwners { folder, owners, bots: of_bots, firsts }
    }

    /// What the build of `bot` may reach.
    pub(crate) fn places_of(&self, bot: usize) -> BuildPlaces {
        let paths = &self.bots[bot];
        let mut places = BuildPlaces::default();
        let outputs = paths.outputs.intersection(&paths.own).cloned();
        places.outputs = outputs.collect();
        for path in &paths.own {
            let is_output = places.outputs.contains(path);
            let is_inside = path.starts_with(&self.folder);
            let parent = path.parent().unwrap_or(path);
            let is_alone = self.is_alone(parent, bot);
            if path.is_dir() {
                if !self.is_alone(path, bot) {
                    places.closed.insert(path.clone());
                } else if is_inside || is_output {
                    places.write.insert(path.clone());
                } else {
                    places.read.insert(path.clone());
                }
            } else if is_output || is_inside && is_alone {
                let place = if is_alone { parent } else { path };
                places.write.insert(place.to_owned());
                if is_output && !path.exists() {
                    places.folders.insert(parent.to_owned());
                }
                if is_output && !is_alone && !path.exists() {
                    let is_file =
                        path.extension().is_some() || paths.program.as_ref() == Some(path);
                    let made = if is_file { &mut places.files } else { &mut places.folders };
                    made.insert(path.clone());
                }
            } else if path.exists() {
                places.read.insert(if is_alone { parent } else { path }.to_owned());
            }
        }
        for path in
            paths.build.iter().filter(|path| self.owners.get(*path) == Some(&Owner::Several))
        {
            let folder = path.parent().filter(|folder| self.is_free(folder, bot));
            if !path.is_dir() {
                places.read.insert(folder.unwrap_or(path).to_owned());
            } else if self.is_free(path, bot) {
                places.read.insert(path.clone());
            } else {
                places.closed.insert(path.clone());
            }
        }
        places.read.retain(|path| path.exists() && !is_system(path));
        places
    }

    /// A link in a path of `bot`, or in one that it names in what was `handed_in`, that leads out
    /// of the link's own folder. None is followed: where it leads is not the bot's.
    pub(crate) fn link_of(
        &self,
        bot: usize,
        handed_in: Option<&Path>,
        purpose: PathUse,
    ) -> Option<PathBuf> {
        let handed_in = handed_in.map(|path| in_folder(&self.folder, path));
        let is_handed_in =
            |path: &Path| handed_in.as_ref().is_some_and(|place| path.starts_with(place));
        // What stands before it in its path is the plan's user's.
        let is_before = |path: &Path| {
            handed_in.as_ref().is_some_and(|place| place != path && place.starts_with(path))
        };
        let is_checked = |path: &&Path| {
            let is_written = purpose == PathUse::Build && self.is_alone(path, bot);
            is_handed_in(path) || is_written && !is_before(path)
        };
        let NamedPaths { own, all, command, place, .. } = &self.bots[bot];
        // What a word without a slash names may be there only since the build.
        let now = named(command, place);
        let all = all.iter().chain(&now).filter(|path| is_handed_in(path));
        let mut checked =
            own.iter().chain(all).flat_map(|path| path.ancestors().take_while(is_checked));
        let link = checked.find(|path| {
            let Ok(target) = path.canonicalize() else { return path.is_symlink() };
            let within = path.parent().filter(|folder| self.is_alone(folder, bot));
            let within = within.and_then(|folder| folder.canonicalize().ok());
            let stays = within.is_some_and(|folder| target.starts_with(folder));
            path.is_symlink() && !stays && !is_system(&target)
        });
        link.map(Path::to_owned)
    }

    /// Whether no bot's own path is in `folder`, which several bots' commands name.
    pub(crate) fn is_nobodys(&self, folder: &Path) -> bool {
        let mut below = self.below(folder);
        self.is_inner(folder)
            && below.next() == Some(Owner::Several)
            && below.all(|it| it == Owner::Several)
    }

    /// Whether all that is named below `folder` is the bot's, and the folder nobody else's.
    fn is_alone(&self, folder: &Path, bot: usize) -> bool {
        let own = Owner::Bot(self.firsts[bot]);
        self.below(folder).all(|owner| owner == own) && self.is_inner(folder)
    }

    /// Whether nothing that is named below `folder` is another bot's or the referee's.
    fn is_free(&self, folder: &Path, bot: usize) -> bool {
        let own = Owner::Bot(self.firsts[bot]);
        let mut below = self.below(folder);
        below.all(|owner| owner == Owner::Several || owner == own) && self.is_inner(folder)
    }

    /// Whether a folder may be opened as a whole: it is not the plan's, the system's or everybody's.
    fn is_inner(&self, folder: &Path) -> bool {
        !self.folder.starts_with(folder) && !is_of_all(folder) && !is_system(folder)
    }

    fn below<'a>(&'a self, folder: &'a Path) -> impl Iterator<Item = Owner> + 'a {
        let named = self.owners.range(folder.to_owned()..);
        named.take_while(move |(path, _)| path.starts_with(folder)).map(|(_, owner)| *owner)
    }
}

impl NamedPaths {
    fn of(bot: &PlannedBot, folder: &Path) -> NamedPaths {
        if bot.is_builtin() {
            return NamedPaths { build: named(&bot.build, folder), ..NamedPaths::default() };
        }
        let place = bot.folder.as_ref().map_or(folder.to_owned(), |own| in_folder(folder, own));
        let build = named(&bot.build, folder);
        let command = named(&bot.command, &place);
        let program = bot.command.first().filter(|word| word.contains('/'));
        let program = program.map(|word| in_folder(&place, Path::new(word)));
        let mut outputs: BTreeSet<PathBuf> = build.intersection(&command).cloned().collect();
        outputs.extend(program.clone());
        let own_folder = bot.folder.as_ref().map(|_| place.clone());
        outputs.extend(own_folder.clone());
        let own = command.into_iter().chain(own_folder).collect();
        let command = bot.command.clone();
        let all = BTreeSet::new();
        NamedPaths { build, outputs, program, command, place, own, all }
    }
}

/// The paths that the words of a command name: those that are there, and those with a slash.
fn named(words: &[String], folder: &Path) -> BTreeSet<PathBuf> {
    let mut paths = BTreeSet::new();
    for (index, word) in words.iter().enumerate() {
        // Without a slash it is looked for on the PATH.
        let is_program = index == 0;
        for part in path_parts(word) {
            let path = in_folder(folder, Path::new(part));
            if part.contains('/') || !is_program && path.symlink_metadata().is_ok() {
                paths.insert(path);
            }
        }
    }
    paths.retain(|path| !is_system(path) && path.parent().is_some());
    paths
}

/// What of a word may be a path: `-Iinclude`, `--with=lib`, `-cp a:b`.
pub(super) fn path_parts(word: &str) -> impl Iterator<Item = &str> {
    let value = word.split_once('=').map_or("", |(_, value)| value);
    let behind = word.strip_prefix('-').and_then(|word| word.get(1..)).unwrap_or("");
    let parts = [word, value, behind].into_iter().flat_map(|part| part.split(':'));
    parts.filter(|part| !part.is_empty() && !part.starts_with('-'))
}

/// The path in `folder`, without `.` and `..`.
pub(super) fn in_folder(folder: &Path, path: &Path) -> PathBuf {
    let mut whole = PathBuf::new();
    for part in folder.join(path).components() {
        match part {
            Component::ParentDir => {
                whole.pop();
            }
            Component::CurDir => {}
            part => whole.push(part),
        }
    }
    whole
}

#[cfg(test)]
mod tests;
