//! Builds that make files which the patterns of a contest would take for bots.

use super::contest::{Contest, SOUND, for_each_user};
use crate::program::path;
use crate::requirements;
use crate::runner::{Test, tests};
use crate::tournaments::{matches, notes};

pub const TESTS: &[Test] = tests![
    a_build_makes_no_bot_beside_its_own,
    a_file_that_changes_nothing_for_others_may_be_made,
];

const BUILT: &str = "build = \"sh {dir}/make {path} build/{stem}/bot\"\n\
                     command = \"sh build/{stem}/bot\"\n";

fn by_folder() -> String {
    BUILT.replace("{stem}", "{folder}") + "name = \"{folder}\"\n"
}

/// Three bots with these lines in their configuration, the last of which makes a file.
fn contest(lines: &str, file: &str) -> Contest {
    let contest = Contest::new(&format!("[[bots]]\nglob = \"s/*/*.bot\"\n{lines}"));
    for bot in ["ann", "ben", "cem"] {
        contest.write(&format!("s/{bot}/{bot}.bot"), SOUND);
        contest.write(&format!("s/{bot}/make"), "if [ \"$2\" ]; then cp $1 $2; fi\n");
    }
    let make = format!("if [ \"$2\" ]; then cp $1 $2; fi\ncp $1 s/cem/{file}\n");
    contest.write("s/cem/make", &make);
    contest
}

/// Holds the promise `build-innocent`.
fn a_build_makes_no_bot_beside_its_own() {
    if !requirements::are_there("--sandbox", "builds that make bots") {
        return;
    }
    let with_files = format!("{BUILT}files = [\"{{dir}}/**\"]\n");
    let by_path = "build = \"sh {dir}/make {path}\"\ncommand = \"sh {path}\"\n";
    for config in [BUILT, &with_files, by_path, &by_folder()] {
        for_each_user(
            || contest(config, "ann.bot"),
            |contest| {
                let record = path(contest.file("record.jsonl"));
                for go_on in [&[][..], &["--resume"], &["--update"]] {
                    let options = [&["--jobs=2", "--record=record.jsonl"], go_on].concat();
                    let outcome = contest.play(&options).code(0);
                    assert!(!outcome.stderr.contains("is gone"), "{config}: {outcome:#?}");
                    assert!(!contest.file("s/cem/ann.bot").exists(), "{config}: {outcome:#?}");
                    assert_eq!(matches(&[&record]).len(), 1, "{config}: {outcome:#?}");
                }
                let out = notes(&record, "disqualified");
                let why = "it made s/cem/ann.bot, which the pattern s/*/*.bot takes for a bot";
                let is_cem =
                    |(bot, _, why_out): &(String, _, String)| bot == "cem" && why_out.contains(why);
                assert!(out.len() == 1 && is_cem(&out[0]), "{config}: {out:?}");
            },
        );
    }
}

/// A generator of parsers makes sources, too: behind the bot's own file, one that is run as it is plays no part.
fn a_file_that_changes_nothing_for_others_may_be_made() {
    if !requirements::are_there("--sandbox", "builds that make sources") {
        return;
    }
    let by_folder = by_folder();
    let contest = contest(&by_folder, "parser.bot");
    for go_on in [&[][..], &["--resume"], &["--update"]] {
        let options = [&["--jobs=2", "--record=record.jsonl"], go_on].concat();
        let outcome = contest.play(&options).code(0);
        assert!(contest.file("s/cem/parser.bot").exists(), "{outcome:#?}");
        assert_eq!(matches(&[path(contest.file("record.jsonl"))]).len(), 3, "{outcome:#?}");
    }
}
