//! Each cause as a sentence that lets the bot's author fix it.

use super::{Cause, CauseCode, FaultKind};
use crate::rules::Direction;
use crate::text::{bytes, printable};

impl Cause {
    /// The fault in words, printable, in one line. `quote` is what the bot wrote, printable;
    /// where the program does not start, the reason.
    pub fn in_words(&self, quote: &str) -> String {
        use CauseCode as Code;
        if let Some(adapter) = &self.adapter {
            return printable(&adapter.words);
        }
        let blanks;
        let quote = if quote.is_empty() || !quote.trim().is_empty() {
            quote
        } else {
            blanks = format!("\"{quote}\"");
            &blanks
        };
        let house = self.house.map_or_else(String::new, |house| house.to_string());
        let direction = self.direction.map_or("so", Direction::as_str);
        let limits = self.limits_in_words();
        match self.code {
            Code::NoSuchHouse => match self.value.map(|value| value.to_string()) {
                Some(number) if number != quote => {
                    format!("there is no house {number}; houses are 0 to 5; it answered {quote}")
                }
                _ => format!("there is no house {quote}; houses are 0 to 5"),
            },
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
            Code::LateAnswer if quote.is_empty() => {
                format!("answered with an empty line after {limits}")
            }
            Code::LateAnswer => format!("answered {quote} after {limits}"),
            Code::NeverAnswered => {
                format!(
                    "no answer after {limits}, and nothing on its stdout: does it flush its output after each line, or does its start take longer (--start-time)?"
                )
            }
            Code::NoAnswer | Code::NoNewline => {
                format!("no answer after {limits}{}", unfinished(quote))
            }
            Code::NotReading => format!("no answer after {limits}; it does not read its stdin"),
            Code::BankSpent => {
                format!("its time bank of {} ms is spent", self.bank_ms.unwrap_or_default())
            }
            Code::CannotStart | Code::Unknown => quote.to_owned(),
            code if let Some(defect) = code.defect() => {
                let got = if quote.is_empty() { "" } else { ", got " };
                format!("{defect}; expected a house 0 to 5 or {{\"move\":…}}{got}{quote}")
            }
            _ => self.end_in_words(quote),
        }
    }

    /// How long an answer took that was at fault for something else, beside the limit of its move:
    /// `It took 8.601 ms (limit 1000 ms, margin 50 ms)`. `None` if that is not known.
    pub fn time_in_words(&self) -> Option<String> {
        let what = match self.code.kind()? {
            _ if self.code == CauseCode::CpuTimeLimit => return None,
            FaultKind::Timeout => return None,
            FaultKind::Exited => "It ended after",
            _ => "It took",
        };
        // What had ended before it was asked took no time.
        let waited = self.waited_ms.filter(|ms| self.limit_ms.is_some() && *ms > 0.0)?;
        Some(format!("{what} {waited:.3} ms (limit {})", self.limit_in_words()))
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
                "more open or watched files, pipes and sockets than any bot needs, or than can be counted \
                 in time"
                    .to_owned()
            }
            CauseCode::RanWhileStopped => {
                "used its opponent's time again and again, although it was stopped".to_owned()
            }
            CauseCode::SystemMemory => "the system ran out of memory".to_owned(),
            CauseCode::OutOfMemory => "out of memory, according to its stderr".to_owned(),
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
                // What a shell, and env, exit with for it.
                CauseCode::Sandbox if self.exit_code == Some(126) => {
                    "; it starts a file that is not executable (chmod +x), or that the sandbox closes to \
                     it (see --allow-read)"
                }
                CauseCode::Sandbox => {
                    "; the sandbox may have refused it something: a file (see --allow-read and \
                     --allow-write), or a process of another program"
                }
                CauseCode::NoNetwork => {
                    "; the sandbox has no network (--allow-loopback opens TCP to the bot itself)"
                }
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
            CauseCode::NotJson | CauseCode::ShownObject => "not JSON",
            CauseCode::MoreThanANumber => "more than a number",
            CauseCode::NoValue => "no value",
            CauseCode::IncompleteJson => "incomplete JSON",
            CauseCode::TooDeep => "too deep",
            CauseCode::DuplicateKey => "duplicate key",
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

/// A signal by its number, with its name and, where there is more to say, what it stands for.
pub(crate) fn signal_in_words(signal: i32) -> String {
    let meaning = match signal {
        4 => ", an illegal instruction",
        6 => ", an abort",
        8 => ", an arithmetic error",
        11 => ", a bad memory access",
        24 => ", the limit of processor time",
        25 => ", the limit of a file's size",
        31 => ", a forbidden system call",
        _ => "",
    };
    match signal_hook::low_level::signal_name(signal) {
        Some(name) => format!("signal {signal} ({name}{meaning})"),
        None => format!("signal {signal}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_sandbox_closes_more_than_files() {
        let refused = Cause { exit_code: Some(1), ..CauseCode::Sandbox.into() }.in_words("");
        assert!(refused.ends_with("--allow-write), or a process of another program"), "{refused}");
    }

    #[test]
    fn what_cannot_be_seen_is_named() {
        let expected = "an empty line; expected a house 0 to 5 or {\"move\":…}";
        let words = |code: CauseCode, quote: &str| Cause::from(code).in_words(quote);
        assert_eq!(words(CauseCode::EmptyLine, ""), expected);
        assert_eq!(words(CauseCode::EmptyLine, "  "), format!("{expected}, got \"  \""));
        let late = words(CauseCode::LateAnswer, "");
        assert!(late.starts_with("answered with an empty line after "), "{late}");
        let unfinished = words(CauseCode::NoNewline, " ");
        assert!(
            unfinished.ends_with("; it wrote \" \" without a newline at its end"),
            "{unfinished}"
        );
    }
}
