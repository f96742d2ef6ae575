//! An example of each result of a move: positions made for it, results that the rules compute.

use super::drawing::draw;
use super::layout::{Layout, number};
use super::words::kind;
use crate::rules::{Board, Direction, Opening, OpponentStore, Ply, Ruleset, Sower, Sown};
use crate::seat::Seat;

/// Positions to find examples in, in Player A's view; the first that fits is taken. The opening
/// stands before them.
const POSITIONS: [[u8; 14]; 6] = [
    [1, 2, 0, 0, 5, 9, 8, 3, 4, 0, 1, 0, 2, 7],
    [0, 3, 0, 1, 2, 0, 11, 5, 0, 4, 0, 3, 0, 9],
    [1, 0, 2, 0, 1, 9, 8, 3, 0, 1, 4, 2, 2, 7],
    [8, 8, 0, 2, 1, 0, 9, 0, 2, 1, 3, 0, 2, 10],
    [0, 0, 0, 0, 0, 1, 22, 0, 3, 0, 2, 0, 0, 20],
    [1, 0, 0, 0, 0, 0, 22, 0, 3, 0, 2, 0, 0, 20],
];

/// A move that may be an example.
struct ExampleMove<'a> {
    rules: &'a Ruleset,
    before: Board,
    ply: Ply,
    sown: Sown,
    last: u8,
}

impl ExampleMove<'_> {
    /// Whether the seeds come to the opponent's store and go on.
    fn passes_the_other_store(&self) -> bool {
        let (cell, seeds) = (self.ply.house.cell(), self.before.seeds_in(self.ply.house));
        match self.ply.direction {
            Direction::Forward => cell + seeds > 13,
            Direction::Backward => seeds > cell + 1,
        }
    }

    fn is_normal(&self) -> bool {
        self.sown.captured == 0 && !self.sown.extra_turn && !self.sown.board.is_over()
    }

    fn is_long(&self, opponent_store: OpponentStore) -> bool {
        let is_as_sown = self.rules.opponent_store == opponent_store;
        self.is_normal() && self.passes_the_other_store() && is_as_sown
    }

    /// Whether the last seed falls into an own empty house that faces an empty one.
    fn faces_nothing(&self) -> bool {
        let is_empty = |cell: u8| self.before.cells()[usize::from(cell)] == 0;
        self.last < 6 && is_empty(self.last) && is_empty(12 - self.last)
    }
}

type IsExample = fn(&ExampleMove<'_>) -> bool;

/// The title of each example, and whether a move is one.
const ALL: [(&str, IsExample); 8] = [
    ("A normal move", |it| it.is_normal() && !it.passes_the_other_store() && it.last != 13),
    ("A free turn: the last seed falls into the player's own store", |it| it.sown.extra_turn),
    ("A capture: the last seed falls into an empty house of the player's own", |it| {
        it.sown.captured > 1 && !it.sown.board.is_over()
    }),
    ("A capture where the facing house is empty", |it| {
        it.sown.captured == 1 && !it.sown.board.is_over()
    }),
    ("No capture: the facing house is empty", |it| it.is_normal() && it.faces_nothing()),
    ("A long move: the other player's store gets a seed", |it| it.is_long(OpponentStore::Sow)),
    ("A long move: the other player's store is passed over", |it| it.is_long(OpponentStore::Skip)),
    ("The end: Player A has no seeds left in its houses", |it| {
        it.sown.board.own_side_is_empty() && it.sown.captured == 0
    }),
];

/// The examples of a ruleset, each with its boards before and after the move.
pub(super) fn examples(rules: &Ruleset) -> Vec<String> {
    let sower = Sower::new(rules);
    let positions: Vec<Board> = std::iter::once(Opening::standard(rules).board())
        .chain(POSITIONS.into_iter().filter_map(|cells| Board::from_cells(cells).ok()))
        .collect();
    let moves = |&before: &Board| {
        sower.legal(before).map(move |ply| ExampleMove {
            rules,
            before,
            ply,
            sown: sower.sow(before, ply),
            last: sower.last_cell(before, ply),
        })
    };
    let example = |(title, is_one): (&str, IsExample)| {
        positions.iter().flat_map(moves).find(is_one).map(|found| drawn(title, &found))
    };
    ALL.into_iter().filter_map(example).collect()
}

fn drawn(title: &str, example: &ExampleMove<'_>) -> String {
    let ExampleMove { rules, before, ply, sown, .. } = example;
    let layout = Layout::of(rules);
    let arrow = || format!(" {}", layout.arrow(Seat::A, ply.direction));
    let way = rules.direction.is_a_choice().then(arrow).unwrap_or_default();
    let seeds = sown.board.swept().opponent_store();
    let end = || format!("With the seeds of its own houses Player B comes to {seeds}.\n");
    let end = sown.board.is_over().then(end).unwrap_or_default();
    let rows = |board: Board, count: usize| {
        draw(board, layout).lines().skip(2).take(count).collect::<Vec<_>>().join("\n")
    };
    format!(
        "{title}.\n{}\n\nPlayer A plays {}{way}. Turn result: {}.\n{}\n{end}",
        rows(*before, 5),
        number(ply.house),
        kind(*sown),
        rows(sown.board, 3)
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::{DirectionRule, RulesetName};

    #[test]
    fn there_is_one_for_each_result_under_all_rules() {
        for name in RulesetName::ALL {
            for direction in
                [DirectionRule::Forward, DirectionRule::Backward, DirectionRule::Either]
            {
                for empty_capture in [true, false] {
                    let rules = Ruleset { direction, empty_capture, ..name.rules() };
                    let titles: Vec<String> = examples(&rules)
                        .iter()
                        .map(|example| example.lines().next().unwrap_or_default().to_owned())
                        .collect();
                    // Either a lone seed is captured or it is not.
                    assert_eq!(titles.len(), 6, "{rules:?}: {titles:#?}");
                }
            }
        }
    }
}
