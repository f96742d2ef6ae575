//! What is handed in: names, links and files that are one bot's trouble and nobody else's.

use std::ffi::OsStr;
use std::fs;
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::symlink;

use serde_json::Value;

use super::contest::{Contest, SCRIPTS, SOUND, for_each_user};
use crate::program::{mancala, path, repository};
use crate::requirements;
use crate::runner::{Test, tests};
use crate::tournaments::{lines, matches, notes};

pub const TESTS: &[Test] = tests![
    no_files_name_opens_another_folder,
    no_bare_name_opens_another_folder,
    no_link_opens_another_folder,
    nothing_above_a_bot_s_folder_is_opened_to_it,
    a_folder_too_deep_to_watch_is_not_built,
    equal_names_stop_no_contest,
    odd_files_are_part_of_a_bot,
    data_that_a_bot_reads_is_part_of_it_or_remarked_on,
    what_a_build_makes_in_its_folder_is_no_part_of_a_bot,
    whatever_a_build_makes_its_bot_plays_and_goes_on,
    a_build_that_changes_its_own_sources_is_none,
    a_build_that_changes_its_own_sources_and_hangs_is_ended_once,
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

/// Holds the promise `build-apart`.
fn no_bare_name_opens_another_folder() {
    if !requirements::are_there("--sandbox", "names that are other bots' folders") {
        return;
    }
    // As where a Makefile is told its target, and a program its name.
    let config = "[[bots]]\nglob = \"*/*.sh\"\nname = \"{dir}-{stem}\"\n\
                  build = \"sh {path} {dir} --of {stem} -k{stem}\"\n\
                  command = \"sh {path} {dir} {stem}\"\n";
    let make = || {
        let contest = Contest::new(config);
        for bot in ["ann/run", "ben/run", "eve/ann", "eve/key", "eve/out"] {
            let script = format!("if [ \"$3\" = --of ]; then exit 0; fi\n{SOUND}");
            contest.write(&format!("{bot}.sh"), &script.replace("$3", "${3-}"));
        }
        contest.write("key/answers", "the answers");
        contest.write("out/there", "");
        contest
    };
    for_each_user(make, |contest| {
        let outcome = contest.play(&["--record=out/record"]).code(0);
        let record = path(contest.file("out/record"));
        assert_eq!(names(&record), ["ann-run", "ben-run"], "{outcome:#?}");
        assert!(notes(&record, "disqualified").is_empty(), "{outcome:#?}");
        assert_no_faults(&record);
        for name in ["ann", "key", "out"] {
            let words = format!(
                "eve/{name}.sh: its name stands for {name} in a command, which is not its own; \
                 write {{path}} or {{dir}} there, or rename it"
            );
            assert!(outcome.stderr.contains(&words), "{outcome:#?}");
        }
    });
}

/// Holds the promise `build-apart`.
fn no_link_opens_another_folder() {
    if !requirements::are_there("--sandbox", "links in folders of bots") {
        return;
    }
    let play = "[[bots]]\nglob = \"bots/*/bot.sh\"\nname = \"{folder}\"\n\
                command = \"sh {path} {dir}/weights\"\n";
    // Two bots of one folder, to which its link is common.
    let build = "[[bots]]\nglob = \"bots/*/bo*.sh\"\nname = \"{folder}-{stem}\"\n\
                 build = \"sh {dir}/build.sh -I{dir}/weights\"\n\
                 command = \"sh {path} {dir}/weights\"\n";
    for (config, what, cause) in
        [(play, "does not start", "refused"), (build, "does not build", "not_built")]
    {
        let make = || {
            let contest = contest(config, &["ann", "ben", "eve"]);
            for bot in ["ann", "ben"] {
                contest.write(&format!("bots/{bot}/weights/w"), "1");
            }
            contest.write("bots/eve/bot2.sh", SOUND);
            contest.write("key/answers", "the answers");
            let reads = "cat \"$(dirname \"$0\")\"/weights/answers >/dev/null && exit 7\n";
            contest.write("bots/eve/bot.sh", &format!("{reads}{SOUND}"));
            symlink("../../key", contest.file("bots/eve/weights")).unwrap();
            contest
        };
        for_each_user(make, |contest| {
            let outcome = contest.play(&["--record=out/record"]).code(0);
            let record = path(contest.file("out/record"));
            let out = notes(&record, "disqualified");
            assert!(!out.is_empty(), "{outcome:#?}");
            let causes = lines(&record).into_iter().filter(|line| line["note"] == "disqualified");
            assert!(causes.map(|line| line["cause"].clone()).all(|it| it == cause), "{out:?}");
            for (name, _, why) in &out {
                assert!(name.starts_with("eve"), "{out:?}");
                let words = format!("{what}: ");
                let link = "bots/eve/weights is a link to what is not the bot's own";
                assert!(why.starts_with(&words) && why.contains(link), "{out:?}");
            }
            assert_eq!(matches(&[&record]).len(), 1, "{outcome:#?}");
            assert_no_faults(&record);
        });
    }
}

/// Holds the promise `own-folder`.
fn nothing_above_a_bot_s_folder_is_opened_to_it() {
    if !requirements::are_there("--sandbox", "folders above those of bots") {
        return;
    }
    let pattern = "[[bots]]\nglob = \"bots/*/bot.sh\"\nname = \"{folder}\"\n";
    // Behind an adapter; as a program of its own, whose folder may be called as one of tools is.
    let adapter = "dir = \"{dir}\"\nbuild = \"sh {dir}/build.sh {dir}\"\n\
                   command = \"sh ../../adapter.sh bot.sh book\"\n";
    let program = "build = \"chmod +x {path}\"\ncommand = \"{dir}/bot.sh\"\n";
    for (config, links) in [(adapter, true), (program, false)] {
        let make = || {
            let contest = contest(&format!("{pattern}{config}"), &["ann", "bin", "lib", "shims"]);
            contest.write("adapter.sh", "exec sh \"$@\"\n");
            contest.write("key/answers", "the answers");
            let looks = "here=$(dirname \"$0\")\n\
                         for file in ../ann/bot.sh ../../key/answers ../../out/there; do\n\
                         cat \"$here/$file\" >/dev/null 2>&1 && exit 7\ndone\n";
            for bot in ["bin", "lib", "shims"] {
                contest.write(&format!("bots/{bot}/bot.sh"), &format!("#!/bin/sh\n{looks}{SOUND}"));
            }
            contest.write("bots/ann/bot.sh", &format!("#!/bin/sh\n{SOUND}"));
            contest.write("bots/bin/build.sh", "ln -s ../../key/answers \"$1/book\"\n");
            contest
        };
        for_each_user(make, |contest| {
            let outcome = contest.play(&["--record=out/record"]).code(0);
            let record = path(contest.file("out/record"));
            let out = notes(&record, "disqualified");
            assert_eq!(out.len(), usize::from(links), "{out:?}");
            for (name, _, why) in &out {
                let link = "bots/bin/book is a link to what is not the bot's own";
                assert!(name == "bin" && why.contains(link), "{out:?}");
            }
            assert_eq!(matches(&[&record]).len(), if links { 3 } else { 6 }, "{outcome:#?}");
            assert_no_faults(&record);
        });
    }
}

fn a_folder_too_deep_to_watch_is_not_built() {
    if !requirements::are_there("--sandbox", "deep folders of bots") {
        return;
    }
    let make = || {
        let contest = contest(SCRIPTS, &["ann", "ben", "eva", "eve"]);
        let deep = format!("bots/eve/{}x", "d/".repeat(70));
        contest.write(&deep, "");
        let makes = "cd \"$1\"\nfor i in $(seq 80); do mkdir d; cd d; done\nsleep 20\n";
        contest.write("bots/eva/build.sh", makes);
        contest
    };
    for_each_user(make, |contest| {
        let outcome = contest.play(&["--record=out/record"]).code(0);
        let record = path(contest.file("out/record"));
        let mut out = notes(&record, "disqualified");
        out.sort();
        let reasons = [
            ("eva", "or lie in more than 64 folders"),
            ("eve", "files in its folder, or folders deeper than 64"),
        ];
        assert_eq!(out.len(), 2, "{outcome:#?}");
        for ((bot, _, why), (name, words)) in out.iter().zip(reasons) {
            assert!(bot == name && why.contains(words), "{out:?}");
        }
        assert_eq!(matches(&[&record]).len(), 1);
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
        "/may/be/ben/build.sh-",
        "\u{441}\u{435}\u{43c}",
    ];
    let found = names(&record);
    let fits = |(name, expected): (&String, &str)| {
        if expected.ends_with('-') { name.contains(expected) } else { name == expected }
    };
    assert!(found.len() == 5 && found.iter().zip(expected).all(fits), "{found:?} {outcome:#?}");
    assert_eq!(matches(&[&record]).len(), 10);
    let words = "contest.toml:5:8: bots/ann/build.sh, bots/eve/ann/build.sh: another bot has the name \
                 \"ann\", too, or one that looks like it; each plays under its path";
    assert!(outcome.stderr.contains(words), "{outcome:#?}");
    contest.play(&["--strict"]).failure(2, "each plays under its path");
    // A path that makes no name makes one all the same, and takes nobody else's.
    contest.write("bots/e\u{436}/ann/bot.sh", SOUND);
    contest.write("bots/e\u{436}/ann/build.sh", "");
    let outcome = contest.play(&["--record=out/again"]).code(0);
    let found = names(&path(contest.file("out/again")));
    assert!(found.len() == 6 && !found.contains(&"ann".to_owned()), "{found:?} {outcome:#?}");
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
        let contest = contest(&config, &["ann", "ben", "eve", "eva", "evi", "evo"]);
        contest.write("bots/eve/build.sh", "echo >>\"$1\"/build.sh\n");
        contest.write("bots/eva/build.sh", "echo >\"$1\"/more.sh\n");
        // What it failed for is told, too.
        let fails = "echo >>\"$1\"/build.sh; echo no compiler >&2; exit 3\n";
        contest.write("bots/evi/build.sh", fails);
        contest.write("bots/evo/build.sh", "rm \"$1\"/build.sh\n");
        contest
    };
    for options in [&["--record=out/record"][..], &["--record=out/record", "--no-sandbox"]] {
        for_each_user(make, |contest| {
            let outcome = contest.play(options).code(0);
            let record = path(contest.file("out/record"));
            let mut out = notes(&record, "disqualified");
            out.sort();
            assert_eq!(out.len(), 3, "{outcome:#?}");
            let gone =
                "does not build: its own file bots/evo/build.sh is gone since its build began";
            let (name, _, why) = &out[2];
            assert!(name == "evo" && why.starts_with(gone), "{out:?}");
            let first = ["", "the build exited with code 3: no compiler; and "];
            for ((name, _, why), first) in out.iter().zip(first) {
                let file = format!("bots/{name}/build.sh");
                let words = format!("does not build: {first}its own file {file} changed meanwhile");
                assert!(why.contains(&words), "{out:?}");
            }
            // What is new is no part of its bot.
            assert_eq!(notes(&record, "made").len(), 1, "{outcome:#?}");
            assert_eq!(matches(&[&record]).len(), 3);
        });
    }
}

fn a_build_that_changes_its_own_sources_and_hangs_is_ended_once() {
    let config = format!("{SCRIPTS}files = [\"{{dir}}/*.sh\"]\n");
    let contest = contest(&config, &["ann", "ben", "eve"]);
    contest.write("bots/eve/build.sh", "echo run >>\"$1\"/more.sh; sleep 60\n");
    contest.play(&["--record=out/record", "--no-sandbox", "--build-time=3s"]).code(0);
    let out = notes(&path(contest.file("out/record")), "disqualified");
    let words = "does not build: the build took longer than 3s";
    assert!(out.len() == 1 && out[0].2.starts_with(words), "{out:?}");
    assert_eq!(contest.read("bots/eve/more.sh"), "run\n");
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

/// A bot that plays its first legal house, or the last if its file of weights says so.
const WEIGHING: &str = "import json, os, sys\n\
    weights = os.path.join(os.path.dirname(__file__), 'weights.json')\n\
    place = json.load(open(weights)) if os.path.exists(weights) else 0\n\
    for line in sys.stdin:\n    message = json.loads(line)\n    if message['type'] == 'turn':\n        \
    print(message['legal'][place], flush=True)\n";

fn data_that_a_bot_reads_is_part_of_it_or_remarked_on() {
    if !requirements::are_there("--sandbox", "bots with files of data")
        || !requirements::are_there("python3", "a bot that reads a file")
    {
        return;
    }
    let document = fs::read_to_string(repository().join("README.md")).unwrap();
    let readme = document.split("```toml class.toml\n").nth(1).expect("the README has a config");
    let config = readme.split("```").next().unwrap().replace("count = 4", "count = 1");
    let contest = Contest::new(&config);
    for bot in ["ann", "ben", "cem"] {
        contest.write(&format!("submissions/{bot}/bot.py"), WEIGHING);
    }
    contest.write("submissions/ben/weights.json", "0");
    let table = |record: &str| {
        let record = path(contest.file(record));
        mancala(["standings", "--format=csv", &record]).run().success().stdout
    };
    let play = |options: &[&str]| contest.play(options).code(0);
    let played = play(&["--record=whole"]);
    assert!(!played.stderr.contains("does not notice changes"), "{played:#?}");
    contest.write("submissions/ben/weights.json", "-1");
    let updated = play(&["--record=whole", "--update"]);
    assert!(updated.stderr.contains("bot \"ben\" has changed"), "{updated:#?}");
    play(&["--record=fresh"]);
    assert_eq!(table("whole"), table("fresh"));
    // Without `files` the first run names what is not part of the version.
    let config = config.replace("files = [\"{dir}/**\"]\n", "");
    contest.write("contest.toml", &config);
    let words = "--update does not notice changes in submissions/ben/weights.json (not part of the \
                 version of bot \"ben\"); add files = [\"{dir}/**\"] under [[bots]]";
    let played = play(&["--record=without"]);
    assert!(played.stderr.contains(words), "{played:#?}");
}

fn what_a_build_makes_in_its_folder_is_no_part_of_a_bot() {
    if !requirements::are_there("--sandbox", "builds of bots that are all files of a folder") {
        return;
    }
    let config = "[[bots]]\nglob = \"bots/*/build.sh\"\nname = \"{folder}\"\n\
                  build = \"sh {path} {dir}\"\ncommand = \"{dir}/bot\"\nfiles = [\"{dir}/**\"]\n";
    let contest = Contest::new(config);
    // Each build makes something else.
    let build = "cd \"$1\" && mkdir -p __pycache__ && date +%N | tee main.o Main.class \
                 __pycache__/x.pyc >.hidden &&\n\
                 { echo '#!/bin/sh'; date +'# %N'; cat bot.sh; } >bot && chmod +x bot\n";
    for bot in ["ann", "ben"] {
        contest.write(&format!("bots/{bot}/bot.sh"), SOUND);
        contest.write(&format!("bots/{bot}/build.sh"), build);
    }
    let record = path(contest.file("record"));
    contest.play(&["--record=record"]).code(0);
    assert!(notes(&record, "disqualified").is_empty());
    let resumed = contest.play(&["--record=record", "--resume"]).code(0);
    assert!(!resumed.stderr.contains("changed"), "{resumed:#?}");
    assert_eq!(matches(&[&record]).len(), 1);
    contest.write("bots/ben/bot.sh", &format!("{SOUND}true\n"));
    contest.play(&["--record=record", "--resume"]).failure(1, "bot \"ben\" has changed");
}

fn whatever_a_build_makes_its_bot_plays_and_goes_on() {
    if !requirements::are_there("--sandbox", "builds that make more than a program") {
        return;
    }
    let config = "[[bots]]\nglob = \"bots/*/build.sh\"\nname = \"{folder}\"\ndir = \"{dir}\"\n\
                  build = \"sh {path} {dir}\"\ncommand = \"sh bot.jar\"\nfiles = [\"{dir}/**\"]\n";
    let usual = "cd \"$1\" && { cat bot.sh; date +'# %N'; } >bot.jar && echo built >build.log &&\n\
                 date +%N >bot.d && mkdir -p target && date +%N >target/x\n";
    let unusual = format!("{usual}mkdir -p gen/er && date +%N | tee gen/er/x >bot.map\n");
    for build in [usual, &*unusual] {
        let contest = Contest::new(config);
        let write = |bot: &str| {
            contest.write(&format!("bots/{bot}/bot.sh"), SOUND);
            contest.write(&format!("bots/{bot}/build.sh"), build);
            contest.write(&format!("bots/{bot}/Cargo.toml"), "");
        };
        ["ann", "ben"].into_iter().for_each(write);
        let record = path(contest.file("record"));
        let play = |options: &[&str], count: usize| {
            let outcome = contest.play(options).code(0);
            assert!(!outcome.stderr.contains("has changed"), "{outcome:#?}");
            assert!(!outcome.stderr.contains("disqualified"), "{outcome:#?}");
            // After an update other matches have the same numbers.
            let played = lines(&record).into_iter().filter(|line| line["rounds"].is_array());
            assert_eq!(played.count(), count, "{outcome:#?}");
        };
        play(&["--record=record"], 1);
        play(&["--record=record", "--resume"], 1);
        play(&["--record=record", "--update"], 1);
        write("cem");
        play(&["--record=record", "--update"], 3);
        assert_no_faults(&record);
        mancala(["standings", &record]).run().success();
        contest.write("bots/ben/bot.sh", &format!("{SOUND}true\n"));
        contest.play(&["--record=record", "--resume"]).failure(1, "bot \"ben\" has changed");
        // What is left of these builds is made anew in another contest.
        if build == usual {
            contest.play(&["--record=again"]).code(0);
            assert_eq!(matches(&[&path(contest.file("again"))]).len(), 3);
        }
    }
}
