//! What a tournament's file holds already, counted line by line.

use std::collections::BTreeSet;
use std::io;
use std::num::NonZeroU64;

use super::journal::{JournalLine, JournalWriter, NoteContent};
use super::ledger::Ledger;
use crate::contest::{Plan, Schedule};
use crate::record::{Digest, DisqualifiedFor, NoteKind, Shard};

/// Why bots are disqualified that may be tried again: something else than the bot may be to blame.
const RETRIED: [DisqualifiedFor; 3] =
    [DisqualifiedFor::DeadWorker, DisqualifiedFor::NotBuilt, DisqualifiedFor::Refused];

/// The option that tries a bot again which is disqualified for this reason; empty if there is none.
pub(crate) fn retry_advice(cause: DisqualifiedFor) -> &'static str {
    if RETRIED.contains(&cause) {
        "; --retry-disqualified with --resume or --update tries it again"
    } else {
        ""
    }
}

/// What the file holds already.
pub(crate) struct ResumedState {
    /// What has happened by these lines.
    pub ledger: Ledger,
    /// The identity of its plan.
    id: Digest,
    /// Bots that were disqualified by their faults before an update.
    out_before_update: BTreeSet<usize>,
}

impl ResumedState {
    /// The state of this plan's part `shard` before the first line.
    pub(crate) fn new(plan: &Plan, schedule: Schedule, shard: Shard) -> ResumedState {
        let ledger = Ledger::new(plan, schedule, shard);
        ResumedState { ledger, id: plan.id(), out_before_update: BTreeSet::new() }
    }

    /// Counts a line.
    pub(crate) fn add(&mut self, entry: JournalLine<'_>) {
        match entry {
            JournalLine::Match(bots, number, summary) => {
                self.ledger.add(bots, number, &summary);
            }
            JournalLine::Note(Some(bot), note) if note.note == NoteKind::Disqualified => {
                // Before an update matches had other numbers.
                let number = note.number.filter(|_| note.tournament == self.id);
                let why = (&*note.detail, note.disqualified_for());
                self.ledger.disqualify(bot, why, number.map(NonZeroU64::get));
            }
            JournalLine::Note(Some(bot), note) if note.note == NoteKind::Reinstated => {
                self.ledger.reinstate(bot);
                self.out_before_update.remove(&bot);
            }
            JournalLine::Update => self.remember_who_is_out(),
            // An unfinished match is played again, and a bye follows from the results.
            JournalLine::Note(..) => {}
        }
    }

    /// Counts anew the faults of bots that were disqualified by theirs before an update, of which the
    /// last one may be this run's: matches with bots that are gone do not count. What comes of that is
    /// noted in the file. Returns the bots that play again, with why they were disqualified.
    ///
    /// # Errors
    ///
    /// When it cannot be written.
    pub(crate) fn count_faults_anew(
        &mut self,
        plan: &Plan,
        journal: &mut dyn JournalWriter,
        is_updated: bool,
    ) -> io::Result<Vec<(usize, String)>> {
        let (again, out) = self.recount(is_updated);
        for (bot, why) in &again {
            journal.write_note(plan, NoteContent::about(NoteKind::Reinstated, *bot, why))?;
        }
        for (bot, number) in out {
            let why = self.ledger.disqualified(bot).unwrap_or_default();
            let note = NoteContent::about(NoteKind::Disqualified, bot, why);
            let (number, cause) = (Some(number), Some(DisqualifiedFor::Faults));
            journal.write_note(plan, NoteContent { number, cause, ..note })?;
        }
        Ok(again)
    }

    /// Counts these faults anew, and notes nothing. Returns the bots that play again, and those that are
    /// disqualified now with the matches that they are by.
    pub(crate) fn recount(&mut self, is_updated: bool) -> (Vec<BotAndReason>, Vec<(usize, u64)>) {
        if is_updated {
            self.remember_who_is_out();
        }
        let before = std::mem::take(&mut self.out_before_update);
        let mut again = reinstate(&mut self.ledger, before.iter().copied());
        let mut out = if again.is_empty() { Vec::new() } else { self.ledger.disqualify_faulty() };
        out.retain(|(bot, _)| !before.contains(bot));
        again.retain(|(bot, _)| self.ledger.disqualified(*bot).is_none());
        (again, out)
    }

    /// The bots that are disqualified and may be tried again, those that cannot be run left out.
    pub(crate) fn retried(&self) -> BTreeSet<usize> {
        let out = RETRIED.into_iter().flat_map(|cause| self.ledger.disqualified_by(cause));
        out.filter(|bot| !self.ledger.is_stopped(*bot)).collect()
    }

    /// Lets these bots play again. Returns them with why they were disqualified.
    pub(crate) fn retry_disqualified(&mut self) -> Vec<(usize, String)> {
        let out = self.retried();
        reinstate(&mut self.ledger, out)
    }

    fn remember_who_is_out(&mut self) {
        self.out_before_update = self.ledger.disqualified_by(DisqualifiedFor::Faults).collect();
    }
}

/// A bot, and why it was disqualified.
type BotAndReason = (usize, String);

fn reinstate(ledger: &mut Ledger, bots: impl IntoIterator<Item = usize>) -> Vec<(usize, String)> {
    let again = |bot| {
        let why = ledger.disqualified(bot).unwrap_or_default().to_owned();
        ledger.reinstate(bot);
        (bot, why)
    };
    bots.into_iter().map(again).collect()
}
