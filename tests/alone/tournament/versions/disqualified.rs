//! Disqualified bots that were fixed, or are tried again.

use std::fs::{self, Permissions};
use std::os::unix::fs::PermissionsExt as _;

use serde_json::Value;

use super::{CLASS, assert_as_fresh, play, table, warns, write_bot};
use crate::runner::{Test, tests};
use crate::test_folder::TestFolder;
use crate::tournaments::{config, lines, matches, notes, tournament};

pub const TESTS: &[Test] = tests![
    a_disqualified_bot_that_was_fixed_plays_and_one_that_is_the_same_does_not,
    a_bot_that_could_not_start_here_is_tried_again_where_that_is_asked_for,
    a_version_that_cannot_be_run_is_not_tried_again,
    a_second_try_that_comes_too_late_leaves_the_file_as_it_was,
];

fn a_disqualified_bot_that_was_fixed_plays_and_one_that_is_the_same_does_not() {
    let folder = TestFolder::new();
    for (name, seed) in [("ann", 1), ("ben", 2), ("cem", 3)] {
        write_bot(&folder, name, seed);
    }
    for name in ["ill", "off"] {
        fs::write(folder.file(&format!("bots/{name}.sh")), "read x; read y; echo 99\n").unwrap();
    }
    let limit = "--disqualify-after=1";
    play(&folder, "record", &[limit]).code(0);
    let record = folder.file("record");
    let out = |names: &[&str]| {
        let table = table(&folder, "record");
        let rows = table["rows"].as_array().unwrap().iter();
        let out = rows.filter(|row| !row["disqualified"].is_null());
        let mut out: Vec<_> = out.map(|row| row["name"].as_str().unwrap().to_owned()).collect();
        out.sort();
        assert_eq!(out, names);
    };
    out(&["ill", "off"]);
    let played = |name: &str| {
        let of = |line: &&Value| {
            line["bots"].as_array().is_some_and(|bots| bots.iter().any(|bot| bot["name"] == name))
        };
        lines(&record).iter().filter(of).count()
    };
    let of_off = played("off");
    write_bot(&folder, "ill", 9);
    let updated = play(&folder, "record", &[limit, "--update"]).code(0);
    warns(&updated, "bot \"off\" stays disqualified: 1 or more faults");
    out(&["off"]);
    assert_eq!(played("off"), of_off);
    assert_eq!(notes(&record, "disqualified").len(), 2);
    // No worker died.
    let before = fs::read(&record).unwrap();
    let again = play(&folder, "record", &[limit, "--resume", "--retry-disqualified"]).code(0);
    warns(&again, "bot \"off\" stays disqualified: 1 or more faults");
    warns(
        &again,
        "--retry-disqualified changes nothing: none of today's bots is out because of its build, its",
    );
    assert_eq!(fs::read(&record).unwrap(), before);
    // Where it is gone, nothing of it is left in the table.
    fs::remove_file(folder.file("bots/off.sh")).unwrap();
    play(&folder, "record", &[limit, "--update"]).code(0);
    assert_as_fresh(&folder, "record", &[limit]);
}

fn a_bot_that_could_not_start_here_is_tried_again_where_that_is_asked_for() {
    let folder = TestFolder::new();
    config(
        &folder,
        "[match]\nsandbox = false\n[[bots]]\nglob = \"bots/*.sh\"\ncommand = \"{path}\"\n",
    );
    let allow = |name: &str, mode: u32| {
        let file = folder.file(&format!("bots/{name}.sh"));
        fs::set_permissions(file, Permissions::from_mode(mode)).unwrap();
    };
    for (name, seed) in [("ann", 1), ("ben", 2), ("cem", 3)] {
        write_bot(&folder, name, seed);
        let file = folder.file(&format!("bots/{name}.sh"));
        let script = fs::read_to_string(&file).unwrap();
        fs::write(&file, format!("#!/bin/sh\n{script}")).unwrap();
        allow(name, if name == "ann" { 0o644 } else { 0o755 });
    }
    let record = folder.file("record");
    let played = || matches(&[&record]).len();
    warns(&play(&folder, "record", &[]).code(0), "bot \"ann\" is disqualified: does not start");
    assert_eq!(played(), 1);
    // It fails again as long as nothing was done about it.
    let retry = ["--resume", "--retry-disqualified"];
    let again = play(&folder, "record", &retry).code(0);
    warns(&again, "bot \"ann\" is tried again; it was disqualified: does not start");
    warns(&again, "bot \"ann\" is disqualified: does not start");
    assert_eq!((played(), notes(&record, "disqualified").len()), (1, 2));
    // Its contents are what they were, so no update sees a change.
    allow("ann", 0o755);
    let tries = "; --retry-disqualified with --resume or --update tries it again)\n";
    play(&folder, "record", &["--update", "--dry-run"]).success().says(tries);
    let updated = play(&folder, "record", &["--update"]).code(0);
    warns(&updated, "bot \"ann\" stays disqualified: does not start");
    warns(&updated, "; --retry-disqualified with --resume or --update tries it again");
    assert_eq!(played(), 1);
    play(&folder, "record", &retry).code(0);
    assert_eq!((played(), notes(&record, "reinstated").len()), (3, 2));
}

fn a_version_that_cannot_be_run_is_not_tried_again() {
    let folder = TestFolder::new();
    config(&folder, &format!("{CLASS}build = \"sh -n {{path}}\"\n"));
    for (name, seed) in [("ann", 1), ("ben", 2), ("cem", 3)] {
        write_bot(&folder, name, seed);
    }
    let script = folder.file("bots/ben.sh");
    let sound = fs::read_to_string(&script).unwrap();
    fs::write(&script, "if\n").unwrap();
    let first = play(&folder, "record", &[]).code(0);
    warns(&first, "bot \"ben\" is disqualified: does not build");
    fs::write(&script, sound).unwrap();
    let kept = ["--update", "--keep-old"];
    let is_out = "bot \"ben~1\" stays disqualified: does not build";
    for more in [&kept[..], &["--resume", "--retry-disqualified"]] {
        let outcome = play(&folder, "record", more).code(0);
        let line = outcome.stderr.lines().find(|line| line.contains(is_out));
        let line = line.unwrap_or_else(|| panic!("{}", outcome.stderr));
        assert!(!line.contains("--retry-disqualified"), "{line}");
        assert_eq!(notes(&folder.file("record"), "reinstated"), []);
    }
}

fn a_second_try_that_comes_too_late_leaves_the_file_as_it_was() {
    let folder = TestFolder::new();
    let record = folder.file("record");
    let swiss = ["--swiss", "--openings=random:4", "--record", &record];
    let bots = ["builtin:easy", "builtin:random", "builtin:hard", "bad=/nonexistent/bot"];
    let play = |more: &[&str]| tournament().args(swiss).args(bots).args(more).run();
    play(&["--count=2"]).code(0);
    let before = fs::read(&record).unwrap();
    let retry = ["--count=3", "--resume", "--retry-disqualified"];
    for more in [&["--dry-run"][..], &[]] {
        let refused = play(&[&retry, more].concat());
        refused.failure(2, "--retry-disqualified comes too late for a Swiss tournament");
        assert_eq!(fs::read(&record).unwrap(), before);
    }
    play(&["--count=3", "--resume"]).code(0);
    assert_ne!(fs::read(&record).unwrap(), before);
}
