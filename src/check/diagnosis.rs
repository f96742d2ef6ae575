//! From a fault to what is behind it.

use super::missing::{Missing, missing};
use super::numbering::Numbering;
use super::pairing::{Case, Last};
use super::report::{Probe, Severity};
use crate::protocol::{FaultKind, Reply};
use crate::record::FaultRecord;
use crate::referee::{Cause, Ended, Misconduct};

/// What is wrong with a bot.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Diagnosis {
    /// Its houses have other numbers.
    Numbered(Numbering),
    /// It chose a house without seeds.
    EmptyHouse,
    /// It chose something that is no house.
    NoSuchHouse,
    /// It chose a direction that the rules do not have.
    WrongDirection,
    /// It wrote something that is no JSON.
    Text,
    /// It wrote an object as its language shows it, and not as JSON.
    ShownObject,
    /// It wrote an empty line.
    EmptyLine,
    /// It wrote JSON that is no move.
    NotAMove,
    /// It wrote before it was asked: at its launch, at `start` or at `end`.
    Unasked,
    /// It wrote more than one line for a `turn`.
    MoreThanOneLine,
    /// It wrote a line without end.
    TooLong,
    /// It answers when its input ends, and not before.
    AnswersAtTheEnd,
    /// It answers without a newline.
    NoNewline,
    /// It does not read its input.
    DoesNotRead,
    /// It does not answer at all.
    Silent,
    /// It answers too late.
    Late,
    /// It exits before its first answer.
    ExitsAtOnce,
    /// It exits after an answer.
    ExitsAfterAnAnswer,
    /// It exits after a round.
    ExitsAfterARound,
    /// It ends with another exit code than 0, or by a signal.
    Crashes,
    /// It ran into a limit, or was refused memory.
    Limit(Cause),
    /// What it is to run, or needs to run, is not there.
    Missing(Missing),
    /// It closes its stdout.
    ClosesStdout,
    /// Its program does not start again.
    StartsNoMore,
    /// Only what this probe does is too much for it.
    Only(Probe),
    /// It goes on after the end of its input.
    OutlivesItsInput,
    /// It takes the end of its input for an error.
    BadExitCode,
    /// Its answers come near the limit.
    NearTheLimit,
    /// Its first answer comes near the limit.
    SlowStart,
}

impl Diagnosis {
    /// How bad that is.
    pub(super) const fn severity(&self) -> Severity {
        match self {
            Diagnosis::Only(Probe::Rounds | Probe::UnknownFields | Probe::UnknownTypes)
            | Diagnosis::OutlivesItsInput
            | Diagnosis::BadExitCode
            | Diagnosis::NearTheLimit
            | Diagnosis::SlowStart => Severity::Warning,
            _ => Severity::Fault,
        }
    }

    /// Whether it is about a number that is no legal house.
    pub(super) const fn is_about_houses(&self) -> bool {
        matches!(self, Diagnosis::EmptyHouse | Diagnosis::NoSuchHouse)
    }

    /// Whether it exits by itself and calls that a success.
    pub(super) const fn is_an_exit(&self) -> bool {
        matches!(
            self,
            Diagnosis::ExitsAtOnce | Diagnosis::ExitsAfterAnAnswer | Diagnosis::ExitsAfterARound
        )
    }

    /// Whether it leaves, one way or another.
    pub(super) const fn is_a_departure(&self) -> bool {
        self.is_an_exit() || matches!(self, Diagnosis::Crashes)
    }
}

/// What is behind a fault; none where it was the machine that was late.
pub(super) fn diagnose(fault: &FaultRecord, case: &Case) -> Option<Diagnosis> {
    if fault.kind == FaultKind::StartFailed {
        return Some(Diagnosis::StartsNoMore);
    }
    Some(match case.last.as_ref()? {
        Last::Answered(line) => of_answer(fault, line),
        Last::Misbehaved(Misconduct::Unsolicited(_)) if case.answers_in_round == 0 => {
            Diagnosis::Unasked
        }
        Last::Misbehaved(Misconduct::Unsolicited(_)) => Diagnosis::MoreThanOneLine,
        Last::Misbehaved(Misconduct::Oversized(_)) => Diagnosis::TooLong,
        Last::Misbehaved(Misconduct::Silent { unread: true, .. }) => Diagnosis::DoesNotRead,
        Last::Misbehaved(Misconduct::Silent { partial, .. }) if !partial.is_empty() => {
            Diagnosis::NoNewline
        }
        Last::Misbehaved(Misconduct::Silent { .. }) => of_silence(case),
        Last::Misbehaved(Misconduct::Exited { cause: Some(limit), .. })
            if *limit != Cause::Sandbox =>
        {
            Diagnosis::Limit(*limit)
        }
        Last::Misbehaved(Misconduct::Exited { how, .. }) => of_exit(*how, case, &fault.stderr),
    })
}

fn of_answer(fault: &FaultRecord, line: &[u8]) -> Diagnosis {
    match fault.kind {
        FaultKind::Timeout => Diagnosis::Late,
        FaultKind::UnsolicitedOutput => Diagnosis::MoreThanOneLine,
        FaultKind::IllegalMove => match Reply::parse(line) {
            Ok(reply) if fault.board.seeds_in(reply.house) > 0 => Diagnosis::WrongDirection,
            Ok(_) => Diagnosis::EmptyHouse,
            Err(_) => Diagnosis::NoSuchHouse,
        },
        _ if line.trim_ascii().is_empty() => Diagnosis::EmptyLine,
        _ if serde_json::from_slice::<serde_json::Value>(line).is_ok() => Diagnosis::NotAMove,
        _ if is_a_shown_object(line.trim_ascii()) => Diagnosis::ShownObject,
        _ => Diagnosis::Text,
    }
}

/// Whether a line that is no JSON looks like an object of Python or JavaScript: `{'move': 3}`.
fn is_a_shown_object(line: &[u8]) -> bool {
    let inside = line.strip_prefix(b"{").and_then(|line| line.strip_suffix(b"}"));
    inside.is_some_and(|inside| {
        let key = inside.trim_ascii_start();
        let key = key.strip_prefix(b"'").unwrap_or(key);
        key.starts_with(b"move") || key.starts_with(b"info") || key.starts_with(b"direction")
    })
}

fn of_silence(case: &Case) -> Diagnosis {
    match &case.finished {
        _ if case.late_by.is_some() => Diagnosis::Late,
        // One that goes on thinking may answer now by chance; it does not exit then.
        Some(finished) if !finished.stdout.is_empty() && finished.how.is_some() => {
            Diagnosis::AnswersAtTheEnd
        }
        _ => Diagnosis::Silent,
    }
}

fn of_exit(how: Ended, case: &Case, stderr: &str) -> Diagnosis {
    match how {
        Ended::ClosedStdout => Diagnosis::ClosesStdout,
        Ended::Code(0) if case.answers_in_round > 0 => Diagnosis::ExitsAfterAnAnswer,
        Ended::Code(0) if case.answers_in_process > 0 => Diagnosis::ExitsAfterARound,
        Ended::Code(0) => Diagnosis::ExitsAtOnce,
        Ended::Code(_) | Ended::Signal(_) => {
            let missing = missing(stderr).filter(|_| case.answers_in_process == 0);
            missing.map_or(Diagnosis::Crashes, Diagnosis::Missing)
        }
    }
}
