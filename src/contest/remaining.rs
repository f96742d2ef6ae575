//! The rounds that a small Swiss tournament can still play: in each of them everybody has an
//! opponent, and in all of them together nobody meets anybody twice.

/// A round: who meets whom, each pair in order, and the pairs too.
pub(super) type Pairs = Vec<(usize, usize)>;

/// How many pairs are tried for other rounds to remain: some hundredths of a second. In games of
/// chance of up to 20 bots it was enough wherever half of the rounds or more were still to come.
const TRIES: u32 = 400_000;

/// Rounds that can still be played, whatever else is. In an odd field there is one more place than
/// there are bots: who meets nobody's sits out.
#[derive(Clone, Debug)]
pub(super) struct Remaining {
    rounds: Vec<Pairs>,
}

impl Remaining {
    /// The rounds of an even number of places, at most 32, in which everybody meets everybody: by
    /// the circle method.
    pub(super) fn all(places: usize) -> Remaining {
        let circle = places - 1;
        let round = |first: usize| {
            let pair = |step| ((first + step) % circle, (first + circle - step) % circle);
            ordered((1..places / 2).map(pair).chain([(first, circle)]))
        };
        Remaining { rounds: (0..circle).map(round).collect() }
    }

    /// Takes this round out, where rounds remain as many as there were without it. Returns whether
    /// it did.
    pub(super) fn take(&mut self, wanted: impl Iterator<Item = (usize, usize)>) -> bool {
        let wanted = ordered(wanted);
        if let Some(place) = self.rounds.iter().position(|round| *round == wanted) {
            self.rounds.remove(place);
            return true;
        }
        let size = self.rounds.first().map_or(0, Vec::len);
        let mut search = Search { opponents: vec![0; 2 * size], found: Vec::new(), tries: TRIES };
        for &pair in self.rounds.iter().flatten() {
            search.flip(pair);
        }
        if wanted.len() != size || !wanted.iter().all(|&(one, other)| search.may_meet(one, other)) {
            return false;
        }
        for pair in wanted {
            search.flip(pair);
        }
        let can = search.next_round();
        if can {
            let rounds = search.found.chunks(size);
            self.rounds = rounds.map(|round| ordered(round.iter().copied())).collect();
        }
        can
    }

    /// Takes out the round whose opponents are the least `apart` in total; none when there is none.
    pub(super) fn take_nearest(&mut self, apart: impl Fn(usize, usize) -> u64) -> Option<Pairs> {
        let total = |round: &Pairs| round.iter().map(|&(one, other)| apart(one, other)).sum();
        let nearest =
            (0..self.rounds.len()).min_by_key(|&place| -> u64 { total(&self.rounds[place]) });
        nearest.map(|place| self.rounds.remove(place))
    }
}

fn ordered(pairs: impl Iterator<Item = (usize, usize)>) -> Pairs {
    let mut pairs: Pairs = pairs.map(|(one, other)| (one.min(other), one.max(other))).collect();
    pairs.sort_unstable();
    pairs
}

/// Divides the pairs that may still meet into rounds.
struct Search {
    /// Whom each may still meet, a bit for each place.
    opponents: Vec<u32>,
    /// Round by round.
    found: Pairs,
    tries: u32,
}

impl Search {
    fn may_meet(&self, one: usize, other: usize) -> bool {
        self.opponents[one] >> other & 1 == 1
    }

    /// Has a pair that may meet not meet, or the other way round.
    fn flip(&mut self, (one, other): (usize, usize)) {
        self.opponents[one] ^= 1 << other;
        self.opponents[other] ^= 1 << one;
    }

    /// Finds all rounds that are left; whether it did.
    fn next_round(&mut self) -> bool {
        let Some(&opponents) = self.opponents.first().filter(|&&opponents| opponents != 0) else {
            // All may meet as many as the first one may.
            return true;
        };
        // In whatever order the rounds are, in one of them the first place meets this one.
        let pair = (0, opponents.trailing_zeros() as usize);
        self.flip(pair);
        self.found.push(pair);
        let all: u32 = (1 << self.opponents.len()) - 1;
        let is_found = self.fill(all & !(1 << pair.0 | 1 << pair.1));
        if !is_found {
            self.found.pop();
            self.flip(pair);
        }
        is_found
    }

    /// Finds opponents for those who have none in the last round, and the rounds after it.
    fn fill(&mut self, free: u32) -> bool {
        if free == 0 {
            return self.next_round();
        }
        let places = (0..self.opponents.len()).filter(|place| free >> place & 1 == 1);
        // Who has the least choice goes first.
        let Some(one) = places.min_by_key(|&place| (self.opponents[place] & free).count_ones())
        else {
            return false;
        };
        let others = self.opponents[one] & free;
        for other in (0..self.opponents.len()).filter(|place| others >> place & 1 == 1) {
            if self.tries == 0 {
                return false;
            }
            self.tries -= 1;
            self.flip((one, other));
            self.found.push((one, other));
            if self.fill(free & !(1 << one | 1 << other)) {
                return true;
            }
            self.found.pop();
            self.flip((one, other));
        }
        false
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_round_after_which_nobody_could_be_paired_is_not_taken() {
        let mut remaining = Remaining::all(6);
        for round in [[(0, 1), (2, 3), (4, 5)], [(0, 3), (2, 5), (4, 1)]] {
            assert!(remaining.take(round.into_iter()));
        }
        // Left would be two triangles.
        assert!(!remaining.take([(5, 0), (1, 2), (3, 4)].into_iter()));
        // They have met.
        assert!(!remaining.take([(0, 1), (2, 4), (3, 5)].into_iter()));
        // Somebody has no opponent.
        assert!(!remaining.take([(0, 2), (1, 3)].into_iter()));
        let mut met = vec![(0, 1), (2, 3), (4, 5), (0, 3), (2, 5), (1, 4)];
        while let Some(round) = remaining.take_nearest(|one, other| one.abs_diff(other) as u64) {
            met.extend(round);
        }
        let all = (0..6).flat_map(|one| (one + 1..6).map(move |other| (one, other)));
        assert_eq!(ordered(met.into_iter()), all.collect::<Pairs>());
    }
}
