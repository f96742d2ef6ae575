//! The bundle of a fault, format `mancala-fault/1`: all that its author needs.

use std::fmt::Write as _;
use std::io::{self, BufWriter, Write as _};
use std::path::{Path, PathBuf};

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::reading::turn_of;
use crate::protocol::{Cause, CauseCode, FaultKind, ToBot};
use crate::record::{self, BotRecord};
use crate::referee::Ended;
use crate::rules::{Board, Ruleset};
use crate::text;

/// The only value of a bundle's `format` field that this version reads and writes.
pub const FORMAT: &str = "mancala-fault/1";

/// A fault: what was sent, what was received, and how to reproduce it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Bundle {
    /// Always [`FORMAT`].
    #[schemars(extend("const" = FORMAT))]
    pub format: String,
    /// The bot at fault.
    pub bot: BotRecord,
    /// Its working folder, relative to that of the tournament; absent if it was the referee's.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub dir: Option<PathBuf>,
    /// The name of the other bot.
    pub opponent: String,
    /// The round, from 1.
    pub round: u32,
    /// The bot's turn in the round, from 1; 0 if it was never asked.
    pub turn: u32,
    /// The kind of the fault.
    pub kind: FaultKind,
    /// What happened, in words; printable, one line.
    pub detail: String,
    /// The same for programs; absent in older bundles.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cause: Option<Box<Cause>>,
    /// The position at the fault, in the bot's own view; absent in older bundles.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub board: Option<Board>,
    /// The rules of the round.
    pub rules: Ruleset,
    /// What the bots were held to.
    #[serde(rename = "limits")]
    pub terms: record::Terms,
    /// Names of the environment variables that the bots were given beside the usual ones. Their
    /// values are private.
    #[serde(default, rename = "env", skip_serializing_if = "Vec::is_empty")]
    pub environment: Vec<String>,
    /// The round's `start` line, without its newline.
    pub start: String,
    /// The last `turn` line that the process was sent in the round, without its newline.
    pub input: Option<String>,
    /// What was received: a whole line without its newline, anything else as it came. Bytes that
    /// are not UTF-8 are replaced.
    pub reply: Option<String>,
    /// The reply byte for byte, where it is not UTF-8.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reply_hex: Option<String>,
    /// How long the reply took, or was waited for: milliseconds with three decimals.
    pub waited_ms: Option<f64>,
    /// The limit that the bot was told, in milliseconds.
    pub limit_ms: Option<u64>,
    /// After how long a reply was late: the limit, the time to start and the margin.
    pub late_after_ms: Option<u64>,
    /// How the process ended, if that was the fault and it did.
    pub exit: Option<Exit>,
    /// The end of what the bot wrote to stderr.
    pub stderr: String,
    /// The command line that reproduces it.
    pub reproduce: String,
    /// Every line that the process was sent before `input`, or up to `start` where that is null; null
    /// if that was too much to keep, or the process played an earlier match.
    pub told: Option<Vec<String>>,
}

/// How a process ended: by itself with a code, or by a signal.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub struct Exit {
    /// Its exit code.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub code: Option<i32>,
    /// The number of the signal.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub signal: Option<i32>,
    /// The signal's name, such as `SIGSEGV`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
}

impl Exit {
    /// How a player left, if its process ended.
    pub(crate) fn of(how: Ended) -> Option<Exit> {
        match how {
            Ended::Code(code) => Some(Exit { code: Some(code), ..Exit::default() }),
            Ended::Signal(signal) => {
                let name = signal_hook::low_level::signal_name(signal).map(str::to_owned);
                Some(Exit { signal: Some(signal), name, ..Exit::default() })
            }
            Ended::ClosedStdout => None,
        }
    }
}

impl Bundle {
    /// Whether the process was sent more than `start` before the question, which it may remember.
    pub fn has_earlier_lines(&self) -> bool {
        self.told.as_ref().is_some_and(|told| told.len() > 1)
    }

    /// Whether an earlier process spent the time bank: this one was asked nothing in the round.
    pub fn is_of_earlier_process(&self) -> bool {
        let is_spent = self.cause.as_ref().is_some_and(|it| it.code == CauseCode::BankSpent);
        is_spent && self.input.is_none() && !self.has_earlier_lines()
    }

    /// The command line that asks the bot again in the same folder and sandbox, behind the same wrapper
    /// and with the same variables. `file` is the bundle.
    pub(super) fn command_line(&self, file: &Path) -> String {
        let mut words = vec!["mancala".to_owned(), "reproduce".to_owned()];
        if self.has_earlier_lines() {
            words.push("--from-start".to_owned());
        }
        words.extend(self.dir.iter().map(|dir| format!("--dir={}", dir.to_string_lossy())));
        words.extend(record::restraint_options(&self.terms.keeping, &self.environment));
        words.push(file.to_string_lossy().into_owned());
        // Joined into one word, so that a word with `=` in it is not taken for the bot's name.
        words.push(shell_words::join(&self.bot.command));
        shell_words::join(words)
    }

    /// The line of the turn at fault; `None` if the bot was not asked then.
    pub fn question(&self) -> Option<&str> {
        let is_asked = |line: &&str| turn_of(line).is_some_and(|asked| asked.turn == self.turn);
        self.input.as_deref().filter(is_asked)
    }

    /// The position at the fault, in the bot's own view; in an older bundle the one that it was sent
    /// last.
    pub fn board_at_fault(&self) -> Option<Board> {
        let sent = [self.input.as_ref(), Some(&self.start)];
        let mut lines = sent.into_iter().flatten();
        self.board.or_else(|| {
            lines.find_map(|line| match serde_json::from_str(line) {
                Ok(ToBot::Turn(turn)) => Some(turn.board),
                Ok(ToBot::Start(start)) => Some(start.board),
                _ => None,
            })
        })
    }

    /// Writes the bundle as indented JSON.
    ///
    /// # Errors
    ///
    /// When it cannot be written.
    pub fn write(&self, out: impl io::Write) -> io::Result<()> {
        let mut out = BufWriter::new(out);
        text::write_pretty_json(&mut out, self)?;
        out.flush()
    }
}

/// A reply as text, and byte for byte where it is not UTF-8.
pub(super) fn reply_fields(reply: Option<&[u8]>) -> (Option<String>, Option<String>) {
    let Some(bytes) = reply else { return (None, None) };
    if let Ok(text) = std::str::from_utf8(bytes) {
        return (Some(text.to_owned()), None);
    }
    let mut hex = String::with_capacity(2 * bytes.len());
    for byte in bytes {
        let _ = write!(hex, "{byte:02x}");
    }
    (Some(String::from_utf8_lossy(bytes).into_owned()), Some(hex))
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;

    const START: &str = r#"{"type":"start","protocol":1,"round":1,"first":true,"you":"a","opponent":"b","rules":{"name":"learneroo","seeds":3,"opponent_store":"sow","direction":"forward","empty_capture":true},"board":[3,3,3,3,3,3,0,3,3,3,3,3,3,0],"move_time_ms":1000}"#;
    const FIRST: &str = r#"{"type":"turn","turn":1,"board":[3,3,3,3,3,3,0,3,3,3,3,3,3,0],"legal":[0,1,2,3,4,5],"moves":[],"move_time_ms":1000}"#;
    const INPUT: &str = r#"{"type":"turn","turn":2,"board":[0,4,4,4,3,3,0,3,3,0,4,4,4,0],"legal":[1,2,3,4,5],"moves":[{"by":"you","move":0},{"by":"opponent","move":2}],"move_time_ms":1000}"#;

    /// The bundle of an empty house that was played at turn 2.
    pub(in crate::log) fn bundle() -> Bundle {
        let (reply, reply_hex) = reply_fields(Some(b"0"));
        let bot = BotRecord {
            name: "a".into(),
            command: vec!["./a".into(), "--x y".into()],
            ..BotRecord::default()
        };
        let mut bundle = Bundle {
            format: FORMAT.to_owned(),
            dir: None,
            opponent: "b".to_owned(),
            round: 1,
            turn: 2,
            kind: FaultKind::IllegalMove,
            detail: "house 0 is empty; it answered 0".to_owned(),
            cause: None,
            board: None,
            rules: Ruleset::default(),
            terms: record::Terms::default(),
            environment: Vec::new(),
            start: START.to_owned(),
            input: Some(INPUT.to_owned()),
            reply,
            reply_hex,
            waited_ms: Some(0.125),
            limit_ms: Some(1000),
            late_after_ms: Some(1050),
            exit: None,
            stderr: String::new(),
            reproduce: String::new(),
            told: Some(vec![START.to_owned(), FIRST.to_owned()]),
            bot,
        };
        bundle.reproduce = bundle.command_line(Path::new("my logs/f.json"));
        bundle
    }

    pub(in crate::log) fn json(bundle: &Bundle) -> String {
        let file = tempfile::NamedTempFile::new().unwrap();
        bundle.write(file.reopen().unwrap()).unwrap();
        std::fs::read_to_string(file.path()).unwrap()
    }

    #[test]
    fn the_command_line_is_quoted_for_a_shell_and_for_mancala() {
        let bundle = bundle();
        let words = shell_words::split(&bundle.reproduce).unwrap();
        let expected = ["mancala", "reproduce", "--from-start", "my logs/f.json", "./a '--x y'"];
        assert_eq!(words, expected);
        let mut odd = Bundle { told: None, environment: vec!["MY_BOOK".to_owned()], ..bundle };
        odd.bot.command = vec!["a=b".to_owned()];
        odd.dir = Some("my bots/a".into());
        odd.terms.keeping.wrap = vec!["nice".to_owned(), "-n 5".to_owned()];
        odd.terms.keeping.sandbox =
            Some(record::Sandbox { read: vec!["/a b".into()], ..record::Sandbox::default() });
        let words = shell_words::split(&odd.command_line(Path::new("f"))).unwrap();
        let options = ["--dir=my bots/a", "--wrap", "nice '-n 5'", "--env", "MY_BOOK", "--sandbox"];
        assert_eq!(words[2..], [&options[..], &["--allow-read", "/a b", "f", "'a=b'"]].concat());
    }

    #[test]
    fn a_reply_that_is_no_text_is_there_byte_for_byte() {
        let fields = reply_fields(Some(b"0\xff"));
        assert_eq!(fields, (Some("0\u{fffd}".to_owned()), Some("30ff".to_owned())));
        assert_eq!(reply_fields(Some(b"\x1b[2J")).0.as_deref(), Some("\x1b[2J"));
        assert_eq!(reply_fields(None), (None, None));
        let bundle = Bundle { reply: Some("\x1b[2J\u{202e}".to_owned()), ..bundle() };
        assert!(!json(&bundle).replace('\n', "").contains(text::is_unprintable));
    }

    #[test]
    fn an_end_is_a_code_or_a_signal_with_its_name() {
        let json = |how| serde_json::to_string(&Exit::of(how)).unwrap();
        assert_eq!(json(Ended::Code(3)), r#"{"code":3}"#);
        assert_eq!(json(Ended::Signal(11)), r#"{"signal":11,"name":"SIGSEGV"}"#);
        assert_eq!(json(Ended::ClosedStdout), "null");
    }
}
