//! Counting move sequences: the check that two implementations play the same game. Only tests
//! and benches count; it is here to be compiled as the rules are, so that its speed is theirs.

use super::board::Board;
use super::sowing::Sower;

/// Number of move sequences of exactly `depth` moves from `board`. A finished game adds nothing
/// deeper. Every move is sown, those of the last ply too.
pub fn perft(sower: Sower, board: Board, depth: u32) -> u64 {
    if depth == 0 {
        return 1;
    }
    if board.is_over() {
        return 0;
    }
    let mut sequences = 0;
    for ply in sower.legal(board) {
        sequences += perft(sower, sower.sow(board, ply).next(), depth - 1);
    }
    sequences
}

/// All complete games from `board`: their number and the moves of the longest.
///
/// Does not end where play can cycle (either direction without empty capture).
pub fn complete_games(sower: Sower, board: Board) -> (u64, u32) {
    if board.is_over() {
        return (1, 0);
    }
    sower.legal(board).fold((0, 0), |(games, longest), ply| {
        let (more, moves) = complete_games(sower, sower.sow(board, ply).next());
        (games + more, longest.max(moves + 1))
    })
}
