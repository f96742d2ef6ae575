//! The list of games: a row for each round of the matches that the page keeps.

use super::bot_part::linked_moves;
use super::html_table::HtmlTable;
use crate::protocol::Reason;
use crate::report::page::contents::Contents;
use crate::report::page::contents::packing::{PackedMatch, PackedRound};
use crate::report::page::words::{ENGLISH as W, filled};
use crate::report::table::{Column, Table, or_empty};
use crate::seat::Seat;

/// The rounds of the matches that the page keeps, in the order of the matches.
fn rounds(contents: &Contents) -> Vec<(&PackedMatch, &PackedRound)> {
    contents.games.iter().flat_map(|of| of.rounds.iter().map(move |it| (of, it))).collect()
}

/// The list, in the order of the matches.
pub(in crate::report::page) fn list(contents: &Contents) -> HtmlTable {
    let rounds = rounds(contents);
    let has_values = rounds.iter().any(|(_, round)| round.given_away.is_some());
    let name = |row: usize| &contents.standings.rows[row].name;
    let pair = |[first, second]: [i64; 2]| format!("{first}:{second}");
    let table = Table::new([
        Column::text(W.game, &rounds, |(of, round)| {
            filled(W.game_name, &[&of.number, &round.round])
        }),
        Column::number(W.in_tournament, &rounds, |(of, _)| or_empty(of.in_tournament)),
        Column::text(W.first_mover_short, &rounds, |(of, round)| name(movers(of, round)[0])),
        Column::text(W.second_mover_short, &rounds, |(of, round)| name(movers(of, round)[1])),
        Column::number(W.seeds, &rounds, |(_, round)| pair(by_mover(round).map(i64::from))),
        Column::text(W.ending, &rounds, |(_, round)| ending(round)),
        Column::text(W.faults, &rounds, |(_, round)| faults(round)),
        Column::number(W.moves, &rounds, |(_, round)| round.moves),
        Column::number(W.margin, &rounds, |(_, round)| round.score[0].abs_diff(round.score[1])),
        Column::number(W.longest_ms, &rounds, |(_, round)| or_empty(round.longest.map(longest))),
        Column::number(W.opening, &rounds, |(of, _)| or_empty(of.opening_number)),
        Column::number(W.given_away, &rounds, |(_, round)| or_empty(given_away(round).map(pair)))
            .only_if(has_values),
        Column::number(W.blunders, &rounds, |(_, round)| or_empty(blunders(round)))
            .only_if(has_values),
    ]);
    let id = |row: usize| {
        let (of, round) = rounds[row];
        format!("match-{}-round-{}", of.number, round.round)
    };
    let link = |row: usize| format!("#{}", id(row));
    let mut list = HtmlTable::of(&table, W.games_caption, (W.game, &link));
    list.class = "games";
    let linked = linked_moves(contents);
    for (row, (of, round)) in rounds.iter().enumerate() {
        let (shown, id) = (&mut list.rows[row], id(row));
        // Without the script a link to a move leads to its round.
        let moves = linked.get(&(of.number, round.round)).into_iter().flatten();
        shown.cells[0].ids = moves.map(|number| format!("{id}-move-{number}")).collect();
        shown.id = id;
    }
    list
}

/// The same for programs, a number in each cell.
pub(in crate::report::page) fn for_programs(contents: &Contents) -> Table {
    let rounds = rounds(contents);
    let has_values = rounds.iter().any(|(_, round)| round.given_away.is_some());
    let name = |row: usize| &contents.standings.rows[row].name;
    let lost = |mover: usize| {
        move |(_, round): &(&PackedMatch, &PackedRound)| {
            or_empty(given_away(round).map(|lost| lost[mover]))
        }
    };
    Table::new([
        Column::number("match", &rounds, |(of, _)| of.number),
        Column::number("round", &rounds, |(_, round)| round.round),
        Column::number("tournament_match", &rounds, |(of, _)| or_empty(of.in_tournament)),
        Column::text("first", &rounds, |(of, round)| name(movers(of, round)[0])),
        Column::text("second", &rounds, |(of, round)| name(movers(of, round)[1])),
        Column::number("seeds_first", &rounds, |(_, round)| by_mover(round)[0]),
        Column::number("seeds_second", &rounds, |(_, round)| by_mover(round)[1]),
        Column::text("ending", &rounds, |(_, round)| ending(round)),
        Column::text("faults", &rounds, |(_, round)| faults(round)),
        Column::number("moves", &rounds, |(_, round)| round.moves),
        Column::number("longest_ms", &rounds, |(_, round)| or_empty(round.longest.map(longest))),
        Column::number("opening", &rounds, |(of, _)| or_empty(of.opening_number)),
        Column::number("given_away_first", &rounds, lost(0)).only_if(has_values),
        Column::number("given_away_second", &rounds, lost(1)).only_if(has_values),
        Column::number("blunders", &rounds, |(_, round)| or_empty(blunders(round)))
            .only_if(has_values),
    ])
}

/// What the first mover gave away, and what the second; `None` without values.
fn given_away(round: &PackedRound) -> Option<[i64; 2]> {
    let ([a, b], _) = round.given_away?;
    Some(if round.first == Seat::A { [a, b] } else { [b, a] })
}

fn blunders(round: &PackedRound) -> Option<u32> {
    Some(round.given_away?.1)
}

/// Milliseconds as `replay` prints them.
fn longest(micros: u64) -> String {
    format!("{:.3}", micros as f64 / 1e3)
}

fn movers(of: &PackedMatch, round: &PackedRound) -> [usize; 2] {
    if round.first == Seat::A { of.bots } else { [of.bots[1], of.bots[0]] }
}

fn by_mover(round: &PackedRound) -> [u8; 2] {
    if round.first == Seat::A { round.score } else { [round.score[1], round.score[0]] }
}

fn ending(round: &PackedRound) -> String {
    match round.reason {
        Reason::Fault(_) => W.forfeit.to_owned(),
        Reason::Ended(ending) => ending.to_string().replace('_', " "),
    }
}

fn faults(round: &PackedRound) -> String {
    let fault = round.fault.map(|(seat, kind)| {
        let who = if seat == round.first { W.by_first } else { W.by_second };
        filled(who, &[&kind.to_string().replace('_', " ")])
    });
    let substituted = match round.substituted {
        0 => None,
        count => Some(filled(W.substituted, &[&count])),
    };
    let all: Vec<String> = fault.into_iter().chain(substituted).collect();
    all.join(", ")
}
