//! What is to be played, shown before it is.

use std::fs;

use rustix::process::{Pid, Signal, kill_process};

use crate::program::mancala;
use crate::runner::{Test, tests};
use crate::test_folder::{TestFolder, status_of};
use crate::tournaments::{FOUR, config, lines, tournament};

pub const TESTS: &[Test] = tests![
    a_dumped_config_gives_the_same_plan,
    what_a_config_would_fill_in_is_not_dumped,
    arguments_override_the_config,
    a_dry_run_shows_what_would_be_played_and_plays_nothing,
    a_dry_run_tells_the_time_by_a_trial_of_each_bot,
    a_dry_run_counts_no_matches_of_bots_that_do_not_start,
    a_record_file_begins_with_its_plan,
    ten_rounds_of_a_match_are_refused_with_the_way_to_a_tournament,
    a_config_in_another_folder_gives_the_same_plan
];

fn a_dumped_config_gives_the_same_plan() {
    let folder = TestFolder::new();
    for name in ["ann b.c", "bob.c"] {
        fs::write(folder.file(name), "").unwrap();
    }
    let whole = config(
        &folder,
        r#"
        name = "autumn \" \\ é"
        format = "gauntlet"
        gauntlet = 2
        openings = "random:4"
        count = 20
        repeat = 2
        seed = 7
        disqualify_after = 3
        reuse_bots = true
        restart_after = 50
        [match]
        rules = "ece1021"
        move_time = "250ms"
        sandbox = true
        allow_read = ["extra", "/usr/share"]
        env = ["SEED"]
        empty_capture = false
        [[bots]]
        glob = "*.c"
        build = "cc {path} -o 'build/{stem}'"
        command = "build/{stem} --name '{file}'"
        env = { FROM = "{dir}" }
        [[bot]]
        name = "easy"
        command = "builtin:easy"
        dir = "."
        "#,
    );
    fs::create_dir(folder.file("extra")).unwrap();
    let first = mancala(["tournament", "--dump-config", "--config", &whole]).run().success();
    let again = config(&folder, &first.stdout);
    let second = mancala(["tournament", "--dump-config", "--config", &again]).run().success();
    assert_eq!(first.stdout, second.stdout);
    assert!(first.stdout.contains("command = \"'build/ann b' --name 'ann b.c'\""), "{first:#?}");
    let id = |file: &str| {
        let shown = mancala(["tournament", "--dry-run", "--config", file]).run().success().stdout;
        shown.lines().find(|line| line.starts_with("id ")).unwrap().to_owned()
    };
    let of_dump = id(&again);
    fs::write(&again, first.stdout).unwrap();
    assert_eq!(id(&again), of_dump);
}

fn what_a_config_would_fill_in_is_not_dumped() {
    for bot in ["b=x {foo}", "b=python3 {path}"] {
        let dump = mancala(["tournament", "--dump-config", "builtin:easy", bot]).run();
        dump.failure(2, "no config can name the bot \"b\": ");
    }
}

fn arguments_override_the_config() {
    let folder = TestFolder::new();
    let file = config(
        &folder,
        "openings = \"random:3\"\ncount = 5\n[match]\nrules = \"ece1021\"\nmove_time = \"5s\"\n\
         [[bot]]\ncommand = \"builtin:easy\"\n",
    );
    let options = ["--count=2", "--move-time=2s", "--gauntlet", "builtin:random"];
    let dump = mancala(["tournament", "--dump-config", "--config", &file]).args(options).run();
    let dump = dump.success().stdout;
    for line in [
        "format = \"gauntlet\"",
        "gauntlet = 1",
        "openings = \"random:3\"",
        "count = 2",
        "rules = \"ece1021\"",
        "move_time = \"2s\"",
        "command = \"builtin:easy\"",
        "command = \"builtin:random\"",
    ] {
        assert!(dump.lines().any(|found| found == line), "{line} is not in\n{dump}");
    }
}

fn a_dry_run_shows_what_would_be_played_and_plays_nothing() {
    let folder = TestFolder::new();
    let outcome = mancala(["tournament", "--dry-run", "--openings=random:4", "--count=20"])
        .args(["--record", &folder.file("record")])
        .args(FOUR)
        .run()
        .success();
    outcome
        .says("matches     120")
        .says("openings    20 positions after 4 random moves\n")
        .says("time        about ")
        .says("at most     ");
    assert!(!std::path::Path::new(&folder.file("record")).exists());

    let one = ["tournament", "--dry-run", "--swiss", "--count=1", "--repeat=2"];
    let one = mancala(one).args(FOUR).run().success();
    one.says("format      Swiss, 1 round\n").says("openings    the standard opening, 2 times\n");

    // A shard has its own part.
    let pair = ["builtin:random --seed 1", "builtin:random --seed 2"];
    let plan = |options: &[&str]| {
        let run = mancala(["tournament", "--dry-run", "--openings=random:4"]).args(pair);
        run.args(options).run()
    };
    let shard = plan(&["--count=25", "--shard=1/10"]).success();
    shard.says("\nmatches     3, shard 1/10 of 25\n").says("moves       about 1");
    // 100 matches of two rounds of 10 moves and two starts, 1 ms each, are 2.4 s.
    let short =
        ["--count=100", "--move-time=1ms", "--start-time=1ms", "--max-moves=10", "--margin=0ms"];
    plan(&short).success().says("\nat most     3s on one core");

    // What would not be begun says why, in the same words.
    let [record, used] = ["record", "used"].map(|name| folder.file(name));
    fs::create_dir(&used).unwrap();
    fs::write(folder.file("used/x"), "").unwrap();
    for option in ["--feedback", "--log"] {
        plan(&[option, &used]).failure(2, "used is not empty: add --resume");
        plan(&[option, &folder.file("new")]).success();
    }
    tournament()
        .args(pair)
        .args(["--record", &record, "--openings=random:4", "--count=4"])
        .run()
        .code(0);
    let options = ["--record", &*record, "--count=2"];
    plan(&options).failure(2, "record is not empty: add --resume to go on");
    // Fewer openings than the file has, of which one match is missing.
    let text = fs::read_to_string(&record).unwrap();
    let is_kept = |line: &&str| !line.contains("\"match\":1,");
    fs::write(&record, text.split_inclusive('\n').filter(is_kept).collect::<String>()).unwrap();
    let resumed = plan(&[&options[..], &["--resume"]].concat()).success();
    resumed
        .says("matches     2, 4 with those of the record file\n")
        .says("to play     1 of 4; 3 are played\n");
}

fn a_dry_run_tells_the_time_by_a_trial_of_each_bot() {
    let folder = TestFolder::new();
    let made = folder.file("made");
    let text = format!(
        "count = 10\nopenings = \"random:4\"\n[match]\nmove_time = \"10s\"\n\
         [[bot]]\nname = \"slow\"\ncommand = \"{} 40\"\n\
         [[bot]]\nname = \"quick\"\ncommand = \"{}\"\n\
         [[bot]]\nname = \"odd\"\ncommand = \"{}\"\n\
         [[bot]]\nname = \"gone\"\ncommand = \"{}\"\n\
         [[bot]]\nname = \"one\"\ncommand = \"./built\"\nbuild = \"touch {made}\"\n\
         [[bot]]\nname = \"two\"\ncommand = \"./built\"\nbuild = \"touch {made}\"\n",
        folder.bot("pause 1 0"),
        folder.bot("sound"),
        folder.bot("words 1 0"),
        folder.bot("exit-at-launch"),
    );
    config(&folder, &text);
    let config = folder.file("contest.toml");
    let dry_run = || mancala(["tournament", "--dry-run", "--config", &config]);
    let shown = dry_run()
        .run()
        .success()
        .says("by a trial of 2 of 6 bots: ")
        .says("not timed   one and two: to be built first\n")
        .says("not timed   gone: exited with code 4 before it answered\n")
        .says("not timed   odd: not JSON");
    assert!(!std::path::Path::new(&made).exists(), "nothing is built");
    // The mean of 40 ms and next to nothing, some 26 times a round, in 300 matches of two rounds.
    let time = shown.stdout.lines().find_map(|line| line.strip_prefix("time        about "));
    let minutes = time.and_then(|time| time.split_once("m ")?.0.parse::<u32>().ok());
    assert!(minutes.is_some_and(|minutes| minutes >= 2), "{}", shown.stdout);
    folder.none_left();

    // A silent bot takes the limit of each round.
    let silent = format!("silent={}", folder.bot("hang 1 0"));
    let limited = ["tournament", "--dry-run", "--start-time=20s", "--move-time=10s"];
    mancala(limited)
        .args(["builtin:easy", &silent])
        .run()
        .success()
        .says("time        about 1m on one core, by a trial of each bot: up to ")
        .says(" a move, 30s a round with one that gives no answer\n")
        .says("not timed   silent: no answer in ");
    folder.none_left();

    // What the user interrupts has no plan.
    let silent = format!("silent=sh -c 'touch {}; exec sleep 100'", folder.file("begun"));
    let mut child = mancala(["tournament", "--dry-run", "builtin:easy", &silent]).start();
    folder.wait_for("begun");
    kill_process(Pid::from_child(&child), Signal::INT).unwrap();
    assert_eq!(status_of(&mut child).code(), Some(130));
    folder.none_left();
}

fn a_dry_run_counts_no_matches_of_bots_that_do_not_start() {
    let folder = TestFolder::new();
    let dry_run = |options: &[&str]| mancala(["tournament", "--dry-run"]).args(options).run();
    let gone = ["gone=./nonexistent", "lost=./nonexistent"];
    let bots = [&FOUR[..], &gone].concat();
    // Six of the four that start, and as many moves as these have alone.
    let of_these = "; 9 cannot be played: one of their bots does not start\n";
    let shown = dry_run(&bots)
        .success()
        .says("matches     15\n")
        .says(&format!("to play     6 of 15{of_these}"))
        .says(" by a trial of 4 of 6 bots: ")
        .says("not timed   gone and lost: ");
    let line = |shown: &str, label: &str| {
        shown.lines().find(|line| line.starts_with(label)).unwrap_or_default().to_owned()
    };
    let alone = dry_run(&FOUR).success().stdout;
    for label in ["moves ", "at most "] {
        assert_eq!(line(&shown.stdout, label), line(&alone, label));
    }
    // Bots that a check will find at fault play as little; and with --strict nobody plays.
    let odd = format!("odd={}", folder.bot("words 1 0"));
    let three = ["builtin:easy", "builtin:random", &odd];
    assert!(!dry_run(&three).success().stdout.contains("to play"));
    assert!(!dry_run(&[&["--strict"], &three[..]].concat()).success().stdout.contains("to play"));
    let checked = dry_run(&[&["--check"], &three[..]].concat()).success();
    checked.says("matches     3\n").says(
        "to play     1 of 3; 2 cannot be played: one of their bots does not start, or is at fault in its trial\n",
    );
    let strict = "cannot be played: --strict plays nothing while a bot does not start";
    dry_run(&[&["--strict"], &bots[..]].concat())
        .success()
        .says(&format!("to play     0 of 15; 15 {strict}\n"))
        .says("time        nothing can be played\n");
    dry_run(&[&["--strict", "--check"], &three[..]].concat())
        .success()
        .says(&format!("to play     0 of 3; 3 {strict}, or is at fault in its trial\n"));
    // Two of six bots meet nobody in the two rounds.
    let swiss =
        dry_run(&[&["--swiss", "--openings=random:4", "--count=2"], &bots[..]].concat()).success();
    swiss.says("to play     4 of 6; 2 cannot be played: ");
    // A record without matches of theirs tells no times.
    let record = folder.file("record");
    let recorded = ["--record", &*record];
    tournament().args(FOUR).args(recorded).run().success();
    let text = fs::read_to_string(&record).unwrap();
    fs::write(&record, text.split_inclusive('\n').next().unwrap()).unwrap();
    let updated = dry_run(&[&recorded[..], &["--update"], &bots].concat()).success();
    updated.says("to play     6 of 6; 0 are played, 9 more cannot be played: ");
    let none = dry_run(&gone).success();
    none.says("to play     0 of 1; 1 cannot be played: ")
        .says("time        nothing can be played\nnot timed   gone and lost: ");
}

fn a_record_file_begins_with_its_plan() {
    let folder = TestFolder::new();
    let record = folder.file("record");
    tournament().args(FOUR).args(["--record", &record]).run().success();
    let header = &lines(&record)[0];
    assert_eq!(header["format"], "mancala-tournament/1");
    assert_eq!(header["shard"], serde_json::json!([1, 1]));
    assert_eq!(header["plan"]["bots"][0]["name"], "easy-1");
    assert_eq!(header["plan"]["count"], 1);
    for line in &lines(&record)[1..] {
        assert_eq!(line["tournament"]["id"], header["id"]);
        assert_eq!(line["tournament"]["opening"], 1);
        assert_eq!(line["planned_rounds"], 2);
    }
}

fn ten_rounds_of_a_match_are_refused_with_the_way_to_a_tournament() {
    mancala(["match", "--rounds=10", "builtin:easy", "builtin:easy"])
        .run()
        .failure(2, "for more, play several matches with mancala tournament");
    for more in ["--games=10", "--repeat=10", "builtin:hard"] {
        let run = mancala(["match", "builtin:easy", "builtin:easy", more]).run();
        assert!(run.code(2).stderr.contains("mancala tournament"), "{more}");
    }
}

fn a_config_in_another_folder_gives_the_same_plan() {
    let test_folder = TestFolder::new();
    for folder in ["class/bots", "here"] {
        fs::create_dir_all(test_folder.path().join(folder)).unwrap();
    }
    let line = "3 3 3 3 3 3 0 3 3 3 3 3 3 0\n";
    fs::write(test_folder.file("class/openings"), line).unwrap();
    fs::write(
        test_folder.file("class/contest.toml"),
        "openings = \"file:openings\"\n[[bot]]\ncommand = \"./a\"\ndir = \"bots\"\n\
         [[bot]]\ncommand = \"builtin:easy\"\n",
    )
    .unwrap();
    let here = |words: &[&str]| {
        mancala(["tournament"])
            .args(words)
            .in_folder(test_folder.file("here"))
            .run()
            .success()
            .stdout
    };
    let dump = here(&["--config=../class/contest.toml", "--dump-config"]);
    fs::write(test_folder.file("here/dump.toml"), &dump).unwrap();
    // The time is measured each time.
    let planned = |file: &str| {
        let shown = here(&[&format!("--config={file}"), "--dry-run"]);
        let is_planned = |line: &&str| !line.starts_with("time ");
        shown.lines().filter(is_planned).map(str::to_owned).collect::<Vec<_>>()
    };
    assert_eq!(planned("dump.toml"), planned("../class/contest.toml"));
    assert_eq!(here(&["--config=dump.toml", "--dump-config"]), dump);
    for (dir, why) in [("none", "No such file"), ("contest.toml", "not a directory")] {
        mancala(["tournament", "--config", &config(&test_folder, &format!("dir = \"{dir}\""))])
            .run()
            .failure(2, &format!("contest.toml:1:7: cannot go to the folder {dir}: {why}"));
    }
}
