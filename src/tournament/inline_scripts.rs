//! Scripts within a command: `sh -c SCRIPT`, `python3 -c SCRIPT`, `awk PROGRAM`. A file's name that
//! is filled in there could be a command.

use std::path::Path;

use super::fields::placeholder_in;
use crate::text::printable;

/// How a program is given a script on its command line.
struct Interpreter {
    /// Its names; a version may follow, as in `python3.11`.
    names: &'static [&'static str],
    /// Letters of the options that take a script; empty where the first word is one.
    script: &'static str,
    /// Letters of the options that take another value.
    values: &'static str,
    /// The long options that take a script.
    long: &'static [&'static str],
    /// What to write instead of the placeholder, which is `{}`.
    advice: &'static str,
}

const INTERPRETERS: [Interpreter; 9] = [
    Interpreter {
        names: &["sh", "bash", "dash", "zsh", "ksh", "ash"],
        script: "c",
        values: "",
        long: &["--command"],
        advice: "write \"$1\" there, and sh {} behind the script",
    },
    Interpreter {
        names: &["fish"],
        script: "cC",
        values: "",
        long: &["--command", "--init-command"],
        advice: "write $argv[1] there, and {} behind the script",
    },
    Interpreter {
        names: &["python", "pypy"],
        script: "c",
        values: "mWX",
        long: &[],
        advice: "write sys.argv[1] there, and {} behind the script",
    },
    Interpreter {
        names: &["perl"],
        script: "eE",
        values: "IMmFCDdxi0",
        long: &[],
        advice: "write $ARGV[0] there, and {} behind the script",
    },
    Interpreter {
        names: &["ruby", "irb"],
        script: "e",
        values: "rIFCEKTWx",
        long: &[],
        advice: "write ARGV[0] there, and {} behind the script",
    },
    Interpreter {
        names: &["node", "nodejs", "bun"],
        script: "ep",
        values: "rC",
        long: &["--eval", "--print"],
        advice: "write process.argv[1] there, and {} behind the script",
    },
    Interpreter {
        names: &["php"],
        script: "rBRE",
        values: "dfFzStc",
        long: &["--run"],
        advice: "write $argv[1] there, and -- {} behind the script",
    },
    Interpreter {
        names: &["lua", "luajit"],
        script: "e",
        values: "l",
        long: &[],
        advice: "put the script into a file, and {} behind its name",
    },
    Interpreter {
        names: &["awk", "gawk", "mawk", "nawk", "sed"],
        script: "",
        values: "",
        long: &["--source", "--expression"],
        advice: "put the script into a file, for the option -f, and {} behind it",
    },
];

/// An error if a placeholder stands in a script within these words.
pub(super) fn refuse_placeholders_in_scripts(words: &[String]) -> Result<(), String> {
    for (place, word) in words.iter().enumerate() {
        let Some(interpreter) = Interpreter::named(word) else { continue };
        for script in interpreter.scripts(&words[place + 1..]) {
            let Some(field) = placeholder_in(script) else { continue };
            let advice = interpreter.advice.replace("{}", &format!("{{{field}}}"));
            return Err(format!(
                "{{{field}}} stands in a script for {}, where a file's name could run commands; \
                 {advice}",
                printable(word)
            ));
        }
    }
    Ok(())
}

impl Interpreter {
    /// The interpreter that a word of a command names.
    fn named(word: &str) -> Option<&'static Interpreter> {
        let name = Path::new(word).file_name()?.to_str()?;
        let name = name.trim_end_matches(|letter: char| letter.is_ascii_digit() || letter == '.');
        INTERPRETERS.iter().find(|interpreter| interpreter.names.contains(&name))
    }

    /// What it takes for scripts of the words behind it.
    fn scripts<'a>(&self, words: &'a [String]) -> Vec<&'a str> {
        let mut scripts = Vec::new();
        for (place, word) in words.iter().enumerate() {
            let behind = || words[place + 1..].iter().map(String::as_str);
            if let Some((name, value)) = word.split_once('=').filter(|_| word.starts_with("--")) {
                scripts.extend(self.long.contains(&name).then_some(value));
            } else if word.starts_with("--") {
                scripts.extend(behind().next().filter(|_| self.long.contains(&&**word)));
            } else if let Some(letters) = word.strip_prefix('-') {
                let of_option =
                    |letter| self.script.contains(letter) || self.values.contains(letter);
                let Some(at) = letters.find(of_option) else { continue };
                if !letters[at..].starts_with(|letter| self.script.contains(letter)) {
                    continue;
                }
                let attached = letters.get(at + 1..).unwrap_or_default();
                scripts.extend(match self.names[0] {
                    // More letters are more options.
                    "sh" => behind().find(|word| !word.starts_with(['-', '+'])),
                    _ if attached.chars().all(|letter| self.script.contains(letter)) => {
                        behind().next()
                    }
                    _ => Some(attached),
                });
            } else if self.script.is_empty() {
                let before = place.checked_sub(1).map_or("", |before| &*words[before]);
                match before {
                    // The program is in a file.
                    "-f" => return scripts,
                    "-F" | "-v" => {}
                    _ => {
                        scripts.push(word);
                        return scripts;
                    }
                }
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
        ] {
            let words = shell_words::split(command).unwrap();
            let error = refuse_placeholders_in_scripts(&words).expect_err(command);
            assert!(error.starts_with('{') && error.contains(advice), "{command}: {error}");
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
        ] {
            let words = shell_words::split(command).unwrap();
            assert_eq!(refuse_placeholders_in_scripts(&words), Ok(()), "{command}");
        }
    }
}
