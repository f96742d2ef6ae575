//! The check of a bot before the first match, as `mancala check` does it.

use std::fs;
use std::io;
use std::path::Path;
use std::time::Duration;

use super::Worker;
use crate::bot::Restraints;
use crate::check::{CheckReport, Plan, Severity, check, write_table};
use crate::record::{FaultTerms, Ponder, Terms};
use crate::referee::MatchError;
use crate::session::Session;

/// What came of a check.
pub(super) enum Checked {
    /// Nothing that forfeits a round.
    Clean,
    /// Why the bot may not play.
    Refused(String),
    /// Why it could not be checked.
    Failed(String),
}

impl Worker<'_> {
    /// Checks a bot within this time. What was found is in its folder, where it has one.
    pub(super) fn check(&self, place: usize, at_most: Duration) -> Checked {
        let preparation = &self.preparation;
        // An author who checks the bot alone has these terms.
        let restraints =
            Restraints { ponder: Ponder::default(), ..self.session.restraints().clone() };
        let session = match Session::open(restraints.clone(), Some(self.interrupt)) {
            Ok(session) => session,
            Err(error) => return Checked::Failed(error.to_string()),
        };
        let plan = Plan {
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
                return Checked::Refused(format!("does not start: {why}"));
            }
            Err(error) => return Checked::Failed(error.to_string()),
        };
        if let Some(folders) = &preparation.logs {
            let written = write_report(&report, &folders.of_bot(place).join("check.txt"));
            if let Err(error) = written {
                return Checked::Failed(format!("its report cannot be written: {error}"));
            }
        }
        verdict(&report)
    }
}

fn write_report(report: &CheckReport, path: &Path) -> io::Result<()> {
    let mut text = Vec::new();
    write_table(&mut text, report)?;
    fs::write(path, text)
}

/// A bot with a fault may not play; a warning is none.
fn verdict(report: &CheckReport) -> Checked {
    let mut faults = report.findings.iter().filter(|found| found.severity == Severity::Fault);
    let Some(first) = faults.next() else { return Checked::Clean };
    let more = match faults.count() {
        0 => String::new(),
        1 => " (and 1 more fault)".to_owned(),
        more => format!(" (and {more} more faults)"),
    };
    Checked::Refused(format!("fails mancala check: {}{more}", first.what))
}
