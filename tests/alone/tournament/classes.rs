//! The class contests of the examples: what their bots find, and what is handed out of them.

use std::fs;
use std::path::Path;

use super::contest::{Contest, copy};
use crate::program::{mancala, repository};
use crate::requirements;
use crate::runner::{Test, tests};

pub const TESTS: &[Test] = tests![
    a_bot_of_a_class_finds_the_files_beside_it,
    a_report_names_no_folder_of_the_contest,
    the_page_of_a_built_bot_says_how_to_build_it
];

/// A copy of the examples.
fn examples() -> Contest {
    let contest = Contest::new("");
    copy(&repository().join("examples"), &contest.file("examples"));
    contest
}

/// Plays a class and writes `record.jsonl` and `feedback`.
fn play(contest: &Contest, class: &str) {
    let config = format!("--config=examples/class/{class}.toml");
    let usual = ["tournament", "--oversubscribe", "--jobs=2", "--quiet", "--count=1"];
    let run = mancala(usual).args([&*config, "--record=record.jsonl", "--feedback=feedback"]);
    run.in_folder(contest.folder.path()).run().code(0);
}

fn a_bot_of_a_class_finds_the_files_beside_it() {
    if !requirements::are_there("python3 --sandbox", "files beside a bot") {
        return;
    }
    let contest = examples();
    let text = "import json\nBOOK = json.load(open('book.json'))\n\n\ndef move(board):\n    \
                return max(cell for cell in BOOK if board[cell] > 0)\n";
    contest.write("examples/class/python/ada/ada.py", text);
    contest.write("examples/class/python/ada/book.json", "[0, 1, 2, 3, 4, 5]\n");
    play(&contest, "python");
    let page = contest.read("feedback/ada/feedback.md");
    assert!(page.contains("None in a match."), "{page}");
    assert!(page.contains("'python3 adapter.py ada.py'"), "{page}");
}

/// All files below a folder, as one text.
fn all_text(folder: &Path) -> String {
    let entries = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    entries.map(|path| fs::read_to_string(path).unwrap()).collect()
}

fn a_report_names_no_folder_of_the_contest() {
    if !requirements::are_there("python3 --sandbox", "reports of bots that raise exceptions") {
        return;
    }
    let contest = examples();
    play(&contest, "python");
    let here = contest.folder.marker();
    assert!(contest.read("record.jsonl").contains(&here));
    let report = mancala(["report", "record.jsonl", "--quiet", "-o", "page.html", "--assets=csv"]);
    report.in_folder(contest.folder.path()).run().success();
    let (page, tables) = (contest.read("page.html"), all_text(&contest.file("csv")));
    for text in [&page, &tables] {
        assert!(text.contains("cleo.py") && text.contains("IndexError"), "{text}");
        let shown = text.find(&here).map(|at| text[at..].chars().take(200).collect::<String>());
        assert_eq!(shown, None);
    }
}

fn the_page_of_a_built_bot_says_how_to_build_it() {
    if !requirements::are_there("gcc bash --sandbox", "pages of C functions") {
        return;
    }
    let contest = examples();
    play(&contest, "c");
    let needs = "adapter.c, build.sh and mancala.h";
    for name in ["bob", "alice", "erin"] {
        for ending in ["md", "html"] {
            let page = contest.read(&format!("feedback/{name}/feedback.{ending}"));
            let build = format!("./build.sh {name}.c -o bot");
            let at = |words: &str| page.find(words).unwrap_or_else(|| panic!("{words:?}: {page}"));
            let commands = at("Run the commands in the folder of this page");
            assert!(page[commands..].contains(needs), "{page}");
            // Nothing else works before it is built.
            let place = at(&build);
            for command in ["mancala reproduce", "mancala match", "mancala check"] {
                assert!(page.find(command).is_none_or(|first| place < first), "{page}");
            }
            assert_eq!(page.matches(&build).count(), 1, "{page}");
            let has_sandbox = page.contains(" --sandbox ");
            assert_eq!(page.contains("has no sandbox (mancala says so), leave out"), has_sandbox);
            assert!(has_sandbox || name == "erin", "{page}");
        }
    }
}
