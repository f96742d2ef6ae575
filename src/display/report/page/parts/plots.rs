//! The plots of the page.

use std::collections::BTreeMap;

use super::html_table::HtmlTable;
use super::plot::{Anchor, Scale, SvgDrawing, estimated_width, short};
use crate::report::page::words::{ENGLISH as W, counted, filled};
use crate::report::{Column, Contents, Table};
use crate::standings::{Mergeable, StandingsRow};
use crate::text::printable;

/// A plot and what it is called.
#[derive(Debug)]
pub(in crate::report::page) struct Plot {
    /// The name of its file.
    pub(in crate::report::page) file: &'static str,
    pub(in crate::report::page) title: &'static str,
    /// How to read it.
    pub(in crate::report::page) note: String,
    pub(in crate::report::page) drawing: SvgDrawing,
    /// Markup of a table of the same numbers, where no other part of the page has them; or empty.
    pub(in crate::report::page) counts: String,
}

impl Plot {
    fn new(file: &'static str, title: &'static str, note: String, drawing: SvgDrawing) -> Plot {
        Plot { file, title, note, drawing, counts: String::new() }
    }
}

/// The width of a plot, where the names on its left end at least and at most, and where the numbers
/// on its right begin.
const WIDTH: f64 = 640.0;
const LABELS: [f64; 2] = [150.0, 300.0];
const NUMBERS: f64 = WIDTH - 110.0;
const SCALE_END: f64 = NUMBERS - 6.0;
const ROW: f64 = 22.0;

/// All plots of which something is known, in the order of the page.
pub(in crate::report::page) fn plots(contents: &Contents) -> Vec<Plot> {
    let plots = [ratings(contents), margins(contents), times(contents), given_away(contents)];
    plots.into_iter().flatten().collect()
}

/// The rank of a bot and its name.
fn label(row: &StandingsRow) -> String {
    let rank = row.rank.map(|rank| format!("{rank} ")).unwrap_or_default();
    rank + &printable(&row.name)
}

/// Where the names of `rows` end: the widest has room.
fn labels_end<'a>(rows: impl Iterator<Item = &'a StandingsRow>) -> f64 {
    let [least, most] = LABELS;
    rows.map(|row| estimated_width(&label(row)) + 10.0).fold(least, f64::max).min(most)
}

/// Writes the label of a bot on the left of its row, and returns it.
fn draw_label(drawing: &mut SvgDrawing, row: &StandingsRow, (end, y): (f64, f64)) -> String {
    let whole = label(row);
    drawing.named((end - 8.0, y + 4.0), &short(&whole, end - 10.0), &whole);
    whole
}

/// Vertical lines with a number below each that has room, and the unit below these.
fn grid(drawing: &mut SvgDrawing, scale: &Scale, (top, bottom): (f64, f64), unit: &str) {
    let marks = scale.marks();
    let widest = marks.iter().map(|mark| estimated_width(&plain(*mark)) + 6.0).fold(0.0, f64::max);
    let apart = scale.at(marks[1]) - scale.at(marks[0]);
    let every = (1..marks.len()).find(|every| apart * *every as f64 >= widest);
    for (index, mark) in marks.iter().enumerate() {
        let x = scale.at(*mark);
        drawing.line("grid", (x, top), (x, bottom));
        if index % every.unwrap_or(marks.len()) == 0 {
            drawing.text("faint", (x, bottom + 14.0), Anchor::Middle, &plain(*mark));
        }
    }
    let begin = scale.at(marks[0]);
    drawing.line("axis", (begin, bottom), (SCALE_END, bottom));
    drawing.text("faint", (f64::midpoint(begin, SCALE_END), bottom + 30.0), Anchor::Middle, unit);
}

/// A mark as it is shown, without needless decimals.
fn plain(value: f64) -> String {
    let text = format!("{:.3}", value + 0.0);
    text.trim_end_matches('0').trim_end_matches('.').to_owned()
}

/// Rows of names below each other with a scale below them all.
fn row_y(index: usize) -> f64 {
    14.0 + index as f64 * ROW
}

/// The ratings with their intervals, best first.
fn ratings(contents: &Contents) -> Option<Plot> {
    let known = |row: &StandingsRow| Some((row.rating?, row.rating_low?, row.rating_high?));
    let rows: Vec<_> =
        contents.standings.rows.iter().filter_map(|row| Some((row, known(row)?))).collect();
    if rows.len() < 2 {
        return None;
    }
    let bottom = row_y(rows.len()) - 6.0;
    let mut drawing = SvgDrawing::new(WIDTH, bottom + 40.0, W.ratings_described);
    let bounds = rows.iter().flat_map(|(_, (_, low, high))| [*low, *high]);
    let labels = labels_end(rows.iter().map(|(row, _)| *row));
    let scale = Scale::linear(bounds, labels, SCALE_END);
    grid(&mut drawing, &scale, (2.0, bottom), W.elo);
    drawing.text("faint", (NUMBERS, bottom + 30.0), Anchor::Start, W.ranks);
    for (index, (row, (rating, low, high))) in rows.iter().enumerate() {
        let y = row_y(index);
        let name = draw_label(&mut drawing, row, (labels, y));
        drawing.line("range", (scale.at(*low), y), (scale.at(*high), y));
        let shown = crate::report::standings::rating(row);
        drawing.dot((scale.at(*rating), y), &format!("{name}: {shown}"));
        let ranks = crate::report::standings::ranks(row);
        let is_any = row.rank_low == Some(1)
            && row.rank_high == u64::try_from(rows.len()).ok()
            && rows.len() > 2;
        let ranks = if is_any { W.any_rank } else { &*ranks };
        drawing.text("faint", (NUMBERS, y + 4.0), Anchor::Start, ranks);
    }
    Some(Plot::new("ratings.svg", W.ratings, W.ratings_note.to_owned(), drawing))
}

/// The bars of a histogram: the lowest and the highest margin of each, and how many rounds had one of
/// them. Draws have a bar of their own; those on its two sides are equally wide, so that neither side
/// looks like more. Most rounds end with an even margin, so that a wide bar has an even width.
fn margin_bars(margins: &BTreeMap<i16, u64>) -> BTreeMap<(i16, i16), u64> {
    let [first, last] = [margins.first_key_value(), margins.last_key_value()]
        .map(|of| of.map_or(0, |(margin, _)| *margin));
    // At most about forty bars.
    let width = [1, 2, 4, 6, 10, 20].into_iter().find(|width| (last - first) / width <= 40);
    let width = width.unwrap_or(20);
    let mut bars = BTreeMap::new();
    for (margin, rounds) in margins {
        let outer = (margin.abs() + width - 1) / width * width;
        let bar = match margin.signum() {
            0 => (0, 0),
            1 => (outer - width + 1, outer),
            _ => (-outer, width - 1 - outer),
        };
        *bars.entry(bar).or_insert(0) += rounds;
    }
    bars
}

fn signed(margin: i16) -> String {
    if margin == 0 { "0".to_owned() } else { format!("{margin:+}") }
}

/// How many rounds ended with each margin.
fn margins_table(margins: &BTreeMap<i16, u64>) -> HtmlTable {
    let table = Table::new([
        Column::text(W.margin, margins.keys(), |margin| signed(*margin)),
        Column::number(W.rounds, margins.values(), |rounds| rounds),
    ]);
    HtmlTable::of(&table, W.margins_table_caption, (W.margin, &|_| String::new()))
}

/// A histogram of the seeds by which the first mover was ahead.
fn margins(contents: &Contents) -> Option<Plot> {
    const HEIGHT: f64 = 180.0;
    let bars = margin_bars(&contents.found.margins);
    let ((first, _), (_, last)) = (bars.first_key_value()?.0, bars.last_key_value()?.0);
    let mut drawing = SvgDrawing::new(WIDTH, HEIGHT + 58.0, W.margins_described);
    let edges = [f64::from(first - 1), f64::from(last + 1)];
    let scale = Scale::whole(edges.into_iter().chain([0.0]), 60.0, WIDTH - 16.0);
    let heights = bars.values().map(|rounds| *rounds as f64).chain([0.0]);
    let up = Scale::whole(heights, HEIGHT, 30.0);
    for mark in up.marks() {
        let y = up.at(mark);
        drawing.line("grid", (60.0, y), (WIDTH - 16.0, y));
        drawing.text("faint", (54.0, y + 4.0), Anchor::End, &plain(mark));
    }
    for mark in scale.marks() {
        let shown = if mark > 0.0 { format!("+{}", plain(mark)) } else { plain(mark) };
        drawing.text("faint", (scale.at(mark), HEIGHT + 22.0), Anchor::Middle, &shown);
    }
    // Below the bars, of which one may be as narrow.
    let zero = scale.at(0.0);
    drawing.line("axis", (zero, 24.0), (zero, HEIGHT));
    for ((from, to), rounds) in &bars {
        let (left, right) = (f64::from(*from) - 0.5, f64::from(*to) + 0.5);
        let gap = (right - left) * 0.05;
        let (left, right) = (scale.at(left + gap), scale.at(right - gap));
        let y = up.at(*rounds as f64);
        let mut span = signed(*from);
        if from != to {
            span += &format!(" … {}", signed(*to));
        }
        let title = format!("{span}: {rounds}");
        drawing.rect("bar", (left, y), (right - left, HEIGHT - y), &title);
    }
    drawing.line("axis", (60.0, HEIGHT), (WIDTH - 16.0, HEIGHT));
    drawing.text(
        "faint",
        (f64::midpoint(60.0, WIDTH), HEIGHT + 44.0),
        Anchor::Middle,
        W.margins_unit,
    );
    drawing.text("faint", (8.0, 16.0), Anchor::Start, W.rounds);
    let plot = Plot::new("margins.svg", W.margins, W.margins_note.to_owned(), drawing);
    Some(Plot { counts: margins_table(&contents.found.margins).markup(), ..plot })
}

/// The median, the 95th percentile and the longest time of each bot's answers.
fn times(contents: &Contents) -> Option<Plot> {
    let known = |row: &StandingsRow| Some([row.median_ms?, row.p95_ms?, row.longest_ms?]);
    let rows: Vec<_> =
        contents.standings.rows.iter().filter_map(|row| Some((row, known(row)?))).collect();
    let limit = contents.conditions.as_ref().and_then(|(_, terms)| terms.time.move_time);
    // Matches on different terms have no limit in common.
    let limit = limit.filter(|_| !contents.standings.merged.contains(&Mergeable::Terms));
    let limit = limit.map(crate::record::milliseconds);
    if rows.is_empty() {
        return None;
    }
    let bottom = row_y(rows.len()) - 6.0;
    let mut drawing = SvgDrawing::new(WIDTH, bottom + 40.0, W.times_described);
    let all = rows.iter().flat_map(|(_, times)| *times).chain(limit);
    let labels = labels_end(rows.iter().map(|(row, _)| *row));
    let scale = Scale::logarithmic(all, labels, SCALE_END);
    grid(&mut drawing, &scale, (2.0, bottom), W.times_unit);
    if let Some(limit) = limit {
        let x = scale.at(limit);
        drawing.line("limit", (x, 2.0), (x, bottom));
    }
    for (index, (row, [median, p95, longest])) in rows.iter().enumerate() {
        let y = row_y(index);
        let name = draw_label(&mut drawing, row, (labels, y));
        drawing.line("range", (scale.at(*median), y), (scale.at(*p95), y));
        drawing.line("tick", (scale.at(*longest), y - 6.0), (scale.at(*longest), y + 6.0));
        drawing.dot((scale.at(*median), y), &filled(W.time_of, &[&name, &format!("{median:.3}")]));
        drawing.text(
            "faint",
            (NUMBERS, y + 4.0),
            Anchor::Start,
            &filled(W.ms, &[&format!("{longest:.3}")]),
        );
    }
    let note = filled(W.times_note, &[&limit.map_or("", |_| W.times_note_limit)]);
    Some(Plot::new("times.svg", W.times, note, drawing))
}

/// What each bot gave away a round, by phase.
fn given_away(contents: &Contents) -> Option<Plot> {
    let analysis = contents.found.analysis.as_ref()?;
    let known = |row: &crate::analysis::AnalysisRow| {
        let phases = &row.by_phase;
        row.rank?;
        let bot = contents.standings.rows.iter().find(|bot| bot.name == row.name)?;
        Some((bot, row.lost_a_round?, [phases.opening?, phases.middle?, phases.end?]))
    };
    let rows: Vec<_> = analysis.rows.iter().filter_map(known).collect();
    if rows.is_empty() {
        return None;
    }
    let bottom = row_y(rows.len()) - 6.0;
    let mut drawing = SvgDrawing::new(WIDTH, bottom + 58.0, W.given_away_described);
    let sums = rows.iter().map(|(.., phases)| phases.iter().sum()).chain([0.0]);
    let labels = labels_end(rows.iter().map(|(bot, ..)| *bot));
    let scale = Scale::linear(sums, labels, SCALE_END);
    grid(&mut drawing, &scale, (2.0, bottom), W.given_away_unit);
    let phases = [("bar", W.opening), ("bar2", W.middle), ("bar3", W.end)];
    for (index, (bot, total, seeds)) in rows.iter().enumerate() {
        let y = row_y(index);
        let name = draw_label(&mut drawing, bot, (labels, y));
        let mut sum = 0.0;
        for ((class, phase), seeds) in phases.iter().zip(seeds) {
            let (left, right) = (scale.at(sum), scale.at(sum + seeds));
            sum += seeds;
            let title = format!("{name}, {phase}: {seeds:.2}");
            drawing.rect(class, (left, y - 7.0), (right - left, 14.0), &title);
        }
        drawing.text("faint", (NUMBERS, y + 4.0), Anchor::Start, &format!("{total:.2}"));
    }
    for (index, (class, phase)) in (0_u32..).zip(phases) {
        let x = labels + 110.0 * f64::from(index);
        drawing.rect(class, (x, bottom + 40.0), (12.0, 12.0), "");
        drawing.text("name", (x + 18.0, bottom + 50.0), Anchor::Start, phase);
    }
    let left_out = match analysis.rows.iter().filter(|row| row.rank.is_none()).count() {
        0 => String::new(),
        bots => filled(W.given_away_left_out, &[&counted(bots as u64, W.count_bots)]),
    };
    let note = filled(W.given_away_note, &[&left_out]);
    Some(Plot::new("given-away.svg", W.given_away, note, drawing))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn equal_margins_of_both_sides_give_equal_bars(
            one_side in proptest::collection::btree_map(0_i16..=300, 1_u64..9, 0..30),
        ) {
            let margins: BTreeMap<i16, u64> =
                one_side.iter().flat_map(|(at, rounds)| [(*at, *rounds), (-at, *rounds)]).collect();
            let bars = margin_bars(&margins);
            let mirrored: BTreeMap<(i16, i16), u64> =
                bars.iter().map(|((from, to), rounds)| ((-to, -from), *rounds)).collect();
            prop_assert_eq!(&bars, &mirrored);
            prop_assert_eq!(bars.values().sum::<u64>(), margins.values().sum::<u64>());
            for (margin, rounds) in &margins {
                let bar = bars.iter().find(|((from, to), _)| (*from..=*to).contains(margin));
                prop_assert!(bar.is_some_and(|(_, all)| all >= rounds), "{margin}");
            }
            // They do not overlap.
            let edges: Vec<i16> = bars.keys().flat_map(|(from, to)| [*from, *to + 1]).collect();
            prop_assert!(edges.is_sorted(), "{edges:?}");
        }
    }
}
