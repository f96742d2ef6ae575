//! The list of games: a row for each round of the matches that the page keeps.

use super::bot_part::linked_moves;
use super::html_table::{Cell, Head, HtmlTable, Row};
use crate::protocol::Reason;
use crate::report::page::contents::Contents;
use crate::report::page::contents::packing::{PackedMatch, PackedRound};
use crate::report::page::words::{ENGLISH as W, filled};
use crate::report::table::{Column, Table};
use crate::seat::Seat;

/// The list, in the order of the matches.
pub(in crate::report::page) fn list(contents: &Contents) -> HtmlTable {
    let rows = contents.games.iter().flat_map(|of| of.rounds.iter().map(move |round| (of, round)));
    let has_values =
        contents.games.iter().flat_map(|of| &of.rounds).any(|round| round.given_away.is_some());
    let mut heads = vec![
        Head { help: W.game_help.to_owned(), ..Head::text(W.game) },
        Head { help: W.in_tournament_help.to_owned(), ..Head::number(W.in_tournament) },
        Head::text(W.first_mover_short),
        Head::text(W.second_mover_short),
        Head::number(W.seeds),
        Head::text(W.ending),
        Head::text(W.faults),
        Head::number(W.moves),
        Head { help: W.margin_help.to_owned(), ..Head::number(W.margin) },
        Head::number(W.longest_ms),
        Head { help: W.opening_help.to_owned(), ..Head::number(W.opening) },
    ];
    if has_values {
        heads.extend([Head::number(W.given_away), Head::number(W.blunders)]);
    }
    let name = |row: usize| contents.standings.rows[row].name.clone();
    let linked = linked_moves(contents);
    let rows = rows.map(|(of, round)| {
        let id = format!("match-{}-round-{}", of.number, round.round);
        // Without the script a link to a move leads to its round.
        let moves = linked.get(&(of.number, round.round)).into_iter().flatten();
        let ids = moves.map(|number| format!("{id}-move-{number}")).collect();
        let [first, second] = movers(of, round);
        let [own, other] = by_mover(round);
        let name_of_round =
            filled(W.game_name, &[&of.number.to_string(), &round.round.to_string()]);
        let mut cells = vec![
            Cell { ids, ..Cell::linked(name_of_round, format!("#{id}")).head() },
            Cell::new(of.in_tournament.map(|n| n.to_string()).unwrap_or_default()),
            Cell::new(name(first)),
            Cell::new(name(second)),
            Cell::new(format!("{own}:{other}")),
            Cell::new(ending(round)),
            Cell::new(faults(round)),
            Cell::new(round.moves.to_string()),
            Cell::new((i16::from(own) - i16::from(other)).unsigned_abs().to_string()),
            Cell::new(round.longest.map(longest).unwrap_or_default()),
            Cell::new(of.opening_number.map(|n| n.to_string()).unwrap_or_default()),
        ];
        if has_values {
            let lost = |lost: [i64; 2]| {
                let [first, second] = lost_by_mover(round, lost);
                format!("{first}:{second}")
            };
            cells.push(Cell::new(
                round.given_away.map(|(seeds, _)| lost(seeds)).unwrap_or_default(),
            ));
            cells.push(Cell::new(round.given_away.map(|(_, n)| n.to_string()).unwrap_or_default()));
        }
        Row { id, cells }
    });
    HtmlTable { caption: W.games_caption.to_owned(), class: "games", heads, rows: rows.collect() }
}

/// The same for programs, a number in each cell.
pub(in crate::report::page) fn for_programs(contents: &Contents) -> Table {
    let rounds = contents.games.iter().flat_map(|of| of.rounds.iter().map(move |it| (of, it)));
    let rounds: Vec<_> = rounds.collect();
    let has_values = rounds.iter().any(|(_, round)| round.given_away.is_some());
    let name = |row: usize| &contents.standings.rows[row].name;
    let or_empty = |number: Option<u64>| number.map(|it| it.to_string()).unwrap_or_default();
    let given_away =
        |round: &PackedRound| round.given_away.map(|(lost, _)| lost_by_mover(round, lost));
    let lost = |mover: usize| {
        move |(_, round): &(&PackedMatch, &PackedRound)| {
            given_away(round).map(|lost| lost[mover].to_string()).unwrap_or_default()
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
        Column::number("longest_ms", &rounds, |(_, round)| {
            round.longest.map(longest).unwrap_or_default()
        }),
        Column::number("opening", &rounds, |(of, _)| or_empty(of.opening_number)),
        Column::number("given_away_first", &rounds, lost(0)).only_if(has_values),
        Column::number("given_away_second", &rounds, lost(1)).only_if(has_values),
        Column::number("blunders", &rounds, |(_, round)| {
            or_empty(round.given_away.map(|(_, blunders)| blunders.into()))
        })
        .only_if(has_values),
    ])
}

fn lost_by_mover(round: &PackedRound, lost: [i64; 2]) -> [i64; 2] {
    if round.first == Seat::A { lost } else { [lost[1], lost[0]] }
}

/// Milliseconds as `replay` prints them.
#[expect(clippy::cast_precision_loss, reason = "within a year")]
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
        reason => reason.to_string().replace('_', " "),
    }
}

fn faults(round: &PackedRound) -> String {
    let fault = round.fault.map(|(seat, kind)| {
        let who = if seat == round.first { W.by_first } else { W.by_second };
        filled(who, &[&kind.to_string().replace('_', " ")])
    });
    let substituted = match round.substituted {
        0 => None,
        count => Some(filled(W.substituted, &[&count.to_string()])),
    };
    let all: Vec<String> = fault.into_iter().chain(substituted).collect();
    all.join(", ")
}
