//! What a tournament's file holds already, counted line by line.

use std::io;
use std::num::NonZeroU64;

use super::journal::{JournalLine, JournalWriter};
use super::ledger::Ledger;
use crate::contest::{Plan, Schedule};
use crate::record::{Digest, DisqualifiedFor, NoteKind, Shard};

/// The option that tries a bot again which is disqualified for this reason; empty if there is none.
pub const fn retry_advice(cause: DisqualifiedFor) -> &'static str {
    match cause {
        DisqualifiedFor::DeadWorker => "; --resume --retry-disqualified tries it again",
        _ => "",
    }
}

/// What the file holds already.
#[derive(Debug)]
pub struct ResumedState {
    /// What has happened by these lines.
    pub ledger: Ledger,
    /// The identity of its plan.
    id: Digest,
}

impl ResumedState {
    /// The state of this plan's part `shard` before the first line.
    pub fn new(plan: &Plan, schedule: Schedule, shard: Shard) -> ResumedState {
        ResumedState { ledger: Ledger::new(plan, schedule, shard), id: plan.id() }
    }

    /// Counts a line.
    pub fn add(&mut self, entry: JournalLine<'_>) {
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
            }
            // An unfinished match is played again, and a bye follows from the results.
            JournalLine::Note(..) => {}
        }
    }

    /// Lets bots play again that were disqualified because a worker died, and notes it in the file.
    /// Returns them with why they were disqualified.
    ///
    /// # Errors
    ///
    /// When it cannot be written.
    pub fn retry_disqualified(
        &mut self,
        plan: &Plan,
        journal: &mut dyn JournalWriter,
    ) -> io::Result<Vec<(usize, String)>> {
        let mut tried = Vec::new();
        for bot in self.ledger.out_by_dead_workers() {
            let why = self.ledger.disqualified(bot).unwrap_or_default().to_owned();
            journal.write_note(plan, NoteKind::Reinstated, None, Some(bot), &why, None)?;
            self.ledger.reinstate(bot);
            tried.push((bot, why));
        }
        Ok(tried)
    }
}
