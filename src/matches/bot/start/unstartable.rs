//! Why a program cannot be started, and the command line that works.

use std::io::{self, Read as _};
use std::os::unix::fs::PermissionsExt as _;
use std::path::{Path, PathBuf};

use rustix::io::Errno;

use super::command::LEVELS;
use super::misread::misread_words;
use super::readable::find_program;
use super::script::is_source;
use crate::bot::system;
use crate::record::own_files::open_regular_file;
use crate::referee::Trouble;
use crate::text::{self, printable_path};

/// How the reason begins why a program without a path is not found.
pub const NOT_ON_PATH: &str = "not found on the PATH";

/// Commands that a shell has in itself.
const OF_THE_SHELL: [&str; 7] = ["cd", "export", "source", ".", "ulimit", "umask", "exec"];

/// Distinguishes a program that cannot be run from a system that cannot run any. `folder` is the working
/// folder that the program was to have; `None` for that of the referee.
pub fn program_trouble(
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
        Errno::NOENT | Errno::NOTDIR => not_found(&program, path),
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

fn not_found(program: &str, path: &Path) -> String {
    let is_a_path = program.contains('/');
    if is_a_path && path.exists() {
        return "its interpreter or loader is missing; look at its first line (#!)".to_owned();
    }
    if program.starts_with("~/") {
        return "no shell is run, so ~ does not work; write the path in full".to_owned();
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
    if path.is_file() {
        return format!("{NOT_ON_PATH}; the program of this folder is ./{program}");
    }
    let ending = Path::new(program).extension().and_then(|ending| ending.to_str());
    if ending.is_some_and(|ending| ending.chars().all(char::is_alphabetic)) {
        return "no such file in this folder; give its path".to_owned();
    }
    format!("{NOT_ON_PATH}; is it installed, and spelt right?")
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

/// The first file of this folder that is meant and may be a bot, and how it is run. `prefix` is the
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
            let script = text::printable(&shell_words::quote(program));
            format!("not executable; {how}, or make it executable: chmod +x {script}")
        }
        Some(how) => format!("not executable; {how}"),
        None => "not executable; a program needs chmod +x, and a script a first line that names \
                 its interpreter (#!) or the interpreter in front"
            .to_owned(),
    }
}

/// Why the system refuses a file that may be executed.
fn not_a_program(program: &str, path: &Path) -> String {
    const BYTE_ORDER_MARK: &[u8] = b"\xef\xbb\xbf#!";
    if start_of_file(path).is_some_and(|start| start.starts_with(BYTE_ORDER_MARK)) {
        let script = text::printable(&shell_words::quote(program));
        return format!(
            "begins with a byte-order mark, so its #! is not seen; remove it with \
             sed -i '1s/^\\xef\\xbb\\xbf//' {script}"
        );
    }
    let how = how_to_run(program, path).map(|how| format!("; {how}")).unwrap_or_default();
    format!(
        "has no first line that names its interpreter (#!/usr/bin/env python3), and is not a program \
         for this machine{how}"
    )
}

/// How the file of this name is run, where its first line or its ending tells: the command line of a
/// script, or how to compile source code and what to run then.
fn how_to_run(program: &str, path: &Path) -> Option<String> {
    if !path.is_file() {
        return None;
    }
    let script = shell_words::quote(program);
    let runs = |words: &str| format!("this file is run by \"{words}\"");
    if let Some(interpreter) = interpreter(path) {
        return Some(runs(&format!("{interpreter} {script}")));
    }
    let ending = path.extension()?.to_str()?;
    let without = program.strip_suffix(ending)?.strip_suffix('.')?;
    let file = Path::new(without).file_name()?.to_str()?;
    let folder = match Path::new(without).parent()?.to_str()? {
        "" => ".",
        folder => folder,
    };
    let result = if without.contains('/') { without.to_owned() } else { format!("./{without}") };
    let compiles = |language: &str, command: &str| {
        format!("this file is {language} source; compile it ({command}) and run {result}")
    };
    Some(match ending {
        "py" => runs(&format!("python3 {script}")),
        "js" | "mjs" | "cjs" => runs(&format!("node {script}")),
        "java" => runs(&format!("java {script}")),
        // Bash runs scripts for sh, too.
        "sh" | "bash" => runs(&format!("bash {script}")),
        "rb" => runs(&format!("ruby {script}")),
        "pl" => runs(&format!("perl {script}")),
        "lua" => runs(&format!("lua {script}")),
        "php" => runs(&format!("php {script}")),
        "jar" => runs(&format!("java -jar {script}")),
        "class" => runs(&format!("java -cp {folder} {file}")),
        "c" => format!(
            "{}; a file with only a Move_… function is compiled by \
             examples/ece1021/build.sh {program} -o {without}",
            compiles("C", &format!("cc -O2 {program} -o {without}"))
        ),
        "cc" | "cpp" | "cxx" => compiles("C++", &format!("c++ -O2 {program} -o {without}")),
        "rs" => compiles("Rust", &format!("rustc -O {program} -o {without}")),
        "go" => compiles("Go", &format!("go build -o {without} {program}")),
        "hs" => compiles("Haskell", &format!("ghc -O2 {program} -o {without}")),
        "o" => format!(
            "this file is not linked yet; link it (cc {program} -o {without}) and run \
                        {result}"
        ),
        _ => return None,
    })
}

/// Why a program cannot run, where that can be known beforehand.
pub fn known_obstacle(words: &[String], folder: Option<&Path>) -> Option<String> {
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

/// What the first line of a script (`#!`) names, without its folder and without `env`: `bash`,
/// `python3 -u`.
fn interpreter(path: &Path) -> Option<String> {
    let line = String::from_utf8(first_line_of_script(path)?).ok()?;
    let words = line.split_whitespace();
    let mut words = words.skip_while(|word| matches!(*word, "/usr/bin/env" | "/bin/env" | "-S"));
    let program = Path::new(words.next()?).file_name()?.to_str()?;
    let words: Vec<&str> = std::iter::once(program).chain(words).collect();
    Some(text::printable(&words.join(" ")))
}

/// The first line of a script, behind its `#!`, as far as Linux reads it.
fn first_line_of_script(path: &Path) -> Option<Vec<u8>> {
    let start = start_of_file(path)?;
    let line = start.strip_prefix(b"#!")?.split(|&byte| byte == b'\n').next()?;
    Some(line.to_vec())
}

/// The first bytes of a file, as many as Linux looks at.
fn start_of_file(path: &Path) -> Option<Vec<u8>> {
    const BYTES: u64 = 256;
    let mut start = Vec::new();
    open_regular_file(path).ok()?.take(BYTES).read_to_end(&mut start).ok()?;
    Some(start)
}

/// A script whose first line ends as on Windows names an interpreter that is not there: the end of
/// the line is part of the name.
fn windows_script(program: &str, folder: Option<&Path>) -> Option<String> {
    if !program.contains('/') {
        return None;
    }
    let line = first_line_of_script(&folder.unwrap_or(Path::new("")).join(program))?;
    line.ends_with(b"\r").then(|| {
        let (shown, quoted) = (text::printable(program), shell_words::quote(program));
        format!(
            "{shown}: its lines end as on Windows (CR LF), so its interpreter is not found; convert \
             it with sed -i 's/\\r$//' {}",
            text::printable(&quoted)
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
        if let Some(how) = with_an_ending(&script, &path) {
            return format!("{name} cannot find {script}; {how}");
        }
        let place = folder.map_or_else(|| "; give its path from this folder".to_owned(), place);
        format!("{name} cannot find {script}{place}")
    })
}

#[cfg(test)]
mod tests;
