//! A row of the table of problems, and the macro that makes the table.

use super::clues::FaultClues;
use crate::bot::Finished;
use crate::protocol::CauseCode;
use crate::report::{Probe, Severity};

/// A row of the table. In `what`, `{}` stands for a size, a name or an adapter's words; in `fix`,
/// `{flush}` stands for how the bot's language flushes stdout, and `{from_0}` and `{from_1}` for the
/// adapter's option, if it has one, for a bot that counts its houses from 0 or from 1. What begins with
/// the [place of a case](super::adapter::AdviceCase::place) is for bots without an adapter.
pub(crate) struct ProblemRow {
    pub(crate) group: Group,
    pub(crate) severity: Severity,
    pub(crate) what: &'static str,
    pub(crate) fix: &'static str,
    pub(crate) known: Known,
}

/// What a problem is about, as far as anything depends on it.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Group {
    /// Something that the program needs is missing.
    Missing,
    /// The house that it chose; an experiment may explain it.
    House,
    /// What it wrote to stdout, perhaps before it was asked.
    Output,
    /// It ran into a limit of the check.
    Limit,
    ClosedStdout,
    /// It exited with code 0.
    Exit,
    /// It ended in another way.
    Crash,
    Other,
}

/// How a problem is recognised.
pub(crate) enum Known {
    /// By the code of a fault's cause. Of the rows with a fault's code, or that say yes to it, the
    /// first counts.
    Codes(&'static [CauseCode]),
    /// By a fault, in another way.
    Fault(fn(&FaultClues<'_>) -> bool),
    /// By its answers where one house is legal: from the bot's house and its opponent's, each in
    /// its owner's view, to the answer.
    Numbering(fn(i64, i64) -> i64),
    /// By failing in this probe, and not in the same trial without what the probe adds.
    OnlyIn(Probe),
    /// By what it does at the end of its input.
    EndOfInput(fn(&Finished) -> bool),
    /// By an experiment or a measurement of the probes.
    Experiment,
}

/// Makes the table: an enum of the problems, and a row for each. A problem that is known by the codes of
/// its faults has these in brackets; any other ends with how it is known.
macro_rules! table {
    (@known [$($code:ident),+]) => { Known::Codes(&[$($crate::protocol::CauseCode::$code),+]) };
    (@known $known:expr) => { $known };
    ($(
        $problem:ident: $group:ident $severity:ident $([$($code:ident),+])?,
        $what:literal, $fix:literal $(, $known:expr)?;
    )*) => {
        /// What is wrong with a bot.
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub(crate) enum Problem {
            $($problem),*
        }

        impl Problem {
            /// All of them, in the table's order.
            pub(crate) const ALL: &[Problem] = &[$(Problem::$problem),*];

            pub(crate) const fn group(self) -> Group {
                self.row().group
            }

            pub(crate) const fn row(self) -> ProblemRow {
                match self {
                    $(Problem::$problem => ProblemRow {
                        group: Group::$group,
                        severity: $severity,
                        what: $what,
                        fix: $fix,
                        known: table!(@known $([$($code),+])? $($known)?),
                    }),*
                }
            }
        }
    };
}

pub(super) use table;
