//! What is known of a tournament: its plan, which of its matches were seen, its test.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use super::statistics::sprt::{Sprt, Verdict};
use super::tally::PairTally;
use super::times::Times;
use crate::contest::{PlanFields, Schedule};
use crate::record::Digest;
use crate::seat::PerSeat;

#[derive(Clone, Debug)]
pub(super) struct Tournament {
    pub(super) id: Digest,
    /// From its header; `None` if only matches of it were seen.
    pub(super) plan: Option<PlanFields>,
    pub(super) shards: BTreeSet<(u32, u32)>,
    /// The numbers of its matches, 64 to a word.
    pub(super) seen: HashMap<u64, u64>,
    pub(super) unfinished: BTreeMap<u64, String>,
    /// Names and reasons.
    pub(super) disqualified: BTreeMap<String, String>,
    /// Bots that had no opponent, and when: the number of a match, or words.
    pub(super) byes: BTreeSet<(String, Option<u64>, String)>,
    pub(super) sprt: Option<Sprt>,
    /// With a test: matches beyond its prefix, which may turn out to be beyond its decision.
    pub(super) ahead: BTreeMap<u64, Ahead>,
}

/// A match beyond the prefix of a test.
#[derive(Clone, Debug)]
pub(super) struct Ahead {
    pub(super) pair: u32,
    pub(super) tally: PairTally,
    pub(super) times: Option<([u32; 2], PerSeat<Times>)>,
}

/// The decision of a test, and the matches beyond it.
#[derive(Clone, Debug)]
pub(super) struct Stop {
    /// The test, with all that counts.
    pub(super) sprt: Sprt,
    pub(super) decided: Option<(u64, Verdict)>,
}

impl Tournament {
    pub(super) fn new(id: Digest) -> Tournament {
        Tournament {
            id,
            plan: None,
            shards: BTreeSet::new(),
            seen: HashMap::new(),
            unfinished: BTreeMap::new(),
            disqualified: BTreeMap::new(),
            byes: BTreeSet::new(),
            sprt: None,
            ahead: BTreeMap::new(),
        }
    }

    /// The order of its matches, if its plan is known.
    pub(super) fn schedule(&self) -> Option<Schedule> {
        self.plan.as_ref()?.schedule().ok()
    }

    /// Whether it is the first match of this number.
    pub(super) fn see(&mut self, number: u64) -> bool {
        let word = self.seen.entry(number / 64).or_default();
        let bit = 1 << (number % 64);
        let is_new = *word & bit == 0;
        *word |= bit;
        is_new
    }

    pub(super) fn has_seen(&self, number: u64) -> bool {
        self.seen.get(&(number / 64)).is_some_and(|word| word & (1 << (number % 64)) != 0)
    }

    /// The highest number seen; 0 if none was.
    pub(super) fn highest(&self) -> u64 {
        let last = self.seen.iter().max_by_key(|(word, _)| **word);
        last.map_or(0, |(word, bits)| word * 64 + u64::from(bits.ilog2()))
    }

    /// How many of its matches have a number up to this one.
    pub(super) fn seen_up_to(&self, last: u64) -> u64 {
        let count = |(word, bits): (&u64, &u64)| {
            let first = word * 64;
            let kept = match last.saturating_add(1).saturating_sub(first) {
                0 => 0,
                kept @ 1..64 => bits & ((1 << kept) - 1),
                _ => *bits,
            };
            u64::from(kept.count_ones())
        };
        self.seen.iter().map(count).sum()
    }

    /// Its test, if it has one, with matches that stay unfinished passed over.
    pub(super) fn stop(&self) -> Option<Stop> {
        let mut sprt = self.sprt.clone()?;
        for &number in self.unfinished.keys().filter(|number| !self.has_seen(**number)) {
            sprt.add(number, None);
        }
        let decided = sprt.decided();
        Some(Stop { sprt, decided })
    }
}
