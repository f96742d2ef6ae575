//! How far a tournament is, on stderr: a bar or a screen on a terminal, a line now and then
//! elsewhere.

use std::cell::RefCell;
use std::collections::BTreeSet;
use std::io::{self, IsTerminal, Write};
use std::path::Path;
use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

use super::event::{Notice, StopReason, TournamentEnd, TournamentEvent};
use super::fault_notices::FaultNotices;
use super::live_screen::LiveScreen;
use super::undecided_test::undecided_in_words;
use crate::contest::Plan;
use crate::record::DisqualifiedFor;
use crate::report::{placement_warning, print_message, sprt_progress};
use crate::standings::{RankBy, SprtVerdict};
use crate::text::{counted, printable, time_left};
use crate::tournament::ledger::{Leader, Ledger};
use crate::tournament::{ResumeMode, retry_advice};

/// The time between two lines without a terminal.
const BETWEEN_LINES: Duration = Duration::from_secs(30);

/// Shows how far a tournament is, without waiting for a slow terminal.
pub(crate) struct Live<'a> {
    plan: &'a Plan,
    /// What the plan's paths are relative to.
    folder: &'a Path,
    bar: Option<ProgressBar>,
    /// In place of the bar.
    screen: RefCell<Option<LiveScreen>>,
    is_quiet: bool,
    /// Whether the table ranks by points, by which alone the leader is known between two tables.
    ranks_by_points: bool,
    /// What this run does with a file of the user's to go on from, if there is one.
    go_on: Option<ResumeMode>,
    is_stopped_by_fault: bool,
    /// When the first match began; `None` while bots are built and tried.
    began: Option<Instant>,
    /// Matches that were in the file before.
    before: u64,
    /// Matches that count or can still count.
    playable: u64,
    fault_notices: FaultNotices,
    /// Bots that left their place, each of which is named once.
    left_its_cores: BTreeSet<String>,
    /// Why a test that has reached a bound has no verdict.
    withheld: Option<String>,
    /// When the last line was printed.
    printed: Instant,
}

impl<'a> Live<'a> {
    /// A view of this plan's tournament, whose table ranks by `rank_by`; with `is_quiet` it prints only
    /// what needs attention, and otherwise redraws one screen if `is_in_place` and stderr is a terminal.
    pub(crate) fn new(
        (plan, folder): (&'a Plan, &'a Path),
        rank_by: RankBy,
        is_quiet: bool,
        go_on: Option<ResumeMode>,
        is_in_place: bool,
    ) -> Live<'a> {
        let screen = if is_in_place && !is_quiet { LiveScreen::on_stderr() } else { None };
        let bar = (!is_quiet && screen.is_none() && io::stderr().is_terminal()).then(|| {
            let style = ProgressStyle::with_template("{bar:10} {wide_msg}");
            let bar = ProgressBar::with_draw_target(None, ProgressDrawTarget::stderr_with_hz(4));
            bar.set_style(style.unwrap_or_else(|_| ProgressStyle::default_bar()));
            bar
        });
        Live {
            plan,
            folder,
            bar,
            screen: RefCell::new(screen),
            is_quiet,
            ranks_by_points: rank_by == RankBy::Points,
            go_on,
            is_stopped_by_fault: false,
            began: None,
            before: 0,
            playable: 0,
            fault_notices: FaultNotices::default(),
            left_its_cores: BTreeSet::new(),
            withheld: None,
            printed: Instant::now(),
        }
    }

    /// Takes in why a test that has reached a bound has no verdict.
    pub(crate) fn set_withheld(&mut self, why: Option<String>) {
        self.withheld = why;
    }

    /// Shows what happens.
    pub(crate) fn show_event(&mut self, ledger: &Ledger, event: &TournamentEvent<'_>) {
        if let Some(screen) = self.screen.get_mut() {
            screen.see(event);
        }
        match *event {
            TournamentEvent::Notice(Notice::Prepared) => {
                self.before = ledger.played();
                self.began = Some(Instant::now());
                let names = self.plan.bots.iter().map(|bot| bot.name.as_str());
                self.fault_notices.start_from(names.zip(ledger.bot_faults()));
                self.set_playable(ledger);
                if let Some(bar) = &self.bar {
                    bar.set_position(ledger.counted());
                }
            }
            TournamentEvent::MatchEnded { .. } | TournamentEvent::Notice(Notice::Tick) => {
                self.draw(ledger);
            }
            TournamentEvent::Unfinished { r#match: number, detail, .. } => {
                self.print(&format!("match {number} stays unfinished: {detail}"));
            }
            TournamentEvent::Disqualified { bot, detail, cause, .. } => {
                let name = printable(bot);
                // A refused bot is mostly corrected first. If it is not, the next run advises.
                let is_advised = self.go_on.is_some() && cause == DisqualifiedFor::DeadWorker;
                let advice = if is_advised { retry_advice(cause) } else { "" };
                self.print(&format!("bot \"{name}\" is disqualified: {detail}{advice}"));
                self.set_playable(ledger);
            }
            TournamentEvent::Notice(Notice::Warning(words)) => self.print(words),
            TournamentEvent::Notice(Notice::LeftItsCores { bot })
                if self.left_its_cores.insert(bot.to_owned()) =>
            {
                self.print(&placement_warning(bot));
            }
            TournamentEvent::Notice(Notice::WorkerDied { number, again }) => {
                let becomes = match (again, self.go_on) {
                    (true, _) => "is played again".to_owned(),
                    (false, Some(mode)) => format!("is played again at {}", mode.option_on_again()),
                    (false, None) => "has no result".to_owned(),
                };
                self.print(&format!("a worker died; match {number} {becomes}"));
            }
            TournamentEvent::Notice(Notice::BotChanged { bot, file, effect, .. }) => {
                let (bot, file) = (printable(bot), printable(file));
                self.print(&format!("{file} of bot \"{bot}\" has changed; {effect}"));
            }
            TournamentEvent::Notice(Notice::Stopping { running, why }) => {
                self.is_stopped_by_fault |= why == StopReason::Fault;
                self.print(&self.stopping_in_words(running, why));
            }
            TournamentEvent::TournamentEnded { reason, .. } => {
                if let Some(bar) = self.bar.take() {
                    bar.finish_and_clear();
                }
                // It prints its messages when it is dropped.
                drop(self.screen.take());
                match reason {
                    TournamentEnd::Sprt => self.print(&self.bound_in_words(ledger)),
                    TournamentEnd::Interrupted if self.go_on.is_some() => {
                        self.print(&self.interrupted_in_words(ledger));
                    }
                    TournamentEnd::Completed | TournamentEnd::Failed
                        if ledger.sprt.as_ref().is_some()
                            && (reason == TournamentEnd::Completed || ledger.leaves_matches()) =>
                    {
                        let (folder, is_recorded) = (self.folder, self.go_on.is_some());
                        self.print(&undecided_in_words(self.plan, folder, ledger, is_recorded));
                    }
                    _ => {}
                }
            }
            TournamentEvent::Fault { .. } => {
                if let Some(notice) = self.fault_notices.count(event) {
                    match self.screen.get_mut() {
                        Some(screen) => screen.add_for_the_end(&notice),
                        None => self.print(&notice),
                    }
                }
            }
            _ => {}
        }
    }

    /// Whether there is room for a table: above a bar, or on the screen.
    pub(crate) fn has_table(&self) -> bool {
        self.bar.is_some() || self.is_in_place()
    }

    /// Whether one screen is redrawn in place.
    pub(crate) fn is_in_place(&self) -> bool {
        self.screen.borrow().is_some()
    }

    /// Shows a table, which counts `matches`, above the bar, or on the screen.
    pub(crate) fn show(&self, table: &[u8], matches: u64) {
        if let Some(screen) = &mut *self.screen.borrow_mut() {
            screen.set_table(table, matches);
        }
        if let Some(bar) = &self.bar {
            bar.suspend(|| {
                // Ignores a closed stderr.
                let _ = io::stderr().write_all(&[b"So far:\n", table].concat());
            });
        }
    }

    fn set_playable(&mut self, ledger: &Ledger) {
        self.playable = ledger.playable();
        if let Some(bar) = &self.bar {
            bar.set_length(self.playable);
        }
    }

    fn draw(&mut self, ledger: &Ledger) {
        if let Some(screen) = &mut *self.screen.borrow_mut() {
            let progress = [true, false].map(|has_speed| self.progress(ledger, has_speed));
            screen.set_progress(progress, ledger.counted());
        } else if let Some(bar) = &self.bar {
            if self.began.is_some() {
                bar.set_position(ledger.counted());
            }
            bar.set_message(self.progress(ledger, true));
        } else if !self.is_quiet && self.printed.elapsed() >= BETWEEN_LINES {
            self.printed = Instant::now();
            self.print(&self.progress(ledger, true));
        }
    }

    /// How far it is; from the first match on with rate and time left if `has_speed`, faults, and
    /// leader or test, as far as they are known.
    fn progress(&self, ledger: &Ledger, has_speed: bool) -> String {
        let Some(began) = self.began else { return "building and trying bots".to_owned() };
        let mut words = format!("{}/{} matches", ledger.counted(), self.playable);
        let played = ledger.played().saturating_sub(self.before);
        let left = self.playable.saturating_sub(ledger.counted());
        let spent = began.elapsed();
        if has_speed && played > 0 && spent.as_secs_f64() > 0.5 {
            let rate = played as f64 / spent.as_secs_f64();
            words += &format!(", {rate:.1}/s, {}", time_left(spent, played, left));
        }
        if ledger.faults() > 0 {
            words += &format!(", {}", counted(ledger.faults(), "fault", "faults"));
        }
        if let Some(sprt) = ledger.sprt.as_ref() {
            words += &format!(", {}", sprt_progress(sprt));
        } else if self.ranks_by_points
            && let Some(Leader { bot, points, of, tied }) = ledger.leader()
        {
            let name = printable(&self.plan.bots[bot].name);
            let of = of.map(|played| format!(" of {played}")).unwrap_or_default();
            words += &match tied {
                1 => format!(", {name} leads with {points}{of}"),
                // Their shares may be of different numbers of matches.
                _ => format!(", {tied} bots lead"),
            };
        }
        words
    }

    /// Which bound the test has reached, and why there is no verdict, if that is so.
    fn bound_in_words(&self, ledger: &Ledger) -> String {
        let words = "the test has reached a bound";
        let decided = ledger.sprt.as_ref().and_then(|sprt| Some((sprt.terms(), sprt.decided()?.1)));
        let (Some((terms, verdict)), [first, second, ..]) = (decided, &self.plan.bots[..]) else {
            return words.to_owned();
        };
        let elo = match verdict {
            SprtVerdict::Accept => format!("elo1={}", terms.elo1()),
            SprtVerdict::Reject => format!("elo0={}", terms.elo0()),
        };
        let [first, second] = [first, second].map(|bot| printable(&bot.name));
        let withheld = self.withheld.as_deref().map(|why| format!("; no verdict: {why}"));
        let withheld = withheld.unwrap_or_default();
        format!("{words}, that of {elo} for {first} against {second}{withheld}")
    }

    /// How many matches are played of a tournament that was stopped, and how the rest can be.
    fn interrupted_in_words(&self, ledger: &Ledger) -> String {
        let (played, all) = (ledger.counted(), ledger.playable());
        let without = if self.is_stopped_by_fault { "without --stop-on-fault, " } else { "" };
        let is_update = self.is_stopped_by_fault && ledger.can_be_updated();
        let update = if is_update { "; after the bot is fixed, --update does" } else { "" };
        let command = self.go_on.unwrap_or(ResumeMode::No).on_again();
        let are = if played == 1 { "is" } else { "are" };
        format!("{played} of {all} matches {are} played; {without}{command} plays the rest{update}")
    }

    fn stopping_in_words(&self, running: usize, why: StopReason) -> String {
        let after = match running as u64 {
            0 => String::new(),
            running => format!(" after {}", counted(running, "running match", "running matches")),
        };
        let later = self.go_on.map(ResumeMode::option_on_again);
        match why {
            StopReason::Fault => format!("stopping at the first fault (--stop-on-fault){after}"),
            StopReason::Interrupt if running > 0 => {
                format!("stopping{after}; once more (Ctrl-C) stops at once")
            }
            StopReason::Interrupt => "stopping".to_owned(),
            StopReason::InterruptAtOnce => later.map_or("stopping".to_owned(), |option| {
                format!("stopping; running matches are played again at {option}")
            }),
        }
    }

    /// Prints a message on stderr, above the bar or on the screen if there is one.
    pub(crate) fn print(&self, text: &str) {
        if let Some(screen) = &mut *self.screen.borrow_mut() {
            screen.add_message(text);
            return;
        }
        match &self.bar {
            Some(bar) => bar.suspend(|| print_message(text)),
            None => print_message(text),
        }
    }
}

#[cfg(test)]
mod tests;
