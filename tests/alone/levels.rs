//! How strong the built-in levels are, by the exact values of their moves.

use crate::program::mancala;
use crate::runner::{Test, tests};
use crate::test_folder::TestFolder;

pub const TESTS: &[Test] = tests![stronger_levels_give_away_less];

fn stronger_levels_give_away_less() {
    let folder = TestFolder::new();
    let games = folder.file("games");
    mancala(["tournament", "--jobs=2", "--oversubscribe", "--quiet", "--record", &games])
        .args(["--openings=random:4", "--count=3", "--seed=1", "--move-time=20s"])
        .args(["hard", "average", "easy", "random"].map(|level| format!("builtin:{level}")))
        .run()
        .code(0);
    let json = mancala(["analyse", &games, "--format=json"]).run().success().json();
    assert_eq!(json["matches"], 18);
    let names: Vec<&str> =
        json["rows"].as_array().unwrap().iter().map(|row| row["name"].as_str().unwrap()).collect();
    assert_eq!(names, ["hard", "average", "easy", "random"]);
}
