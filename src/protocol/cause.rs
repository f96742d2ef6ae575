//! Why a bot was at fault: a code with its numbers for programs, and the same in words for people.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::{AdapterReport, FaultKind};
use crate::rules::{Direction, House};
use crate::text::{bytes, printable};

/// Why a bot was at fault. Numbers that say nothing about the code are absent.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Cause {
    /// What happened.
    pub code: CauseCode,
    /// The house that was answered.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub house: Option<House>,
    /// The direction that was answered.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub direction: Option<Direction>,
    /// The whole number that was answered instead of a house, where 64 bits hold it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub value: Option<i64>,
    /// The limit of the move or of processor time, in milliseconds.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub limit_ms: Option<u64>,
    /// Extra time for the first answer of the process, in milliseconds.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub start_ms: Option<u64>,
    /// The margin, in milliseconds.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub margin_ms: Option<u64>,
    /// The round's whole time bank, in milliseconds.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub bank_ms: Option<u64>,
    /// What was left of the bank before the move, in milliseconds.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub time_left_ms: Option<u64>,
    /// How long the answer took or was waited for: milliseconds with three decimals.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub waited_ms: Option<f64>,
    /// The size of a limit: bytes, or a number of processes.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub limit: Option<u64>,
    /// The exit code of the process.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub exit_code: Option<i32>,
    /// The number of the signal that ended the process.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub signal: Option<i32>,
    /// What an adapter says about the bot behind it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub adapter: Option<AdapterReport>,
}

/// Makes the codes from one list: a group for each kind of fault.
macro_rules! codes {
    ($($kind:ident { $($(#[doc = $doc:literal])+ $code:ident)+ })+) => {
        /// What happened, as one word of JSON.
        #[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
        #[serde(rename_all = "snake_case")]
        pub enum CauseCode {
            $($($(#[doc = $doc])+ $code,)+)+
            /// A code of a later version.
            #[default]
            #[serde(other)]
            Unknown,
        }

        impl CauseCode {
            /// All codes that this version writes.
            pub const ALL: &[CauseCode] = &[$($(CauseCode::$code),+),+];

            /// The kind of fault that it is.
            pub const fn kind(self) -> Option<FaultKind> {
                match self {
                    $($(CauseCode::$code)|+ => Some(FaultKind::$kind),)+
                    CauseCode::Unknown => None,
                }
            }
        }
    };
}

codes! {
    IllegalMove {
        /// A whole number that is not a house.
        NoSuchHouse
        /// A house without seeds.
        EmptyHouse
        /// A direction that the rules do not have.
        WrongDirection
    }
    InvalidReply {
        /// An empty line.
        EmptyLine
        /// Bytes that are not UTF-8.
        NotUtf8
        /// Text that is not JSON.
        NotJson
        /// JSON that is cut off.
        IncompleteJson
        /// JSON that is nested too deep.
        TooDeep
        /// JSON with a key that stands twice in an object.
        DuplicateKey
        /// JSON that is neither a number nor an object.
        NotAMove
        /// An object without `move`.
        NoMove
        /// A `move` that is not a number.
        MoveNotANumber
        /// A number that is not whole.
        NotWhole
        /// A `direction` that is neither `forward` nor `backward`.
        UnknownDirection
        /// A `direction` that is not a string.
        DirectionNotText
    }
    UnsolicitedOutput {
        /// Output before the question.
        Unasked
        /// More than the one line that was asked for.
        MoreThanOneLine
    }
    OversizedReply {
        /// A line longer than `limit` bytes.
        LineTooLong
    }
    Timeout {
        /// A whole line, too late.
        LateAnswer
        /// Nothing, from a process that had answered before.
        NoAnswer
        /// Nothing, from a process that has never answered.
        NeverAnswered
        /// A beginning of a line, without its newline.
        NoNewline
        /// The question was not read: stdin is full or closed.
        NotReading
        /// The time bank is spent.
        BankSpent
    }
    Exited {
        /// The process exited with `exit_code`.
        ExitCode
        /// The process was ended by `signal`.
        Signal
        /// The process closed its stdout and runs on.
        ClosedStdout
        /// More than `limit` bytes of memory.
        MemoryLimit
        /// More than `limit` processes and threads.
        ProcessLimit
        /// More open files, pipes and sockets than any bot needs.
        DescriptorLimit
        /// More than `limit_ms` of processor time.
        CpuTimeLimit
        /// A file of more than `limit` bytes, or too many files.
        FileSizeLimit
        /// It was refused memory, by its stderr.
        OutOfMemory
        /// The system had no memory left.
        SystemMemory
        /// The sandbox may have refused it something.
        Sandbox
        /// The sandbox has no network, which its stderr asks for.
        NoNetwork
    }
    StartFailed {
        /// The program does not start.
        CannotStart
    }
}

impl From<CauseCode> for Cause {
    fn from(code: CauseCode) -> Cause {
        Cause { code, ..Cause::default() }
    }
}

impl Cause {
    /// A limit of this size, in bytes or processes, that a process ran into.
    pub fn of_limit(code: CauseCode, limit: u64) -> Cause {
        Cause { limit: Some(limit), ..Cause::from(code) }
    }

    /// The fault in words, printable, in one line. `quote` is what the bot wrote, printable;
    /// where the program does not start, the reason.
    pub fn in_words(&self, quote: &str) -> String {
        use CauseCode as Code;
        if let Some(adapter) = &self.adapter {
            return printable(&adapter.words);
        }
        let house = self.house.map_or_else(String::new, |house| house.to_string());
        let direction = self.direction.map_or("so", Direction::as_str);
        let limits = self.limits_in_words();
        match self.code {
            Code::NoSuchHouse => format!("there is no house {quote}; houses are 0 to 5"),
            Code::EmptyHouse => format!("house {house} is empty; it answered {quote}"),
            Code::WrongDirection => {
                format!("these rules do not sow {direction}; it answered {quote}")
            }
            Code::Unasked | Code::MoreThanOneLine if quote.is_empty() => {
                "wrote an empty line to stdout without being asked".to_owned()
            }
            Code::Unasked | Code::MoreThanOneLine => {
                format!("wrote to stdout without being asked: {quote}")
            }
            Code::LineTooLong => format!("a line of more than 64 KiB: {quote}"),
            Code::LateAnswer => format!("answered {quote} after {limits}"),
            Code::NoAnswer => format!("no answer after {limits}"),
            Code::NeverAnswered => {
                format!("no answer after {limits}; nothing was on its stdout: is a flush missing?")
            }
            Code::NoNewline => format!("no answer after {limits}{}", unfinished(quote)),
            Code::NotReading => format!("no answer after {limits}; it does not read its stdin"),
            Code::BankSpent => {
                format!("its time bank of {} ms is spent", self.bank_ms.unwrap_or_default())
            }
            Code::CannotStart | Code::Unknown => quote.to_owned(),
            code => match code.defect() {
                Some(defect) => {
                    format!("{defect}; expected a house 0 to 5 or {{\"move\":…}}, got {quote}")
                }
                None => self.end_in_words(quote),
            },
        }
    }

    /// The time of an answer and the limits of its move: `1050.2 ms (limit 1000 ms, margin 50 ms)`.
    fn limits_in_words(&self) -> String {
        let ran_out = self.time_left_ms.is_some() && self.time_left_ms == self.limit_ms;
        let ran_out = if ran_out { "; its time bank ran out" } else { "" };
        let waited = self.waited_ms.unwrap_or_default();
        format!("{waited:.1} ms (limit {}){ran_out}", self.limit_in_words())
    }

    /// The limits of a move in words: `1000 ms + 10000 ms to start, margin 50 ms`.
    pub fn limit_in_words(&self) -> String {
        let mut words = format!("{} ms", self.limit_ms.unwrap_or_default());
        let parts = [
            (" + ", self.start_ms, " ms to start"),
            (", margin ", self.margin_ms, " ms"),
            (", bank ", self.bank_ms, " ms"),
        ];
        for (before, ms, behind) in parts {
            if let Some(ms) = ms {
                words += &format!("{before}{ms}{behind}");
            }
        }
        words
    }

    /// What the system had against a process, if anything: the limit it ran into, with the option
    /// that sets it, or that memory ran out.
    pub fn system_in_words(&self) -> Option<String> {
        let limit = self.limit.unwrap_or_default();
        Some(match self.code {
            CauseCode::MemoryLimit => format!("out of memory (--memory {})", bytes(limit)),
            CauseCode::ProcessLimit => {
                format!("more than {limit} processes and threads (--processes {limit})")
            }
            CauseCode::CpuTimeLimit => {
                let seconds = self.limit_ms.unwrap_or_default() / 1000;
                format!("out of processor time (--cpu-time {seconds}s)")
            }
            CauseCode::FileSizeLimit => {
                format!("too large a file, or too many (--file-size {})", bytes(limit))
            }
            CauseCode::DescriptorLimit => {
                "more open files, pipes and sockets than any bot needs".to_owned()
            }
            CauseCode::SystemMemory => {
                "out of memory, of which the system had none left".to_owned()
            }
            CauseCode::OutOfMemory => "out of memory, says its stderr".to_owned(),
            _ => return None,
        })
    }

    fn end_in_words(&self, quote: &str) -> String {
        let how = match (self.exit_code, self.signal) {
            (Some(code), _) => format!("exited with code {code}"),
            (None, Some(signal)) => format!("was ended by {}", signal_in_words(signal)),
            (None, None) => "closed its stdout".to_owned(),
        };
        let mut words = self.system_in_words().map_or_else(String::new, |limit| limit + ": ");
        words += &format!("{how} before it answered{}", unfinished(quote));
        if self.exit_code == Some(0) {
            words += "; a bot plays all rounds, until the end of its input";
        }
        words
            + match self.code {
                CauseCode::Sandbox => {
                    "; the sandbox may have refused it something (see --allow-read)"
                }
                CauseCode::NoNetwork => "; the sandbox has no network, and no option opens one",
                _ => "",
            }
    }
}

impl CauseCode {
    /// What is wrong with a line that is not a move.
    const fn defect(self) -> Option<&'static str> {
        Some(match self {
            CauseCode::EmptyLine => "an empty line",
            CauseCode::NotUtf8 => "not UTF-8",
            CauseCode::NotJson => "not JSON",
            CauseCode::IncompleteJson => "incomplete JSON",
            CauseCode::TooDeep => "too deep",
            CauseCode::DuplicateKey => "a key stands twice in it",
            CauseCode::NotAMove => "neither a number nor an object",
            CauseCode::NoMove => "no \"move\" in it",
            CauseCode::MoveNotANumber => "\"move\" is not a number",
            CauseCode::NotWhole => "not a whole number",
            CauseCode::UnknownDirection => "no such direction",
            CauseCode::DirectionNotText => "\"direction\" is not a string",
            _ => return None,
        })
    }
}

/// What was sent of a line, if anything was.
fn unfinished(quote: &str) -> String {
    if quote.is_empty() {
        String::new()
    } else {
        format!("; it wrote {quote} without a newline at its end")
    }
}

fn signal_in_words(signal: i32) -> String {
    let name = match signal {
        1 => "SIGHUP",
        2 => "SIGINT",
        3 => "SIGQUIT",
        4 => "SIGILL, an illegal instruction",
        6 => "SIGABRT, an abort",
        8 => "SIGFPE, an arithmetic error",
        9 => "SIGKILL",
        11 => "SIGSEGV, a bad memory access",
        13 => "SIGPIPE",
        14 => "SIGALRM",
        15 => "SIGTERM",
        24 => "SIGXCPU, the limit of processor time",
        25 => "SIGXFSZ, the limit of a file's size",
        31 => "SIGSYS, a forbidden system call",
        _ => return format!("signal {signal}"),
    };
    format!("signal {signal} ({name})")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_code_has_a_kind_words_and_a_row_in_the_protocol() {
        let protocol = include_str!("../../protocol.md");
        for &code in CauseCode::ALL {
            let word = serde_json::to_string(&code).unwrap();
            assert_eq!(serde_json::from_str::<CauseCode>(&word).unwrap(), code);
            let kind = code.kind().unwrap();
            let row = format!("| `{}` | `{kind}` |", word.trim_matches('"'));
            assert!(protocol.contains(&row), "{row}");
            assert!(!Cause::from(code).in_words("x").is_empty(), "{word}");
        }
    }

    #[test]
    fn only_what_is_known_is_written_and_later_codes_are_read() {
        let cause = Cause::of_limit(CauseCode::MemoryLimit, 1 << 30);
        let json = serde_json::to_string(&cause).unwrap();
        assert_eq!(json, r#"{"code":"memory_limit","limit":1073741824}"#);
        assert_eq!(serde_json::from_str::<Cause>(&json).unwrap(), cause);
        let later = serde_json::from_str::<Cause>(r#"{"code":"sleepy","depth":7}"#).unwrap();
        assert_eq!(later, Cause::from(CauseCode::Unknown));
    }
}
