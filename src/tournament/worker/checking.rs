//! The check of a bot before the first match, as `mancala check` does it.

use std::fs;
use std::io;
use std::path::Path;
use std::time::Duration;

use super::{TrialResult, Worker, with_source};
use crate::bot::Restraints;
use crate::check::{CheckSettings, check};
use crate::record::{FaultTerms, Ponder, Terms};
use crate::referee::MatchError;
use crate::report::{CheckReport, Severity, Width, write_check};
use crate::session::Session;
use crate::tournament::logs::CHECK_REPORT;

impl Worker<'_> {
    /// Checks a bot within this time. What was found is in its folder, where it has one.
    pub(super) fn check(&self, place: usize, at_most: Duration) -> TrialResult {
        let preparation = &self.preparation;
        // An author who checks the bot alone has these terms.
        let restraints =
            Restraints { ponder: Ponder::default(), ..self.session.restraints().clone() };
        let session = match Session::open(restraints.clone(), Some(self.interrupt)) {
            Ok(session) => session,
            Err(error) => return failed(&error),
        };
        let plan = CheckSettings {
            bot: self.commands[place].clone(),
            rules: vec![preparation.rules],
            limits: Terms {
                faults: FaultTerms::default(),
                keeping: restraints,
                ..preparation.terms.clone()
            },
            budget: at_most,
            seed: 1,
        };
        let report = match check(&plan, &session, &mut |_| ()) {
            Ok(report) => report,
            Err(MatchError::CannotStart { why, .. }) => {
                return TrialResult::Refused(format!("does not start: {why}"));
            }
            Err(error) => return failed(&error),
        };
        if let Some(folders) = &preparation.logs {
            let written = write_report(&report, &folders.of_bot(place).join(CHECK_REPORT));
            if let Err(error) = written {
                return TrialResult::Failed(format!("a check's report cannot be written: {error}"));
            }
        }
        verdict(&report)
    }
}

fn failed(error: &dyn std::error::Error) -> TrialResult {
    TrialResult::Failed(format!("a check failed: {}", with_source(error)))
}

fn write_report(report: &CheckReport, path: &Path) -> io::Result<()> {
    let mut text = Vec::new();
    write_check(&mut text, report, Width::Whole)?;
    fs::write(path, text)
}

/// A bot with a fault may not play; one with warnings may.
fn verdict(report: &CheckReport) -> TrialResult {
    let mut faults = report.findings.iter().filter(|found| found.severity == Severity::Fault);
    let Some(first) = faults.next() else { return TrialResult::Passed };
    let more = match faults.count() {
        0 => String::new(),
        1 => " (and 1 more fault)".to_owned(),
        more => format!(" (and {more} more faults)"),
    };
    TrialResult::Refused(format!("fails mancala check: {}{more}", first.what))
}
