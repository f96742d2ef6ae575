//! Who stands where.

use std::cmp::Ordering;

use super::output::StandingsRow;
use mancala_game::words;

/// What bots are ranked by.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum RankBy {
    /// Points of matches.
    #[default]
    Points,
    /// Seeds won less seeds lost.
    Seeds,
    /// The rating.
    Rating,
}

words!(RankBy, "points, seeds or rating", Points = "points", Seeds = "seeds", Rating = "rating");

/// Brings rows into their order, best first and disqualified ones last.
pub(super) fn sort(rows: &mut [StandingsRow], by: RankBy) {
    rows.sort_by(|one, other| {
        let is_out = |row: &StandingsRow| row.disqualified.is_some();
        is_out(one)
            .cmp(&is_out(other))
            .then_with(|| compare(one, other, by))
            .then_with(|| compare(one, other, RankBy::Points))
            .then_with(|| compare(one, other, RankBy::Rating))
            .then_with(|| compare(one, other, RankBy::Seeds))
            .then_with(|| one.name.cmp(&other.name))
    });
}

/// Less is better.
fn compare(one: &StandingsRow, other: &StandingsRow, by: RankBy) -> Ordering {
    match by {
        RankBy::Points => other.points.total_cmp(&one.points),
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

/// Gives sorted rows their ranks, and between which ranks each may stand. `group` says which rows
/// have ratings that compare.
pub(super) fn rank(rows: &mut [StandingsRow], by: RankBy, group: impl Fn(&str) -> Option<usize>) {
    let ranked = rows.iter().take_while(|row| row.disqualified.is_none()).count();
    let rows = &mut rows[..ranked];
    for index in 0..ranked {
        let is_equal = index > 0 && compare(&rows[index - 1], &rows[index], by) == Ordering::Equal;
        rows[index].rank = if is_equal { rows[index - 1].rank } else { Some(index as u64 + 1) };
    }
    let bounds: Vec<Option<(usize, f64, f64)>> = rows
        .iter()
        .map(|row| Some((group(&row.name)?, row.rating_low?, row.rating_high?)))
        .collect();
    for (row, own) in rows.iter_mut().zip(&bounds) {
        let Some((group, low, high)) = *own else { continue };
        let of_group = || bounds.iter().flatten().filter(|(other, ..)| *other == group);
        let better = of_group().filter(|(_, other_low, _)| *other_low > high).count();
        let worse = of_group().filter(|(_, _, other_high)| *other_high < low).count();
        row.rank_low = Some(better as u64 + 1);
        row.rank_high = Some((ranked - worse) as u64);
    }
}
