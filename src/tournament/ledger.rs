//! What has happened so far: which matches are done, who is disqualified, who leads.

use std::collections::{BTreeMap, HashMap};

use super::numbers::NumberSet;
use super::playable::{playable, shard_of};
use crate::contest::{Fixture, MatchSummary, PlanFields, Schedule};
use crate::record::Shard;
use crate::seat::{PerSeat, Seat};
use crate::standings::{Points, Sprt};

/// What has happened so far. The only place where points are counted while a tournament runs.
#[derive(Clone, Debug)]
pub struct Ledger {
    schedule: Schedule,
    shard: Shard,
    disqualify_after: Option<u32>,
    /// Matches of a pair in a round, each worth a point to a bot without an opponent.
    repeat: u64,
    sprt: Option<Sprt>,
    done: NumberSet,
    /// Matches that were given up in this run.
    unfinished: BTreeMap<u64, String>,
    faults: Vec<u32>,
    /// Half points of a bot against an opponent, and their matches.
    against: HashMap<(usize, usize), (u64, u64)>,
    /// Matches that were played and have no disqualified bot.
    counted: u64,
    /// Half points of each bot, without those against bots that are disqualified.
    total: Vec<u64>,
    disqualified: BTreeMap<usize, Disqualified>,
    /// The highest number of a match that was played.
    latest: u64,
}

/// Since when a bot plays no more.
#[derive(Clone, Debug)]
struct Disqualified {
    why: String,
    /// The match that it came with, or the last one before it.
    after: u64,
}

impl Ledger {
    /// A ledger without matches of this plan, whose matches are in the order of `schedule`.
    pub fn new(plan: &PlanFields, schedule: Schedule, shard: Shard) -> Ledger {
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
            against: HashMap::new(),
            counted: 0,
            total: vec![0; bots],
            disqualified: BTreeMap::new(),
            latest: 0,
        }
    }

    /// Adds the match with this number. Returns the bots that have too many faults with it. A match
    /// that is there already changes nothing.
    pub fn add(&mut self, bots: PerSeat<usize>, number: u64, summary: &MatchSummary) -> Vec<usize> {
        if !self.done.insert(number) {
            return Vec::new();
        }
        self.unfinished.remove(&number);
        self.latest = self.latest.max(number);
        if let Some(sprt) = &mut self.sprt {
            // The test is about the plan's first bot.
            let first = if bots[Seat::A] == 0 { Seat::A } else { Seat::B };
            sprt.add(number, summary.round_halves(first).and_then(Points::from_halves));
        }
        let counts = !bots.0.iter().any(|bot| self.disqualified.contains_key(bot));
        self.counted += u64::from(counts);
        for seat in Seat::BOTH {
            let halves = u64::from(summary.halves(seat));
            let against = self.against.entry((bots[seat], bots[!seat])).or_default();
            *against = (against.0 + halves, against.1 + 1);
            self.total[bots[seat]] += if counts { halves } else { 0 };
        }
        let mut out = Vec::new();
        for seat in Seat::BOTH {
            let bot = bots[seat];
            self.faults[bot] = self.faults[bot].saturating_add(summary.faults(seat));
            let limit = self.disqualify_after.filter(|limit| self.faults[bot] >= *limit);
            if let Some(limit) = limit
                && self.disqualify(bot, &format!("{limit} or more faults"), Some(number))
            {
                out.push(bot);
            }
        }
        out
    }

    /// Leaves a match unfinished.
    pub fn leave_unfinished(&mut self, number: u64, why: &str) {
        self.unfinished.insert(number, why.to_owned());
        if let Some(sprt) = &mut self.sprt {
            sprt.add(number, None);
        }
    }

    /// Gives a bot the points of a round of a Swiss tournament in which it has no opponent.
    pub fn add_bye(&mut self, bot: usize) {
        self.total[bot] += 2 * self.repeat;
    }

    /// Disqualifies a bot, maybe because of the match with this number; false if it was before. Its
    /// opponents lose the points that they have from it.
    pub fn disqualify(&mut self, bot: usize, why: &str, number: Option<u64>) -> bool {
        if self.disqualified.contains_key(&bot) {
            return false;
        }
        for opponent in (0..self.total.len()).filter(|it| !self.disqualified.contains_key(it)) {
            let (halves, matches) = self.against.get(&(opponent, bot)).copied().unwrap_or_default();
            self.total[opponent] -= halves;
            self.counted -= matches;
        }
        let after = number.unwrap_or(self.latest);
        self.disqualified.insert(bot, Disqualified { why: why.to_owned(), after });
        true
    }

    /// Half points of a bot in all its matches against an opponent.
    pub fn half_points(&self, bot: usize, opponent: usize) -> u64 {
        self.against.get(&(bot, opponent)).map_or(0, |(halves, _)| *halves)
    }

    /// Half points of a bot against an opponent for pairing the round of a Swiss tournament that
    /// begins with this match. Those from a bot that is out do not count: its last match may still
    /// be running, and a resumed tournament would pair with other points.
    pub fn half_points_before(&self, bot: usize, opponent: usize, number: u64) -> u64 {
        if self.is_out_before(opponent, number) { 0 } else { self.half_points(bot, opponent) }
    }

    /// Whether the test has decided.
    pub fn has_decided(&self) -> bool {
        self.sprt.as_ref().is_some_and(|sprt| sprt.decided().is_some())
    }

    /// The number of the match up to which the test knows all results; `None` without a test.
    pub fn tested_up_to(&self) -> Option<u64> {
        self.sprt.as_ref().map(Sprt::upto)
    }

    /// Whether a bot was disqualified before the round of a Swiss tournament that begins with this
    /// match. In the round in which it is, others play as they were paired.
    pub fn is_out_before(&self, bot: usize, number: u64) -> bool {
        self.disqualified.get(&bot).is_some_and(|disqualified| disqualified.after < number)
    }

    /// Why a bot is disqualified, if it is.
    pub fn disqualified(&self, bot: usize) -> Option<&str> {
        self.disqualified.get(&bot).map(|disqualified| &*disqualified.why)
    }

    /// How many bots are disqualified.
    pub fn count_disqualified(&self) -> usize {
        self.disqualified.len()
    }

    /// How many matches were played.
    pub const fn played(&self) -> u64 {
        self.done.len()
    }

    /// Matches that stay unfinished, and why.
    pub const fn unfinished(&self) -> &BTreeMap<u64, String> {
        &self.unfinished
    }

    /// The faults of each bot, in the plan's order.
    pub fn bot_faults(&self) -> impl Iterator<Item = u32> {
        self.faults.iter().copied()
    }

    /// Faults of all bots.
    pub fn faults(&self) -> u64 {
        self.bot_faults().map(u64::from).sum()
    }

    /// The bot with the most points, byes included, and these points; of bots with as many the first
    /// in the plan. `None` before the first match.
    pub fn leader(&self) -> Option<(usize, f64)> {
        let playing = |bot: &usize| !self.disqualified.contains_key(bot);
        let bots = (0..self.total.len()).filter(playing);
        let best = bots.max_by_key(|&bot| (self.total[bot], std::cmp::Reverse(bot)))?;
        #[expect(clippy::cast_precision_loss, reason = "no tournament has that many points")]
        let points = self.total[best] as f64 / 2.0;
        (self.done.len() > 0).then_some((best, points))
    }

    /// Whether a match is in this run's part of the schedule.
    pub fn is_ours(&self, number: u64) -> bool {
        number % u64::from(self.shard.count()) == u64::from(self.shard.index() % self.shard.count())
    }

    /// How many matches of the schedule are this run's.
    pub const fn planned(&self) -> u64 {
        shard_of(self.shard, self.schedule.matches())
    }

    /// How many matches were played that count: no bot of theirs is disqualified.
    pub const fn counted(&self) -> u64 {
        self.counted
    }

    /// How many matches of this run count, played or not.
    pub fn playable(&self) -> u64 {
        let is_out = |bot| self.disqualified.contains_key(&bot);
        playable(&self.schedule, self.shard, is_out, self.latest)
    }

    /// The first match from this number on that is to be played still; not in a Swiss tournament.
    pub fn next_from(&self, number: u64) -> Option<Fixture> {
        let mut number = number;
        loop {
            let fixture = self.schedule.fixture(number)?;
            if self.is_ours(number) && self.is_to_be_played(&fixture) {
                return Some(fixture);
            }
            number += 1;
        }
    }

    /// Whether a match was not played, and neither bot is disqualified.
    pub fn is_to_be_played(&self, fixture: &Fixture) -> bool {
        let out = |bot: &usize| self.disqualified.contains_key(bot);
        !self.done.contains(fixture.number) && !fixture.bots.0.iter().any(out)
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::contest::{FaultCounts, RoundSummary};
    use crate::protocol::FaultKind;

    fn ledger(bots: usize, openings: u64, shard: Shard, after: Option<u32>) -> Ledger {
        let names: Vec<_> = (0..bots).map(|bot| json!({"name": bot.to_string()})).collect();
        let plan = json!({"bots": names, "count": openings, "disqualify_after": after});
        let plan: PlanFields = serde_json::from_value(plan).unwrap();
        Ledger::new(&plan, plan.schedule().unwrap(), shard)
    }

    /// A match that the bot at seat A won.
    fn won(faults: [u32; 2]) -> MatchSummary<'static> {
        let faults = PerSeat(faults.map(|count| {
            let mut faults = FaultCounts::default();
            faults.add(FaultKind::IllegalMove, count);
            faults
        }));
        let round =
            RoundSummary { first: Seat::A, score: PerSeat([40, 32]), forfeited: None, faults };
        MatchSummary {
            place: None,
            games: Vec::new(),
            names: ["a".into(), "b".into()],
            rounds: vec![round],
        }
    }

    #[test]
    fn shards_are_disjoint_equal_and_the_whole() {
        let shards: Vec<Ledger> =
            (1..=4).map(|k| ledger(5, 3, Shard::new(k, 4).unwrap(), None)).collect();
        let planned: Vec<u64> = shards.iter().map(Ledger::planned).collect();
        assert_eq!(planned, [8, 8, 7, 7]);
        for number in 1..=30 {
            let of: Vec<bool> = shards.iter().map(|shard| shard.is_ours(number)).collect();
            assert_eq!(of.iter().filter(|&&ours| ours).count(), 1, "{number}");
        }
        for (shard, planned) in shards.iter().zip(planned) {
            assert_eq!((1..=30).filter(|&number| shard.is_ours(number)).count() as u64, planned);
        }
        assert_eq!(ledger(5, 3, Shard::WHOLE, None).planned(), 30);
    }

    #[test]
    fn what_is_done_is_not_played_again_and_counts_once() {
        let mut ledger = ledger(3, 2, Shard::WHOLE, None);
        assert_eq!(ledger.next_from(1).unwrap().number, 1);
        let first = ledger.next_from(1).unwrap();
        ledger.add(first.bots, 1, &won([0, 0]));
        ledger.add(first.bots, 1, &won([0, 0]));
        assert_eq!((ledger.played(), ledger.leader()), (1, Some((first.bots.0[0], 1.0))));
        assert_eq!(ledger.next_from(1).unwrap().number, 2);
        ledger.leave_unfinished(2, "worn out");
        assert_eq!(ledger.unfinished().len(), 1);
        ledger.add(ledger.next_from(2).unwrap().bots, 2, &won([0, 0]));
        assert!(ledger.unfinished().is_empty());
    }

    #[test]
    fn a_bot_with_too_many_faults_plays_no_more() {
        let mut ledger = ledger(3, 5, Shard::WHOLE, Some(3));
        assert_eq!(ledger.add(PerSeat([0, 1]), 1, &won([2, 0])), Vec::<usize>::new());
        assert_eq!(ledger.add(PerSeat([2, 0]), 2, &won([0, 1])), [0]);
        assert_eq!(ledger.disqualified(0), Some("3 or more faults"));
        assert_eq!(ledger.add(PerSeat([2, 0]), 3, &won([0, 1])), Vec::<usize>::new());
        let mut number = 1;
        while let Some(fixture) = ledger.next_from(number) {
            assert!(!fixture.bots.0.contains(&0));
            number = fixture.number + 1;
        }
        assert_ne!(ledger.leader().unwrap().0, 0);
    }

    #[test]
    fn leader_has_no_points_from_bots_that_are_out() {
        let mut ledger = ledger(3, 5, Shard::WHOLE, Some(2));
        ledger.add(PerSeat([0, 1]), 1, &won([0, 0]));
        ledger.add(PerSeat([0, 1]), 2, &won([0, 0]));
        ledger.add(PerSeat([2, 0]), 3, &won([0, 0]));
        assert_eq!(ledger.leader(), Some((0, 2.0)));
        ledger.disqualify(1, "too slow", None);
        assert_eq!(ledger.leader(), Some((2, 1.0)));
        assert_eq!((ledger.counted(), ledger.playable()), (1, 5));
        // A match that was still running counts neither.
        ledger.add(PerSeat([0, 1]), 4, &won([0, 0]));
        assert_eq!(ledger.leader(), Some((2, 1.0)));
        assert_eq!(ledger.half_points(0, 1), 6);
        // A round is paired the same, whether that match is there or not.
        let before = |bot, opponent| ledger.half_points_before(bot, opponent, 5);
        assert_eq!((before(0, 1), before(2, 0)), (0, 2));
        ledger.add_bye(0);
        ledger.add_bye(0);
        assert_eq!(ledger.leader(), Some((0, 2.0)));
    }
}
