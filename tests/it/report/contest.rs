//! A contest of sound, broken and hostile bots, its records and its values: played once for all
//! tests of its page.

use std::fs;
use std::sync::OnceLock;

use serde_json::Value;

use super::page::{EVIL, NINE};
use crate::program::mancala;
use crate::test_folder::TestFolder;
use crate::tournaments::lines;

/// Openings near the end, whose moves can all be judged.
const OPENINGS: &str = "0,1,0,1,2,1,14,0,1,0,2,1,0,13\n1,0,2,0,0,3,13,2,0,1,0,2,0,12\n";

/// Plays the first legal house and says a number.
const SAYS: &str = r#"bash -c 'while read -r line; do case $line in *type*turn*) \
house=${line#*legal*[}; echo "{\"move\":${house%%[],]*},\"info\":{\"score\":7}}";; esac; done'"#;

/// What was played, as `analyse --write` left it, and its page.
static PLAYED: OnceLock<[String; 2]> = OnceLock::new();

/// The files of the contest in this folder: `c.html`, its page, beside `c.jsonl`. Returns the matches.
pub fn contest_page(folder: &TestFolder) -> Vec<Value> {
    let [record, page] = PLAYED.get_or_init(played);
    fs::write(folder.file("c.jsonl"), record).unwrap();
    fs::write(folder.file("c.html"), page).unwrap();
    let all = lines(&folder.file("c.jsonl")).into_iter();
    all.filter(|line| line["format"] == "mancala-match/1").collect()
}

/// Plays the contest and makes its page.
fn played() -> [String; 2] {
    let folder = TestFolder::new();
    let bots = [
        ("easy", "builtin:easy --seed 1".to_owned()),
        ("random", "builtin:random --seed 1".to_owned()),
        ("says", SAYS.to_owned()),
        (EVIL, NINE.to_owned()),
        ("hangs", folder.bot("hang 1 2")),
        ("ansi", folder.bot("ansi 2 1")),
        ("boom", "bash -c 'echo \"<b>boom</b> $RANDOM\" >&2; read; read; exit 3'".to_owned()),
    ];
    let bots = bots.map(|(name, command)| {
        let quoted = |text: &str| serde_json::to_string(text).unwrap();
        format!("[[bot]]\nname = {}\ncommand = {}\n", quoted(name), quoted(&command))
    });
    let config = format!(
        "name = \"<i>spring</i>\"\nopenings = \"file:openings.txt\"\ncount = 2\n\
         [match]\nmove_time = \"500ms\"\n{}",
        bots.concat()
    );
    fs::write(folder.file("t.toml"), config).unwrap();
    fs::write(folder.file("openings.txt"), OPENINGS).unwrap();
    mancala(["tournament", "--config", "t.toml", "--record", "t.jsonl", "-q", "--oversubscribe"])
        .in_folder(folder.path())
        .run()
        .code(0);
    mancala(["analyse", "t.jsonl", "--write", "c.jsonl", "-q"])
        .in_folder(folder.path())
        .run()
        .code(0);
    mancala(["report", "c.jsonl", "-q"]).in_folder(folder.path()).run().success();
    ["c.jsonl", "c.html"].map(|name| folder.read(name))
}
