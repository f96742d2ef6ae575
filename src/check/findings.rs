//! What was found: the same thing seen again is one finding.

use super::trial::BOT;
use crate::problems::{CommandAdvice, Diagnosis, Problem, RoundTrace};
use crate::protocol::FaultKind;
use crate::record::RoundRecord;
use crate::report::{Finding, Probe};

/// Where and how a bot showed what is wrong with it.
#[derive(Clone, Default)]
pub(super) struct Occurrence {
    pub(super) during: String,
    pub(super) sent: Vec<String>,
    pub(super) received: String,
    pub(super) stderr: String,
    /// When the bot does it, where that is worth saying.
    pub(super) when: Option<CrashTime>,
    /// An addition to the fix of the table.
    pub(super) advice: &'static str,
}

/// When a bot crashes.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum CrashTime {
    /// At a start, before it is asked anything.
    AtTheStart,
    /// At an end, before the next round begins.
    AtTheEnd,
    /// Never in the first round of a match.
    InLaterRounds,
    /// Never in a round that it begins itself.
    AsSecond,
}

/// What stderr has where a bot took a field that a message does not have.
const OF_A_MESSAGE: [&str; 6] = ["legal", "board", "undefined", "null", "None", "nil"];

impl CrashTime {
    /// What is said of it behind the sentence that tells what is wrong.
    const fn words(self) -> &'static str {
        match self {
            CrashTime::AtTheStart => " at the start of a round, before it was asked",
            CrashTime::AtTheEnd => " at the end of a round, before the next one began",
            CrashTime::InLaterRounds => ", but only from the second round on",
            CrashTime::AsSecond => ", but only where its opponent begins",
        }
    }

    /// What is added to the advice.
    const fn advice(self) -> &'static str {
        match self {
            CrashTime::AtTheStart => {
                " A start has no \"legal\", and wants no answer: look at \"type\" first."
            }
            CrashTime::AtTheEnd => {
                " If it looks for \"legal\" there: an end has none, and wants no answer. Look at \"type\" \
                 first."
            }
            CrashTime::InLaterRounds | CrashTime::AsSecond => "",
        }
    }

    /// Whether it was seen too seldom, `times` times, to be said.
    const fn is_doubtful(self, times: u32) -> bool {
        matches!(self, CrashTime::InLaterRounds | CrashTime::AsSecond) && times < 2
    }

    /// Whether a crash in this round says otherwise; `is_plain`: without what a probe adds.
    fn is_refuted_by(self, (round, trace): (&RoundRecord, &RoundTrace), is_plain: bool) -> bool {
        match self {
            CrashTime::AtTheStart => false,
            // What a probe adds may be taken for an end.
            CrashTime::AtTheEnd => is_plain && (round.round == 1 || trace.answers_in_round > 0),
            CrashTime::InLaterRounds => round.round == 1,
            CrashTime::AsSecond => round.first == BOT,
        }
    }
}

/// All findings, in the order in which they were seen first.
#[derive(Default)]
pub(super) struct Findings {
    all: Vec<CountedFinding>,
}

struct CountedFinding {
    diagnosis: Diagnosis,
    kind: Option<FaultKind>,
    /// The first time. When the bot does it is known as far as nothing refuted that.
    first: Occurrence,
    /// The probe of each time that it was seen.
    seen: Vec<Probe>,
    /// Whether it was seen in plain games, without what a probe adds.
    in_control: bool,
}

impl Findings {
    /// Adds a finding, or counts it where it was there before.
    pub(super) fn add(
        &mut self,
        probe: Probe,
        diagnosis: Diagnosis,
        kind: Option<FaultKind>,
        evidence: Occurrence,
    ) {
        match self.all.iter_mut().find(|found| found.diagnosis == diagnosis) {
            Some(found) => found.seen.push(probe),
            None => self.all.push(CountedFinding {
                diagnosis,
                kind,
                first: evidence,
                seen: vec![probe],
                in_control: false,
            }),
        }
    }

    /// Whether this was found before.
    pub(super) fn has(&self, matches: impl Fn(Problem) -> bool) -> bool {
        self.all.iter().any(|found| matches(found.diagnosis.problem))
    }

    /// Whether this was found before, in the protocol's terms.
    pub(super) fn has_in_protocol(&self, matches: impl Fn(Problem) -> bool) -> bool {
        self.all.iter().any(|found| matches(found.diagnosis.in_protocol()))
    }

    /// What was found, in the protocol's terms, turned out to be another problem.
    pub(super) fn correct(&mut self, from: impl Fn(Problem) -> bool, to: Problem) {
        for found in self.all.iter_mut().filter(|found| from(found.diagnosis.in_protocol())) {
            found.diagnosis = found.diagnosis.clone().attributed_to(to);
        }
    }

    /// Notes a round in which this was seen. `is_plain`: without what a probe adds; `in_control`: in a
    /// plain game.
    pub(super) fn seen_in(
        &mut self,
        diagnosis: &Diagnosis,
        round: (&RoundRecord, &RoundTrace),
        is_plain: bool,
        in_control: bool,
    ) {
        for found in self.all.iter_mut().filter(|found| found.diagnosis == *diagnosis) {
            found.first.when.take_if(|when| when.is_refuted_by(round, is_plain));
            found.in_control |= in_control;
        }
    }

    /// The first finding that was seen in plain games and that `matches`.
    pub(super) fn in_control(&self, matches: impl Fn(&Diagnosis) -> bool) -> Option<&Diagnosis> {
        let mut in_control =
            self.all.iter().filter(|found| found.in_control).map(|found| &found.diagnosis);
        in_control.find(|diagnosis| matches(diagnosis))
    }

    pub(super) fn count(&self) -> usize {
        self.all.len()
    }

    /// How often a probe saw what it saw most.
    pub(super) fn most_seen_in(&self, probe: Probe) -> usize {
        let times =
            |found: &CountedFinding| found.seen.iter().filter(|seen| **seen == probe).count();
        self.all.iter().map(times).max().unwrap_or(0)
    }

    /// The findings, faults before warnings, with this advice for the bot.
    pub(super) fn into_sorted(self, advice: CommandAdvice) -> Vec<Finding> {
        let found = self.all.into_iter().map(|found| found.into_finding(advice));
        let mut findings: Vec<Finding> = found.collect();
        findings.sort_by_key(|finding| finding.severity);
        findings
    }
}

impl CountedFinding {
    fn into_finding(self, command_advice: CommandAdvice) -> Finding {
        let CountedFinding { diagnosis, kind, first, seen: mut probes, .. } = self;
        let Occurrence { during, sent, received, stderr, when, advice } = first;
        let times = probes.len().try_into().unwrap_or(u32::MAX);
        probes.dedup();
        let when = when.filter(|when| !when.is_doubtful(times));
        // A bot that fails for want of a file or a variable has not looked at a message yet.
        let may_be_of_a_message = !command_advice.has_adapter()
            && (stderr.is_empty() || OF_A_MESSAGE.iter().any(|word| stderr.contains(word)));
        let on_time = when.filter(|_| may_be_of_a_message).map_or("", CrashTime::advice);
        Finding {
            severity: diagnosis.problem.row().severity,
            kind,
            probes,
            times,
            what: diagnosis.what() + when.map_or("", CrashTime::words),
            during,
            sent,
            received,
            stderr,
            fix: diagnosis.fix(command_advice) + advice + on_time,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report::Severity;

    #[test]
    fn the_same_again_is_counted_and_faults_come_first() {
        let mut findings = Findings::default();
        let warning = Problem::OutlivesItsInput;
        findings.add(Probe::EndOfInput, warning.into(), None, Occurrence::default());
        for probe in [Probe::Games, Probe::Games, Probe::Names] {
            let kind = Some(FaultKind::Timeout);
            findings.add(probe, Problem::Silent.into(), kind, Occurrence::default());
        }
        assert!(findings.has(|it| it == warning) && !findings.has(|it| it == Problem::Late));
        assert_eq!((findings.count(), findings.most_seen_in(Probe::Games)), (2, 2));
        assert_eq!(findings.most_seen_in(Probe::Rounds), 0);
        let sorted = findings.into_sorted(CommandAdvice::default());
        assert_eq!(sorted[0].severity, Severity::Fault);
        assert_eq!(
            (sorted[0].times, &sorted[0].probes[..]),
            (3, &[Probe::Games, Probe::Names][..])
        );
        assert_eq!(sorted[1].severity, Severity::Warning);
    }
}
