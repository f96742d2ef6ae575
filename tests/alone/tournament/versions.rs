//! A tournament that lives: bots that change, come and go.

use std::fs;

use crate::program::{mancala, repository};
use crate::runner::{Test, tests};
use crate::test_folder::TestFolder;
use crate::tournaments::{matches, tournament};

pub const TESTS: &[Test] = tests![a_file_of_a_first_version_goes_on_by_its_own_arithmetic];

fn a_file_of_a_first_version_goes_on_by_its_own_arithmetic() {
    let folder = TestFolder::new();
    let whole = repository().join("tests/data/first_schedule.jsonl");
    let whole = whole.to_str().unwrap();
    let text = fs::read_to_string(whole).unwrap();
    let cut = folder.file("cut");
    fs::write(&cut, text.split_inclusive('\n').take(3).collect::<String>()).unwrap();
    let bots = ["a", "b", "c"].iter().zip(1..);
    let bots = bots.map(|(name, seed)| format!("{name}=builtin:random --seed {seed}"));
    let go_on = ["--openings=random:2", "--count=2", "--resume", "--record", &cut];
    tournament().args(go_on).args(bots).run().success();
    assert_eq!(matches(&[&cut]), matches(&[whole]));
    mancala(["standings", whole]).run().success().says("6 matches, 12 rounds");
    mancala(["replay", whole]).run().success().says("6 of 6 matches are valid");
    mancala(["report", whole, "-o", &folder.file("page.html")]).run().success();
}
