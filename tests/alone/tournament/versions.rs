//! A tournament that lives: bots that change, come and go.

use std::collections::{BTreeMap, BTreeSet};
use std::fs::{self, Permissions};
use std::os::unix::fs::PermissionsExt as _;
use std::os::unix::process::ExitStatusExt;
use std::path::Path;
use std::process::{Child, Stdio};
use std::time::Duration;

use serde_json::{Value, json};

use crate::program::{Outcome, Run, mancala, repository, write_script};
use crate::runner::{Test, tests};
use crate::test_folder::{TestFolder, status_of, wait_until};
use crate::tournaments::{config, lines, matches, notes, tournament};

pub const TESTS: &[Test] = tests![
    a_file_of_a_first_version_goes_on_by_its_own_arithmetic,
    a_version_is_what_a_bot_is_made_of,
    a_bot_without_a_file_in_its_version_is_named_where_the_tournament_goes_on,
    a_folder_where_a_file_was_and_a_file_that_cannot_be_read_are_named,
    the_last_bot_that_a_pattern_found_may_be_withdrawn,
    a_changed_bot_is_refused_without_update_and_played_again_with_it,
    an_update_is_what_a_fresh_tournament_would_be,
    an_update_that_is_killed_goes_on_and_loses_nothing,
    an_update_that_plays_nothing_leaves_the_file_as_it_was,
    an_update_that_plays_nothing_leaves_the_files_beside_it_as_they_were,
    a_gauntlet_is_updated_and_what_cannot_be_says_so,
    earlier_versions_of_an_engine_play_on,
    an_earlier_version_that_cannot_be_run_again_keeps_its_matches,
    a_disqualified_bot_that_was_fixed_plays_and_one_that_is_the_same_does_not,
    a_bot_that_could_not_start_here_is_tried_again_where_that_is_asked_for,
    a_version_that_cannot_be_run_is_not_tried_again,
    a_second_try_that_comes_too_late_leaves_the_file_as_it_was,
    a_bot_that_changes_while_it_plays_is_stopped,
    a_bot_that_changes_once_while_it_plays_waits_for_the_update,
    a_fault_in_a_match_that_does_not_count_is_not_told,
    a_fault_of_a_bot_that_is_as_before_at_the_end_is_told,
    other_settings_of_bots_that_are_the_same_are_named,
    a_bot_that_changes_before_its_trial_is_stopped_and_not_disqualified,
    a_program_of_the_system_that_differs_is_remarked_on,
    a_file_of_openings_that_has_changed_is_refused,
    a_second_start_that_waits_sees_the_files_of_then,
    a_dry_run_counts_the_matches_that_can_be_played
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

/// A bot that draws the lots of this seed.
fn write_bot(folder: &TestFolder, name: &str, seed: u64) {
    let program = env!("CARGO_BIN_EXE_mancala");
    let script = format!("exec '{program}' bot random --seed {seed}\n");
    fs::create_dir_all(folder.file("bots")).unwrap();
    fs::write(folder.file(&format!("bots/{name}.sh")), script).unwrap();
}

const CLASS: &str = "openings = \"random:2\"\ncount = 2\n\
                     [match]\nsandbox = false\n\
                     [[bots]]\nglob = \"bots/*.sh\"\ncommand = \"sh {path}\"\n";

/// The tournament of the folder's bots.
fn contest(folder: &TestFolder, record: &str, options: &[&str]) -> Run {
    let file = folder.file("contest.toml");
    if !Path::new(&file).exists() {
        config(folder, CLASS);
    }
    let run = tournament().args(["--config", &file, "--record", &folder.file(record)]);
    run.args(options)
}

/// What makes a script's process start slowly as long as this file is there, so that a tournament
/// does not end before it is killed.
fn slow_start(folder: &TestFolder) -> String {
    format!("if [ -e '{}' ]; then sleep 0.3; fi\n", folder.file("slow"))
}

/// Kills a tournament of bots that [start slowly](slow_start) as soon as this is true.
#[track_caller]
fn kill_once(folder: &TestFolder, mut child: Child, is_there: impl Fn() -> bool) {
    while !is_there() && child.try_wait().unwrap().is_none() {
        std::thread::sleep(Duration::from_millis(1));
    }
    child.kill().unwrap();
    let status = status_of(&mut child);
    assert_eq!(status.signal(), Some(9), "it has ended before it was killed: {status}");
    fs::remove_file(folder.file("slow")).unwrap();
}

fn play(folder: &TestFolder, record: &str, options: &[&str]) -> Outcome {
    contest(folder, record, options).run()
}

#[track_caller]
fn warns(run: &Outcome, words: &str) {
    assert!(run.stderr.contains(words), "{words:?} is not in\n{}", run.stderr);
}

/// The table of a file, and the tournament and rows of its standings.
fn table(folder: &TestFolder, record: &str) -> Value {
    mancala(["standings", "--format=json", &folder.file(record)]).run().success().json()
}

#[track_caller]
fn assert_as_fresh(folder: &TestFolder, record: &str, options: &[&str]) {
    let _ = fs::remove_file(folder.file("fresh"));
    play(folder, "fresh", options).success();
    let [updated, fresh] = [record, "fresh"].map(|record| table(folder, record).to_string());
    assert_eq!(updated.replace(',', "\n"), fresh.replace(',', "\n"));
}

/// The comments beside bots of a dumped configuration.
fn versions(run: &Outcome) -> Vec<String> {
    let comments = run.stdout.lines().filter_map(|line| line.strip_prefix("# version "));
    comments.map(str::to_owned).collect()
}

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

fn a_bot_that_changes_while_it_plays_is_stopped() {
    let folder = TestFolder::new();
    for (name, seed) in [("ann", 1), ("ben", 2)] {
        write_bot(&folder, name, seed);
    }
    // It writes into a file that it is made of, in each match.
    let program = env!("CARGO_BIN_EXE_mancala");
    let book = folder.file("book");
    fs::write(&book, "").unwrap();
    let script = format!(
        "{{ read -r line && echo more >> '{book}' && printf '%s\\n' \"$line\"; cat; }} |\n\
         '{program}' bot random --seed 3\n"
    );
    fs::write(folder.file("bots/learner.sh"), script).unwrap();
    config(&folder, &format!("{CLASS}files = [\"book\"]\n"));
    fs::write(folder.file("bots/ben.sh"), fs::read(folder.file("bots/ann.sh")).unwrap()).unwrap();
    let unrecorded = mancala(["tournament", "--jobs=1", "--oversubscribe", "--config"])
        .arg(folder.file("contest.toml"))
        .run()
        .code(1);
    assert!(!unrecorded.stderr.contains("--update"), "{}", unrecorded.stderr);
    assert!(!unrecorded.stderr.contains("--resume"), "{}", unrecorded.stderr);
    warns(&unrecorded, "begin the tournament again to play it as it is then");
    let run = play(&folder, "record", &[]).code(1);
    warns(&run, "book of bot");
    warns(&run, "has changed; the match does not count, and is played again");
    warns(&run, "plays no more in this run: its file");
    warns(&run, "if the bot writes the file itself, name it in env");
    warns(
        &run,
        " of its matches stay unplayed; the same command with --update plays the rest with the bots",
    );
    warns(&run, "bots \"ann\" and \"ben\" have the same contents; each counts as a bot of its own");
    // A match that a change made doubtful is not in the file.
    let played = lines(&folder.file("record"));
    let of_learner = |line: &&Value| line["bots"].to_string().contains("learner");
    assert_eq!(played.iter().filter(of_learner).count(), 0);
    // Of the four matches of a Swiss round one is played and two are begun. The table counts as the
    // message does.
    write_bot(&folder, "dan", 4);
    let run = mancala(["tournament", "--jobs=1", "--oversubscribe", "--quiet"])
        .args(["--swiss", "--count=2", "--repeat=2", "--config", &folder.file("contest.toml")])
        .args(["--record", &folder.file("swiss")])
        .run()
        .code(1);
    warns(
        &run,
        "2 matches stay unfinished and 1 of the same round is not begun, so 4 matches of later \
         rounds were never paired",
    );
    let table = mancala(["standings", "--format=json", &folder.file("swiss")]).run().code(0).json();
    assert_eq!((&table["unfinished"], &table["missing"]), (&json!(2), &json!(5)));
}

fn a_bot_that_changes_once_while_it_plays_waits_for_the_update() {
    let folder = TestFolder::new();
    for (name, seed) in [("ann", 1), ("ben", 2)] {
        write_bot(&folder, name, seed);
    }
    // Its author saves it during its first match.
    let (program, script, saved) =
        (env!("CARGO_BIN_EXE_mancala"), folder.file("bots/cem.sh"), folder.file("saved"));
    let save = format!("[ -e '{saved}' ] || {{ touch '{saved}'; echo '# new' >> '{script}'; }}");
    let text = format!(
        "{{ read -r line && {{ {save}; }} && printf '%s\\n' \"$line\"; cat; }} |\n\
         '{program}' bot random --seed 3\n"
    );
    fs::write(&script, text).unwrap();
    let run = play(&folder, "record", &[]).code(1);
    warns(&run, "bots/cem.sh is another one than at the start; --update plays it as it is then");
    assert!(!run.stderr.contains("3 times"), "{}", run.stderr);
    play(&folder, "record", &["--update"]).code(0);
    assert_as_fresh(&folder, "record", &[]);
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

fn a_fault_in_a_match_that_does_not_count_is_not_told() {
    let folder = TestFolder::new();
    // It is saved while it plays, and answers nonsense from then on.
    let bot = "import json, sys\n\
        for line in sys.stdin:\n    \
            if json.loads(line)['type'] == 'turn':\n        \
                open('book', 'a').write('more')\n        \
                print(99, flush=True)\n";
    fs::write(folder.file("bot.py"), bot).unwrap();
    let text = "[match]\nsandbox = false\n[[bot]]\nname = \"ann\"\n\
        command = \"python3 bot.py\"\nfiles = [\"book\"]\n\
        [[bot]]\nname = \"ben\"\ncommand = \"builtin:easy\"\n";
    config(&folder, text);
    let (events, file) = (folder.file("events"), folder.file("contest.toml"));
    for (options, has_changed) in [(&["--stop-on-fault"][..], true), (&[], true), (&[], false)] {
        fs::write(folder.file("book"), "").unwrap();
        if !has_changed {
            let changing = fs::read_to_string(folder.file("bot.py")).unwrap();
            fs::write(folder.file("bot.py"), changing.replace("'book', 'a'", "'/dev/null', 'w'"))
                .unwrap();
        }
        let _ = fs::remove_file(&events);
        let run = mancala(["tournament", "--jobs=1", "--oversubscribe", "--config", &file]);
        let run = run.args(options).args(["--events", &events]).run();
        let told = fs::read_to_string(&events).unwrap().contains("\"event\":\"fault\"");
        assert_eq!(told, !has_changed, "{options:?}");
        assert_eq!(run.stderr.contains("first fault"), !has_changed, "{}", run.stderr);
        assert!(!run.stderr.contains("stopping"), "{}", run.stderr);
        if has_changed {
            warns(&run.code(1), "book of bot \"ann\" has changed");
        }
    }
}

fn a_fault_of_a_bot_that_is_as_before_at_the_end_is_told() {
    let folder = TestFolder::new();
    // The file is gone before its second round, in which it makes none.
    let bot = "import json, os, sys\n\
        for line in sys.stdin:\n    \
            message = json.loads(line)\n    \
            if message['type'] == 'start' and message['round'] == 2:\n        \
                os.remove('book.tmp')\n    \
            elif message['type'] == 'turn' and not message['moves']:\n        \
                open('book.tmp', 'w').close()\n        \
                print(99, flush=True)\n    \
            elif message['type'] == 'turn':\n        \
                print(message['legal'][0], flush=True)\n";
    fs::write(folder.file("bot.py"), bot).unwrap();
    fs::write(folder.file("book"), "").unwrap();
    let text = "[match]\nsandbox = false\n[[bot]]\nname = \"ann\"\n\
        command = \"python3 bot.py\"\nfiles = [\"book*\"]\n\
        [[bot]]\nname = \"ben\"\ncommand = \"builtin:easy\"\n";
    config(&folder, &format!("openings = \"random:3\"\ncount = 3\n{text}"));
    let (record, file) = (folder.file("record"), folder.file("contest.toml"));
    let run = mancala(["tournament", "--jobs=1", "--oversubscribe", "--stop-on-fault"]);
    let run = run.args(["--config", &file, "--record", &record]).run().code(0);
    warns(&run, "first fault of bot \"ann\": illegal_move in match 1, round 1");
    assert_eq!(matches(&[&record]).len(), 1);
}

fn a_bot_that_changes_before_its_trial_is_stopped_and_not_disqualified() {
    let built = "build = \"cp ben.sh made\"\ncommand = \"sh made\"\nfiles = [\"ben.sh\"]\n";
    for ben in ["command = \"./ben.sh\"\n", built] {
        let folder = TestFolder::new();
        // The build of the first bot is over before the other one is built or tried.
        let text = format!(
            "[match]\nsandbox = false\n[[bot]]\nname = \"ann\"\ncommand = \"sh bots/ann.sh\"\n\
             build = \"sh -c 'test -e moved || {{ touch moved; mv ben.sh away; }}'\"\n\
             [[bot]]\nname = \"ben\"\n{ben}"
        );
        config(&folder, &text);
        write_bot(&folder, "ann", 1);
        let program = env!("CARGO_BIN_EXE_mancala");
        let script = format!("#!/bin/sh\nexec '{program}' bot random --seed 2\n");
        fs::write(folder.file("ben.sh"), script).unwrap();
        fs::set_permissions(folder.file("ben.sh"), Permissions::from_mode(0o755)).unwrap();
        let (file, record) = (folder.file("contest.toml"), folder.file("record"));
        let run = |options: &[&str]| {
            let run = mancala(["tournament", "--jobs=1", "--oversubscribe", "--config", &file]);
            run.args(["--record", &record]).args(options).run()
        };
        let events = folder.file("events");
        let stopped = run(&["--events", &events]).code(1);
        let events = fs::read_to_string(&events).unwrap();
        assert!(events.ends_with("\"reason\":\"failed\"}\n"), "{events}");
        warns(&stopped, "ben.sh of bot \"ben\" has changed; it is tried again");
        warns(&stopped, "ben.sh of bot \"ben\" has changed; it plays no more in this run");
        let words = "a bot that has changed plays no more: 1 of its matches stays unplayed; the same \
            command with --update";
        warns(&stopped, words);
        assert_eq!(notes(&record, "disqualified"), []);
        fs::rename(folder.file("away"), folder.file("ben.sh")).unwrap();
        run(&["--resume"]).code(0);
        assert_eq!(matches(&[&record]).len(), 1);
        fs::remove_file(folder.file("moved")).unwrap();
        fs::remove_file(&record).unwrap();
        let refused = run(&["--strict"]).code(1);
        warns(&refused, "nothing was played (--strict), because of bot \"ben\"");
    }
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

fn a_second_start_that_waits_sees_the_files_of_then() {
    let folder = TestFolder::new();
    for (name, seed) in [("ann", 1), ("ben", 2)] {
        write_bot(&folder, name, seed);
    }
    play(&folder, "record", &[]).success();
    let record = fs::File::open(folder.file("record")).unwrap();
    record.lock().unwrap();
    let mut second = contest(&folder, "record", &["--resume"]).command();
    let second = second.stderr(Stdio::piped()).spawn().unwrap();
    // It has read what the bots are made of before it opens the file that it waits for.
    wait_until("the second start does not open the record", || {
        writes_to(second.id(), Path::new(&folder.file("record")))
    });
    write_bot(&folder, "ben", 7);
    record.unlock().unwrap();
    let output = second.wait_with_output().unwrap();
    let stderr = String::from_utf8_lossy(&output.stderr);
    assert!(stderr.contains("bot \"ben\" has changed; add --update"), "{stderr}");
}

/// Whether the process has the file open for writing.
fn writes_to(process: u32, file: &Path) -> bool {
    let descriptors = fs::read_dir(format!("/proc/{process}/fd")).into_iter().flatten().flatten();
    let mut of_file = descriptors
        .filter(|descriptor| fs::read_link(descriptor.path()).is_ok_and(|path| path == file));
    of_file.any(|descriptor| {
        let number = descriptor.file_name().into_string().expect("a number");
        let info = fs::read_to_string(format!("/proc/{process}/fdinfo/{number}"));
        let info = info.unwrap_or_default();
        let flags = info.lines().find_map(|line| line.strip_prefix("flags:"));
        let flags = flags.and_then(|flags| i32::from_str_radix(flags.trim(), 8).ok());
        flags.is_some_and(|flags| flags & libc::O_ACCMODE != libc::O_RDONLY)
    })
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
