//! What was seen of a bot: the trace of a trial, and the clues in it: how a round went, what it
//! answered, what its stderr says.

use std::borrow::Cow;
use std::collections::HashMap;
use std::time::Duration;

use crate::bot::Finished;
use crate::protocol::{Cause, CauseCode, Reply};
use crate::referee::{Answer, Misconduct, Trouble};
use crate::text::quoted;

/// What passed between the referee and the bot.
#[derive(Default)]
pub(super) struct Trace {
    /// Its answers in the order in which they came.
    pub(super) answers: Vec<TimedAnswer>,
    /// The line of the first of them; of the others only their times are kept.
    pub(super) first_line: Option<Vec<u8>>,
    /// Whether one of the others named another number.
    pub(super) have_varied: bool,
    /// How each round stood when its bot was stopped, by the round's number.
    pub(super) rounds: HashMap<u32, RoundTrace>,
    /// How long it was waited for without an answer.
    pub(super) silence: Duration,
    /// Whether the trial was broken off because its time was over.
    pub(super) out_of_time: bool,
    now: RoundTrace,
    round: u32,
    sent: Vec<Vec<u8>>,
    is_answered: bool,
}

/// When an answer came, whether it was a move or not.
#[derive(Clone, Debug)]
pub(super) struct TimedAnswer {
    pub(super) time: Duration,
    /// Whether it was the first of its process.
    pub(super) is_first: bool,
    /// What was asked.
    pub(super) question: Vec<u8>,
}

/// What led to the end of a round in which the bot was stopped.
#[derive(Clone, Debug, Default)]
pub(super) struct RoundTrace {
    /// The lines it was sent since its last answer but one.
    pub(super) sent: Vec<Vec<u8>>,
    /// What it did when it was asked last.
    pub(super) last: Option<Last>,
    /// Rounds that its process was told of, this one included.
    pub(super) rounds_in_process: u32,
    /// Answers of its process before the last question.
    pub(super) answers_in_process: u32,
    /// Its answers in the round before the last question.
    pub(super) answers_in_round: u32,
    /// How much too late its answer came, where it had been silent.
    pub(super) late_by: Option<Duration>,
    /// What it did at the end of its input, where it had been silent.
    pub(super) finished: Option<Finished>,
    /// How it ended, where it had closed its stdout before.
    pub(super) ended: Option<Box<Cause>>,
    /// The end of its stderr, where it was waited for after the fault.
    pub(super) stderr: String,
}

/// What a bot did when it was asked.
#[derive(Clone, Debug)]
pub(super) enum Last {
    Answered(Vec<u8>),
    Misbehaved(Misconduct),
}

impl Trace {
    pub(super) fn sends(&mut self, line: &[u8]) {
        if std::mem::take(&mut self.is_answered) {
            self.sent.clear();
        }
        self.sent.push(line.to_vec());
    }

    pub(super) fn begins(&mut self, round: u32) {
        self.round = round;
        self.now.rounds_in_process += 1;
        self.now.answers_in_round = 0;
    }

    pub(super) fn hears(&mut self, result: &Result<Answer, Trouble>) {
        self.now.sent.clone_from(&self.sent);
        match result {
            Ok(Answer { line, time, .. }) => {
                self.is_answered = true;
                self.now.last = Some(Last::Answered(line.clone()));
                let first = self.first_line.get_or_insert_with(|| line.clone());
                self.have_varied |= number(first) != number(line);
                self.answers.push(TimedAnswer {
                    time: *time,
                    is_first: self.now.answers_in_process == 0,
                    question: self.sent.last().cloned().unwrap_or_default(),
                });
            }
            Err(Trouble::Misconduct(what)) => {
                if let Misconduct::Silent { waited, .. } = what {
                    self.silence += *waited;
                }
                self.now.last = Some(Last::Misbehaved(what.clone()));
            }
            Err(_) => {}
        }
    }

    /// Before the next question: the last one was answered well.
    pub(super) fn counts_the_last_answer(&mut self) {
        if matches!(self.now.last.take(), Some(Last::Answered(_))) {
            self.now.answers_in_process += 1;
            self.now.answers_in_round += 1;
        }
    }

    /// The round in which the bot is stopped, to which its end may add something.
    pub(super) fn take_round(&mut self) -> RoundTrace {
        std::mem::take(&mut self.now)
    }

    /// Keeps the round in which the bot was stopped.
    pub(super) fn keep(&mut self, round: RoundTrace) {
        self.rounds.insert(self.round, round);
        self.sent.clear();
    }
}

/// The number that an answer names, a house or not.
pub(super) fn number(line: &[u8]) -> Option<i64> {
    match Reply::parse(line) {
        Ok(reply) => Some(reply.house.cell().into()),
        Err(cause) => cause.value,
    }
}

/// A round that a bot's fault ended, as the diagnoses look at it.
pub(super) struct Seen<'a> {
    /// Why the round ended.
    pub(super) cause: Cow<'a, Cause>,
    /// The line that was the fault; empty where there was none.
    pub(super) line: &'a [u8],
    pub(super) stderr: &'a str,
    pub(super) trace: &'a RoundTrace,
    /// What was missing, where that ended a bot that had not answered yet.
    pub(super) missing: Option<Missing>,
}

impl<'a> Seen<'a> {
    /// What is seen of a fault; `None` where its cause is not known, as in older bundles.
    pub(super) fn new(
        cause: Option<&'a Cause>,
        line: &'a [u8],
        stderr: &'a str,
        trace: &'a RoundTrace,
    ) -> Option<Seen<'a>> {
        let late = [trace.finished.as_ref().map(|it| &*it.stderr), Some(&*trace.stderr)];
        let stderr = late.into_iter().flatten().find(|late| !late.is_empty()).unwrap_or(stderr);
        // A process that ended soon after it had closed its stdout is described by its end.
        let cause = match &trace.ended {
            Some(ended) => Cow::Borrowed(&**ended),
            None => Cow::Borrowed(cause?),
        };
        let crashed = cause.signal.is_some() || cause.exit_code.is_some_and(|code| code > 0);
        let is_new = trace.answers_in_process == 0;
        let missing = if crashed && is_new { missing(stderr) } else { None };
        Some(Seen { cause, line, stderr, trace, missing })
    }

    /// What happened.
    pub(super) fn code(&self) -> CauseCode {
        self.cause.code
    }

    /// Whether the process exited with code 0.
    pub(super) fn has_exited(&self) -> bool {
        self.cause.exit_code == Some(0)
    }

    /// The number that was answered, a house or not.
    pub(super) fn number(&self) -> Option<i64> {
        self.cause.house.map(|house| house.cell().into()).or(self.cause.value)
    }
}

/// Whether a line that is not JSON looks like an object as Python or JavaScript shows it:
/// `{'move': 3}`.
pub(super) fn is_shown_object(line: &[u8]) -> bool {
    let inside = line.strip_prefix(b"{").and_then(|line| line.strip_suffix(b"}"));
    inside.is_some_and(|inside| {
        let key = inside.trim_ascii_start();
        let key = key.strip_prefix(b"'").unwrap_or(key);
        key.starts_with(b"move") || key.starts_with(b"info") || key.starts_with(b"direction")
    })
}

/// What is missing, in the words of the interpreter that does not find it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Missing {
    pub(super) what: Kind,
    /// Its name as the interpreter has it; printable, one line.
    pub(super) name: String,
}

/// What kind of thing is missing.
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

/// What was missing, by the stderr of a program that has left without an answer.
fn missing(stderr: &str) -> Option<Missing> {
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
    fn a_number_is_read_from_moves_and_from_what_is_no_house() {
        let numbers = ["3", "{\"move\":7}", "-1", "\"3\"", "x"].map(|l| number(l.as_bytes()));
        assert_eq!(numbers, [Some(3), Some(7), Some(-1), None, None]);
    }

    #[test]
    fn an_object_as_its_language_shows_it_is_known() {
        assert!(is_shown_object(b"{'move': 3}") && is_shown_object(b"{ move: 3 }"));
        assert!(!is_shown_object(b"{\"move\": 3}") && !is_shown_object(b"move 3"));
    }

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
