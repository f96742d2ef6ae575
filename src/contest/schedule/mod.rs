//! Who meets whom in match number n, computed from n alone.

mod swiss_round;

use std::collections::HashSet;
use std::ops::Range;
use std::sync::Arc;

use serde::{Deserialize, Serialize};

pub use self::swiss_round::SwissRoundState;
use crate::PlannedBot;
use crate::record::Digest;
use crate::seat::PerSeat;

/// Most matches of a schedule, so that no number in a file is ever inexact.
pub(crate) const MAX_MATCHES: u64 = 1_000_000_000_000;

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
    pub(crate) const fn as_str(self) -> &'static str {
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

/// The order of all matches. None of it is stored.
///
/// All pairings play opening 1 as often as `repeat` says, then all play opening 2: so every
/// beginning of the schedule is as balanced as can be, and more openings only lengthen it.
///
/// A pairing's two bots take turns at being the first. Who is first in its first match follows from
/// their names and the seed, so that it stays as it is when other bots come, go or change places.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Schedule {
    pub pairings: Pairings,
    bots: u64,
    openings: u64,
    repeat: u64,
    /// A number made of each bot's name and the seed, and the number of its version. `None`: who is
    /// first follows from the bots' places, as in plans of the first versions of this program.
    name_keys: Option<Arc<[(u64, u32)]>>,
}

impl Schedule {
    /// The schedule of `bots` bots; each pairing plays each of the openings (Swiss: rounds)
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
    ) -> Result<Schedule, String> {
        match (pairings, bots) {
            (_, 0) => return Err("a tournament needs at least two bots; there are none".to_owned()),
            (_, 1) => {
                return Err("a tournament needs at least two bots; there is only one".to_owned());
            }
            (Pairings::Gauntlet { first }, bots) if first == 0 || first >= bots => {
                let fewer = if bots == 2 { "1".to_owned() } else { format!("1 to {}", bots - 1) };
                return Err(format!(
                    "in a gauntlet of the first {first} of {bots} bots these have nobody to meet; give \
                     {fewer}"
                ));
            }
            (Pairings::Swiss, bots) if openings > most_swiss_rounds(bots) => {
                return Err(format!(
                    "{openings} rounds without meeting twice are too many for {bots} bots in a \
                     Swiss tournament; ask for --count {} at most, or a round robin",
                    most_swiss_rounds(bots)
                ));
            }
            _ => {}
        }
        let schedule = Schedule { pairings, bots: bots as u64, openings, repeat, name_keys: None };
        let in_cycle = schedule.in_a_cycle();
        let matches = in_cycle.checked_mul(openings).and_then(|all| all.checked_mul(repeat));
        match matches {
            Some(matches) if matches <= MAX_MATCHES => Ok(schedule),
            _ => Err(format!("these are more than {MAX_MATCHES} matches; ask for fewer openings")),
        }
    }

    /// The same matches, but who is first in a pairing follows from the bots' names, and between two
    /// versions of a bot from their age. The bots are in the order of their places.
    pub(crate) fn by_names(self, bots: &[PlannedBot], seed: u64) -> Schedule {
        let key = |name: &str| Digest::of(format!("{seed} {name}").as_bytes()).to_bits();
        let keys = bots.iter().map(|bot| (key(bot.drawn_name()), bot.version_number()));
        Schedule { name_keys: Some(keys.collect()), ..self }
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

    /// How many matches of a Swiss tournament are still to be played: those of the round that was
    /// paired last, and those of later rounds. `left` says for each bot that plays no more after which
    /// match it left. In the round in which it did, the others play as they were paired; if it has not
    /// played in that round, its opponent is taken to be a bot that still plays.
    pub fn open_in_swiss(
        &self,
        SwissRoundState { round, byes, played, met }: &SwissRoundState,
        left: impl Iterator<Item = (usize, u64)>,
    ) -> u64 {
        let first = round.saturating_sub(1).saturating_mul(self.in_a_round()).saturating_add(1);
        let (before, now): (Vec<_>, Vec<_>) = left.partition(|(_, after)| *after < first);
        let [before, now] =
            [before, now].map(|left| left.into_iter().map(|(bot, _)| bot).collect::<Vec<usize>>());
        let is_broken = |pair: &&[usize; 2]| pair.iter().any(|bot| now.contains(bot));
        let cut_short = played.keys().filter(is_broken).count();
        let unpaired = now.iter().filter(|bot| !played.keys().any(|pair| pair.contains(bot)));
        // In these no match is to come.
        let broken = (cut_short + unpaired.count()) as u64;
        let whole = || played.iter().filter(|(pair, _)| !is_broken(pair));
        let out = before.len() as u64 + byes;
        let pairs = if *round == 0 {
            0
        } else {
            (self.bots.saturating_sub(out) / 2).saturating_sub(broken)
        };
        let open = (pairs * self.repeat).saturating_sub(whole().map(|(_, matches)| matches).sum());
        let gone: HashSet<usize> = before.into_iter().chain(now.iter().copied()).collect();
        let still_play = |pair: &&[usize; 2]| !pair.iter().any(|bot| gone.contains(bot));
        let met = met.iter().filter(still_play).count() as u64;
        // These are to meet in this round.
        let met = met + pairs.saturating_sub(whole().count() as u64);
        let playing = self.bots.saturating_sub(gone.len() as u64);
        open + self.never_paired(*round, playing, met)
    }

    /// The most matches of a Swiss tournament in the rounds after `round`: `playing` bots are left, and
    /// `met` pairs of them have met by then. Nobody meets an opponent twice. There may be fewer
    /// matches, since who can meet in one round depends on who has met whom.
    pub fn never_paired(&self, round: u64, playing: u64, met: u64) -> u64 {
        let pairs = playing * playing.saturating_sub(1) / 2;
        let rounds = self.openings.saturating_sub(round);
        (rounds * (playing / 2)).min(pairs.saturating_sub(met)) * self.repeat
    }

    /// The round of a Swiss tournament that match `number` is of, from 1; 0 for match 0.
    pub fn round_of(&self, number: u64) -> u64 {
        number.div_ceil(self.in_a_round())
    }

    /// How many numbers of matches a round of a Swiss tournament has.
    fn in_a_round(&self) -> u64 {
        (self.in_a_cycle() * self.repeat).max(1)
    }

    /// Matches of all pairings with one another, once.
    pub const fn in_a_cycle(&self) -> u64 {
        match self.pairings {
            Pairings::RoundRobin => self.bots * (self.bots - 1) / 2,
            Pairings::Gauntlet { first } => first as u64 * (self.bots - first as u64),
            Pairings::Swiss => self.bots / 2,
        }
    }

    /// The match with the number `number`. `None` beyond the last, and in a Swiss tournament, where results
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
        let turn = self.name_keys.as_ref().map_or(turn, |keys| first_turn(bots.map(|it| keys[it])));
        let swapped = (cycle % 2 + turn) % 2 == 1;
        let bots = PerSeat(if swapped { [bots[1], bots[0]] } else { bots });
        Some(Fixture { number, opening: cycle / self.repeat + 1, bots })
    }

    /// The number of the match that these two bots play in a cycle, from 0: the match that
    /// [`Schedule::fixture`] has under that number. `None` if they do not meet, and in a Swiss
    /// tournament. A cycle may be beyond the last.
    pub fn number_of(&self, bots: [usize; 2], cycle: u64) -> Option<u64> {
        let [one, other] = bots.map(|bot| bot as u64);
        if one == other || one.max(other) >= self.bots {
            return None;
        }
        let within = match self.pairings {
            Pairings::RoundRobin => self.place_in_round_robin(one, other),
            Pairings::Gauntlet { first } => {
                let first = first as u64;
                let (challenger, opponent) = (one.min(other), one.max(other));
                if challenger >= first || opponent < first {
                    return None;
                }
                let others = self.bots - first;
                let step = (opponent - first + others - challenger % others) % others;
                step * first + challenger
            }
            Pairings::Swiss => return None,
        };
        Some(cycle * self.in_a_cycle() + within + 1)
    }

    /// The cycle, from 0, to which a match belongs: as many matches of its pairing come before it.
    pub const fn cycle_of(&self, number: u64) -> u64 {
        number.saturating_sub(1) / self.in_a_cycle()
    }

    /// The place of a pairing in each cycle, from 0: the inverse of [`Schedule::round_robin`].
    fn place_in_round_robin(&self, one: u64, other: u64) -> u64 {
        let circle = self.bots + self.bots % 2 - 1;
        let (low, high) = (one.min(other), one.max(other));
        let (round, slot) = if high == circle {
            (low, 0)
        } else {
            // The two are as far from the round's number, on either side; half of 1 is this number.
            let round = (low + high) % circle * circle.div_ceil(2) % circle;
            let distance = (low + circle - round) % circle;
            (round, distance.min(circle - distance))
        };
        round * (self.bots / 2) + slot - self.bots % 2
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

/// 1 if the second of a pairing with these keys is first in its first match, 0 if the first is.
/// Whichever way round the keys are given, it is the same bot: the older of two versions.
fn first_turn([(one, version), (other, other_version)]: [(u64, u32); 2]) -> u64 {
    let is_lower_first = u64::from((one ^ other).count_ones() % 2);
    if one == other {
        u64::from(other_version < version)
    } else {
        u64::from(one < other) ^ is_lower_first
    }
}

/// The most bots among which a round is only played if enough others can follow it.
const SMALL_FIELD: usize = 20;

pub(super) const fn is_small(bots: usize) -> bool {
    bots <= SMALL_FIELD
}

/// The most rounds of a Swiss tournament: up to here there is always a pairing in which nobody meets
/// an opponent, or sits out, twice. In a small field everybody may meet everybody.
pub(crate) const fn most_swiss_rounds(bots: usize) -> u64 {
    if is_small(bots) {
        (bots + bots % 2).saturating_sub(1) as u64
    } else {
        bots.div_ceil(2) as u64
    }
}

#[cfg(test)]
mod tests;
