//! What a user may get wrong: one line that says which, where and what to do, the right exit code,
//! and nothing half-done.

use std::ffi::OsStr;
use std::fs;
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;

use tempfile::TempDir;

use crate::processes;
use crate::program::{Outcome, hostile, mancala, path, repository};
use crate::requirements;

/// A folder with a record of one match in it, and a sound bot that leaves word when it is started.
struct Desk {
    folder: TempDir,
}

impl Desk {
    fn new() -> Desk {
        let desk = Desk { folder: tempfile::tempdir().expect("a folder is made") };
        let bots = [hostile("sound"), hostile("sound")];
        mancala(["match", "--record", &desk.file("record")]).args(bots).run().success();
        desk
    }

    fn file(&self, name: &str) -> String {
        path(self.folder.path().join(name))
    }

    /// Puts a file there that may be executed, or may not.
    fn put(&self, name: &str, text: impl AsRef<[u8]>, mode: u32) {
        fs::write(self.file(name), text).expect("the file is written");
        let permissions = fs::Permissions::from_mode(mode);
        fs::set_permissions(self.file(name), permissions).expect("the mode is set");
    }

    fn record(&self) -> String {
        fs::read_to_string(self.file("record")).expect("there is a record")
    }

    fn bot(&self) -> String {
        hostile(&format!("witness 1 1 '{}'", path(self.folder.path())))
    }

    /// A match of these two that is not played: one line with all of these words, and no trace.
    #[track_caller]
    fn refuses(&self, bots: [&str; 2], options: &[&str], code: i32, words: &[&str]) {
        let before = self.record();
        let outcome = mancala(["match", "--record", "record"])
            .in_folder(&self.folder)
            .args(options)
            .args(bots)
            .run();
        says(outcome, code, words);
        assert_eq!(self.record(), before, "something was recorded");
        processes::none_left(&path(self.folder.path()));
    }

    /// A replay that does not go well.
    #[track_caller]
    fn does_not_replay(&self, arguments: &[&str]) -> Outcome {
        mancala(["replay"]).in_folder(&self.folder).args(arguments).run()
    }
}

/// The run failed with this code, and its one line has all of these words.
#[track_caller]
fn says(outcome: Outcome, code: i32, words: &[&str]) {
    for words in words {
        assert!(outcome.stderr.contains(words), "{words:?} is not in {outcome:#?}");
    }
    outcome.failure(code, "mancala: ");
}

#[test]
fn a_bot_that_cannot_be_run_is_named_with_the_remedy() {
    let desk = Desk::new();
    desk.put("plain", "text", 0o644);
    desk.put("text", "text", 0o755);
    desk.put("orphan", "#!/no/such/interpreter\n", 0o755);
    desk.put("windows", "#!/usr/bin/env python3\r\nprint(3)\r\n", 0o755);
    desk.put("windows 2", "#!/bin/sh\r\n", 0o755);
    desk.put("nf.c", "int Move_nf;", 0o644);
    desk.put("run.c", "int Move_nf;", 0o755);
    desk.put("Bot.class", "class", 0o644);
    for folder in ["folder", "my", "a b"] {
        fs::create_dir(desk.file(folder)).expect("a folder is made");
    }
    desk.put("v1.py", "print(3)", 0o644);
    desk.put("my/bot.py", "print(3)", 0o644);
    desk.put("a b/bot.py", "print(3)", 0o644);
    desk.put("a b/bot", "#!/bin/sh\n", 0o755);
    desk.put("class.toml", "[[bots]]\n", 0o644);
    for (bot, words) in [
        (
            "./missing --fast",
            &["bot \"missing\"", "./missing: no such file", "right from this folder"][..],
        ),
        ("plain/bot", &["bot \"bot\"", "plain/bot: no such file", "right from this folder"]),
        (
            "no-such-program",
            &["bot \"no-such-program\"", "not found on the PATH", "is it installed"],
        ),
        ("no-such.py", &["bot \"no-such\"", "no-such.py: no such file", "give its path"]),
        ("ann=no-such-program", &["bot \"ann\"", "no-such-program: not found", "on the PATH"]),
        ("DEBUG=1 ./plain", &["bot \"DEBUG\"", "1: not found on the PATH", "\"env DEBUG=1 …\""]),
        ("PYTHONPATH=. sh plain", &[".: is a folder", "write \"env PYTHONPATH=. …\""]),
        ("./plain > log.txt", &["so > does not work; write \"sh -c './plain > log.txt'\""]),
        ("sh 'a b/bot' | tee x", &["so | does not work; write \"sh -c 'sh '\\''a b/bot'\\'' |"]),
        ("sh v1.py 2>err.txt", &["so 2>err.txt does not work; write \"sh -c "]),
        ("sh v1.py >out.txt", &["so >out.txt does not work; write \"sh -c "]),
        ("sh v1.py && sh v1.py", &["so && does not work"]),
        ("buildin:easy", &["not found on the PATH; did you mean builtin:easy?"]),
        ("my bot=sh v1.py", &["= may have no blank; write \"my-bot=sh v1.py\""]),
        ("my bot=builtin:easy", &["= may have no blank; write \"my-bot=builtin:easy\""]),
        ("./plain", &["bot \"plain\"", "./plain: not executable", "chmod +x"]),
        (
            "./class.toml",
            &[
                "the config of a tournament, not a bot; ",
                "mancala tournament --config ./class.toml",
            ],
        ),
        ("./text", &["bot \"text\"", "./text: has no first line", "(#!/usr/bin/env"]),
        (
            "./orphan",
            &["bot \"orphan\"", "./orphan: its interpreter or loader is missing", "first line"],
        ),
        (
            "./windows",
            &["bot \"windows\"", "its lines end as on Windows", "sed -i 's/\\r$//' ./windows"],
        ),
        ("'./windows 2'", &["bot \"windows 2\"", "(CR LF)", "sed -i 's/\\r$//' './windows 2'"]),
        ("nf.c", &["nf.c: not found on the PATH", "C source", "cc -O2 nf.c -o nf) and run ./nf"]),
        ("./nf.c", &["./nf.c: not executable", "cc -O2 ./nf.c -o ./nf", "build.sh ./nf.c -o ./nf"]),
        ("./run.c", &["./run.c: has no first line", "cc -O2 ./run.c", "and run ./run"]),
        ("Bot.class", &["Bot.class: not found", "this file is run by", "\"java -cp . Bot\""]),
        (
            "Bot",
            &[
                "Bot: not found on the PATH",
                "there is Bot.class: this file is run by",
                "\"java -cp . Bot\"",
            ],
        ),
        ("./folder", &["bot \"folder\"", "./folder: is a folder, not a program; give the"]),
        ("folder", &["bot \"folder\"", "folder: is a folder, not a program; give the command"]),
        ("my/", &["my/: is a folder, not a program; there is my/bot.py", "\"python3 my/bot.py\""]),
        ("v1", &["v1: not found on the PATH; there is v1.py", "\"python3 v1.py\""]),
        ("./v1", &["./v1: no such file; there is ./v1.py", "\"python3 ./v1.py\""]),
        ("python3 v1 -x", &["python3 cannot find v1; there is v1.py", "\"python3 v1.py\""]),
        ("python3 v2", &["python3 cannot find v2; give its path from this folder"]),
        ("nf", &["nf: not found on the PATH; there is nf.c: this file is C source", "run ./nf;"]),
        ("a b/bot.py", &["the path a b/bot.py has a blank", "\"python3 'a b/bot.py'\""]),
        ("./a b/bot -x", &["the path ./a b/bot has a blank", "write \"'./a b/bot' -x\""]),
        ("sh -e a b/bot 5", &["the path a b/bot has a blank", "write \"sh -e 'a b/bot' 5\""]),
        ("cd bots", &["cd: is a shell builtin", "no shell is run", "sh -c 'cd …'"]),
        ("~/bot --fast", &["bot \"bot\"", "~/bot: no shell is run", "~ does not work"]),
    ] {
        let other = desk.bot();
        desk.refuses([bot, &other], &[], 1, words);
        desk.refuses([&other, bot], &[], 1, words);
    }
}

#[test]
fn a_file_that_may_not_be_executed_is_named_in_the_sandbox_too() {
    if !requirements::sandbox_is_there("a file without chmod +x") {
        return;
    }
    let desk = Desk::new();
    desk.put("plain", "text", 0o644);
    desk.put("bot.py", "print(3)", 0o644);
    fs::create_dir(desk.file("folder")).expect("a folder is made");
    for (bot, words) in [
        ("./plain", &["./plain: not executable", "chmod +x"][..]),
        ("./bot.py", &["./bot.py: not executable", "\"python3 ./bot.py\""]),
        ("./folder", &["./folder: is a folder"]),
    ] {
        let outcome = mancala(["match", "--sandbox", "--quiet", bot, "builtin:random"])
            .in_folder(&desk.folder)
            .run();
        assert!(!outcome.stderr.contains("--allow-read"), "{outcome:#?}");
        says(outcome, 1, words);
    }
}

#[test]
fn a_file_of_something_else_is_refused_in_one_line() {
    let desk = Desk::new();
    desk.put("bot.py", "import json\n\nprint(json.dumps(3))\n", 0o644);
    let outcome = desk.does_not_replay(&["bot.py"]).code(1);
    assert_eq!(
        outcome.stderr,
        "mancala: bot.py holds no records; name a file that mancala wrote with --record\n"
    );
    assert_eq!(outcome.stdout, "");
    let record: serde_json::Value = serde_json::from_str(&desk.record()).expect("a record");
    let indented = serde_json::to_string_pretty(&record).expect("JSON");
    let c = fs::read_to_string(repository().join("examples/c/greedy.c")).expect("a program");
    for text in [indented, c] {
        let outcome = mancala(["replay", "-"]).stdin(text).run().code(1);
        assert!(outcome.stderr.contains("- holds no records; name"), "{outcome:#?}");
        assert_eq!(outcome.stdout, "");
    }
    for strange in
        ["{\"event\":\"match_began\",\"match\":1}\n".repeat(100), "let x = 3;".to_owned()]
    {
        let outcome = mancala(["replay", "-"]).stdin(strange).run().code(1);
        assert!(outcome.stderr.contains("- holds no records; name"), "{outcome:#?}");
        assert_eq!(outcome.stdout, "");
    }
    // Behind half a line, as `tail -c` cuts it, the records still count.
    let cut = format!("1}}]}}\n{}", desk.record());
    mancala(["replay", "-"]).stdin(cut).run().code(1).says("match 2: valid");
}

#[test]
fn matches_are_replayed_whatever_stands_before_them() {
    let record = Desk::new().record();
    let valid = |text: String| {
        let outcome = mancala(["replay", "-"]).stdin(text).run();
        assert!(!outcome.stderr.contains("holds no records"), "{outcome:#?}");
        outcome.stdout.lines().filter(|line| line.contains(": valid")).count()
    };
    let spaced = record.replace("{\"format\"", "{ \"format\"");
    assert_eq!(valid(spaced.repeat(2)), 2);
    let later = record.replace("mancala-match/1", "mancala-match/2");
    for before in ["{\"x\":1}\n", "x = 3;\n", &*format!("x{record}"), &*later] {
        assert_eq!(valid(before.repeat(12) + &record.repeat(2)), 2, "{before}");
    }
    // Each of a later version is told.
    let outcome = mancala(["replay", "-"]).stdin(later.repeat(12)).run().code(1);
    assert_eq!(outcome.stdout.matches("of a later version of mancala").count(), 12, "{outcome:#?}");
    assert!(!outcome.stderr.contains("holds no records"), "{outcome:#?}");
}

#[test]
fn a_bot_that_is_not_in_the_file_is_an_error_with_the_names_that_are() {
    let desk = Desk::new();
    let outcome = desk.does_not_replay(&["record", "--lost=nobody"]).code(2);
    let known = "mancala: no bot of record is named nobody; there are ";
    assert!(outcome.stderr.starts_with(known) && outcome.stderr.lines().count() == 1);
    let name = outcome.stderr[known.len()..].split(',').next().expect("a name").trim().to_owned();
    mancala(["replay", &desk.file("record"), "--lost", &name]).run().code(0);
    // A bot that did not start has lost no match, and is one of the file.
    let file = desk.file("tournament");
    let bots = ["one=builtin:random", "two=builtin:random", "gone=./nowhere"];
    mancala(["tournament", "--oversubscribe", "--record", &file]).args(bots).run();
    let outcome = mancala(["replay", &file, "--lost=gone"]).run();
    outcome.code(0).says("no match that gone lost; 1 in the file");
}

#[test]
fn a_folder_in_place_of_a_bundle_is_told_what_to_name() {
    let desk = Desk::new();
    let folder = path(desk.folder.path());
    let reproduce = || mancala(["reproduce", &folder]).run().code(1).stderr;
    let words = format!("mancala: {folder} is a folder, and no fault-….json is in it\n");
    assert_eq!(reproduce(), words);
    // As in a folder of --feedback.
    for name in ["ann/match-2/fault-1-1-ann.json", "ann/match-12/fault-1-2-ann.json"] {
        let file = desk.folder.path().join(name);
        fs::create_dir_all(file.parent().unwrap()).unwrap();
        fs::write(file, "").unwrap();
    }
    let first = format!("{folder}/ann/match-12/fault-1-2-ann.json");
    let words = format!("mancala: {folder} is a folder; name a bundle in it, such as {first}\n");
    assert_eq!(reproduce(), words);
}

#[test]
fn a_transcript_or_a_second_bundle_is_told_apart_from_a_bundle_and_a_bot() {
    let desk = Desk::new();
    let bots = [hostile("words"), hostile("sound")];
    mancala(["match", "--log", "log"]).in_folder(&desk.folder).args(bots).run().code(0);
    let folder = fs::read_dir(desk.file("log")).expect("a log").next().expect("a match");
    let folder = folder.expect("a folder").path();
    let file = |ending: &str| {
        let files = fs::read_dir(&folder).expect("files").map(|file| path(file.unwrap().path()));
        files.filter(|file| file.ends_with(ending)).min().expect("a file")
    };
    let (bundle, transcript) = (file(".json"), file(".txt"));
    let refused = mancala(["reproduce", &transcript, "./bot"]).run();
    says(
        refused,
        1,
        &["is a transcript; reproduce takes the bundle of a fault, a file fault-….json"],
    );
    let refused = mancala(["reproduce", &bundle, &bundle]).run();
    says(refused, 2, &["is a bundle, too; give one BUNDLE, and then BOT, the command line of"]);
    let refused = mancala(["reproduce", "python3 my_bot.py", &bundle]).run();
    let words =
        format!("is a bundle, and comes first: mancala reproduce {bundle} \"python3 my_bot.py\"");
    says(refused, 2, &[&words]);
    let refused = mancala(["reproduce", "python3 my_bot.py"]).run();
    says(
        refused,
        1,
        &["python3 my_bot.py cannot be read: ", "; the bundle comes first, then the bot"],
    );
    let refused = mancala(["reproduce", &bundle, "python3", "my_bot.py"]).run();
    says(
        refused,
        2,
        &["a bot is one argument, in quotes when it has blanks: \"python3 my_bot.py\""],
    );
}

#[test]
fn invalid_commands_are_refused() {
    let desk = Desk::new();
    let sound = desk.bot();
    let (one, other) = (format!("ann={sound}"), format!("ann={sound} again"));
    for (bots, words) in [
        (["", &*sound], &["<BOT>", "the command is empty", "builtin:easy"][..]),
        (["  ", &sound], &["<BOT>", "the command is empty", "builtin:easy"]),
        (["ann=", &sound], &["'ann='", "the command is empty", "builtin:easy"]),
        (["''", &sound], &["<BOT>", "the command is empty", "builtin:easy"]),
        (["./bot 'x", &sound], &["<BOT>", "a quote is not closed", "./bot 'x"]),
        ([&sound, "./bot \"x"], &["<BOT>", "a quote is not closed", "./bot"]),
        (["builtin:best", &sound], &["\"builtin:best\"", "builtin:random", "builtin:hard"]),
        (["builtin:random --sed 1", &sound], &["takes no \"--sed 1\"", "the only option of"]),
        (["builtin:random --seed x", &sound], &["--seed takes a number, not \"x\""]),
        (["builtin:easy --seed", &sound], &["--seed takes a number, not \"\""]),
        (["builtin:easy --nodes 5", &sound], &["takes no \"--nodes 5\""]),
        (["builtin:expert --nodes=0", &sound], &["--nodes takes a number of 1 or more, not \"0\""]),
        (["builtin:expert --time-share=91", &sound], &["takes a number from 1 to 90, not"]),
        ([&one, &other], &["two bots are named \"ann\"", "another name", "other=COMMAND"]),
        ([&*format!("{}=./x", "n".repeat(41)), &sound], &["nnn", "invalid name", "1 to 40"]),
    ] {
        desk.refuses(bots, &[], 2, words);
        assert!(!Path::new(&desk.file("launches")).exists(), "a bot was started");
    }
}

#[test]
fn two_equal_commands_get_numbered_names() {
    let record = mancala(["match", "--format=json"])
        .args([hostile("sound"), hostile("sound")])
        .run()
        .success()
        .json();
    assert_eq!(record["bots"][0]["name"], "hostile-1");
    assert_eq!(record["bots"][1]["name"], "hostile-2");
    assert_eq!(record["bots"][0]["command"], record["bots"][1]["command"]);
}

#[test]
fn equal_names_from_different_folders_are_those_of_the_folders() {
    let desk = Desk::new();
    for folder in ["alice", "bob"] {
        fs::create_dir(desk.file(folder)).expect("a folder is made");
        let bot = format!("#!/bin/sh\nexec {}\n", hostile("sound"));
        desk.put(&format!("{folder}/bot.sh"), bot, 0o755);
    }
    let outcome = mancala(["match", "--format=json", "alice/bot.sh", "sh bob/bot.sh"])
        .in_folder(&desk.folder)
        .run();
    let record = outcome.success().json();
    assert_eq!(record["bots"][0]["name"], "alice");
    assert_eq!(record["bots"][1]["name"], "bob");
}

#[test]
fn impossible_option_values_are_refused() {
    let desk = Desk::new();
    let sound = desk.bot();
    let unit = "expected a time with its unit, such as 500ms or 2s";
    let size = "expected a size with its unit, such as 256MiB or 2GiB, or none";
    for (option, words) in [
        ("--seeds=0", "a house starts with 1 to 20 seeds"),
        ("--seeds=21", "a house starts with 1 to 20 seeds"),
        ("--seeds=-3", "a house starts with 1 to 20 seeds"),
        ("--seeds=three", "a house starts with 1 to 20 seeds"),
        ("--opening=3,3,3,3,3,3,0,3,3,3,3,3,3", "an opening is 14 numbers"),
        ("--opening=3,3,3,3,3,3,0,3,3,3,3,3,3", "not 13"),
        ("--opening=3,3,3,3,3,3,0,3,3,3,3,3,3,0,0", "not 15"),
        ("--opening=-1,3,3,3,3,3,0,3,3,3,3,3,3,0", "\"-1\" is not a number of seeds"),
        ("--opening=3,3,3,3,3,3,0,3,3,x,3,3,3,0", "\"x\" is not a number of seeds"),
        ("--opening=3,3,3,,3,3,0,3,3,3,3,3,3,0", "\"\" is not a number of seeds"),
        ("--opening=", "is not a number of seeds"),
        ("--opening=0,0,0,0,0,0,0,3,3,3,3,3,3,0", "the first mover has no seed in its houses"),
        ("--opening=3,3,3,3,3,3,0,0,0,0,0,0,0,9", "the second mover has no seed in its houses"),
        ("--opening=99,99,3,3,3,3,0,99,3,3,3,3,3,0", "a board holds at most 240 seeds, not 324"),
        ("--opening=999,3,3,3,3,3,0,3,3,3,3,3,3,0", "\"999\" is not a number of seeds"),
        ("--rules=chess", "expected learneroo, kalah, ece1021, cs221 or mancala5000"),
        ("--direction=left", "expected forward, backward or either"),
        ("--direction=clockwise", "either; clockwise is forward, anticlockwise is backward"),
        ("--opponent-store=eat", "expected sow or skip"),
        ("--empty-capture=maybe", "expected yes or no"),
        ("--move-time=5", unit),
        ("--move-time=-1s", unit),
        ("--move-time=soon", unit),
        ("--move-time=", unit),
        ("--move-time=0s", "must be at least 1ms"),
        ("--move-time=1us", "a time is a whole number of milliseconds"),
        ("--move-time=2days", "a time is at most 24h"),
        ("--start-time=10", unit),
        ("--start-time=-10s", unit),
        ("--game-time=60", unit),
        ("--game-time=0ms", "must be at least 1ms"),
        ("--margin=50", unit),
        ("--margin=-50ms", unit),
        ("--max-moves=0", "expected a whole number from 1 to 500000"),
        ("--max-moves=-1", "expected a whole number from 1 to 500000"),
        ("--max-moves=many", "expected a whole number from 1 to 500000"),
        ("--fault-policy=forgive", "expected forfeit or substitute"),
        ("--fault-policy=", "expected forfeit or substitute"),
        ("--max-faults=0", "expected a whole number from 1 to 1000"),
        ("--max-faults=-1", "expected a whole number from 1 to 1000"),
        ("--max-faults=1001", "expected a whole number from 1 to 1000"),
        ("--max-faults=99999999999999999999", "expected a whole number from 1 to 1000"),
        ("--max-faults=few", "expected a whole number from 1 to 1000"),
        ("--max-faults=2", "needs --fault-policy substitute"),
        ("--memory=256", size),
        ("--memory=-1MiB", size),
        ("--memory=1.5GiB", size),
        ("--memory=lots", size),
        ("--memory=64MB", size),
        ("--memory=1MiB", "must be from 16MiB to 16384GiB, or none"),
        ("--memory=99999999999999999999GiB", size),
        ("--memory=9999999TiB", "must be from 16MiB to 16384GiB, or none"),
        ("--file-size=0KiB", "must be from 1KiB to 16384GiB, or none"),
        ("--file-size=", size),
        ("--processes=0", "expected a whole number from 1 to 1000000, or none"),
        ("--processes=-1", "expected a whole number from 1 to 1000000, or none"),
        ("--processes=few", "expected a whole number from 1 to 1000000, or none"),
        ("--cpu-time=5", "such as 500ms or 2s, or none"),
        ("--cpu-time=1500ms", "processor time is counted in whole seconds"),
        ("--cpu-time=0s", "processor time is counted in whole seconds"),
        ("--cpu-time=2days", "a time is at most 24h, or none"),
        ("--memory=1 MiB", "must be from 16MiB to 16384GiB, or none"),
        (
            "--opening=4,",
            "is not a number of seeds (a whole number from 0 to 240); write it without",
        ),
        ("--allow-read=/", "needs --sandbox"),
        ("--allow-write=/", "needs --sandbox"),
        ("--wrap=", "expected a command"),
        ("--wrap='nice", "a quote is not closed"),
        ("--env=", "is not a valid name of a variable"),
        ("--env=A=B", "\"A=B\" is not a valid name of a variable"),
        ("--format=xml", "expected table, json, markdown or csv"),
        ("--record=other", "cannot be used multiple times"),
        ("--sedes=3", "unexpected argument '--sedes'"),
    ] {
        let (name, _) = option.split_once('=').expect("an option with a value");
        desk.refuses([&sound, &sound], &[option], 2, &[name, words]);
        assert!(!Path::new(&desk.file("launches")).exists(), "a bot was started");
    }
}

#[test]
fn paths_allowed_in_the_sandbox_must_exist() {
    let desk = Desk::new();
    let sound = desk.bot();
    for option in ["--allow-read=/no/such/folder", "--allow-write=/no/such/folder"] {
        let (name, _) = option.split_once('=').expect("an option with a value");
        let words = [name, "cannot allow it: No such file or directory"];
        desk.refuses([&sound, &sound], &["--sandbox", option], 2, &words);
    }
}

#[test]
fn max_faults_needs_the_substitute_policy() {
    let desk = Desk::new();
    let sound = desk.bot();
    let options = ["--fault-policy=forfeit", "--max-faults=2"];
    let words = ["--max-faults needs --fault-policy substitute", "the first fault forfeits"];
    desk.refuses([&sound, &sound], &options, 2, &words);
    assert!(!Path::new(&desk.file("launches")).exists(), "a bot was started");
}

#[test]
fn too_few_and_too_many_arguments_are_refused() {
    for (arguments, words) in [
        (&["match"][..], "<BOT> <BOT>"),
        (&["match", "./one"], "<BOT>"),
        (&["match", "./one", "./two", "./three"], "unexpected argument './three'"),
        (&["replay"], "<FILE>"),
        (&["replay", "a", "b"], "unexpected argument 'b' found; it takes one file at a time; see"),
        (&["reproduce", "f.json", "python3", "b.py"], "in quotes when it has blanks"),
        (&["tournament", "-config", "a.toml"], "did you mean --config?"),
        (&["frobnicate"], "unrecognized subcommand 'frobnicate'"),
        (&["python3 b.py", "./two"], "; did you mean mancala match, with two bots?"),
    ] {
        mancala(arguments).run().failure(2, words);
    }
    // No command at all is a question, and the answer has more than a line.
    let bots = [hostile("sound"), hostile("sound")];
    let outcome = mancala(["match", "--record="]).args(bots).run();
    outcome.failure(2, "a value is required for '--record <FILE>'");
    let outcome = mancala::<&str>([]).run().code(2);
    assert!(outcome.stdout.is_empty() && outcome.stderr.contains("Usage: mancala"), "{outcome:#?}");
}

#[test]
fn a_file_without_records_is_refused_with_its_line() {
    let desk = Desk::new();
    fs::create_dir(desk.file("folder")).expect("a folder is made");
    fs::write(desk.file("empty"), "").expect("a file is written");
    for (arguments, code, words) in [
        (&["missing"][..], 1, &["cannot read missing", "No such file"][..]),
        (&["folder"], 1, &["cannot read folder", "it is a folder"]),
        (&["record", "--match=2"], 2, &["record has no match 2", "it has 1"]),
        (&["record", "--match=0"], 2, &["'0'", "--match", "expected a whole number from 1 to"]),
        (&["record", "--match=one"], 2, &["'one'", "--match"]),
        (&["record", "--round=1"], 2, &["--match"]),
        (
            &["record", "--match=1", "--round=0"],
            2,
            &["'0'", "--round", "expected a whole number from 1 to"],
        ),
    ] {
        says(desk.does_not_replay(arguments), code, words);
    }
    let outcome = desk.does_not_replay(&["empty"]).code(1);
    assert_eq!(outcome.stderr, "mancala: empty has no match\n");
    let outcome = desk.does_not_replay(&["record", "--match=1", "--round=3"]).code(2);
    assert_eq!(outcome.stderr, "mancala: match 1 of record has no round 3; it has 2\n");
}

#[test]
fn cut_off_and_changed_records_are_told_from_valid_ones() {
    let desk = Desk::new();
    let record = desk.record();
    let replaced = |from: &str, to: &str| {
        assert!(record.contains(from), "{from} is not in {record}");
        record.replacen(from, to, 1)
    };
    let cut = record[..record.len() / 2].to_owned();
    for (what, text, words) in [
        ("cut off", record.clone() + &cut, "match 2: line 2: the record is cut off"),
        ("cut and gone on", cut + "\n" + &record, "match 1: line 1: the record is cut off"),
        ("noise", record.clone() + "noise\n", "match 2: line 2: not a mancala-match/1 record"),
        ("another version", replaced("mancala-match/1", "mancala-match/9"), "mancala-match/9"),
        ("a move", replaced("\"move\":0", "\"move\":1"), "invalid"),
        ("no move", replaced("\"move\":0", "\"move\":6"), "a house is 0 to 5"),
        (
            "the mover",
            replaced("{\"bot\":0", "{\"bot\":1"),
            "round 1, move 1: it was not the turn of",
        ),
        ("the score", replaced("\"score\":[", "\"score\":[1"), "the score is given as"),
        ("the winner", replaced("\"winner\":null", "\"winner\":1"), "the winner is not the one"),
        ("the opening", replaced("\"opening\":[3", "\"opening\":[4"), "invalid"),
        ("the final board", replaced("\"final\":[0", "\"final\":[1"), "invalid"),
        ("the reason", replaced("\"completed\"", "\"move_limit\""), "invalid"),
        ("the rounds", replaced("\"round\":2", "\"round\":1"), "invalid"),
    ] {
        fs::write(desk.file("changed"), &text).expect("a file is written");
        let outcome = desk.does_not_replay(&["changed"]).code(1).says(words);
        assert!(outcome.stderr.starts_with("mancala: changed: of "), "{what}: {outcome:#?}");
        assert_eq!(outcome.stderr.lines().count(), 1, "{what}: {outcome:#?}");
        let from_stdin = mancala(["replay", "-"]).stdin(text).run().code(1).says(words);
        assert_eq!(from_stdin.stdout, outcome.stdout);
    }
}

#[test]
fn user_input_is_escaped_on_the_terminal() {
    let sound = hostile("sound");
    for (arguments, code, words) in [
        (["match", "./\x1b[31mred", &*sound], 1, r"./\u{1b}[31mred: no such file"),
        (["match", &sound, "no-\x1b[31mred\u{202e}"], 1, r"no-\u{1b}[31mred\u{202e}: not found"),
        (["match", "'./two\nlines'", &sound], 1, r"./two\nlines: no such file"),
        (["match", "\x1b[31m=./red", &sound], 2, r"\u{1b}[31m"),
        (["match", "./red '\x1b[31m", &sound], 2, r"\u{1b}[31m"),
        (["match", "--seeds=\x1b[31m", &sound], 2, r"\u{1b}[31m"),
        (["match", "--\x1b[31m", &sound], 2, r"\u{1b}[31m"),
        (["replay", "/no/\x1b[31m", "--match=1"], 1, r"/no/\u{1b}[31m: No such file"),
    ] {
        mancala(arguments).run().plain().failure(code, words);
    }
    let record = mancala(["match", "--record=/no/\x1b[31m"]).args([&sound, &sound]).run();
    record.plain().failure(1, r"the record file /no/\u{1b}[31m: No such file");
    let not_text = OsStr::from_bytes(b"\xff./bot");
    mancala(["match"])
        .arg(not_text)
        .arg(&sound)
        .run()
        .plain()
        .failure(2, r"\xff./bot is not UTF-8");
}
