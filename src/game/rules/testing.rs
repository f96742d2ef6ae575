//! Counting move sequences, and a digest of random games: the checks that two implementations play
//! the same game. Here they are compiled as the rules are, so that their speed is that of the rules.

use std::collections::HashMap;
use std::num::NonZeroU32;

use super::board::Board;
use super::game::{Ending, Game, Side};
use super::opening::Opening;
use super::ruleset::Ruleset;
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
    games_from(sower, board, &mut HashMap::new())
}

/// The same; `counted` are those that were counted before, for many games come to one board.
fn games_from(sower: Sower, board: Board, counted: &mut HashMap<Board, (u64, u32)>) -> (u64, u32) {
    if board.is_over() {
        return (1, 0);
    }
    if let Some(&games) = counted.get(&board) {
        return games;
    }
    let games = sower.legal(board).fold((0, 0), |(games, longest), ply| {
        let (more, moves) = games_from(sower, sower.sow(board, ply).next(), counted);
        (games + more, longest.max(moves + 1))
    });
    counted.insert(board, games);
    games
}

/// FNV-1a of every board, capture and ending of random games, each of at most 200 moves. The script
/// of the report computes the same.
pub fn digest_of_random_games(rules: Ruleset, games: u32) -> u32 {
    let (mut state, mut hash) = (1_u32, 0x811c_9dc5_u32);
    let mut add = |byte: u8| hash = (hash ^ u32::from(byte)).wrapping_mul(0x0100_0193);
    for _ in 0..games {
        let limit = const { NonZeroU32::new(200).unwrap() };
        let mut game = Game::new(rules, Opening::standard(&rules), limit);
        while game.ending().is_none() {
            state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            let legal: Vec<_> = game.legal().collect();
            let Some(&ply) = legal.get((state >> 16) as usize % legal.len()) else { break };
            let Ok(sown) = game.play(ply) else { break };
            game.board_of(Side::First).cells().into_iter().for_each(&mut add);
            add(sown.captured);
            add(u8::from(sown.extra_turn));
        }
        add(match game.ending() {
            Some(Ending::Completed) | None => 0,
            Some(Ending::MoveLimit) => 1,
            Some(Ending::Decided) => 2,
        });
        game.board_of(Side::First).swept().cells().into_iter().for_each(&mut add);
    }
    hash
}
