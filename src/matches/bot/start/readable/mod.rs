//! What a bot may read in the sandbox: the folders of its program, of its script, and of whatever
//! else its command line names.

use std::collections::BTreeSet;
use std::ffi::OsString;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Deserializer, Serialize, Serializer};

use super::BotCommand;
use super::folders::{is_exposed, is_of_all, own_of_file, rustup_home, toolchain};
use super::how_to_run::interpreter_words;

/// The paths that a bot may read and run in the sandbox, besides the folders of the system.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct ReadablePaths {
    /// Interpreters and their libraries.
    #[serde(serialize_with = "as_bytes", deserialize_with = "from_bytes")]
    pub tools: Vec<PathBuf>,
    /// The folders of its program and script, and what else its command line names.
    #[serde(serialize_with = "as_bytes", deserialize_with = "from_bytes")]
    pub own: Vec<PathBuf>,
    /// Files of its own that lie in folders of the system, where every bot may read them.
    #[serde(serialize_with = "as_bytes", deserialize_with = "from_bytes")]
    pub exposed: Vec<PathBuf>,
    /// The working folder, where its program is looked for and it may not look, because the folder
    /// is everybody's.
    #[serde(serialize_with = "as_bytes", deserialize_with = "one_from_bytes")]
    pub closed: Option<PathBuf>,
    /// The interpreter, if only the first line of its program names it and the bot may not run it: it
    /// is not the system's.
    #[serde(serialize_with = "as_bytes", deserialize_with = "one_from_bytes")]
    pub hidden: Option<PathBuf>,
}

/// Unlike a path as such, these need not be UTF-8.
fn as_bytes<'a, S: Serializer>(
    paths: impl IntoIterator<Item = &'a PathBuf>,
    serializer: S,
) -> Result<S::Ok, S::Error> {
    serializer.collect_seq(paths.into_iter().map(|path| path.as_os_str()))
}

fn from_bytes<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Vec<PathBuf>, D::Error> {
    let paths = Vec::<OsString>::deserialize(deserializer)?;
    Ok(paths.into_iter().map(PathBuf::from).collect())
}

fn one_from_bytes<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<PathBuf>, D::Error> {
    Ok(from_bytes(deserializer)?.pop())
}

impl ReadablePaths {
    pub fn all(&self) -> impl Iterator<Item = &PathBuf> {
        self.tools.iter().chain(&self.own)
    }

    /// All of it, without what lies within another path.
    pub fn outermost(&self) -> Vec<&PathBuf> {
        outermost(self.all())
    }

    /// The paths that belong to one of two bots and that both may read, without what lies within
    /// another such path. A folder with one bot's interpreter or program may belong to another bot.
    pub fn in_common<'a>(&'a self, other: &'a ReadablePaths) -> Vec<&'a PathBuf> {
        let may_read =
            |bot: &ReadablePaths, path| bot.all().any(|own| Path::starts_with(path, own));
        let own = self.own.iter().chain(&other.own);
        outermost(own.filter(|path| may_read(self, path) && may_read(other, path)))
    }

    /// The paths for a bot with this command line. A built-in bot reads this `program`. Behind the
    /// first word, `strangers_words`, the names of files that were handed in, name no program.
    pub fn of(
        command: &BotCommand,
        program: &Path,
        strangers_words: &BTreeSet<String>,
    ) -> ReadablePaths {
        let mut reach = ReadablePaths::default();
        if command.is_built_in() {
            add(&mut reach.tools, [program.to_owned()]);
        } else {
            let (words, folder) = (command.words(), command.folder.as_deref());
            reach.add_words(words, folder, strangers_words);
            reach.hidden =
                reach.hidden_interpreter(&folder.unwrap_or(Path::new("")).join(&words[0]));
        }
        reach
    }

    /// The interpreters and compilers that `words` name, found on the PATH, and their libraries;
    /// `strangers_words` as in [`of`](Self::of).
    pub fn tools_of(words: &[String], strangers_words: &BTreeSet<String>) -> Vec<PathBuf> {
        let mut tools = Vec::new();
        let words = words.iter().enumerate().filter(|(_, word)| !word.contains('/'));
        let words = words.filter(|(index, word)| *index == 0 || !strangers_words.contains(*word));
        for program in words.filter_map(|(_, word)| find_program(word)) {
            add(&mut tools, folders_of_interpreter(&program));
            for path in known_as(&program) {
                add(&mut tools, rustup_home(&path));
            }
        }
        tools
    }

    /// The interpreter that the first line of `program` names, if the bot may not run it.
    fn hidden_interpreter(&self, program: &Path) -> Option<PathBuf> {
        let words = interpreter_words(program)?;
        let by_env = Path::new(words.first()?).ends_with("env");
        let is_name = |word: &&String| !word.starts_with('-') && !word.contains('=');
        let named = words.iter().skip(by_env.into()).find(is_name)?;
        let named = if named.contains('/') { PathBuf::from(named) } else { find_program(named)? };
        let is_open = |folder: &PathBuf| self.all().any(|open| folder.starts_with(open));
        let is_hidden = named.is_file() && !folders_of_interpreter(&named).iter().all(is_open);
        is_hidden.then_some(named)
    }

    fn add_words(
        &mut self,
        words: &[String],
        folder: Option<&Path>,
        strangers_words: &BTreeSet<String>,
    ) {
        let mut own = Vec::new();
        let mut names_more = looks_here(words);
        let place = folder.unwrap_or(Path::new(""));
        add(&mut own, folder.and_then(|folder| folder.canonicalize().ok()));
        for word in words.iter().skip(1) {
            let Ok(path) = place.join(word).canonicalize() else { continue };
            if path.is_dir() && !is_of_all(&path) {
                names_more = true;
                add(&mut own, [path]);
            } else if path.is_file() {
                names_more = true;
                // What lies there with no ending of its own is an interpreter.
                let ending = path.extension().and_then(|ending| ending.to_str());
                if is_exposed(&path) && ending.is_some_and(|e| !e.starts_with(char::is_numeric)) {
                    add(&mut self.exposed, [path.clone()]);
                }
                add(&mut own, own_of_file(&path));
            }
        }
        if own.is_empty()
            && self.exposed.is_empty()
            && looks_here(words)
            && let Ok(here) = std::env::current_dir()
        {
            if is_of_all(&here) {
                self.closed = Some(here);
            } else {
                add(&mut own, [here]);
            }
        }
        // A program that runs no other file is the bot itself.
        let is_the_bot = match (folder, words.first()) {
            (Some(_), Some(program)) => {
                !names_more || program.contains('/') && !program.starts_with('/')
            }
            _ => own.is_empty(),
        };
        for (index, word) in words.iter().enumerate() {
            // Behind `env` and `nice` another program is named.
            let program = if word.contains('/') {
                // As the bot is started: in its working folder.
                Some(place.join(word)).filter(|path| index == 0 && path.is_file())
            } else {
                find_program(word).filter(|_| index == 0 || !strangers_words.contains(word))
            };
            let Some(program) = program else { continue };
            for path in known_as(&program) {
                if is_the_bot && words.len() == 1 && is_exposed(&path) {
                    add(&mut self.exposed, [path.clone()]);
                }
                let folders = if is_the_bot && index == 0 { &mut own } else { &mut self.tools };
                add(folders, own_of_file(&path));
                add(&mut self.tools, toolchain(&path));
            }
        }
        add(&mut self.own, own);
    }
}

/// Each path once, and none that lies within another one.
fn outermost<'a>(paths: impl Iterator<Item = &'a PathBuf>) -> Vec<&'a PathBuf> {
    let mut outermost = Vec::new();
    add(&mut outermost, paths);
    outermost
}

/// Adds paths, each unless it is within another one, and drops those that are within it.
fn add<P: AsRef<Path>>(paths: &mut Vec<P>, more: impl IntoIterator<Item = P>) {
    for path in more {
        let new = path.as_ref();
        if !paths.iter().any(|known| new.starts_with(known)) {
            paths.retain(|known| !known.as_ref().starts_with(new));
            paths.push(path);
        }
    }
}

/// Whether a command line names a class or a module, which is looked for in the working folder, and
/// no file: `java Bot`, `python3 -m my_bot`, behind `env` and `nice` too.
fn looks_here(words: &[String]) -> bool {
    let is = |word: &str, name: &str| {
        let program = Path::new(word).file_name().and_then(|file| file.to_str());
        let version = program.and_then(|program| program.strip_prefix(name));
        version.is_some_and(|version| version.chars().all(|c| c.is_ascii_digit() || c == '.'))
    };
    words.iter().enumerate().any(|(index, word)| {
        let mut arguments = words[index + 1..].iter();
        let is_python = is(word, "python") || is(word, "pypy");
        is_python && arguments.clone().any(|word| word == "-m")
            || is(word, "java") && arguments.any(|word| !word.starts_with('-'))
    })
}

/// The file on the PATH that a program's name without a slash stands for.
pub fn find_program(program: &str) -> Option<PathBuf> {
    let folders = std::env::var_os("PATH")?;
    std::env::split_paths(&folders).map(|folder| folder.join(program)).find(|path| path.is_file())
}

/// The paths of a program: its own, and where that leads as a link. What it needs may lie beside either.
fn known_as(program: &Path) -> [PathBuf; 2] {
    [normal(program), program.canonicalize().unwrap_or_else(|_| program.to_owned())]
}

/// The folders that a bot needs to run `program`, none if it is the system's.
pub fn folders_of_interpreter(program: &Path) -> Vec<PathBuf> {
    let mut folders = Vec::new();
    for path in known_as(program) {
        add(&mut folders, own_of_file(&path));
        add(&mut folders, toolchain(&path));
    }
    folders
}

/// The path of a file with its folder as the kernel knows it, and its own name as it is.
fn normal(file: &Path) -> PathBuf {
    let folder = file.parent().filter(|folder| !folder.as_os_str().is_empty());
    let folder = folder.unwrap_or(Path::new(".")).canonicalize();
    match (folder, file.file_name()) {
        (Ok(folder), Some(name)) => folder.join(name),
        _ => file.to_owned(),
    }
}

#[cfg(test)]
mod tests;
