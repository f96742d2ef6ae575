//! What an interpreter says that it does not find, in the words of each.

use crate::text::quoted;

/// What is not there.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Missing {
    pub(super) what: Kind,
    /// Its name as the interpreter has it; printable, one line.
    pub(super) name: String,
}

/// What kind of thing it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    File,
    Module,
    Class,
    Program,
}

/// Words around a name.
struct Words {
    before: &'static str,
    after: &'static str,
    what: Kind,
}

const fn words(what: Kind, before: &'static str, after: &'static str) -> Words {
    Words { before, after, what }
}

/// What Node and Java say, with more lines behind it.
const ANYWHERE: [Words; 3] = [
    words(Kind::Module, "Cannot find module '", "'"),
    words(Kind::Module, "Cannot find package '", "'"),
    words(Kind::Class, "Could not find or load main class ", ""),
];

/// What Python, Perl, PHP, Ruby, Java, Lua and shells end with.
const IN_THE_LAST_LINE: [Words; 12] = [
    words(Kind::File, "can't open file '", "'"),
    words(Kind::File, "No such file or directory: '", "'"),
    words(Kind::Module, "No module named '", "'"),
    words(Kind::Module, "No module named ", ""),
    words(Kind::File, "Can't open perl script \"", "\""),
    words(Kind::File, "Could not open input file: ", ""),
    words(Kind::File, "No such file or directory -- ", " ("),
    words(Kind::File, "Unable to access jarfile ", ""),
    words(Kind::File, ": cannot open ", ": No such file"),
    words(Kind::File, ": ", ": No such file or directory"),
    words(Kind::Program, ": ", ": command not found"),
    words(Kind::Program, ": ", ": not found"),
];

/// What was not there, by the stderr of a program that has left without an answer.
pub(super) fn missing(stderr: &str) -> Option<Missing> {
    let first = || {
        let mut found = stderr.lines().flat_map(|line| ANYWHERE.iter().map(move |w| w.find(line)));
        found.find_map(|found| found)
    };
    let last_line = stderr.lines().rfind(|line| !line.trim().is_empty())?;
    first().or_else(|| IN_THE_LAST_LINE.iter().find_map(|words| words.find(last_line)))
}

impl Words {
    fn find(&self, line: &str) -> Option<Missing> {
        let line = line.trim_end();
        let name = if self.before == ": " {
            // Of a line in parts the name is the last one: `bash: line 1: nope: not found`.
            line.strip_suffix(self.after)?.rsplit_once(self.before)?.1
        } else {
            let (_, rest) = line.split_once(self.before)?;
            if self.after.is_empty() { rest } else { rest.split_once(self.after)?.0 }
        };
        let name = quoted(name.trim().as_bytes());
        (!name.is_empty()).then_some(Missing { what: self.what, name })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_interpreter_is_understood() {
        for (stderr, what, name) in [
            (
                "python3: can't open file '/a b/nope.py': [Errno 2] No such file or directory\n",
                Kind::File,
                "/a b/nope.py",
            ),
            (
                "Traceback (most recent call last):\n  File \"bot.py\", line 1, in <module>\n\
                 FileNotFoundError: [Errno 2] No such file or directory: 'book.txt'\n",
                Kind::File,
                "book.txt",
            ),
            ("ModuleNotFoundError: No module named 'numpy'\n", Kind::Module, "numpy"),
            ("/usr/bin/python3: No module named nope\n", Kind::Module, "nope"),
            (
                "node:internal/modules/cjs/loader:1210\n  throw err;\n  ^\n\nError: Cannot find \
                 module '/bots/nope.js'\n    at Module._load (node:internal)\n\nNode.js v20\n",
                Kind::Module,
                "/bots/nope.js",
            ),
            (
                "Error: Could not find or load main class Nope\nCaused by: \
                 java.lang.ClassNotFoundException: Nope\n",
                Kind::Class,
                "Nope",
            ),
            ("Error: Unable to access jarfile Nope.jar\n", Kind::File, "Nope.jar"),
            ("sh: 0: cannot open nope.sh: No such file\n", Kind::File, "nope.sh"),
            ("bash: nope.sh: No such file or directory\n", Kind::File, "nope.sh"),
            ("sh: 1: nope: not found\n", Kind::Program, "nope"),
            ("bash: line 1: nope: command not found\n", Kind::Program, "nope"),
            (
                "Can't open perl script \"nope.pl\": No such file or directory\n",
                Kind::File,
                "nope.pl",
            ),
            ("ruby: No such file or directory -- nope.rb (LoadError)\n", Kind::File, "nope.rb"),
            ("\x1b: \x1b[2J: not found", Kind::Program, "\\u{1b}[2J"),
        ] {
            assert_eq!(missing(stderr), Some(Missing { what, name: name.to_owned() }), "{stderr}");
        }
    }

    #[test]
    fn what_was_only_mentioned_is_not_the_reason() {
        for stderr in [
            "",
            "\n\n",
            "KeyError: 'legal'\n",
            "cat: book.txt: No such file or directory\nKeyError: 'legal'\n",
            "No such file or directory\n",
            "Cannot find module ''\n",
        ] {
            assert_eq!(missing(stderr), None, "{stderr}");
        }
    }
}
