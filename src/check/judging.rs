//! From a fault in a trial to a finding: what is behind it, and whether the probe brought it about.

use super::course::{Course, in_ms, shown};
use super::diagnosis::{Diagnosis, diagnose};
use super::findings::Evidence;
use super::numbering::{self, Numbering};
use super::pairing::{BOT, Case, Last, Notes};
use super::report::{Probe, rules_in_words};
use super::trial::Trial;
use crate::record::{FaultRecord, RoundRecord};
use crate::referee::Error;
use crate::text::{printable, quoted};

impl Course<'_> {
    /// Makes a fault a finding.
    pub(super) fn judge(
        &mut self,
        trial: &Trial,
        round: &RoundRecord,
        fault: &FaultRecord,
        notes: &Notes,
    ) -> Result<(), Error> {
        let case = notes.cases.get(&round.round).cloned().unwrap_or_default();
        let Some(diagnosis) = diagnose(fault, &case) else {
            self.note("the machine was late, not the bot, and a round was given up".to_owned());
            return Ok(());
        };
        let diagnosis = self.look_closer(diagnosis, trial, &case)?;
        let diagnosis = self.blame_the_probe(diagnosis, round.round);
        let is_control = !self.is_special(round.round) && trial.rules == self.plan.rules[0];
        let turn = case.answers_in_round + 1;
        let seat = if round.first == BOT { "starter" } else { "second" };
        let mut came_back = printable(&fault.detail);
        if let Some(late_by) = case.late_by {
            came_back += &format!("; an answer came {} later", in_ms(late_by));
        }
        if let Some(finished) = case.finished.filter(|finished| !finished.stdout.is_empty()) {
            let answers = quoted(&finished.stdout);
            came_back += &format!("; when its input ended came {answers}");
        }
        let evidence = Evidence {
            during: format!(
                "{} against {}, round {} as {seat}, its turn {turn}",
                rules_in_words(&trial.rules),
                trial.level,
                round.round
            ),
            sent: case.sent.iter().map(|line| shown(line)).collect(),
            came_back,
            stderr: fault.stderr.clone(),
        };
        self.findings.add(self.probe(), diagnosis, Some(fault.kind), evidence);
        if is_control {
            self.findings.met_in_control(diagnosis);
        }
        Ok(())
    }

    /// What an experiment tells that the fault alone does not.
    fn look_closer(
        &mut self,
        diagnosis: Diagnosis,
        trial: &Trial,
        Case { last, answers_in_round, .. }: &Case,
    ) -> Result<Diagnosis, Error> {
        let is_about_output = matches!(
            diagnosis,
            Diagnosis::Text
                | Diagnosis::EmptyLine
                | Diagnosis::NotAMove
                | Diagnosis::MoreThanOneLine
                | Diagnosis::EmptyHouse
                | Diagnosis::NoSuchHouse
        );
        if is_about_output && *answers_in_round == 0 && self.speaks_unasked(trial) {
            return Ok(Diagnosis::Unasked);
        }
        if !diagnosis.is_about_houses() {
            return Ok(diagnosis);
        }
        if let Some(numbering) = self.numbering(trial)? {
            return Ok(Diagnosis::Numbered(numbering));
        }
        if matches!(last, Some(Last::Answered(line)) if numbering::is_an_opponents_cell(line)) {
            return Ok(Diagnosis::Numbered(Numbering::OpponentsCells));
        }
        Ok(diagnosis)
    }

    /// What is wrong only with what this probe does: the games went without it.
    fn blame_the_probe(&self, diagnosis: Diagnosis, round: u32) -> Diagnosis {
        // A bot that was asked nothing in its first round may have gone at its start or its end.
        let alike = match diagnosis {
            Diagnosis::ExitsAtOnce => Diagnosis::ExitsAfterARound,
            diagnosis => diagnosis,
        };
        if !self.is_special(round) || self.findings.were_in_control(diagnosis) {
            return diagnosis;
        }
        if self.findings.were_in_control(alike) {
            return alike;
        }
        // Rounds after the second are the same too much wherever they are played.
        Diagnosis::Only(match self.probe() {
            Probe::Determinism => Probe::Rounds,
            probe => probe,
        })
    }

    /// Whether this probe does, in this round, what whole games do not.
    fn is_special(&self, round: u32) -> bool {
        match self.probe() {
            Probe::Rounds | Probe::Determinism => round > 2,
            Probe::OpponentsFault
            | Probe::TimeBank
            | Probe::Names
            | Probe::UnknownFields
            | Probe::UnknownTypes => true,
            _ => false,
        }
    }
}
