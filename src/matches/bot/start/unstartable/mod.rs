//! Why a program cannot be started, and the command line that works.

use std::io;
use std::os::unix::fs::PermissionsExt as _;
use std::path::{Path, PathBuf};

use rustix::io::Errno;

use super::command::LEVELS;
use super::how_to_run::{
    first_line_of_script, how_to_run, interpreter, interpreter_words, start_of_file,
};
use super::misread::misread_words;
use super::readable::find_program;
use super::script::is_source;
use crate::bot::system;
use crate::referee::Trouble;
use crate::text::{self, printable_path};

/// How the reason begins why a program without a path is not found.
pub(crate) const NOT_ON_PATH: &str = "not found on the PATH";

/// Commands that a shell has in itself.
const OF_THE_SHELL: [&str; 7] = ["cd", "export", "source", ".", "ulimit", "umask", "exec"];

/// Distinguishes a program that cannot be run from a system that cannot run any. `folder` is the working
/// folder that the program was to have; `None` for that of the referee.
pub(crate) fn program_trouble(
    program: &str,
    folder: Option<&Path>,
    in_sandbox: bool,
    error: io::Error,
) -> Trouble {
    let path = &folder.unwrap_or(Path::new("")).join(program);
    let Some(errno) = error.raw_os_error().map(Errno::from_raw_os_error) else {
        return Trouble::System(error);
    };
    let program = text::printable(program);
    let why = match errno {
        Errno::NOEXEC | Errno::ACCESS | Errno::NOENT if is_config(path) => {
            format!(
                "is the config of a tournament, not a bot; to play it: mancala tournament --config {program}"
            )
        }
        Errno::NOENT | Errno::NOTDIR => not_found(&program, path),
        Errno::ACCESS | Errno::NOEXEC if let Some(why) = wrong_interpreter(path, folder, errno) => {
            why
        }
        Errno::ACCESS if in_sandbox && may_be_executed(path) => {
            "may not be executed in the sandbox; where it or its interpreter (the first line of a \
             script, #!) lies outside the system's folders, add --allow-read FOLDER"
                .to_owned()
        }
        Errno::NOEXEC => not_a_program(&program, path),
        Errno::ACCESS | Errno::PERM => not_executable(&program, path),
        Errno::TOOBIG => "its arguments are too long".to_owned(),
        // These say nothing about the program: the system has no room for any.
        Errno::MFILE | Errno::NFILE | Errno::NOMEM | Errno::AGAIN => {
            return Trouble::System(system::explained(error));
        }
        _ => error.to_string(),
    };
    Trouble::CannotStart(format!("{program}: {why}"))
}

/// Whether a file looks like the config of a tournament.
fn is_config(path: &Path) -> bool {
    path.extension().is_some_and(|ending| ending == "toml") && path.is_file()
}

fn not_found(program: &str, path: &Path) -> String {
    let is_a_path = program.contains('/');
    if is_a_path && path.exists() {
        return "its interpreter or loader is missing; look at its first line (#!)".to_owned();
    }
    if program.starts_with("~/") {
        return "no shell is run, so ~ does not work; write the path in full".to_owned();
    }
    if let Some(target) = missing_target(path).filter(|_| is_a_path) {
        return target;
    }
    if is_a_path {
        let how = with_an_ending(program, path)
            .unwrap_or_else(|| "is the path right from this folder?".to_owned());
        return format!("no such file; {how}");
    }
    if path.is_dir() {
        return is_a_folder(program, path);
    }
    if OF_THE_SHELL.contains(&program) {
        return format!("is a shell builtin, and no shell is run; write \"sh -c '{program} …'\"");
    }
    if let Some(how) = how_to_run(program, path) {
        return format!("{NOT_ON_PATH}; {how}");
    }
    if path.is_file() {
        return format!("{NOT_ON_PATH}; the program of this folder is ./{program}");
    }
    let lower = program.to_lowercase();
    // `buildin:easy` has the level behind its colon.
    let lower = lower.rsplit(':').next().unwrap_or(&lower);
    let is_meant = |level: &&&str| strsim::damerau_levenshtein(lower, level) <= 1;
    if let Some(level) = LEVELS.iter().find(is_meant) {
        return format!("{NOT_ON_PATH}; did you mean builtin:{level}?");
    }
    if let Some(how) = with_an_ending(program, path) {
        return format!("{NOT_ON_PATH}; {how}");
    }
    let ending = Path::new(program).extension().and_then(|ending| ending.to_str());
    if ending.is_some_and(|ending| ending.chars().all(char::is_alphabetic)) {
        return "no such file in this folder; give its path".to_owned();
    }
    format!("{NOT_ON_PATH}; is it installed, and spelt right?")
}

/// That a path is a link to what is not there, if so, directly or through other links.
fn missing_target(path: &Path) -> Option<String> {
    // That of links in a circle is not known.
    path.try_exists().ok().filter(|is_there| !is_there)?;
    let next = |link: &PathBuf| Some(link.parent()?.join(link.read_link().ok()?));
    let links = std::iter::successors(Some(path.to_owned()), next);
    let target = links.filter_map(|link| link.read_link().ok()).last()?;
    Some(format!("is a link to {}, which is not there", printable_path(&target)))
}

/// What is wrong with the interpreter of a script that may be executed itself, if that is why the system
/// refuses it.
fn wrong_interpreter(path: &Path, folder: Option<&Path>, errno: Errno) -> Option<String> {
    let words = interpreter_words(path).filter(|_| may_be_executed(path))?;
    let named = Path::new(words.first()?);
    let interpreter = folder.unwrap_or(Path::new("")).join(named);
    let why = if interpreter.is_dir() {
        "is a folder"
    } else if !may_be_executed(&interpreter) {
        "is not executable"
    } else if errno == Errno::NOEXEC {
        "is not a program for this machine"
    } else {
        return None;
    };
    let named = printable_path(named);
    Some(format!(
        "its first line (#!) names {named}, which {why}; write the script's interpreter in that line"
    ))
}

/// What to give in place of a folder.
fn is_a_folder(program: &str, path: &Path) -> String {
    let prefix = format!("{}/", program.trim_end_matches('/'));
    let how = runnable_file(path, &prefix, |_| true)
        .unwrap_or_else(|| "give the command that runs the bot in it".to_owned());
    format!("is a folder, not a program; {how}")
}

/// The file that has this name and an ending, and how it is run.
fn with_an_ending(program: &str, path: &Path) -> Option<String> {
    let name = Path::new(program).file_name()?;
    let folder = program.strip_suffix(name.to_str()?)?;
    runnable_file(path.parent()?, folder, |file| file.file_stem() == Some(name))
}

/// The first file of `folder` that is meant and may be a bot, and how it is run. `prefix` is the
/// folder as the user writes it.
fn runnable_file(folder: &Path, prefix: &str, is_meant: impl Fn(&Path) -> bool) -> Option<String> {
    let folder = if folder == Path::new("") { Path::new(".") } else { folder };
    let mut files: Vec<PathBuf> = folder
        .read_dir()
        .ok()?
        .flatten()
        .map(|entry| entry.path())
        .filter(|f| is_meant(f))
        .collect();
    files.sort_unstable();
    files.iter().find_map(|file| {
        let program = text::printable(&format!("{prefix}{}", file.file_name()?.to_str()?));
        let how = how_to_run(&program, file)?;
        Some(format!("there is {program}: {how}"))
    })
}

/// Whether a file has a bit that lets somebody execute it. A name that is looked for on the PATH has
/// one where it was found.
fn may_be_executed(path: &Path) -> bool {
    let file = path.metadata();
    file.map_or(true, |file| file.is_file() && file.permissions().mode() & 0o111 != 0)
}

fn not_executable(program: &str, path: &Path) -> String {
    if path.is_dir() {
        return is_a_folder(program, path);
    }
    if path.metadata().is_ok_and(|found| !found.is_file()) {
        return "is a pipe, a socket or a device, not a program".to_owned();
    }
    match how_to_run(program, path) {
        Some(how) if interpreter(path).is_some() => {
            format!("not executable; {how}, or make it executable: chmod +x {}", as_word(path))
        }
        Some(how) => format!("not executable; {how}"),
        None => "not executable; a program needs chmod +x, and a script a first line that names \
                 its interpreter (#!) or the interpreter in front"
            .to_owned(),
    }
}

/// The path of a file as a word of a command: from the user's folder, or the full path where this process
/// works in another, that of a contest's config.
fn as_word(path: &Path) -> String {
    let users = std::env::var_os("PWD").and_then(|folder| Path::new(&folder).canonicalize().ok());
    let is_there = users.is_some() && users == std::env::current_dir().ok();
    let full = if is_there { None } else { std::path::absolute(path).ok() };
    let path = full.as_deref().unwrap_or(path);
    let path: PathBuf = path.components().collect();
    text::printable(&shell_words::quote(&path.to_string_lossy()))
}

/// Why the system refuses a file that may be executed.
fn not_a_program(program: &str, path: &Path) -> String {
    const BYTE_ORDER_MARK: &[u8] = b"\xef\xbb\xbf#!";
    if start_of_file(path).is_some_and(|start| start.starts_with(BYTE_ORDER_MARK)) {
        return format!(
            "begins with a byte-order mark, so its #! is not seen; remove it with \
             sed -i '1s/^\\xef\\xbb\\xbf//' {}",
            as_word(path)
        );
    }
    let how = how_to_run(program, path).map(|how| format!("; {how}")).unwrap_or_default();
    format!(
        "has no first line that names its interpreter (#!/usr/bin/env python3), and is not a program \
         for this machine{how}"
    )
}

/// Why a program cannot run, where that can be known beforehand.
pub(crate) fn known_obstacle(words: &[String], folder: Option<&Path>) -> Option<String> {
    unquoted_path(words, folder)
        .or_else(|| misread_words(words, folder))
        .or_else(|| missing_script(words, folder))
        .or_else(|| windows_script(words.first()?, folder))
}

/// Programs that run the file that their first argument names.
const RUN_A_FILE: [&str; 12] = [
    "python", "python3", "pypy", "pypy3", "java", "node", "ruby", "perl", "lua", "php", "bash",
    "sh",
];

fn runs_a_file(program: &str) -> bool {
    let name = Path::new(program).file_name().and_then(|name| name.to_str());
    name.is_some_and(|name| RUN_A_FILE.contains(&name))
}

/// A path with a blank in it, of a program or its script, that was split into words.
fn unquoted_path(words: &[String], folder: Option<&Path>) -> Option<String> {
    let place = |word: &str| folder.unwrap_or(Path::new("")).join(word);
    let is_option = |word: &String| word.starts_with('-');
    let first = match words.split_first()? {
        (program, rest) if runs_a_file(program) => 1 + rest.iter().position(|it| !is_option(it))?,
        (program, _) if find_program(program).is_some() => return None,
        _ => 0,
    };
    if place(&words[first]).exists() {
        return None;
    }
    (first + 2..=words.len()).find_map(|end| {
        let file = words[first..end].join(" ");
        let path = place(&file);
        if !path.is_file() {
            return None;
        }
        let quoted = words[..first].iter().chain([&file]).chain(&words[end..]);
        let (shown, command) =
            (text::printable(&file), text::printable(&shell_words::join(quoted)));
        let how = how_to_run(&shown, &path).filter(|_| first == 0 && !may_be_executed(&path));
        let how = how.unwrap_or_else(|| format!("write \"{command}\""));
        Some(format!("the path {shown} has a blank and needs quotes within the command; {how}"))
    })
}

/// A script whose first line ends as on Windows: the end of the line is part of the interpreter's name,
/// or of its option. Perl, and `env -S`, take it for a blank.
fn windows_script(program: &str, folder: Option<&Path>) -> Option<String> {
    if !program.contains('/') {
        return None;
    }
    let path = folder.unwrap_or(Path::new("")).join(program);
    let line = first_line_of_script(&path)?;
    let line = String::from_utf8(line.strip_suffix(b"\r")?.to_vec()).ok()?;
    let words: Vec<&str> = line.split_whitespace().collect();
    let reason = match words[..] {
        [_] | ["/usr/bin/env" | "/bin/env", _] => "so its interpreter is not found",
        [interpreter, ..] if interpreter.ends_with("/perl") => return None,
        [_, option, ..] if option.starts_with("-S") => return None,
        _ => "so its interpreter gets an option that it does not know",
    };
    // With such ends alone the system sees one line.
    (!line.contains('\r')).then(|| {
        format!(
            "{}: its lines end as on Windows (CR LF), {reason}; convert it with sed -i 's/\\r$//' {}",
            text::printable(program),
            as_word(&path)
        )
    })
}

/// Why an interpreter cannot run its script: there is no such file. What follows an option is left
/// to the interpreter.
fn missing_script(words: &[String], folder: Option<&Path>) -> Option<String> {
    let (program, arguments) = words.split_first()?;
    let name = Path::new(program).file_name()?.to_str()?;
    // These neither add an ending nor look in other folders.
    let takes_any_name = !["java", "node", "bash", "sh"].contains(&name);
    let is_script = |word: &&String| is_source(word) || takes_any_name && !word.starts_with('-');
    let script = arguments.first().filter(is_script)?;
    let path = folder.unwrap_or(Path::new("")).join(script);
    let is_missing = runs_a_file(program) && !path.exists();
    let place = |folder: &Path| {
        let shown = printable_path(folder);
        if !folder.is_dir() {
            return format!(" in the folder {shown}, which is not there");
        }
        let from_there = Path::new(script).strip_prefix(folder).ok();
        let from_there = from_there.filter(|inside| folder.join(inside).exists());
        let inside = from_there.map(|inside| format!(", {}", printable_path(inside)));
        let inside = inside.unwrap_or_default();
        format!(" in the folder {shown}, where it runs; give its path from there{inside}")
    };
    is_missing.then(|| {
        let script = text::printable(script);
        if let Some(target) = missing_target(&path) {
            return format!("{name} cannot find {script}: it {target}");
        }
        if let Some(how) = with_an_ending(&script, &path) {
            return format!("{name} cannot find {script}; {how}");
        }
        let place = folder.map_or_else(|| "; give its path from this folder".to_owned(), place);
        format!("{name} cannot find {script}{place}")
    })
}

#[cfg(test)]
mod tests;
