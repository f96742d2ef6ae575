//! The notes of a file: bots that are disqualified or have no opponent, matches that were given up.

use std::num::NonZeroU64;

use super::CollectedResults;
use crate::record::{Note, NoteKind};
use crate::standings::differences::LinePlace;
use crate::standings::tournament::{Ban, Disqualified};

impl CollectedResults {
    /// Adds a note that stands at this place.
    pub(super) fn add_note(&mut self, mut note: Note, line: LinePlace) {
        let place = self.place_of_note(note.tournament);
        // After an update a match that was given up is played again.
        if note.note == NoteKind::Unfinished && !self.is_in_last_part(place) {
            return;
        }
        let tournament = &mut self.tournaments[place];
        let number = note.number.map(NonZeroU64::get);
        let is_disqualified = note.note == NoteKind::Disqualified;
        if let (Some(bot), true) = (&note.bot, is_disqualified || note.note == NoteKind::Reinstated)
        {
            // What a copy of the file told already changes nothing.
            let read = self.bans_read.entry((place, bot.clone())).or_default();
            *read += 1;
            let ban = tournament.bans.entry((bot.clone(), self.shard)).or_default();
            if *read <= ban.notes {
                return;
            }
            *ban = Ban { notes: *read, is_disqualified };
        }
        let was_called = note.bot.clone();
        if !tournament.concerns(&mut note) {
            return;
        }
        if let (Some(bot), NoteKind::Disqualified | NoteKind::Reinstated) = (&note.bot, note.note) {
            tournament.to_recount.remove(bot);
        }
        match (note.note, number, &note.bot) {
            (NoteKind::Unfinished, Some(number), _) => {
                tournament.unfinished.insert(number, note.detail.clone());
            }
            (NoteKind::Disqualified, _, Some(bot)) => {
                // Before an update matches had other numbers.
                let after = number.filter(|_| note.tournament == tournament.id);
                let after = after.unwrap_or_else(|| tournament.seen.highest());
                // Another part of the schedule may have disqualified it, too, and may be read first.
                let told = Disqualified::by_note(&note);
                let out = tournament.disqualified.entry(bot.clone()).or_insert(told.clone());
                if told.why < out.why {
                    *out = told;
                }
                let known = tournament.out_after.entry(bot.clone()).or_insert(after);
                *known = after.min(*known);
                let number = self.names.number(bot);
                let in_header = was_called.as_ref().and_then(|name| self.versions_read.get(name));
                if let Some(version) = note.version.or(in_header.copied()) {
                    let planned = tournament.plan.iter().flat_map(|plan| &plan.bots);
                    let planned = planned.into_iter().find(|planned| planned.name == *bot);
                    let command = planned.map_or(&[][..], |planned| &planned.command);
                    self.differences.add_disqualified((number, version), command, line);
                }
            }
            // Another part of the schedule may have disqualified it, too.
            (NoteKind::Reinstated, _, Some(bot))
                if was_called.as_ref().is_none_or(|name| !tournament.is_disqualified(name)) =>
            {
                tournament.disqualified.remove(bot);
                tournament.out_after.remove(bot);
            }
            (NoteKind::Bye, number, Some(bot)) => {
                tournament.byes.insert((bot.clone(), number, note.detail.clone()));
                self.names.number(bot);
            }
            // A note that does not say whom it is about changes nothing.
            _ => {}
        }
    }
}
