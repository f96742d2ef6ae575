//! Runs a bot through the probes: plays, judges and counts its trials.

use std::time::{Duration, Instant};

use super::experiments::fault_of_bot;
use super::findings::Occurrence;
use super::judge::Judge;
use super::runner::{Played, Runner, TrialAborted};
use super::trial::{BOT, Checked, Trial};
use crate::bot::Bot;
use crate::problems::{CommandAdvice, Group, Problem};
use crate::protocol::FaultKind;
use crate::record::RoundRecord;
use crate::report::{
    AnswerTimes, CheckNote, CheckReport, CutShort, GamesReport, Probe, ProbeReport, ProbeResult,
};
use crate::text::{duration_in_words, quoted};

/// A probe ends when it has seen the same fault so often.
const SAME_FAULT: usize = 3;

/// A bot that gave no answer for this number of seconds in total is not asked again; nor one that
/// was silent for a third of the budget. The one long wait for a late answer does not count.
const SILENCE: u64 = 15;

/// Is given how far a check has come: what is being tried, the rounds that were begun in it, and the
/// findings until now.
pub(crate) type ShowProgress<'a> = &'a mut dyn FnMut(Probe, u32, usize);

/// What a check knows so far.
pub(super) struct Checker<'a> {
    pub(super) judge: Judge<'a>,
    notes: Vec<CheckNote>,
    /// The line of stderr that a note quotes.
    noted_stderr: Option<String>,
    probes: Vec<ProbeReport>,
    /// When this probe began, and the silence until then.
    began: (Instant, Duration),
    show: ShowProgress<'a>,
}

impl<'a> Checker<'a> {
    pub(super) fn new(runner: Runner<'a>, show: ShowProgress<'a>) -> Checker<'a> {
        let (judge, began) = (Judge::new(runner), (Instant::now(), Duration::ZERO));
        let (notes, probes) = (Vec::new(), Vec::new());
        Checker { judge, notes, noted_stderr: None, probes, began, show }
    }

    /// Begins a probe: what follows is counted there.
    pub(super) fn begin(&mut self, probe: Probe) {
        self.began = (Instant::now(), self.judge.runner.silence);
        let result = ProbeResult::Clean;
        self.probes.push(ProbeReport { probe, result, rounds: 0, answers: 0, cut_short: None });
        self.show_progress();
    }

    /// Ends the probe for this reason before it is through.
    pub(super) fn cut_short(&mut self, why: impl Into<CutShort>) {
        if let Some(report) = self.probes.last_mut() {
            report.cut_short.get_or_insert(why.into());
        }
    }

    pub(super) fn probe(&self) -> Probe {
        self.probes.last().map_or(Probe::Start, |report| report.probe)
    }

    fn show_progress(&mut self) {
        let rounds = self.probes.last().map_or(0, |report| report.rounds);
        let (probe, findings) = (self.probe(), self.judge.findings.count());
        (self.show)(probe, rounds, findings);
    }

    /// Plays a trial to its end, judges it, and ends the bot. None when there is no use in going
    /// on with this probe.
    pub(super) fn play(&mut self, trial: &Trial) -> Checked<Option<Vec<RoundRecord>>> {
        let played = self.play_on(trial)?;
        Ok(played.map(|(rounds, mut bot)| {
            self.judge.runner.end(&mut bot);
            rounds
        }))
    }

    /// As [`play`](Checker::play), but the bot is left as it is.
    pub(super) fn play_on(&mut self, trial: &Trial) -> Checked<Option<(Vec<RoundRecord>, Bot)>> {
        if let Some(why) = self.reason_to_stop() {
            self.cut_short(why);
            return Ok(None);
        }
        let played = self.judge.runner.play(trial)?;
        self.take_note(&played);
        let Played { rounds, trace, mut bot, broken_off, .. } = played;
        if let Some(TrialAborted::DoesNotStart(why)) = &broken_off {
            let during = "a start of its program".to_owned();
            let (received, kind) = (why.clone(), Some(FaultKind::StartFailed));
            let evidence = Occurrence { during, received, ..Occurrence::default() };
            let probe = self.probe();
            self.judge.findings.add(probe, Problem::StartsNoMore.into(), kind, evidence);
            return Ok(None);
        }
        for round in &rounds {
            let Some(fault) = fault_of_bot(round) else { continue };
            // Experiments come one process at a time, as matches do.
            self.judge.runner.end(&mut bot);
            let Some(trace) = trace.rounds.get(&round.round) else { continue };
            if !self.judge.judge(self.probe(), trial, (round, fault), trace)? {
                self.note("the machine was late, not the bot, and a round was given up".to_owned());
            }
        }
        self.show_progress();
        if broken_off.is_some() {
            let why = self.out_of_time();
            self.cut_short(why);
            self.judge.runner.end(&mut bot);
            return Ok(None);
        }
        Ok(Some((rounds, bot)))
    }

    /// Counts a trial, and notes what it showed besides faults.
    fn take_note(&mut self, played: &Played) {
        if let Some(report) = self.probes.last_mut() {
            report.rounds += u32::try_from(played.rounds.len()).unwrap_or(u32::MAX);
            report.answers += u32::try_from(played.trace.answers.len()).unwrap_or(u32::MAX);
        }
        let runner = &mut self.judge.runner;
        runner.answers.extend(played.trace.answers.iter().cloned());
        let moves = played.rounds.iter().flat_map(|round| &round.moves);
        runner.moves += moves.filter(|played| played.bot == BOT).count();
        self.judge.compare_answers();
        if played.void > 0 {
            self.note("the machine was late, not the bot, and rounds were played again".to_owned());
        }
        let of_faults = played.rounds.iter().filter_map(fault_of_bot).map(|fault| &*fault.stderr);
        let mut lines = of_faults.chain([&*played.stderr]).flat_map(str::lines);
        if let Some(line) = lines.find(|line| !line.trim().is_empty())
            && self.noted_stderr.is_none()
        {
            self.note(writes_to_stderr(line));
            self.noted_stderr = Some(line.to_owned());
        }
    }

    pub(super) fn out_of_time(&self) -> CutShort {
        let Runner { silence, answers, settings, .. } = &self.judge.runner;
        let is_spent = self.judge.runner.is_budget_spent();
        if silence.as_secs() > 0 && self.was_silent(is_spent) {
            return no_answer_for(silence.as_secs());
        }
        let is_late = |it| matches!(it, Problem::Late | Problem::LateAtFirst);
        let is_late = self.judge.findings.has(is_late);
        let has_answered = !answers.is_empty() || is_late;
        let budget = duration_in_words(settings.budget);
        match (has_answered, is_spent) {
            // It left each time, and took its time for that.
            (false, false) => "it gave no answer".into(),
            (false, true) => {
                format!("it gave no answer, and the budget of {budget} is spent").into()
            }
            (true, _) => {
                let share = if is_spent { "" } else { "its share of " };
                let words = format!("{share}the budget of {budget} is spent (--budget)");
                // Late answers are its own fault.
                CutShort { words, budget_is_spent: !is_late }
            }
        }
    }

    /// Whether silence took the time: that of the whole check where the budget is spent, else this
    /// probe's.
    fn was_silent(&self, is_budget_spent: bool) -> bool {
        let Runner { silence, settings, .. } = &self.judge.runner;
        if is_budget_spent {
            return *silence > settings.budget / 2;
        }
        let has_answered = self.probes.last().is_some_and(|report| report.answers > 0);
        // After a first answer it may have been silent for the rest.
        let (began, before) = self.began;
        silence.saturating_sub(before) > began.elapsed() / 2 || !has_answered
    }

    /// Reason to stop probing, if any.
    pub(super) fn reason_to_stop(&self) -> Option<CutShort> {
        let findings = &self.judge.findings;
        if self.judge.runner.is_budget_spent() {
            return Some(self.out_of_time());
        }
        let enough = self.judge.runner.settings.budget.as_secs().div_ceil(3).clamp(1, SILENCE);
        let Runner { silence, long_wait, .. } = &self.judge.runner;
        if silence.saturating_sub(*long_wait).as_secs() >= enough {
            return Some(no_answer_for(silence.as_secs()));
        }
        if findings.has(|problem| problem == Problem::StartsNoMore) {
            return Some("its program does not start any more".into());
        }
        if findings.has(|problem| problem.group() == Group::Missing)
            && self.judge.runner.answers.is_empty()
        {
            return Some("its program does not find what it needs".into());
        }
        if findings.most_seen_in(self.probe()) >= SAME_FAULT {
            return Some(format!("the same fault was seen {SAME_FAULT} times").into());
        }
        self.judge.runner.is_out_of_time().then(|| self.out_of_time())
    }

    /// Notes something that is not a finding, once.
    pub(super) fn note(&mut self, what: String) {
        let note = CheckNote { probe: self.probe(), what };
        if !self.notes.contains(&note) {
            self.notes.push(note);
        }
    }

    pub(super) fn into_report(self, games: Vec<GamesReport>, times: AnswerTimes) -> CheckReport {
        let Checker { mut probes, mut notes, noted_stderr, judge, .. } = self;
        for report in &mut probes {
            report.result = match report {
                ProbeReport { probe, .. } if judge.findings.most_seen_in(*probe) > 0 => {
                    ProbeResult::Findings
                }
                ProbeReport { cut_short: Some(_), rounds: 0, answers: 0, .. } => {
                    ProbeResult::LeftOut
                }
                ProbeReport { cut_short: Some(_), .. } => ProbeResult::Incomplete,
                _ => ProbeResult::Clean,
            };
        }
        let settings = judge.runner.settings;
        let findings = judge.findings.into_sorted(CommandAdvice::of_bot(&settings.bot));
        // The end of a bot that crashed shows it already.
        let is_shown = |line: &String| {
            let mut crashes = findings.iter().filter(|it| it.kind == Some(FaultKind::Exited));
            crashes.any(|crash| crash.stderr.lines().any(|shown| shown == line))
        };
        if let Some(line) = noted_stderr.filter(is_shown) {
            let shown = writes_to_stderr(&line);
            notes.retain(|note| note.what != shown);
        }
        let report = settings.report(probes, findings);
        CheckReport { games, times, notes, ..report }
    }
}

/// The time is longer than the limits of the turns, for late answers are waited for, too.
fn no_answer_for(seconds: u64) -> CutShort {
    format!("it gave no answer in time; it was waited for {seconds} s in total").into()
}

fn writes_to_stderr(line: &str) -> String {
    format!("it writes to stderr, which a match ignores: {}", quoted(line.as_bytes()))
}
