//! Who meets whom in match number n, computed from n alone.

use std::ops::Range;

use serde::{Deserialize, Serialize};

use crate::seat::PerSeat;

/// Most matches of a schedule, so that no number in a file is ever inexact.
pub const MAX_MATCHES: u64 = 1_000_000_000_000;

/// How bots are paired.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Pairings {
    /// Everybody meets everybody.
    RoundRobin,
    /// The first bots each meet all others, and not each other.
    Gauntlet {
        /// How many bots are the first.
        first: usize,
    },
    /// Bots with equal scores meet, nobody twice: from the results so far, see
    /// [`SwissRounds`](super::SwissRounds).
    Swiss,
}

impl Pairings {
    /// The word for it in a configuration.
    pub const fn as_str(self) -> &'static str {
        match self {
            Pairings::RoundRobin => "round-robin",
            Pairings::Gauntlet { .. } => "gauntlet",
            Pairings::Swiss => "swiss",
        }
    }
}

/// A match of the schedule.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Fixture {
    /// Its number, from 1.
    pub number: u64,
    /// The number of its opening, from 1.
    pub opening: u64,
    /// The two bots, by their places in the plan.
    pub bots: PerSeat<usize>,
}

/// Why there is no schedule for these bots.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct NoSchedule(String);

/// The order of all matches. Nothing of it is stored.
///
/// All pairings play opening 1 as often as `repeat` says, then all play opening 2: so every
/// beginning of the schedule is as balanced as can be, and more openings only lengthen it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Schedule {
    pairings: Pairings,
    bots: u64,
    openings: u64,
    repeat: u64,
}

impl Schedule {
    /// The schedule of this many bots; each pairing plays each of the openings (Swiss: rounds)
    /// `repeat` times.
    ///
    /// # Errors
    ///
    /// If there are too few bots for the pairings, or too many matches.
    pub fn new(
        pairings: Pairings,
        bots: usize,
        openings: u64,
        repeat: u64,
    ) -> Result<Schedule, NoSchedule> {
        let no = |why: String| Err(NoSchedule(why));
        match (pairings, bots) {
            (_, 0) => return no("there is no bot; a tournament needs two at least".to_owned()),
            (_, 1) => return no("there is one bot; a tournament needs two at least".to_owned()),
            (Pairings::Gauntlet { first }, bots) if first == 0 || first >= bots => {
                return no(format!(
                    "a gauntlet of the first {first} of {bots} bots has nobody to meet; give 1 to {}",
                    bots - 1
                ));
            }
            (Pairings::Swiss, bots) if openings > most_swiss_rounds(bots) => {
                return no(format!(
                    "{openings} rounds without meeting twice are too many for {bots} bots in a \
                     Swiss tournament; ask for --count {} at most, or a round robin",
                    most_swiss_rounds(bots)
                ));
            }
            _ => {}
        }
        let schedule = Schedule { pairings, bots: bots as u64, openings, repeat };
        let in_cycle = schedule.in_a_cycle();
        let matches = in_cycle.checked_mul(openings).and_then(|all| all.checked_mul(repeat));
        match matches {
            Some(matches) if matches <= MAX_MATCHES => Ok(schedule),
            _ => no(format!("these are more than {MAX_MATCHES} matches; ask for fewer openings")),
        }
    }

    /// The number of matches. In a Swiss tournament it is lower once bots are disqualified.
    pub const fn matches(&self) -> u64 {
        self.in_a_cycle() * self.openings * self.repeat
    }

    /// How many matches have one of the bots at the places for which `is_one` is true. `None` in a
    /// Swiss tournament, where results decide that.
    pub fn matches_of(&self, is_one: impl Fn(usize) -> bool) -> Option<u64> {
        let bots = usize::try_from(self.bots).ok()?;
        let others = |places: Range<usize>| places.filter(|&bot| !is_one(bot)).count() as u64;
        let without = match self.pairings {
            Pairings::RoundRobin => others(0..bots) * others(0..bots).saturating_sub(1) / 2,
            Pairings::Gauntlet { first } => others(0..first) * others(first..bots),
            Pairings::Swiss => return None,
        };
        Some((self.in_a_cycle() - without) * self.openings * self.repeat)
    }

    /// The number of bots.
    pub const fn bots(&self) -> u64 {
        self.bots
    }

    /// How often a pairing plays each opening.
    pub const fn repeat(&self) -> u64 {
        self.repeat
    }

    /// How bots are paired.
    pub const fn pairings(&self) -> Pairings {
        self.pairings
    }

    /// Matches of all pairings with one another, once.
    pub const fn in_a_cycle(&self) -> u64 {
        match self.pairings {
            Pairings::RoundRobin => self.bots * (self.bots - 1) / 2,
            Pairings::Gauntlet { first } => first as u64 * (self.bots - first as u64),
            Pairings::Swiss => self.bots / 2,
        }
    }

    /// The match with this number. `None` beyond the last, and in a Swiss tournament, where results
    /// decide who meets whom.
    #[expect(clippy::cast_possible_truncation, reason = "places of bots are from a usize")]
    pub fn fixture(&self, number: u64) -> Option<Fixture> {
        let index = number.checked_sub(1).filter(|&index| index < self.matches())?;
        let (cycle, within) = (index / self.in_a_cycle(), index % self.in_a_cycle());
        let (one, other, turn) = match self.pairings {
            Pairings::RoundRobin => self.round_robin(within),
            Pairings::Gauntlet { first } => self.gauntlet(within, first as u64),
            Pairings::Swiss => return None,
        };
        let bots = [one as usize, other as usize];
        let swapped = (cycle + turn) % 2 == 1;
        let bots = PerSeat(if swapped { [bots[1], bots[0]] } else { bots });
        Some(Fixture { number, opening: cycle / self.repeat + 1, bots })
    }

    /// The circle method: in each round every bot plays once, or all but one.
    fn round_robin(&self, within: u64) -> (u64, u64, u64) {
        let places = self.bots + self.bots % 2;
        let circle = places - 1;
        let in_a_round = self.bots / 2;
        let round = within / in_a_round;
        // With an odd number of bots the pairing of the fixed place is the bye.
        let slot = within % in_a_round + self.bots % 2;
        if slot == 0 {
            return (circle, round, round);
        }
        ((round + slot) % circle, (round + circle - slot) % circle, slot)
    }

    /// The first bots take turns, each beginning with another opponent.
    fn gauntlet(&self, within: u64, first: u64) -> (u64, u64, u64) {
        let others = self.bots - first;
        let (challenger, step) = (within % first, within / first);
        (challenger, first + (step + challenger) % others, step + challenger)
    }
}

/// The most bots among which a round is only played if enough others can follow it.
const SMALL_FIELD: usize = 20;

pub(super) const fn is_small(bots: usize) -> bool {
    bots <= SMALL_FIELD
}

/// The most rounds of a Swiss tournament: up to here there is always a pairing in which nobody meets
/// an opponent, or sits out, twice. In a small field everybody may meet everybody.
pub const fn most_swiss_rounds(bots: usize) -> u64 {
    if is_small(bots) {
        (bots + bots % 2).saturating_sub(1) as u64
    } else {
        bots.div_ceil(2) as u64
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashMap;

    use super::*;

    fn schedule(pairings: Pairings, bots: usize, openings: u64, repeat: u64) -> Schedule {
        Schedule::new(pairings, bots, openings, repeat).unwrap()
    }

    fn all(schedule: &Schedule) -> Vec<Fixture> {
        (1..=schedule.matches()).map(|number| schedule.fixture(number).unwrap()).collect()
    }

    #[test]
    fn every_pairing_plays_every_opening_as_often_as_asked() {
        for bots in 2..12 {
            let gauntlets = (1..bots).map(|first| Pairings::Gauntlet { first });
            for pairings in gauntlets.chain([Pairings::RoundRobin]) {
                let mut met = HashMap::new();
                let schedule = schedule(pairings, bots, 3, 2);
                for fixture in all(&schedule) {
                    let PerSeat([one, other]) = fixture.bots;
                    let pair = (one.min(other), one.max(other), fixture.opening);
                    *met.entry(pair).or_insert(0) += 1;
                }
                assert!(met.values().all(|&times| times == 2), "{pairings:?} of {bots}");
                for (one, other, opening) in met.keys().copied() {
                    assert!(one < other && other < bots && (1..=3).contains(&opening));
                    if let Pairings::Gauntlet { first } = pairings {
                        assert!(one < first && other >= first);
                    }
                }
                let pairs = schedule.in_a_cycle() * 3;
                assert_eq!(met.len() as u64, pairs, "{pairings:?} of {bots}");
            }
        }
    }

    #[test]
    fn every_beginning_of_a_round_robin_is_balanced() {
        for bots in 2..12 {
            let mut played = vec![0_u32; bots];
            for fixture in all(&schedule(Pairings::RoundRobin, bots, 2, 1)) {
                for seat in fixture.bots.0 {
                    played[seat] += 1;
                }
                let (least, most) = (played.iter().min().unwrap(), played.iter().max().unwrap());
                assert!(most - least <= 2, "{bots} bots after match {}", fixture.number);
            }
        }
    }

    #[test]
    fn a_pairing_takes_turns_at_beginning() {
        for pairings in [Pairings::RoundRobin, Pairings::Gauntlet { first: 2 }] {
            let schedule = schedule(pairings, 7, 4, 1);
            let cycle = schedule.in_a_cycle();
            for number in 1..=cycle {
                let [now, next] = [number, number + cycle].map(|n| schedule.fixture(n).unwrap());
                assert_eq!(now.bots.0[0], next.bots.0[1]);
                assert_eq!((now.opening, next.opening), (1, 2));
            }
        }
    }

    #[test]
    fn more_openings_only_lengthen_a_schedule() {
        let short = schedule(Pairings::RoundRobin, 5, 3, 2);
        let long = schedule(Pairings::RoundRobin, 5, 9, 2);
        let short_ones = all(&short);
        assert_eq!(short_ones, all(&long)[..short_ones.len()]);
        assert_eq!(short.fixture(0), None);
        assert_eq!(short.fixture(short.matches() + 1), None);
    }

    #[test]
    fn matches_of_some_bots_are_counted() {
        for (pairings, count, repeat) in [
            (Pairings::RoundRobin, 20, 3),
            (Pairings::Gauntlet { first: 2 }, 4, 1),
            (Pairings::Gauntlet { first: 4 }, 1, 2),
        ] {
            let schedule = schedule(pairings, 5, count, repeat);
            for places in [&[][..], &[0], &[4], &[2, 0], &[0, 1, 2, 3, 4]] {
                let is_one = |bot: &usize| places.contains(bot);
                let counted =
                    all(&schedule).iter().filter(|it| it.bots.0.iter().any(is_one)).count();
                let found = schedule.matches_of(|bot| is_one(&bot));
                assert_eq!(found, Some(counted as u64), "{pairings:?} {places:?}");
            }
        }
        assert_eq!(schedule(Pairings::Swiss, 5, 3, 1).matches_of(|_| true), None);
    }

    #[test]
    fn ten_million_matches_take_no_time_and_no_memory() {
        let schedule = schedule(Pairings::RoundRobin, 60, 5650, 1);
        assert_eq!(schedule.matches(), 10_000_500);
        assert_eq!(schedule.fixture(10_000_500).unwrap().opening, 5650);
        assert!(size_of::<Schedule>() <= 64);
    }

    #[test]
    fn what_cannot_be_scheduled_says_why() {
        let why = |pairings, bots, openings, repeat| {
            Schedule::new(pairings, bots, openings, repeat).unwrap_err().to_string()
        };
        assert!(why(Pairings::RoundRobin, 0, 1, 1).contains("no bot"));
        assert!(why(Pairings::RoundRobin, 1, 1, 1).contains("one bot"));
        assert!(why(Pairings::Gauntlet { first: 3 }, 3, 1, 1).contains("nobody to meet"));
        assert!(why(Pairings::Swiss, 4, 4, 1).contains("--count 3"));
        assert!(why(Pairings::Swiss, 5, 6, 1).contains("--count 5"));
        assert!(why(Pairings::Swiss, 60, 31, 1).contains("--count 30"));
        assert!(why(Pairings::RoundRobin, 60_000, 1_000_000, 1_000_000).contains("more than"));
    }
}
