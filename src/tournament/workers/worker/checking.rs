//! The check of a bot before the first match, as `mancala check` does it.

use std::time::Duration;

use super::compiler_output::beginning_of;
use super::{Tried, Worker, failed, refused, with_source};
use crate::bot::{Restraints, Wardens, is_out_of_processes};
use crate::check::{CheckSettings, check};
use crate::record::{DisqualifiedFor, FaultTerms, Ponder, Terms};
use crate::referee::MatchError;
use crate::report::{CheckReport, Severity, Width, write_check};
use crate::text::counted;
use crate::tournament::logs::CHECK_REPORT;
use crate::tournament::workers::wire::WorkerReport;

impl Worker<'_> {
    /// Checks a bot within this time. What was found is in its folder, where it has one.
    pub(super) fn check(&self, place: usize, at_most: Duration) -> Tried {
        let plan = &self.preparation.plan;
        // An author who checks the bot alone has these terms.
        let keeping = Restraints { ponder: Ponder::default(), ..self.wardens.restraints().clone() };
        let wardens = Wardens::new(keeping.clone(), Some(self.interrupt))
            .map_err(|error| check_failed(&error, error.is_out_of_processes()))?;
        let limits = Terms { faults: FaultTerms::default(), keeping, ..plan.terms.clone() };
        let settings = CheckSettings {
            bot: self.commands[place].clone(),
            rules: vec![plan.rules],
            limits,
            budget: at_most,
            seed: 1,
        };
        let report =
            check(&settings, &wardens, &mut |_, _, _| ()).map_err(|error| match error {
                MatchError::CannotStart { why, .. } => refused(DisqualifiedFor::Refused, why),
                MatchError::System { ref source, .. } => {
                    check_failed(&error, is_out_of_processes(source))
                }
                error => check_failed(&error, false),
            })?;
        let mut text = Vec::new();
        let mut written = write_check(&mut text, &report, Width::Whole);
        if let Some(folders) = &self.preparation.logs.of_bots {
            written = written.and_then(|()| folders.write(place, CHECK_REPORT, &text));
        }
        written.map_err(|error| {
            failed(format!("a check's report cannot be written: {error}"), false)
        })?;
        self.output.set(Some(beginning_of(&String::from_utf8_lossy(&text))));
        verdict(&report)
    }
}

fn check_failed(error: &dyn std::error::Error, is_out_of_processes: bool) -> WorkerReport {
    failed(format!("a check failed: {}", with_source(error)), is_out_of_processes)
}

/// A bot with a fault may not play; one with warnings may.
fn verdict(report: &CheckReport) -> Tried {
    let mut faults = report.findings.iter().filter(|found| found.severity == Severity::Fault);
    let Some(first) = faults.next() else { return Ok(()) };
    let more = match faults.count() as u64 {
        0 => String::new(),
        more => format!(" (and {})", counted(more, "more fault", "more faults")),
    };
    let why = format!("fails mancala check: {}{more}", first.what);
    Err(WorkerReport::Tried(Some((DisqualifiedFor::Refused, why))))
}
