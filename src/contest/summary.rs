//! A match without its moves: who scored what, and who was at fault.

use std::borrow::Cow;
use std::cmp::Ordering;
use std::num::NonZeroU64;

use crate::protocol::FaultKind;
use crate::record::Digest;
use crate::seat::{PerSeat, Seat};

/// A match without its moves.
#[derive(Clone, Debug)]
pub struct MatchSummary<'a> {
    /// The tournament's id and the match's number in it; `None` for a match of no tournament.
    pub place: Option<(Digest, NonZeroU64)>,
    /// A digest of each round's game; empty if the record has none.
    pub games: Vec<u64>,
    /// The bots' names, in the order of their seats.
    pub names: [Cow<'a, str>; 2],
    /// What the bots were made of, if the record says it.
    pub versions: [Option<Digest>; 2],
    /// One or two.
    pub rounds: Vec<RoundSummary>,
}

/// A round without its moves.
#[derive(Clone, Debug)]
pub struct RoundSummary {
    /// Who moved first.
    pub first: Seat,
    /// Seeds of each bot.
    pub score: PerSeat<u8>,
    /// The bot whose fault ended it.
    pub forfeited: Option<Seat>,
    /// All faults, substituted or not.
    pub faults: PerSeat<FaultCounts>,
}

/// How often each kind of fault happened.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct FaultCounts([u32; FaultKind::ALL.len()]);

impl FaultCounts {
    pub fn add(&mut self, kind: FaultKind, faults: u32) {
        let count = &mut self.0[kind as usize];
        *count = count.saturating_add(faults);
    }

    /// Adds all of `other`.
    pub fn merge(&mut self, other: &FaultCounts) {
        other.counts().for_each(|(kind, faults)| self.add(kind, faults));
    }

    /// The kinds that happened, each with its count.
    pub fn counts(&self) -> impl Iterator<Item = (FaultKind, u32)> + '_ {
        FaultKind::ALL.into_iter().map(|kind| (kind, self.0[kind as usize])).filter(|(_, n)| *n > 0)
    }

    /// Faults of all kinds.
    pub fn total(&self) -> u32 {
        self.0.iter().fold(0, |sum, &count| sum.saturating_add(count))
    }
}

impl RoundSummary {
    /// Twice the points of a bot: 2 for a win, 1 for a draw.
    pub fn halves(&self, seat: Seat) -> u8 {
        halves(&self.score[seat], &self.score[!seat])
    }
}

/// Twice the points of the side with `own` seeds: 2 for a win, 1 for a draw.
pub fn halves<T: Ord>(own: &T, other: &T) -> u8 {
    match own.cmp(other) {
        Ordering::Greater => 2,
        Ordering::Equal => 1,
        Ordering::Less => 0,
    }
}

impl MatchSummary<'_> {
    /// Gives the bots `names`, where there are any.
    pub fn rename(&mut self, names: [Option<&str>; 2]) {
        for (name, new) in self.names.iter_mut().zip(names) {
            if let Some(new) = new.filter(|new| *new != *name) {
                *name = Cow::Owned(new.to_owned());
            }
        }
    }

    /// Seeds of a bot in all rounds.
    pub fn seeds(&self, seat: Seat) -> u32 {
        self.rounds.iter().map(|round| u32::from(round.score[seat])).sum()
    }

    /// Twice the points of a bot in the match: 2 for a win, 1 for a draw.
    pub fn halves(&self, seat: Seat) -> u8 {
        halves(&self.seeds(seat), &self.seeds(!seat))
    }

    /// The winner; `None` after a draw.
    pub fn winner(&self) -> Option<Seat> {
        Seat::BOTH.into_iter().find(|&seat| self.halves(seat) == 2)
    }

    /// Twice the points of a bot in the rounds, 0 to 4; `None` unless there are two rounds.
    pub fn round_halves(&self, seat: Seat) -> Option<u8> {
        let [one, other] = &self.rounds[..] else { return None };
        Some(one.halves(seat) + other.halves(seat))
    }

    /// Faults of a bot, substituted or not.
    pub fn faults(&self, seat: Seat) -> u32 {
        self.rounds.iter().map(|round| round.faults[seat].total()).fold(0, u32::saturating_add)
    }
}
