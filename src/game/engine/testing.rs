//! What the engine's tests share: all rules, random boards, and what can be forced, without any search.

use std::collections::HashMap;

use crate::chance::Chance;
use crate::rules::{Board, CELLS, DirectionRule, OpponentStore, Ply, Ruleset, RulesetName, Sower};

/// Every combination of the options that a search can meet.
pub(super) fn all_rules() -> impl Iterator<Item = Ruleset> {
    let directions = [DirectionRule::Forward, DirectionRule::Backward, DirectionRule::Either];
    let stores = [OpponentStore::Sow, OpponentStore::Skip];
    directions.into_iter().flat_map(move |direction| {
        stores.into_iter().flat_map(move |opponent_store| {
            [true, false].map(|empty_capture| Ruleset {
                opponent_store,
                direction,
                empty_capture,
                ..RulesetName::Mancala5000.rules()
            })
        })
    })
}

/// A game that is not over with that many seeds, each in any of the fourteen cells.
pub(super) fn random_board(chance: &mut Chance, seeds: u32) -> Board {
    loop {
        let mut cells = [0; CELLS];
        for _ in 0..seeds {
            cells[chance.below(14) as usize] += 1;
        }
        let board = Board::from_cells(cells).unwrap();
        if !board.is_over() {
            return board;
        }
    }
}

/// The final margins that the player to move, and its opponent, can force on a board: at least
/// and at most. They are equal but where one of them can make play go on for ever.
pub(super) type Forced = (i16, i16);

/// What can be forced on these boards and all that follow from them: nothing is assumed at first,
/// and every board is looked at again until nothing changes.
pub(super) fn forced(sower: Sower, roots: &[Board]) -> HashMap<Board, Forced> {
    let mut boards = HashMap::new();
    let mut unseen = roots.to_vec();
    while let Some(board) = unseen.pop() {
        if !board.is_over() && boards.insert(board, (i16::MIN + 1, i16::MAX)).is_none() {
            unseen.extend(sower.legal(board).map(|ply| sower.sow(board, ply).next()));
        }
    }
    let order: Vec<Board> = boards.keys().copied().collect();
    let mut changed = true;
    while changed {
        changed = false;
        for &board in &order {
            let moves = sower.legal(board).map(|ply| forced_by(&boards, sower, board, ply));
            let best = moves.reduce(|a, b| (a.0.max(b.0), a.1.max(b.1))).unwrap();
            changed |= boards.insert(board, best) != Some(best);
        }
    }
    boards
}

/// What can be forced after a move, in the view of the player who makes it.
pub(super) fn forced_by(
    boards: &HashMap<Board, Forced>,
    sower: Sower,
    board: Board,
    ply: Ply,
) -> Forced {
    let sown = sower.sow(board, ply);
    if sown.board.is_over() {
        let swept = sown.board.swept();
        let margin = i16::from(swept.store()) - i16::from(swept.opponent_store());
        return (margin, margin);
    }
    let (least, most) = boards[&sown.next()];
    if sown.extra_turn { (least, most) } else { (-most, -least) }
}
