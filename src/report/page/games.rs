//! The list of games: a row for each round of the matches that the page keeps.

use super::contents::Contents;
use super::html_table::{Cell, Head, HtmlTable, Row};
use super::packing::{PackedMatch, PackedRound};
use super::words::{ENGLISH as W, filled};
use crate::protocol::Reason;
use crate::seat::Seat;

/// The list, in the order of the matches.
pub(super) fn list(contents: &Contents) -> HtmlTable {
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
    let rows = rows.map(|(of, round)| {
        let id = format!("match-{}-round-{}", of.number, round.round);
        let [first, second] = movers(of, round);
        let [own, other] = by_mover(round);
        let mut cells = vec![
            Cell::linked(
                filled(W.game_name, &[&of.number.to_string(), &round.round.to_string()]),
                format!("#{id}"),
            )
            .head(),
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
                let [first, second] =
                    if round.first == Seat::A { lost } else { [lost[1], lost[0]] };
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
