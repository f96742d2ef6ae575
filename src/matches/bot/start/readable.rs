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

    /// The interpreters and compilers that these words name, found on the PATH, and their libraries;
    /// `strangers_words` as in [`of`](Self::of).
    pub fn tools_of(words: &[String], strangers_words: &BTreeSet<String>) -> Vec<PathBuf> {
        let mut tools = Vec::new();
        let words = words.iter().enumerate().filter(|(_, word)| !word.contains('/'));
        let words = words.filter(|(index, word)| *index == 0 || !strangers_words.contains(*word));
        for program in words.filter_map(|(_, word)| find_program(word)) {
            let real = program.canonicalize().unwrap_or_else(|_| program.clone());
            for path in [normal(&program), real] {
                add(&mut tools, own_of_file(&path));
                add(&mut tools, toolchain(&path));
                add(&mut tools, rustup_home(&path));
            }
        }
        tools
    }

    /// The interpreter that the first line of this program names, if the bot may not run it.
    fn hidden_interpreter(&self, program: &Path) -> Option<PathBuf> {
        let words = interpreter_words(program)?;
        let by_env = Path::new(words.first()?).ends_with("env");
        let is_name = |word: &&String| !word.starts_with('-') && !word.contains('=');
        let named = words.iter().skip(by_env.into()).find(is_name)?;
        let named = if named.contains('/') { PathBuf::from(named) } else { find_program(named)? };
        let real = named.canonicalize().ok()?;
        let is_open = |path: &Path| {
            own_of_file(path).is_none() || self.all().any(|open| path.starts_with(open))
        };
        let is_hidden = !is_open(&normal(&named)) || !is_open(&real);
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
            // A link leads to another folder; what the program needs may lie beside either.
            let real = program.canonicalize().unwrap_or_else(|_| program.clone());
            for path in [normal(&program), real] {
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

/// The folders that a bot needs to run an interpreter which is not the system's.
pub fn folders_of_interpreter(program: &Path) -> Vec<PathBuf> {
    let real = program.canonicalize().unwrap_or_else(|_| program.to_owned());
    let mut folders = Vec::new();
    for path in [normal(program), real] {
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
mod tests {
    use super::*;

    fn reach(words: &[&str]) -> ReadablePaths {
        reach_in(None, words)
    }

    fn reach_in(folder: Option<&Path>, words: &[&str]) -> ReadablePaths {
        let words: Vec<String> = words.iter().map(|&word| word.to_owned()).collect();
        let mut reach = ReadablePaths::default();
        reach.add_words(&words, folder, &BTreeSet::new());
        reach
    }

    #[test]
    fn a_bot_s_own_are_its_folders_and_nothing_of_the_system() {
        let here = Path::new(env!("CARGO_MANIFEST_DIR")).canonicalize().unwrap();
        let bots = here.join("../../examples/python").canonicalize().unwrap();
        let script = bots.join("greedy.py").display().to_string();
        let own = |words: &[&str]| reach(words).own;
        assert_eq!(own(&["sh", &script, "--depth", "4"]), std::slice::from_ref(&bots));
        assert_eq!(own(&["sh", "-c", "cat /dev/null"]), Vec::<PathBuf>::new());
        let folder = bots.display().to_string();
        // What lies in it is not told again.
        assert_eq!(own(&["sh", &script, &folder]), [bots]);
        assert_eq!(own(&["sh", "/tmp", "/"]), Vec::<PathBuf>::new());
        assert_eq!(own(&["no-such-program-anywhere"]), Vec::<PathBuf>::new());
    }

    #[test]
    fn a_program_in_a_folder_of_all_is_its_file_alone() {
        let file = tempfile::Builder::new().tempfile_in("/tmp").unwrap();
        let path = file.path().canonicalize().unwrap();
        assert_eq!(reach(&[path.to_str().unwrap()]).own, [path]);
    }

    #[test]
    fn an_interpreter_is_a_tool_and_a_program_alone_is_the_bot() {
        let folder = tempfile::tempdir().unwrap();
        let home = folder.path().canonicalize().unwrap();
        for made in ["venv/bin", "venv/lib", "bots/ann"] {
            std::fs::create_dir_all(home.join(made)).unwrap();
        }
        let (python, script) = (home.join("venv/bin/python"), home.join("bots/ann/bot.py"));
        std::fs::write(&python, "").unwrap();
        std::fs::write(&script, "").unwrap();
        let (python, script) = (python.to_str().unwrap(), script.to_str().unwrap());
        let expected = ReadablePaths {
            tools: vec![home.join("venv")],
            own: vec![home.join("bots/ann")],
            ..ReadablePaths::default()
        };
        assert_eq!(reach(&[python, script]), expected);
        assert_eq!(reach_in(Some(&home.join("bots/ann")), &[python, "bot.py"]), expected);
        let alone = reach_in(Some(&home.join("bots/ann")), &[python]);
        assert_eq!(alone.own, [home.join("bots/ann"), home.join("venv/bin")]);
        let by_way_of = format!("{}/bots/../venv/bin/python", home.display());
        assert_eq!(reach(&[&by_way_of, script]), expected);
        assert_eq!(reach(&[script]).own, [home.join("bots/ann")]);
    }

    #[test]
    fn an_interpreter_that_only_the_first_line_names_is_hidden_outside_the_system() {
        let folder = tempfile::tempdir().unwrap();
        let home = folder.path().canonicalize().unwrap();
        for made in ["venv/bin", "venv/lib", "ann"] {
            std::fs::create_dir_all(home.join(made)).unwrap();
        }
        let python = home.join("venv/bin/python");
        std::fs::write(&python, "").unwrap();
        let script = home.join("ann/run");
        let hidden = |first_line: &str, words: &str| {
            std::fs::write(&script, format!("{first_line}\nx")).unwrap();
            let words = format!("{}{words}", script.display());
            let command: BotCommand = words.parse().unwrap();
            ReadablePaths::of(&command, Path::new("mancala"), &BTreeSet::new()).hidden
        };
        let line = format!("#!{}", python.display());
        assert_eq!(hidden(&line, ""), Some(python.clone()));
        assert_eq!(
            hidden(&format!("#!/usr/bin/env {}", python.display()), ""),
            Some(python.clone())
        );
        let by_option = format!("#!/usr/bin/env -S A=1 {} -u", python.display());
        assert_eq!(hidden(&by_option, ""), Some(python.clone()));
        // Its folder is named, too.
        assert_eq!(hidden(&line, &format!(" {}", home.join("venv").display())), None);
        for line in ["#!/bin/sh", "#!/usr/bin/env sh", "#!/usr/bin/env no-such-program", "x"] {
            assert_eq!(hidden(line, ""), None, "{line}");
        }
        assert_eq!(folders_of_interpreter(&python), [home.join("venv")]);
    }

    #[test]
    fn a_program_s_path_is_relative_to_the_working_folder_of_the_bot() {
        // Here, in the folder of the package, there is a file of this name.
        let here = std::env::current_dir().unwrap();
        assert!(here.join("Cargo.toml").is_file());
        let folder = tempfile::tempdir().unwrap();
        let home = folder.path().canonicalize().unwrap();
        for made in ["bots/ann", "tool"] {
            std::fs::create_dir_all(home.join(made)).unwrap();
        }
        let ann = home.join("bots/ann");
        for words in [&["./Cargo.toml"][..], &["./Cargo.toml", "p"]] {
            assert_eq!(reach_in(Some(&ann), words).outermost(), [&ann], "{words:?}");
        }
        std::fs::write(home.join("tool/eng"), "").unwrap();
        let reach = reach_in(Some(&ann), &["../../tool/eng", "p"]);
        assert_eq!(reach.outermost(), [&ann, &home.join("tool")]);
    }

    #[test]
    fn a_class_or_a_module_is_looked_for_in_the_working_folder() {
        // The tests run in the folder of their package.
        let here = [std::env::current_dir().unwrap()];
        for words in [
            &["java", "Bot"][..],
            &["java", "-Xmx64m", "Bot", "7"],
            &["python3", "-m", "my_bot"],
            &["nice", "/usr/bin/python3.11", "-u", "-m", "my_bot"],
        ] {
            assert_eq!(reach(words).own, here, "{words:?}");
        }
        for words in [&["java", "-version"][..], &["python3"], &["javac", "Bot"], &["sh", "-m"]] {
            assert!(!reach(words).own.contains(&here[0]), "{words:?}");
        }
        assert_eq!(reach(&["java", "-cp", "bot", "Bot"]).own, [here[0].join("bot")]);
    }

    #[test]
    fn what_two_bots_share_is_found() {
        let of = |own: &[&str]| ReadablePaths {
            tools: vec![PathBuf::from("/home/me/venv")],
            own: own.iter().map(PathBuf::from).collect(),
            ..ReadablePaths::default()
        };
        let common = |a: &[&str], b: &[&str]| {
            let (a, b) = (of(a), of(b));
            a.in_common(&b).into_iter().cloned().collect::<Vec<PathBuf>>()
        };
        assert_eq!(common(&["/c/ann"], &["/c/bob"]), Vec::<PathBuf>::new());
        assert_eq!(common(&["/c"], &["/c/bob"]), [PathBuf::from("/c/bob")]);
        assert_eq!(common(&["/c/ann"], &["/c/ann"]), [PathBuf::from("/c/ann")]);
        assert_eq!(common(&["/c", "/d"], &["/d/bob", "/c"]), ["/c", "/d/bob"].map(PathBuf::from));
    }

    #[test]
    fn a_bots_folder_in_which_another_ones_program_lies_is_shared() {
        let folder = PathBuf::from("/class");
        let of = |tools: &[&PathBuf], own: &[&PathBuf]| ReadablePaths {
            tools: tools.iter().copied().cloned().collect(),
            own: own.iter().copied().cloned().collect(),
            ..ReadablePaths::default()
        };
        let (inner, alone) = (folder.join("data"), PathBuf::from("/alone"));
        // A program of the class's folder, with a file of its own elsewhere or within.
        let plain = of(&[], &[&folder]);
        assert_eq!(of(&[&folder], &[&alone]).in_common(&plain), [&folder]);
        assert_eq!(plain.in_common(&of(&[&folder], &[&inner])), [&folder]);
        assert_eq!(of(&[&folder], &[&inner, &alone]).outermost(), [&folder, &alone]);
        assert_eq!(of(&[&folder], &[&folder]).outermost(), [&folder]);
    }
}
