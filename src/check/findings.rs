//! What was found: the same thing met again is one finding.

use super::diagnosis::Diagnosis;
use super::report::{Finding, Probe};
use super::when::When;
use crate::protocol::FaultKind;
use crate::record::RoundRecord;

/// Where and how a bot showed what is wrong with it.
#[derive(Clone, Debug, Default)]
pub(super) struct Evidence {
    pub(super) during: String,
    pub(super) sent: Vec<String>,
    pub(super) came_back: String,
    pub(super) stderr: String,
    /// When it does it, where that is worth to be said.
    pub(super) when: Option<When>,
    /// More about how to mend it than is always said.
    pub(super) advice: &'static str,
}

/// All findings, in the order in which they were met first.
#[derive(Debug, Default)]
pub(super) struct Findings(Vec<Found>);

#[derive(Debug)]
struct Found {
    diagnosis: Diagnosis,
    finding: Finding,
    /// How often each probe met it.
    met: Vec<(Probe, u32)>,
    /// Whether it was met where nothing special was tried.
    in_control: bool,
    /// When it does it, as far as nothing refuted that.
    when: Option<When>,
}

impl Findings {
    /// Adds a finding, or counts it where it is there.
    pub(super) fn add(
        &mut self,
        probe: Probe,
        diagnosis: Diagnosis,
        kind: Option<FaultKind>,
        evidence: Evidence,
    ) {
        if let Some(found) = self.0.iter_mut().find(|found| found.diagnosis == diagnosis) {
            found.finding.times += 1;
            if let Some((_, times)) = found.met.iter_mut().find(|(met, _)| *met == probe) {
                *times += 1;
            } else {
                found.met.push((probe, 1));
                found.finding.probes.push(probe);
            }
            return;
        }
        let Evidence { during, sent, came_back, stderr, when, advice } = evidence;
        let finding = Finding {
            severity: diagnosis.severity(),
            kind,
            probes: vec![probe],
            times: 1,
            what: diagnosis.what().into_owned(),
            during,
            sent,
            came_back,
            stderr,
            mend: format!("{}{advice}", diagnosis.mend()),
        };
        self.0.push(Found { diagnosis, finding, met: vec![(probe, 1)], in_control: false, when });
    }

    /// Whether this was found before.
    pub(super) fn has(&self, diagnosis: &Diagnosis) -> bool {
        self.0.iter().any(|found| found.diagnosis == *diagnosis)
    }

    /// Whether something that it needs was not there.
    pub(super) fn miss_something(&self) -> bool {
        self.0.iter().any(|found| matches!(found.diagnosis, Diagnosis::Missing(_)))
    }

    /// What was found turned out to be this instead.
    pub(super) fn correct(&mut self, from: &Diagnosis, to: &Diagnosis) {
        for found in self.0.iter_mut().filter(|found| found.diagnosis == *from) {
            found.diagnosis = to.clone();
            found.finding.what = to.what().into_owned();
            found.finding.mend = to.mend().into_owned();
        }
    }

    /// Takes note of a round in which this was met again.
    pub(super) fn met_in_round(&mut self, diagnosis: &Diagnosis, round: &RoundRecord) {
        for found in self.0.iter_mut().filter(|found| found.diagnosis == *diagnosis) {
            found.when = found.when.filter(|when| !when.is_refuted_by(round));
        }
    }

    /// Takes note that this was met where nothing special was tried.
    pub(super) fn met_in_control(&mut self, diagnosis: &Diagnosis) {
        for found in self.0.iter_mut().filter(|found| found.diagnosis == *diagnosis) {
            found.in_control = true;
        }
    }

    /// The first of such a kind that was met where nothing special was tried.
    pub(super) fn in_control(&self, is_such: impl Fn(&Diagnosis) -> bool) -> Option<&Diagnosis> {
        let mut such = self.0.iter().filter(|found| found.in_control && is_such(&found.diagnosis));
        such.next().map(|found| &found.diagnosis)
    }

    /// How many findings there are.
    pub(super) fn count(&self) -> usize {
        self.0.len()
    }

    /// Whether a probe met anything.
    pub(super) fn were_met_in(&self, probe: Probe) -> bool {
        self.most_met_in(probe) > 0
    }

    /// How often a probe met what it met most.
    pub(super) fn most_met_in(&self, probe: Probe) -> u32 {
        let met = self.0.iter().flat_map(|found| &found.met);
        met.filter(|(met, _)| *met == probe).map(|(_, times)| *times).max().unwrap_or(0)
    }

    /// The findings, faults before warnings.
    pub(super) fn into_sorted(self) -> Vec<Finding> {
        let mut findings: Vec<Finding> = self.0.into_iter().map(Found::into_finding).collect();
        findings.sort_by_key(|finding| finding.severity);
        findings
    }
}

impl Found {
    fn into_finding(self) -> Finding {
        let mut finding = self.finding;
        if let Some(when) = self.when.filter(|when| !when.is_doubtful(finding.times)) {
            finding.what += when.words();
        }
        finding
    }
}

#[cfg(test)]
mod tests {
    use super::super::report::Severity;
    use super::*;

    #[test]
    fn the_same_again_is_counted_and_faults_come_first() {
        let mut findings = Findings::default();
        let warning = Diagnosis::OutlivesItsInput;
        findings.add(Probe::EndOfInput, warning.clone(), None, Evidence::default());
        for probe in [Probe::Games, Probe::Games, Probe::Names] {
            let kind = Some(FaultKind::Timeout);
            findings.add(probe, Diagnosis::Silent, kind, Evidence::default());
        }
        assert!(findings.has(&warning) && !findings.has(&Diagnosis::Late));
        assert_eq!((findings.count(), findings.most_met_in(Probe::Games)), (2, 2));
        assert!(findings.were_met_in(Probe::Names) && !findings.were_met_in(Probe::Rounds));
        let sorted = findings.into_sorted();
        assert_eq!(sorted[0].severity, Severity::Fault);
        assert_eq!(
            (sorted[0].times, &sorted[0].probes[..]),
            (3, &[Probe::Games, Probe::Names][..])
        );
        assert_eq!(sorted[1].severity, Severity::Warning);
    }
}
