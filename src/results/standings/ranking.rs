//! Who stands where.

use std::cmp::Ordering;
use std::collections::HashMap;

use mancala_game::words;

use super::output::StandingsRow;

/// What bots are ranked by.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum RankBy {
    /// Points of matches; their share, where bots played different numbers of matches.
    #[default]
    Points,
    /// Seeds won less seeds lost.
    Seeds,
    Rating,
}

words!(RankBy, "points, seeds or rating", Points = "points", Seeds = "seeds", Rating = "rating");

impl RankBy {
    /// What ranks instead of points.
    pub fn instead_of_points(self) -> Option<&'static str> {
        match self {
            RankBy::Points => None,
            RankBy::Seeds => Some("seeds won less seeds lost"),
            RankBy::Rating => Some("rating"),
        }
    }
}

/// The points of a bot, and the matches and byes that they are of.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Score {
    /// Points, byes among them.
    pub points: f64,
    /// Matches and byes.
    pub played: u64,
}

impl Score {
    /// Its share of the points that it could have; `None` if it has not played.
    pub fn share(self) -> Option<f64> {
        let share = self.points / self.played as f64;
        (self.played > 0).then_some(share)
    }
}

/// Whether bots that played had different numbers of matches and byes, so that the shares of their
/// points rank. Disqualified bots are not among them.
pub fn are_played_unequally(scores: impl Iterator<Item = Score>) -> bool {
    let mut counts = scores.map(|score| score.played).filter(|played| *played > 0);
    let first = counts.next();
    !counts.all(|count| Some(count) == first)
}

/// Compares two bots by the shares of their points, where shares rank, and their points. Less is
/// better.
pub fn compare_points(one: (Option<f64>, f64), other: (Option<f64>, f64)) -> Ordering {
    match (one.0, other.0) {
        (Some(one), Some(other)) => other.total_cmp(&one),
        (None, None) => other.1.total_cmp(&one.1),
        // Without a match nothing is known of a bot.
        (one, other) => other.is_some().cmp(&one.is_some()),
    }
}

/// Gives each row its share of the points that it could have, where shares rank.
pub(super) fn set_shares(rows: &mut [StandingsRow]) {
    let score = |row: &StandingsRow| {
        let score = Score { points: row.points, played: row.matches + row.byes };
        Some(score).filter(|_| row.disqualified.is_none())
    };
    if are_played_unequally(rows.iter().filter_map(score)) {
        for row in rows {
            row.share = score(row).and_then(Score::share);
        }
    }
}

/// Brings rows into their order: the best first, by what `by` says, and disqualified ones last. Equal
/// ones are ordered by their `names`, which stand there by the bots' numbers.
pub(super) fn sort(rows: &mut [StandingsRow], by: RankBy, names: &[String]) {
    rows.sort_by(|one, other| {
        let is_disqualified = |row: &StandingsRow| row.disqualified.is_some();
        is_disqualified(one)
            .cmp(&is_disqualified(other))
            .then_with(|| compare(one, other, by))
            .then_with(|| compare(one, other, RankBy::Points))
            .then_with(|| compare(one, other, RankBy::Rating))
            .then_with(|| compare(one, other, RankBy::Seeds))
            .then_with(|| names[one.bot].cmp(&names[other.bot]))
    });
}

/// Less is better.
fn compare(one: &StandingsRow, other: &StandingsRow, by: RankBy) -> Ordering {
    match by {
        RankBy::Points => compare_points((one.share, one.points), (other.share, other.points)),
        RankBy::Seeds => margin(other).cmp(&margin(one)),
        RankBy::Rating => {
            let rating = |row: &StandingsRow| row.rating.unwrap_or(f64::NEG_INFINITY);
            rating(other).total_cmp(&rating(one))
        }
    }
}

fn margin(row: &StandingsRow) -> i128 {
    i128::from(row.seeds_for) - i128::from(row.seeds_against)
}

/// Gives sorted rows their ranks, and between which ranks each may stand. `group` says which bots,
/// by their numbers, have ratings that compare.
pub(super) fn rank(rows: &mut [StandingsRow], by: RankBy, group: impl Fn(usize) -> Option<usize>) {
    let ranked = rows.iter().take_while(|row| row.disqualified.is_none()).count();
    let rows = &mut rows[..ranked];
    for index in 0..ranked {
        let is_equal = index > 0 && compare(&rows[index - 1], &rows[index], by) == Ordering::Equal;
        rows[index].rank = if is_equal { rows[index - 1].rank } else { Some(index as u64 + 1) };
    }
    let bounds = |row: &StandingsRow| {
        let (low, high) = (row.rating_low?, row.rating_high?);
        Some((group(row.bot)?, low, high))
    };
    // The lower and the upper bounds of each group, in order.
    let mut groups: HashMap<usize, [Vec<f64>; 2]> = HashMap::new();
    for (group, low, high) in rows.iter().filter_map(bounds) {
        let [lows, highs] = groups.entry(group).or_default();
        lows.push(low);
        highs.push(high);
    }
    groups.values_mut().flatten().for_each(|bounds| bounds.sort_unstable_by(f64::total_cmp));
    for row in rows {
        let Some((group, low, high)) = bounds(row) else { continue };
        let [lows, highs] = &groups[&group];
        let better = lows.len() - lows.partition_point(|other_low| *other_low <= high);
        let worse = highs.partition_point(|other_high| *other_high < low);
        row.rank_low = Some(better as u64 + 1);
        row.rank_high = Some((ranked - worse) as u64);
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn row(name: usize, [won, drawn, lost]: [u64; 3], rating: f64, error: f64) -> StandingsRow {
        let points = won as f64 + drawn as f64 / 2.0;
        StandingsRow {
            bot: name,
            name: name.to_string(),
            matches: won + drawn + lost,
            won,
            drawn,
            lost,
            points,
            rating: Some(rating),
            rating_low: Some(rating - error),
            rating_high: Some(rating + error),
            ..StandingsRow::default()
        }
    }

    type Drawn = ([u64; 3], i32, u32, u64, bool);

    fn any_rows() -> impl Strategy<Value = Vec<Drawn>> {
        let counts = [0_u64..5, 0..5, 0..5];
        proptest::collection::vec(
            (counts, -300_i32..300, 0_u32..200, 0_u64..2, proptest::bool::weighted(0.1)),
            1..12,
        )
    }

    proptest! {
        #[test]
        fn ranks_follow_points_or_their_shares_and_bounds_are_counted(drawn in any_rows()) {
            let (mut rows, mut names) = (Vec::new(), Vec::new());
            for (name, (counts, rating, error, bye, is_disqualified)) in drawn.iter().enumerate() {
                names.push(name.to_string());
                let mut row = row(name, *counts, f64::from(*rating), f64::from(*error));
                row.disqualified = is_disqualified.then(|| "x".to_owned());
                row.points += *bye as f64;
                row.byes = *bye;
                rows.push(row);
            }
            set_shares(&mut rows);
            sort(&mut rows, RankBy::Points, &names);
            rank(&mut rows, RankBy::Points, |_| Some(0));
            let counted: Vec<&StandingsRow> =
                rows.iter().filter(|row| row.disqualified.is_none()).collect();
            // Twice the points, and the most that they can be: whole numbers.
            let of = |row: &StandingsRow| {
                (2 * (row.won + row.byes) + row.drawn, 2 * (row.matches + row.byes))
            };
            let mut most: Vec<u64> = counted.iter().map(|row| of(row).1).filter(|n| *n > 0).collect();
            most.dedup();
            let is_better = |one: &StandingsRow, other: &StandingsRow| {
                let ((one, most_one), (other, most_other)) = (of(one), of(other));
                match (most_one, most_other) {
                    _ if most.len() <= 1 => one > other,
                    (_, 0) => most_one > 0,
                    (0, _) => false,
                    _ => one * most_other > other * most_one,
                }
            };
            for row in &counted {
                let better = counted.iter().filter(|other| is_better(other, row)).count() as u64;
                prop_assert_eq!(row.rank, Some(better + 1));
                prop_assert_eq!(row.share.is_some(), most.len() > 1 && of(row).1 > 0);
                let [surely_better, surely_worse] = [
                    counted.iter().filter(|other| other.rating_low > row.rating_high).count(),
                    counted.iter().filter(|other| other.rating_high < row.rating_low).count(),
                ];
                prop_assert_eq!(row.rank_low, Some(surely_better as u64 + 1));
                prop_assert_eq!(row.rank_high, Some((counted.len() - surely_worse) as u64));
            }
            prop_assert!(rows[counted.len()..].iter().all(|row| row.rank.is_none()));
        }
    }
}
