//! What comes before the first match: bots are built, then started or checked.

use std::collections::{BTreeMap, BTreeSet, VecDeque};

use super::MOST_DEATHS;
use super::bookkeeping::Bookkeeping;
use super::inputs::{CoordinatorResult, TournamentError, TournamentInputs};
use crate::bot::ReadablePaths;
use crate::record::{DEAD_WORKER, DisqualifiedFor, NOT_BUILT};
use crate::text::{and_listed, printable};
use crate::tournament::workers::wire::BotTrial;
use crate::tournament::{Ledger, Notice, TournamentEvent};

/// Bots that are still to be built or tried, and what came of the others.
#[derive(Default)]
pub(super) struct BotPreparation {
    builds: VecDeque<usize>,
    trials: VecDeque<usize>,
    /// Bots whose workers died at their builds: whose doing that was shows when they are built once
    /// more, alone.
    alone: VecDeque<usize>,
    /// What each bot may read in the sandbox.
    pub(super) reach: BTreeMap<usize, ReadablePaths>,
    /// What the build of each bot has made in this run; the bot's version leaves it out.
    made: BTreeMap<usize, BTreeSet<String>>,
    /// What the last build or check of each bot said that did not succeed.
    pub(super) outputs: BTreeMap<usize, String>,
    /// Bots that may not play.
    pub(super) refused: BTreeSet<usize>,
    /// How many workers died at each bot.
    deaths: BTreeMap<usize, u32>,
    pub(super) is_over: bool,
}

impl BotPreparation {
    pub(super) fn new(inputs: &TournamentInputs<'_>, ledger: &Ledger) -> BotPreparation {
        let bots = 0..inputs.plan.bots.len();
        let playing = |bot: &usize| ledger.plays(*bot);
        let built = |bot: &usize| !inputs.plan.bots[*bot].build.is_empty();
        BotPreparation {
            builds: bots.clone().filter(playing).filter(built).collect(),
            trials: bots.filter(playing).collect(),
            ..BotPreparation::default()
        }
    }

    /// Whether no bot waits to be built or tried.
    pub(super) fn is_empty(&self) -> bool {
        self.builds.is_empty() && self.alone.is_empty() && self.trials.is_empty()
    }

    /// Whether the next one is to be built alone.
    pub(super) fn waits_to_be_alone(&self) -> bool {
        self.builds.is_empty() && !self.alone.is_empty()
    }

    /// The next build, or, as soon as none `is_building`, the next trial.
    pub(super) fn next(
        &mut self,
        books: &Bookkeeping<'_>,
        is_building: bool,
    ) -> Option<(usize, BotTrial)> {
        let Bookkeeping { inputs, ledger, .. } = books;
        if let Some(bot) = self.builds.pop_front() {
            return Some((bot, BotTrial::Build(inputs.build_time)));
        }
        if is_building {
            return None;
        }
        // Nothing else is given until it is built.
        if let Some(bot) = self.alone.pop_front() {
            return Some((bot, BotTrial::Build(inputs.build_time)));
        }
        let mut trials = std::iter::from_fn(|| self.trials.pop_front());
        let bot = trials.find(|bot| ledger.plays(*bot))?;
        // A bot is checked before its first match; this program's own bots need no check.
        let is_own = inputs.plan.bots[bot].is_builtin();
        let is_checked = inputs.plan.check && !is_own && !ledger.has_played(bot);
        Some((bot, if is_checked { BotTrial::Check(inputs.check_time) } else { BotTrial::Start }))
    }

    /// Disqualifies a bot that did not pass its trial.
    pub(super) fn refuse(
        &mut self,
        books: &mut Bookkeeping<'_>,
        bot: usize,
        why: (&str, DisqualifiedFor),
    ) -> CoordinatorResult {
        self.refused.insert(bot);
        books.disqualify(bot, why, None, self.outputs.remove(&bot).as_deref())
    }

    /// Leaves what a bot's build has made out of the bot.
    pub(super) fn leave_out_made(
        &mut self,
        books: &mut Bookkeeping<'_>,
        bot: usize,
        made: BTreeSet<String>,
    ) -> CoordinatorResult {
        self.made.entry(bot).or_default().extend(made.iter().cloned());
        if books.are_notes_written { books.note_made(bot, made) } else { Ok(()) }
    }

    /// What the build of a bot has made in this run.
    pub(super) fn made(&self, bot: usize) -> BTreeSet<String> {
        self.made.get(&bot).cloned().unwrap_or_default()
    }

    /// Has the work of a worker that died done again, up to a bound.
    pub(super) fn worker_died(
        &mut self,
        books: &mut Bookkeeping<'_>,
        bot: usize,
        trial: BotTrial,
    ) -> CoordinatorResult {
        self.outputs.remove(&bot);
        let deaths = self.deaths.entry(bot).or_insert(0);
        *deaths += 1;
        let deaths = *deaths;
        let is_given_up = deaths >= MOST_DEATHS;
        let why = format!("{DEAD_WORKER}, {MOST_DEATHS} times");
        match trial {
            BotTrial::Build(_) if deaths > MOST_DEATHS => {
                let why = format!("{NOT_BUILT}: {why}, and again when it was built alone");
                return self.refuse(books, bot, (&why, DisqualifiedFor::DeadWorker));
            }
            // Another bot may have killed them. Its own matches will show whether it plays.
            BotTrial::Start | BotTrial::Check(_) if is_given_up => {
                let name = printable(books.name(bot));
                let words = format!("bot \"{name}\" plays, and was not tried before: {why}");
                books.notify(&TournamentEvent::Notice(Notice::Warning(&words)));
            }
            trial => self.put_back(bot, trial),
        }
        Ok(())
    }

    /// Has a bot built or tried again.
    pub(super) fn put_back(&mut self, bot: usize, trial: BotTrial) {
        self.outputs.remove(&bot);
        let deaths = self.deaths.get(&bot).copied().unwrap_or(0);
        match trial {
            // Another bot's build may have killed its workers.
            BotTrial::Build(_) if deaths >= MOST_DEATHS => self.alone.push_back(bot),
            BotTrial::Build(_) => self.builds.push_back(bot),
            BotTrial::Start | BotTrial::Check(_) => self.trials.push_back(bot),
        }
    }

    /// Ends the preparation when all bots were built and tried. Those that failed are reported
    /// together.
    pub(super) fn end(&mut self, books: &mut Bookkeeping<'_>) -> CoordinatorResult {
        if std::mem::replace(&mut self.is_over, true) {
            return Ok(());
        }
        let are_notes_new = !std::mem::replace(&mut books.are_notes_written, true);
        // The observers know why.
        if books.inputs.strict && !self.refused.is_empty() {
            let bots = if self.refused.len() == 1 { "bot" } else { "bots" };
            let name = |bot: &usize| format!("\"{}\"", printable(books.name(*bot)));
            let names: Vec<String> = self.refused.iter().map(name).collect();
            let refused = format!("{bots} {}", and_listed(names, usize::MAX));
            return Err(TournamentError::Refused(refused));
        }
        let left = books.inputs.plan.bots.len() - books.ledger.count_disqualified();
        if left < 2 && books.ledger.played() == 0 {
            return Err(TournamentError::TooFew);
        }
        for (bot, made) in self.made.iter().filter(|_| are_notes_new) {
            books.note_made(*bot, made.clone())?;
        }
        if !self.reach.is_empty() {
            books.notify(&TournamentEvent::Notice(Notice::Sandboxed { reach: &self.reach }));
        }
        books.notify(&TournamentEvent::Notice(Notice::Prepared));
        Ok(())
    }
}
