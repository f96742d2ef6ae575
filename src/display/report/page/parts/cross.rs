//! Each bot against each other: by matches, and by rounds for who moved first.

use super::html_table::{Cell, Head, HtmlTable, Row};
use crate::report::page::contents::Contents;
use crate::report::page::words::{ENGLISH as W, filled};
use crate::report::standings::MOST_IN_CROSSTABLE;
use crate::text::{in_address, printable};

/// The end of a link to the games of one bot against another. Without the script it leads to the row
/// of the two in the part of the bot.
pub(super) fn pair(one: &str, other: &str) -> String {
    format!("pair-{}~{}", in_address(one), in_address(other))
}

/// The results of matches; `None` with more bots than anybody reads a square of.
pub(in crate::report::page) fn matches(contents: &Contents) -> Option<HtmlTable> {
    let rows = &contents.standings.rows;
    let crosstable = contents.standings.crosstable.as_ref();
    let cell = |row: usize, other: usize| {
        let Some(cell) = crosstable.and_then(|table| table.cell(row, other)) else {
            return empty(row, other);
        };
        let halves = 2 * cell.won + cell.drawn;
        let all = 2 * (cell.won + cell.drawn + cell.lost);
        let text = format!("{}\u{2013}{}\u{2013}{}", cell.won, cell.drawn, cell.lost);
        let small = format!("{}:{}", cell.seeds_for, cell.seeds_against);
        let pair = pair(&rows[row].name, &rows[other].name);
        // The heads of the row and the column say whose games these are.
        let link =
            if contents.has_game_of([row, other]) { format!("#{pair}") } else { String::new() };
        Cell { small, class: result_class(halves, all), ..Cell::linked(text, link) }
    };
    let leads = match contents.games_left_out() {
        _ if contents.games.is_empty() => "",
        Some(_) => W.crosstable_leads_to_kept,
        None => W.crosstable_leads,
    };
    table(contents, &format!("{}{leads}", W.crosstable_caption), &cell)
}

/// The results of rounds, the bot of the row moving first; `None` as with matches.
pub(in crate::report::page) fn rounds(contents: &Contents) -> Option<HtmlTable> {
    let cell = |row: usize, other: usize| {
        let Some([won, drawn, lost]) = contents.found.by_mover.get(&(row, other)) else {
            return empty(row, other);
        };
        let class = result_class(2 * won + drawn, 2 * (won + drawn + lost));
        Cell { class, ..Cell::new(format!("{won}\u{2013}{drawn}\u{2013}{lost}")) }
    };
    table(contents, W.movers_caption, &cell)
}

/// How the first mover fared in all rounds: won, drawn, lost.
pub(in crate::report::page) fn first_mover(contents: &Contents) -> String {
    let sum = |result: usize| -> u64 {
        contents.found.by_mover.values().map(|counts| counts[result]).sum()
    };
    let [won, drawn, lost] = [0, 1, 2].map(sum);
    filled(W.first_mover, &[&won, &drawn, &lost])
}

fn empty(row: usize, other: usize) -> Cell {
    if row == other { Cell { class: "self", ..Cell::new("\u{2013}") } } else { Cell::default() }
}

/// More than half of the points, half, or less: told by the signs before them without colour.
fn result_class(halves: u64, most: u64) -> &'static str {
    match (2 * halves).cmp(&most) {
        std::cmp::Ordering::Greater if halves == most => "won all",
        std::cmp::Ordering::Greater => "won",
        std::cmp::Ordering::Equal => "even",
        std::cmp::Ordering::Less if halves == 0 => "lost all",
        std::cmp::Ordering::Less => "lost",
    }
}

fn table(
    contents: &Contents,
    caption: &str,
    cell: &dyn Fn(usize, usize) -> Cell,
) -> Option<HtmlTable> {
    let bots: Vec<&str> = contents.standings.ranked().map(|row| &*row.name).collect();
    if bots.len() > MOST_IN_CROSSTABLE {
        return None;
    }
    let head = |(number, name): (usize, &&str)| Head {
        title: number.to_string(),
        is_number: false,
        help: printable(name),
        link: format!("#bot-{}", in_address(name)),
    };
    let heads = (1..).zip(&bots).map(head);
    let rows = bots.iter().enumerate().map(|(row, name)| {
        let link = format!("#bot-{}", in_address(name));
        let named = Cell::linked(format!("{} {name}", row + 1), link).head();
        // Where it has no room for all of it.
        let named = Cell { help: printable(name), ..named };
        let cells = (0..bots.len()).map(|other| cell(row, other));
        Row { id: String::new(), cells: std::iter::once(named).chain(cells).collect() }
    });
    Some(HtmlTable {
        caption: caption.to_owned(),
        class: "cross",
        heads: std::iter::once(Head::text(W.bot)).chain(heads).collect(),
        rows: rows.collect(),
    })
}
