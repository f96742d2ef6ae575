//! The notes of a file: bots that are disqualified or have no opponent, matches that were given up.

use std::num::NonZeroU64;

use super::CollectedResults;
use crate::record::{Note, NoteKind};
use crate::standings::differences::LinePlace;
use crate::standings::tournament::Disqualification;

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
        // Before an update matches had other numbers.
        let after = number.filter(|_| note.tournament == tournament.id);
        let highest = self.highest_read.get(&place).copied();
        let after = after.unwrap_or(highest.unwrap_or_default());
        let told = Disqualification::by_note(&note);
        if let (Some(bot), NoteKind::Disqualified | NoteKind::Reinstated) = (&note.bot, note.note) {
            // What a copy of the file told already changes nothing.
            let read = self.bans_read.entry((place, bot.clone())).or_default();
            *read += 1;
            let ban = tournament.bans.entry((bot.clone(), self.shard)).or_default();
            if *read <= ban.notes {
                return;
            }
            ban.notes = *read;
            if note.note == NoteKind::Disqualified {
                ban.add(told.clone(), after);
            } else {
                (ban.told, ban.after) = (None, None);
            }
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
                tournament.disqualify(bot, told, Some(after));
                let number = self.names.number(bot);
                let in_header = was_called.as_ref().and_then(|name| self.versions_read.get(name));
                if let Some(version) = note.version.or(in_header.copied()) {
                    let planned = tournament.plan.iter().flat_map(|plan| &plan.bots);
                    let planned = planned.into_iter().find(|planned| planned.name == *bot);
                    let command = planned.map_or(&[][..], |planned| &planned.command);
                    self.differences.add_disqualified((number, version), command, line);
                }
            }
            (NoteKind::Reinstated, _, Some(bot)) => {
                tournament.reinstate(bot, was_called.as_ref().unwrap_or(bot));
            }
            (NoteKind::Bye, _, Some(bot)) => {
                tournament.byes.insert((bot.clone(), note.round_of_bye().map(NonZeroU64::get)));
                self.names.number(bot);
            }
            // A note that does not say whom it is about changes nothing.
            _ => {}
        }
    }
}
