//! The tables of the page for programs: the same values, a number in each cell.

use crate::analysis::FoundMove;
use crate::report::page::contents::Contents;
use crate::report::page::parts::bot_part::{times_of, worst_of};
use crate::report::page::parts::games;
use crate::report::standings::{for_programs, ms};
use crate::report::table::{Column, Table, or_empty};
use crate::rules::Direction;
use crate::standings::AnswerSpread;

/// All of them by their names; those of which nothing is known are left out.
pub(super) fn tables(contents: &Contents) -> Vec<(&'static str, Table)> {
    let mut tables = vec![
        ("ranking", for_programs(&contents.standings)),
        ("crosstable", crosstable(contents)),
        ("games", games::for_programs(contents)),
        ("first-mover", first_mover(contents)),
        ("margins", margins(contents)),
        ("times", times(contents)),
        ("faults", faults(contents)),
    ];
    if let Some(analysis) = &contents.found.analysis {
        tables.push(("given-away", crate::report::analysis::for_programs(analysis)));
        tables.push(("worst-moves", worst_moves(contents)));
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
    let of_row = |row: &'_ crate::standings::StandingsRow| {
        let name = row.name.clone();
        let kinds = row.faults.iter().map(|(kind, times)| (*kind, *times));
        kinds.map(|(kind, times)| (name.clone(), kind, times)).collect::<Vec<_>>()
    };
    let all = contents.standings.rows.iter().flat_map(of_row);
    let rows: Vec<_> = all
        .map(|(name, kind, times)| {
            let case = contents.found.cases.get(&(name.clone(), kind));
            (name, kind, times, case, case.and_then(|case| case.fault.cause.as_deref()))
        })
        .collect();
    Table::new([
        Column::text("name", &rows, |(name, ..)| name),
        Column::text("kind", &rows, |(_, kind, ..)| kind),
        Column::number("times", &rows, |(_, _, times, ..)| times),
        Column::number("match", &rows, |(.., case, _)| or_empty(case.map(|it| it.match_number))),
        Column::number("round", &rows, |(.., case, _)| or_empty(case.map(|it| it.round))),
        Column::number("move", &rows, |(.., case, _)| or_empty(case.map(|it| it.move_number))),
        Column::text("opponent", &rows, |(.., case, _)| or_empty(case.map(|it| &it.opponent))),
        Column::text("sent", &rows, |(.., case, _)| or_empty(case.map(|it| &it.sent))),
        Column::text("came_back", &rows, |(.., case, _)| or_empty(case.map(|it| &it.fault.detail))),
        Column::number("exit_code", &rows, |(.., cause)| {
            or_empty(cause.and_then(|it| it.exit_code))
        }),
        Column::number("signal", &rows, |(.., cause)| or_empty(cause.and_then(|it| it.signal))),
        Column::number("waited_ms", &rows, |(.., cause)| {
            or_empty(cause.and_then(|it| it.waited_ms))
        }),
        Column::number("limit_ms", &rows, |(.., cause)| or_empty(cause.and_then(|it| it.limit_ms))),
        Column::number("start_ms", &rows, |(.., cause)| or_empty(cause.and_then(|it| it.start_ms))),
        Column::text("what_is_wrong", &rows, |(.., case, _)| {
            or_empty(case.map(|it| &it.advice.what))
        }),
        Column::text("fix", &rows, |(.., case, _)| or_empty(case.map(|it| &it.advice.fix))),
        Column::text("stderr", &rows, |(.., case, _)| or_empty(case.map(|it| &it.fault.stderr))),
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
