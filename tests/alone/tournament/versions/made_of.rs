//! What a bot's version is made of, and what of it is told where it changes.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use super::{CLASS, play, versions, warns, write_bot};
use crate::program::{mancala, write_script};
use crate::runner::{Test, tests};
use crate::test_folder::TestFolder;
use crate::tournaments::{config, lines, matches, tournament};

pub const TESTS: &[Test] = tests![
    a_version_is_what_a_bot_is_made_of,
    a_bot_without_a_file_in_its_version_is_named_where_the_tournament_goes_on,
    a_folder_where_a_file_was_and_a_file_that_cannot_be_read_are_named,
    other_settings_of_bots_that_are_the_same_are_named,
    a_program_of_the_system_that_differs_is_remarked_on,
    a_file_of_openings_that_has_changed_is_refused,
];

fn a_version_is_what_a_bot_is_made_of() {
    let folder = TestFolder::new();
    for name in ["ann", "ben"] {
        write_bot(&folder, name, 1);
    }
    fs::create_dir(folder.file("src")).unwrap();
    fs::write(folder.file("src/book"), "1").unwrap();
    let text = CLASS.to_owned()
        + "[[bot]]\ncommand = \"builtin:easy --seed 1\"\n\
           [[bot]]\nname = \"c\"\nbuild = \"cc c.c\"\ncommand = \"./a.out\"\nfiles = [\"src/**\"]\n";
    config(&folder, &text);
    let dump = || {
        let run =
            mancala(["tournament", "--dump-config", "--config", &folder.file("contest.toml")]);
        versions(&run.run().success())
    };
    let first = dump();
    assert_eq!(first.len(), 4);
    let mut different = first.clone();
    different.sort();
    different.dedup();
    assert_eq!(different.len(), 4, "{first:?}");
    let differs = |place: usize| {
        let now = dump();
        let differing: Vec<usize> = (0..4).filter(|&bot| now[bot] != first[bot]).collect();
        assert_eq!(differing, if place < 4 { vec![place] } else { Vec::new() });
    };
    write_bot(&folder, "ann", 2);
    differs(0);
    write_bot(&folder, "ann", 1);
    differs(4);
    // What a build makes is not what a bot is made of, and Python's cache is of nobody.
    fs::write(folder.file("a.out"), "1").unwrap();
    fs::create_dir(folder.file("src/__pycache__")).unwrap();
    fs::write(folder.file("src/__pycache__/x.pyc"), "1").unwrap();
    differs(4);
    fs::write(folder.file("src/book"), "2").unwrap();
    differs(3);
    fs::write(folder.file("src/book"), "1").unwrap();
    config(&folder, &text.replace("--seed 1", "--seed 2"));
    differs(4);
    config(&folder, &text.replace("builtin:easy", "builtin:hard"));
    differs(2);
    // What the command of all bots of a pattern names is no build's.
    let text = format!(
        "{text}[[bots]]\nglob = \"bots/a*.sh\"\nname = \"built\"\n\
                        build = \"cp {{path}} out\"\ncommand = \"sh ./adapter.sh out\"\n"
    );
    fs::write(folder.file("adapter.sh"), "1").unwrap();
    config(&folder, &text);
    let built = dump()[4].clone();
    fs::write(folder.file("out"), "1").unwrap();
    assert_eq!(dump()[4], built);
    fs::write(folder.file("adapter.sh"), "2").unwrap();
    assert_ne!(dump()[4], built);
    // Nor is a build's output, whatever the way to it.
    let text = format!(
        "{text}[[bot]]\nname = \"d\"\ndir = \"src\"\nbuild = \"cc d.c -o ../d\"\ncommand = \"../d\"\n"
    );
    config(&folder, &text);
    let built = dump()[5].clone();
    fs::write(folder.file("d"), "1").unwrap();
    assert_eq!(dump()[5], built);
    // All files of a class path.
    fs::create_dir(folder.file("lib")).unwrap();
    let java = "[[bot]]\nname = \"j\"\ncommand = \"java -cp a.jar:lib/b.jar Main\"\n";
    config(&folder, &format!("{text}{java}"));
    let mut seen = BTreeSet::new();
    for (file, content) in [("a.jar", "1"), ("a.jar", "2"), ("lib/b.jar", "1"), ("lib/b.jar", "2")]
    {
        fs::write(folder.file(file), content).unwrap();
        assert!(seen.insert(dump()[6].clone()), "{file} {content}");
    }
    // The same in another place.
    let moved = TestFolder::new();
    for name in ["ann", "ben"] {
        fs::create_dir_all(moved.file("bots")).unwrap();
        let file = format!("bots/{name}.sh");
        fs::copy(folder.file(&file), moved.file(&file)).unwrap();
    }
    config(&moved, CLASS);
    let run = mancala(["tournament", "--dump-config", "--config", &moved.file("contest.toml")]);
    assert_eq!(versions(&run.run().success()), first[..2]);

    // A file that cannot be read, and a folder in place of a file.
    let broken = |files: &str| {
        config(
            &folder,
            &format!(
                "[[bot]]\ncommand = \"sh\"\nfiles = [\"{files}\"]\n\
                                   [[bot]]\ncommand = \"builtin:easy\"\n"
            ),
        );
        mancala(["tournament", "--dump-config", "--config", &folder.file("contest.toml")]).run()
    };
    broken("/proc/self/mem").failure(1, "mem is part of bot \"sh\" and cannot be read");
    broken("src").failure(2, "contest.toml:3:10: \"src\" is a folder; write \"src/**\"");
    broken("none/*").failure(2, "contest.toml:3:10: no file in");
}

fn a_bot_without_a_file_in_its_version_is_named_where_the_tournament_goes_on() {
    let folder = TestFolder::new();
    let record = folder.file("record");
    let inner = format!("b=sh -c '{} bot easy'", env!("CARGO_BIN_EXE_mancala"));
    let play = |bots: &[&str], options: &[&str]| {
        tournament().args(bots).args(["--record", &record]).args(options).run().code(0).stderr
    };
    let bots = ["builtin:easy", &inner];
    assert_eq!(play(&bots, &[]), "");
    let remark = "mancala: no file is part of the version of bot \"b\", so --update does not notice \
                  when one changes; name them under files in a config\n";
    for go_on in ["--update", "--resume"] {
        assert_eq!(play(&bots, &[go_on]), remark, "{go_on}");
    }
    let more = format!("c{inner}");
    let two = play(&[&bots[..], &[&*more]].concat(), &["--update"]);
    assert!(two.contains("of bots \"b\" and \"cb\", so"), "{two}");
}

fn a_folder_where_a_file_was_and_a_file_that_cannot_be_read_are_named() {
    let folder = TestFolder::new();
    for (name, seed) in [("ann", 1), ("ben", 2), ("cem", 3)] {
        write_bot(&folder, name, seed);
    }
    play(&folder, "record", &[]).success();
    let record = folder.file("record");
    let before = fs::read_to_string(&record).unwrap();
    let ben = folder.file("bots/ben.sh");

    // A pattern's file: without it the bot is gone, and a warning says why.
    fs::remove_file(&ben).unwrap();
    fs::create_dir(&ben).unwrap();
    let left_out = "contest.toml:6:8: bots/ben.sh is a folder; put the file itself there; this file \
                    is left out";
    let refused = play(&folder, "record", &["--resume"]).code(1);
    warns(&refused, left_out);
    warns(&refused, "bot \"ben\" is gone; add --update");
    play(&folder, "record", &["--update", "--strict"]).failure(2, "bots/ben.sh is a folder");
    assert_eq!(fs::read_to_string(&record).unwrap(), before);
    fs::remove_dir(&ben).unwrap();

    // A file that a command names.
    let script = folder.file("bots/ann.sh");
    let bots = [format!("a=sh '{script}'"), "builtin:easy --seed 1".to_owned()];
    let named = folder.file("named");
    let run =
        |options: &[&str]| tournament().args(&bots).args(["--record", &named]).args(options).run();
    run(&[]).success();
    let before = fs::read_to_string(&named).unwrap();
    fs::remove_file(&script).unwrap();
    fs::create_dir(&script).unwrap();
    let why = format!("{script} is part of bot \"a\" and cannot be read: it is a folder");
    for options in [["--resume"], ["--update"]] {
        run(&options).failure(1, &why);
    }
    fs::remove_dir(&script).unwrap();
    // Other files may be folders, too: it is another version, and a remark says why that may be.
    let data = folder.file("book");
    fs::write(&data, "").unwrap();
    let bots = [format!("a=sh '{}' '{data}'", folder.file("bots/ben.sh")), bots[1].clone()];
    write_bot(&folder, "ben", 2);
    let other = folder.file("other");
    let go_on =
        |options: &[&str]| tournament().args(&bots).args(["--record", &other]).args(options).run();
    go_on(&[]).success();
    fs::remove_file(&data).unwrap();
    fs::create_dir(&data).unwrap();
    for (option, code) in [("--resume", 1), ("--update", 0)] {
        warns(
            &go_on(&[option]).code(code),
            &format!("bot \"a\" has changed, and {data} is a folder: if it was a file, put that"),
        );
    }
    // A read of it fails, whoever reads.
    std::os::unix::fs::symlink("/proc/self/mem", &script).unwrap();
    let why = format!("{script} is part of bot \"a\" and cannot be read: ");
    for options in [["--resume"], ["--update"]] {
        run(&options).failure(1, &why);
    }
    assert_eq!(fs::read_to_string(&named).unwrap(), before);
}

fn other_settings_of_bots_that_are_the_same_are_named() {
    let folder = TestFolder::new();
    for (name, seed) in [("ann", 1), ("ben", 2)] {
        write_bot(&folder, name, seed);
    }
    config(&folder, &format!("{CLASS}files = [\"{{path}}\"]\n"));
    play(&folder, "record", &[]).code(0);
    config(&folder, CLASS);
    let refused = play(&folder, "record", &["--resume"]).code(1);
    warns(
        &refused,
        "was played by other bots: bots \"ann\" and \"ben\" have another list of files; add --update",
    );
    // A copy of an earlier update, of which a run that was killed has left it.
    let earlier = folder.file("record.before.earlier");
    fs::write(&earlier, "earlier").unwrap();
    write_bot(&folder, "cem", 3);
    let updated = play(&folder, "record", &["--update"]).code(0);
    warns(&updated, "bot \"cem\" is new; 2 matches are kept");
    assert!(!Path::new(&earlier).exists());
    fs::write(&earlier, "earlier").unwrap();
    play(&folder, "record", &["--resume", "--count=3"]).code(0);
    assert!(!Path::new(&earlier).exists());
    let fewer = play(&folder, "record", &["--update", "--count=2"]).code(2);
    warns(&fewer, "was planned with 3 openings, and an update cannot go on with 2; give --count 3");
}

fn a_program_of_the_system_that_differs_is_remarked_on() {
    let folder = TestFolder::new();
    for (name, seed) in [("ann", 1), ("ben", 2)] {
        write_bot(&folder, name, seed);
    }
    play(&folder, "record", &[]).success();
    let record = folder.file("record");
    let text = fs::read_to_string(&record).unwrap();
    let program = &lines(&record)[0]["programs"][0];
    assert!(program["path"].as_str().unwrap().ends_with("/sh"), "{program}");
    let bytes = format!("\"bytes\":{}", program["bytes"]);
    fs::write(&record, text.replacen(&bytes, "\"bytes\":7", 1)).unwrap();
    let resumed = play(&folder, "record", &["--resume"]).code(0);
    warns(&resumed, "/sh is another program than when this tournament began (7 bytes of");
    // The same name at another path.
    let path = program["path"].as_str().unwrap();
    let text = text.replacen(&bytes, "\"bytes\":7", 1);
    fs::write(&record, text.replacen(&format!("\"{path}\""), "\"/old/sh\"", 1)).unwrap();
    let resumed = play(&folder, "record", &["--resume"]).code(0);
    let words = "is another program than when this tournament began (/old/sh, 7 bytes of";
    warns(&resumed, &format!("{path} {words}"));
    // Also where only the first line of a script names it.
    write_script(folder.file("own.sh"), "#!/usr/bin/env -S sh -e\nexec true\n");
    let record = folder.file("own");
    mancala(["tournament", "--jobs=1", "--oversubscribe", "own=env ./own.sh", "builtin:easy"])
        .args(["--record", &record])
        .in_folder(folder.file(""))
        .run()
        .code(0);
    let programs = lines(&record)[0]["programs"].to_string();
    assert!(programs.contains("/env\"") && programs.contains("/sh\""), "{programs}");
}

fn a_file_of_openings_that_has_changed_is_refused() {
    let folder = TestFolder::new();
    for (name, seed) in [("ann", 1), ("ben", 2)] {
        write_bot(&folder, name, seed);
    }
    config(&folder, &CLASS.replace("random:2", "file:o.txt"));
    let lines = mancala(["openings", "random:3", "--count=4"]).run().success().stdout;
    let lines: Vec<&str> = lines.lines().filter(|line| !line.starts_with('#')).collect();
    let write = |places: &[usize]| {
        let text: Vec<&str> = places.iter().map(|&place| lines[place]).collect();
        fs::write(folder.file("o.txt"), text.join("\n")).unwrap();
    };
    write(&[0, 1]);
    play(&folder, "record", &[]).success();
    let before = fs::read_to_string(folder.file("record")).unwrap();
    let second = "match 2 was played from another opening 2 than that of today";
    for (places, words) in [([1, 0], " was played from another opening"), ([0, 2], second)] {
        write(&places);
        write_bot(&folder, "cem", 3);
        for options in [&["--update"][..], &["--update", "--dry-run"]] {
            play(&folder, "record", options).failure(1, words);
        }
        fs::remove_file(folder.file("bots/cem.sh")).unwrap();
        play(&folder, "record", &["--resume"]).failure(1, "put the openings back");
    }
    assert_eq!(fs::read_to_string(folder.file("record")).unwrap(), before);
    // What differs in the plan is named, and not the openings that follow from it.
    write(&[0, 1]);
    for option in ["--resume", "--update"] {
        let refused =
            |options: &[&str]| play(&folder, "record", &[&[option][..], options].concat());
        refused(&["--seed=2"]).failure(1, "(--seed: 1 in the file, 2 here)");
        refused(&["--rules=kalah"])
            .failure(1, "record holds another tournament (--rules: learneroo in");
        refused(&["--openings=random:5"]).failure(1, "random:5 here)");
        // A seed shuffles the openings of a file.
        write(&[0, 2]);
        refused(&[]).failure(1, "as they were (more go behind them)");
        write(&[0, 1]);
    }
    play(&folder, "shuffled", &["--seed=2"]).success();
    write(&[2, 3]);
    play(&folder, "shuffled", &["--seed=2", "--resume"]).failure(1, "so none can be added)");
    // More of them behind the others are an extension.
    write(&[0, 1, 3]);
    play(&folder, "record", &["--resume", "--count=3"]).success();
    play(&folder, "record", &["--resume", "--count=1"]).code(0);
    assert_eq!(matches(&[&folder.file("record")]).len(), 3);
}
