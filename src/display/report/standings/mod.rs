//! Standings in each format that `--format` knows.

mod csv;
mod stages;
mod words;

use std::io::{self, Write};

pub(super) use self::csv::for_programs;
pub use self::csv::{CsvColumns, write_standings_columns};
use self::stages::trend_table;
pub use self::stages::{unrated_in_trend, write_season, write_trend_csv};
pub use self::words::percent;
pub use self::words::sprt_progress;
use self::words::{half, versions};
pub(super) use self::words::{ms, sprt_lines};
use super::format::{OutputFormat, write_result};
use super::table::{Column, ColumnNote, Table, or_empty};
use super::width::Width;
use crate::standings::{CrosstableCell, MOST_IN_JSON, RoundsAs, Standings, StandingsRow};
use crate::text::counted;

/// Writes standings; a table for a terminal is fitted to `width`. JSON and CSV have no remarks.
///
/// # Errors
///
/// When the writer fails.
pub fn write_standings(
    out: &mut dyn Write,
    standings: &Standings,
    remarks: &[String],
    format: OutputFormat,
    width: Width,
) -> io::Result<()> {
    let (tables, rows) = (|| for_people(standings, remarks), || for_programs(standings));
    write_result(out, (format, width), standings, tables, rows)
}

fn for_people(standings: &Standings, remarks: &[String]) -> Vec<Table> {
    let (counted_rows, disqualified): (Vec<_>, Vec<_>) =
        standings.rows.iter().partition(|row| row.disqualified.is_none());
    let mut tables = vec![main_table(standings, &counted_rows, true).titled(summary(standings))];
    if !disqualified.is_empty() {
        tables.push(
            disqualified_table(&disqualified)
                .titled("Disqualified; these matches count for nobody:"),
        );
    }
    tables.extend(crosstable(standings, counted_rows.len()));
    if let Some(sprt) = &standings.sprt {
        tables.push(Table::of_text(sprt_lines(sprt)));
    }
    tables.extend(standings.trend.as_deref().map(trend_table));
    let mut last = Table::default();
    if counted_rows.iter().any(|row| row.rating.is_some()) {
        last.explain(&RATINGS);
    }
    if counted_rows.iter().any(|row| row.median_ms.is_some()) {
        last.explain(&TIMES);
    }
    for remark in remarks {
        last.remark(remark);
    }
    tables.push(last);
    tables
}

/// What ratings are, and what follows from them. Of `first` and `second`, `first` is left out first.
pub(in crate::report) const RATINGS: [ColumnNote; 5] = [
    (
        "rating",
        "Ratings are Elo points with 95 % bounds, by Davidson's model on matches. So that ratings stay \
         finite, each bot is also given half a match against an average bot, half won and half lost.",
    ),
    ("margin", "Margin: the mean difference of seeds in a match."),
    ("second", "First and second: points of the rounds in which it moved first and second."),
    ("ranks", "Ranks: the places that its rating allows."),
    ("better than next", "Better than next: the chance that it is the stronger one."),
];

/// What a column of `--times` is that its title does not say.
const TIMES: [ColumnNote; 1] = [(
    "longest of limit",
    "Longest of limit: the longest answer as a share of the time that it had; a first answer also has \
     --start-time.",
)];

/// `90 matches of 96, 180 rounds: 5 missing, 1 unfinished; 88 different games.` With disqualified
/// bots `2 matches, 4 rounds; 28 others are of disqualified bots; 2 different games.`
pub(in crate::report) fn summary(standings: &Standings) -> String {
    let Standings { matches, unfinished, not_played, retired, beyond, .. } = *standings;
    let missing = standings.missing.unwrap_or(0);
    let mut summary = counted(matches, "match", "matches");
    // What cannot be played, or no more since a decision, is not missing.
    let open = missing + unfinished;
    if open > 0 {
        summary += &format!(" of {}", matches + open);
    }
    let counted_rows = standings.rows.iter().filter(|row| row.disqualified.is_none());
    let rounds: u64 = counted_rows.map(|row| row.first.rounds).sum();
    if rounds > 0 {
        summary += &format!(", {}", counted(rounds, "round", "rounds"));
    }
    let parts = [
        (missing, "missing"),
        (unfinished, "unfinished"),
        (beyond, "beyond the one that decided the test"),
    ];
    let parts = parts.into_iter().filter(|(number, _)| *number > 0);
    let parts: Vec<String> = parts.map(|(number, what)| format!("{number} {what}")).collect();
    if !parts.is_empty() {
        summary += &format!(": {}", parts.join(", "));
    }
    let others = [
        (not_played - retired, "disqualified bots"),
        (retired, "versions that cannot be run again"),
    ];
    for (number, of) in others.into_iter().filter(|(number, _)| *number > 0) {
        summary += &format!("; {} of {of}", counted(number, "other is", "others are"));
    }
    if let Some(games) = standings.distinct_games {
        summary += &format!("; {}", counted(games, "different game", "different games"));
    }
    summary + "."
}

/// The table of the bots that count. Where a terminal is too narrow, what follows from other
/// columns goes first, then what a ranking needs least, then the times, which were asked for, and
/// last the faults and the versions.
pub(in crate::report) fn main_table(
    standings: &Standings,
    rows: &[&StandingsRow],
    with_times: bool,
) -> Table {
    let has_times = with_times && rows.iter().any(|row| row.median_ms.is_some());
    let has_test = standings.sprt.is_some();
    let has_faults = rows.iter().any(|row| !row.faults.is_empty());
    let number = |title, cell: fn(&StandingsRow) -> String| {
        Column::number(title, rows.iter().copied(), cell)
    };
    let has_shares = rows.iter().any(|row| row.share.is_some());
    let has_versions = rows.iter().any(|row| row.versions.len() > 1);
    Table::new([
        number("rank", |row| or_empty(row.rank)),
        Column::text("bot", rows, |row| &row.name).cut_to(8),
        Column::text("versions", rows, |row| versions(row)).left_out(17).only_if(has_versions),
        number("points", |row| half(row.points)),
        number("share", |row| percent(row.share)).only_if(has_shares),
        number("by rounds", |row| half(row.first.points + row.second.points)).only_if(has_test),
        number("matches", |row| row.matches.to_string()).left_out(8),
        number("won", |row| row.won.to_string()).left_out(9),
        number("drawn", |row| row.drawn.to_string()).left_out(9),
        number("lost", |row| row.lost.to_string()).left_out(9),
        number("seeds", |row| format!("{}:{}", row.seeds_for, row.seeds_against)).left_out(6),
        number("margin", margin).left_out(7),
        number("first", |row| points_as(row.first)).left_out(5),
        number("second", |row| points_as(row.second)).left_out(5),
        Column::text("faults", rows, |row| faults(row)).left_out(16).only_if(has_faults),
        number("median ms", |row| ms(row.median_ms)).left_out(14).only_if(has_times),
        number("mean ms", |row| ms(row.mean_ms)).left_out(13).only_if(has_times),
        number("95 % ms", |row| ms(row.p95_ms)).left_out(13).only_if(has_times),
        number("longest ms", |row| ms(row.longest_ms)).left_out(15).only_if(has_times),
        number("longest of limit", |row| percent(row.limit_share)).left_out(15).only_if(has_times),
        number("rating", rating).left_out(10),
        number("ranks", ranks).left_out(4),
        number("better than next", |row| percent(row.los)).left_out(3),
    ])
}

/// `3.5/8`: the points of rounds.
fn points_as(rounds: RoundsAs) -> String {
    format!("{}/{}", half(rounds.points), rounds.rounds)
}

/// A column that would be empty in all rows is left out: many are out before their first match.
pub(in crate::report) fn disqualified_table(rows: &[&StandingsRow]) -> Table {
    let have_played = rows.iter().any(|row| row.won + row.drawn + row.lost > 0);
    let have_faults = rows.iter().any(|row| !row.faults.is_empty());
    let why = |row: &&StandingsRow| row.disqualified.clone().unwrap_or_default();
    Table::new([
        Column::text("bot", rows, |row| &row.name).cut_to(8),
        Column::number("won", rows, |row| row.won).left_out(2).only_if(have_played),
        Column::number("drawn", rows, |row| row.drawn).left_out(2).only_if(have_played),
        Column::number("lost", rows, |row| row.lost).left_out(2).only_if(have_played),
        Column::text("faults", rows, |row| faults(row)).left_out(1).only_if(have_faults),
        Column::text("why", rows, why).cut_at_its_end(60),
    ])
}

/// With more bots than this, a crosstable is for programs.
pub(in crate::report) const MOST_IN_CROSSTABLE: usize = 100;

/// The points of the first `bots` rows against each other; `None` if the rows say it all.
fn crosstable(standings: &Standings, bots: usize) -> Option<Table> {
    if bots > MOST_IN_JSON {
        return None;
    }
    if bots > MOST_IN_CROSSTABLE {
        let elsewhere = format!("The crosstable of {bots} bots is in --format json.");
        return Some(Table::of_text([elsewhere]));
    }
    if bots < 3 || standings.matches == 0 {
        return None;
    }
    let crosstable = standings.crosstable.as_ref()?;
    let cell = |row: usize, other: usize| match crosstable.cell(row, other) {
        Some(cell) => points_of(cell),
        None if other == row => "\u{2013}".to_owned(),
        None => String::new(),
    };
    let first = [
        Column::number("#", 1..=bots, |row| row),
        Column::text("bot", &standings.rows[..bots], |row| &row.name).cut_to(8),
    ];
    // The last ones go first.
    let against = (0..bots).map(|other| {
        let rank = u16::try_from(bots - other).unwrap_or(u16::MAX);
        Column::number((other + 1).to_string(), 0..bots, |row| cell(row, other))
            .of_bot(other + 1)
            .left_out(rank)
    });
    Some(Table::new(first.into_iter().chain(against)).titled("Points of matches against each:"))
}

/// `3.5/4`: points of matches.
fn points_of(cell: &CrosstableCell) -> String {
    let matches = cell.won + cell.drawn + cell.lost;
    let dot_five = if cell.drawn % 2 == 1 { ".5" } else { "" };
    format!("{}{dot_five}/{matches}", cell.won + cell.drawn / 2)
}

/// Seeds a match ahead of the opponents, on the mean.
fn margin(row: &StandingsRow) -> String {
    if row.matches == 0 {
        return String::new();
    }
    let ahead = row.seeds_for as f64 - row.seeds_against as f64;
    let tenths = (ahead * 10.0 / row.matches as f64).round();
    // Never `-0.0`.
    format!("{:+.1}", tenths / 10.0 + 0.0)
}

/// `timeout 2, exited 1`.
fn faults(row: &StandingsRow) -> String {
    let parts: Vec<String> =
        row.faults.iter().map(|(kind, times)| format!("{kind} {times}")).collect();
    parts.join(", ")
}

/// `35 ± 60`.
pub(in crate::report) fn rating(row: &StandingsRow) -> String {
    rating_of(row.rating, row.rating_low, row.rating_high)
}

fn rating_of(rating: Option<f64>, low: Option<f64>, high: Option<f64>) -> String {
    match (rating, low, high) {
        (Some(rating), Some(low), Some(high)) => {
            format!("{} ± {}", whole(rating), whole((high - low) / 2.0))
        }
        _ => String::new(),
    }
}

/// Rounded, and never `-0`.
fn whole(value: f64) -> String {
    format!("{:.0}", value.round() + 0.0)
}

pub(in crate::report) fn ranks(row: &StandingsRow) -> String {
    match (row.rank_low, row.rank_high) {
        (Some(low), Some(high)) if low == high => low.to_string(),
        (Some(low), Some(high)) => format!("{low}\u{2013}{high}"),
        _ => String::new(),
    }
}

#[cfg(test)]
mod tests;
