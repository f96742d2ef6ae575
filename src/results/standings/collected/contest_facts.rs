//! What a page about a contest needs beside the table: its plan, which matches count, the times of
//! answers, and names that hide who played.

use std::borrow::Cow;
use std::collections::{BTreeMap, HashMap, HashSet};
use std::num::NonZeroU64;

use super::CollectedResults;
use crate::contest::{Continuation, MatchSummary, PlanFields};
use crate::record::{Digest, MatchRecord};
use crate::standings::times::{BotTimes, ProcessTimes};
use crate::standings::tournament::{Disqualification, TestEnd, are_versions_of};

/// Which matches count in a table.
#[derive(Debug)]
pub struct Counting<'a> {
    results: &'a CollectedResults,
    /// For each tournament the last match that counts.
    lasts: Vec<u64>,
    /// The bots that are, and why.
    disqualified: HashMap<&'a str, &'a Disqualification>,
}

/// The matches of tournaments that were seen, which may stand in several files.
#[derive(Clone, Debug, Default)]
pub struct SeenMatches(HashSet<(Digest, u64, [Option<Digest>; 2])>);

impl SeenMatches {
    /// Whether a match is seen for the first time; always for one of no tournament.
    pub fn is_new(&mut self, summary: &MatchSummary<'_>) -> bool {
        SeenMatches::key(summary).is_none_or(|key| self.0.insert(key))
    }

    /// Whether a match was seen before; never one of no tournament.
    pub fn has(&self, summary: &MatchSummary<'_>) -> bool {
        SeenMatches::key(summary).is_some_and(|key| self.0.contains(&key))
    }

    fn key(summary: &MatchSummary<'_>) -> Option<(Digest, u64, [Option<Digest>; 2])> {
        let (id, number) = summary.place?;
        Some((id, number.get(), summary.versions))
    }
}

/// Why a match does not count.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum NotCounted {
    /// One of its bots is gone, or is another version now.
    Replaced,
    /// One of its bots is disqualified.
    Disqualified,
    /// It comes after the one that decided the test.
    AfterTest,
}

impl Counting<'_> {
    /// The place of the tournament of a match, if its bots were not updated.
    fn whole(&self, summary: &MatchSummary<'_>) -> Option<usize> {
        let (id, _) = summary.place?;
        self.results.tournaments.iter().position(|of| {
            of.continued.is_none() && of.id == id && are_versions_of(&of.versions, summary)
        })
    }

    /// How tournaments went on whose bots were updated, unless a match is of another one.
    fn continued(&self, summary: &MatchSummary<'_>) -> impl Iterator<Item = &Continuation> {
        let is_of_another = self.whole(summary).is_some();
        let continued = self.results.tournaments.iter().filter_map(|of| of.continued.as_ref());
        continued.filter(move |_| !is_of_another).map(|plans| &plans.continuation)
    }

    /// Whether both bots of a match are there as they were then.
    pub fn has_bots_of(&self, summary: &MatchSummary<'_>) -> bool {
        let Some((id, _)) = summary.place else { return true };
        let mut continued = self.continued(summary).filter(|of| of.has(id));
        continued.all(|of| of.number_of((id, 1), summary).is_some())
    }

    /// The tournament that a match is of by now, and its number there; `None` if it is of none, or one
    /// of its bots is gone.
    pub fn current_place(&self, summary: &MatchSummary<'_>) -> Option<(Digest, u64)> {
        let (id, number) = summary.place?;
        let place = (id, number.get());
        match self.continued(summary).find(|of| of.has(id)) {
            Some(of) => Some((of.id, of.number_of(place, summary)?)),
            None => Some(place),
        }
    }

    /// Gives the bots of a match their current names.
    pub fn give_current_names(&self, summary: &mut MatchSummary<'_>) {
        summary.rename(self.current_names(summary));
    }

    /// The same for a whole record, which is also given its current number.
    pub fn update_record(&self, record: &mut MatchRecord) {
        let summary = MatchSummary {
            place: record.tournament.as_ref().map(|place| (place.id, place.number)),
            games: Vec::new(),
            names: record.bots.0.each_ref().map(|bot| Cow::Borrowed(&*bot.name)),
            versions: record.bots.0.each_ref().map(|bot| bot.version),
            rounds: Vec::new(),
        };
        let place = self.current_place(&summary);
        let place = place.and_then(|(id, number)| Some((id, NonZeroU64::new(number)?)));
        let names = self.current_names(&summary);
        for (bot, current) in record.bots.0.iter_mut().zip(names) {
            if let Some(current) = current {
                current.clone_into(&mut bot.name);
            }
        }
        if let Some((tournament, (id, number))) = record.tournament.as_mut().zip(place) {
            (tournament.id, tournament.number) = (id, number);
        }
    }

    /// The current names of a match's bots, as far as their tournament was updated.
    fn current_names(&self, summary: &MatchSummary<'_>) -> [Option<&str>; 2] {
        [0, 1].map(|seat| {
            let (id, _) = summary.place?;
            let (name, version) = (&summary.names[seat], summary.versions[seat]);
            self.continued(summary).find_map(|of| of.current_name(id, name, version))
        })
    }

    fn are_disqualified(&self, summary: &MatchSummary<'_>) -> [bool; 2] {
        let current = self.current_names(summary);
        [0, 1].map(|seat| {
            self.disqualified.contains_key(current[seat].unwrap_or(&summary.names[seat]))
        })
    }

    /// Whether the row of each bot counts this match, which may be left out: a disqualified bot's own
    /// row does.
    pub fn counts_for(
        &self,
        summary: &MatchSummary<'_>,
        left_out: Option<NotCounted>,
    ) -> [bool; 2] {
        match left_out {
            None => [true; 2],
            Some(NotCounted::Disqualified) => self.are_disqualified(summary),
            Some(NotCounted::Replaced | NotCounted::AfterTest) => [false; 2],
        }
    }

    /// Why this match does not; `None` if it does.
    pub fn left_out(&self, summary: &MatchSummary<'_>) -> Option<NotCounted> {
        let last = self.whole(summary).map_or(u64::MAX, |place| self.lasts[place]);
        if !self.has_bots_of(summary) {
            Some(NotCounted::Replaced)
        } else if summary.place.is_some_and(|(_, number)| number.get() > last) {
            Some(NotCounted::AfterTest)
        } else if self.are_disqualified(summary).contains(&true) {
            Some(NotCounted::Disqualified)
        } else {
            None
        }
    }
}

impl CollectedResults {
    /// Which matches count.
    pub fn counting(&self) -> Counting<'_> {
        Counting {
            results: self,
            lasts: TestEnd::last_matches(&self.test_ends()),
            disqualified: self.disqualified(),
        }
    }

    /// The plans of the tournaments whose first lines were read.
    pub fn plans(&self) -> impl Iterator<Item = (Digest, &PlanFields)> {
        self.tournaments.iter().filter_map(|of| Some((of.id, of.plan.as_ref()?)))
    }

    /// Whether there are matches of no tournament, or of one whose plan was not read.
    pub fn has_matches_without_plan(&self) -> bool {
        self.loose() > 0 || self.tournaments.iter().any(|of| of.plan.is_none())
    }

    /// Whether bots were told the names of their opponents in any match.
    pub fn told_names(&self) -> bool {
        let is_anonymous = |plan: &PlanFields| plan.anonymous;
        self.loose() > 0
            || self.tournaments.iter().any(|of| !of.plan.as_ref().is_some_and(is_anonymous))
    }

    /// Whether any move has a value; false unless times are read.
    pub const fn has_values(&self) -> bool {
        self.has_values
    }

    /// Whether matches differ in what bots might use of the machine.
    pub fn has_different_limits(&self) -> bool {
        self.differences.limits.difference().is_some()
    }

    /// The times of each bot's answers, by its name; empty unless times are read.
    pub fn answer_times(&self) -> BTreeMap<String, ProcessTimes> {
        let lasts = TestEnd::last_matches(&self.test_ends());
        let times = self.times(&lasts).unwrap_or_default();
        let of = |(name, times): (&String, &BotTimes)| (name.clone(), times.apart());
        self.names.all().iter().zip(&times).map(of).collect()
    }

    /// The names by which equal bots are ordered, by the bots' numbers.
    pub(in crate::standings) fn ordering_names(&self) -> &[String] {
        self.names_before.as_deref().unwrap_or(self.names.all())
    }

    /// Gives each bot in `shown` that other name. Reasons why bots were disqualified and matches
    /// stayed unfinished, and commands, are left out, because they may name somebody.
    pub fn rename(&mut self, shown: &HashMap<String, String>) {
        self.forget_disqualified_by_faults();
        // Rows stay where they are: whoever has read the matches knows bots by them.
        self.names_before.get_or_insert_with(|| self.names.all().to_vec());
        let renamed = |name: String| shown.get(&name).cloned().unwrap_or(name);
        self.names.change(renamed);
        self.differences.forget_commands();
        for of in &mut self.tournaments {
            for bot in of.plan.iter_mut().flat_map(|plan| &mut plan.bots) {
                bot.name = renamed(std::mem::take(&mut bot.name));
            }
            if let Some(plans) = &mut of.continued {
                plans.continuation.rename(&renamed);
            }
            let out = std::mem::take(&mut of.disqualified).into_iter();
            let hidden = |out: Disqualification| Disqualification { why: HIDDEN.to_owned(), ..out };
            of.disqualified = out.map(|(name, out)| (renamed(name), hidden(out))).collect();
            let after = std::mem::take(&mut of.out_after).into_iter();
            of.out_after = after.map(|(name, after)| (renamed(name), after)).collect();
            let anew = std::mem::take(&mut of.to_recount).into_iter();
            of.to_recount = anew.map(renamed).collect();
            let byes = std::mem::take(&mut of.byes).into_iter();
            of.byes = byes.map(|(name, round)| (renamed(name), round)).collect();
            of.unfinished.values_mut().for_each(|why| HIDDEN.clone_into(why));
        }
    }
}

/// In place of a reason that may name somebody.
const HIDDEN: &str = "the reason is not shown";
