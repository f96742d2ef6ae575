//! From what a player did to a fault: its kind, and words that let its author fix it.

use std::time::Duration;

use super::clock::{Allowance, Clock};
use super::players::{Cause, Ended, Misconduct};
use crate::protocol::{BadReply, FaultKind};
use crate::record::milliseconds;
use crate::rules::IllegalMove;
use crate::text::{self, bytes};

/// A fault before it is known whose it is and where.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fault {
    /// Its kind.
    pub kind: FaultKind,
    /// What happened, in words; printable, one line.
    pub detail: String,
    /// How long after the question it was established; zero where there was none.
    pub time: Duration,
}

impl Fault {
    pub(super) fn of_misconduct(
        what: Misconduct,
        time: Duration,
        clock: &Clock,
        allowance: Allowance,
        has_answered: bool,
    ) -> Fault {
        match what {
            Misconduct::Unsolicited(bytes) => Fault {
                kind: FaultKind::UnsolicitedOutput,
                detail: match trimmed(&bytes) {
                    b"" => "wrote an empty line to stdout without being asked".to_owned(),
                    text => format!("wrote to stdout without being asked: {}", text::quoted(text)),
                },
                time,
            },
            Misconduct::Oversized(bytes) => Fault {
                kind: FaultKind::OversizedReply,
                detail: format!("a line of more than 64 KiB: {}", text::quoted(&bytes)),
                time,
            },
            Misconduct::Silent { waited, partial, unread } => {
                let mut detail = format!(
                    "no answer after {:.1} ms (limit {})",
                    milliseconds(waited),
                    clock.in_words(allowance)
                );
                if unread {
                    detail += "; it does not read its stdin";
                } else if !partial.is_empty() {
                    detail += &unfinished(&partial);
                } else if !has_answered {
                    detail += "; nothing was on its stdout: is a flush missing?";
                }
                detail += clock.bank_ran_out(allowance);
                Fault { kind: FaultKind::Timeout, detail, time: waited }
            }
            Misconduct::Exited { how, cause, partial } => {
                let left = match how {
                    Ended::Code(code) => format!("exited with code {code}"),
                    Ended::Signal(signal) => format!("was ended by {}", signal_in_words(signal)),
                    Ended::ClosedStdout => "closed its stdout".to_owned(),
                };
                let hint = match cause {
                    Some(Cause::Sandbox) => {
                        "; the sandbox may have refused it something (see --allow-read)"
                    }
                    Some(Cause::Network) => "; the sandbox has no network, and no option opens one",
                    _ => "",
                };
                let cause =
                    cause.and_then(cause_in_words).map_or(String::new(), |cause| cause + ": ");
                let mut detail =
                    format!("{cause}{left} before it answered{}", unfinished(&partial));
                if how == Ended::Code(0) {
                    detail += "; a bot plays all rounds, until the end of its input";
                }
                detail += hint;
                Fault { kind: FaultKind::Exited, detail, time }
            }
        }
    }

    pub(super) fn late(line: &[u8], time: Duration, clock: &Clock, allowance: Allowance) -> Fault {
        Fault {
            kind: FaultKind::Timeout,
            detail: format!(
                "answered {} after {:.1} ms (limit {})",
                text::quoted(line),
                milliseconds(time),
                clock.in_words(allowance)
            ) + clock.bank_ran_out(allowance),
            time,
        }
    }

    pub(super) fn bank_spent(bank: Duration) -> Fault {
        Fault {
            kind: FaultKind::Timeout,
            detail: format!("its time bank of {} ms is spent", bank.as_millis()),
            time: Duration::ZERO,
        }
    }

    pub(super) fn of_reply(reply: BadReply, time: Duration) -> Fault {
        let (kind, detail) = match reply {
            BadReply::NoSuchHouse(detail) => (FaultKind::IllegalMove, detail),
            BadReply::NotAMove(detail) => (FaultKind::InvalidReply, detail),
        };
        Fault { kind, detail, time }
    }

    pub(super) fn illegal(why: IllegalMove, line: &[u8], time: Duration) -> Fault {
        let detail = format!("{why}; it answered {}", text::quoted(trimmed(line)));
        Fault { kind: FaultKind::IllegalMove, detail, time }
    }

    /// A program that did not start; `why` is the text of
    /// [`Trouble::CannotStart`](super::Trouble::CannotStart).
    #[must_use]
    pub fn start_failed(why: String) -> Fault {
        Fault { kind: FaultKind::StartFailed, detail: why, time: Duration::ZERO }
    }
}

/// What the system had against a bot, and the option that says so: how a fault's detail begins.
#[must_use]
pub fn cause_in_words(cause: Cause) -> Option<String> {
    Some(match cause {
        Cause::Memory(limit) => format!("out of memory (--memory {})", bytes(limit)),
        Cause::Processes(limit) => {
            format!("more than {limit} processes and threads (--processes {limit})")
        }
        Cause::CpuTime(limit) => format!("out of processor time (--cpu-time {}s)", limit.as_secs()),
        Cause::FileSize(limit) => {
            format!("too large a file, or too many (--file-size {})", bytes(limit))
        }
        Cause::Descriptors => "more open files, pipes and sockets than any bot needs".to_owned(),
        Cause::SystemMemory => "out of memory, of which the system had none left".to_owned(),
        Cause::NoMemory => "out of memory, says its stderr".to_owned(),
        // Where nobody knows whether it did anything.
        Cause::Sandbox | Cause::Network => return None,
    })
}

/// What was sent of a line, if anything was.
fn unfinished(partial: &[u8]) -> String {
    if partial.is_empty() {
        String::new()
    } else {
        format!("; it wrote {} without a newline at its end", text::quoted(partial))
    }
}

/// Without the line end that would only be shown as an escape.
fn trimmed(bytes: &[u8]) -> &[u8] {
    bytes.trim_ascii_end()
}

fn signal_in_words(signal: i32) -> String {
    // The signals that programs die of; numbers as on Linux and the BSDs alike.
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
