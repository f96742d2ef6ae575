//! The course that a bot runs through: its trials are played here, judged, and counted.

use std::time::{Duration, Instant};

use super::Plan;
use super::diagnosis::Diagnosis;
use super::experiments::Known;
use super::findings::{Evidence, Findings};
use super::numbering::{self, Numbering};
use super::pairing::{BOT, Given, Notes, Pairing};
use super::report::{Note, Probe, ProbeReport, ProbeResult};
use super::sparring::Sparring;
use super::trial::Trial;
use crate::bot::{Bot, Interrupt};
use crate::protocol::FaultKind;
use crate::record::{BotRecord, MatchRecord, milliseconds};
use crate::referee::{Event, MatchError, MatchSetup, play_match};
use crate::seat::PerSeat;
use crate::session::Session;
use crate::text::{printable, quoted};

/// A probe ends when it has met the same fault so often.
const SAME_FAULT: u32 = 3;

/// A bot that kept silent for so long in all is not asked again.
const SILENCE: Duration = Duration::from_secs(15);

/// What a bot that kept silent is granted for a start, instead of all that the limits grant.
pub(super) const NEXT_START: Duration = Duration::from_secs(2);

/// How far a check has come.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Progress {
    /// What is being tried.
    pub probe: Probe,
    /// Rounds that were begun in it.
    pub rounds: u32,
    /// Findings until now.
    pub findings: usize,
}

/// A bot's way through the check.
pub(super) struct Course<'a> {
    pub(super) plan: &'a Plan,
    pub(super) findings: Findings,
    pub(super) notes: Vec<Note>,
    /// All answers that came in time.
    pub(super) answers: Vec<Given>,
    pub(super) began: Instant,
    session: &'a Session,
    tell: &'a mut dyn FnMut(Progress),
    probes: Vec<ProbeReport>,
    silence: Duration,
    has_started: bool,
    /// The number that it answered first, and whether it answered another one since.
    first_number: Option<i64>,
    has_varied: bool,
    /// What experiments told, once they were made.
    pub(super) known: Known,
}

/// A trial that was played.
pub(super) struct Played {
    pub(super) record: MatchRecord,
    /// The bot, which still runs unless its last round was its fault.
    pub(super) bot: Bot,
    pub(super) notes: Notes,
}

impl<'a> Course<'a> {
    pub(super) fn new(
        plan: &'a Plan,
        session: &'a Session,
        tell: &'a mut dyn FnMut(Progress),
    ) -> Course<'a> {
        Course {
            plan,
            findings: Findings::default(),
            notes: Vec::new(),
            answers: Vec::new(),
            began: Instant::now(),
            session,
            tell,
            probes: Vec::new(),
            silence: Duration::ZERO,
            has_started: false,
            first_number: None,
            has_varied: false,
            known: Known::default(),
        }
    }

    /// Begins a probe: what follows is counted there.
    pub(super) fn begin(&mut self, probe: Probe) {
        let result = ProbeResult::Clean;
        self.probes.push(ProbeReport { probe, result, rounds: 0, answers: 0, cut_short: None });
        self.tell_progress();
    }

    /// The probes as they came out.
    pub(super) fn end(&mut self) -> Vec<ProbeReport> {
        let mut probes = std::mem::take(&mut self.probes);
        for report in &mut probes {
            report.result = match report {
                ProbeReport { probe, .. } if self.findings.were_met_in(*probe) => {
                    ProbeResult::Findings
                }
                ProbeReport { cut_short: Some(_), rounds: 0, .. } => ProbeResult::LeftOut,
                _ => ProbeResult::Clean,
            };
        }
        probes
    }

    /// Ends the probe for this reason before it is through.
    pub(super) fn cut_short(&mut self, why: String) {
        if let Some(report) = self.probes.last_mut() {
            report.cut_short.get_or_insert(why);
        }
    }

    pub(super) fn probe(&self) -> Probe {
        self.probes.last().map_or(Probe::Start, |report| report.probe)
    }

    fn tell_progress(&mut self) {
        let rounds = self.probes.last().map_or(0, |report| report.rounds);
        let progress = Progress { probe: self.probe(), rounds, findings: self.findings.count() };
        (self.tell)(progress);
    }

    /// Plays a trial and judges it; none when there is no use in going on with this probe.
    ///
    /// # Errors
    ///
    /// When the bot does not start for the first time, or the check itself cannot go on.
    pub(super) fn play(&mut self, trial: &Trial) -> Result<Option<Played>, MatchError> {
        if let Some(why) = self.why_no_more() {
            self.cut_short(why);
            return Ok(None);
        }
        let Some(played) = self.run(trial)? else { return Ok(None) };
        if let Some(report) = self.probes.last_mut() {
            report.rounds += u32::try_from(played.record.rounds.len()).unwrap_or(u32::MAX);
            report.answers += u32::try_from(played.notes.answers.len()).unwrap_or(u32::MAX);
        }
        for round in &played.record.rounds {
            if let Some(fault) = round.result.fault.as_ref().filter(|fault| fault.bot == BOT) {
                self.judge(trial, round, fault, &played.notes)?;
            }
        }
        self.tell_progress();
        Ok(Some(played))
    }

    /// Whether its answers named more than one number.
    pub(super) fn has_varied(&self) -> bool {
        self.has_varied
    }

    /// Takes note of what a match's answers named.
    fn compare_answers(&mut self, notes: &Notes) {
        if let Some(number) = notes.first_line.as_deref().and_then(numbering::number) {
            let first = *self.first_number.get_or_insert(number);
            self.has_varied |= notes.have_varied || number != first;
        }
        if self.has_varied {
            let said = Diagnosis::Numbered(Numbering::AlwaysTheSame);
            self.findings.correct(&said, &Diagnosis::Numbered(Numbering::BlindToTheBoard));
        }
    }

    /// Why there is no use in trying more, if there is none.
    pub(super) fn why_no_more(&self) -> Option<String> {
        if self.silence >= SILENCE {
            let seconds = SILENCE.as_secs();
            return Some(format!("it was waited for in vain for {seconds} s or more in all"));
        }
        if self.findings.has(&Diagnosis::StartsNoMore) {
            return Some("its program does not start any more".to_owned());
        }
        if self.findings.miss_something() && self.answers.is_empty() {
            return Some("its program does not find what it needs".to_owned());
        }
        (self.findings.most_met_in(self.probe()) >= SAME_FAULT)
            .then(|| format!("it was at the same fault {SAME_FAULT} times"))
    }

    /// A bot that does not run yet: the only place that makes one.
    pub(super) fn bot(&self) -> Bot {
        self.session.bot(&self.plan.bot)
    }

    /// Plays a trial without judging it. None when the program has gone meanwhile.
    pub(super) fn run(&mut self, trial: &Trial) -> Result<Option<Played>, MatchError> {
        let mut contest = self.contest(trial);
        if !self.silence.is_zero() && self.answers.is_empty() {
            let start_time = &mut contest.terms.time.start_time;
            *start_time = (*start_time).min(NEXT_START);
        }
        let mut pairing = Pairing {
            bot: self.bot(),
            sparring: Sparring::new(trial.level, trial.seed, trial.forfeits),
            dressing: trial.dressing,
            interrupt: self.interrupt(),
            notes: Notes::default(),
        };
        let mut void = 0;
        let mut emit =
            |event: Event<'_>| void += u32::from(matches!(event, Event::RoundVoid { .. }));
        let record = match play_match(&contest, &mut pairing, &mut emit) {
            Ok(record) => record,
            Err(MatchError::CannotStart { why, .. }) if self.has_started => {
                let during = "a start of its program".to_owned();
                let evidence = Evidence { during, came_back: why, ..Evidence::default() };
                let kind = Some(FaultKind::StartFailed);
                self.findings.add(self.probe(), Diagnosis::StartsNoMore, kind, evidence);
                return Ok(None);
            }
            Err(MatchError::CannotStart { why, .. }) => {
                return Err(MatchError::CannotStart { name: self.plan.bot.name(), why });
            }
            Err(error) => return Err(error),
        };
        self.has_started = true;
        let Pairing { mut bot, mut notes, .. } = pairing;
        self.silence += notes.silence;
        self.answers.extend(notes.answers.iter().cloned());
        self.compare_answers(&notes);
        notes.stderr += &bot.stderr_tail();
        if void > 0 {
            self.note("the machine was late, not the bot, and rounds were played again".to_owned());
        }
        if let Some(line) = notes.stderr.lines().find(|line| !line.trim().is_empty()) {
            let line = quoted(line.as_bytes());
            self.note_once("stderr", format!("it writes to stderr, which is its own: {line}"));
        }
        Ok(Some(Played { record, bot, notes }))
    }

    pub(super) fn contest(&self, trial: &Trial) -> MatchSetup {
        let name = self.plan.bot.name();
        let opponent = trial.level.to_string();
        let opponent = if opponent == name { format!("{opponent}-2") } else { opponent };
        let names = trial
            .names
            .map_or_else(|| PerSeat([name, opponent]), |names| PerSeat(names.0.map(str::to_owned)));
        let bots = PerSeat(names.0.map(|name| BotRecord { name, command: Vec::new() }));
        MatchSetup {
            rules: trial.rules,
            opening: trial.opening,
            terms: trial.limits.clone(),
            bots,
            first: trial.first,
            rounds: trial.rounds,
        }
    }

    pub(super) fn interrupt(&self) -> Option<&'a Interrupt> {
        self.session.interrupt()
    }

    /// Notes something that is nobody's fault, once.
    pub(super) fn note(&mut self, what: String) {
        let note = Note { probe: self.probe(), what };
        if !self.notes.contains(&note) {
            self.notes.push(note);
        }
    }

    /// The same with a word that stands in the note's text; nothing where such a note is there.
    fn note_once(&mut self, word: &str, what: String) {
        if !self.notes.iter().any(|note| note.what.contains(word)) {
            self.note(what);
        }
    }
}

/// A line that was sent, without its newline.
pub(super) fn shown(line: &[u8]) -> String {
    printable(&String::from_utf8_lossy(line.trim_ascii_end()))
}

/// Milliseconds as they are shown.
pub(super) fn in_ms(time: Duration) -> String {
    format!("{:.1} ms", milliseconds(time))
}
