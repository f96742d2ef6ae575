//! Which matches of earlier plans are matches of the plan that continues them.

use std::collections::{BTreeMap, HashMap};

use super::plan::PlanFields;
use super::schedule::Schedule;
use super::summary::MatchSummary;
use crate::record::Digest;
use crate::seat::PerSeat;

/// A plan with the versions of its bots, and the plans that it continues.
///
/// A pairing plays the same matches in all of them, whoever else plays: a match is known by its two
/// bots and by how many matches of the pairing come before it.
#[derive(Clone, Debug)]
pub struct Continuation {
    id: Digest,
    /// `None` where the plan has too few bots.
    schedule: Option<Schedule>,
    /// The place of each bot, and its version, if that is known.
    bots: HashMap<String, (usize, Option<Digest>)>,
    /// The plans that it continues.
    earlier: HashMap<Digest, Option<Schedule>>,
}

impl Continuation {
    /// A plan that continues no other one. `versions` are by the bots' names.
    pub fn new(id: Digest, plan: &PlanFields, versions: &BTreeMap<String, Digest>) -> Continuation {
        let bots = plan
            .bots
            .iter()
            .enumerate()
            .map(|(place, bot)| (bot.name.clone(), (place, versions.get(&bot.name).copied())));
        let (schedule, bots) = (plan.schedule().ok(), bots.collect());
        Continuation { id, schedule, bots, earlier: HashMap::new() }
    }

    /// Adds a plan that this one continues.
    pub fn add_earlier(&mut self, id: Digest, plan: &PlanFields) {
        self.earlier.entry(id).or_insert_with(|| plan.schedule().ok());
    }

    /// The number that a match of another of these tournaments has in this plan, as
    /// [`Continuation::find`] has it.
    pub fn number_of(&self, place: (Digest, u64), summary: &MatchSummary<'_>) -> Option<u64> {
        let [one, other] = &summary.names;
        Some(self.find(place, [one, other], summary.versions)?.1)
    }

    /// Gives the bots other names.
    pub fn rename(&mut self, rename: impl Fn(&mut String)) {
        let renamed = std::mem::take(&mut self.bots).into_iter().map(|(mut name, bot)| {
            rename(&mut name);
            (name, bot)
        });
        self.bots = renamed.collect();
    }

    /// Whether a tournament is this one, or one that it continues.
    pub fn has(&self, id: Digest) -> bool {
        id == self.id || self.earlier.contains_key(&id)
    }

    /// The place of a bot that played under this name; `None` if it is gone, or is another version
    /// now. Versions that are not known are taken to be the same.
    pub fn place_of(&self, name: &str, version: Option<Digest>) -> Option<usize> {
        let (place, known) = self.bots.get(name)?;
        known.zip(version).is_none_or(|(known, version)| known == version).then_some(*place)
    }

    /// Whether these bots meet in this plan.
    pub fn has_pair(&self, names: [&str; 2], versions: [Option<Digest>; 2]) -> bool {
        let [one, other] = [0, 1].map(|seat| self.place_of(names[seat], versions[seat]));
        let bots = one.zip(other).zip(self.schedule.as_ref());
        bots.is_some_and(|((one, other), schedule)| schedule.number_of([one, other], 0).is_some())
    }

    /// The bots' places and the number that a match of the tournament `id` has in this plan; `None`
    /// if this plan has no such match.
    pub fn find(
        &self,
        (id, number): (Digest, u64),
        names: [&str; 2],
        versions: [Option<Digest>; 2],
    ) -> Option<(PerSeat<usize>, u64)> {
        let [one, other] = [0, 1].map(|seat| self.place_of(names[seat], versions[seat]));
        let bots = [one?, other?];
        if id == self.id {
            return Some((PerSeat(bots), number));
        }
        let cycle = self.earlier.get(&id)?.as_ref()?.cycle_of(number);
        Some((PerSeat(bots), self.schedule.as_ref()?.number_of(bots, cycle)?))
    }
}
