//! `--keep-old`: earlier versions of a bot that play on.

use std::collections::BTreeMap;
use std::fs;

use super::{contest, kill_once, play, slow_start, table, warns, write_bot};
use crate::program::mancala;
use crate::runner::{Test, tests};
use crate::test_folder::TestFolder;
use crate::tournaments::{config, lines};

pub const TESTS: &[Test] = tests![
    earlier_versions_of_an_engine_play_on,
    an_earlier_version_that_cannot_be_run_again_keeps_its_matches,
];

/// What each bot of a table has: rank, points, matches, seeds.
fn results(folder: &TestFolder, record: &str) -> BTreeMap<String, String> {
    let table = table(folder, record);
    let rows = table["rows"].as_array().unwrap().iter().map(|row| {
        let of = ["rank", "points", "matches", "seeds_for", "rating"].map(|key| &row[key]);
        (row["name"].as_str().unwrap().to_owned(), format!("{of:?}"))
    });
    rows.collect()
}

/// How a bot that remembers nothing picks one of the legal houses in `$l`.
const PICKS: [(&str, &str); 5] = [
    ("v1", "echo ${l##*,}"),
    ("v2", "l=${l#*,}; echo ${l%%,*}"),
    ("v3", "l=${l%,*}; echo ${l##*,}"),
    ("first", "echo ${l%%,*}"),
    ("by-length", "if [ $((${#line} % 2)) = 0 ]; then echo ${l%%,*}; else echo ${l##*,}; fi"),
];

/// Each version is a file of its own, as an engine's are.
fn earlier_versions_of_an_engine_play_on() {
    for format in ["gauntlet", "round-robin"] {
        let folder = TestFolder::new();
        fs::create_dir(folder.file("bots")).unwrap();
        for (name, pick) in PICKS {
            let script = format!(
                "{}while read -r line; do case $line in *'\"turn\",'*)\n\
                 l=${{line#*legal\\\":[}}; l=${{l%%]*}}; {pick};; esac; done\n",
                slow_start(&folder)
            );
            fs::write(folder.file(&format!("bots/{name}.sh")), script).unwrap();
        }
        let engine = |name: &str, version: u64| {
            format!("[[bot]]\nname = \"{name}\"\ncommand = \"sh bots/v{version}.sh\"\n")
        };
        let others = "[[bot]]\ncommand = \"sh bots/first.sh\"\n\
                      [[bot]]\ncommand = \"sh bots/by-length.sh\"\n";
        let write = |gauntlet: &str, bots: &str| {
            let head = "openings = \"random:2\"\ncount = 2\n";
            config(&folder, &format!("format = \"{format}\"\n{gauntlet}{head}{bots}{others}"));
        };
        write("", &engine("engine", 1));
        play(&folder, "record", &[]).success();
        write("", &engine("engine", 2));
        let updated = play(&folder, "record", &["--update", "--keep-old"]).code(0);
        warns(
            &updated,
            "bot \"engine\" has changed, bot \"engine~1\" is an earlier version of bot \"engine\"; ",
        );
        warns(&updated, ", 0 do not count");
        write("", &engine("engine", 3));
        let count = || lines(&folder.file("record")).len();
        let before = count();
        fs::write(folder.file("slow"), "").unwrap();
        let child = contest(&folder, "record", &["--update", "--keep-old"]).start();
        kill_once(&folder, child, || count() >= before + 3);
        play(&folder, "record", &["--update", "--keep-old"]).code(0);
        // They are there as long as the tournament goes on.
        play(&folder, "record", &["--resume", "--count=3"]).success();
        let kept = results(&folder, "record");
        let names: Vec<&String> = kept.keys().collect();
        assert_eq!(names, ["by-length", "engine", "engine~1", "engine~2", "first"]);

        // A tournament of all versions has the same results.
        let gauntlet = if format == "gauntlet" { "gauntlet = 3\n" } else { "" };
        let all = [("engine", 3), ("engine~1", 1), ("engine~2", 2)];
        write(gauntlet, &all.map(|(name, version)| engine(name, version)).concat());
        play(&folder, "all", &["--count=3"]).success();
        assert_eq!(kept, results(&folder, "all"), "{format}");
        let record = folder.file("record");
        mancala(["replay", &record]).run().success();
        let page = folder.file("page.html");
        mancala(["report", &record, "-o", &page]).run().success();
        let text = fs::read_to_string(&page).unwrap();
        assert!(text.contains("engine~2"), "{format}");
        let (trend, out) = ("--trend", folder.file("feedback"));
        mancala(["standings", trend, &record]).run().success().says("│ engine~1");
        mancala(["feedback", &record, "-o", &out]).run().success();
        let page = fs::read_to_string(format!("{out}/engine_1/feedback.md")).unwrap();
        assert!(page.contains("by-length"), "{page}");

        // The name is taken; no version is to play on, and they are gone.
        let refused = play(&folder, "record", &["--update", "--keep-old", "--count=3"]);
        refused
            .failure(2, "\"engine~1\", and another bot has that name; give that one another name");
        write("", &engine("engine", 3));
        let without = play(&folder, "record", &["--update", "--count=3"]).code(0);
        warns(&without, "bots \"engine~1\" and \"engine~2\" are gone");
        let names: Vec<String> = results(&folder, "record").into_keys().collect();
        assert_eq!(names, ["by-length", "engine", "first"]);
        // An engine that is what it was is that version again.
        write("", &engine("engine", 1));
        let back = play(&folder, "record", &["--update", "--keep-old", "--count=3"]).code(0);
        let earlier = "bots \"engine~2\" and \"engine~3\" are earlier versions of bot \"engine\"";
        warns(&back, earlier);
        let again = results(&folder, "record");
        assert_eq!((&again["engine"], &again["engine~2"]), (&kept["engine~1"], &kept["engine~2"]));
        assert_eq!((&again["engine~3"], again.len()), (&kept["engine"], 5));
        play(&folder, "record", &["--resume", "--keep-old"]).failure(2, "--update");
    }
}

fn an_earlier_version_that_cannot_be_run_again_keeps_its_matches() {
    let folder = TestFolder::new();
    for (name, seed) in [("ann", 1), ("ben", 2)] {
        write_bot(&folder, name, seed);
    }
    play(&folder, "record", &[]).success();
    write_bot(&folder, "ann", 3);
    write_bot(&folder, "cem", 4);
    let run = play(&folder, "record", &["--update", "--keep-old"]).code(0);
    warns(
        &run,
        "bot \"ann~1\" cannot be run again: its files have changed; 2 of its matches count, 4 cannot \
         be played",
    );
    // Of what will not change nothing needs to be seen.
    assert!(!run.stderr.contains("no file is part of the version"), "{run:#?}");
    let remark = "ann~1 cannot be run again, so 4 matches were not played by it.";
    let count = |label: &str| {
        let found = table(&folder, "record");
        let keys = ["planned", "matches", "missing", "not_played"];
        let counts = keys.map(|key| found[key].as_u64().unwrap());
        assert_eq!(counts, [12, 8, 0, 4], "{label}: {found:#}");
        mancala(["standings", &folder.file("record")])
            .run()
            .code(0)
            .says(remark)
            .says("8 matches, 16 rounds; 4 others are of versions that cannot be run again");
    };
    count("updated");
    assert!(run.stdout.contains(remark), "{run:#?}");
    let row = results(&folder, "record");
    assert_eq!(row.keys().collect::<Vec<_>>(), ["ann", "ann~1", "ben", "cem"]);
    let before = fs::read(folder.file("record")).unwrap();
    play(&folder, "record", &["--resume"]).code(0);
    assert_eq!(fs::read(folder.file("record")).unwrap(), before);
    play(&folder, "record", &["--resume", "--dry-run"]).code(0).says("to play     0 of 8;");
    // An extension, and a file without the field: a new header says it.
    play(&folder, "record", &["--resume"]).code(0);
    count("resumed");
    let older = String::from_utf8(before).unwrap().replace(",\"retired\":[\"ann~1\"]", "");
    fs::write(folder.file("record"), older).unwrap();
    assert_eq!(table(&folder, "record")["missing"], 4);
    play(&folder, "record", &["--resume"]).code(0);
    count("older");
    // Its file is as it was again: today's bot is the version that was the first.
    write_bot(&folder, "ann", 1);
    let run = play(&folder, "record", &["--update", "--keep-old"]).code(0);
    warns(&run, "updated: bot \"ann\" is back as it was before, ");
    let found = table(&folder, "record");
    assert_eq!(found["planned"].as_u64(), Some(12), "{found:#}");
    assert_eq!(found["missing"].as_u64(), Some(0), "{found:#}");
    // What is built to the same file is not what it was.
    let build = |source: &str| {
        let text = format!(
            "[match]\nsandbox = false\n[[bot]]\nname = \"a\"\ncommand = \"sh out/a\"\n\
             build = \"cp {source} out/a\"\n[[bot]]\ncommand = \"builtin:easy --seed 1\"\n"
        );
        config(&folder, &text);
    };
    fs::create_dir(folder.file("out")).unwrap();
    build("bots/ann.sh");
    play(&folder, "built", &[]).success();
    build("bots/ben.sh");
    let run = play(&folder, "built", &["--update", "--keep-old"]).code(0);
    warns(
        &run,
        "bot \"a~1\" cannot be run again: bot \"a\" is built to the same file; 1 of its matches counts",
    );
}
