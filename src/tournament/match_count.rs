//! How many matches of a tournament count or can still count: those of disqualified bots cannot.

use std::collections::HashMap;

use crate::contest::Schedule;
use crate::record::Shard;

/// How many matches of a part of a schedule count, played or not, if the bots for which `is_disqualified` is
/// true are disqualified; not of a Swiss tournament, where that depends on when they were.
pub(super) fn playable(
    schedule: &Schedule,
    shard: Shard,
    is_disqualified: impl Fn(usize) -> bool,
) -> u64 {
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

/// How many of this many matches are a shard's.
pub const fn shard_of(shard: Shard, matches: u64) -> u64 {
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
