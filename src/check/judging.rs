//! From a fault in a trial to a finding: what is behind it, and whether the probe brought it about.

use super::course::{Course, in_ms, shown};
use super::diagnosis::{Diagnosis, diagnose};
use super::findings::Evidence;
use super::numbering::{self, Numbering};
use super::pairing::{BOT, Case, Last, Notes};
use super::report::{Probe, rules_in_words};
use super::trial::Trial;
use crate::record::{FaultRecord, RoundRecord};
use crate::referee::{Cause, MatchError, Misconduct};
use crate::text::{printable, quoted};

/// What is said besides where the sandbox may be behind it.
const OF_THE_SANDBOX: &str = " The sandbox may have refused it something: --allow-read PATH opens a \
                              file or folder to it, --allow-write PATH one to write to, and \
                              nothing opens the network. Without --sandbox you see whether it was \
                              that.";

impl Course<'_> {
    /// Makes a fault a finding.
    pub(super) fn judge(
        &mut self,
        trial: &Trial,
        round: &RoundRecord,
        fault: &FaultRecord,
        notes: &Notes,
    ) -> Result<(), MatchError> {
        let case = notes.cases.get(&round.round).cloned().unwrap_or_default();
        let Some(diagnosis) = diagnose(fault, &case) else {
            self.note("the machine was late, not the bot, and a round was given up".to_owned());
            return Ok(());
        };
        let diagnosis = self.look_closer(diagnosis, trial, &case)?;
        let is_special = self.is_special(round.round);
        let diagnosis = self.blame(diagnosis, is_special);
        let is_control = !is_special && trial.rules == self.plan.rules[0];
        let turn = case.answers_in_round + 1;
        let seat = if round.first == BOT { "starter" } else { "second" };
        let mut came_back = printable(&fault.detail);
        if let Some(late_by) = case.late_by {
            came_back += &format!("; an answer came {} later", in_ms(late_by));
        }
        if let Some(finished) =
            case.finished.as_ref().filter(|finished| !finished.stdout.is_empty())
        {
            let answers = quoted(&finished.stdout);
            came_back += &format!("; when its input ended came {answers}");
        }
        let is_first_crash =
            diagnosis == Diagnosis::Crashes && !self.findings.has(&Diagnosis::Crashes);
        let when = if is_first_crash { self.when_it_crashes(trial, round, &case)? } else { None };
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
            when,
            advice: if is_sandboxed(&case) { OF_THE_SANDBOX } else { "" },
        };
        self.findings.add(self.probe(), diagnosis.clone(), Some(fault.kind), evidence);
        self.findings.met_in_round(&diagnosis, round);
        if is_control {
            self.findings.met_in_control(&diagnosis);
        }
        Ok(())
    }

    /// What an experiment tells that the fault alone does not.
    fn look_closer(
        &mut self,
        diagnosis: Diagnosis,
        trial: &Trial,
        Case { last, answers_in_round, .. }: &Case,
    ) -> Result<Diagnosis, MatchError> {
        let is_about_output = matches!(
            diagnosis,
            Diagnosis::Text
                | Diagnosis::ShownObject
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
            return Ok(Diagnosis::Numbered(match numbering {
                Numbering::AlwaysTheSame if self.has_varied() => Numbering::BlindToTheBoard,
                numbering => numbering,
            }));
        }
        if matches!(last, Some(Last::Answered(line)) if numbering::is_an_opponents_cell(line)) {
            return Ok(Diagnosis::Numbered(Numbering::OpponentsCells));
        }
        Ok(diagnosis)
    }

    /// What a fault is to be put down to: to what was found before and has this for a consequence,
    /// or to what this probe does, where the games went without it.
    fn blame(&self, diagnosis: Diagnosis, is_special: bool) -> Diagnosis {
        // A bot that exits in mid-round has not played on, and one that is asked nothing in a round
        // goes at its end: it is the same exit, or the same crash, wherever it comes.
        let known = self.findings.in_control(|known| {
            *known == diagnosis
                || known.is_an_exit() && diagnosis.is_an_exit()
                || is_special && known.is_a_departure() && diagnosis.is_a_departure()
        });
        match known {
            Some(known) => known.clone(),
            None if !is_special || matches!(diagnosis, Diagnosis::Limit(_)) => diagnosis,
            // Rounds after the second are the same too much wherever they are played.
            None => Diagnosis::Only(match self.probe() {
                Probe::Determinism => Probe::Rounds,
                probe => probe,
            }),
        }
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

/// Whether a bot left in a sandbox, for no reason that is known.
fn is_sandboxed(case: &Case) -> bool {
    matches!(
        case.last,
        Some(Last::Misbehaved(Misconduct::Exited { cause: Some(Cause::Sandbox), .. }))
    )
}
