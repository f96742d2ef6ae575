//! Ratings of all bots, in groups that matches connect.

use super::statistics::davidson::{Comparison, Fit, VIRTUAL_MATCHES, fit};
use super::statistics::elo::EloEstimate;
use super::statistics::normal;

/// Elo points for a difference of 1 in the natural logarithm of strengths.
const ELO_A_LOGIT: f64 = 400.0 / std::f64::consts::LN_10;

/// With more bots than this there are no ratings: they take the cube of that number in time, and
/// its square in memory.
const MAX_BOTS: usize = 1_000;

/// The ratings of bots, by their index.
#[derive(Clone, Debug)]
pub(super) struct Ratings {
    groups: Vec<RatedGroup>,
    /// The group of each bot and its index in it; `None` without a match.
    places: Vec<Option<(usize, usize)>>,
}

/// Bots that matches connect.
#[derive(Clone, Debug)]
struct RatedGroup {
    fit: Option<Fit>,
    /// The index in the group of the bot whose rating is given, and the rating; otherwise the
    /// mean is 0.
    anchor: Option<(usize, f64)>,
}

impl Ratings {
    /// `anchor` is a bot whose rating is given, and the rating.
    pub(super) fn new(bots: usize, data: &[Comparison], anchor: Option<(usize, f64)>) -> Ratings {
        let (places, sizes) = connected(bots, data);
        let mut parts: Vec<Vec<Comparison>> = vec![Vec::new(); sizes.len()];
        for pair in data {
            if let (Some((group, player)), Some((_, opponent))) =
                (places[pair.player], places[pair.opponent])
            {
                parts[group].push(Comparison { player, opponent, ..*pair });
            }
        }
        let group = |(index, data): (usize, &Vec<Comparison>)| RatedGroup {
            fit: (sizes[index] <= MAX_BOTS)
                .then(|| fit(sizes[index], data, VIRTUAL_MATCHES))
                .flatten(),
            anchor: anchor.and_then(|(bot, rating)| {
                let (group, place) = places[bot]?;
                (group == index).then_some((place, rating))
            }),
        };
        let groups = parts.iter().enumerate().map(group).collect();
        Ratings { groups, places }
    }

    /// A bot's rating and its 95 % bounds; `None` without a match.
    pub(super) fn rating(&self, bot: usize) -> Option<EloEstimate> {
        let (group, place) = self.places[bot]?;
        let group = &self.groups[group];
        let fit = group.fit.as_ref()?;
        let (value, deviation) = match group.anchor {
            None => (fit.strengths[place] * ELO_A_LOGIT, fit.deviation(place)),
            Some((anchor, rating)) => (
                rating + (fit.strengths[place] - fit.strengths[anchor]) * ELO_A_LOGIT,
                if place == anchor { 0.0 } else { fit.deviation_between(place, anchor) },
            ),
        };
        Some(EloEstimate { value, error: normal::TWO_SIDED_95 * deviation * ELO_A_LOGIT })
    }

    /// The likelihood that one bot is stronger than another; `None` if no matches connect them.
    pub(super) fn superiority(&self, bot: usize, other: usize) -> Option<f64> {
        let ((group, one), (other_group, two)) = self.places[bot].zip(self.places[other])?;
        if group != other_group {
            return None;
        }
        let fit = self.groups[group].fit.as_ref()?;
        let deviation = fit.deviation_between(one, two);
        let lead = fit.strengths[one] - fit.strengths[two];
        (deviation > 0.0).then(|| normal::below(lead / deviation))
    }

    /// The number of a bot's group; ratings compare within a group only.
    pub(super) fn group(&self, bot: usize) -> Option<usize> {
        self.places[bot].map(|(group, _)| group)
    }

    /// How many groups there are.
    pub(super) const fn groups(&self) -> usize {
        self.groups.len()
    }

    /// Whether a group is too large for ratings, or its results are too extreme for them.
    pub(super) fn is_too_large(&self) -> bool {
        self.groups.iter().any(|group| group.fit.is_none())
    }
}

/// The group of each bot that has a match, in the order of the bots, and its index in it; and how
/// many bots are in each group.
fn connected(bots: usize, data: &[Comparison]) -> (Vec<Option<(usize, usize)>>, Vec<usize>) {
    let mut parents: Vec<usize> = (0..bots).collect();
    let mut plays = vec![false; bots];
    for pair in data.iter().filter(|pair| pair.won + pair.drawn + pair.lost > 0) {
        let (one, other) = (root(&mut parents, pair.player), root(&mut parents, pair.opponent));
        parents[one.max(other)] = one.min(other);
        plays[pair.player] = true;
        plays[pair.opponent] = true;
    }
    let (mut places, mut sizes) = (vec![None; bots], Vec::new());
    for bot in (0..bots).filter(|bot| plays[*bot]) {
        // A root is the lowest of its group, so it comes first.
        let group = places[root(&mut parents, bot)].map_or(sizes.len(), |(group, _)| group);
        if group == sizes.len() {
            sizes.push(0);
        }
        places[bot] = Some((group, sizes[group]));
        sizes[group] += 1;
    }
    (places, sizes)
}

fn root(parents: &mut [usize], mut bot: usize) -> usize {
    while parents[bot] != bot {
        parents[bot] = parents[parents[bot]];
        bot = parents[bot];
    }
    bot
}

#[cfg(test)]
mod tests {
    use super::super::statistics::testing::{Random, simulated};
    use super::*;

    fn pair(player: usize, opponent: usize, [won, drawn, lost]: [u64; 3]) -> Comparison {
        Comparison { player, opponent, won, drawn, lost }
    }

    #[test]
    fn groups_are_rated_apart_and_bots_without_matches_not_at_all() {
        let data = [pair(0, 3, [3, 0, 1]), pair(1, 4, [1, 0, 3]), pair(2, 2, [0; 3])];
        let ratings = Ratings::new(6, &data, None);
        assert_eq!(ratings.groups(), 2);
        assert_eq!(
            [0, 3, 1, 4].map(|bot| ratings.group(bot)),
            [Some(0), Some(0), Some(1), Some(1)]
        );
        assert_eq!(ratings.rating(2), None);
        assert_eq!(ratings.rating(5), None);
        let value = |bot: usize| ratings.rating(bot).unwrap().value;
        assert!((value(0) - value(4)).abs() < 1e-6 && value(0) > 0.0);
        assert!((value(0) + value(3)).abs() < 1e-6);
        assert_eq!(ratings.superiority(0, 1), None);
        assert!(ratings.superiority(0, 3).unwrap() > 0.5);
    }

    #[test]
    fn an_anchor_has_its_rating_and_no_bounds() {
        let data = [pair(0, 1, [60, 20, 20]), pair(1, 2, [50, 10, 40])];
        let free = Ratings::new(3, &data, None);
        let anchored = Ratings::new(3, &data, Some((1, 1500.0)));
        let at = |ratings: &Ratings, bot: usize| ratings.rating(bot).unwrap();
        assert_eq!(at(&anchored, 1), EloEstimate { value: 1500.0, error: 0.0 });
        let lead = at(&free, 0).value - at(&free, 1).value;
        assert!((at(&anchored, 0).value - 1500.0 - lead).abs() < 1e-9);
        assert!(at(&anchored, 0).error > at(&free, 0).error);
        assert_eq!(free.superiority(0, 2), anchored.superiority(0, 2));
    }

    /// A small sample of what `cargo bench --bench standings` does in full.
    #[test]
    fn bounds_cover_the_truth_as_often_as_they_say() {
        let mut random = Random::new(1);
        let truth = [150.0, 60.0, 0.0, -70.0, -140.0];
        let (mut covered, mut all) = (0, 0);
        for _ in 0..200 {
            let data = simulated(&truth, 0.6, 60, &mut random);
            let ratings = Ratings::new(truth.len(), &data, None);
            for (bot, truth) in truth.into_iter().enumerate() {
                let found = ratings.rating(bot).unwrap();
                covered += u32::from((found.value - truth).abs() <= found.error);
                all += 1;
            }
        }
        let share = f64::from(covered) / f64::from(all);
        assert!((0.93..=0.97).contains(&share), "{share}");
    }

    #[test]
    fn two_equal_bots_are_found_equal() {
        let mut random = Random::new(2);
        let data = simulated(&[0.0, 0.0], 0.5, 20_000, &mut random);
        let ratings = Ratings::new(2, &data, None);
        let found = ratings.rating(0).unwrap();
        assert!(found.value.abs() <= found.error && found.error < 5.0, "{found:?}");
    }
}
