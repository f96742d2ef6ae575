//! From a fault in a trial to a finding: what explains it, by experiments where the fault alone
//! does not tell, and whether the probe brought it about.

use std::time::Duration;

use super::choice::{Choice, choice};
use super::experiments::{self, fails, when};
use super::findings::{Findings, Occurrence};
use super::occurrences::{during, received, shown};
use super::runner::Runner;
use super::trial::{Checked, Trial};
use crate::problems::{
    Diagnosis, FaultClues, Group, Known, Problem, RoundTrace, diagnose, sandbox_advice,
    wrote_at_the_end,
};
use crate::protocol::Reply;
use crate::record::{FaultRecord, RoundRecord};
use crate::report::Probe;

/// How soon an answer comes that waited for the next message alone.
const AT_ONCE: Duration = Duration::from_millis(100);

/// Judges the faults of a bot, and remembers what experiments told.
pub(super) struct Judge<'a> {
    pub(super) runner: Runner<'a>,
    pub(super) findings: Findings,
    /// What experiments tell of the houses that it chooses.
    choice: Option<Choice>,
    writes_before_turn: Option<bool>,
    writes_again: Option<bool>,
    answers_start: Option<bool>,
    why_at_the_end: Option<Problem>,
    holds_back: Option<bool>,
    why_silent: Option<Problem>,
    why_late: Option<Problem>,
    /// What the surplus line behind an answer is as an answer to the next turn.
    surplus: Option<Problem>,
}

impl<'a> Judge<'a> {
    pub(super) fn new(runner: Runner<'a>) -> Judge<'a> {
        Judge {
            runner,
            findings: Findings::default(),
            choice: None,
            writes_before_turn: None,
            writes_again: None,
            answers_start: None,
            why_at_the_end: None,
            holds_back: None,
            why_silent: None,
            why_late: None,
            surplus: None,
        }
    }

    /// Makes the fault of a round a finding; returns false where it was the machine that was late.
    pub(super) fn judge(
        &mut self,
        probe: Probe,
        trial: &Trial,
        (round, fault): (&RoundRecord, &FaultRecord),
        trace: &RoundTrace,
    ) -> Checked<bool> {
        let clues = FaultClues::new(fault.cause.as_deref(), &fault.stderr, trace);
        let Some(clues) = clues else { return Ok(false) };
        let Some(diagnosis) = diagnose(&clues) else { return Ok(false) };
        let diagnosis = self.look_closer(trial, &clues, diagnosis)?;
        let by_probe = only_in(probe, round.round, trace);
        // It is the same silence, also where it is asked first: it has answered other first turns.
        let may_be_known = diagnosis.problem.is_silence()
            && (diagnosis.problem != Problem::Silent || by_probe.is_none());
        let mut silences = [Problem::ComputesOn, Problem::StopsAnswering].into_iter();
        let known = silences.find(|&it| may_be_known && self.findings.has(|found| found == it));
        let diagnosis = known.map_or(diagnosis, Problem::into);
        // A surplus line may be seen as late as in the next round.
        let is_surplus = |surplus| {
            surplus == diagnosis.problem
                || diagnosis.problem == Problem::Unasked
                    && surplus_as_answer(trace) == Some(surplus)
        };
        let follows = trace.answers_in_process > 0 && self.surplus.is_some_and(is_surplus);
        let diagnosis = if follows {
            Problem::MoreThanOneLine.into()
        } else {
            self.blame(trial, diagnosis, by_probe, trace)?
        };
        if diagnosis.problem == Problem::MoreThanOneLine && self.surplus.is_none() {
            self.surplus = surplus_as_answer(trace);
            // The next turn may have come before the surplus was seen.
            if let Some(surplus) = self.surplus {
                self.findings.correct(|it| it == surplus, diagnosis.problem);
            }
        }
        let is_first_crash = diagnosis.problem.group() == Group::Crash
            && !self.findings.has(|it| it == diagnosis.problem);
        let when = if is_first_crash { when(&mut self.runner, trial, round, trace)? } else { None };
        let evidence = Occurrence {
            during: during(trial, round, trace),
            sent: trace.sent.iter().map(|line| shown(line)).collect(),
            received: received(&clues, fault, diagnosis.problem),
            stderr: clues.stderr.to_owned(),
            when,
            advice: sandbox_advice(clues.code()).in_a_check,
        };
        self.findings.add(probe, diagnosis.clone(), Some(fault.kind), evidence);
        let is_plain = by_probe.is_none();
        let in_control = is_plain && trial.rules == self.runner.settings.rules[0];
        self.findings.seen_in(&diagnosis, (round, trace), is_plain, in_control);
        Ok(true)
    }

    /// Whether its answers until now named more than one number. What looked like one answer to
    /// all boards was another problem then.
    pub(super) fn compare_answers(&mut self) -> bool {
        let mut numbers = self.runner.answers.iter().filter_map(|answer| answer.number);
        let first = numbers.next();
        let have_varied = numbers.any(|number| Some(number) != first);
        if have_varied {
            self.findings.correct(|it| it == Problem::AlwaysTheSame, Problem::BlindToTheBoard);
        }
        have_varied
    }

    /// What an experiment tells that the fault alone does not.
    fn look_closer(
        &mut self,
        trial: &Trial,
        clues: &FaultClues<'_>,
        diagnosis: Diagnosis,
    ) -> Checked<Diagnosis> {
        let Judge { runner, writes_before_turn, writes_again, .. } = self;
        let Judge { answers_start, why_at_the_end, holds_back, why_silent, why_late, .. } = self;
        let trial = runner.settings.trial(trial.rules);
        let problem = diagnosis.in_protocol();
        let may_be_unasked = matches!(problem.group(), Group::Output | Group::House);
        // An answer to start that is a legal house shifts all later answers by one.
        let (known, with_end) = match clues.trace.answers_in_round {
            0 => (writes_before_turn, true),
            _ => (answers_start, false),
        };
        if may_be_unasked
            && *known
                .get_or_insert_with(|| experiments::writes_before_turn(runner, &trial, with_end))
        {
            return Ok(diagnosis.attributed_to(Problem::Unasked));
        }
        if problem == Problem::AnswersAtTheEnd {
            let length = clues.trace.finished.as_ref().map_or(0, |it| it.stdout.len());
            let why = why_at_the_end
                .get_or_insert_with(|| experiments::why_at_the_end(runner, &trial, length));
            return Ok((*why).into());
        }
        if problem == Problem::Late
            && wrote_at_the_end(clues)
            && *holds_back
                .get_or_insert_with(|| experiments::holds_back(runner, &trial, clues.trace))
        {
            return Ok(Problem::MissingFlush.into());
        }
        // An answer right behind the end of the round may have waited for it.
        let is_behind = clues.trace.late_by.is_some_and(|late_by| late_by < AT_ONCE);
        if problem == Problem::LateAtFirst && is_behind && runner.answers.is_empty() {
            let why =
                why_late.get_or_insert_with(|| experiments::why_late_at_first(runner, &trial));
            return Ok((*why).into());
        }
        if problem == Problem::Silent && runner.answers.is_empty() {
            let why = why_silent.get_or_insert_with(|| experiments::why_silent(runner, &trial));
            return Ok((*why).into());
        }
        if problem.group() != Group::House {
            return Ok(diagnosis);
        }
        // Of answers that come twice every other one is a house that was just emptied.
        if problem.is_empty_house() && diagnosis.behind.is_none() {
            *writes_again = writes_again.or_else(|| experiments::writes_again(runner, &trial));
            if *writes_again == Some(true) {
                return Ok(Problem::MoreThanOneLine.into());
            }
        }
        let choice = match self.choice {
            Some(known) => known,
            None => choice(&mut self.runner, &trial)?,
        };
        // A later probe may have more time for it.
        if !matches!(choice, Choice::Unasked) || !self.runner.is_out_of_time() {
            self.choice = Some(choice);
        }
        Ok(match choice {
            // All that a match begins with gets one answer, but others came, too.
            Choice::Explained(Problem::AlwaysTheSame) if self.compare_answers() => {
                diagnosis.explained_by(Problem::BlindToTheBoard)
            }
            Choice::Explained(problem) => diagnosis.explained_by(problem),
            Choice::Sound | Choice::Unclear | Choice::Unasked => {
                self.unexplained(choice, &trial, clues, diagnosis)?
            }
        })
    }

    /// A wrong choice that the experiments do not explain. What may be one mistake is one finding.
    fn unexplained(
        &mut self,
        choice: Choice,
        trial: &Trial,
        clues: &FaultClues<'_>,
        diagnosis: Diagnosis,
    ) -> Checked<Diagnosis> {
        let findings = &mut self.findings;
        let problem = diagnosis.in_protocol();
        let is_behind = diagnosis.behind.is_some();
        let is_cell = |number| (7..=12).contains(&number);
        if matches!(choice, Choice::Unclear) {
            let is_other = |it: Problem| {
                it == Problem::AnyNumber
                    || it.group() == Group::House && it.is_empty_house() != problem.is_empty_house()
            };
            if findings.has_in_protocol(is_other) {
                findings.correct(|it| it.group() == Group::House, Problem::AnyNumber);
                return Ok(diagnosis.attributed_to(Problem::AnyNumber));
            }
        } else if matches!(choice, Choice::Sound)
            && !is_behind
            && clues.number().is_some_and(is_cell)
            // After a good answer in the same seat it is a stray number, and one may come first, too.
            && clues.trace.answers_in_round == 0
            && !findings.has(|it| it == Problem::NoSuchHouse)
        {
            // It began and plays its own houses, but not as second, say: it does so each time.
            let from_both_seats = trial.clone().short(4);
            if fails(&mut self.runner, &from_both_seats)?.unwrap_or(true) {
                return Ok(Problem::OpponentsCells.into());
            }
        }
        if is_behind {
            return Ok(diagnosis);
        }
        if problem == Problem::EmptyHouse {
            findings.correct(|it| it == Problem::SameAsLast, problem);
        } else if problem == Problem::SameAsLast && findings.has(|it| it == Problem::EmptyHouse) {
            // It may choose the same house again by chance.
            return Ok(Problem::EmptyHouse.into());
        }
        Ok(diagnosis)
    }

    /// What a fault is put down to: to what was found before and has this for a consequence, or
    /// to what the probe adds, where the same trial without that goes well.
    fn blame(
        &mut self,
        trial: &Trial,
        diagnosis: Diagnosis,
        by_probe: Option<Problem>,
        trace: &RoundTrace,
    ) -> Checked<Diagnosis> {
        let problem = diagnosis.problem;
        // Every probe may send it such letters.
        if problem == Problem::CannotDecode {
            return Ok(diagnosis);
        }
        // A bot that takes every message for a turn does so with unknown ones, and may crash.
        if by_probe == Some(Problem::FailsOnUnknownTypes)
            && self.findings.has(|found| found == Problem::Unasked)
        {
            return Ok(Problem::Unasked.into());
        }
        // A bot that exits in mid-round has not played on, and one that is asked nothing in a
        // round goes at its end: it is the same exit, or the same crash, wherever it comes.
        let is_the_same = |known: &Diagnosis| {
            let known_problem = known.problem;
            *known == diagnosis
                || is_slowness(known_problem, problem, by_probe)
                || matches!(problem.group(), Group::Exit | Group::Crash)
                    && known_problem.group() == problem.group()
                || (by_probe.is_some()
                    || known_problem == Problem::ClosesStdout
                    || problem == Problem::ClosesStdout)
                    && known_problem.is_a_departure()
                    && problem.is_a_departure()
        };
        if let Some(known) = self.findings.in_control(is_the_same) {
            return Ok(known.clone());
        }
        // Whether a line too many comes before the next turn or with it is chance.
        let is_chance = |by_probe| {
            let is_surplus = matches!(problem, Problem::Unasked | Problem::MoreThanOneLine);
            let adds_no_message = matches!(
                by_probe,
                Problem::FailsInLaterRounds
                    | Problem::FailsWithATimeBank
                    | Problem::FailsWhenOpponentForfeits
            );
            is_surplus && adds_no_message
        };
        let by_probe = by_probe.filter(|it| problem.group() != Group::Limit && !is_chance(*it));
        let Some(by_probe) = by_probe else { return Ok(diagnosis) };
        if self.findings.has(|found| found == by_probe) {
            return Ok(by_probe.into());
        }
        let plain = trial.plain(&self.runner.settings.limits);
        // Without the time to find out, the probe is the best guess, unless that would make a warning
        // of a fault that may come elsewhere, too. A bot that has answered first turns before and is
        // silent now was silenced by what is new in them.
        let is_new =
            matches!(by_probe, Problem::FailsOnUnknownFields | Problem::FailsOnUnknownTypes);
        let is_silenced = is_new
            && problem == Problem::Silent
            && trace.answers_in_process == 0
            && !self.runner.answers.is_empty();
        let guess = is_silenced || by_probe.row().severity <= problem.row().severity;
        let runner = &mut self.runner;
        // Silence takes long to see again: what is quicker to see comes first.
        let is_due_to_it =
            !fails(runner, &plain)?.unwrap_or(!guess) && fails(runner, trial)?.unwrap_or(guess);
        Ok(if is_due_to_it { by_probe.into() } else { diagnosis })
    }
}

/// Whether a bot that is known to be slow was so again. Its late answer was not always waited for; and
/// what a probe adds does not make it slow.
fn is_slowness(known: Problem, problem: Problem, by_probe: Option<Problem>) -> bool {
    let is_late = |it| matches!(it, Problem::Late | Problem::LateAtFirst);
    is_late(known) && (problem.is_silence() || is_late(problem) && by_probe.is_some())
}

/// What the first surplus line of a round is as an answer; `None` if there was none.
fn surplus_as_answer(trace: &RoundTrace) -> Option<Problem> {
    let line = trace.surplus.split(|byte| *byte == b'\n').next()?;
    let line = Some(line).filter(|_| !trace.surplus.is_empty())?;
    match Reply::parse(line) {
        Ok(_) => Some(Problem::SameAsLast),
        Err(cause) => Problem::known_by(
            |known| matches!(known, Known::Codes(codes) if codes.contains(&cause.code)),
        ),
    }
}

/// What fails in `probe` alone, in a round that differs from those of whole games: one after the second
/// of the trial or of the process.
fn only_in(probe: Probe, round: u32, trace: &RoundTrace) -> Option<Problem> {
    let is_about_rounds = matches!(probe, Probe::Rounds | Probe::Determinism);
    // Rounds after the second are too many in whichever probe they are played.
    let probe = if is_about_rounds { Probe::Rounds } else { probe };
    let problem = Problem::known_by(|known| matches!(known, Known::OnlyIn(it) if *it == probe));
    problem.filter(|_| !is_about_rounds || round.max(trace.rounds_in_process) > 2)
}
