//! What counts of all that was read: contradictions are found, and what came after a decision is
//! left out.

use std::collections::{BTreeSet, HashMap, HashSet};

use super::{CollectedResults, MatchSource};
use crate::contest::{Pairings, PlanFields};
use crate::record::{DisqualifiedFor, OR_MORE_FAULTS};
use crate::standings::stored_match::StoredMatch;
use crate::standings::tally::PairTally;
use crate::standings::times::BotTimes;
use crate::standings::tournament::{Disqualification, TestEnd};
use crate::standings::unreadable::UnreadableFiles;
use crate::text::printable;

/// The last match of each tournament that counts.
pub(in crate::standings) type LastMatches = [u64];

impl CollectedResults {
    /// Makes sure that what stands in several places is the same in all, and disqualifies bots by
    /// the faults of all files together.
    ///
    /// # Errors
    ///
    /// The first contradiction.
    pub(in crate::standings) fn check_and_sort(&mut self) -> Result<(), UnreadableFiles> {
        self.check_waiting_lines()?;
        let sources = self.sources.all();
        let identity = |of: &StoredMatch| (sources[usize::from(of.source)].tournament, of.number);
        self.matches.sort_unstable_by_key(identity);
        // Matches of tournaments without a header that differ from the first ones of their numbers in
        // the versions of their bots.
        let mut others: HashMap<_, StoredMatch> = HashMap::new();
        for again in &self.again {
            let at = self.matches.partition_point(|known| identity(known) < identity(again));
            let same_number = self.matches[at..].iter();
            let same_number = same_number.take_while(|it| identity(it) == identity(again));
            let other = others.get(&(identity(again), again.pair));
            let mut known = same_number.chain(other);
            if known.clone().any(|known| known.is_same(again)) {
                continue;
            }
            if known.clone().all(|it| self.differs_in_version(it, again)) {
                others.insert((identity(again), again.pair), *again);
            } else if let Some(first) = known.find(|it| !self.differs_in_version(it, again)) {
                let place = |of: &StoredMatch| {
                    let file = sources[usize::from(of.source)].file;
                    format!("{}:{}", printable(&self.files[file]), of.line)
                };
                return Err(UnreadableFiles::Other(format!(
                    "match {} of tournament {} is not the same in {} and in {}; one of them is of \
                     another run: leave its file out",
                    again.number,
                    self.tournaments[identity(again).0].id,
                    place(first),
                    place(again)
                )));
            }
        }
        self.again.clear();
        self.matches.extend(others.into_values());
        self.matches.sort_unstable_by_key(|of| (identity(of), of.pair));
        self.disqualify();
        Ok(())
    }

    /// Disqualifies bots that have too many faults in all files of a tournament together.
    fn disqualify(&mut self) {
        self.forget_disqualified_by_faults();
        for place in 0..self.tournaments.len() {
            let Some((limit, new)) = self.out_by_faults_of(place) else { continue };
            for bot in new {
                let name = &self.names.all()[bot as usize];
                let (why, cause) = (format!("{limit}{OR_MORE_FAULTS}"), DisqualifiedFor::Faults);
                let out = Disqualification { why, cause, output: None };
                self.tournaments[place].disqualified.insert(name.clone(), out);
                self.out_by_faults.push((place, name.clone()));
            }
        }
    }

    /// How many faults disqualify a bot of this tournament, and whom they do and no note says so. Each
    /// part of a schedule counts only its own faults. Faults count in the order of the matches, up to
    /// the first one that is still to be played or the one that decided the test, and not in matches
    /// of a bot that was out before, as the tournament's ledger counts them.
    fn out_by_faults_of(&self, place: usize) -> Option<(u64, Vec<u32>)> {
        let tournament = &self.tournaments[place];
        let plan = tournament.plan.as_ref()?;
        let (limit, schedule) = (u64::from(plan.disqualify_after?), plan.schedule().ok()?);
        // A Swiss tournament counts a round when it is over, and is never in parts: its notes say it.
        if schedule.pairings == Pairings::Swiss {
            return None;
        }
        let last = TestEnd::last_matches(&self.test_ends())[place];
        // The match after which each bot is out, by a note or by the faults that are counted here.
        let noted = plan.bots.iter().filter_map(|bot| {
            let after = tournament.out_after.get(&bot.name).copied().unwrap_or(u64::MAX);
            let is_disqualified = tournament.disqualified.contains_key(&bot.name)
                && !tournament.to_recount.contains(&bot.name);
            Some((self.names.find(&bot.name).filter(|_| is_disqualified)?, after))
        });
        let mut out: HashMap<u32, u64> = noted.collect();
        let numbers: Vec<Option<u32>> =
            plan.bots.iter().map(|bot| self.names.find(&bot.name)).collect();
        let mut faults = vec![0; self.names.all().len()];
        let mut new = Vec::new();
        // In all parts together a bot may be out earlier than a part has noted.
        let is_in_parts = !tournament.shards.contains(&(1, 1));
        // Each pairing that is to be played is among as many matches.
        let cycle = schedule.in_a_cycle();
        let mut next = 1;
        for (bots, known) in self.of_tournament(place) {
            let number = u64::from(known.number);
            let is_disqualified =
                |bot: &usize| numbers[*bot].is_some_and(|bot| out.contains_key(&bot));
            let is_to_be_played = |number| {
                let fixture = schedule.fixture(number);
                let is_off = |bot: &usize| is_disqualified(bot) || tournament.retired.contains(bot);
                fixture.is_some_and(|of| !of.bots.0.iter().any(is_off))
            };
            if number > last || (next..number.min(next + cycle)).any(is_to_be_played) {
                break;
            }
            next = number + 1;
            if bots.iter().any(|bot| out.get(bot).is_some_and(|after| *after < number)) {
                continue;
            }
            for (bot, count) in bots.into_iter().zip(&self.faults.all()[known.faults as usize]) {
                let all = &mut faults[bot as usize];
                *all += u64::from(count.total());
                let is_in = |after: &u64| is_in_parts && *after > number;
                if *all >= limit && out.get(&bot).is_none_or(is_in) {
                    out.insert(bot, number);
                    if !tournament.disqualified.contains_key(&self.names.all()[bot as usize]) {
                        new.push(bot);
                    }
                }
            }
        }
        Some((limit, new))
    }

    /// Takes back what follows from the faults that were read before: more matches may come before
    /// them.
    pub(super) fn forget_disqualified_by_faults(&mut self) {
        for (place, name) in self.out_by_faults.drain(..) {
            self.tournaments[place].disqualified.remove(&name);
        }
    }

    /// Whether two matches are between the same bots, and one of these is another version of itself.
    fn differs_in_version(&self, one: &StoredMatch, other: &StoredMatch) -> bool {
        let [one, other] = [one, other].map(|of| &self.versioned.all()[of.pair as usize]);
        one.pair == other.pair && one.versions != other.versions
    }

    /// Where a match was read.
    pub(super) fn source(&self, known: &StoredMatch) -> MatchSource {
        self.sources.all()[usize::from(known.source)]
    }

    /// The numbers of its bots, the lower one first.
    pub(super) fn bots_of(&self, known: &StoredMatch) -> [u32; 2] {
        self.pairs.all()[self.pair_of(known)]
    }

    fn pair_of(&self, known: &StoredMatch) -> usize {
        self.versioned.all()[known.pair as usize].pair as usize
    }

    /// The matches of a tournament in the order of their numbers, each with its bots.
    pub(super) fn of_tournament(
        &self,
        place: usize,
    ) -> impl Iterator<Item = ([u32; 2], &StoredMatch)> {
        let of = |known: &StoredMatch| self.source(known).tournament;
        let begin = self.matches.partition_point(|known| of(known) < place);
        let matches = self.matches[begin..].iter().take_while(move |known| of(known) == place);
        matches.map(|known| (self.bots_of(known), known))
    }

    /// Where the test of each tournament stands, if it has one. Unfinished matches are passed over.
    pub(in crate::standings) fn test_ends(&self) -> Vec<Option<TestEnd>> {
        let end = |(place, tournament): (usize, _)| {
            TestEnd::new(tournament, self.of_tournament(place).map(|(_, known)| known))
        };
        self.tournaments.iter().enumerate().map(end).collect()
    }

    /// What each pair of bots did up to the last matches that count, and how many matches come
    /// after these.
    pub(in crate::standings) fn tallies(
        &self,
        lasts: &LastMatches,
    ) -> (Vec<([u32; 2], PairTally)>, u64) {
        let mut tallies = self.loose_tallies.clone();
        tallies.resize_with(self.pairs.all().len(), PairTally::default);
        let mut beyond = 0;
        for known in &self.matches {
            if u64::from(known.number) <= lasts[self.source(known).tournament] {
                let faults = &self.faults.all()[known.faults as usize];
                tallies[self.pair_of(known)].add(known.result, faults);
            } else {
                beyond += 1;
            }
        }
        (self.pairs.all().iter().copied().zip(tallies).collect(), beyond)
    }

    /// The times of each bot's moves in matches that count, of a disqualified bot in all; `None`
    /// unless they are read.
    pub(in crate::standings) fn times(&self, lasts: &LastMatches) -> Option<Vec<BotTimes>> {
        if !self.options.times {
            return None;
        }
        let mut all = vec![BotTimes::default(); self.names.all().len()];
        let out = self.disqualified();
        let is_disqualified = |bot: u32| out.contains_key(&*self.names.all()[bot as usize]);
        let counts = |[one, other]: [u32; 2]| {
            let is_any_out = is_disqualified(one) || is_disqualified(other);
            [one, other].map(|bot| !is_any_out || is_disqualified(bot))
        };
        for ((tournament, pair), times) in &self.times {
            let bots = self.current_bots(*tournament, *pair);
            let Some(bots) = bots else { continue };
            for ((bot, times), counts) in bots.into_iter().zip(times).zip(counts(bots)) {
                if counts {
                    all[bot as usize].merge(times);
                }
            }
        }
        for of in self.test_times.iter().filter(|of| of.number <= lasts[of.tournament]) {
            for ((bot, times), counts) in of.bots.into_iter().zip(&of.times).zip(counts(of.bots)) {
                if counts {
                    all[bot as usize].add_all(times);
                }
            }
        }
        Some(all)
    }

    /// How many different games were played in matches that count; `None` if one of these has no
    /// digests of them.
    pub(in crate::standings) fn distinct_games(
        &self,
        lasts: &LastMatches,
        is_disqualified: &[bool],
    ) -> Option<u64> {
        let plays = |bots: [u32; 2]| !bots.iter().any(|bot| is_disqualified[*bot as usize]);
        let counted = self.matches.iter().filter(|known| {
            let is_in_time = u64::from(known.number) <= lasts[self.source(known).tournament];
            is_in_time && plays(self.bots_of(known))
        });
        let mut loose = self.pairs.all().iter().zip(&self.loose_tallies);
        // In place of digests that there are not, both are 0.
        if loose.any(|(bots, tally)| tally.matches > 0 && plays(*bots))
            || counted.clone().any(|known| known.games == [0; 2])
        {
            return None;
        }
        let games = counted.flat_map(|of| of.games.into_iter().take(of.result.rounds().count()));
        let mut distinct = 0;
        let mut part = Vec::new();
        for first in 0..PARTS {
            part.clear();
            part.extend(games.clone().filter(|game| game >> 60 == first));
            part.sort_unstable();
            part.dedup();
            distinct += part.len() as u64;
        }
        Some(distinct)
    }

    /// How many matches are of no tournament.
    pub(in crate::standings) fn loose(&self) -> u64 {
        self.loose_tallies.iter().map(|tally| tally.matches).sum()
    }

    /// The earlier versions of bots that cannot be run again.
    pub(in crate::standings) fn retired(&self) -> BTreeSet<&str> {
        let names = self.tournaments.iter().flat_map(|of| {
            let bots = of.plan.iter().flat_map(|plan| &plan.bots).enumerate();
            bots.filter(|(place, _)| of.retired.contains(place)).map(|(_, bot)| bot.name.as_str())
        });
        names.collect()
    }

    /// How many matches of a tournament were played by one of these bots of its plan.
    pub(in crate::standings) fn seen_of(
        &self,
        tournament: usize,
        plan: &PlanFields,
        is_one: &dyn Fn(usize) -> bool,
    ) -> u64 {
        let places = (0..plan.bots.len()).filter(|bot| is_one(*bot));
        let out: HashSet<u32> =
            places.filter_map(|bot| self.names.find(&plan.bots[bot].name)).collect();
        if out.is_empty() {
            return 0;
        }
        let matches = self.of_tournament(tournament);
        matches.filter(|(bots, _)| bots.iter().any(|bot| out.contains(bot))).count() as u64
    }

    /// The bots that were disqualified, and why: of several reasons the first by its bytes.
    pub(in crate::standings) fn disqualified(&self) -> HashMap<&str, &Disqualification> {
        let mut disqualified: HashMap<&str, &Disqualification> = HashMap::new();
        for (name, out) in self.tournaments.iter().flat_map(|of| &of.disqualified) {
            let first = disqualified.entry(name).or_insert(out);
            if out.why < first.why {
                *first = out;
            }
        }
        disqualified
    }
}

/// Games are counted in 16 parts, by their first four bits, so that no copy of all is needed.
const PARTS: u64 = 16;
