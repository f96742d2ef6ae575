//! The result of a match as tables.

use std::io::{self, Write};
use std::time::Duration;

use super::csv::write_rows;
use super::format::{OutputFormat, write_result};
use super::notes::{next_steps, notes, substituted};
use super::standings::ms;
use super::table::{Column, Footnote, Table, or_empty};
use super::width::Width;
use crate::protocol::{FaultKind, Reason};
use crate::record::{FaultPolicy, MatchRecord, RoundRecord, milliseconds};
use crate::seat::Seat;

/// Writes the result of a match; a table for a terminal is fitted to `width`.
///
/// # Errors
///
/// When the writer fails.
pub fn write_match(
    out: &mut dyn Write,
    record: &MatchRecord,
    format: OutputFormat,
    width: Width,
) -> io::Result<()> {
    let (tables, rows) = (|| vec![for_people(record)], || for_programs(record));
    write_result(out, (format, width), record, tables, rows)
}

/// Writes the rows of a match in CSV, below the titles if they are not there yet.
///
/// # Errors
///
/// When the writer fails.
pub fn write_match_rows(
    out: &mut dyn Write,
    record: &MatchRecord,
    has_titles: &mut bool,
) -> io::Result<()> {
    write_rows(out, &for_programs(record), !std::mem::replace(has_titles, true))
}

/// One bot in one round, or in all of them.
#[derive(Clone, Copy, Debug)]
struct ResultRow<'a> {
    seat: Seat,
    bot: &'a str,
    /// `None` for the whole match.
    round: Option<&'a RoundRecord>,
    seeds: u32,
    /// The fault that ended the round, if it was this bot's.
    fault: Option<FaultKind>,
    /// All faults of this bot, substituted or not.
    faults: usize,
    /// Its moves, those that were played for it included.
    moves: usize,
    /// The mean time of the moves that it made itself.
    mean: Option<Duration>,
    longest: Option<Duration>,
    /// Seeds that its moves gave away, as far as an analysis knows.
    given_away: Option<i64>,
}

/// A row for each round and bot, in that order.
fn rows(record: &MatchRecord) -> Vec<ResultRow<'_>> {
    let row = |round, seat| row(record, Some(round), seat);
    record.rounds.iter().flat_map(|round| Seat::BOTH.map(|seat| row(round, seat))).collect()
}

/// To the microsecond, as in standings.
fn mean(times: &[Duration]) -> Option<Duration> {
    let count = u64::try_from(times.len()).ok()?;
    let total = u64::try_from(times.iter().sum::<Duration>().as_micros()).ok()?;
    Some(Duration::from_micros((total + count / 2).checked_div(count)?))
}

/// The row of a bot in a round; in the whole match without one.
fn row<'a>(record: &'a MatchRecord, round: Option<&'a RoundRecord>, seat: Seat) -> ResultRow<'a> {
    let rounds = round.map_or(&record.rounds[..], std::slice::from_ref);
    let moves = rounds.iter().flat_map(|round| &round.moves).filter(|played| played.bot == seat);
    let made = moves.clone().filter(|played| played.substitute.is_none());
    let times: Vec<Duration> = made.map(|played| played.time).collect();
    let losses = moves.clone().filter_map(|played| played.loss.map(i64::from));
    let fault = round.and_then(|round| round.result.fault.as_ref());
    ResultRow {
        seat,
        bot: &record.bots[seat].name,
        round,
        seeds: round.map_or(record.score[seat], |round| round.result.score[seat].into()),
        fault: fault.filter(|fault| fault.bot == seat).map(|fault| fault.kind),
        faults: rounds.iter().map(|round| round.faults(seat)).sum(),
        moves: moves.count(),
        mean: mean(&times),
        longest: times.into_iter().max(),
        given_away: losses.reduce(|sum, loss| sum + loss),
    }
}

/// Where a terminal is too narrow, the times go first, then the number of moves, who began, and the
/// faults.
fn for_people(record: &MatchRecord) -> Table {
    let mut rows = rows(record);
    if record.rounds.len() > 1 {
        rows.extend(Seat::BOTH.map(|seat| row(record, None, seat)));
    }
    // Where every fault forfeits, the column before it says all that there is to say.
    let counts_faults = record.terms.faults.policy != FaultPolicy::Forfeit;
    let of_round = |row: &ResultRow, shown: &dyn Fn(&RoundRecord) -> String| {
        row.round.map(shown).unwrap_or_default()
    };
    let began = |row: &ResultRow, round: &RoundRecord| {
        if round.first == row.seat { "yes" } else { "" }.to_owned()
    };
    let shown_ms = |row: &ResultRow, time: Option<Duration>| match (row.round, time) {
        (None, _) => String::new(),
        (Some(_), None) => "-".to_owned(),
        (Some(_), time) => ms(time.map(milliseconds)),
    };
    let round = |row: &ResultRow| row.round.map_or("both".to_owned(), |it| it.round.to_string());
    let mut table = Table::new([
        Column::text("round", &rows, round),
        Column::text("bot", &rows, |row| row.bot).cut_to(12),
        Column::text("began", &rows, |row| of_round(row, &|it| began(row, it))).left_out(4),
        Column::number("seeds", &rows, |row| row.seeds),
        Column::text("ended", &rows, |row| ended(record, row)).cut_to(18),
        Column::number("faults", &rows, |row| row.faults).left_out(5).only_if(counts_faults),
        Column::number("moves", &rows, |row| of_round(row, &|_| row.moves.to_string())).left_out(3),
        Column::number("given away", &rows, |row| or_empty(row.given_away))
            .left_out(6)
            .only_if(rows.iter().any(|row| row.given_away.is_some())),
        Column::number("mean ms", &rows, |row| shown_ms(row, row.mean)).left_out(1),
        Column::number("longest ms", &rows, |row| shown_ms(row, row.longest)).left_out(2),
    ]);
    for round in &record.rounds {
        let lines = substituted(record, round);
        let gap = (!lines.is_empty()).then_some(Footnote::Gap);
        table.below.extend(lines.into_iter().map(Footnote::Sentence).chain(gap));
        table.below.extend(notes(record, round));
    }
    table.remark(verdict(record));
    for (name, command) in next_steps(record) {
        // The config may give it a folder of its own, of which the record says nothing.
        let place = if record.tournament.is_some() { ", in the folder where it runs" } else { "" };
        let sentence = format!("To find out what is wrong with {name}{place}:");
        table.below.extend([Footnote::Gap, Footnote::Sentence(sentence)]);
        table.below.push(Footnote::Lines(vec![format!("  {command}")]));
    }
    table
}

/// How the round ended for this bot: its own forfeit, its opponent's, or the rules' end; how the
/// match ended.
fn ended(record: &MatchRecord, row: &ResultRow) -> String {
    match (row.round.map(|round| round.result.reason), row.fault) {
        (None, _) => outcome(record, row.seat).to_owned(),
        (_, Some(kind)) => format!("forfeit: {kind}"),
        (Some(Reason::Fault(_)), None) => "opponent's forfeit".to_owned(),
        (Some(reason), None) => reason.to_string().replace('_', " "),
    }
}

fn for_programs(record: &MatchRecord) -> Table {
    let rows: Vec<(ResultRow, &RoundRecord)> =
        rows(record).into_iter().filter_map(|row| Some((row, row.round?))).collect();
    let place = record.tournament.as_ref();
    let tournament = or_empty(place.map(|place| place.id));
    let number = or_empty(place.map(|place| place.number));
    let started = or_empty(record.started);
    let opening = record.opening.board().cells().map(|seeds| seeds.to_string()).join(" ");
    let ms = |time: Option<Duration>| ms(time.map(milliseconds));
    Table::new([
        Column::number("started", &rows, |_| &started),
        Column::number("tournament", &rows, |_| &tournament),
        Column::number("match", &rows, |_| &number),
        Column::text("rules", &rows, |_| record.rules.name),
        Column::number("opening", &rows, |_| &opening),
        Column::number("round", &rows, |(_, round)| round.round),
        Column::text("bot", &rows, |(row, _)| row.bot),
        Column::text("opponent", &rows, |(row, _)| &record.bots[!row.seat].name),
        Column::text("began", &rows, |(row, round)| round.first == row.seat),
        Column::number("seeds", &rows, |(row, _)| row.seeds),
        Column::text("reason", &rows, |(row, round)| own_reason(row, round)),
        Column::text("fault", &rows, |(row, _)| or_empty(row.fault)),
        Column::number("moves", &rows, |(row, _)| row.moves),
        Column::number("mean_ms", &rows, |(row, _)| ms(row.mean)),
        Column::number("longest_ms", &rows, |(row, _)| ms(row.longest)),
        Column::number("match_score", &rows, |(row, _)| record.score[row.seat]),
        Column::text("match_outcome", &rows, |(row, _)| outcome(record, row.seat)),
        Column::number("replayed", &rows, |(_, round)| round.replayed),
        Column::number("faults", &rows, |(row, _)| row.faults),
    ])
}

/// How the round ended for this bot, as one word.
fn own_reason(row: &ResultRow, round: &RoundRecord) -> String {
    match (row.fault, round.result.reason) {
        (Some(_), _) => "forfeit".to_owned(),
        (None, Reason::Fault(_)) => "opponent_forfeit".to_owned(),
        (None, reason) => reason.to_string(),
    }
}

/// `win`, `loss` or `draw`.
fn outcome(record: &MatchRecord, seat: Seat) -> &'static str {
    match record.winner {
        None => "draw",
        Some(winner) if winner == seat => "win",
        Some(_) => "loss",
    }
}

/// The result in one sentence: `greedy wins 41 : 31 against random.`
fn verdict(record: &MatchRecord) -> String {
    let name = |seat: Seat| &record.bots[seat].name;
    let first = record.winner.unwrap_or(Seat::A);
    let score = format!("{} : {}", record.score[first], record.score[!first]);
    match record.winner {
        Some(_) => format!("{} wins {score} against {}.", name(first), name(!first)),
        None => format!("{} and {} draw {score}.", name(first), name(!first)),
    }
}
