//! Scripts within a command: `sh -c SCRIPT`, `python3 -c SCRIPT`, `awk PROGRAM`. A file's name that
//! is filled in there could be a command.

use std::path::Path;

use ScriptAdvice::{Argument, InWords};
use ScriptPlace::{Anywhere, Behind, First, NextWord};

use super::placeholders::{PLACEHOLDERS, placeholder_in, refuse_unknown_placeholders};
use crate::bot::without_version;
use crate::text::{has_word, printable};

/// How a program is given a script on its command line. Lists are in one text, with blanks.
struct Interpreter {
    /// Its names; a version may follow, as in `python3.11`.
    names: &'static str,
    /// Letters of options such as `-c`: those that take a script; those that take another value, which
    /// is the rest of their word or the next one; those whose value is the rest of their word.
    letters: [&'static str; 3],
    /// Other words that take a script.
    long: &'static str,
    place: ScriptPlace,
    advice: ScriptAdvice,
}

#[derive(PartialEq, Eq)]
enum ScriptPlace {
    /// Behind the option, in the same word or the next; options end at the first other word.
    Behind,
    /// The same, but the script is the first word that is not an option.
    NextWord,
    /// Behind the option, wherever that stands.
    Anywhere,
    /// The same; without one it is the first word that is not an option, unless `-f` names a file.
    First,
}

/// What to write instead of a placeholder, which is `{}`.
enum ScriptAdvice {
    /// This word in the script, which is its first argument, and these behind the script.
    Argument(&'static str, &'static str),
    InWords(&'static str),
}

const FILE: ScriptAdvice = InWords("put the script into a file, and {} behind its name");
const COMMAND: ScriptAdvice = InWords("put the command into a script, and {} behind its name");
const SED: ScriptAdvice =
    InWords("put the script into a file, for the option -f, and {} behind it");
const SHELL: ScriptAdvice = Argument("\"$1\"", "sh {}");

const EVAL: &str = "--eval --print";

const INTERPRETERS: [Interpreter; 17] = [
    row("sh bash dash zsh ksh mksh ash csh tcsh", ["c", "oO", ""], "", NextWord, SHELL),
    row("fish", ["cC", "", ""], "--command --init-command", Behind, Argument("$argv[1]", "{}")),
    row("python pypy", ["c", "WX", ""], "", Behind, Argument("sys.argv[1]", "{}")),
    row("perl", ["eE", "I", "MmFCDdxi"], "", Behind, Argument("$ARGV[0]", "{}")),
    row("ruby irb", ["e", "rIC", "FEKTWxi"], "", Behind, Argument("ARGV[0]", "{}")),
    row("node nodejs bun", ["ep", "rC", ""], EVAL, NextWord, Argument("process.argv[1]", "{}")),
    row("php", ["rBRE", "dfFzStc", ""], "--run", Behind, Argument("$argv[1]", "-- {}")),
    row("lua luajit", ["e", "l", ""], "", Behind, FILE),
    row("julia", ["eE", "", ""], EVAL, Behind, FILE),
    row("R Rscript", ["e", "", ""], "", Behind, FILE),
    row("guile", ["c", "lLe", ""], "", Behind, FILE),
    row("osascript", ["e", "l", ""], "", Behind, FILE),
    row("deno", ["", "", ""], "eval", Behind, FILE),
    row("pwsh powershell", ["", "", ""], "-c -command -Command -CommandWithArgs", Behind, FILE),
    row("env", ["S", "uC", ""], "--split-string", Behind, COMMAND),
    row("su flock script", ["c", "uCsgwEIO", ""], "--command --session-command", Anywhere, COMMAND),
    row("awk gawk mawk nawk sed", ["e", "fFvl", "i"], "--source --expression", First, SED),
];

const fn row(
    names: &'static str,
    letters: [&'static str; 3],
    long: &'static str,
    place: ScriptPlace,
    advice: ScriptAdvice,
) -> Interpreter {
    Interpreter { names, letters, long, place, advice }
}

/// An error if a placeholder stands in a script within `words`, or in a word that a program may
/// take for one, since it has signs that paths do not have.
pub(super) fn refuse_placeholders_in_scripts(words: &[String]) -> Result<(), String> {
    const WHY: &str = "where a file's name could run commands";
    for (place, word) in words.iter().enumerate() {
        let Some(interpreter) = Interpreter::named(word) else { continue };
        for script in interpreter.scripts(&words[place + 1..]) {
            let Some(field) = placeholder_in(script) else { continue };
            let advice = interpreter.advice.with(&format!("{{{field}}}"));
            let program = printable(word);
            return Err(format!("{{{field}}} stands in a script for {program}, {WHY}; {advice}"));
        }
    }
    for word in words {
        let Some(field) = placeholder_in(word) else { continue };
        refuse_unknown_placeholders(word)?;
        let beside = PLACEHOLDERS.iter().fold(word.clone(), |rest, it| rest.replace(it, ""));
        if beside.contains(|sign: char| sign.is_whitespace() || SIGNS_OF_SCRIPTS.contains(sign)) {
            let word = printable(word);
            return Err(format!(
                "{{{field}}} stands in {word:?}, which may be a script, {WHY}; make {{{field}}} a word \
                 of its own, or a part of a path"
            ));
        }
    }
    Ok(())
}

/// What languages are written with, and paths are not.
const SIGNS_OF_SCRIPTS: &str = "'\"`;&|<>()$*?[]{}\\!";

impl ScriptAdvice {
    fn with(&self, placeholder: &str) -> String {
        let words = match self {
            Argument(word, behind) => {
                &format!("write {word} there, and {behind} behind the script")
            }
            InWords(words) => *words,
        };
        words.replace("{}", placeholder)
    }
}

impl Interpreter {
    /// The interpreter that a word of a command names.
    fn named(word: &str) -> Option<&'static Interpreter> {
        let name = Path::new(word).file_name()?.to_str()?;
        let name = without_version(name);
        INTERPRETERS.iter().find(|interpreter| has_word(interpreter.names, name))
    }

    /// Every word that a shell or Node.js may take for a script. Whether an option takes the next word
    /// depends on its version and on what else is in its word.
    fn possible_scripts<'a>(&self, words: &'a [String]) -> Vec<&'a str> {
        let [script, values, _] = self.letters;
        let (mut scripts, mut takes_script, mut possible_values) = (Vec::new(), false, 0);
        for word in words.iter().map(String::as_str) {
            let (name, value) = word.split_once('=').unwrap_or((word, ""));
            if has_word(self.long, name) {
                scripts.push(value);
                takes_script |= value.is_empty();
            } else if word.starts_with("--") {
                possible_values += usize::from(value.is_empty());
            } else if let Some(letters) = word.strip_prefix(['-', '+']) {
                possible_values += letters.matches(|letter| values.contains(letter)).count();
                takes_script |= letters.contains(|letter| script.contains(letter));
            } else {
                scripts.extend(Some(word).filter(|_| takes_script));
                if possible_values == 0 {
                    break;
                }
                possible_values -= 1;
            }
        }
        scripts
    }

    /// What it takes for scripts of the words behind it.
    fn scripts<'a>(&self, words: &'a [String]) -> Vec<&'a str> {
        if self.place == NextWord {
            return self.possible_scripts(words);
        }
        let [script, ..] = self.letters;
        let mut scripts = Vec::new();
        let mut in_file = false;
        let mut words = words.iter().map(String::as_str);
        while let Some(word) = words.next() {
            if has_word(self.long, word) {
                scripts.extend(words.next());
            } else if let Some((name, value)) = word.split_once('=')
                && has_word(self.long, name)
            {
                scripts.push(value);
            } else if word.starts_with("--") {
            } else if let Some(letters) = word.strip_prefix('-') {
                let takes = |letter| self.letters.iter().position(|set| set.contains(letter));
                let found = letters.char_indices().find_map(|(at, it)| Some((at, it, takes(it)?)));
                let Some((at, letter, set)) = found else { continue };
                let rest = &letters[at + letter.len_utf8()..];
                match set {
                    // More letters may be more options.
                    0 if rest.chars().all(|letter| script.contains(letter)) => {
                        scripts.extend(words.next());
                    }
                    0 => scripts.push(rest),
                    1 if rest.is_empty() => drop(words.next()),
                    _ => {}
                }
                in_file |= letter == 'f';
            } else if self.place == First && scripts.is_empty() && !in_file {
                scripts.push(word);
            } else if self.place == Behind {
                break;
            }
        }
        scripts
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_placeholder_stands_in_a_script() {
        for (command, advice) in [
            ("sh -c 'cc {path}'", "write \"$1\" there, and sh {path} behind the script"),
            ("env A=1 /bin/bash -ec 'cc {stem}.c'", "write \"$1\" there, and sh {stem}"),
            ("bash -o pipefail -c -e 'cc {path}'", "\"$1\""),
            ("python3 -c 'import x; x.play(\"{path}\")'", "write sys.argv[1] there, and {path}"),
            ("python3.11 -Ic'open(\"{path}\")'", "sys.argv[1]"),
            ("nice -n 5 pypy3 -B -c '{stem}'", "sys.argv[1]"),
            ("fish -c 'cc {path}'", "$argv[1]"),
            ("perl -lane 'print {stem}'", "$ARGV[0]"),
            ("perl -Mstrict -E '{stem}'", "$ARGV[0]"),
            ("ruby -rjson -e '{stem}'", "ARGV[0]"),
            ("node -pe '{stem}'", "process.argv[1]"),
            ("node --eval '{stem}'", "process.argv[1]"),
            ("nodejs --eval={stem}", "process.argv[1]"),
            ("php -r 'include \"{path}\";'", "$argv[1]"),
            ("lua5.4 -e 'dofile(\"{path}\")'", "into a file, and {path}"),
            ("awk -F , '{stem}' x", "-f"),
            ("sed s/x/{stem}/ bot.py", "-f"),
            ("sed -n -f x.sed -e {stem}", "-f"),
            ("gawk -f x.awk -e {path}", "-f"),
            ("bash -o pipefail -c {path}", "\"$1\""),
            ("sh +x -c {path}", "\"$1\""),
            ("bash +e +o posix -c {path}", "\"$1\""),
            ("sh +c {path}", "\"$1\""),
            ("bash +oO posix extglob -c {path}", "\"$1\""),
            ("bash -oe pipefail -c {path}", "\"$1\""),
            ("zsh -oextendedglob -c {path}", "\"$1\""),
            ("bash --rcfile x -c {path}", "\"$1\""),
            ("bun -r=./x -e {path}", "process.argv[1]"),
            ("node --require ./x.js -e {path}", "process.argv[1]"),
            ("bash -c -o pipefail {path}", "\"$1\""),
            ("bash -oc pipefail {path}", "\"$1\""),
            ("bash -ceo pipefail {path}", "\"$1\""),
            ("tcsh -fc {path}", "\"$1\""),
            ("perl -0777ne {stem}", "$ARGV[0]"),
            ("perl -I lib -e {stem}", "$ARGV[0]"),
            ("env -S {path}", "into a script"),
            ("su bot -c {path}", "into a script"),
            ("flock lock -c {path}", "into a script"),
            ("script -qc {path} out", "into a script"),
            ("julia -O3 -e {path}", "into a file"),
            ("Rscript --vanilla -e {path}", "into a file"),
            ("guile -c {stem}", "into a file"),
            ("osascript -e {stem}", "into a file"),
            ("deno eval {stem}", "into a file"),
            ("pwsh -NoLogo -Command {path}", "into a file"),
            // Whatever the program is.
            ("other -x 'run {path}'", "make {path} a word of its own, or a part of a path"),
            ("make 'CFLAGS=-O2 -I{dir}'", "make {dir} a word"),
            ("other $({stem})", "make {stem} a word"),
        ] {
            let words = shell_words::split(command).unwrap();
            let error = refuse_placeholders_in_scripts(&words).expect_err(command);
            assert!(error.starts_with('{') && error.contains(advice), "{command}: {error}");
        }
    }

    #[test]
    fn a_placeholder_that_is_unknown_is_no_script() {
        for (command, unknown) in [
            ("./{stem}.{ext}", "unknown {ext}; known are {path}, {stem}"),
            ("python3 {dir}/{name}.py", "unknown {name}; known are "),
            ("python3 {path}/{fil}", "unknown {fil}; known are "),
            ("python3 {stem}.{file", "{file is not closed; write {file}"),
        ] {
            let words = shell_words::split(command).unwrap();
            let error = refuse_placeholders_in_scripts(&words).expect_err(command);
            assert!(error.starts_with(unknown), "{command}: {error}");
        }
    }

    #[test]
    fn a_placeholder_stands_anywhere_else() {
        for command in [
            "sh -c 'cc \"$1\"' sh {path}",
            "sh {path} -c",
            "cc {path}",
            "bash -e {path}",
            "python3 {path}",
            "python3 -u -W ignore {path}",
            "python3 -m compileall {path}",
            "python3 -c 'import sys; print(sys.argv[1])' {path}",
            "perl -Ilib/e {path}",
            "perl -w {path}",
            "ruby -rdate {path}",
            "node -r esm {path}",
            "node --max-old-space-size=100 {path}",
            "php -d memory_limit=1 {path}",
            "lua {path}",
            "awk -f bot.awk {path}",
            "awk '{ print }' {path}",
            "java -cp {dir} Main",
            "gcc -c {path} -I{dir} -o build/{stem}.o",
            "sh {path} -cp lib:{dir}",
            "python3 {path} -c {dir}",
            "env A=1 LC_ALL=C nice -n 5 ./run --with={dir},{stem} {path}",
            "make -C {dir} OUT=../build/{folder}",
            "my\\ tools/x {path}",
        ] {
            let words = shell_words::split(command).unwrap();
            assert_eq!(refuse_placeholders_in_scripts(&words), Ok(()), "{command}");
        }
    }
}
