//! The tables of the page for programs: the same values, a number in each cell.

use crate::analysis::FoundMove;
use crate::protocol::Cause;
use crate::report::page::contents::Contents;
use crate::report::page::contents::cases::FaultCase;
use crate::report::page::parts::bot_part::{times_of, worst_of};
use crate::report::page::parts::games;
use crate::report::standings::{for_programs, ms};
use crate::report::table::{Column, Table, or_empty};
use crate::rules::Direction;
use crate::standings::{AnswerSpread, StandingsRow};

/// All of them by the names of their files; those of which nothing is known are left out.
pub(super) fn tables(contents: &Contents) -> Vec<(&'static str, Table)> {
    let mut tables = vec![
        ("ranking.csv", for_programs(&contents.standings)),
        ("crosstable.csv", crosstable(contents)),
        ("games.csv", games::for_programs(contents)),
        ("first-mover.csv", first_mover(contents)),
        ("margins.csv", margins(contents)),
        ("times.csv", times(contents)),
        ("faults.csv", faults(contents)),
    ];
    if let Some(analysis) = &contents.found.analysis {
        tables.push(("given-away.csv", crate::report::analysis::for_programs(analysis)));
        tables.push(("worst-moves.csv", worst_moves(contents)));
    }
    tables
}

/// How the first mover fared: a row for each pair and each of the two who moved first.
fn first_mover(contents: &Contents) -> Table {
    let mut pairs: Vec<_> = contents.found.by_mover.iter().collect();
    pairs.sort_unstable();
    let name = |row: usize| &contents.standings.rows[row].name;
    Table::new([
        Column::text("first", &pairs, |((first, _), _)| name(*first)),
        Column::text("second", &pairs, |((_, second), _)| name(*second)),
        Column::number("won", &pairs, |(_, [won, ..])| won),
        Column::number("drawn", &pairs, |(_, [_, drawn, _])| drawn),
        Column::number("lost", &pairs, |(_, [.., lost])| lost),
    ])
}

/// How many rounds ended with each margin of the first mover.
fn margins(contents: &Contents) -> Table {
    let rows: Vec<(&i16, &u64)> = contents.found.margins.iter().collect();
    Table::new([
        Column::number("margin", &rows, |(margin, _)| margin),
        Column::number("rounds", &rows, |(_, rounds)| rounds),
    ])
}

/// A row for each pair, which is easier to read by a program than a square; matches, and then
/// rounds by who moved first.
fn crosstable(contents: &Contents) -> Table {
    let rows = &contents.standings.rows;
    let all = contents.standings.crosstable.as_ref();
    let pairs: Vec<_> = (0..rows.len())
        .flat_map(|row| all.iter().flat_map(move |table| table.row(row)).map(move |of| (row, of)))
        .map(|(row, (other, cell))| (row, *other, cell, contents.rounds_by_mover(row, *other)))
        .collect();
    let rounds = |mover: usize, result: usize| {
        let title = ["won", "drawn", "lost"][result];
        let title = format!("{title}_moving_{}", ["first", "second"][mover]);
        Column::number(title, &pairs, move |(.., rounds)| rounds[mover][result])
    };
    let columns = [
        Column::text("name", &pairs, |(row, ..)| &rows[*row].name),
        Column::text("opponent", &pairs, |(_, other, ..)| &rows[*other].name),
        Column::number("won", &pairs, |(.., cell, _)| cell.won),
        Column::number("drawn", &pairs, |(.., cell, _)| cell.drawn),
        Column::number("lost", &pairs, |(.., cell, _)| cell.lost),
        Column::number("seeds_for", &pairs, |(.., cell, _)| cell.seeds_for),
        Column::number("seeds_against", &pairs, |(.., cell, _)| cell.seeds_against),
    ];
    let by_mover =
        [0, 1].into_iter().flat_map(|mover| [0, 1, 2].map(|result| rounds(mover, result)));
    Table::new(columns.into_iter().chain(by_mover))
}

/// The times of answers: of new processes, and of all others.
fn times(contents: &Contents) -> Table {
    let bots = contents.standings.rows.iter().map(|row| &*row.name);
    let of_bot = |name| times_of(contents, name).map(move |(which, of)| (name, which, of));
    let rows: Vec<(&str, &str, AnswerSpread)> = bots.flat_map(of_bot).collect();
    let number = |title, of: fn(&AnswerSpread) -> Option<f64>| {
        Column::number(title, &rows, move |(.., spread)| ms(of(spread)))
    };
    Table::new([
        Column::text("name", &rows, |(name, ..)| name),
        Column::text("answers_of", &rows, |(_, which, _)| which),
        Column::number("answers", &rows, |(.., of)| of.answers),
        number("median_ms", |of| of.median_ms),
        number("p95_ms", |of| of.p95_ms),
        number("longest_ms", |of| of.longest_ms),
        Column::number("limit_share", &rows, |(.., of)| or_empty(of.limit_share)),
        Column::number("near_misses", &rows, |(.., of)| of.near_misses),
    ])
}

/// Each kind of fault of each bot, with its first case.
fn faults(contents: &Contents) -> Table {
    let of_row = |row: &'_ StandingsRow| {
        let case = |kind| contents.found.cases.get(&(row.name.clone(), kind));
        let kinds = row.faults.iter();
        kinds
            .map(|(kind, times)| (row.name.clone(), *kind, *times, case(*kind)))
            .collect::<Vec<_>>()
    };
    let rows: Vec<_> = contents.standings.rows.iter().flat_map(of_row).collect();
    let number = |title, of: fn(&FaultCase) -> String| {
        Column::number(title, &rows, move |(.., case)| or_empty(case.map(of)))
    };
    let text = |title, of: fn(&FaultCase) -> &String| {
        Column::text(title, &rows, move |(.., case)| or_empty(case.map(of)))
    };
    let of_cause = |title, of: fn(&Cause) -> String| {
        let cause = |case: &FaultCase| case.fault.cause.as_deref().map(of);
        Column::number(title, &rows, move |(.., case)| or_empty(case.and_then(cause)))
    };
    Table::new([
        Column::text("name", &rows, |(name, ..)| name),
        Column::text("kind", &rows, |(_, kind, ..)| kind),
        Column::number("times", &rows, |(_, _, times, _)| times),
        number("match", |case| case.place.match_number.to_string()),
        number("round", |case| case.round.to_string()),
        number("move", |case| case.move_number.to_string()),
        text("opponent", |case| &case.opponent),
        text("sent", |case| &case.sent),
        text("came_back", |case| &case.fault.detail),
        of_cause("exit_code", |cause| or_empty(cause.exit_code)),
        of_cause("signal", |cause| or_empty(cause.signal)),
        of_cause("waited_ms", |cause| or_empty(cause.waited_ms)),
        of_cause("limit_ms", |cause| or_empty(cause.limit_ms)),
        of_cause("start_ms", |cause| or_empty(cause.start_ms)),
        text("what_is_wrong", |case| &case.advice.what),
        text("fix", |case| &case.advice.fix),
        text("stderr", |case| &case.fault.stderr),
    ])
}

/// The moves of each bot that gave away most.
fn worst_moves(contents: &Contents) -> Table {
    let bots = contents.standings.rows.iter().map(|row| &*row.name).enumerate();
    let of_bot = |(row, name)| worst_of(contents, row).iter().map(move |found| (name, found));
    let rows: Vec<(&str, &FoundMove)> = bots.flat_map(of_bot).collect();
    Table::new([
        Column::text("name", &rows, |(name, _)| name),
        Column::text("opponent", &rows, |(_, of)| &of.opponent),
        Column::number("match", &rows, |(_, of)| of.shown.number),
        Column::number("round", &rows, |(_, of)| of.shown.round),
        Column::number("move", &rows, |(_, of)| of.shown.move_number),
        Column::number("house", &rows, |(_, of)| of.shown.played.house),
        Column::text("direction", &rows, |(_, of)| {
            or_empty(of.shown.played.direction.map(Direction::as_str))
        }),
        Column::number("given_away", &rows, |(_, of)| of.shown.loss),
        Column::number("value", &rows, |(_, of)| of.shown.value),
    ])
}
