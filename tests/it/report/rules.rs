//! The rules in the script of a page against those of the program.

use mancala_referee::rules::testing::digest_of_random_games;
use mancala_referee::rules::{DirectionRule, OpponentStore, Ruleset, RulesetName, SeedsAHouse};

use super::{node, script};
use crate::program::{mancala, path, repository};
use crate::requirements::are_there;
use crate::test_folder::TestFolder;

/// Random games of each combination of seeds, direction, store and capture.
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
fn random_games_with_three_seeds_are_the_same_in_the_script() {
    random_games_are_the_same(3);
}

#[test]
fn random_games_with_four_seeds_are_the_same_in_the_script() {
    random_games_are_the_same(4);
}

#[test]
fn random_games_with_five_seeds_are_the_same_in_the_script() {
    random_games_are_the_same(5);
}

#[track_caller]
fn random_games_are_the_same(seeds: u8) {
    let has_test = |name: &RulesetName| (3..=5).contains(&name.rules().seeds.get());
    assert!(RulesetName::ALL.iter().all(has_test));
    if !are_there("node", "the script's rules by random games") {
        return;
    }
    let found = node(["random", &seeds.to_string(), &GAMES.to_string()]);
    let mut found = found.lines();
    for rules in combinations(seeds) {
        assert_eq!(
            found.next(),
            Some(&*digest_of_random_games(rules, GAMES).to_string()),
            "{rules:?}"
        );
    }
    assert_eq!(found.next(), None);
}

/// At the limit of moves, and where a store holds more than half.
#[test]
fn a_move_that_ends_a_round_gives_no_extra_turn() {
    let folder = TestFolder::new();
    let five = "sh -c 'while read line; do case $line in *type*turn*) echo 5; esac; done'";
    for options in ["--max-moves=1", "--adjudicate=lead"] {
        let run = mancala(["match", "--rounds=1", "--opening=1,0,0,0,0,1,4,1,0,0,0,0,1,0"]);
        let run = run.args([options, "--record=m.jsonl", "--report=m.html", "-q"]);
        let bots = ["x", "y"].map(|name| format!("{name}={five}"));
        run.args(bots).in_folder(folder.path()).run().code(0);
        let replay = |arguments: &[&str]| {
            let run = mancala(["replay", "m.jsonl"]).args(arguments).in_folder(folder.path());
            run.run().success()
        };
        let round = replay(&["--format=json"]).json()["rounds"][0].clone();
        assert_eq!(round["moves"].as_array().unwrap().len(), 1, "{round}");
        assert_eq!(round["moves"][0]["extra_turn"], false, "{round}");
        let text = replay(&["--match=1", "--round=1"]).stdout;
        assert!(text.contains("1. x plays 5") && !text.contains("moves again"), "{text}");
        if are_there("node", "extra turns in the script") {
            let found = node(["boards", &folder.file("m.html")]);
            let found: serde_json::Value = serde_json::from_str(&found).unwrap();
            assert_eq!(found[0][0]["moves"][0]["extra_turn"], false, "{found}");
        }
        std::fs::remove_file(folder.file("m.jsonl")).unwrap();
        std::fs::remove_file(folder.file("m.html")).unwrap();
    }
}

/// Each combination of direction, store and capture. Where these and the seeds are set, the name of
/// a ruleset changes nothing.
fn combinations(seeds: u8) -> Vec<Ruleset> {
    let seeds = SeedsAHouse::new(seeds).unwrap();
    let mut combinations = Vec::new();
    for direction in [DirectionRule::Forward, DirectionRule::Backward, DirectionRule::Either] {
        for opponent_store in [OpponentStore::Sow, OpponentStore::Skip] {
            for empty_capture in [true, false] {
                let name = RulesetName::Learneroo;
                combinations.push(Ruleset {
                    name,
                    seeds,
                    direction,
                    opponent_store,
                    empty_capture,
                });
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
