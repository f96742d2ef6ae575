//! The tables about one bot that its part of the page and the page for its author share.

use crate::analysis::{AnalysisRow, FoundMove};
use crate::report::analysis::{TOO_LITTLE, move_text, seeds, too_little};
use crate::report::page::words::{ENGLISH as W, SCRIPT, filled};
use crate::report::standings::{ms, percent};
use crate::report::table::ColumnNote;
use crate::report::{Column, Table};
use crate::standings::{AnswerSpread, ProcessTimes};
use crate::text::printable;

/// What these tables do not say themselves: a page says it once.
const TIMES: [ColumnNote; 1] = [(W.near_misses, W.times_help)];
const GIVEN_AWAY: [ColumnNote; 1] = [(W.given_away, W.given_away_help)];
const WORST: [ColumnNote; 1] = [(W.value, W.worst_help)];

/// The times of a bot's answers: of new processes, and of all others, where there are any.
pub(in crate::report::page) fn times_apart(
    times: &ProcessTimes,
) -> impl Iterator<Item = (&'static str, AnswerSpread)> {
    let parts = [(W.first_answers, times.first), (W.other_answers, times.others)];
    parts.into_iter().filter(|(_, of)| of.answers > 0)
}

/// The same as a table, which has no rows without an answer.
pub fn times_table(name: &str, times: &ProcessTimes) -> Table {
    let rows: Vec<_> = times_apart(times).collect();
    let mut table = Table::new([
        Column::text(W.which, &rows, |(which, _)| which),
        Column::number(W.answers, &rows, |(_, of)| of.answers),
        Column::number(W.median_ms, &rows, |(_, of)| ms(of.median_ms)),
        Column::number(W.p95_ms, &rows, |(_, of)| ms(of.p95_ms)),
        Column::number(W.longest_ms, &rows, |(_, of)| ms(of.longest_ms)),
        Column::number(W.of_limit, &rows, |(_, of)| percent(of.limit_share)),
        Column::number(W.near_misses, &rows, |(_, of)| of.near_misses),
    ]);
    table.explain(&TIMES);
    table.titled(filled(W.times_of, &[&printable(name)]))
}

/// What a bot gave away by phase, as `analyse` prints it.
pub fn given_away_table(own: &AnalysisRow) -> Table {
    // As in `analyse`, where these words stand in place of a rank.
    let rank = own.rank.map_or_else(|| TOO_LITTLE.to_owned(), |rank| rank.to_string());
    let mut table = Table::new([
        Column::number(W.rank, [rank], |rank| rank),
        Column::number(W.given_away, [own], |own| seeds(own.lost_a_round)),
        Column::number(W.opening, [own], |own| seeds(own.by_phase.opening)),
        Column::number(W.middle, [own], |own| seeds(own.by_phase.middle)),
        Column::number(W.end, [own], |own| seeds(own.by_phase.end)),
        Column::number(W.blunders, [own], |own| own.blunders),
        Column::number(W.judged, [own], |own| format!("{}/{}", own.solved, own.moves)),
    ])
    .titled(filled(W.given_away_of, &[&printable(&own.name)]));
    table.explain(&GIVEN_AWAY);
    if let Some(why) = too_little(std::slice::from_ref(own)) {
        table.remark(why);
    }
    table
}

/// The place of a match in the files, with its number in its tournament as the board has it.
pub(super) fn match_place(number: u64, in_tournament: Option<u64>) -> String {
    let beside = in_tournament.map(|other| filled(SCRIPT.in_tournament, &[&other]));
    number.to_string() + &beside.unwrap_or_default()
}

/// The moves of a bot that gave away most, and against whom if `names_others`.
pub fn worst_table(name: &str, worst: &[FoundMove], names_others: bool) -> Table {
    let place = |FoundMove { shown, .. }: &FoundMove| {
        let number = match_place(shown.number, shown.tournament_match);
        filled(W.worst_place, &[&number, &shown.round, &shown.move_number])
    };
    let mut table = Table::new([
        Column::text(W.place, worst, place),
        Column::text(W.against, worst, |found| &found.opponent).only_if(names_others),
        Column::text(W.house, worst, |found| move_text(found.shown.played)),
        Column::number(W.given_away, worst, |found| found.shown.loss),
        Column::number(W.value, worst, |found| found.shown.value),
    ]);
    table.explain(&WORST);
    table.titled(filled(W.worst_of, &[&printable(name)]))
}
