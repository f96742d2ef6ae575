//! `--update`: what is kept, what is played again, and what is left as it was.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;

use serde_json::{Value, json};

use super::{
    CLASS, assert_as_fresh, contest, kill_once, play, slow_start, table, warns, write_bot,
};
use crate::program::{Outcome, mancala, repository};
use crate::runner::{Test, tests};
use crate::test_folder::TestFolder;
use crate::tournaments::{config, lines, matches, tournament};

pub const TESTS: &[Test] = tests![
    a_file_of_a_first_version_goes_on_by_its_own_arithmetic,
    the_last_bot_that_a_pattern_found_may_be_withdrawn,
    a_changed_bot_is_refused_without_update_and_played_again_with_it,
    an_update_is_what_a_fresh_tournament_would_be,
    an_update_that_is_killed_goes_on_and_loses_nothing,
    an_update_that_plays_nothing_leaves_the_file_as_it_was,
    an_update_that_plays_nothing_leaves_the_files_beside_it_as_they_were,
    a_gauntlet_is_updated_and_what_cannot_be_says_so,
    a_dry_run_counts_the_matches_that_can_be_played,
];

fn a_file_of_a_first_version_goes_on_by_its_own_arithmetic() {
    let folder = TestFolder::new();
    let whole = repository().join("tests/data/first_schedule.jsonl");
    let whole = whole.to_str().unwrap();
    let text = fs::read_to_string(whole).unwrap();
    let cut = folder.file("cut");
    fs::write(&cut, text.split_inclusive('\n').take(3).collect::<String>()).unwrap();
    let bots = ["a", "b", "c"].iter().zip(1..);
    let bots = bots.map(|(name, seed)| format!("{name}=builtin:random --seed {seed}"));
    let bots: Vec<String> = bots.collect();
    let go_on = |count: &str| {
        tournament().args(["--openings=random:2", count, "--record", &cut]).args(&bots)
    };
    let cannot_be_updated = || {
        for more in [&[][..], &["d=builtin:easy"]] {
            let updated = go_on("--count=3").args(more).arg("--update").run();
            updated.failure(1, "was begun by an earlier version of this program");
        }
    };
    cannot_be_updated();
    go_on("--count=2").arg("--resume").run().success();
    assert_eq!(matches(&[&cut]), matches(&[whole]));
    mancala(["standings", whole]).run().success().says("6 matches, 12 rounds");
    mancala(["replay", whole]).run().success().says("6 of 6 matches are valid");
    mancala(["report", whole, "-o", &folder.file("page.html")]).run().success();
    // A header of today's does not make the matches before it today's.
    go_on("--count=3").arg("--resume").run().success();
    assert_eq!(matches(&[&cut]).len(), 9);
    cannot_be_updated();
}

fn the_last_bot_that_a_pattern_found_may_be_withdrawn() {
    let folder = TestFolder::new();
    let more = "[[bots]]\nglob = \"others/*/run\"\nname = \"{folder}\"\ncommand = \"sh {path}\"\n";
    config(&folder, &format!("{CLASS}{more}"));
    for (name, seed) in [("ann", 1), ("ben", 2), ("cem", 3)] {
        write_bot(&folder, name, seed);
    }
    let cem = folder.file("others/cem");
    fs::create_dir_all(&cem).unwrap();
    fs::rename(folder.file("bots/cem.sh"), format!("{cem}/run")).unwrap();
    play(&folder, "record", &[]).success();
    // A folder in place of its file leaves nothing that plays, and is told as one.
    fs::remove_file(format!("{cem}/run")).unwrap();
    fs::create_dir(format!("{cem}/run")).unwrap();
    let is_a_folder = "contest.toml:9:8: others/cem/run is a folder; put the file itself there";
    play(&folder, "record", &["--update", "--strict"]).failure(2, is_a_folder);
    fs::remove_dir_all(&cem).unwrap();
    let why = "contest.toml:9:8: no file in ";
    let refused = play(&folder, "record", &["--resume"]).code(1);
    assert!(refused.stderr.contains("bot \"cem\" is gone; add --update"), "{refused:#?}");
    for options in [&["--resume", "--strict"], &["--update", "--strict"]] {
        play(&folder, "record", options).failure(2, why);
    }
    play(&folder, "fresh", &[]).failure(2, why);
    let updated = play(&folder, "record", &["--update"]).code(0);
    warns(&updated, why);
    warns(
        &updated,
        "matches \"others/*/run\"; the tournament goes on without it (--strict stops here)",
    );
    warns(&play(&folder, "record", &["--resume"]).code(0), why);
    config(&folder, CLASS);
    assert_as_fresh(&folder, "record", &[]);
}

fn a_changed_bot_is_refused_without_update_and_played_again_with_it() {
    let folder = TestFolder::new();
    for (name, seed) in [("ann", 1), ("ben", 2), ("cem", 3)] {
        write_bot(&folder, name, seed);
    }
    play(&folder, "record", &[]).success();
    let before = fs::read_to_string(folder.file("record")).unwrap();
    let header = &lines(&folder.file("record"))[0];
    let version = &header["versions"]["ben"];
    assert_eq!(version.as_str().unwrap().len(), 16);
    for line in &lines(&folder.file("record"))[1..] {
        for bot in line["bots"].as_array().unwrap() {
            assert_eq!(bot["version"], header["versions"][bot["name"].as_str().unwrap()]);
        }
    }
    let plan = play(&folder, "record", &["--resume", "--count=3", "--dry-run"]).success();
    let plan = plan.says("matches     9\n").says("to play     3 of 9; 6 are played\n");
    // The longest time is that of what is left.
    let whole = play(&folder, "another", &["--count=3", "--dry-run"]).success();
    let longest = |plan: &Outcome| {
        let line = plan.stdout.lines().find(|line| line.starts_with("at most "));
        line.expect("a longest time").to_owned()
    };
    assert_ne!(longest(&plan), longest(&whole));
    // Nothing has changed: an update is what --resume is.
    play(&folder, "record", &["--update"]).code(0);
    assert_eq!(fs::read_to_string(folder.file("record")).unwrap(), before);
    let (file, record) = (folder.file("contest.toml"), folder.file("record"));
    let run = mancala(["tournament", "--jobs=2", "--oversubscribe", "--config", &file]);
    let run = run.args(["--record", &record, "--update"]).run().code(0);
    warns(&run, "no bot has changed since the last run; all matches are kept");
    assert_eq!(fs::read_to_string(folder.file("record")).unwrap(), before);

    write_bot(&folder, "ben", 7);
    let refused = play(&folder, "record", &["--resume"]);
    refused.failure(1, "bot \"ben\" has changed; add --update");
    assert_eq!(fs::read_to_string(folder.file("record")).unwrap(), before);
    // What it would do, and the file is only read.
    play(&folder, "record", &["--resume", "--dry-run"])
        .failure(1, "bot \"ben\" has changed; add --update");
    play(&folder, "record", &["--update", "--dry-run"])
        .success()
        .says("update      bot \"ben\" has changed; 2 matches are kept, 4 do not count\n")
        .says("to play     4 of 6; 2 are played\n")
        .says("by 2 matches of these bots in ");
    assert_eq!(fs::read_to_string(folder.file("record")).unwrap(), before);
    assert!(!Path::new(&folder.file("record.before")).exists());
    // What cannot be read is not taken for a new tournament.
    std::os::unix::fs::symlink("loop", folder.file("loop")).unwrap();
    play(&folder, "loop", &["--update", "--dry-run"]).failure(1, "cannot read the record file");
    let updated = play(&folder, "record", &["--update"]).code(0);
    warns(&updated, "updated: bot \"ben\" has changed; 2 matches are kept, 4 do not count");
    assert_eq!(fs::read_to_string(folder.file("record.before")).unwrap(), before);
    // The old lines stay as they are, and four matches are played again.
    let after = fs::read_to_string(folder.file("record")).unwrap();
    let new: Vec<Value> = after
        .strip_prefix(&before)
        .expect("the old lines stay")
        .lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect();
    assert_eq!((new.len(), &new[0]["continues"]), (5, &header["id"]));
    assert_ne!(&new[0]["versions"]["ben"], version);
    assert_as_fresh(&folder, "record", &[]);
    let shown = mancala(["standings", &folder.file("record")]).run().success();
    shown.says("6 matches, 12 rounds").says("4 matches do not count: a bot in them was changed");
    mancala(["replay", &folder.file("record")]).run().success().says("10 of 10 matches");
    // From file to file, and from update to update, ben's version is another one.
    let by_file = ["standings", "--by-file", &folder.file("record.before"), &folder.file("record")];
    for words in [&by_file[..], &["standings", "--trend", &folder.file("record")]] {
        let shown = mancala(words).run().success();
        let marked = |line: &&str| line.contains('*');
        let marked: Vec<&str> = shown.stdout.lines().filter(marked).collect();
        assert!(marked.len() == 2 && marked[0].starts_with("│ ben "), "{}", shown.stdout);
        assert_eq!(marked[1], "*: another version of the bot than before.");
        let found = mancala(words).args(["--format=json"]).run().success().json();
        let entries = found["files"].as_array().or(found["trend"].as_array()).unwrap();
        for (entry, header) in entries.iter().zip([header, &new[0]]) {
            for row in entry["rows"].as_array().unwrap() {
                assert_eq!(row["version"], header["versions"][row["name"].as_str().unwrap()]);
            }
        }
    }
    let page = folder.file("page.html");
    mancala(["report", &folder.file("record"), "-o", &page]).run().success();
    // The same bots go on with --resume, and a copy of the file adds nothing.
    play(&folder, "record", &["--resume", "--count=3"]).success();
    assert_as_fresh(&folder, "record", &["--count=3"]);
    let mut both = [folder.file("record.before"), folder.file("record")];
    for _ in 0..2 {
        let together = mancala(["standings", "--format=json"]).args(&both).run();
        assert_eq!(together.success().json(), table(&folder, "record"), "{both:?}");
        both.reverse();
    }
}

fn an_update_is_what_a_fresh_tournament_would_be() {
    let folder = TestFolder::new();
    for (name, seed) in [("ann", 1), ("ben", 2), ("cem", 3)] {
        write_bot(&folder, name, seed);
    }
    play(&folder, "record", &[]).success();
    let mut tables = vec![table(&folder, "record")];
    write_bot(&folder, "abe", 4);
    write_bot(&folder, "dan", 5);
    fs::remove_file(folder.file("bots/ben.sh")).unwrap();
    let fewer = play(&folder, "record", &["--update", "--count=1"]);
    fewer.failure(2, "give --count 2 with --update");
    let updated = play(&folder, "record", &["--update"]).code(0);
    warns(&updated, "bots \"abe\" and \"dan\" are new, bot \"ben\" is gone");
    assert_as_fresh(&folder, "record", &[]);
    tables.push(table(&folder, "record"));
    // Who comes back is there with its matches, and the plan is that of the beginning again.
    write_bot(&folder, "ben", 2);
    fs::remove_file(folder.file("bots/abe.sh")).unwrap();
    fs::remove_file(folder.file("bots/dan.sh")).unwrap();
    let back = play(&folder, "record", &["--update"]).code(0);
    warns(&back, "bot \"ben\" is back, bots \"abe\" and \"dan\" are gone; 6 matches are kept");
    assert_as_fresh(&folder, "record", &[]);
    tables.push(table(&folder, "record"));
    assert_trend(&folder.file("record"), &tables);
}

/// The trend of a file has these tables of standings, one after each update.
#[track_caller]
fn assert_trend(record: &str, tables: &[Value]) {
    let run =
        |format| mancala(["standings", "--trend", "--format", format, record]).run().success();
    let found = run("json").json();
    let trend = found["trend"].as_array().unwrap();
    assert_eq!(trend.len(), tables.len());
    let csv = run("csv").stdout;
    let mut csv = csv.lines().map(|line| line.split(',').collect::<Vec<_>>());
    assert_eq!(csv.next().unwrap()[..6], ["update", "id", "rank", "name", "matches", "points"]);
    for (update, (entry, table)) in trend.iter().zip(tables).enumerate() {
        assert_eq!([&entry["id"]], [&table["tournaments"][0]], "update {update}");
        assert_eq!(entry["matches"], table["matches"], "update {update}");
        let [rows, expected] = [entry, table].map(|of| of["rows"].as_array().unwrap());
        assert_eq!(rows.len(), expected.len(), "update {update}");
        for (row, expected) in rows.iter().zip(expected) {
            let fields = ["name", "rank", "points", "rating", "rating_low", "rating_high"];
            for field in fields.into_iter().chain(["matches", "disqualified"]) {
                assert_eq!(row[field], expected[field], "update {update}: {field}");
            }
            let line = csv.next().unwrap();
            assert_eq!(line[0], update.to_string());
            assert_eq!(
                [line[1], line[3]],
                [&entry["id"], &row["name"]].map(|it| it.as_str().unwrap())
            );
            assert_eq!(row["version"].as_str().unwrap(), *line.last().unwrap());
            let rating: f64 = line[7].parse().unwrap();
            assert!((rating - row["rating"].as_f64().unwrap()).abs() < 1e-3, "{line:?}");
        }
    }
    assert_eq!(csv.next(), None);
    let shown = run("table");
    // Who was gone for a while has no rating then.
    let line = shown.stdout.lines().find(|line| line.starts_with("│ ben "));
    let cells: Vec<&str> = line.unwrap_or_default().split('│').map(str::trim).collect();
    let is_rating = |cell: &str| cell.contains(" ± ");
    assert!(
        matches!(cells[..], ["", "ben", first, "–", last, ""] if is_rating(first) && is_rating(last)),
        "{}",
        shown.stdout
    );
    shown.says("│ at first").says("│ update 1").says("│ update 2");
}

fn an_update_that_is_killed_goes_on_and_loses_nothing() {
    let folder = TestFolder::new();
    for format in ["round-robin", "gauntlet"] {
        let record = format!("record-{format}");
        let (file, copy) = (folder.file(&record), folder.file(&format!("{record}.before")));
        config(&folder, &format!("format = \"{format}\"\n{CLASS}"));
        let write = |name: &str, seed| {
            write_bot(&folder, name, seed);
            let script = folder.file(&format!("bots/{name}.sh"));
            let text = slow_start(&folder) + &fs::read_to_string(&script).unwrap();
            fs::write(script, text).unwrap();
        };
        for (name, seed) in [("ann", 1), ("ben", 2), ("cem", 3)] {
            write(name, seed);
        }
        play(&folder, &record, &[]).success();
        // It is killed when so many lines are added, the first time as soon as the copy is begun.
        for (added, seed, changed) in [(0, 4, "ann"), (1, 5, "ben"), (2, 6, "cem"), (3, 7, "ann")] {
            let before = fs::read_to_string(&file).unwrap();
            let _ = fs::remove_file(&copy);
            write(changed, seed);
            fs::write(folder.file("slow"), "").unwrap();
            let child = contest(&folder, &record, &["--update"]).start();
            let now = || fs::read_to_string(&file).unwrap();
            let is_there = || match added {
                0 => Path::new(&copy).exists(),
                added => now().lines().count() >= before.lines().count() + added,
            };
            kill_once(&folder, child, is_there);
            let killed = now();
            assert!(killed.starts_with(&before), "{added}: lines are gone");
            play(&folder, &record, &["--update"]).code(0);
            let whole = &killed[..=killed.rfind('\n').unwrap()];
            assert!(now().starts_with(whole), "{added}: lines are gone");
            assert_eq!(fs::read_to_string(&copy).unwrap(), before, "{added}");
        }
        assert_as_fresh(&folder, &record, &[]);
        // What was played is played once: each version of a pairing plays each opening.
        let ids = lines(&file).into_iter().filter(|line| line["format"] == "mancala-match/1");
        let mut seen = BTreeSet::new();
        for line in ids {
            let key = format!("{} {}", line["bots"], line["opening"]);
            assert!(seen.insert(key.clone()), "{format}: {key} was played twice");
        }
    }
    folder.none_left();
}

/// A class of three bots with a build, in whose file `record` all matches are.
fn built_class() -> TestFolder {
    let folder = TestFolder::new();
    config(&folder, &format!("{CLASS}build = \"sh -n {{path}}\"\n"));
    for (name, seed) in [("ann", 1), ("ben", 2), ("cem", 3)] {
        write_bot(&folder, name, seed);
    }
    play(&folder, "record", &[]).success();
    folder
}

fn an_update_that_plays_nothing_leaves_the_file_as_it_was() {
    let folder = built_class();
    let record = folder.file("record");
    let before = fs::read(&record).unwrap();
    for (name, seed) in [("ben", 5), ("cem", 6)] {
        write_bot(&folder, name, seed);
    }
    let script = folder.file("bots/ann.sh");
    for options in [&["--update", "--strict"][..], &["--update", "--strict", "--keep-old"]] {
        fs::write(&script, "( no end\n").unwrap();
        let refused = play(&folder, "record", options).code(1);
        warns(&refused, "nothing was played (--strict), because of bot \"ann\"");
        let beside =
            "record is as it was before, and so are the files beside it: no match was played";
        warns(&refused, beside);
        assert_eq!(fs::read(&record).unwrap(), before);
        assert!(!Path::new(&folder.file("record.before")).exists());
    }
    write_bot(&folder, "ann", 4);
    play(&folder, "record", &["--update", "--strict"]).code(0);
    assert_eq!(fs::read(folder.file("record.before")).unwrap(), before);
    assert_as_fresh(&folder, "record", &[]);
}

fn an_update_that_plays_nothing_leaves_the_files_beside_it_as_they_were() {
    let folder = built_class();
    let record = folder.file("record");
    let files = || -> BTreeMap<String, Vec<u8>> {
        let entries = fs::read_dir(folder.file(".")).unwrap().map(Result::unwrap);
        let named = entries.map(|entry| entry.file_name().into_string().unwrap());
        let beside = named.filter(|name| name.starts_with("record"));
        beside.map(|name| (name.clone(), fs::read(folder.file(&name)).unwrap())).collect()
    };
    let cut_off = |text: &str| {
        let whole = fs::read_to_string(&record).unwrap();
        fs::write(&record, format!("{whole}{text}")).unwrap();
    };
    // At first there is only the record, then also what an update has left.
    for seed in [4, 5] {
        cut_off("{\"cut");
        let before = files();
        fs::write(folder.file("bots/ann.sh"), "( no end\n").unwrap();
        let refused = play(&folder, "record", &["--update", "--strict"]).code(1);
        assert_eq!(files(), before);
        warns(&refused, &format!("its 5 bytes are now in {record}.cut-off"));
        warns(&refused, &format!("the file as it was is {record}.before"));
        warns(&refused, "record is as it was before, and so are the files beside it: no match");
        let whole = fs::read(&record).unwrap();
        write_bot(&folder, "ann", seed);
        play(&folder, "record", &["--update"]).code(0);
        let after = files();
        assert!(after.keys().eq(["record", "record.before", "record.cut-off"]), "{after:?}");
        assert_eq!(after["record.before"], whole[..whole.len() - 5]);
    }
    assert_eq!(fs::read_to_string(folder.file("record.cut-off")).unwrap(), "{\"cut\n{\"cut\n");
    // Nor does a plan that was cut off get lost.
    let plan = fs::read(&record).unwrap()[..60].to_vec();
    fs::write(folder.file("record-2"), &plan).unwrap();
    fs::write(folder.file("bots/ann.sh"), "( no end\n").unwrap();
    let before = files();
    play(&folder, "record-2", &["--resume", "--strict"]).code(1);
    assert_eq!(files(), before);
}

fn a_gauntlet_is_updated_and_what_cannot_be_says_so() {
    let folder = TestFolder::new();
    config(&folder, &format!("format = \"gauntlet\"\n{CLASS}"));
    for (name, seed) in [("ann", 1), ("ben", 2), ("cem", 3)] {
        write_bot(&folder, name, seed);
    }
    play(&folder, "record", &[]).success();
    write_bot(&folder, "aaa", 4);
    play(&folder, "record", &["--update"]).code(0);
    assert_as_fresh(&folder, "record", &[]);
    for (options, why) in [
        (&["--swiss", "--count=1"][..], "a Swiss tournament cannot be updated"),
        (&["--round-robin", "--shard=1/2"], "a shard cannot be updated"),
    ] {
        let refused = play(&folder, "record", &[options, &["--update"]].concat());
        refused.failure(2, why);
    }
    let sprt = ["--sprt=elo0=0,elo1=10", "--update", "--record", &folder.file("sprt")];
    let run = tournament().args(["builtin:easy", "builtin:random"]).args(sprt).run();
    run.failure(2, "a test of two bots (--sprt) cannot be updated");
}

fn a_dry_run_counts_the_matches_that_can_be_played() {
    let folder = TestFolder::new();
    for (name, seed) in [("ann", 1), ("ben", 2)] {
        write_bot(&folder, name, seed);
    }
    play(&folder, "record", &[]).success();
    write_bot(&folder, "ann", 3);
    write_bot(&folder, "cem", 4);
    // The first version of ann is gone: of its six matches two are there, and no more will be.
    let plan = play(&folder, "record", &["--update", "--keep-old", "--dry-run"]).success();
    plan.says("to play     6 of 8; 2 are played, 4 more cannot be played: one of their bots");
    play(&folder, "record", &["--update", "--keep-old"]).code(0);
    let fewer = play(&folder, "record", &["--resume", "--count=1", "--dry-run"]);
    let counts =
        "\nmatches     6, 8 with those of the record file\nto play     0 of 8; 8 are played";
    fewer.success().says(counts).says(
        "count       --count 1, which is also the default, is less than the 2 of the record file",
    );
    // A bot that is tried again plays.
    let folder = TestFolder::new();
    for (name, seed) in [("ann", 1), ("ben", 2), ("cem", 3)] {
        write_bot(&folder, name, seed);
    }
    play(&folder, "record", &[]).success();
    let record = folder.file("record");
    let text = fs::read_to_string(&record).unwrap();
    let header = &lines(&record)[0];
    let note = json!({"format": "mancala-note/1", "tournament": header["id"], "match": null,
        "note": "disqualified", "bot": "cem", "version": header["versions"]["cem"],
        "detail": "its worker died, 3 times"});
    fs::write(&record, text.lines().next().unwrap().to_owned() + "\n" + &note.to_string() + "\n")
        .unwrap();
    let to_play = |options: &[&str], words: &str| {
        play(&folder, "record", options).success().says(words);
    };
    to_play(
        &["--resume", "--dry-run"],
        "to play     2 of 2; 0 are played, 4 more cannot be played: one of their bots",
    );
    to_play(
        &["--resume", "--dry-run"],
        " (disqualified: its worker died, 3 times; --retry-disqualified with --resume or --update tries it again)\n",
    );
    let again = ["--resume", "--retry-disqualified", "--dry-run"];
    to_play(&again, "to play     6 of 6; 0 are played\n");
}
