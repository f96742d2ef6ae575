//! Which matches of earlier plans are matches of the plan that continues them.

use std::collections::{BTreeMap, HashMap};

use super::{MatchSummary, PlanFields, PlannedBot, Schedule};
use crate::record::Digest;
use crate::seat::PerSeat;

/// A plan with the versions of its bots, and the plans that it continues.
///
/// A pairing plays the same matches in all of them, whoever else plays: a match is known by its two
/// bots and by how many matches of the pairing come before it.
#[derive(Clone, Debug)]
pub struct Continuation {
    pub id: Digest,
    /// `None` where the plan has too few bots.
    schedule: Option<Schedule>,
    /// The names of the bots, by their places.
    names: Vec<String>,
    /// The place of each bot, and its version, if that is known.
    bots: HashMap<String, (usize, Option<Digest>)>,
    /// The place of each version of the bots of which earlier ones play, too, by the bot's name.
    kept: HashMap<(String, Digest), usize>,
    /// The bot of which an earlier version played under its own name, in any of the plans.
    version_of: HashMap<String, String>,
    /// The plans that it continues.
    earlier: HashMap<Digest, Option<Schedule>>,
}

impl Continuation {
    /// A plan that continues no other one. `versions` are by the bots' names.
    pub fn new(id: Digest, plan: &PlanFields, versions: &BTreeMap<String, Digest>) -> Continuation {
        let version = |name: &String| versions.get(name).copied();
        let places = || plan.bots.iter().zip(0..);
        let bots = places().map(|(bot, place)| (bot.name.clone(), (place, version(&bot.name))));
        let kept = places().filter_map(|(bot, place)| {
            Some(((bot.drawn_name().to_owned(), version(&bot.name)?), place))
        });
        let mut continuation = Continuation {
            id,
            schedule: plan.schedule().ok(),
            names: plan.bots.iter().map(|bot| bot.name.clone()).collect(),
            bots: bots.collect(),
            kept: kept.collect(),
            version_of: HashMap::new(),
            earlier: HashMap::new(),
        };
        continuation.note_versions(plan);
        continuation
    }

    /// Adds a plan that this one continues.
    pub fn add_earlier(&mut self, id: Digest, plan: &PlanFields) {
        self.earlier.entry(id).or_insert_with(|| plan.schedule().ok());
        self.note_versions(plan);
    }

    fn note_versions(&mut self, plan: &PlanFields) {
        let named = |bot: &PlannedBot| Some((bot.name.clone(), bot.version_of.clone()?));
        self.version_of.extend(plan.bots.iter().filter_map(named));
    }

    /// The number that a match of another of these tournaments has in this plan, as
    /// [`Continuation::find`] has it.
    pub fn number_of(&self, place: (Digest, u64), summary: &MatchSummary<'_>) -> Option<u64> {
        let [one, other] = &summary.names;
        Some(self.find(place, [one, other], summary.versions)?.1)
    }

    /// Gives the bots other names.
    pub fn rename(&mut self, renamed: &dyn Fn(String) -> String) {
        self.names = std::mem::take(&mut self.names).into_iter().map(renamed).collect();
        let bots = std::mem::take(&mut self.bots).into_iter();
        self.bots = bots.map(|(name, bot)| (renamed(name), bot)).collect();
        let kept = std::mem::take(&mut self.kept).into_iter();
        self.kept = kept.map(|((name, of), place)| ((renamed(name), of), place)).collect();
        let versions = std::mem::take(&mut self.version_of).into_iter();
        self.version_of = versions.map(|(name, of)| (renamed(name), renamed(of))).collect();
    }

    /// Whether a tournament is this one, or one that it continues.
    pub fn has(&self, id: Digest) -> bool {
        id == self.id || self.earlier.contains_key(&id)
    }

    /// The place of a bot that played under the name `name`, by now maybe as an earlier version under
    /// another one; `None` if it is gone, or is another version now. Versions that are not known are
    /// taken to be the same.
    pub fn place_of(&self, name: &str, version: Option<Digest>) -> Option<usize> {
        let is_same = |known: Option<Digest>| {
            known.zip(version).is_none_or(|(known, version)| known == version)
        };
        match self.bots.get(name) {
            Some(&(place, known)) if is_same(known) => Some(place),
            _ => self.kept.get(&(self.first_name(name).to_owned(), version?)).copied(),
        }
    }

    /// The same of a bot that played in a match of the tournament `id`; `None` also if that is another
    /// tournament.
    pub fn current_name(&self, id: Digest, name: &str, version: Option<Digest>) -> Option<&str> {
        if self.has(id) { self.name_of(name, version) } else { None }
    }

    /// The name under which a bot played before a newer version took it.
    pub fn first_name<'a>(&'a self, name: &'a str) -> &'a str {
        self.version_of.get(name).map_or(name, String::as_str)
    }

    /// The name that this bot has by now, as [`Continuation::place_of`] has its place.
    pub fn name_of(&self, name: &str, version: Option<Digest>) -> Option<&str> {
        Some(&self.names[self.place_of(name, version)?])
    }

    /// The name of the bot at `place`.
    pub fn name_at(&self, place: usize) -> &str {
        &self.names[place]
    }

    /// Whether these bots meet in this plan.
    pub fn has_pair(&self, names: [&str; 2], versions: [Option<Digest>; 2]) -> bool {
        let [one, other] = [0, 1].map(|seat| self.place_of(names[seat], versions[seat]));
        let bots = one.zip(other).zip(self.schedule.as_ref());
        bots.is_some_and(|((one, other), schedule)| schedule.number_of([one, other], 0).is_some())
    }

    /// How many matches of its pairing come before a match of one of these tournaments.
    pub fn cycle_of(&self, (id, number): (Digest, u64)) -> Option<u64> {
        let own = self.schedule.as_ref().filter(|_| id == self.id);
        let schedule = own.or_else(|| self.earlier.get(&id)?.as_ref())?;
        Some(schedule.cycle_of(number))
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
        let cycle = self.cycle_of((id, number))?;
        Some((PerSeat(bots), self.schedule.as_ref()?.number_of(bots, cycle)?))
    }
}
