//! What counts of all that was read: contradictions are found, and what came after a decision is
//! left out.

use std::collections::{HashMap, HashSet};

use super::{Entry, Gathering};
use crate::standings::tally::PairTally;
use crate::standings::times::Times;
use crate::standings::tournament::{Ahead, Stop};
use crate::standings::unreadable::Unreadable;

impl Gathering {
    /// Makes sure that what stands in several places is the same in all.
    ///
    /// # Errors
    ///
    /// The first contradiction.
    pub(in crate::standings) fn settle(&mut self) -> Result<(), Unreadable> {
        let sources = &self.sources;
        let identity =
            |entry: &Entry| (sources[usize::from(entry.source)].tournament, entry.number);
        if !self.is_sorted {
            self.entries.sort_unstable_by_key(identity);
            self.is_sorted = true;
        }
        for again in &self.again {
            let found = self.entries.binary_search_by_key(&identity(again), identity);
            let Some(first) = found.ok().map(|index| &self.entries[index]) else { continue };
            if first.fingerprint != again.fingerprint {
                let place = |entry: &Entry| {
                    let file = sources[usize::from(entry.source)].file;
                    (self.files[file].clone(), u64::from(entry.line))
                };
                return Err(Unreadable::Contradiction {
                    tournament: self.tournaments[identity(again).0].id,
                    number: u64::from(again.number),
                    places: [place(first), place(again)],
                });
            }
        }
        self.again.clear();
        self.disqualify();
        Ok(())
    }

    /// Disqualifies bots that have too many faults in all files together: each part of a schedule
    /// counts only its own. Faults are not told apart by tournament, so there must be one.
    fn disqualify(&mut self) {
        let [tournament] = &mut self.tournaments[..] else { return };
        let limit = tournament.plan.as_ref().and_then(|plan| plan.disqualify_after);
        let Some(limit) = limit.map(u64::from).filter(|_| self.loose == 0) else { return };
        let mut faults = vec![0; self.names.names.len()];
        for (bots, tally) in &self.tallies {
            for (own, bot) in bots.iter().enumerate() {
                let own = tally.faults[own].counts().map(|(_, times)| u64::from(times));
                faults[*bot as usize] += own.sum::<u64>();
            }
        }
        for (name, faults) in self.names.names.iter().zip(faults) {
            if faults >= limit {
                let out = tournament.disqualified.entry(name.clone());
                out.or_insert_with(|| format!("{limit} or more faults"));
            }
        }
    }

    /// What each pair of bots did, less what is beyond a decision; and how many matches that is.
    pub(in crate::standings) fn counted(
        &self,
        stops: &[Option<Stop>],
    ) -> (Vec<([u32; 2], PairTally)>, u64) {
        let mut tallies = self.tallies.clone();
        let mut beyond = 0;
        for ahead in self.beyond(stops) {
            tallies[ahead.pair as usize].1.subtract(&ahead.tally);
            beyond += 1;
        }
        (tallies, beyond)
    }

    fn beyond(&self, stops: &[Option<Stop>]) -> impl Iterator<Item = &Ahead> {
        self.tournaments.iter().zip(stops).flat_map(|(tournament, stop)| {
            let decided = stop.as_ref().and_then(|stop| stop.decided);
            decided
                .into_iter()
                .flat_map(|(last, _)| tournament.ahead.range(last + 1..).map(|(_, ahead)| ahead))
        })
    }

    /// The times of a bot's moves; none where they are not read.
    pub(in crate::standings) fn times_of(&self, bot: u32, stops: &[Option<Stop>]) -> Option<Times> {
        if !self.reading.times {
            return None;
        }
        let mut all = self.times.get(bot as usize).cloned().unwrap_or_default();
        for (tournament, stop) in self.tournaments.iter().zip(stops) {
            let last =
                stop.as_ref().and_then(|stop| stop.decided).map_or(u64::MAX, |(last, _)| last);
            for (_, ahead) in tournament.ahead.range(..=last) {
                if let Some((bots, times)) = &ahead.times {
                    for (index, &seen) in bots.iter().enumerate() {
                        if seen == bot {
                            all.merge(&times.0[index]);
                        }
                    }
                }
            }
        }
        Some(all)
    }

    /// How many different games were played in matches that count; none where records have no
    /// digests of them.
    pub(in crate::standings) fn distinct_games(
        &self,
        stops: &[Option<Stop>],
        counts: impl Fn([u32; 2]) -> bool,
    ) -> Option<u64> {
        if !self.has_all_games {
            return None;
        }
        let lasts: Vec<u64> = stops
            .iter()
            .map(|stop| stop.as_ref().and_then(|stop| stop.decided).map_or(u64::MAX, |(n, _)| n))
            .collect();
        let games = || {
            let counted = self.entries.iter().filter(|entry| {
                let tournament = self.sources[usize::from(entry.source)].tournament;
                u64::from(entry.number) <= lasts[tournament]
                    && counts(self.tallies[entry.pair as usize].0)
            });
            counted.flat_map(|entry| entry.games.into_iter().take(usize::from(entry.rounds)))
        };
        let mut distinct = 0;
        let mut part = Vec::new();
        for first in 0..PARTS {
            part.clear();
            part.extend(games().filter(|game| game >> 60 == first));
            part.sort_unstable();
            part.dedup();
            distinct += part.len() as u64;
        }
        Some(distinct)
    }

    /// How many matches are of no tournament.
    pub(in crate::standings) const fn loose(&self) -> u64 {
        self.loose
    }

    /// How many matches of a tournament a bot with one of these names played.
    pub(in crate::standings) fn seen_of(&self, tournament: usize, names: &[&str]) -> u64 {
        if names.is_empty() {
            return 0;
        }
        let is_one = |bot: &u32| names.contains(&self.names.names[*bot as usize].as_str());
        let of_them = self.entries.iter().filter(|entry| {
            self.sources[usize::from(entry.source)].tournament == tournament
                && self.tallies[entry.pair as usize].0.iter().any(is_one)
        });
        of_them.count() as u64
    }

    /// The bots that were disqualified, and why.
    pub(in crate::standings) fn disqualified(&self) -> HashMap<&str, &str> {
        let all = self.tournaments.iter().flat_map(|tournament| &tournament.disqualified);
        all.map(|(name, why)| (name.as_str(), why.as_str())).collect()
    }

    /// The points of byes, by the name of the bot, without those of bots in `out`.
    pub(in crate::standings) fn byes(&self, out: &HashSet<&str>) -> HashMap<&str, u64> {
        let mut byes = HashMap::new();
        for tournament in &self.tournaments {
            let points = tournament.plan.as_ref().map_or(1, |plan| plan.repeat);
            for (name, ..) in tournament.byes.iter().filter(|(n, ..)| !out.contains(n.as_str())) {
                *byes.entry(name.as_str()).or_default() += points;
            }
        }
        byes
    }
}

/// Games are counted in so many parts, by their first four bits, so that no copy of all of them is
/// needed.
const PARTS: u64 = 16;
