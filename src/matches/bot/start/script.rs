//! Which file on a command line is the bot: programs that run another file, and that file.

use std::path::Path;

use super::command::BUILTIN;

/// The file name of a path without directories and without its last ending.
pub(super) fn stem(word: &str) -> String {
    let word = word.strip_prefix(BUILTIN).unwrap_or(word);
    Path::new(word).file_stem().unwrap_or_default().to_string_lossy().into_owned()
}

/// Whether `program` runs another file, which is the bot.
pub(super) fn is_interpreter(program: &str) -> bool {
    [
        "python", "pypy", "node", "nodejs", "deno", "bun", "java", "ruby", "perl", "lua", "luajit",
        "php", "bash", "sh", "dash", "zsh", "Rscript", "julia", "env", "nice", "timeout", "mono",
        "racket", "guile", "sbcl", "ocaml", "runghc", "tclsh", "swipl", "elixir", "go", "raku",
        "octave", "pwsh", "ts-node", "tsx", "escript",
    ]
    .contains(&without_version(program))
}

/// The name of an interpreter without its version: `python` of `python3.11`.
pub fn without_version(program: &str) -> &str {
    program.trim_end_matches(|letter: char| letter.is_ascii_digit() || letter == '.')
}

/// Endings of files that an interpreter runs.
const SOURCES: [&str; 25] = [
    "py", "pyz", "java", "class", "jar", "js", "mjs", "cjs", "ts", "rb", "pl", "lua", "php", "sh",
    "jl", "R", "rkt", "scm", "go", "raku", "ps1", "exs", "tcl", "ml", "hs",
];

/// Adapters of `examples`, without their ending. The first path after one is the bot's program.
pub const ADAPTERS: [&str; 4] = ["kgp", "lines", "oneshot", "openspiel"];

/// Whether it names a file that an interpreter runs.
pub fn is_source(word: &str) -> bool {
    let ending = Path::new(word).extension().and_then(|ending| ending.to_str());
    ending.is_some_and(|ending| SOURCES.contains(&ending))
}

/// What an interpreter runs: the last file of source code, or the compiled program behind
/// an adapter, or the last class of Java, or the first argument that is neither an option nor one's value.
pub(super) fn script<'a>(program: &str, arguments: &'a [String]) -> Option<&'a String> {
    if let Some(index) = arguments.iter().rposition(|word| is_source(word)) {
        let file = &arguments[index];
        let is_adapter = ADAPTERS.contains(&stem(file).as_str());
        let compiled = arguments[index + 1..].iter().find(|word| word.contains('/'));
        return Some(compiled.filter(|_| is_adapter).unwrap_or(file));
    }
    // Go runs a folder, too.
    let arguments = match arguments {
        [word, others @ ..] if program == "go" && word == "run" => others,
        _ => arguments,
    };
    let first = first_argument(arguments)?;
    let is_class = |word: &&String| {
        word.starts_with(|c: char| c.is_ascii_uppercase())
            && word.chars().all(|c| c.is_ascii_alphanumeric() || "_$.".contains(c))
    };
    let class = || arguments.iter().rev().find(is_class).filter(|_| program == "java");
    Some(class().unwrap_or(first))
}

/// The first argument of an interpreter that is neither an option nor one's value.
pub(super) fn first_argument(arguments: &[String]) -> Option<&String> {
    let mut arguments = arguments.iter();
    while let Some(argument) = arguments.next() {
        match argument.as_str() {
            "-cp" | "-classpath" | "--class-path" | "-W" | "-X" | "-r" => {
                arguments.next();
            }
            "-c" | "-e" => return None,
            option if option.starts_with('-') => {}
            // The time of `timeout`, a variable of `env`.
            word if word.starts_with(|c: char| c.is_ascii_digit()) || word.contains('=') => {}
            _ => return Some(argument),
        }
    }
    None
}
