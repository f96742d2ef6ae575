//! Several tables side by side: a season from file to file, a tournament from update to update.

use std::collections::{HashMap, HashSet};
use std::io::{self, Write};

use super::csv::{CsvColumns, chosen, real};
use super::words::{half, points_and_share};
use super::{rating_of, summary};
use crate::report::format::{OutputFormat, write_result};
use crate::report::table::or_empty;
use crate::report::{Column, Table, Width, write_csv};
use crate::standings::{Season, Stage, StageRow, StandingsRow, TrendEntry, are_changed, by_bot};
use crate::text::printable;

/// Writes the standings of `files` side by side, each with its name; as CSV a row for each
/// file and bot, with only these `columns` after the file if any are given.
///
/// # Errors
///
/// When the writer fails.
pub fn write_season(
    out: &mut dyn Write,
    files: &[(String, Stage)],
    columns: Option<&CsvColumns>,
    (format, width): (OutputFormat, Width),
) -> io::Result<()> {
    let season = Season::new(files);
    let tables = || {
        let rows: Vec<&[StageRow]> = season.files.iter().map(|file| &*file.rows).collect();
        let labels = labels(files.iter().map(|(file, _)| file.as_str()));
        let points = |row: &StageRow| match row.rank {
            Some(rank) => format!("{} ({rank})", points_and_share(row.points, row.share)),
            None => MISSING.to_owned(),
        };
        let title = |file: usize| printable(&labels[file]);
        let ranked_by = files.first().and_then(|(_, stage)| stage.rank_by.instead_of_points());
        let by = ranked_by.map(|by| format!(" by {by}")).unwrap_or_default();
        let has_shares = rows.iter().any(|rows| rows.iter().any(|row| row.share.is_some()));
        let shares = if has_shares { " and their share" } else { "" };
        let mut table = side_by_side(&rows, title, points, "in that file")
            .titled(format!("Points{shares} from file to file, with the rank{by} in brackets:"));
        if has_shares && ranked_by.is_none() {
            table.remark(BY_SHARE);
        }
        for (file, stage) in files {
            table.remark(format!("{}: {}", printable(file), summary(&stage.standings)));
        }
        for (file, stage) in files {
            let remarks = stage.remarks.iter();
            remarks.for_each(|words| table.remark(format!("{}: {words}", printable(file))));
            if let Some(anchor) = &stage.missing_anchor {
                table.remark(unrated(anchor, &printable(file)));
            }
        }
        vec![table]
    };
    let rows = || {
        let all: Vec<StandingsRow> =
            files.iter().flat_map(|(_, stage)| stage.standings.rows.clone()).collect();
        let names = files.iter().flat_map(|(file, of)| of.standings.rows.iter().map(move |_| file));
        let file = Column::text("file", names, |file| file);
        Table::new([file].into_iter().chain(chosen(&all, columns)))
    };
    write_result(out, (format, width), &season, tables, rows)
}

/// What each file is called above its column: its name without the usual ending, with as many of its
/// folders as make it different from all others.
fn labels<'a>(files: impl Iterator<Item = &'a str>) -> Vec<String> {
    let candidates: Vec<Vec<&str>> = files.map(candidates).collect();
    let mut uses: HashMap<&str, usize> = HashMap::new();
    for candidate in candidates.iter().flatten() {
        *uses.entry(candidate).or_default() += 1;
    }
    let mut taken = HashSet::new();
    let label = |of_file: &Vec<&str>| {
        let whole = of_file.last().copied().unwrap_or_default();
        let unique = of_file.iter().find(|label| uses[*label] == 1);
        // Names that are not Unicode may be equal in print.
        let numbered = || (2..).map(|number| format!("{whole} ({number})"));
        let label = unique.map(|label| (*label).to_owned()).or_else(|| {
            numbered().find(|label| !uses.contains_key(label.as_str()) && !taken.contains(label))
        });
        let label = label.unwrap_or_default();
        taken.insert(label.clone());
        label
    };
    candidates.iter().map(label).collect()
}

/// What a file may be called, the shortest first: its name without the ending, with more and more of
/// its folders, then all of it. All are different.
fn candidates(file: &str) -> Vec<&str> {
    let begins = file.rmatch_indices('/').map(|(slash, _)| slash + 1).chain([0]);
    let mut all: Vec<&str> = begins.map(|begin| without_ending(&file[begin..])).collect();
    all.push(file);
    let mut seen = HashSet::new();
    all.retain(|name| !name.is_empty() && seen.insert(*name));
    all
}

fn without_ending(name: &str) -> &str {
    let stem = name.strip_suffix(".jsonl");
    stem.filter(|stem| !stem.is_empty() && !stem.ends_with('/')).unwrap_or(name)
}

/// The title of an entry of a trend.
fn entry_title(entry: usize) -> String {
    match entry {
        0 => "at first".to_owned(),
        update => format!("update {update}"),
    }
}

/// The ratings of each bot before the first update and after each.
pub(super) fn trend_table(trend: &[TrendEntry]) -> Table {
    let rows: Vec<&[StageRow]> = trend.iter().map(|entry| &*entry.rows).collect();
    let rating = |row: &StageRow| match row.rating {
        Some(_) => rating_of(row.rating, row.rating_low, row.rating_high),
        None => MISSING.to_owned(),
    };
    side_by_side(&rows, entry_title, rating, "then")
        .titled("Ratings before the first --update and after each:")
}

/// Why stages of a trend have no ratings, for those that have none for lack of the anchor.
pub fn unrated_in_trend(trend: &[Stage]) -> Vec<String> {
    let missing = |(entry, stage): (usize, &Stage)| {
        stage.missing_anchor.as_ref().map(|anchor| unrated(anchor, &entry_title(entry)))
    };
    trend.iter().enumerate().filter_map(missing).collect()
}

/// Why the table `place` has no ratings.
fn unrated(anchor: &str, place: &str) -> String {
    let anchor = printable(anchor);
    format!("{place}: {anchor} (--anchor) has no match that counts, so there are no ratings.")
}

/// Why a table has shares.
const BY_SHARE: &str =
    "Where bots of a file played different numbers of matches, points rank by their share.";

/// In place of what is not there.
const MISSING: &str = "\u{2013}";

/// In place of what a disqualified bot has.
const OUT: &str = "out";

/// A row for each bot and entry of a trend.
///
/// # Errors
///
/// When the writer fails.
pub fn write_trend_csv(out: &mut dyn Write, trend: &[TrendEntry]) -> io::Result<()> {
    let rows: Vec<(usize, &TrendEntry, &StageRow)> = (0..)
        .zip(trend)
        .flat_map(|(update, entry)| entry.rows.iter().map(move |row| (update, entry, row)))
        .collect();
    let number = |title, cell: fn(&StageRow) -> String| {
        Column::number(title, &rows, move |(_, _, row)| cell(row))
    };
    let text = |title, cell: fn(&StageRow) -> String| {
        Column::text(title, &rows, move |(_, _, row)| cell(row))
    };
    let columns = [
        Column::number("update", &rows, |(update, ..)| update),
        Column::text("id", &rows, |(_, entry, _)| or_empty(entry.id)),
        number("rank", |row| or_empty(row.rank)),
        text("name", |row| row.name.clone()),
        number("matches", |row| row.matches.to_string()),
        number("points", |row| half(row.points)),
        number("faults", |row| row.faults.to_string()),
        number("rating", |row| real(row.rating)),
        number("rating_low", |row| real(row.rating_low)),
        number("rating_high", |row| real(row.rating_high)),
        text("disqualified", |row| or_empty(row.disqualified.as_ref())),
        text("version", |row| or_empty(row.version)),
    ];
    write_csv(out, &Table::new(columns))
}

/// A row for each bot and a column for each table; in a narrow terminal the oldest go first. A bot
/// that was another version before is marked, and one that was disqualified has a word in place of a
/// `cell`; `then` says when that was.
fn side_by_side(
    tables: &[&[StageRow]],
    title: impl Fn(usize) -> String,
    cell: impl Fn(&StageRow) -> String,
    then: &str,
) -> Table {
    let bots = by_bot(tables);
    let name = Column::text("bot", &bots, |(name, _)| name).cut_to(8);
    let column = |place: usize| {
        let cell = |(_, rows): &(&str, Vec<Option<&StageRow>>)| {
            let mark = if are_changed(rows)[place] { "*" } else { "" };
            match rows[place] {
                None => MISSING.to_owned(),
                Some(row) if row.disqualified.is_some() => OUT.to_owned() + mark,
                Some(row) => cell(row) + mark,
            }
        };
        let column = Column::number(title(place), &bots, cell);
        // The last one stays.
        let rank = u16::try_from(place).ok().filter(|_| place + 1 < tables.len());
        rank.map_or(column.clone(), |rank| column.left_out(rank))
    };
    let mut table = Table::new([name].into_iter().chain((0..tables.len()).map(column)));
    if bots.iter().any(|(_, rows)| are_changed(rows).contains(&true)) {
        table.remark("*: another version of the bot than before.");
    }
    if tables.iter().any(|rows| rows.iter().any(|row| row.disqualified.is_some())) {
        table.remark(format!("{OUT}: disqualified {then}."));
    }
    table
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn files_are_called_by_their_names_alone_where_these_differ() {
        let found = |files: &[&str]| labels(files.iter().copied());
        assert_eq!(
            found(&["week1.jsonl", "a/b.c/week2.jsonl", "-", ".jsonl", "v1.2", "week"]),
            ["week1", "week2", "-", ".jsonl", "v1.2", "week"]
        );
        let weeks = ["week1/autumn.jsonl", "week2/autumn.jsonl", "week2/spring.jsonl"];
        assert_eq!(found(&weeks), ["week1/autumn", "week2/autumn", "spring"]);
        assert_eq!(found(&["a/x/t.jsonl", "b/x/t.jsonl"]), ["a/x/t", "b/x/t"]);
        assert_eq!(found(&["t.jsonl", "x/t.jsonl", "t"]), ["t.jsonl", "x/t", "t (2)"]);
        assert_eq!(found(&["t", "t", "t (2)"]), ["t (3)", "t (4)", "t (2)"]);
    }

    proptest! {
        #[test]
        fn no_two_files_are_called_the_same(
            files in prop::collection::vec("/?([ab]/){0,2}[ab](\\.jsonl){0,2}( \\(2\\))?", 1..8)
        ) {
            let found = labels(files.iter().map(String::as_str));
            let different: HashSet<&String> = found.iter().collect();
            prop_assert_eq!(different.len(), files.len(), "{:?} {:?}", files, found);
            for (file, label) in files.iter().zip(&found) {
                let name = file.rsplit('/').next().unwrap();
                prop_assert!(label.contains(name.trim_end_matches(".jsonl")), "{} {}", file, label);
            }
        }
    }
}
