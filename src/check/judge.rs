//! From a fault in a trial to a finding: what explains it, by experiments where the fault alone
//! does not tell, and whether the probe brought it about.

use crate::report::{Probe, in_ms, rules_in_words};
use std::time::Duration;

use super::clues::{FaultClues, Last, RoundTrace, Trace, number};
use super::diagnosis::{Diagnosis, diagnose, meant_house, numbering};
use super::findings::{Findings, Occurrence, When};
use super::flush::flush_advice;
use super::positions::one_house;
use super::problem_row::{Group, Known};
use super::runner::Runner;
use super::table::Problem;
use super::trial::{BOT, Trial};
use crate::bot::BotCommand;
use crate::protocol::{Cause, CauseCode};
use crate::record::{FaultRecord, RoundRecord};
use crate::referee::{Fault, MatchError, Misconduct, Moves, Trouble, conclude, end_message};
use crate::rules::Game;
use crate::text::{printable, quoted};

/// How long a bot that is asked nothing is listened to.
const LISTENING: Duration = Duration::from_secs(2);

/// Turns that are sent at once: their answers are more than the 8 KiB that most languages keep.
const TURNS_AT_ONCE: usize = 20_000;

/// How long an answer to these is waited for.
const FLUSH_WAIT: Duration = Duration::from_secs(3);

/// Beside every fix where the sandbox may be behind the fault.
const OF_THE_SANDBOX: &str = " The sandbox may have refused it something: --allow-read PATH opens a \
                              file or folder to it, --allow-write PATH one to write to, and \
                              nothing opens the network. Without --sandbox you see whether it was \
                              that.";

/// Judges the faults of a bot, and remembers what experiments told.
#[derive(Debug, Default)]
pub(super) struct Judge {
    pub(super) findings: Findings,
    /// The numbers that it answered where only one house is legal.
    numbers: Option<Vec<Option<i64>>>,
    speaks_unasked: Option<bool>,
    why_at_the_end: Option<Problem>,
    /// The number that it answered first, and whether it answered another one since.
    first_number: Option<i64>,
    has_varied: bool,
}

/// A fault and where it was committed.
#[derive(Clone, Copy)]
pub(super) struct Committed<'a> {
    pub(super) probe: Probe,
    pub(super) trial: &'a Trial,
    pub(super) round: &'a RoundRecord,
    pub(super) fault: &'a FaultRecord,
    pub(super) trace: &'a RoundTrace,
}

impl Judge {
    pub(super) fn new(bot: &BotCommand) -> Judge {
        let findings = Findings::new(flush_advice(bot.words()));
        Judge { findings, ..Judge::default() }
    }

    /// Makes a fault a finding; returns false where it was the machine that was late.
    pub(super) fn judge(
        &mut self,
        runner: &mut Runner<'_>,
        committed: Committed<'_>,
    ) -> Result<bool, MatchError> {
        let Committed { probe, trial, round, fault, trace } = committed;
        let line = match &trace.last {
            Some(Last::Answered(line)) => &**line,
            _ => b"",
        };
        let clues = FaultClues::new(fault.cause.as_deref(), line, &fault.stderr, trace);
        let Some((clues, diagnosis)) = clues.and_then(|clues| {
            let diagnosis = diagnose(&clues)?;
            Some((clues, diagnosis))
        }) else {
            return Ok(false);
        };
        let diagnosis = self.look_closer(runner, trial, &clues, diagnosis)?;
        let by_probe = only_in(probe, trace);
        let diagnosis = self.blame(runner, trial, diagnosis, by_probe)?;
        let is_first_crash = diagnosis.problem.group() == Group::Crash
            && !self.findings.has(|it| it == diagnosis.problem);
        let when = if is_first_crash { when(runner, trial, round, trace)? } else { None };
        let evidence = Occurrence {
            during: during(trial, round, trace),
            sent: trace.sent.iter().map(|line| shown(line)).collect(),
            received: received(&clues, fault, diagnosis.problem),
            stderr: clues.stderr.to_owned(),
            when,
            advice: if matches!(clues.code(), CauseCode::Sandbox | CauseCode::NoNetwork) {
                OF_THE_SANDBOX
            } else {
                ""
            },
        };
        self.findings.add(probe, diagnosis.clone(), Some(fault.kind), evidence);
        let in_control = by_probe.is_none() && trial.rules == runner.settings.rules[0];
        self.findings.seen_in(&diagnosis, round, in_control);
        Ok(true)
    }

    /// Compares the numbers that a trial's answers named with those before.
    pub(super) fn compare_answers(&mut self, trace: &Trace) {
        if let Some(number) = trace.first_line.as_deref().and_then(number) {
            let first = *self.first_number.get_or_insert(number);
            self.has_varied |= trace.have_varied || number != first;
        }
        if self.has_varied {
            self.findings.correct(Problem::AlwaysTheSame, same_answer(true));
        }
    }

    /// What an experiment tells that the fault alone does not.
    fn look_closer(
        &mut self,
        runner: &mut Runner<'_>,
        trial: &Trial,
        clues: &FaultClues<'_>,
        diagnosis: Diagnosis,
    ) -> Result<Diagnosis, MatchError> {
        let problem = diagnosis.problem;
        let may_be_unasked = matches!(problem.group(), Group::Output | Group::House);
        if may_be_unasked && clues.trace.answers_in_round == 0 && self.speaks_unasked(runner, trial)
        {
            return Ok(Problem::Unasked.into());
        }
        if problem == Problem::AnswersAtTheEnd {
            return Ok(self.why_at_the_end(runner, trial).into());
        }
        if problem.group() != Group::House {
            return Ok(diagnosis);
        }
        if let Some(numbering) = self.numbering(runner, trial)? {
            let is_one_answer = numbering == Problem::AlwaysTheSame;
            let problem = if is_one_answer { same_answer(self.has_varied) } else { numbering };
            return Ok(problem.into());
        }
        // Of a bot that began and plays its own houses, but not as second, say.
        let is_an_opponents_cell = clues.number().is_some_and(|number| (7..=12).contains(&number));
        Ok(if is_an_opponents_cell { Problem::OpponentsCells.into() } else { diagnosis })
    }

    /// How it numbers its houses, asked where only one is legal.
    fn numbering(
        &mut self,
        runner: &mut Runner<'_>,
        trial: &Trial,
    ) -> Result<Option<Problem>, MatchError> {
        if let Some(numbers) = &self.numbers {
            return Ok(numbering(numbers));
        }
        let mut numbers = Vec::new();
        for opening in one_house(&trial.rules) {
            let settings = runner.settings;
            let trial = settings.trial(trial.rules).rounds(1).short(1);
            let mut played = runner.play(&Trial { opening, ..trial })?;
            runner.end(&mut played.bot);
            let Some(line) = played.trace.first_line else { break };
            numbers.push(number(&line));
        }
        let found = numbering(&numbers);
        self.numbers = Some(numbers);
        Ok(found)
    }

    /// Whether it writes to stdout in a round in which it is asked nothing.
    fn speaks_unasked(&mut self, runner: &Runner<'_>, trial: &Trial) -> bool {
        if let Some(known) = self.speaks_unasked {
            return known;
        }
        let settings = runner.settings;
        let trial = settings.trial(trial.rules);
        let (mut bot, _) = runner.begin_round(&trial);
        let game = Game::new(trial.rules, trial.opening, trial.limits.max_moves);
        let gone = Fault::start_failed("the opponent is gone");
        let fault = Some((!BOT, gone, String::new()));
        bot.send(&end_message(&conclude(&game, 1, BOT, Moves::default(), fault), BOT));
        let finished =
            bot.finish(settings.limits.time.start_time.min(LISTENING), runner.interrupt());
        let speaks = finished.is_some_and(|finished| !finished.stdout.is_empty());
        self.speaks_unasked = Some(speaks);
        speaks
    }

    /// Why it answers at the end of its input only. Sent many turns at once, a bot that has read
    /// them fills its buffer with answers, and some come out: a flush is missing. A bot that waits
    /// for the end of its input writes nothing.
    fn why_at_the_end(&mut self, runner: &Runner<'_>, trial: &Trial) -> Problem {
        if let Some(known) = self.why_at_the_end {
            return known;
        }
        let settings = runner.settings;
        let trial = settings.trial(trial.rules);
        let (mut bot, mut round) = runner.begin_round(&trial);
        let setup = runner.setup(&trial);
        let mut game = Game::new(setup.rules, setup.opening, setup.terms.max_moves);
        let mut why = Problem::AnswersAtTheEnd;
        let _ = round.take_turn(&setup, &mut game, |question, _| {
            let turns = question.to_line().repeat(TURNS_AT_ONCE);
            let answer = bot.ask_line(&turns, FLUSH_WAIT, None, runner.interrupt());
            why = match &answer {
                Ok(_) => Problem::MissingFlush,
                Err(Trouble::Misconduct(Misconduct::Silent { partial, .. })) => {
                    if partial.is_empty() { Problem::WaitsForTheEnd } else { Problem::MissingFlush }
                }
                Err(_) => why,
            };
            answer
        });
        self.why_at_the_end = Some(why);
        why
    }

    /// What a fault is put down to: to what was found before and has this for a consequence, or
    /// to what the probe adds, where the same trial without that goes well.
    fn blame(
        &self,
        runner: &mut Runner<'_>,
        trial: &Trial,
        diagnosis: Diagnosis,
        by_probe: Option<Problem>,
    ) -> Result<Diagnosis, MatchError> {
        let problem = diagnosis.problem;
        // A bot that exits in mid-round has not played on, and one that is asked nothing in a
        // round goes at its end: it is the same exit, or the same crash, wherever it comes.
        let is_the_same = |known: &Diagnosis| {
            let known_problem = known.problem;
            *known == diagnosis
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
        let by_probe = by_probe.filter(|_| problem.group() != Group::Limit);
        let Some(by_probe) = by_probe else { return Ok(diagnosis) };
        if self.findings.has(|found| found == by_probe) {
            return Ok(by_probe.into());
        }
        let plain = trial.plain(&runner.settings.limits);
        // Without the time to find out, the probe is the best guess.
        let is_due_to_it =
            fails(runner, trial)?.unwrap_or(true) && !fails(runner, &plain)?.unwrap_or(false);
        Ok(if is_due_to_it { by_probe.into() } else { diagnosis })
    }
}

/// One answer to all boards, or to all that a match begins with if it gave others, too.
const fn same_answer(others: bool) -> Problem {
    if others { Problem::BlindToTheBoard } else { Problem::AlwaysTheSame }
}

/// What fails in this probe alone, in a round that differs from those of whole games. A process
/// that began with the round is not at its third.
fn only_in(probe: Probe, trace: &RoundTrace) -> Option<Problem> {
    let is_about_rounds = matches!(probe, Probe::Rounds | Probe::Determinism);
    // Rounds after the second are too many in whichever probe they are played.
    let probe = if is_about_rounds { Probe::Rounds } else { probe };
    let problem = Problem::known_by(|known| matches!(known, Known::OnlyIn(it) if *it == probe));
    problem.filter(|_| !is_about_rounds || trace.rounds_in_process > 2)
}

/// Whether a fault of the bot ends a round of this trial; `None` if there was no time to see.
fn fails(runner: &mut Runner<'_>, trial: &Trial) -> Result<Option<bool>, MatchError> {
    let mut played = runner.play(trial)?;
    runner.end(&mut played.bot);
    let fails = played.rounds.iter().any(|round| fault_of_bot(round).is_some());
    Ok((fails || played.broken_off.is_none()).then_some(fails))
}

/// The bot's fault that ended a round, if one did.
pub(super) fn fault_of_bot(round: &RoundRecord) -> Option<&FaultRecord> {
    round.result.fault.as_ref().filter(|fault| fault.bot == BOT)
}

/// When a bot crashes that did so in this round first.
fn when(
    runner: &mut Runner<'_>,
    trial: &Trial,
    round: &RoundRecord,
    trace: &RoundTrace,
) -> Result<Option<When>, MatchError> {
    if trace.answers_in_process == 0 && round.round == 1 {
        return Ok(leaves_at_start(runner, trial).then_some(When::AtTheStart));
    }
    if round.round == 1 {
        return Ok(None);
    }
    // The second round is the first that its opponent begins.
    let as_second = Trial { first: !BOT, ..trial.clone().rounds(1) };
    let is_as_second = round.first != BOT && fails(runner, &as_second)? == Some(true);
    Ok(Some(if is_as_second { When::AsSecond } else { When::InLaterRounds }))
}

/// Whether it leaves when its first round begins, before it is asked.
fn leaves_at_start(runner: &Runner<'_>, trial: &Trial) -> bool {
    let (mut bot, _) = runner.begin_round(trial);
    let grace = runner.settings.limits.time.start_time.min(LISTENING);
    let heard = bot.ask_line(b"", grace, None, runner.interrupt());
    matches!(heard, Err(Trouble::Misconduct(Misconduct::Exited { .. })))
}

/// Where a fault was committed.
fn during(trial: &Trial, round: &RoundRecord, trace: &RoundTrace) -> String {
    let rules = rules_in_words(&trial.rules);
    let seat = if round.first == BOT { "starter" } else { "second" };
    let (level, number, turn) = (trial.level, round.round, trace.answers_in_round + 1);
    format!("{rules} against {level}, round {number} as {seat}, its turn {turn}")
}

/// What was received, in the words of the author's own numbers where those are known.
fn received(clues: &FaultClues<'_>, fault: &FaultRecord, problem: Problem) -> String {
    let mut received = printable(&fault.detail);
    if clues.code() == CauseCode::NeverAnswered {
        // What the referee can only guess was looked into.
        received = Cause { code: CauseCode::NoAnswer, ..(*clues.cause).clone() }.in_words("");
    }
    if let Some(number) = clues.number()
        && let Some(house) = meant_house(problem, number)
    {
        received += &format!("; its author means house {house}");
    }
    if let Some(late_by) = clues.trace.late_by {
        received += &format!("; an answer came {} later", in_ms(late_by));
    }
    let finished = clues.trace.finished.as_ref();
    if let Some(finished) = finished {
        let written =
            if finished.stdout.is_empty() { "nothing" } else { &quoted(&finished.stdout) };
        received += &format!("; when its input ended it wrote {written}");
    }
    if let Some(ended) = &clues.trace.ended {
        if let Some(code) = ended.exit_code {
            received += &format!("; it then exited with code {code}");
        } else if let Some(signal) = ended.signal {
            received += &format!("; it was then ended by signal {signal}");
        }
    }
    received
}

/// A line that was sent, without its newline.
pub(super) fn shown(line: &[u8]) -> String {
    printable(&String::from_utf8_lossy(line.trim_ascii_end()))
}
