//! What has happened so far: which matches are done, who is disqualified, who leads.

mod counts;
mod leader;

use std::collections::{BTreeMap, BTreeSet, HashMap};

use crate::contest::{
    Fixture, MatchSummary, NumberSet, Pairings, PlanFields, Schedule, SwissRoundState,
};
use crate::record::{DisqualifiedFor, OR_MORE_FAULTS, Shard};
use crate::seat::{PerSeat, Seat};
use crate::standings::Sprt;
pub(crate) use counts::shard_of;
pub(crate) use leader::Leader;

/// What has happened so far. The only place where points are counted while a tournament runs.
pub(crate) struct Ledger {
    schedule: Schedule,
    shard: Shard,
    disqualify_after: Option<u32>,
    /// Matches of a pair in a round, each worth a point to a bot without an opponent.
    repeat: u64,
    /// The test of the plan, if it has one.
    pub sprt: Option<Sprt>,
    done: NumberSet,
    /// Matches that were given up in this run, and why.
    pub unfinished: BTreeMap<u64, String>,
    faults: Vec<u32>,
    /// The match up to which faults count towards disqualification, and those of each bot.
    counted_to: u64,
    counted_faults: Vec<u32>,
    /// Faults of later matches: each side's bot and their number.
    later_faults: BTreeMap<u64, [(usize, u32); 2]>,
    /// The last match of the Swiss rounds that are over.
    rounds_end: u64,
    /// Half points of a bot against an opponent, and their matches.
    against: HashMap<(usize, usize), (u64, u64)>,
    /// Matches that were played and have no disqualified bot.
    counted: u64,
    /// Half points of each bot, and the matches and byes that they are of, without those against
    /// bots that are disqualified.
    total: Vec<(u64, u64)>,
    disqualified: BTreeMap<usize, Disqualified>,
    /// Bots that cannot be run.
    stopped: BTreeSet<usize>,
    /// Bots that play no more in this run, because they are another version now. Their matches are
    /// still to come.
    changed: BTreeSet<usize>,
    /// The highest number of a match that was played.
    latest: u64,
    /// The last round that was paired in a Swiss tournament.
    swiss_round: SwissRoundState,
    /// Whether its file is of a version of this program that did not note what bots were made of.
    pub lacks_versions: bool,
}

/// Since when a bot plays no more.
struct Disqualified {
    why: String,
    cause: DisqualifiedFor,
    /// The match that it came with, or the last one before it.
    after: u64,
}

impl Ledger {
    /// A ledger without matches of `plan`, whose matches are in the order of `schedule`.
    pub(crate) fn new(plan: &PlanFields, schedule: Schedule, shard: Shard) -> Ledger {
        let bots = plan.bots.len();
        Ledger {
            schedule,
            shard,
            disqualify_after: plan.disqualify_after,
            repeat: plan.repeat,
            sprt: plan.sprt.as_ref().and_then(|terms| terms.parse().ok()).map(Sprt::new),
            done: NumberSet::default(),
            unfinished: BTreeMap::new(),
            faults: vec![0; bots],
            counted_to: 0,
            counted_faults: vec![0; bots],
            later_faults: BTreeMap::new(),
            rounds_end: 0,
            against: HashMap::new(),
            counted: 0,
            total: vec![(0, 0); bots],
            disqualified: BTreeMap::new(),
            stopped: BTreeSet::new(),
            changed: BTreeSet::new(),
            latest: 0,
            swiss_round: SwissRoundState::default(),
            lacks_versions: false,
        }
    }

    /// Adds the match `number`. A match that is there already changes nothing.
    pub(crate) fn add(&mut self, bots: PerSeat<usize>, number: u64, summary: &MatchSummary) {
        if !self.done.insert(number) {
            return;
        }
        self.unfinished.remove(&number);
        self.swiss_round.add_match(self.schedule.round_of(number), bots.0);
        self.latest = self.latest.max(number);
        if let Some(sprt) = &mut self.sprt {
            // The test is about the plan's first bot.
            let first = if bots[Seat::A] == 0 { Seat::A } else { Seat::B };
            sprt.add(number, summary.round_halves(first));
        }
        let counts = !bots.0.iter().any(|bot| self.disqualified.contains_key(bot));
        self.counted += u64::from(counts);
        for seat in Seat::BOTH {
            let halves = u64::from(summary.halves(seat));
            let against = self.against.entry((bots[seat], bots[!seat])).or_default();
            *against = (against.0 + halves, against.1 + 1);
            if counts {
                add(&mut self.total[bots[seat]], halves, 1);
            }
        }
        let faults = Seat::BOTH.map(|seat| (bots[seat], summary.faults(seat)));
        for (bot, count) in faults {
            self.faults[bot] = self.faults[bot].saturating_add(count);
        }
        if self.disqualify_after.is_some() && faults.iter().any(|(_, count)| *count > 0) {
            self.later_faults.insert(number, faults);
        }
    }

    /// Disqualifies the bots that have too many faults by now. Returns them, each with the match
    /// that it came with.
    ///
    /// So that they are the same ones however many matches run at once, faults count in the order
    /// of the matches, up to the first one that is still to be played, or in a Swiss tournament to
    /// the end of a round. Matches of a bot that was out before, or behind the one that decided the
    /// test, do not count.
    pub(crate) fn disqualify_faulty(&mut self) -> Vec<(usize, u64)> {
        let mut out = Vec::new();
        let Some(limit) = self.disqualify_after else { return out };
        loop {
            let next = self.later_faults.first_entry();
            if let Some(entry) = next.filter(|entry| *entry.key() <= self.counted_to) {
                let (number, faults) = entry.remove_entry();
                if faults.iter().any(|(bot, _)| self.is_out_before(*bot, number)) {
                    continue;
                }
                for (bot, count) in faults {
                    let all = self.counted_faults[bot].saturating_add(count);
                    self.counted_faults[bot] = all;
                    let why = format!("{limit}{OR_MORE_FAULTS}");
                    if all >= limit
                        && self.disqualify(bot, (&why, DisqualifiedFor::Faults), Some(number))
                    {
                        out.push((bot, number));
                    }
                }
            } else if self.is_over(self.counted_to + 1) {
                self.counted_to += 1;
            } else {
                return out;
            }
        }
    }

    /// Whether nothing more is to come of the match `number`.
    fn is_over(&self, number: u64) -> bool {
        if self.schedule.pairings == Pairings::Swiss {
            return number <= self.rounds_end;
        }
        let is_to_come = |fixture| self.is_ours(number) && self.is_open(&fixture);
        self.schedule.fixture(number).is_some_and(|fixture| !is_to_come(fixture))
            && self.tested_up_to().is_none_or(|last| number <= last)
    }

    /// Ends the rounds of a Swiss tournament up to the match with this number.
    pub(crate) const fn end_rounds(&mut self, last: u64) {
        self.rounds_end = last;
    }

    /// Leaves a match unfinished.
    pub(crate) fn leave_unfinished(&mut self, number: u64, why: &str) {
        self.unfinished.insert(number, why.to_owned());
        if let Some(sprt) = &mut self.sprt {
            sprt.add(number, None);
        }
    }

    /// Gives a bot the points of `round` of a Swiss tournament, in which it has no opponent.
    pub(crate) fn add_bye(&mut self, bot: usize, round: u64) {
        self.swiss_round.add_bye(round);
        add(&mut self.total[bot], 2 * self.repeat, self.repeat);
    }

    /// Disqualifies a bot, maybe because of the match with the number `number`; false if it was before. Its
    /// opponents lose the points that they have from it.
    pub(crate) fn disqualify(
        &mut self,
        bot: usize,
        (why, cause): (&str, DisqualifiedFor),
        number: Option<u64>,
    ) -> bool {
        if self.disqualified.contains_key(&bot) {
            return false;
        }
        for opponent in (0..self.total.len()).filter(|it| !self.disqualified.contains_key(it)) {
            let (halves, matches) = self.against.get(&(opponent, bot)).copied().unwrap_or_default();
            let total = &mut self.total[opponent];
            *total = (total.0 - halves, total.1 - matches);
            self.counted -= matches;
        }
        let after = number.unwrap_or(self.latest);
        self.disqualified.insert(bot, Disqualified { why: why.to_owned(), cause, after });
        true
    }

    /// The bots that are disqualified for this.
    pub(crate) fn disqualified_by(&self, cause: DisqualifiedFor) -> impl Iterator<Item = usize> {
        let out = self.disqualified.iter();
        out.filter(move |(_, it)| it.cause == cause).map(|(&bot, _)| bot)
    }

    /// Lets a disqualified bot play, and counts its matches and those against it. Byes are not
    /// among the points then, so this is for what a file holds, from which they follow later.
    pub(crate) fn reinstate(&mut self, bot: usize) {
        self.disqualified.remove(&bot);
        (self.counted, self.total) = (0, vec![(0, 0); self.total.len()]);
        for (&(one, other), (halves, matches)) in &self.against {
            if ![one, other].iter().any(|bot| self.disqualified.contains_key(bot)) {
                add(&mut self.total[one], *halves, *matches);
                // Each match is there once for each bot.
                self.counted += if one < other { *matches } else { 0 };
            }
        }
    }

    /// Lets a bot play no more that cannot be run.
    pub(crate) fn stop(&mut self, bot: usize) {
        self.stopped.insert(bot);
    }

    /// Lets a bot play no more in this run, because it is another version now.
    pub(crate) fn stop_changed(&mut self, bot: usize) {
        self.changed.insert(bot);
    }

    /// Whether a bot plays no more for one of these reasons.
    pub(crate) fn is_stopped(&self, bot: usize) -> bool {
        self.stopped.contains(&bot) || self.changed.contains(&bot)
    }

    pub(crate) fn has_played(&self, bot: usize) -> bool {
        self.against.keys().any(|&(one, _)| one == bot)
    }

    /// Half points of a bot in all its matches against an opponent.
    pub(crate) fn half_points(&self, bot: usize, opponent: usize) -> u64 {
        self.against.get(&(bot, opponent)).map_or(0, |(halves, _)| *halves)
    }

    /// Half points of a bot against an opponent for pairing the round of a Swiss tournament that
    /// begins with this match. Those from a bot that is out do not count: its last match may still
    /// be running, and a resumed tournament would pair with other points.
    pub(crate) fn half_points_before(&self, bot: usize, opponent: usize, number: u64) -> u64 {
        if self.is_out_before(opponent, number) { 0 } else { self.half_points(bot, opponent) }
    }

    /// The number of the match up to which the test knows all results; `None` without a test.
    pub(crate) fn tested_up_to(&self) -> Option<u64> {
        self.sprt.as_ref().map(Sprt::upto)
    }

    /// Whether a bot was disqualified before the round of a Swiss tournament that begins with this
    /// match. In the round in which it is, others play as they were paired.
    pub(crate) fn is_out_before(&self, bot: usize, number: u64) -> bool {
        self.disqualified.get(&bot).is_some_and(|disqualified| disqualified.after < number)
    }

    /// Why a bot is disqualified, if it is.
    pub(crate) fn disqualified(&self, bot: usize) -> Option<&str> {
        self.disqualified.get(&bot).map(|disqualified| &*disqualified.why)
    }

    /// The same for programs.
    pub(crate) fn disqualified_for(&self, bot: usize) -> Option<DisqualifiedFor> {
        self.disqualified.get(&bot).map(|disqualified| disqualified.cause)
    }

    /// How many bots are disqualified.
    pub(crate) fn count_disqualified(&self) -> usize {
        self.disqualified.len()
    }

    /// The most matches of a Swiss tournament in the rounds after `round`, when `met` pairs of bots that
    /// still play have met by then.
    pub(crate) fn never_paired(&self, round: u64, met: u64) -> u64 {
        let playing = self.total.len() - self.count_disqualified();
        self.schedule.never_paired(round, playing as u64, met)
    }

    /// How many matches were played.
    pub(crate) const fn played(&self) -> u64 {
        self.done.len()
    }

    /// The faults of each bot, in the plan's order.
    pub(crate) fn bot_faults(&self) -> impl Iterator<Item = u32> {
        self.faults.iter().copied()
    }

    /// Faults of all bots.
    pub(crate) fn faults(&self) -> u64 {
        self.bot_faults().map(u64::from).sum()
    }

    /// Whether a match is in this run's part of the schedule.
    pub(crate) fn is_ours(&self, number: u64) -> bool {
        number % u64::from(self.shard.count()) == u64::from(self.shard.index() % self.shard.count())
    }

    /// How many matches of the schedule are this run's.
    pub(crate) const fn planned(&self) -> u64 {
        shard_of(self.shard, self.schedule.matches())
    }

    /// How many matches were played that count: no bot of theirs is disqualified.
    pub(crate) const fn counted(&self) -> u64 {
        self.counted
    }

    /// The first match from `number` on that is to be played still; not in a Swiss tournament.
    pub(crate) fn next_from(&self, mut number: u64) -> Option<Fixture> {
        loop {
            let fixture = self.schedule.fixture(number)?;
            if self.is_ours(number) && self.is_to_be_played(&fixture) {
                return Some(fixture);
            }
            number += 1;
        }
    }

    /// Whether this run is to play a match: it was not played, and both bots play.
    pub(crate) fn is_to_be_played(&self, fixture: &Fixture) -> bool {
        self.is_open(fixture) && !fixture.bots.0.iter().any(|bot| self.changed.contains(bot))
    }

    /// Whether a match was not played, and this run or a later one is to play it.
    pub(crate) fn is_open(&self, fixture: &Fixture) -> bool {
        let is_off = |bot| self.disqualified.contains_key(bot) || self.stopped.contains(bot);
        !self.done.contains(fixture.number) && !fixture.bots.0.iter().any(is_off)
    }
}

const fn add(total: &mut (u64, u64), halves: u64, played: u64) {
    *total = (total.0 + halves, total.1 + played);
}

#[cfg(test)]
mod tests;
