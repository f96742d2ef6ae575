//! What is handed in: names, links and files that are one bot's trouble and nobody else's.

use std::ffi::OsStr;
use std::fs;
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::symlink;

use serde_json::Value;

use super::contest::{Contest, SCRIPTS, SOUND, for_each_user};
use crate::program::path;
use crate::requirements;
use crate::runner::{Test, tests};
use crate::tournaments::{lines, matches, notes};

pub const TESTS: &[Test] = tests![
    no_files_name_opens_another_folder,
    equal_names_stop_no_contest,
    odd_files_are_part_of_a_bot,
    a_build_that_changes_its_own_sources_is_none,
    a_file_that_a_build_has_closed_stops_no_contest
];

fn contest(config: &str, bots: &[&str]) -> Contest {
    let contest = Contest::new(config);
    for bot in bots {
        contest.write(&format!("bots/{bot}/bot.sh"), SOUND);
        contest.write(&format!("bots/{bot}/build.sh"), "true\n");
    }
    contest.write("out/there", "");
    contest
}

/// The names of the bots in a record, in the order of its plan.
fn names(record: &str) -> Vec<String> {
    let bots = lines(record)[0]["plan"]["bots"].clone();
    let name = |bot: &Value| bot["name"].as_str().unwrap().to_owned();
    bots.as_array().unwrap().iter().map(name).collect()
}

fn assert_no_faults(record: &str) {
    for line in &lines(record)[1..] {
        for round in line["rounds"].as_array().into_iter().flatten() {
            assert_eq!(round["result"]["fault"], Value::Null, "{line}");
        }
    }
}

/// Holds the promise `build-apart`.
fn no_files_name_opens_another_folder() {
    if !requirements::are_there("--sandbox", "names that would be two paths") {
        return;
    }
    // The build is given folders in the ways in which compilers are.
    let config = "[[bots]]\nglob = \"bots/**/build.sh\"\nname = \"{folder}\"\n\
                  build = \"sh {path} -cp lib:{dir} -I{dir} --with={dir} {dir}\"\n\
                  command = \"sh {dir}/bot.sh\"\n";
    let hostile = ["x:bots/ann", "x=bots/ben", "y:bots:"];
    let steals = "echo 'exit 1' >bots/ann/bot.sh\necho 'exit 1' >bots/ben/bot.sh\n\
                  cat bots/ann/build.sh >>\"$2\"/done\n";
    let make = || {
        let contest = contest(config, &["ann", "ben", "cem"]);
        for bot in hostile {
            contest.write(&format!("bots/{bot}/bot.sh"), SOUND);
            contest.write(&format!("bots/{bot}/build.sh"), steals);
        }
        contest
    };
    for_each_user(make, |contest| {
        let outcome = contest.play(&["--record=out/record"]).code(0);
        let record = path(contest.file("out/record"));
        assert_eq!(names(&record), ["ann", "ben", "cem"], "{outcome:#?}");
        assert_eq!(matches(&[&record]).len(), 3);
        assert!(notes(&record, "disqualified").is_empty());
        assert_no_faults(&record);
        for bot in ["ann", "ben"] {
            assert_eq!(contest.read(&format!("bots/{bot}/bot.sh")), SOUND);
        }
        for (bot, mark) in hostile.into_iter().zip([':', '=', ':']) {
            let words = format!(
                "bots/{bot}/build.sh has {mark:?} in it, which separates paths in a command; rename \
                 it; this file is left out (--strict stops here)"
            );
            assert!(outcome.stderr.contains(&words), "{outcome:#?}");
        }
        contest.play(&["--strict"]).failure(2, "which separates paths in a command");
    });
}

fn equal_names_stop_no_contest() {
    let config = "[match]\nsandbox = false\n[[bots]]\nglob = \"bots/**/build.sh\"\n\
                  name = \"{folder}\"\ncommand = \"sh {dir}/bot.sh\"\n";
    let contest =
        contest(config, &["ann", "ben", "eve/ann", "long/ben/as/deep/as/no/name/may/be/ben"]);
    // Cyrillic letters that look like those of ben.
    contest.write("bots/\u{441}\u{435}\u{43c}/bot.sh", SOUND);
    contest.write("bots/\u{441}\u{435}\u{43c}/build.sh", "");
    let outcome = contest.play(&["--record=out/record"]).code(0);
    let record = path(contest.file("out/record"));
    let expected = [
        "ann/build.sh",
        "ben/build.sh",
        "eve/ann/build.sh",
        "n/as/deep/as/no/name/may/be/ben/build.sh",
        "\u{441}\u{435}\u{43c}",
    ];
    assert_eq!(names(&record), expected, "{outcome:#?}");
    assert_eq!(matches(&[&record]).len(), 10);
    let words = "contest.toml:5:8: bots/ann/build.sh, bots/eve/ann/build.sh: another bot has the name \
                 \"ann\", too, or one that looks like it; each plays under its path";
    assert!(outcome.stderr.contains(words), "{outcome:#?}");
    contest.play(&["--strict"]).failure(2, "each plays under its path");
}

/// Names of files, and what they lead to, that a version is made of.
fn odd_files_are_part_of_a_bot() {
    if !requirements::are_there("--sandbox", "odd files of bots") {
        return;
    }
    let config = format!("{SCRIPTS}files = [\"{{dir}}/**\"]\n");
    let make = || {
        let contest = contest(&config, &["[x", "[y]", "ann", "kmsg", "link", "odd"]);
        symlink("/proc/kmsg", contest.file("bots/kmsg/log")).unwrap();
        symlink("../..", contest.file("bots/link/all")).unwrap();
        symlink("../../key", contest.file("bots/link/key")).unwrap();
        contest.write("key", "the answers");
        fs::write(contest.file("bots/odd").join(OsStr::from_bytes(b"M\xfcller")), "").unwrap();
        contest
    };
    for_each_user(make, |contest| {
        let outcome = contest.play(&["--record=out/record"]).code(0);
        let record = path(contest.file("out/record"));
        assert_eq!(names(&record), ["[x", "[y]", "ann", "kmsg", "link", "odd"], "{outcome:#?}");
        assert_eq!(matches(&[&record]).len(), 15);
        assert_no_faults(&record);
        let words =
            "is part of bot \"odd\" and cannot be read: bots/odd/M\u{fffd}ller is not UTF-8";
        assert!(outcome.stderr.contains(words), "{outcome:#?}");
        // What a link leads to tells nobody anything; where it leads does.
        contest.write("key", "other answers");
        contest.play(&["--record=out/record", "--resume"]).code(0);
        fs::remove_file(contest.file("bots/link/key")).unwrap();
        symlink("../../elsewhere", contest.file("bots/link/key")).unwrap();
        let words = "bot \"link\" has changed; add --update";
        let changed = contest.play(&["--record=out/record", "--resume"]).code(1);
        assert!(changed.stderr.contains(words), "{changed:#?}");
    });
}

fn a_build_that_changes_its_own_sources_is_none() {
    if !requirements::are_there("--sandbox", "builds that change their sources") {
        return;
    }
    let config = format!("{SCRIPTS}files = [\"{{dir}}/*.sh\"]\n");
    let make = || {
        let contest = contest(&config, &["ann", "ben", "eve", "eva"]);
        contest.write("bots/eve/build.sh", "echo >>\"$1\"/build.sh\n");
        contest.write("bots/eva/build.sh", "echo >\"$1\"/more.sh\n");
        contest
    };
    for options in [&["--record=out/record"][..], &["--record=out/record", "--no-sandbox"]] {
        for_each_user(make, |contest| {
            let outcome = contest.play(options).code(0);
            let record = path(contest.file("out/record"));
            let mut out = notes(&record, "disqualified");
            out.sort();
            assert_eq!(out.len(), 2, "{outcome:#?}");
            for ((name, _, why), file) in out.iter().zip(["bots/eva/more.sh", "bots/eve/build.sh"])
            {
                let words = format!("does not build: its own file {file} changed meanwhile");
                assert!(file.contains(&**name) && why.contains(&words), "{out:?}");
            }
            assert_eq!(matches(&[&record]).len(), 1);
        });
    }
}

fn a_file_that_a_build_has_closed_stops_no_contest() {
    if !requirements::are_there("--sandbox", "builds that close their files") {
        return;
    }
    let config = format!("{SCRIPTS}files = [\"{{dir}}/**\"]\n");
    let make = || {
        let contest = contest(&config, &["ann", "ben", "eve"]);
        contest.write("bots/eve/build.sh", "chmod 0 \"$1\"/more\n");
        contest.write("bots/eve/more", "");
        contest
    };
    for_each_user(make, |contest| {
        contest.play(&["--record=out/record"]).code(0);
        // The superuser reads it all the same.
        let options = ["--record=out/record", "--update"];
        let again = contest.play(&options).code(0);
        let words = "bots/eve/more is part of bot \"eve\" and cannot be read: Permission denied";
        assert_eq!(again.stderr.contains(words), contest.user.is_some(), "{again:#?}");
        let record = path(contest.file("out/record"));
        assert_eq!(names(&record), ["ann", "ben", "eve"]);
        // What ann and ben played stands.
        assert!(matches(&[&record]).len() >= 3);
    });
}
