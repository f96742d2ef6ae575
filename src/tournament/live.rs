//! How far a tournament is, on stderr: a bar on a terminal, a line now and then elsewhere.

use std::io::{self, IsTerminal, Write};
use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

use super::happening::{End, Happening};
use super::ledger::Ledger;
use crate::contest::Plan;
use crate::text::printable;

/// How long after the last line the next one comes, where there is no terminal.
const BETWEEN_LINES: Duration = Duration::from_secs(30);

/// Shows how far a tournament is. It never waits for who reads it.
pub struct Live<'a> {
    plan: &'a Plan,
    bar: Option<ProgressBar>,
    is_quiet: bool,
    /// Whether there is a file of the user's to go on from.
    is_recorded: bool,
    began: Instant,
    /// Matches that were in the file before.
    before: u64,
    told: Instant,
}

impl<'a> Live<'a> {
    /// A view of this plan's tournament; a quiet one says only what needs attention.
    #[must_use]
    pub fn new(plan: &'a Plan, is_quiet: bool, is_recorded: bool) -> Live<'a> {
        let bar = (!is_quiet && io::stderr().is_terminal()).then(|| {
            let style = ProgressStyle::with_template("{bar:24} {pos}/{len} matches{msg}");
            let bar = ProgressBar::with_draw_target(None, ProgressDrawTarget::stderr_with_hz(4));
            bar.set_style(style.unwrap_or_else(|_| ProgressStyle::default_bar()));
            bar
        });
        let now = Instant::now();
        Live { plan, bar, is_quiet, is_recorded, began: now, before: 0, told: now }
    }

    /// Shows what happens.
    pub fn tell(&mut self, ledger: &Ledger, happening: Happening<'_>) {
        match happening {
            Happening::Began => {
                self.before = ledger.played();
                self.began = Instant::now();
                if let Some(bar) = &self.bar {
                    bar.set_length(ledger.planned());
                    bar.set_position(self.before);
                }
            }
            Happening::MatchEnded { .. } | Happening::Tick => self.draw(ledger),
            Happening::Unfinished { number, why } => {
                self.say(&format!("match {number} stays unfinished: {why}"));
            }
            Happening::Disqualified { bot, why, .. } => {
                let name = printable(&self.plan.bots[bot].name);
                self.say(&format!("bot \"{name}\" is disqualified: {why}"));
            }
            Happening::Untried { bot, why } => {
                let name = printable(&self.plan.bots[bot].name);
                self.say(&format!("bot \"{name}\" plays, and was not tried before: {why}"));
            }
            Happening::WorkerDied { number, again } => {
                let becomes = match (again, self.is_recorded) {
                    (true, _) => "is played again",
                    (false, true) => "is played again at --resume",
                    (false, false) => "has no result",
                };
                self.say(&format!("a worker died; match {number} {becomes}"));
            }
            Happening::Stopping { at_once: true, .. } => {
                self.say(if self.is_recorded {
                    "stopping; running matches are played again at --resume"
                } else {
                    "stopping"
                });
            }
            Happening::Stopping { running: 0, at_once: false } => self.say("stopping"),
            Happening::Stopping { running, at_once: false } => {
                let matches = if running == 1 { "match" } else { "matches" };
                self.say(&format!(
                    "stopping after {running} running {matches}; once more (Ctrl-C) stops at once"
                ));
            }
            Happening::Ended(end) => {
                if let Some(bar) = self.bar.take() {
                    bar.finish_and_clear();
                }
                match end {
                    End::Sprt => self.say("the test has decided"),
                    End::Interrupted if self.is_recorded => self.say(&format!(
                        "{} of {} matches are played; the same command with --resume plays the rest",
                        ledger.played(),
                        ledger.planned()
                    )),
                    _ => {}
                }
            }
            Happening::MatchBegan { .. }
            | Happening::RoundEnded { .. }
            | Happening::Standings(_)
            | Happening::Sandboxed { .. }
            | Happening::Fault { .. } => {}
        }
    }

    /// Whether there is a bar, and room for a table above it.
    #[must_use]
    pub const fn has_bar(&self) -> bool {
        self.bar.is_some()
    }

    /// Shows a table above the bar.
    pub fn show(&self, table: &[u8]) {
        if let Some(bar) = &self.bar {
            bar.suspend(|| {
                // Where nobody reads that, nothing is said.
                let _ = io::stderr().write_all(table);
            });
        }
    }

    fn draw(&mut self, ledger: &Ledger) {
        if let Some(bar) = &self.bar {
            bar.set_position(ledger.played());
            bar.set_message(self.words(ledger));
        } else if !self.is_quiet && self.told.elapsed() >= BETWEEN_LINES {
            self.told = Instant::now();
            let (played, planned) = (ledger.played(), ledger.planned());
            self.say(&format!("{played}/{planned} matches{}", self.words(ledger)));
        }
    }

    /// Rate, time left, faults and leader, as far as they are known.
    fn words(&self, ledger: &Ledger) -> String {
        let mut words = String::new();
        let played = ledger.played().saturating_sub(self.before);
        let left = ledger.planned().saturating_sub(ledger.played());
        let seconds = self.began.elapsed().as_secs_f64();
        if played > 0 && seconds > 0.5 {
            #[expect(clippy::cast_precision_loss, reason = "shown with one digit")]
            let (rate, left) = (played as f64 / seconds, left as f64);
            let left = Duration::try_from_secs_f64((left / rate).ceil()).unwrap_or(Duration::MAX);
            let left = Duration::from_secs(left.as_secs().min(1 << 40));
            words += &format!(", {rate:.1}/s, {} left", humantime::format_duration(left));
        }
        match ledger.faults() {
            0 => {}
            1 => words += ", 1 fault",
            faults => words += &format!(", {faults} faults"),
        }
        if let Some((bot, points)) = ledger.leader() {
            let name = printable(&self.plan.bots[bot].name);
            words += &format!(", {name} leads with {points}");
        }
        words
    }

    /// One line on stderr, above the bar where there is one.
    pub fn say(&self, text: &str) {
        let say = || {
            // Where nobody reads that, nothing is said.
            let _ = writeln!(io::stderr(), "mancala: {text}");
        };
        match &self.bar {
            Some(bar) => bar.suspend(say),
            None => say(),
        }
    }
}
