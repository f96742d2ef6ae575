//! The rules in the script of a page against those of the program.

use std::num::NonZeroU32;

use mancala_referee::rules::{
    DirectionRule, Ending, Game, Opening, OpponentStore, Ruleset, RulesetName, Side,
};

use super::{node, script};
use crate::program::{path, repository};
use crate::requirements::are_there;

/// Random games of each combination of ruleset, direction, store and capture.
const GAMES: u32 = 10_000;

#[test]
fn the_script_reproduces_every_recorded_sow() {
    if !are_there("node", "the script's rules by the test vectors") {
        return;
    }
    let vectors = path(repository().join("tests/data/sow_vectors.jsonl"));
    assert_eq!(node(["vectors", &vectors]), "1730\n");
}

#[test]
fn random_games_are_the_same_in_the_script() {
    if !are_there("node", "the script's rules by random games") {
        return;
    }
    let found = node(["random", &GAMES.to_string()]);
    let mut found = found.lines();
    for name in RulesetName::ALL {
        for direction in [DirectionRule::Forward, DirectionRule::Backward, DirectionRule::Either] {
            for opponent_store in [OpponentStore::Sow, OpponentStore::Skip] {
                for empty_capture in [true, false] {
                    let rules =
                        Ruleset { direction, opponent_store, empty_capture, ..name.rules() };
                    let expected = digest(rules, GAMES).to_string();
                    assert_eq!(found.next(), Some(&*expected), "{rules:?}");
                }
            }
        }
    }
    assert_eq!(found.next(), None);
}

/// FNV-1a of every board, capture and ending; the script computes the same.
fn digest(rules: Ruleset, games: u32) -> u32 {
    let (mut state, mut hash) = (1_u32, 0x811c_9dc5_u32);
    let mut add = |byte: u8| hash = (hash ^ u32::from(byte)).wrapping_mul(0x0100_0193);
    for _ in 0..games {
        let limit = NonZeroU32::new(200).unwrap();
        let mut game = Game::new(rules, Opening::standard(&rules), limit);
        while game.ending().is_none() {
            state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            let count = u32::try_from(game.legal().count()).unwrap();
            let chosen = (state >> 16) % count;
            let ply = game.legal().nth(usize::try_from(chosen).unwrap()).unwrap();
            let sown = game.play(ply).unwrap();
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

#[test]
fn the_script_is_one_readable_file() {
    let text = std::fs::read_to_string(script()).unwrap();
    assert!(text.lines().count() <= 1500, "{}", text.lines().count());
    let longest = text.lines().map(|line| line.chars().count()).max();
    assert!(longest <= Some(200), "{longest:?}");
    for word in ["eval(", "innerHTML", "document.write", "fetch(", "XMLHttpRequest", "import("] {
        assert!(!text.contains(word), "{word}");
    }
}
