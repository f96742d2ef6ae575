//! The faults of all bots in one table.

use super::bot_part::{case_place, link_to_case};
use super::html_table::HtmlTable;
use crate::protocol::FaultKind;
use crate::report::page::contents::Contents;
use crate::report::page::contents::cases::FaultCase;
use crate::report::page::words::ENGLISH as W;
use crate::report::table::or_empty;
use crate::report::{Column, Table};
use crate::standings::StandingsRow;
use crate::text::in_address;

/// A kind of fault of a bot, how often it was, and its first case.
struct RowOfKind<'a> {
    bot: &'a str,
    kind: FaultKind,
    times: u64,
    case: Option<&'a FaultCase>,
}

fn of_bot<'a>(
    contents: &'a Contents,
    row: &'a StandingsRow,
) -> impl Iterator<Item = RowOfKind<'a>> {
    let bot = row.name.as_str();
    row.faults.iter().map(move |(&kind, &times)| RowOfKind {
        bot,
        kind,
        times,
        case: contents.found.cases.get(&(bot.to_owned(), kind)),
    })
}

/// A row for each kind of fault of each bot; `None` without faults. The bot leads to its part, and the
/// first case to its move, if the page keeps that.
pub(in crate::report::page) fn faults(contents: &Contents) -> Option<HtmlTable> {
    let rows: Vec<RowOfKind<'_>> =
        contents.standings.rows.iter().flat_map(|row| of_bot(contents, row)).collect();
    if rows.is_empty() {
        return None;
    }
    let table = Table::new([
        Column::text(W.bot, &rows, |row| row.bot),
        Column::text(W.fault, &rows, |row| row.kind.to_string().replace('_', " ")),
        Column::number(W.fault_times, &rows, |row| row.times),
        Column::text(W.first_case_short, &rows, |row| or_empty(row.case.map(case_place))),
    ]);
    let to_bot = |row: usize| format!("#bot-{}", in_address(rows[row].bot));
    let mut table = HtmlTable::of(&table, W.faults_caption, (W.bot, &to_bot));
    table.class = "sortable";
    for (shown, row) in table.rows.iter_mut().zip(&rows) {
        if let Some(case) = row.case {
            shown.cells[3].link = link_to_case(contents, case);
        }
    }
    Some(table)
}
