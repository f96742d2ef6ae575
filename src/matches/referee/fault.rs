//! From what a player did to a fault: its kind, its cause, and words that let its author fix it.

use std::time::Duration;

use super::clock::{Allowance, Clock};
use super::players::{Ended, Misconduct};
use crate::protocol::{AdapterReport, BadReply, Cause, CauseCode, FaultKind, MAX_REPLY, Reply};
use crate::record::{FaultRecord, Substitute, whole_ms};
use crate::rules::{Board, IllegalMove};
use crate::seat::Seat;
use crate::text;

/// A fault before it is known whose it is and where.
#[derive(Clone, Debug, PartialEq)]
pub struct Fault {
    pub kind: FaultKind,
    /// What happened, for programs.
    pub(crate) cause: Box<Cause>,
    /// What happened, in words; printable, one line.
    pub detail: String,
    /// How long after the question it was established; zero where there was none.
    pub(crate) time: Duration,
}

impl Fault {
    /// A fault of `cause`; `quote` is what the bot wrote, printable.
    fn new(cause: impl Into<Box<Cause>>, quote: &str, time: Duration) -> Fault {
        let cause = cause.into();
        // Only a code of a later version has no kind, and no fault is made with such a code.
        let kind = cause.code.kind().unwrap_or(FaultKind::InvalidReply);
        Fault { kind, detail: cause.in_words(quote), cause, time }
    }

    pub(super) fn of_misconduct(
        what: Misconduct,
        time: Duration,
        clock: &Clock,
        allowance: Allowance,
        has_answered: bool,
    ) -> Fault {
        match what {
            Misconduct::Unsolicited(bytes) => Fault::new(
                Cause::from(CauseCode::Unasked),
                &text::quoted(bytes.trim_ascii_end()),
                time,
            ),
            Misconduct::Oversized(bytes) => {
                let cause = Cause::of_limit(CauseCode::LineTooLong, MAX_REPLY as u64);
                Fault::new(cause, &text::quoted(&bytes), time)
            }
            Misconduct::Silent { waited, partial, unread } => {
                let code = match () {
                    () if unread => CauseCode::NotReading,
                    () if !partial.is_empty() => CauseCode::NoNewline,
                    () if has_answered => CauseCode::NoAnswer,
                    () => CauseCode::NeverAnswered,
                };
                Fault::new(clock.cause(code, allowance, waited), &text::quoted(&partial), waited)
            }
            Misconduct::Exited { how, cause, partial, after } => {
                Fault::new(end_cause(how, cause), &text::quoted(&partial), after)
            }
        }
    }

    /// More than the one line that was asked for.
    pub(super) fn more_than_one_line(surplus: &[u8], time: Duration) -> Fault {
        let cause = Cause::from(CauseCode::MoreThanOneLine);
        Fault::new(cause, &text::quoted(surplus.trim_ascii_end()), time)
    }

    pub(super) fn late(line: &[u8], time: Duration, clock: &Clock, allowance: Allowance) -> Fault {
        let cause = clock.cause(CauseCode::LateAnswer, allowance, time);
        Fault::new(cause, &text::quoted(line), time)
    }

    pub(super) fn bank_spent(bank: Duration) -> Fault {
        let bank_ms = Some(whole_ms(bank));
        let cause = Cause { bank_ms, ..CauseCode::BankSpent.into() };
        Fault::new(cause, "", Duration::ZERO)
    }

    /// A line that is not a move.
    pub(super) fn of_reply(cause: BadReply, line: &[u8], time: Duration) -> Fault {
        Fault::new(cause, &text::quoted(line.strip_suffix(b"\r").unwrap_or(line)), time)
    }

    /// A move that the rules do not allow.
    pub(super) fn illegal(why: IllegalMove, reply: &Reply, line: &[u8], time: Duration) -> Fault {
        let (code, direction) = match why {
            IllegalMove::Direction(direction) => (CauseCode::WrongDirection, Some(direction)),
            IllegalMove::EmptyHouse(_) | IllegalMove::GameOver => (CauseCode::EmptyHouse, None),
        };
        let adapter = reply.info.as_ref().and_then(AdapterReport::in_info);
        let cause = Cause { house: Some(reply.house), direction, adapter, ..code.into() };
        Fault::new(cause, &text::quoted(line.trim_ascii_end()), time)
    }

    /// A program that did not start; `why` is the text of
    /// [`Trouble::CannotStart`](super::Trouble::CannotStart).
    pub fn start_failed(why: &str) -> Fault {
        Fault::new(Cause::from(CauseCode::CannotStart), why, Duration::ZERO)
    }

    /// Its record: whose it is, the position that the bot was sent, and the end of its stderr.
    pub(crate) fn into_record(self, bot: Seat, board: Board, stderr: String) -> FaultRecord {
        let Fault { kind, detail, cause, .. } = self;
        FaultRecord { bot, kind, detail, cause: Some(cause), board, stderr }
    }

    /// What is kept of it beside the move that was played for the bot, with this end of its stderr.
    pub(super) fn into_substitute(self, stderr: String) -> Substitute {
        let Fault { kind, detail, cause, .. } = self;
        Substitute { kind, detail, cause: Some(cause), stderr }
    }
}

/// The cause of a process's end: what the system had against it, if anything, and how it left.
pub fn end_cause(how: Ended, system: Option<Box<Cause>>) -> Box<Cause> {
    let (code, exit_code, signal) = match how {
        Ended::Code(code) => (CauseCode::ExitCode, Some(code), None),
        Ended::Signal(signal) => (CauseCode::Signal, None, Some(signal)),
        Ended::ClosedStdout => (CauseCode::ClosedStdout, None, None),
    };
    let mut cause = system.unwrap_or_else(|| Box::new(code.into()));
    (cause.exit_code, cause.signal) = (exit_code, signal);
    cause
}
