//! The rules in the script of a page against those of the program.

use mancala_referee::rules::testing::digest_of_random_games;
use mancala_referee::rules::{DirectionRule, OpponentStore, Ruleset, RulesetName};

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
    for rules in combinations() {
        assert_eq!(
            found.next(),
            Some(&*digest_of_random_games(rules, GAMES).to_string()),
            "{rules:?}"
        );
    }
    assert_eq!(found.next(), None);
}

/// Each combination of ruleset, direction, store and capture, once. Where all of these are set, only
/// the seeds are left to tell two rulesets apart, so that three of the five come to the same.
fn combinations() -> Vec<Ruleset> {
    let mut combinations = Vec::new();
    for ruleset in RulesetName::ALL {
        for direction in [DirectionRule::Forward, DirectionRule::Backward, DirectionRule::Either] {
            for opponent_store in [OpponentStore::Sow, OpponentStore::Skip] {
                for empty_capture in [true, false] {
                    let (name, seeds) = (RulesetName::Learneroo, ruleset.rules().seeds);
                    let rules = Ruleset { name, seeds, direction, opponent_store, empty_capture };
                    if !combinations.contains(&rules) {
                        combinations.push(rules);
                    }
                }
            }
        }
    }
    combinations
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
