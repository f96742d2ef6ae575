//! What is known of a tournament: its plan, which of its matches were seen, its test.

use std::collections::{BTreeMap, BTreeSet};

use super::collected::ContinuedPlans;
use super::stored_match::{StoredMatch, StoredResult};
use super::{Sprt, SprtTerms};
use crate::contest::{MatchSummary, NumberSet, PlanFields};
use crate::record::{Digest, DisqualifiedFor, Note, Shard};

#[derive(Clone, Debug, Default)]
pub(super) struct CollectedTournament {
    pub(super) id: Digest,
    /// From its header; `None` if only matches of it were seen.
    pub(super) plan: Option<PlanFields>,
    pub(super) shards: BTreeSet<(u32, u32)>,
    /// The numbers of its matches.
    pub(super) seen: NumberSet,
    pub(super) unfinished: BTreeMap<u64, String>,
    /// By their names.
    pub(super) disqualified: BTreeMap<String, Disqualification>,
    /// For those whose note says so, the match with which it came, or the last one before it.
    pub(super) out_after: BTreeMap<String, u64>,
    /// Those whose faults are counted anew, because the matches have other numbers since an update.
    pub(super) to_recount: BTreeSet<String>,
    /// What notes say of each bot, by its name and the part of the schedule.
    pub(super) bans: BTreeMap<(String, Shard), Ban>,
    /// Bots that had no opponent, and the round.
    pub(super) byes: BTreeSet<(String, Option<u64>)>,
    pub(super) test: Option<PlannedTest>,
    /// The version of each bot, by its name, as its last header has it.
    pub(super) versions: BTreeMap<String, Digest>,
    /// What it goes on from, if its bots were updated.
    pub(super) continued: Option<ContinuedPlans>,
    /// The names of bots that are no longer there.
    pub(super) former: BTreeSet<String>,
    /// The places in the plan of earlier versions that cannot be run again.
    pub(super) retired: BTreeSet<usize>,
}

/// Why a bot is disqualified.
#[derive(Clone, Debug)]
pub(super) struct Disqualification {
    /// In words.
    pub(super) why: String,
    pub(super) cause: DisqualifiedFor,
    /// What its build or its check said.
    pub(super) output: Option<String>,
}

impl Disqualification {
    /// As its note says.
    pub(super) fn by_note(note: &Note) -> Disqualification {
        let (why, output) = (note.detail.clone(), note.output.clone());
        Disqualification { why, cause: note.disqualified_for(), output }
    }
}

/// What the notes of one part of the schedule say of whether a bot plays.
#[derive(Clone, Debug, Default)]
pub(super) struct Ban {
    /// How many notes there are.
    pub(super) notes: usize,
    /// Why it is out; `None` if it plays.
    pub(super) told: Option<Disqualification>,
    /// The match with which it came; `None` if an update has changed the numbers since.
    pub(super) after: Option<u64>,
}

impl Ban {
    /// Adds what a note says, of which the first reason and the first match hold.
    pub(super) fn add(&mut self, told: Disqualification, after: u64) {
        if self.told.as_ref().is_none_or(|known| told.why < known.why) {
            self.told = Some(told);
        }
        self.after = self.after.into_iter().chain([after]).min();
    }
}

/// The test of a plan, from the view of the bot that stands first in it.
#[derive(Clone, Debug)]
pub(super) struct PlannedTest {
    sprt: Sprt,
    /// The numbers of the two bots in the order of the plan.
    bots: [u32; 2],
}

/// Where the test of a plan stands.
#[derive(Clone, Debug)]
pub(super) struct TestEnd {
    pub(super) sprt: Sprt,
    /// The numbers of the two bots in the order of the plan.
    pub(super) bots: [u32; 2],
    /// Rounds of the matches that it took, and how many of them ended by forfeit or had
    /// substituted moves.
    pub(super) rounds: u64,
    pub(super) spoilt: u64,
}

impl CollectedTournament {
    pub(super) fn new(id: Digest) -> CollectedTournament {
        CollectedTournament { id, ..CollectedTournament::default() }
    }

    /// Has a bot play no more. Several parts of the schedule may say so, of which the first reason and
    /// the first match hold, whichever part is read first.
    pub(super) fn disqualify(&mut self, bot: &str, told: Disqualification, after: Option<u64>) {
        let out = self.disqualified.entry(bot.to_owned()).or_insert_with(|| told.clone());
        if told.why < out.why {
            *out = told;
        }
        if let Some(after) = after {
            let known = self.out_after.entry(bot.to_owned()).or_insert(after);
            *known = after.min(*known);
        }
    }

    /// Has a bot play again, unless a part of the schedule that calls it so still says otherwise.
    pub(super) fn reinstate(&mut self, bot: &str, called: &str) {
        self.disqualified.remove(bot);
        self.out_after.remove(bot);
        let bans = self.bans.iter().filter(|((name, _), _)| name == called);
        let bans = bans.filter_map(|(_, ban)| Some((ban.told.clone()?, ban.after)));
        for (told, after) in bans.collect::<Vec<_>>() {
            self.disqualify(bot, told, after);
        }
    }

    /// Whether the bot at this place in the plan plays no more: it is disqualified, or an earlier
    /// version that cannot be run again.
    pub(super) fn plays_no_more(&self, plan: &PlanFields, bot: usize) -> bool {
        self.retired.contains(&bot) || self.disqualified.contains_key(&plan.bots[bot].name)
    }
}

/// Whether a match is between bots of `versions`, as far as they are known.
pub(super) fn are_versions_of(
    versions: &BTreeMap<String, Digest>,
    summary: &MatchSummary<'_>,
) -> bool {
    summary.names.iter().zip(summary.versions).all(|(name, version)| {
        let known = versions.get(&**name).copied();
        known.zip(version).is_none_or(|(known, version)| known == version)
    })
}

impl PlannedTest {
    pub(super) const fn new(terms: SprtTerms, bots: [u32; 2]) -> PlannedTest {
        PlannedTest { sprt: Sprt::new(terms), bots }
    }

    /// Takes the result of match `number`; `bots` are its two in the order of their numbers.
    pub(super) fn add(&mut self, number: u64, bots: [u32; 2], result: StoredResult) {
        let [first, second] = self.bots;
        let halves = result.halves_of_two().and_then(|halves| match bots {
            _ if bots == [first, second] => Some(halves),
            _ if bots == [second, first] => Some(4 - halves),
            _ => None,
        });
        self.sprt.add(number, halves);
    }
}

impl TestEnd {
    /// Where the tournament's test stands; `matches` are its matches in order.
    pub(super) fn new<'a>(
        tournament: &CollectedTournament,
        matches: impl Iterator<Item = &'a StoredMatch>,
    ) -> Option<TestEnd> {
        let PlannedTest { mut sprt, bots } = tournament.test.clone()?;
        for &number in tournament.unfinished.keys().filter(|n| !tournament.seen.contains(**n)) {
            sprt.add(number, None);
        }
        let last = sprt.upto();
        let taken = matches.take_while(|known| u64::from(known.number) <= last);
        let (mut rounds, mut spoilt) = (0, 0);
        for round in taken.flat_map(|known| known.result.rounds()) {
            rounds += 1;
            spoilt += u64::from(round.is_spoilt);
        }
        Some(TestEnd { sprt, bots, rounds, spoilt })
    }

    /// For each tournament the last match that counts, by its test if it has one.
    pub(super) fn last_matches(ends: &[Option<TestEnd>]) -> Vec<u64> {
        let last = |end: &Option<TestEnd>| Some(end.as_ref()?.sprt.decided()?.0);
        ends.iter().map(|end| last(end).unwrap_or(u64::MAX)).collect()
    }
}
