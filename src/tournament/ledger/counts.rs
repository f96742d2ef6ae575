//! How many matches there are to play, how many will stay missing, and how many count or can still
//! count: those of disqualified bots cannot.

use std::collections::HashMap;

use super::Ledger;
use crate::contest::{Pairings, Schedule};
use crate::record::Shard;

impl Ledger {
    /// Whether the test has decided.
    pub(crate) fn has_decided(&self) -> bool {
        self.sprt.as_ref().is_some_and(|sprt| sprt.decided().is_some())
    }

    /// Whether `--update` can go on with it after bots have changed.
    pub(crate) fn can_be_updated(&self) -> bool {
        let is_swiss = self.schedule.pairings == Pairings::Swiss;
        !is_swiss && self.sprt.is_none() && self.shard == Shard::WHOLE && !self.lacks_versions
    }

    pub(crate) fn has_changed_bot(&self) -> bool {
        !self.changed.is_empty()
    }

    /// How many matches of this run count, played or not.
    pub(crate) fn playable(&self) -> u64 {
        if self.schedule.pairings == Pairings::Swiss {
            let left = self.disqualified.iter().map(|(&bot, it)| (bot, it.after));
            let open = self.schedule.open_in_swiss(&self.swiss_round, left);
            return self.counted + open;
        }
        let is_disqualified = |bot| self.disqualified.contains_key(&bot);
        playable(&self.schedule, self.shard, is_disqualified) - self.missing_of_stopped()
    }

    /// How many matches are missing because a bot plays no more in this run.
    fn missing_of_stopped(&self) -> u64 {
        let is_disqualified = |bot: usize| self.disqualified.contains_key(&bot);
        self.missing_of(|bot| self.is_stopped(bot), is_disqualified)
    }

    /// How many matches of these bots, against all but those left out, are missing. 0 in a shard and in
    /// a Swiss tournament, and while no bot was stopped or has changed.
    fn missing_of(
        &self,
        is_theirs: impl Fn(usize) -> bool,
        is_left_out: impl Fn(usize) -> bool,
    ) -> u64 {
        if (self.stopped.is_empty() && self.changed.is_empty()) || self.shard != Shard::WHOLE {
            return 0;
        }
        let planned =
            self.schedule.matches_of(|bot| is_left_out(bot) || is_theirs(bot)).unwrap_or(0)
                - self.schedule.matches_of(&is_left_out).unwrap_or(0);
        let played = self.against.iter().filter(|&(&(one, other), _)| {
            let are_theirs = (is_theirs(one) || is_theirs(other)) && one < other;
            are_theirs && !is_left_out(one) && !is_left_out(other)
        });
        planned.saturating_sub(played.map(|(_, (_, matches))| matches).sum())
    }

    /// Whether this run leaves matches unplayed that it was to play: they were given up, or a bot of
    /// theirs has changed.
    pub(crate) fn leaves_matches(&self) -> bool {
        !self.unfinished.is_empty() || self.has_changed_bot()
    }

    /// How many matches of bots that have changed are missing. 0 in a shard and in a Swiss tournament.
    pub(crate) fn missing_of_changed(&self) -> u64 {
        let is_changed = |bot: usize| self.changed.contains(&bot);
        self.missing_of(is_changed, |bot| {
            self.disqualified.contains_key(&bot) || self.stopped.contains(&bot)
        })
    }

    /// How many matches a bot has played, and how many are planned for it.
    pub(crate) fn played_and_planned(&self, bot: usize) -> (u64, u64) {
        let of_bot = self.against.iter().filter(|((one, _), _)| *one == bot);
        let played = of_bot.map(|(_, (_, matches))| matches).sum();
        (played, self.schedule.matches_of(|other| other == bot).unwrap_or(played))
    }

    /// Whether a bot plays in this run, as far as is known by now.
    pub(crate) fn plays(&self, bot: usize) -> bool {
        !self.disqualified.contains_key(&bot) && !self.is_stopped(bot)
    }
}

/// How many matches of a part of a schedule count, played or not, if the bots for which `is_disqualified` is
/// true are disqualified; not of a Swiss tournament, where that depends on when they were.
fn playable(schedule: &Schedule, shard: Shard, is_disqualified: impl Fn(usize) -> bool) -> u64 {
    let (in_a_cycle, planned) = (schedule.in_a_cycle(), shard_of(shard, schedule.matches()));
    if shard == Shard::WHOLE {
        return planned - schedule.matches_of(is_disqualified).unwrap_or(0).min(planned);
    }
    // Pairing `w` of cycle `c` is match `c * in_a_cycle + w`. For each remainder of `w` that makes
    // the match the shard's, the first cycle; the others follow after `period` cycles each.
    let count = u64::from(shard.count());
    let cycles = schedule.matches() / in_a_cycle;
    let period = count / greatest_common_divisor(in_a_cycle, count);
    let remainder = |number: u64| (u64::from(shard.index()) + count - number % count) % count;
    let first_cycles: HashMap<u64, u64> = (0..period.min(cycles))
        .map(|cycle| (remainder(cycle * (in_a_cycle % count)), cycle))
        .collect();
    let of_pairing = |number: u64| {
        let fixture = schedule.fixture(number)?;
        let is_lost = fixture.bots.0.iter().any(|bot| is_disqualified(*bot));
        let first = first_cycles.get(&(number % count)).filter(|_| is_lost)?;
        Some((cycles - first).div_ceil(period))
    };
    planned - (1..=in_a_cycle).filter_map(of_pairing).sum::<u64>()
}

/// How many of `matches` are a shard's.
pub(crate) const fn shard_of(shard: Shard, matches: u64) -> u64 {
    let count = shard.count() as u64;
    matches / count + (matches % count >= shard.index() as u64) as u64
}

const fn greatest_common_divisor(one: u64, other: u64) -> u64 {
    if other == 0 { one } else { greatest_common_divisor(other, one % other) }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::contest::Pairings;

    proptest! {
        #[test]
        fn matches_that_can_be_played_are_counted_as_by_hand(
            bots in 2_usize..8,
            gauntlet in proptest::option::of(1_usize..3),
            openings in 1_u64..9,
            repeat in 1_u64..3,
            (index, count) in (1_u32..6).prop_flat_map(|count| (1..=count, Just(count))),
            out in proptest::collection::vec(0_usize..8, 0..4),
        ) {
            let pairings = match gauntlet {
                Some(first) if first < bots => Pairings::Gauntlet { first },
                _ => Pairings::RoundRobin,
            };
            let schedule = Schedule::new(pairings, bots, openings, repeat).unwrap();
            let shard = Shard::new(index, count).unwrap();
            let counts = |number: &u64| {
                let is_ours = number % u64::from(count) == u64::from(index % count);
                let fixture = schedule.fixture(*number).unwrap();
                is_ours && !fixture.bots.0.iter().any(|bot| out.contains(bot))
            };
            let expected = (1..=schedule.matches()).filter(counts).count() as u64;
            let found = playable(&schedule, shard, |bot| out.contains(&bot));
            prop_assert_eq!(found, expected);
        }
    }
}
