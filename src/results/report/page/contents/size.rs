//! How long a page becomes, from what is in it: how many games it has room for, and how much text.

use super::most_interesting::GamesKept;
use crate::report::standings::MOST_IN_CROSSTABLE;
use crate::standings::Standings;
use crate::text::in_address;

/// A page of a thousand matches is at most so long, a little less than what is promised. One of fewer
/// has the same room, one of more has so much for each thousand.
const PAGE: usize = 1_970_000;

/// What `info` has of that at least, and what the words about faults have.
const INFO: usize = 32_000;
const FAULTS: usize = 140_000;

/// Games that a page keeps however long it becomes.
const LEAST_GAMES: usize = 100;

/// About how many bytes of a page are not texts of bots.
#[derive(Clone, Copy, Debug)]
pub(super) struct PageSize {
    /// All that does not depend on how many games are kept.
    fixed: usize,
    /// A match in the list of games and as data.
    of_match: usize,
    /// The links to the games of two bots, and how many pairs have met.
    links: usize,
    pairs: usize,
    matches: usize,
    has_faults: bool,
}

impl PageSize {
    /// Of a page with these rows, `matches` with `moves` in all, and `cases` of faults.
    pub(super) fn new(
        standings: &Standings,
        (matches, moves): (u64, u64),
        cases: usize,
    ) -> PageSize {
        /// The script, the style and the overview; a row of the ranking, of plots and of the times; a
        /// case without its board, and its row; a bot against another in both crosstables and in the part of the
        /// bot, and the links from there; two that did not meet; a match without its moves; a move.
        const WHOLE: usize = 120_000;
        const ROW: usize = 2900;
        const CASE: usize = 1350;
        const PAIR: usize = 80;
        const LINKS: usize = 55;
        const NO_PAIR: usize = 10;
        const MATCH: usize = 460;
        const MOVE: usize = 3;
        let rows = standings.rows.len();
        let names: usize = standings.rows.iter().map(|row| in_address(&row.name).len()).sum();
        let name = names.div_ceil(rows.max(1));
        let table = standings.crosstable.iter();
        let met: usize =
            table.map(|table| (0..rows).map(|row| table.row(row).count()).sum::<usize>()).sum();
        let matches = usize::try_from(matches).unwrap_or(usize::MAX).max(1);
        let moves = usize::try_from(moves).unwrap_or(usize::MAX) / matches;
        let cells = if rows > MOST_IN_CROSSTABLE { 0 } else { rows * rows };
        PageSize {
            fixed: WHOLE
                + ROW * rows
                + (PAIR + 4 * name) * met
                + NO_PAIR * cells.saturating_sub(met)
                + (CASE + 3 * name) * cases,
            of_match: MATCH + 4 * name + MOVE * moves,
            links: 2 * (LINKS + 6 * name),
            pairs: met / 2,
            matches,
            has_faults: cases > 0,
        }
    }

    /// How many games are kept of so many that may be, unless the user says how many.
    pub(super) fn games(&self, kept: GamesKept) -> GamesKept {
        let room = PAGE.saturating_mul(self.matches.max(1000)) / 1000;
        let texts = INFO + if self.has_faults { FAULTS } else { 0 };
        let room = room.saturating_sub(self.fixed + texts);
        // Each game may be of another pair, until all are there.
        let games = (room / (self.of_match + self.links))
            .max(room.saturating_sub(self.links * self.pairs) / self.of_match);
        kept.at_most(games.max(LEAST_GAMES))
    }

    /// How many bytes texts have in a page with so many games, for which they have a bound.
    pub(super) fn room_for_texts(&self, games: usize) -> usize {
        let games = games.min(1000);
        let links = self.links * games.min(self.pairs);
        (PAGE - 2 * INFO).saturating_sub(self.fixed + self.of_match * games + links)
    }
}
