//! What comes of a tournament, however it is played.

use std::collections::BTreeSet;
use std::fs;

use serde_json::{Value, json};

use crate::program::{hostile, mancala};
use crate::requirements;
use crate::runner::{Test, tests};
use crate::test_folder::TestFolder;
use crate::tournaments::{FOUR, config, lines, matches, notes, tournament};

pub const TESTS: &[Test] = tests![
    results_do_not_depend_on_jobs_shards_or_reuse,
    every_record_replays,
    a_swiss_tournament_pairs_by_score_and_resumes_unchanged,
    a_swiss_tournament_resumes_after_a_disqualification,
    a_swiss_tournament_gives_one_bye_a_round_after_a_disqualification,
    a_swiss_round_waits_for_a_match_that_stays_unfinished,
    a_swiss_round_ends_without_the_match_of_a_disqualified_bot,
    a_bot_that_kills_its_worker_at_its_start_costs_its_own_matches,
    a_gauntlet_pairs_the_first_bots_with_all_others,
    bots_that_do_not_start_or_build_are_reported_together,
    a_bot_with_too_many_faults_is_disqualified,
    faults_in_all_shards_count_for_disqualification,
    matches_to_come_of_a_swiss_tournament_are_those_that_it_plays,
    a_bot_runs_in_its_folder_with_its_variables,
    sprt_stops_on_the_prefix_of_matches,
    sprt_of_two_levels_accepts_the_right_hypothesis,
    events_report_everything_that_happens
];

const MANY: [&str; 3] = ["--openings=random:4", "--count=4", "--seed=5"];

fn results_do_not_depend_on_jobs_shards_or_reuse() {
    let folder = TestFolder::new();
    let play = |name: &str, options: &[&str]| {
        let record = folder.file(name);
        let run = mancala(["tournament", "--oversubscribe", "--quiet", "--record", &record]);
        run.args(FOUR).args(MANY).args(options).run().success();
        record
    };
    let one = play("one", &["--jobs=1"]);
    let three = play("three", &["--jobs=3"]);
    assert_eq!(matches(&[&one]).len(), 24);
    assert_eq!(matches(&[&one]), matches(&[three]));
    let shards = ["1/3", "2/3", "3/3"].map(|shard| {
        let option = format!("--shard={shard}");
        play(&shard.replace('/', "-"), &["--jobs=2", &option])
    });
    assert_eq!(matches(&shards), matches(&[one]));
}

fn every_record_replays() {
    let folder = TestFolder::new();
    let record = folder.file("record");
    tournament().args(FOUR).args(MANY).args(["--record", &record]).run().success();
    let text = fs::read_to_string(&record).unwrap();
    let records: String = text.split_inclusive('\n').skip(1).collect();
    let plain = folder.file("plain");
    fs::write(&plain, records).unwrap();
    mancala(["replay", &plain]).run().code(0);
}

fn a_swiss_tournament_pairs_by_score_and_resumes_unchanged() {
    let folder = TestFolder::new();
    let (whole, cut) = (folder.file("whole"), folder.file("cut"));
    let seven = [1, 2, 3, 4, 5, 6, 7].map(|n| format!("bot-{n}=builtin:random --seed {n}"));
    let play = |record: &str, resume: bool| {
        let options = ["--swiss", "--count=3", "--openings=random:3", "--record", record];
        let run = tournament().args(&seven).args(options);
        if resume { run.arg("--resume") } else { run }.run().success();
    };
    play(&whole, false);
    assert_eq!(matches(&[&whole]).len(), 9);
    let byes = notes(&whole, "bye");
    let rounds = lines(&whole).into_iter().filter(|line| line["note"] == "bye");
    assert_eq!(rounds.map(|line| line["round"].as_u64()).collect::<Vec<_>>(), [1, 2, 3].map(Some));
    assert_eq!(byes.len(), 3);
    let text = fs::read_to_string(&whole).unwrap();
    let half: String = text.split_inclusive('\n').take(7).collect();
    fs::write(&cut, half).unwrap();
    play(&cut, true);
    assert_eq!(matches(&[&cut]), matches(&[whole]));
    assert_eq!(notes(&cut, "bye"), byes);
    play(&cut, true);
    assert_eq!(notes(&cut, "bye"), byes);
    // Rounds may be added until everybody has met everybody.
    let all = ["--swiss", "--count=7", "--openings=random:3", "--resume", "--record", &cut];
    tournament().args(&seven).args(all).run().success();
    assert_eq!(matches(&[&cut]).len(), 21);
    let sat_out: BTreeSet<String> = notes(&cut, "bye").into_iter().map(|(bot, ..)| bot).collect();
    assert_eq!(sat_out.len(), 7);
}

fn a_swiss_tournament_resumes_after_a_disqualification() {
    let folder = TestFolder::new();
    let mut bots: Vec<String> =
        (1..=5).map(|n| format!("bot-{n}=builtin:random --seed {n}")).collect();
    bots.insert(1, format!("faulty={}", hostile("empty-house")));
    let play = |record: &str, count: u32, resume: bool| {
        let options = ["--swiss", "--disqualify-after=1", "--openings=random:3"];
        let run = tournament().args(&bots).args(options).arg(format!("--count={count}"));
        let run = run.args(["--record", record]);
        if resume { run.arg("--resume") } else { run }.run().code(0);
    };
    let (whole, added) = (folder.file("whole"), folder.file("added"));
    play(&whole, 4, false);
    let out = notes(&whole, "disqualified");
    assert_eq!(out.len(), 1);
    assert!(matches!(&out[0], (bot, Some(1..=3), _) if bot == "faulty"), "{out:?}");
    let all = matches(&[&whole]);
    // Three in the first round; then five bots are left, one of which has no opponent.
    assert_eq!(all.len(), 9, "{all:?}");
    play(&added, 2, false);
    play(&added, 4, true);
    assert_eq!(matches(&[&added]), all);
    assert_eq!(notes(&added, "bye"), notes(&whole, "bye"));
    // Wherever it was cut off.
    let text = fs::read_to_string(&whole).unwrap();
    for lines in 2..text.lines().count() {
        let cut = folder.file(&format!("cut-{lines}"));
        let half: String = text.split_inclusive('\n').take(lines).collect();
        fs::write(&cut, half).unwrap();
        play(&cut, 4, true);
        assert_eq!(matches(&[&cut]), all, "{lines}");
        assert_eq!(notes(&cut, "bye"), notes(&whole, "bye"), "{lines}");
    }
}

fn a_swiss_tournament_gives_one_bye_a_round_after_a_disqualification() {
    let folder = TestFolder::new();
    for (bots, repeat, seed) in [(6, 1, 1), (6, 1, 2), (6, 1, 3), (6, 1, 4), (4, 2, 1), (4, 2, 2)] {
        let record = folder.file(&format!("{bots}-{repeat}-{seed}"));
        let mut names: Vec<String> =
            (2..=bots).map(|n| format!("bot-{n}=builtin:random --seed {seed}{n}")).collect();
        names.insert(1, format!("faulty={}", hostile("empty-house")));
        let rounds = if bots == 6 { 4 } else { 3 };
        let options = ["--swiss", "--disqualify-after=1", "--openings=random:3"];
        let run = tournament().args(&names).args(options).args(["--record", &record]);
        let run = run.arg(format!("--count={rounds}")).arg(format!("--repeat={repeat}"));
        run.arg(format!("--seed={seed}")).run().code(0);
        let byes = notes(&record, "bye");
        let names: BTreeSet<&String> = byes.iter().map(|(bot, ..)| bot).collect();
        assert_eq!((byes.len(), names.len()), (rounds - 1, rounds - 1), "{byes:?}");
    }
}

fn a_swiss_round_ends_without_the_match_of_a_disqualified_bot() {
    let folder = TestFolder::new();
    if !requirements::are_there("bash", "a bot that kills its worker") {
        return;
    }
    // Kills its worker once, when its opponent's fault in their other match is in the record.
    let (script, record) = (folder.file("deadly.sh"), folder.file("record"));
    let text = format!(
        "read -r start\n\
         case $start in *'\"opponent\":\"faulty\"'*)\n\
         read -r pid name state worker rest < /proc/$PPID/stat\n\
         if mkdir '{}'; then\n\
         until grep -q '\"kind\":\"illegal_move\"' '{record}'; do sleep 0.05; done\n\
         kill -9 \"$worker\"; sleep 60; fi;;\n\
         esac\n\
         {{ printf '%s\\n' \"$start\"; cat; }} | {}\n",
        folder.file("once"),
        hostile("sound 1 1")
    );
    fs::write(&script, text).unwrap();
    let bots = [
        format!("deadly=bash '{script}'"),
        format!("one={}", hostile("sound 1 1")),
        format!("faulty={}", hostile("empty-house")),
        format!("two={}", hostile("sound 1 1")),
    ];
    let options = ["--swiss", "--count=2", "--repeat=2", "--disqualify-after=1"];
    let run = mancala(["tournament", "--oversubscribe", "--jobs=2", "--openings=random:3"]);
    let outcome = run.args(bots).args(options).args(["--record", &record]).run();
    assert!(outcome.stderr.contains("a worker died"), "{outcome:#?}");
    assert_eq!(outcome.code, Some(0), "{outcome:#?}");
    assert_eq!(notes(&record, "bye").len(), 1, "the second round was paired");
    let of_two = matches(&[&record]).len();
    assert!((5..=6).contains(&of_two), "{of_two}");
}

/// Kills the worker that plays it, in the match with this opponent, as long as a file is there.
fn deadly(folder: &TestFolder, opponent: &str) -> String {
    let flag = folder.file("deadly");
    let script = folder.file("deadly.sh");
    fs::write(&flag, "").unwrap();
    // The parent is the warden, and its parent the worker.
    let text = format!(
        "read -r start\n\
         case $start in *'\"opponent\":\"{opponent}\"'*)\n\
         read -r pid name state worker rest < /proc/$PPID/stat\n\
         if test -e '{flag}'; then kill -9 \"$worker\"; sleep 60; fi;;\n\
         esac\n\
         {{ printf '%s\\n' \"$start\"; cat; }} | {}\n",
        hostile("sound 1 1")
    );
    fs::write(&script, text).unwrap();
    format!("deadly=bash '{script}'")
}

fn a_swiss_round_waits_for_a_match_that_stays_unfinished() {
    let folder = TestFolder::new();
    if !requirements::are_there("bash", "a bot that kills its worker") {
        return;
    }
    let (record, whole) = (folder.file("record"), folder.file("whole"));
    let deadly = deadly(&folder, "two");
    // A table without a match that was played.
    let outcome = tournament().arg(&deadly).arg(format!("two={}", hostile("sound 1 1"))).run();
    let words = "1 match stays unfinished; with --record FILE, --resume would play what is left";
    assert!(outcome.stderr.contains(words), "{outcome:#?}");
    let why = "its worker died, 3 times; --sandbox keeps bots from killing it";
    assert!(outcome.stderr.contains(why), "{outcome:#?}");
    assert_eq!(outcome.stderr.matches("is played again").count(), 2, "{outcome:#?}");
    outcome.code(1).says("deadly");
    let sound = ["one", "two", "three"].map(|name| format!("{name}={}", hostile("sound 1 1")));
    let play = |record: &str, resume: bool, more: &[&str]| {
        let options = ["--swiss", "--count=2", "--openings=random:3", "--record", record];
        let run = tournament().arg(&deadly).args(&sound).args(options).args(more);
        if resume { run.arg("--resume") } else { run }.run()
    };
    // The first of four meets the third in the first round.
    let events = folder.file("events");
    let outcome = play(&record, false, &["--events", &events]);
    let words = "1 match stays unfinished, so 2 matches of later rounds were never paired; the same \
                 command with --resume plays what is left";
    assert!(outcome.stderr.contains(words), "{outcome:#?}");
    assert_eq!(outcome.code, Some(1));
    assert_eq!(end_of(&events), "failed");
    let standings = mancala(["standings", &record, "--format=json"]).run().code(0);
    let standings: Value = serde_json::from_str(&standings.stdout).unwrap();
    assert_eq!((&standings["missing"], &standings["unfinished"]), (&json!(2), &json!(1)));
    assert_eq!(notes(&record, "unfinished").len(), 1, "{outcome:#?}");
    assert_eq!(matches(&[&record]).len(), 1, "no round begins before the last one has ended");
    fs::remove_file(folder.file("deadly")).unwrap();
    play(&record, true, &[]).code(0);
    play(&whole, false, &[]).code(0);
    assert_eq!(matches(&[&record]), matches(&[&whole]));
    assert_eq!(matches(&[&record]).len(), 4);
}

/// Why a tournament ended, by the last line of its file of events.
fn end_of(events: &str) -> Value {
    let events = fs::read_to_string(events).unwrap();
    let last: Value = serde_json::from_str(events.lines().last().unwrap()).unwrap();
    assert_eq!(last["event"], "tournament_ended");
    last["reason"].clone()
}

fn a_bot_that_kills_its_worker_at_its_start_costs_its_own_matches() {
    let folder = TestFolder::new();
    if !requirements::are_there("bash", "a bot that kills its worker") {
        return;
    }
    let script = folder.file("deadly.sh");
    let text = "read -r pid name state worker rest < /proc/$PPID/stat\nkill -9 \"$worker\"\n";
    fs::write(&script, text).unwrap();
    let record = folder.file("record");
    let sound = ["one", "two"].map(|name| format!("{name}={}", hostile("sound 1 1")));
    let run = tournament().arg(format!("deadly=bash '{script}'")).args(sound);
    let events = folder.file("events");
    let outcome = run.args(["--record", &record, "--events", &events]).run().code(1);
    assert_eq!(end_of(&events), "failed");
    let words = "bot \"deadly\" plays, and was not tried before: its worker died, 3 times";
    assert!(outcome.stderr.contains(words), "{outcome:#?}");
    assert_eq!(notes(&record, "unfinished").len(), 2, "{outcome:#?}");
    assert_eq!(matches(&[&record]).len(), 1, "{outcome:#?}");
    folder.none_left();
}

fn a_gauntlet_pairs_the_first_bots_with_all_others() {
    let folder = TestFolder::new();
    let record = folder.file("record");
    tournament().args(FOUR).args(["--gauntlet=2", "--record", &record]).run().success();
    assert_eq!(matches(&[record]).len(), 4);
    let planned = |number: &[&str], words: &str| {
        let plan = tournament().args(FOUR).args(number).arg("--dry-run").run();
        plan.success().says(words);
    };
    planned(&["--gauntlet", "2"], "gauntlet: the first 2 bots against all others");
    planned(&["--gauntlet"], "gauntlet: the first bot against all others");
}

fn bots_that_do_not_start_or_build_are_reported_together() {
    let folder = TestFolder::new();
    let record = folder.file("record");
    let file = config(
        &folder,
        "[[bot]]\nname = \"one\"\ncommand = \"builtin:random\"\n\
         [[bot]]\nname = \"two\"\ncommand = \"builtin:random\"\n\
         [[bot]]\nname = \"gone\"\ncommand = \"./gone\"\n\
         [[bot]]\nname = \"unbuilt\"\ncommand = \"./unbuilt\"\n\
         build = \"sh -c 'echo x.c:3:1: error: no semicolon >&2; exit 3'\"\n\
         [[bot]]\nname = \"slow\"\ncommand = \"builtin:random\"\nbuild = \"sleep 1000\"\n\
         [[bot]]\nname = \"loud\"\ncommand = \"builtin:random\"\nbuild = \"yes\"\n",
    );
    let options = ["--build-time=300ms", "--config", &file, "--record", &record];
    let outcome = tournament().args(options).run().code(0);
    assert_eq!(matches(&[&record]).len(), 1);
    let mut out = notes(&record, "disqualified");
    out.sort();
    let names: Vec<&str> = out.iter().map(|(bot, ..)| &**bot).collect();
    assert_eq!(names, ["gone", "loud", "slow", "unbuilt"], "{outcome:#?}");
    assert!(out[0].2.contains("does not start"), "{out:?}");
    assert!(out[1].2.contains("longer than 300ms"), "{out:?}");
    assert!(out[3].2.contains("code 3: x.c:3:1: error: no semicolon"), "{out:?}");
    folder.none_left();

    let strict = folder.file("strict");
    let options = ["--build-time=300ms", "--config", &file, "--record", &strict, "--strict"];
    let outcome = tournament().args(options).run().code(1);
    let last = outcome.stderr.lines().last().unwrap();
    for bot in ["gone", "unbuilt", "slow", "loud"] {
        assert!(last.contains(&format!("\"{bot}\"")), "{outcome:#?}");
    }
    assert!(!std::path::Path::new(&strict).exists());
}

fn a_bot_with_too_many_faults_is_disqualified() {
    let folder = TestFolder::new();
    let record = folder.file("record");
    let faulty = format!("faulty={}", hostile("exit-at-launch"));
    let options = ["--openings=random:3", "--count=6", "--disqualify-after=3", "--jobs=1"];
    mancala(["tournament", "--oversubscribe", "--quiet", "--record", &record])
        .args(options)
        .args([&faulty, "a=builtin:random", "b=builtin:random"])
        .run()
        .code(0);
    assert_eq!(notes(&record, "disqualified").len(), 1);
    let faulty = matches(&[record]).values().filter(|game| game.contains("faulty")).count();
    assert!((2..=4).contains(&faulty), "{faulty} matches of the faulty bot");
}

fn faults_in_all_shards_count_for_disqualification() {
    let folder = TestFolder::new();
    let faulty = format!("faulty={}", hostile("exit-at-launch"));
    let play = |name: &str, more: &[&str]| {
        let record = folder.file(name);
        tournament()
            .args([
                "--openings=random:3",
                "--count=3",
                "--disqualify-after=12",
                "--record",
                &record,
            ])
            .args([&faulty, "a=builtin:random --seed 1", "b=builtin:random --seed 2"])
            .args(more)
            .run()
            .code(0);
        record
    };
    let whole = play("whole", &[]);
    let parts = ["1/3", "2/3", "3/3"].map(|part| play(&part.replace('/', "-"), &["--shard", part]));
    assert!(parts.iter().all(|part| notes(part, "disqualified").is_empty()));
    let table = |files: &[&String]| {
        mancala(["standings", "--format=json"]).args(files).run().success().json()
    };
    let together = table(&parts.iter().collect::<Vec<_>>());
    assert_eq!(together, table(&[&whole]));
    assert_eq!(together["rows"][2]["disqualified"], "12 or more faults");
    assert_eq!((&together["matches"], &together["not_played"]), (&3.into(), &6.into()));
    // Other files beside them change nothing of that: a match by itself, and another tournament.
    let (single, second) = (folder.file("single"), folder.file("second"));
    let others = ["a=builtin:random --seed 1", "b=builtin:random --seed 2"];
    mancala(["match", "--quiet", "--record", &single]).args(others).run().success();
    let options = ["--openings=random:3", "--count=1", "--seed=7", "--record", &second];
    tournament().args(options).args(others).run().success();
    for more in [&[&single][..], &[&second], &[&second, &single]] {
        let of = |first: &[&String]| table(&[more, first].concat());
        let together = of(&parts.iter().collect::<Vec<_>>());
        assert_eq!(together["rows"][2]["disqualified"], "12 or more faults", "{together}");
        assert_eq!(together["rows"], of(&[&whole])["rows"]);
    }
}

fn matches_to_come_of_a_swiss_tournament_are_those_that_it_plays() {
    let folder = TestFolder::new();
    let record = folder.file("record");
    let play = |options: &[&str]| {
        let faulty = format!("f={}", hostile("exit-at-launch"));
        let bots = ["a", "b", "c", "d", "e"].iter().zip(1..);
        let bots = bots.map(|(name, seed)| format!("{name}=builtin:random --seed {seed}"));
        let usual = [
            "--swiss",
            "--openings=random:3",
            "--count=4",
            "--disqualify-after=2",
            "--record",
            &record,
        ];
        tournament().args(usual).args(bots).args([faulty]).args(options).run()
    };
    play(&[]).code(0);
    let text = fs::read_to_string(&record).unwrap();
    let lines: Vec<&str> = text.split_inclusive('\n').collect();
    let is_match = |line: &&str| line.starts_with("{\"format\":\"mancala-match/1\"");
    // Three matches, and then two in each round.
    let matches = |text: &str| text.lines().filter(|line| is_match(line)).count() as u64;
    assert_eq!(matches(&text), 9, "{text}");
    for cut in (1..lines.len()).filter(|&cut| is_match(&lines[cut])) {
        let start = lines[..cut].concat();
        fs::write(&record, &start).unwrap();
        let table = mancala(["standings", "--format=json", &record]).run().success().json();
        let missing = table["missing"].as_u64().unwrap();
        let dry_run = play(&["--resume", "--dry-run"]).success();
        dry_run.says(&format!("to play     {missing} of "));
        // The faults of a round count when it is over.
        let planned = if start.contains("\"disqualified\"") { 9 } else { 12 };
        assert_eq!(missing, planned - matches(&start), "{start}");
        play(&["--resume"]).code(0);
        assert_eq!(matches(&fs::read_to_string(&record).unwrap()), 9, "{start}");
    }
}

fn a_bot_runs_in_its_folder_with_its_variables() {
    let test_folder = TestFolder::new();
    if !requirements::are_there("python3", "a bot's folder") {
        return;
    }
    fs::create_dir(test_folder.file("bots")).unwrap();
    let bot = "import json, os, sys\n\
               assert os.environ['DEPTH'] == '4' and os.path.basename(os.getcwd()) == 'bots'\n\
               for line in sys.stdin:\n\
               \x20   message = json.loads(line)\n\
               \x20   if message['type'] == 'turn':\n\
               \x20       print(message['legal'][0], flush=True)\n";
    fs::write(test_folder.file("bots/first.py"), bot).unwrap();
    let file = config(
        &test_folder,
        "[[bot]]\nname = \"first\"\ncommand = \"python3 first.py\"\ndir = \"bots\"\n\
         env = { DEPTH = \"4\" }\n",
    );
    let record = test_folder.file("record");
    let options = ["--strict", "--config", &file, "--record", &record, "builtin:random"];
    tournament().args(options).run().success();
    let reused = test_folder.file("reused");
    let options = ["--strict", "--reuse-bots", "--repeat=5", "--config", &file, "--record"];
    tournament().args(options).args([&*reused, "builtin:random"]).run().success();
    assert_eq!(matches(&[reused]).len(), 5);
    if requirements::sandbox_is_there("a bot's variables in the sandbox") {
        let confined = test_folder.file("confined");
        let options = ["--strict", "--sandbox", "--config", &file, "--record", &confined];
        tournament().args(options).args(["builtin:random"]).run().success();
    }
}

fn sprt_stops_on_the_prefix_of_matches() {
    let folder = TestFolder::new();
    let run = |name: &str, options: &[&str]| {
        mancala(["tournament", "--oversubscribe", "--quiet", "--record", &folder.file(name)])
            .args(["easy=builtin:easy --seed 1", "random=builtin:random --seed 2"])
            .args(["--sprt=elo0=0,elo1=200", "--openings=random:6", "--count=400"])
            .args(options)
            .run()
            .code(0)
    };
    let play = |name: &str, jobs: &str| {
        run(name, &[jobs]);
        matches(&[folder.file(name)])
    };
    let (one, three) = (play("one", "--jobs=1"), play("three", "--jobs=3"));
    assert!(one.len() < 200, "{} matches were played", one.len());
    // Two matches a job may be given out behind the one that is waited for.
    let most = one.len() + 2 * 3 - 1;
    assert!((one.len()..=most).contains(&three.len()), "{}: {}", one.len(), three.len());
    assert!(one.iter().all(|(number, game)| three[number] == *game));
    // After the decision nothing is left to be played.
    let overview = run("one", &["--resume", "--dry-run"]);
    let overview = overview.says(&format!("to play     0 of {0}; {0} are played\n", one.len()));
    overview.says("time        nothing is left to play\n");
}

fn sprt_of_two_levels_accepts_the_right_hypothesis() {
    let play = |one: &str, other: &str| {
        let options = ["--sprt=elo0=0,elo1=50", "--openings=random:6", "--count=500"];
        let ended = tournament().args([one, other, "--format=json"]).args(options).run().code(0);
        (ended.json(), ended.stderr)
    };
    let (stronger, said) = play("builtin:average", "builtin:easy");
    assert_eq!(stronger["sprt"]["verdict"], "accept", "{stronger:#}");
    let words = "the test has reached a bound, that of elo1=50 for average against easy";
    assert!(said.contains(words), "{said}");
    let (weaker, said) = play("builtin:easy", "builtin:average");
    assert_eq!(weaker["sprt"]["verdict"], "reject", "{weaker:#}");
    assert!(said.contains("that of elo0=0 for easy against average"), "{said}");
    assert!(stronger["matches"].as_u64() < Some(500), "{stronger:#}");
}

fn events_report_everything_that_happens() {
    let folder = TestFolder::new();
    let events = folder.file("events");
    let faulty = format!("faulty={}", hostile("exit-at-launch"));
    tournament()
        .args([&*faulty, "builtin:random", "--record", &folder.file("record"), "--events", &events])
        .run()
        .code(0);
    let events = lines(&events);
    let kinds: Vec<&str> = events.iter().map(|event| event["event"].as_str().unwrap()).collect();
    assert_eq!(
        kinds,
        [
            "tournament_began",
            "match_began",
            "fault",
            "round_ended",
            "fault",
            "round_ended",
            "match_ended",
            "standings",
            "tournament_ended"
        ]
    );
    assert!(events.iter().all(|event| event["at"].as_str().unwrap().ends_with('Z')));
    assert_eq!(events[2]["kind"], "exited");
    assert_eq!(events[2]["bot"], "faulty");
    assert_eq!(events[7]["format"], "mancala-standings/1");
    assert_eq!(events[7]["rows"][0]["name"], "random");
    assert_eq!(events[8]["reason"], "completed");
}
