//! Why a program failed, in the words of its interpreter: most often, what it did not find.

use crate::text::quoted;

/// Something that was missing.
#[derive(Clone, PartialEq, Eq)]
pub(super) struct Missing {
    pub(super) kind: MissingKind,
    /// Its name as the interpreter has it; printable, one line.
    pub(super) name: String,
}

/// What kind of thing was missing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum MissingKind {
    File,
    Module,
    Class,
    Program,
}

use MissingKind::{Class, File, Module, Program};

/// What is missing, and the words before and behind its name.
type NameWords = (MissingKind, &'static str, &'static str);

/// What Node and Java write, with more lines behind it.
const ANYWHERE: [NameWords; 3] = [
    (Module, "Cannot find module '", "'"),
    (Module, "Cannot find package '", "'"),
    (Class, "Could not find or load main class ", ""),
];

/// What programs that start others, Python, Perl, PHP, Ruby, Java, Lua, adapters and shells end with.
const IN_THE_LAST_LINE: [NameWords; 19] = [
    (Program, "env: '", "': No such file"),
    (Program, "env: ‘", "’: No such file"),
    (Program, "nice: '", "': No such file"),
    (Program, "nice: ‘", "’: No such file"),
    (Program, "failed to run command '", "': No such file"),
    (Program, "failed to run command ‘", "’: No such file"),
    (File, "can't open file '", "'"),
    (File, "No such file or directory: '", "'"),
    (Module, "No module named '", "'"),
    (Module, "No module named ", ""),
    (File, "Can't open perl script \"", "\""),
    (File, "Could not open input file: ", ""),
    (File, "No such file or directory -- ", " ("),
    (File, "Unable to access jarfile ", ""),
    (File, ": cannot open ", ": No such file"),
    (File, ": cannot start ", ": No such file"),
    (File, ": ", ": No such file or directory"),
    (Program, ": ", ": command not found"),
    (Program, ": ", NOT_FOUND),
];

const NOT_FOUND: &str = ": not found";

/// What was missing, by the stderr of a program that left without an answer.
pub(super) fn missing(stderr: &str) -> Option<Missing> {
    // An adapter that ran a file ends by sending its reader up to what the file itself said.
    let says_something = |line: &&str| !line.trim().is_empty() && !line.ends_with(", see above");
    let last_line = stderr.lines().rfind(says_something)?;
    let anywhere = stderr.lines().find_map(|line| find_in(line, &ANYWHERE));
    let is_crash = ["Traceback", "Exception", "\tat "].iter().any(|words| stderr.contains(words));
    let found = anywhere.or_else(|| find_in(last_line, &IN_THE_LAST_LINE));
    found.filter(|found| found.kind != Program || !is_crash)
}

fn find_in(line: &str, all: &[NameWords]) -> Option<Missing> {
    let line = line.trim_end();
    let name_of = |before: &str, after: &str| {
        if before == ": " {
            // Of a line in parts the name is the last one: `bash: line 1: nope: not found`.
            let (head, name) = line.strip_suffix(after)?.rsplit_once(before)?;
            // Programs end their own messages so, too: `ValueError: house: not found`.
            return (after != NOT_FOUND || is_shell(head)).then_some(name);
        }
        let (_, rest) = line.split_once(before)?;
        Some(if after.is_empty() { rest } else { rest.split_once(after)?.0 })
    };
    all.iter().find_map(|&(kind, before, after)| {
        let name = quoted(name_of(before, after)?.trim().as_bytes());
        (!name.is_empty()).then_some(Missing { kind, name })
    })
}

/// Whether a shell begins a message so: `sh: 1`, `./x.sh: line 3`; Busybox has no number at times.
fn is_shell(head: &str) -> bool {
    const SHELLS: [&str; 6] = ["ash", "bash", "busybox", "dash", "ksh", "sh"];
    let number = head.rsplit_once(": ").map(|(_, last)| last.trim_start_matches("line "));
    let is_number = |text: &str| text.parse::<u32>().is_ok();
    number.is_some_and(is_number) || SHELLS.contains(&head.rsplit('/').next().unwrap_or(head))
}

/// Whether a program crashed when it parsed two messages as one: what Python and Node say behind the
/// first.
pub(super) fn parsed_several_messages(stderr: &str) -> bool {
    ["Extra data: line 2", "Unexpected non-whitespace character after JSON"]
        .iter()
        .any(|words| stderr.contains(words))
}

/// Whether a program ended because it took its input for another encoding: Python, Java, Ruby.
pub(super) fn is_decoding_error(stderr: &str) -> bool {
    ["UnicodeDecodeError: ", "MalformedInputException", "invalid byte sequence in "]
        .iter()
        .any(|error| stderr.contains(error))
}

/// Whether a program that is compiled when it is started could not be: Java's, Go's, Rust's words.
pub(super) fn is_not_compiled(stderr: &str) -> bool {
    let is_said = |line: &str| {
        line.starts_with("error: compilation failed")
            || line.starts_with("error: could not compile")
            || line.starts_with("# command-line-arguments")
    };
    stderr.lines().any(is_said)
}

/// Whether a program called itself until its stack was full: Python, Java, JavaScript, Ruby, and what
/// Go, Lua, C# and Rust say.
pub(super) fn is_endless_recursion(stderr: &str) -> bool {
    // A warning of its own has more behind these words.
    let ends_so = |line: &str| {
        line.trim_end().to_lowercase().trim_end_matches('.').ends_with("stack overflow")
    };
    let errors = [
        "RecursionError: ",
        "StackOverflowError",
        "Maximum call stack size exceeded",
        "SystemStackError",
        "has overflowed its stack",
    ];
    errors.iter().any(|error| stderr.contains(error)) || stderr.lines().any(ends_so)
}

/// Whether an interpreter refused the program itself: Python without a traceback, Node without a
/// word of JSON, which a program parses when it runs.
pub(super) fn is_syntax_error(stderr: &str) -> bool {
    let is_error = |line: &str| {
        ["SyntaxError: ", "IndentationError: ", "TabError: "].iter().any(|it| line.starts_with(it))
    };
    stderr.lines().any(is_error) && !stderr.contains("Traceback") && !stderr.contains("JSON")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn recursion_and_compilers_are_known_by_their_words() {
        let java =
            "Exception in thread \"main\" java.lang.StackOverflowError\n\tat Bot.f(Bot.java:3)";
        assert!(is_endless_recursion(java) && !is_not_compiled(java));
        let rust = "thread 'main' has overflowed its stack\nfatal runtime error: stack overflow";
        assert!(is_endless_recursion(rust));
        for stack in
            ["fatal error: stack overflow", "lua: x.lua:1: stack overflow", "Stack overflow.\n"]
        {
            assert!(is_endless_recursion(stack), "{stack}");
        }
        assert!(!is_endless_recursion("search: stack overflow guard hit, depth cut"));
        let compiler = "Bot.java:5: error: ';' expected\n1 error\nerror: compilation failed\n";
        assert!(is_not_compiled(compiler) && !is_endless_recursion(compiler));
        let other = "ValueError: the compilation failed: deep recursion\n";
        assert!(!is_not_compiled(other) && !is_endless_recursion(other));
    }
}
