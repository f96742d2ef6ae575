//! A match of a tournament as it is kept until the table is made: 40 bytes.

use crate::contest::{MatchSummary, halves};
use crate::seat::Seat;

/// A match of a tournament: what was played, the result, where it stands.
#[derive(Clone, Copy, Debug)]
pub(super) struct StoredMatch {
    /// The digest of each round's game; 0 if the record has none.
    pub(super) games: [u64; 2],
    pub(super) number: u32,
    /// The number of the pair of bots.
    pub(super) pair: u32,
    /// The number of the faults of both, among all different ones.
    pub(super) faults: u32,
    pub(super) line: u32,
    /// The tournament and the file.
    pub(super) source: u16,
    pub(super) result: StoredResult,
}

impl StoredMatch {
    /// Whether both are the same match with the same outcome.
    pub(super) fn is_same(&self, other: &StoredMatch) -> bool {
        let content = |of: &StoredMatch| (of.games, of.pair, of.faults, of.result);
        content(self) == content(other)
    }
}

/// The result of a match in 5 bytes. What belongs to one bot stands in the order of the bots'
/// numbers: 0 is the lower one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct StoredResult {
    scores: [[u8; 2]; 2],
    /// [`TWO_ROUNDS`], [`SWAPPED`], then three bits a round: whether bot 0 began, and who
    /// forfeited: 0 for nobody, 1 and 2 for bot 0 and 1, [`SUBSTITUTED`] if nobody did and a move was
    /// substituted.
    flags: u8,
}

const TWO_ROUNDS: u8 = 1;
const SWAPPED: u8 = 2;
const SUBSTITUTED: u8 = 3;

/// A round of a [`StoredResult`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct StoredRound {
    pub(super) score: [u8; 2],
    /// The bot that began.
    pub(super) first: usize,
    /// The bot whose fault ended it.
    pub(super) forfeited: Option<usize>,
    /// Whether it was forfeited or had substituted moves.
    pub(super) is_spoilt: bool,
}

impl StoredResult {
    /// `low` is the seat of the bot with the lower number.
    pub(super) fn new(summary: &MatchSummary, low: Seat) -> StoredResult {
        let swapped = if low == Seat::A { 0 } else { SWAPPED };
        let mut result = StoredResult { scores: [[0; 2]; 2], flags: swapped };
        for (index, round) in summary.rounds.iter().take(2).enumerate() {
            result.scores[index] = [round.score[low], round.score[!low]];
            let has_faults = Seat::BOTH.iter().any(|seat| round.faults[*seat].total() > 0);
            let forfeited = match round.forfeited {
                None if has_faults => SUBSTITUTED,
                None => 0,
                Some(seat) => 1 + u8::from(seat != low),
            };
            let bits = u8::from(round.first == low) | forfeited << 1;
            result.flags |= bits << (2 + 3 * index);
            if index == 1 {
                result.flags |= TWO_ROUNDS;
            }
        }
        result
    }

    /// The same with the two bots in the other order.
    pub(super) fn turned(self) -> StoredResult {
        let scores = self.scores.map(|[one, other]| [other, one]);
        let mut turned = StoredResult { scores, flags: self.flags ^ SWAPPED };
        for index in 0..self.rounds().count() {
            let bits = self.flags >> (2 + 3 * index) & 7;
            let forfeited = [0, 2, 1, SUBSTITUTED][usize::from(bits >> 1)];
            turned.flags &= !(7 << (2 + 3 * index));
            turned.flags |= (bits & 1 ^ 1 | forfeited << 1) << (2 + 3 * index);
        }
        turned
    }

    /// The rounds: one or two.
    pub(super) fn rounds(self) -> impl Iterator<Item = StoredRound> {
        let rounds = 1 + usize::from(self.flags & TWO_ROUNDS);
        (0..rounds).map(move |index| {
            let bits = self.flags >> (2 + 3 * index);
            let forfeited = bits >> 1 & 3;
            StoredRound {
                score: self.scores[index],
                first: usize::from(bits & 1 == 0),
                forfeited: usize::from(forfeited % SUBSTITUTED).checked_sub(1),
                is_spoilt: forfeited > 0,
            }
        })
    }

    /// Twice the points of bot 0 in both rounds together, 0 to 4; `None` unless there are two.
    pub(super) fn halves_of_two(self) -> Option<u8> {
        (self.flags & TWO_ROUNDS > 0).then(|| self.rounds().map(|round| round.halves(0)).sum())
    }
}

/// The two in the other order if `is_turned`.
pub(super) fn turned_if<T>(is_turned: bool, [one, other]: [T; 2]) -> [T; 2] {
    if is_turned { [other, one] } else { [one, other] }
}

impl StoredRound {
    /// Twice the points of a bot: 2 for a win, 1 for a draw.
    pub(super) fn halves(&self, bot: usize) -> u8 {
        halves(&self.score[bot], &self.score[1 - bot])
    }
}

#[cfg(test)]
mod tests {
    use std::borrow::Cow;

    use proptest::prelude::*;

    use super::*;
    use crate::contest::{FaultCounts, RoundSummary};
    use crate::protocol::FaultKind;
    use crate::seat::PerSeat;

    fn any_round() -> impl Strategy<Value = RoundSummary> {
        let seat = || any::<bool>().prop_map(|is_b| if is_b { Seat::B } else { Seat::A });
        (seat(), any::<[u8; 2]>(), proptest::option::of(seat()), 0_u32..2).prop_map(
            |(first, score, forfeited, substituted)| {
                let mut faults = PerSeat::<FaultCounts>::default();
                faults[first].add(FaultKind::Timeout, substituted);
                RoundSummary { first, score: PerSeat(score), forfeited, faults }
            },
        )
    }

    proptest! {
        #[test]
        fn a_result_is_kept_whole(rounds in proptest::collection::vec(any_round(), 1..3)) {
            let names = [Cow::Borrowed("a"), Cow::Borrowed("b")];
            let summary =
                MatchSummary { place: None, games: Vec::new(), names, versions: [None; 2], rounds };
            for low in [Seat::A, Seat::B] {
                let number = |seat: Seat| usize::from(seat != low);
                let expected: Vec<StoredRound> = summary.rounds.iter().map(|round| StoredRound {
                    score: [round.score[low], round.score[!low]],
                    first: number(round.first),
                    forfeited: round.forfeited.map(number),
                    is_spoilt: round.forfeited.is_some() || round.faults[round.first].total() > 0,
                }).collect();
                let stored = StoredResult::new(&summary, low);
                prop_assert_eq!(stored.rounds().collect::<Vec<_>>(), expected);
                prop_assert_eq!(stored.halves_of_two().is_some(), summary.rounds.len() == 2);
                prop_assert_eq!(stored.turned(), StoredResult::new(&summary, !low));
            }
        }
    }

    #[test]
    fn a_match_takes_forty_bytes() {
        assert_eq!(size_of::<StoredMatch>(), 40);
    }
}
