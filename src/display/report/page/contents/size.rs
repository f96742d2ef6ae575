//! How much room a page has for the texts of bots.

use crate::report::standings::MOST_IN_CROSSTABLE;
use crate::standings::Standings;
use crate::text::in_address;

/// A page of a thousand matches is at most so long with these texts, a little less than what is
/// promised.
const PAGE: usize = 1_900_000;

/// About how many bytes of a page with these rows, `games` and `cases` of faults are left for texts.
/// These have a bound, so a thousand games count at most.
pub(super) fn room_for_texts(standings: &Standings, games: usize, cases: usize) -> usize {
    /// The script, the style and the overview; a row of the ranking, of plots and of the times; a case
    /// without its board, and its row; a bot against another in both crosstables and in the part of the
    /// bot, and the links from there; two that did not meet; a match in the list and as data.
    const WHOLE: usize = 120_000;
    const ROW: usize = 2900;
    const CASE: usize = 1350;
    const PAIR: usize = 80;
    const LINKS: usize = 55;
    const NO_PAIR: usize = 10;
    const MATCH: usize = 620;
    let rows = standings.rows.len();
    let names: usize = standings.rows.iter().map(|row| in_address(&row.name).len()).sum();
    let name = names.div_ceil(rows.max(1));
    let table = standings.crosstable.iter();
    let met: usize =
        table.map(|table| (0..rows).map(|row| table.row(row).count()).sum::<usize>()).sum();
    let cells = if rows > MOST_IN_CROSSTABLE { 0 } else { rows * rows };
    let games = games.min(1000);
    let used = WHOLE
        + ROW * rows
        + (PAIR + 4 * name) * met
        + NO_PAIR * cells.saturating_sub(met)
        + (CASE + 3 * name) * cases
        + (MATCH + 4 * name) * games
        + (LINKS + 6 * name) * met.min(2 * games);
    PAGE.saturating_sub(used)
}
