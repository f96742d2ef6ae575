//! An index of all bots' folders, so that nobody has to open one to learn whose it is.

use std::io;

use super::document::{Document, InlineText};
use super::{Contest, PAGE};
use crate::report::{Column, Table, write_csv};
use crate::text::relative;
use crate::tournament::{INDEX_CSV, INDEX_MARKDOWN, LogFolders};

/// Its columns.
const HEADS: [&str; 6] = ["folder", "name", "points", "rank", "faults", "disqualified"];

/// Writes the index into the folder that all bots' folders are in.
pub(super) fn write_index(contest: &Contest<'_>, folders: &LogFolders) -> io::Result<()> {
    let row = |(place, bot): (usize, &crate::contest::PlannedBot)| {
        let row = contest.standings.rows.iter().find(|row| row.name == bot.name);
        let folder = folders.of_bot(place).file_name().unwrap_or_default().to_string_lossy().into();
        let rank = row.and_then(|row| row.rank).map(|rank| rank.to_string()).unwrap_or_default();
        let points = row.map_or_else(|| "0".to_owned(), |row| row.points.to_string());
        let faults: u64 = row.map_or(0, |row| row.faults.values().sum());
        let why = row.and_then(|row| row.disqualified.as_deref()).unwrap_or_default();
        let why = relative(contest.folders, why);
        [folder, bot.name.clone(), points, rank, faults.to_string(), why]
    };
    let mut bots: Vec<_> = contest.plan.bots.iter().enumerate().collect();
    // As in the table; those that are not in it come last.
    bots.sort_by_cached_key(|(_, bot)| {
        let place = contest.standings.rows.iter().position(|row| row.name == bot.name);
        place.unwrap_or(usize::MAX)
    });
    let rows: Vec<[String; 6]> = bots.into_iter().map(row).collect();

    let column = |place: usize| Column::text(HEADS[place], &rows, |row| &row[place]);
    let mut csv = Vec::new();
    write_csv(&mut csv, &Table::new((0..HEADS.len()).map(column)))?;
    folders.write_in_root(INDEX_CSV, &csv)?;

    let linked = |[folder, others @ ..]: &[String; 6]| {
        let page = InlineText::Link { text: folder.clone(), file: format!("{folder}/{PAGE}") };
        let texts = others.iter().map(|text| vec![InlineText::Plain(text.clone())]);
        std::iter::once(vec![page]).chain(texts).collect()
    };
    let mut page = Document::default();
    page.heading(1, contest.plan.name.as_deref().unwrap_or("Feedback"));
    page.table(&HEADS, rows.iter().map(linked).collect());
    folders.write_in_root(INDEX_MARKDOWN, page.markdown().as_bytes())
}
