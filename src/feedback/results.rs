//! The results of a bot: its place in the table, and against whom it played how.

use super::Contest;
use super::document::{Document, InlineText};
use crate::report::result_text;
use crate::standings::{CrosstableCell, StandingsRow};
use crate::text::{counted, relative, with_full_stop};

/// The results of the bot in that row.
pub(super) fn results(page: &mut Document, contest: &Contest<'_>, place: usize) {
    let standings = contest.standings;
    let row = &standings.rows[place];
    if let Some(why) = &row.disqualified {
        let why = with_full_stop(&relative(contest.folders, why));
        let why = format!(" {why} None of its matches count.");
        return page.line([InlineText::Strong("Disqualified:".to_owned()), why.into()]);
    }
    page.paragraph(summary(row, contest));
    let against = standings.crosstable.iter().flat_map(|table| table.row(place));
    let mut against: Vec<_> =
        against.map(|(other, cell)| (cell, &standings.rows[*other])).collect();
    if contest.plan.anonymous {
        // In an order that tells nothing of the table's.
        against.sort_by_key(|(cell, _)| std::cmp::Reverse((halves(cell), cell.seeds_for)));
    }
    let rows = (1..).zip(against).map(|(number, (cell, other))| {
        let name =
            if contest.plan.anonymous { format!("opponent {number}") } else { other.name.clone() };
        let seeds = format!("{}:{}", cell.seeds_for, cell.seeds_against);
        let counts = [cell.won, cell.drawn, cell.lost].map(|count| count.to_string());
        let cells = [name].into_iter().chain(counts).chain([seeds]);
        cells.map(|text| vec![text.into()]).collect()
    });
    page.table(&["against", "won", "drawn", "lost", "seeds"], rows.collect());
}

fn halves(cell: &CrosstableCell) -> u64 {
    2 * cell.won + cell.drawn
}

fn summary(row: &StandingsRow, contest: &Contest<'_>) -> String {
    if row.matches == 0 && row.left_out > 0 {
        return "None of its matches count: the other bots are disqualified.".to_owned();
    }
    if row.matches == 0 {
        return "No match of it was played.".to_owned();
    }
    let mut text = result_text(contest.standings, row) + " ";
    let mut parts = Vec::new();
    for (when, rounds) in [("moving first", row.first), ("moving second", row.second)] {
        if rounds.rounds > 0 {
            parts.push(format!("{} of {} rounds {when}", rounds.points, rounds.rounds));
        }
    }
    text += &format!("Points by rounds: {}. ", parts.join(", "));
    text += &format!("Seeds: {} to {}.", row.seeds_for, row.seeds_against);
    if let Some(missing) = contest.standings.missing.filter(|missing| *missing > 0) {
        let matches = counted(missing, "match is", "matches are");
        text += &format!(" {matches} missing in the whole contest: this is not the last table.");
    }
    text
}
