//! A match as standings see it: who scored what, and who was at fault.

use std::borrow::Cow;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::num::NonZeroU64;

use super::statistics::sprt::Points;
use crate::protocol::{FaultKind, Reason};
use crate::record::{Digest, MatchRecord};
use crate::seat::{PerSeat, Seat};

/// A match without its moves.
#[derive(Clone, Debug)]
pub(super) struct MatchSummary<'a> {
    /// The tournament's identity and the match's number in it.
    pub(super) place: Option<(Digest, NonZeroU64)>,
    /// A digest of each round's game; empty where the record has none.
    pub(super) games: Vec<u64>,
    pub(super) names: [Cow<'a, str>; 2],
    /// One or two.
    pub(super) rounds: Vec<RoundSummary>,
}

/// A round without its moves.
#[derive(Clone, Debug, Hash)]
pub(super) struct RoundSummary {
    pub(super) first: Seat,
    pub(super) score: PerSeat<u8>,
    /// The bot whose fault ended it.
    pub(super) forfeited: Option<Seat>,
    /// All faults, substituted or not.
    pub(super) faults: PerSeat<Faults>,
}

/// How often each kind of fault happened.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub(super) struct Faults([u32; FaultKind::ALL.len()]);

impl Faults {
    pub(super) fn add(&mut self, kind: FaultKind, times: u32) {
        let count = &mut self.0[kind as usize];
        *count = count.saturating_add(times);
    }

    pub(super) fn merge(&mut self, other: &Faults) {
        other.counts().for_each(|(kind, times)| self.add(kind, times));
    }

    /// Takes out what was merged before.
    pub(super) fn subtract(&mut self, other: &Faults) {
        self.0.iter_mut().zip(other.0).for_each(|(own, other)| *own = own.saturating_sub(other));
    }

    /// The kinds that happened, and how often.
    pub(super) fn counts(&self) -> impl Iterator<Item = (FaultKind, u32)> + '_ {
        FaultKind::ALL.into_iter().map(|kind| (kind, self.0[kind as usize])).filter(|(_, n)| *n > 0)
    }
}

impl RoundSummary {
    /// Twice the points of a bot: 2 for a win, 1 for a draw.
    pub(super) fn halves(&self, seat: Seat) -> u8 {
        halves(&self.score[seat], &self.score[!seat])
    }
}

fn halves<T: Ord>(own: &T, other: &T) -> u8 {
    match own.cmp(other) {
        std::cmp::Ordering::Greater => 2,
        std::cmp::Ordering::Equal => 1,
        std::cmp::Ordering::Less => 0,
    }
}

impl MatchSummary<'_> {
    pub(super) fn seeds(&self, seat: Seat) -> u32 {
        self.rounds.iter().map(|round| u32::from(round.score[seat])).sum()
    }

    /// Twice the points of a bot in the match.
    pub(super) fn halves(&self, seat: Seat) -> u8 {
        halves(&self.seeds(seat), &self.seeds(!seat))
    }

    /// The points of a bot in both rounds together; none unless there are two.
    pub(super) fn round_points(&self, seat: Seat) -> Option<Points> {
        let [one, other] = &self.rounds[..] else { return None };
        Points::from_halves(one.halves(seat) + other.halves(seat))
    }

    /// Whether each bot forfeited a round.
    pub(super) fn is_double_fault(&self) -> bool {
        Seat::BOTH.iter().all(|seat| self.rounds.iter().any(|r| r.forfeited == Some(*seat)))
    }

    /// The same for the same bots, results and games, and hardly ever for others.
    pub(super) fn fingerprint(&self) -> u64 {
        let mut hasher = DefaultHasher::new();
        (&self.names, &self.rounds, &self.games).hash(&mut hasher);
        hasher.finish()
    }
}

impl<'a> From<&'a MatchRecord> for MatchSummary<'a> {
    fn from(record: &'a MatchRecord) -> MatchSummary<'a> {
        let rounds = record.rounds.iter().map(|round| {
            let mut faults = PerSeat::<Faults>::default();
            for played in &round.moves {
                if let Some(fault) = &played.substitute {
                    faults[played.bot].add(fault.kind, 1);
                }
            }
            let forfeited = match (&round.result.fault, round.result.reason) {
                (Some(fault), Reason::Fault(kind)) => {
                    faults[fault.bot].add(kind, 1);
                    Some(fault.bot)
                }
                _ => None,
            };
            RoundSummary { first: round.first, score: round.result.score, forfeited, faults }
        });
        let games = record.tournament.iter().flat_map(|place| &place.games);
        MatchSummary {
            place: record.tournament.as_ref().map(|place| (place.id, place.number)),
            games: games.map(|game| game.to_bits()).collect(),
            names: record.bots.0.each_ref().map(|bot| Cow::Borrowed(&*bot.name)),
            rounds: rounds.collect(),
        }
    }
}
