//! What a tournament's file holds already, counted line by line.

use std::collections::HashMap;
use std::num::NonZeroU64;

use super::journal::JournalLine;
use super::ledger::Ledger;
use crate::contest::{PlanFields, Schedule};
use crate::record::{NoteKind, Shard};

/// What the file holds already.
#[derive(Debug)]
pub struct ResumedState {
    places: HashMap<String, usize>,
    /// What has happened by these lines.
    pub ledger: Ledger,
}

impl ResumedState {
    /// The state of this plan's part `shard` before the first line.
    pub fn new(plan: &PlanFields, schedule: Schedule, shard: Shard) -> ResumedState {
        let places = plan.bots.iter().enumerate().map(|(place, bot)| (bot.name.clone(), place));
        let ledger = Ledger::new(plan, schedule, shard);
        ResumedState { places: places.collect(), ledger }
    }

    /// Counts a line.
    pub fn add(&mut self, entry: JournalLine<'_>) {
        match entry {
            JournalLine::Match(bots, number, summary) => {
                self.ledger.add(bots, number, &summary);
            }
            JournalLine::Note(note) if note.note == NoteKind::Disqualified => {
                if let Some(&bot) = note.bot.as_ref().and_then(|name| self.places.get(name)) {
                    let number = note.number.map(NonZeroU64::get);
                    self.ledger.disqualify(bot, &note.detail, number);
                }
            }
            // An unfinished match is played again, and a bye follows from the results.
            JournalLine::Note(_) => {}
        }
    }
}
