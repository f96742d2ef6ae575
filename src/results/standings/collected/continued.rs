//! Tournaments that go on with other bots: matches of bots that are gone count no more, the others
//! have new numbers.

use std::collections::{BTreeMap, HashSet};

use super::{CollectedResults, VersionedPair};
use crate::contest::{Continuation, MatchSummary, NumberSet, PlanFields};
use crate::record::{Digest, DisqualifiedFor, Note, NoteKind, TournamentHeader};
use crate::standings::stored_match::{StoredMatch, turned_if};
use crate::standings::tournament::{CollectedTournament, Disqualification};

/// What a tournament goes on from.
#[derive(Clone, Debug)]
pub(in crate::standings) struct ContinuedPlans {
    pub(super) continuation: Continuation,
    earlier: Vec<(Digest, PlanFields)>,
    /// The headers with which it began and went on.
    parts: Vec<ContinuedPart>,
    /// Matches that do not count now, each with the tournament that its number is of. They count
    /// again when their bots come back.
    set_aside: Vec<(Digest, StoredMatch)>,
    /// Bots that are disqualified, if they come back, by their names and versions.
    out: BTreeMap<(String, Digest), Disqualification>,
}

/// A header with which a tournament began or went on.
#[derive(Clone, Debug)]
struct ContinuedPart {
    id: Digest,
    versions: BTreeMap<String, Digest>,
    /// The first file that has it.
    file: usize,
}

impl ContinuedPart {
    fn is_of(&self, header: &TournamentHeader) -> bool {
        self.id == header.id && self.versions == header.versions
    }
}

impl CollectedResults {
    /// Has the tournament that a header continues go on as the header says. False if it continues
    /// none that was read.
    ///
    /// # Errors
    ///
    /// The file that has another run of this tournament.
    pub(super) fn continue_with(
        &mut self,
        header: &TournamentHeader,
        plan: &PlanFields,
    ) -> Result<bool, usize> {
        let Some(place) = self.place_of_header(header) else { return Ok(false) };
        let file = self.file_read();
        let tournament = &mut self.tournaments[place];
        if header.continues.is_none() {
            // The first line of a file from before it went on, or of a second copy of its file, or
            // more openings of a part.
            let Some(plans) = &tournament.continued else { return Ok(false) };
            let is_this = |part: &ContinuedPart| part.is_of(header);
            let read = self.parts_read.get(&place).copied();
            let read = read.filter(|part| plans.parts.get(*part).is_some_and(is_this));
            let part = read.or_else(|| plans.parts.iter().position(is_this));
            // A copy of an updated file begins with the first part.
            if let (None, Some(part @ 1..)) = (read, part) {
                return Err(plans.parts[part].file);
            }
            self.parts_read.extend(part.map(|part| (place, part)));
            let is_earlier = (header.id != tournament.id && plans.continuation.has(header.id))
                || !self.is_in_last_part(place);
            if is_earlier {
                self.places.add_header(header, place, file);
            }
            return Ok(is_earlier);
        }
        if let Some(other) = self.places.other_with(header, place) {
            return Err(other);
        }
        let part = ContinuedPart { id: header.id, versions: header.versions.clone(), file };
        let number = self.parts_read.entry(place).or_insert(0);
        *number += 1;
        match tournament.continued.as_ref().and_then(|plans| plans.parts.get(*number)) {
            Some(known) if known.is_of(header) => {
                self.places.add_header(header, place, file);
                return Ok(true);
            }
            // Two copies of a file, each updated in its own way.
            Some(known) => return Err(known.file),
            None => {}
        }
        let before = tournament.continued.take().unwrap_or_else(|| ContinuedPlans {
            continuation: Continuation::new(header.id, plan, &header.versions),
            earlier: Vec::new(),
            parts: vec![ContinuedPart {
                id: tournament.id,
                versions: tournament.versions.clone(),
                file,
            }],
            set_aside: Vec::new(),
            out: BTreeMap::new(),
        });
        let mut plans = ContinuedPlans {
            continuation: Continuation::new(header.id, plan, &header.versions),
            set_aside: Vec::new(),
            ..before
        };
        *number = plans.parts.len();
        plans.parts.push(part);
        plans.earlier.extend(tournament.plan.clone().map(|plan| (tournament.id, plan)));
        for (id, plan) in &plans.earlier {
            plans.continuation.add_earlier(*id, plan);
        }
        let of_before = tournament.id;
        for bot in &plan.bots {
            self.names.number(&bot.name);
        }
        let again = std::mem::take(&mut self.again);
        let sources = self.sources.all();
        let is_of_it = |known: &StoredMatch| sources[usize::from(known.source)].tournament == place;
        let (of_it, others): (Vec<_>, Vec<_>) =
            std::mem::take(&mut self.matches).into_iter().partition(is_of_it);
        self.matches = others;
        let (again, others): (Vec<_>, Vec<_>) = again.into_iter().partition(is_of_it);
        self.again = others;
        let of_it = of_it.into_iter().chain(again).map(|known| (of_before, known));
        let mut seen = HashSet::new();
        let mut numbers = Vec::new();
        for (id, known) in before.set_aside.into_iter().chain(of_it) {
            let Some(known) = self.match_in(&plans.continuation, id, &known) else {
                plans.set_aside.push((id, known));
                continue;
            };
            numbers.push(u64::from(known.number));
            let all = if seen.insert(known.number) { &mut self.matches } else { &mut self.again };
            all.push(known);
        }
        self.highest_read.insert(place, numbers.iter().copied().max().unwrap_or_default());
        self.places.add_header(header, place, file);
        self.tournaments[place].begin_part(header, plan, plans, &numbers);
        Ok(true)
    }

    /// Whether the line that is read is of the tournament as it goes on, and not of an earlier part of
    /// its file, which may be read again after the later ones. So is a line of a file without headers.
    pub(super) fn is_in_last_part(&self, place: usize) -> bool {
        let parts = self.tournaments[place].continued.as_ref().map_or(1, |plans| plans.parts.len());
        self.parts_read.get(&place).is_none_or(|part| part + 1 == parts)
    }

    /// Sets a match aside that is not of the bots of its tournament by now.
    pub(super) fn set_aside(&mut self, place: usize, id: Digest, known: StoredMatch) {
        if let Some(plans) = &mut self.tournaments[place].continued {
            plans.set_aside.push((id, known));
        }
    }

    /// How many matches do not count because a bot in them was changed or withdrawn.
    pub(in crate::standings) fn replaced_matches(&self) -> u64 {
        let different = |of: &CollectedTournament| {
            let ContinuedPlans { continuation, set_aside, .. } = of.continued.as_ref()?;
            // A match may stand in copies of the file, of which each has its number in another plan.
            let identity = |(id, known): &(Digest, StoredMatch)| {
                let versions = self.versioned.all()[known.pair as usize].versions;
                let bots = self.bots_of(known).map(|bot| &*self.names.all()[bot as usize]);
                let bots = bots.map(|name| continuation.first_name(name));
                let mut bots = [(bots[0], versions[0]), (bots[1], versions[1])];
                bots.sort_unstable();
                (continuation.cycle_of((*id, known.number.into())), bots)
            };
            Some(set_aside.iter().map(identity).collect::<HashSet<_>>().len() as u64)
        };
        self.tournaments.iter().filter_map(different).sum()
    }

    /// The bots of a pair whose matches in a tournament count, as they are called by now; `None` if
    /// these matches do not count as it goes on.
    pub(super) fn current_bots(&self, tournament: Option<usize>, pair: u32) -> Option<[u32; 2]> {
        let VersionedPair { pair, versions } = self.versioned.all()[pair as usize];
        let bots = self.pairs.all()[pair as usize];
        let plans = tournament.and_then(|place| self.tournaments[place].continued.as_ref());
        let Some(ContinuedPlans { continuation, .. }) = plans else { return Some(bots) };
        let names = bots.map(|bot| &*self.names.all()[bot as usize]);
        let number =
            |seat: usize| self.names.find(continuation.name_of(names[seat], versions[seat])?);
        let current = [number(0)?, number(1)?];
        continuation.has_pair(names, versions).then_some(current)
    }

    /// A match, which has a number in the plan `before`, as a match of the plan that goes on.
    fn match_in(
        &mut self,
        continuation: &Continuation,
        before: Digest,
        known: &StoredMatch,
    ) -> Option<StoredMatch> {
        let bots = self.bots_of(known);
        let names = bots.map(|bot| &*self.names.all()[bot as usize]);
        let versions = self.versioned.all()[known.pair as usize].versions;
        let (places, number) = continuation.find((before, known.number.into()), names, versions)?;
        let number = u32::try_from(number).ok()?;
        let current = places.0.map(|place| self.names.find(continuation.name_at(place)));
        let [one, other] = [current[0]?, current[1]?];
        if [one, other] == bots {
            return Some(StoredMatch { number, ..*known });
        }
        let is_turned = other < one;
        let faults = turned_if(is_turned, self.faults.all()[known.faults as usize]);
        let versions = turned_if(is_turned, versions);
        let pair = self.pairs.number(&turned_if(is_turned, [one, other]));
        Some(StoredMatch {
            number,
            pair: self.versioned.number(&VersionedPair { pair, versions }),
            faults: self.faults.number(&faults),
            result: if is_turned { known.result.turned() } else { known.result },
            ..*known
        })
    }

    /// Gives the bots of a match their current names.
    pub(super) fn give_current_names(&self, summary: &mut MatchSummary<'_>) {
        let Some((id, _)) = summary.place else { return };
        let Some(place) = self.places.of_match(id, summary) else { return };
        let of = &self.tournaments[place];
        let current =
            [0, 1].map(|seat| of.current_name(id, &summary.names[seat], summary.versions[seat]));
        summary.rename(current);
    }

    /// The bots of a match with their versions, where these are known.
    pub(super) fn versions_of(&self, known: &StoredMatch) -> impl Iterator<Item = (u32, Digest)> {
        let versions = self.versioned.all()[known.pair as usize].versions;
        self.bots_of(known).into_iter().zip(versions).filter_map(|(bot, it)| Some((bot, it?)))
    }
}

impl CollectedTournament {
    /// The number that a match has in the tournament's plan by now; `None` if one of its bots is
    /// gone, or is another version now.
    pub(in crate::standings) fn number_of(
        &self,
        place: (Digest, u64),
        summary: &MatchSummary<'_>,
    ) -> Option<u64> {
        match &self.continued {
            // Where only contents of files have changed, the id has not.
            Some(plans) => plans.continuation.number_of(place, summary),
            None => Some(place.1),
        }
    }

    /// The current name of a bot that played in a match of the tournament `id`; `None` if it is gone,
    /// or if that is another tournament.
    pub(in crate::standings) fn current_name(
        &self,
        id: Digest,
        name: &str,
        version: Option<Digest>,
    ) -> Option<&str> {
        self.continued.as_ref()?.continuation.current_name(id, name, version)
    }

    /// Whether a note is about the tournament as it goes on. Its bot gets the name that it has by
    /// now.
    pub(in crate::standings) fn concerns(&mut self, note: &mut Note) -> bool {
        let Some(plans) = &mut self.continued else { return true };
        let out = Disqualification::by_note(note);
        match (&mut note.bot, note.note) {
            (Some(bot), kind) => {
                let current = plans.continuation.name_of(bot, note.version);
                if let (None, Some(version)) = (current, note.version) {
                    let of_then = (bot.clone(), version);
                    match kind {
                        NoteKind::Disqualified => {
                            drop(plans.out.insert(of_then, out));
                        }
                        NoteKind::Reinstated => drop(plans.out.remove(&of_then)),
                        NoteKind::Bye | NoteKind::Unfinished | NoteKind::Made => {}
                    }
                }
                current.map(|name| name.clone_into(bot)).is_some()
            }
            (None, NoteKind::Unfinished) => note.tournament == self.id,
            (None, _) => true,
        }
    }

    fn begin_part(
        &mut self,
        header: &TournamentHeader,
        plan: &PlanFields,
        mut plans: ContinuedPlans,
        numbers: &[u64],
    ) {
        for (name, why) in std::mem::take(&mut self.disqualified) {
            if let Some(version) = self.versions.get(&name) {
                plans.out.insert((name, *version), why);
            }
        }
        for ((name, version), why) in std::mem::take(&mut plans.out) {
            match plans.continuation.name_of(&name, Some(version)) {
                Some(name) => drop(self.disqualified.insert(name.to_owned(), why)),
                None => drop(plans.out.insert((name, version), why)),
            }
        }
        self.out_after.clear();
        self.bans.values_mut().for_each(|ban| ban.after = None);
        let is_by_faults = |it: &Disqualification| it.cause == DisqualifiedFor::Faults;
        let by_faults = self.disqualified.iter().filter(|(_, it)| is_by_faults(it));
        self.to_recount = by_faults.map(|(name, _)| name.clone()).collect();
        // They are played again.
        self.unfinished.clear();
        self.seen = NumberSet::default();
        for number in numbers {
            self.seen.insert(*number);
        }
        let earlier = self.plan.iter().flat_map(|plan| &plan.bots).map(|bot| bot.name.clone());
        self.former.extend(earlier);
        self.former.retain(|name| !header.versions.contains_key(name));
        (self.id, self.plan) = (header.id, Some(plan.clone()));
        self.versions.clone_from(&header.versions);
        self.continued = Some(plans);
    }
}
