//! Why a bot was at fault, for programs: a code with its numbers.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::{AdapterReport, FaultKind};
use crate::rules::{Direction, House};

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
    /// The limit of the move, in milliseconds; of [`CauseCode::CpuTimeLimit`], of processor time.
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
        /// A house with more around it that is not text: `0;`, `> 0`, `5 0`.
        MoreThanANumber
        /// What a language shows where there is no value: `None`, `null`, `undefined`.
        NoValue
        /// An object as Python or JavaScript shows it: `{'move': 3}`.
        ShownObject
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
        /// It ran in its opponent's time, again and again, although it was stopped.
        RanWhileStopped
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
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_code_has_a_kind_words_and_a_row_in_the_protocol() {
        let protocol = include_str!("../../../protocol.md");
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
