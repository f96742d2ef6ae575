//! What a user may get wrong: one line that says which, where and what to do; nothing half-started.

use std::ffi::OsStr;
use std::fs;
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;

use crate::another_user::Public;
use crate::program::{hostile, mancala, path};
use crate::runner::{Test, tests};
use crate::test_folder::TestFolder;
use crate::test_folder::status_of;
use crate::tournaments::{config, tournament};

pub const TESTS: &[Test] = tests![
    wrong_tournament_arguments_are_errors_of_one_line,
    wrong_configurations_are_errors_of_one_line,
    placeholders_with_blanks_are_mistakes_of_the_config,
    wrong_record_files_are_errors_of_one_line,
    foreign_and_missing_outputs_are_named,
    what_cannot_be_updated_is_not_advised_to_be,
    a_record_that_may_not_be_written_goes_on_elsewhere,
    the_reason_why_a_bot_cannot_play_is_printed_once,
    a_file_locked_by_another_tournament_is_refused,
    events_without_a_reader_are_an_error,
    a_slow_reader_of_stdout_does_not_stop_a_tournament,
    folders_whose_names_are_not_utf_8,
    a_record_file_changed_during_a_tournament_is_an_error,
    an_events_file_with_other_content_is_refused,
    a_file_whose_name_is_no_bots_name_plays_under_another,
    a_folder_in_which_a_pattern_finds_nothing_is_named,
    a_script_with_windows_line_ends_is_refused_before_the_first_match
];

const PAIR: [&str; 2] = ["builtin:easy", "builtin:random"];

/// A bot that leaves word when it is started: none of these starts one.
fn refuses(arguments: &[&str], code: i32, words: &str) {
    mancala(["tournament"]).args(arguments).run().failure(code, words).plain();
}

fn wrong_tournament_arguments_are_errors_of_one_line() {
    let cases: [(&[&str], &str); 20] = [
        (&["--cores=0,5-2"], "2 comes before 5; write 2-5"),
        (&["class.toml"], "class.toml is a config, not a bot; write --config class.toml"),
        (&[], "a tournament needs at least two bots; there are none"),
        (&["builtin:easy"], "a tournament needs at least two bots; there is only one"),
        (&["x=builtin:easy", "x=builtin:random"], "two bots are named \"x\""),
        (&["builtin:easy", "builtin:easy", "--gauntlet=2"], "nobody to meet; give 1"),
        (&["builtin:easy", "builtin:easy", "--count=2"], "standard has 1 distinct opening"),
        (&["builtin:easy", "builtin:easy", "--openings=random:1", "--count=50"], "not 50"),
        (&["builtin:easy", "builtin:easy", "--openings=best"], "standard, random:PLIES"),
        (&["builtin:easy", "builtin:easy", "--openings=fairkalah"], "ece1021 only"),
        (&["builtin:easy", "builtin:easy", "--shard=3/2"], "K/N"),
        (&["builtin:easy", "builtin:easy", "--games=10"], "--openings random:4 --count N"),
        (&["builtin:easy", "builtin:easy", "--swiss", "--shard=1/2"], "cannot be sharded"),
        (&["builtin:easy", "builtin:easy", "--restart-after=3"], "needs --reuse-bots"),
        (&["builtin:easy", "--restart-after=0"], "expected a whole number from 1 to 4294967295"),
        (&["builtin:easy", "--disqualify-after=0"], "expected a whole number from 1 to 4294967295"),
        (&["builtin:easy", "--repeat=0"], "expected a whole number from 1 to 1000000"),
        (&["builtin:easy", "builtin:easy", "--resume"], "--record"),
        (&["builtin:easy", "builtin:easy", "builtin:easy", "--sprt=elo0=0,elo1=5"], "two bots"),
        (&["builtin:easy", "builtin:hard", "--swiss", "--sprt=elo0=0,elo1=5"], "leave --swiss out"),
    ];
    for (arguments, words) in cases {
        refuses(arguments, 2, words);
    }
    refuses(&[PAIR[0], PAIR[1], "--cores=1023"], 2, "processor 1023 is not there");
    refuses(&[PAIR[0], PAIR[1], "--jobs=900"], 2, "--oversubscribe");
}

fn wrong_configurations_are_errors_of_one_line() {
    let folder = TestFolder::new();
    let cases = [
        ("cuont = 2", "contest.toml:1:1: unknown key cuont; did you mean count?"),
        ("count = \"2\"", "contest.toml:1:9: count must be a whole number"),
        (
            "[match]\nmove_time = \"1\"",
            "contest.toml:2:13: move_time cannot be \"1\": expected a time",
        ),
        ("[match]\nmove_tim = \"1s\"", "contest.toml:2:1: unknown key move_tim; did you mean"),
        ("[match]\nrounds = 4", "contest.toml:2:1: rounds is not for a tournament"),
        ("[match]\nsandbox = \"yes\"", "contest.toml:2:11: sandbox must be true or false"),
        ("[[bots]]\nglob = \"*.none\"\ncommand = \"x\"", "contest.toml:2:8: no file in"),
        (
            "[[bot]]\nglob = \"*.c\"\ncommand = \"x\"",
            "contest.toml:2:8: glob makes a bot of each file that it matches; write this under [[bots]]",
        ),
        (
            "[[bots]]\nglob = \"*.toml\"\ncommand = \"x {Path}\"",
            "contest.toml:3:11: unknown {Path}; known are {path}, {stem}",
        ),
        (
            "[[bot]]\ncommand = \"./{stem}\"",
            "contest.toml:2:11: {stem} is filled in under [[bots]] only",
        ),
        ("format = \"knockout\"", "contest.toml:1:10: format must be"),
        ("openings = \"file:\"", "contest.toml:1:12: file:PATH needs"),
        ("sprt = \"elo0\"", "contest.toml:1:8: "),
        ("name = ", "contest.toml:1:"),
        ("seed = 1\ncount = 3", "contest.toml:2:9: standard has 1 distinct opening, not 3"),
        ("openings = \"random:3\"\nformat = \"swiss\"\ncount = 9", "contest.toml:3:9: 9 rounds"),
        ("gauntlet = 2", "contest.toml:1:12: in a gauntlet of the first 2 of 2 bots"),
        ("restart_after = 3", "contest.toml:1:17: restart_after needs reuse_bots = true;"),
        (
            "[match]\nmax_faults = 3",
            "contest.toml:2:14: max_faults needs fault_policy = \"substitute\"; otherwise",
        ),
        ("[match]\nallow_read = \"/usr\"", "contest.toml:2:14: allow_read needs sandbox = true;"),
        (
            "[match]\nallow_loopback = true",
            "contest.toml:2:18: allow_loopback needs sandbox = true; without",
        ),
        (
            "sprt = \"elo0=0,elo1=5\"\n[[bot]]\ncommand = \"builtin:hard\"",
            "contest.toml:1:8: sprt is a test between two bots, and there are 3",
        ),
        ("[match]\nmax_moves = 1.5", "contest.toml:2:13: max_moves must be a whole number"),
        ("[match]\nmove_time = true", "contest.toml:2:13: move_time must be a text in quotes"),
        ("name = \"\"", "contest.toml:1:8: the name is empty; leave the key out"),
        (
            "[[bot]]\ncommand = \"./bot\"\nbuild = \"make && chmod +x bot\"",
            "contest.toml:3:9: no shell is run, so && does not work; write \"sh -c 'make && chmod",
        ),
        ("openings = \"random:99\"", "contest.toml:1:12: random:99 has no opening"),
        ("count = 2", "ask for count = 1, or give a larger suite, such as random:4"),
        (
            "format = \"gauntlet\"\ngauntlet = 2",
            "contest.toml:2:12: in a gauntlet of the first 2 of 2 bots these have nobody to meet; give 1",
        ),
        (
            "openings = \"fairkalah\"\n[match]\nrules = \"kalah\"",
            "write rules = \"ece1021\" under [match]",
        ),
        (
            "format = \"swiss\"\nsprt = \"elo0=0,elo1=5\"",
            "contest.toml:2:8: sprt needs many matches of one pair, and in a Swiss tournament nobody \
             meets twice; leave format = \"swiss\" out and set count, the most",
        ),
    ];
    for (text, words) in cases {
        let file = config(&folder, text);
        refuses(&["--config", &file, PAIR[0], PAIR[1]], 2, words);
        refuses(&["--dry-run", "--config", &file, PAIR[0], PAIR[1]], 2, words);
    }
    let file = folder.file("latin-1.toml");
    fs::write(&file, b"seed = 1\nname = \"M\xfcller\"\n").unwrap();
    refuses(&["--config", &file, PAIR[0], PAIR[1]], 2, "latin-1.toml:2:10: this is not UTF-8");
    // Some editors write a byte order mark.
    fs::write(&file, "\u{feff}cuont = 2\n").unwrap();
    refuses(&["--config", &file, PAIR[0], PAIR[1]], 2, "latin-1.toml:1:1: unknown key cuont");
    fs::write(folder.file("openings"), "3 3\n").unwrap();
    let file = config(&folder, "openings = \"file:openings\"");
    refuses(&["--config", &file, PAIR[0], PAIR[1]], 2, "openings:1: an opening is 14 numbers");
    refuses(&["--config", "/no/such.toml", PAIR[0], PAIR[1]], 2, "cannot read the config");
    let here = folder.file("");
    let words = "is a folder, and a config is a file; give --config a file such as class.toml";
    refuses(&["--config", &here, PAIR[0], PAIR[1]], 2, words);
    let record = folder.file("record");
    tournament().args(PAIR).args(["--record", &record]).run().success();
    let words = "is a record, not a config; a record is given with --record";
    refuses(&["--config", &record, PAIR[0], PAIR[1]], 2, words);
    let openings = format!("--openings=file:{}", folder.file("none"));
    refuses(&[PAIR[0], PAIR[1], &openings], 2, "cannot read the openings in");
}

fn placeholders_with_blanks_are_mistakes_of_the_config() {
    let folder = TestFolder::new();
    for (line, column, name) in [
        ("command = \"x { path }\"", 11, "path"),
        ("name = \"{stem }\"\ncommand = \"x {path}\"", 8, "stem"),
        ("dir = \"it's { stem}\"\ncommand = \"x {path}\"", 7, "stem"),
    ] {
        let file = config(&folder, &format!("[[bots]]\nglob = \"*.toml\"\n{line}"));
        let words =
            format!("contest.toml:3:{column}: a placeholder has no blanks; write {{{name}}}");
        refuses(&["--config", &file], 2, &words);
    }
}

fn wrong_record_files_are_errors_of_one_line() {
    let test_folder = TestFolder::new();
    let record = test_folder.file("record");
    let pair = [PAIR[0], PAIR[1], "--record", &record];
    tournament().args(pair).run().success();
    let before = fs::read(&record).unwrap();
    refuses(&pair, 2, "add --resume to go on");
    let with = |more: &[&'static str]| -> Vec<String> {
        pair.iter().chain(&["--resume"]).chain(more).map(|&word| word.to_owned()).collect()
    };
    let resume = |more: &[&'static str], words: &str| {
        let arguments = with(more);
        let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
        refuses(&arguments, 1, words);
    };
    resume(&["--seed=2"], "(--seed: 1 in the file, 2 here); it was begun with --seed 1: give that");
    resume(&["--ponder=allow"], "(--ponder: freeze in the file, allow here)");
    resume(&["--rules=kalah"], "(--rules: learneroo in the file, kalah here)");
    resume(&["--memory=2GiB"], "it was begun with --memory 1GiB: give that again");
    resume(&["--move-time=10ms"], "it was begun with --move-time 1s: give that again");
    resume(&["--reuse-bots"], "it was begun without --reuse-bots: leave it out");
    resume(&["--env=HOME", "--wrap=nice"], "it was begun without --env: leave it out");
    resume(&["--move-time=2s"], "--move-time: 1s in the file, 2s here");
    resume(&["builtin:random"], "bots \"random-2\" and \"random-3\" are new; add --update");
    let file = config(&test_folder, "check = true\n");
    let by_config = ["--config", &file, "--resume", "--record", &record, PAIR[0], PAIR[1]];
    refuses(&by_config, 1, "(check: off in the file, on here); ");
    refuses(&by_config, 1, "contest.toml:1: take check out, or give another --record FILE");
    let other = ["easy=builtin:hard", PAIR[1], "--resume", "--record", &record];
    let words = "bot \"easy\" has changed; add --update to go on with today's bots";
    refuses(&other, 1, words);
    resume(&["--shard=1/2"], "holds shard 1/1 of this tournament, not 1/2");
    assert_eq!(fs::read(&record).unwrap(), before);

    for (name, text, words) in [
        ("none", "hello\n", "none:1: not a line of a tournament's file: it is not a JSON object"),
        ("match", &*String::from_utf8_lossy(&before).lines().last().unwrap().to_owned(), "a match"),
    ] {
        let file = test_folder.file(name);
        fs::write(&file, format!("{text}\n")).unwrap();
        refuses(&[PAIR[0], PAIR[1], "--resume", "--record", &file], 1, words);
    }
    refuses(&[PAIR[0], PAIR[1], "--record", "/dev/full"], 1, "not a regular file");
    refuses(
        &[PAIR[0], PAIR[1], "--record", "/no/such/file"],
        1,
        "give --record a file in a folder",
    );
    tournament()
        .args(PAIR)
        .args(["--record", &test_folder.file("new")])
        .behind(&["sh", "-c", "ulimit -f 0; exec \"$@\"", "sh"])
        .run()
        .failure(1, "File too large (os error 27); allow larger files (ulimit -f)\n");
    let torn = [&before[..60], b"\n", &before[..]].concat();
    fs::write(&record, torn).unwrap();
    resume(&[], "record:1: not a line of a tournament's file: it is cut off;");
    let of_match = before.split_inclusive(|&byte| byte == b'\n').next_back().unwrap();
    for cut in [&before[..60], &of_match[..60], &of_match[..5]] {
        fs::write(&record, [&before[..], cut, b"\n", of_match].concat()).unwrap();
        resume(&[], ": it is cut off;");
    }
    let whole = String::from_utf8(before.clone()).unwrap();
    for number in [2, 1 << 34, 1 << 63, u64::MAX] {
        let number = number.to_string();
        let text = whole.replacen("\"match\":1,", &format!("\"match\":{number},"), 1);
        fs::write(&record, &text).unwrap();
        let words = format!(
            "record:2: not a line of a tournament's file: its number is {number}, and the plan has 1 match; nothing was changed"
        );
        for more in [&[][..], &["--update"], &["--dry-run"]] {
            resume(more, &words);
        }
        assert_eq!(fs::read_to_string(&record).unwrap(), text);
    }
    let later = String::from_utf8(before).unwrap().replacen("tournament/1", "tournament/2", 1);
    fs::write(&record, later).unwrap();
    resume(&[], "it is mancala-tournament/2, of a later version of mancala;");
}

fn foreign_and_missing_outputs_are_named() {
    let test_folder = TestFolder::new();
    fs::write(test_folder.file("none"), "hello\n\n").unwrap();
    for options in [&[][..], &["--dry-run"]] {
        let file = test_folder.file("none");
        let pair = [PAIR[0], PAIR[1], "--record", &file];
        refuses(
            &[&pair[..], options].concat(),
            2,
            "none is not the record of a tournament, and is left as",
        );
        assert_eq!(test_folder.read("none"), "hello\n\n");
        let missing = test_folder.file("missing");
        let pair = [PAIR[0], PAIR[1], "--record", &missing];
        let words = "missing is not there, so there is nothing to update; look at the name after";
        refuses(&[&pair[..], &["--update"], options].concat(), 2, words);
        let outcome = tournament().args(pair).arg("--resume").args(options).run().code(0);
        assert!(outcome.stderr.contains("missing holds no tournament yet; a new one begins"));
        let _ = fs::remove_file(missing);
    }
    let file = test_folder.file("none");
    for (option, words) in [
        ("--feedback", "none is a file; give --feedback a folder to write feedback into"),
        ("--log", "none is a file; give --log a folder to write logs into"),
    ] {
        refuses(&[PAIR[0], PAIR[1], option, &file], 2, words);
        refuses(&[PAIR[0], PAIR[1], "--dry-run", option, &file], 2, words);
    }
}

fn what_cannot_be_updated_is_not_advised_to_be() {
    let folder = TestFolder::new();
    for (options, what) in [
        (&["--swiss"][..], "a Swiss tournament"),
        (&["--sprt=elo0=0,elo1=10"], "a test of two bots (--sprt)"),
        (&["--shard=1/2", "--openings=random:4", "--count=2"], "a shard"),
    ] {
        let record = folder.file(what.split(' ').nth(1).unwrap());
        let play = |first: &str, record: &str, more: &[&str]| {
            let bots = [first, PAIR[1], "--record", record];
            tournament().args(bots).args(options).args(more).run()
        };
        play(PAIR[0], &record, &[]).code(0);
        let words = format!(
            "put the bots back as they were, or give another --record FILE ({what} cannot be updated)"
        );
        let refused = play("easy=builtin:hard", &record, &["--resume"]).failure(1, &words);
        assert!(!refused.stderr.contains("--update"), "{refused:#?}");
        play(PAIR[0], &record, &["--resume"]).code(0);
        play("easy=builtin:hard", &format!("{record}-new"), &[]).code(0);
    }
}

fn a_record_that_may_not_be_written_goes_on_elsewhere() {
    let public = Public::new();
    let class = public.file("class");
    fs::create_dir(&class).unwrap();
    let record = path(class.join("a.jsonl"));
    let set_mode =
        |path: &Path, mode| fs::set_permissions(path, fs::Permissions::from_mode(mode)).unwrap();
    tournament().args(PAIR).args(["--record", &record]).run().success();
    let common = ["--jobs=1", "--oversubscribe", "--quiet"];
    let go_on = |first: &str, record: &str, how: &str| {
        let words = ["tournament", first, PAIR[1], "--record", record, how];
        public.run("true", &[&words[..], &common].concat())
    };
    let (others, same) = ("easy=builtin:hard", PAIR[0]);
    let copy = "copy the record file into a folder that you may write to, and go on there";
    let denied = |what: &str, file: &str| {
        format!("cannot {what} {file}: Permission denied (os error 13); {copy}")
    };
    // The file may only be read.
    set_mode(Path::new(&record), 0o444);
    set_mode(&class, 0o555);
    for (bot, how) in [(same, "--resume"), (others, "--update")] {
        go_on(bot, &record, how).failure(1, &denied("write the record file", &record));
    }
    // The file may be written, and none can be made beside it.
    set_mode(Path::new(&record), 0o666);
    let before = format!("{record}.before");
    let denied_copy = denied("copy the record file to", &before);
    go_on(others, &record, "--update").failure(1, &denied_copy);
    let whole = fs::read_to_string(&record).unwrap();
    fs::write(&record, format!("{whole}{{")).unwrap();
    let cut_off = format!("{record}.cut-off");
    let denied_move = denied("move the end of the record file to", &cut_off);
    go_on(same, &record, "--resume").failure(1, &denied_move);
    fs::write(&record, &whole).unwrap();
    // What the advice says works.
    let elsewhere = path(public.file("a.jsonl"));
    fs::copy(&record, &elsewhere).unwrap();
    set_mode(Path::new(&elsewhere), 0o666);
    go_on(others, &elsewhere, "--update").code(0);
    set_mode(&class, 0o777);
    fs::create_dir(&before).unwrap();
    let is_folder = format!("{before}: Is a directory (os error 21); move the folder away");
    go_on(others, &record, "--update").failure(1, &is_folder);
    // Nor does the end of a line that was cut off move then.
    let whole = fs::read_to_string(&record).unwrap();
    fs::write(&record, format!("{whole}{{\"cut")).unwrap();
    go_on(others, &record, "--update").failure(1, &is_folder);
    assert_eq!(fs::read_to_string(&record).unwrap(), format!("{whole}{{\"cut"));
    assert!(!fs::exists(format!("{record}.cut-off")).unwrap());
    fs::write(&record, whole).unwrap();
    fs::remove_dir(&before).unwrap();
    go_on(others, &record, "--update").code(0);
}

fn the_reason_why_a_bot_cannot_play_is_printed_once() {
    let folder = TestFolder::new();
    let record = folder.file("record");
    for (options, last) in [
        (&["--strict"][..], "mancala: nothing was played (--strict), because of bot \"nosuch\""),
        (&[], "mancala: fewer than two bots can play"),
    ] {
        let run = tournament().args([PAIR[0], "nosuch", "--record", &record]).args(options);
        let outcome = run.run().code(1);
        assert_eq!(outcome.stderr.lines().last(), Some(last), "{outcome:#?}");
        let why = "bot \"nosuch\" is disqualified: does not start: nosuch: not found on the PATH";
        assert_eq!(outcome.stderr.matches(why).count(), 1, "{outcome:#?}");
        assert!(!fs::exists(&record).unwrap(), "the bot is corrected, and the same command plays");
        assert_eq!(outcome.stderr.lines().count(), 2, "{outcome:#?}");
    }
}

fn a_file_locked_by_another_tournament_is_refused() {
    let folder = TestFolder::new();
    let record = folder.file("record");
    let held = fs::File::create(&record).unwrap();
    held.lock().unwrap();
    refuses(&[PAIR[0], PAIR[1], "--record", &record], 1, "is in use by another tournament");
    drop(held);
    tournament().args(PAIR).args(["--record", &record]).run().success();
    fs::set_permissions(&record, fs::Permissions::from_mode(0o444)).unwrap();
}

fn events_without_a_reader_are_an_error() {
    let folder = TestFolder::new();
    let fifo = folder.file("fifo");
    let made = std::process::Command::new("mkfifo").arg(&fifo).status().expect("mkfifo starts");
    assert!(made.success());
    refuses(&[PAIR[0], PAIR[1], "--events", &fifo], 1, "this pipe has no reader");
    refuses(&[PAIR[0], PAIR[1], "--events", "/no/such/file"], 1, "cannot write events");
}

fn a_slow_reader_of_stdout_does_not_stop_a_tournament() {
    let (reader, writer) = std::io::pipe().unwrap();
    rustix::pipe::fcntl_setpipe_size(&writer, 4096).unwrap();
    // The names of all of them are one line, which is longer than the pipe takes.
    let bots = (0..100).map(|number| format!("{}{number}=builtin:random", "n".repeat(36)));
    let run = tournament().args(["--gauntlet=1", "--events=-"]).args(bots);
    let folder = TestFolder::new();
    let stderr = fs::File::create(folder.file("stderr")).unwrap();
    let mut child = run.command().stdout(writer).stderr(stderr).spawn().unwrap();
    assert!(status_of(&mut child).success());
    drop(reader);
    let said = folder.read("stderr");
    let told = "events are no longer written to stdout: their reader does not keep up";
    assert!(said.contains(told), "{said}");
}

fn folders_whose_names_are_not_utf_8() {
    let folder = TestFolder::new();
    let odd = folder.path().join(OsStr::from_bytes(b"d\xff"));
    fs::create_dir(&odd).unwrap();
    tournament().args(PAIR).in_folder(&odd).run().success();
    fs::write(odd.join("x.toml"), "[match]\nmove_time = \"20s\"\n").unwrap();
    let with_config = || tournament().args(PAIR).arg("--config").arg(odd.join("x.toml"));
    with_config().run().success();
    let refused = [
        tournament().args(PAIR).arg("--feedback").arg(odd.join("f")),
        with_config().arg("--dump-config"),
        // In another folder than the configuration, what is named on the command line has its own.
        tournament().args(PAIR).args(["--config", &config(&folder, "")]).in_folder(&odd),
    ];
    for run in refused {
        run.run().failure(2, "is not UTF-8").plain();
    }
}

fn a_record_file_changed_during_a_tournament_is_an_error() {
    let folder = TestFolder::new();
    let record = folder.file("record");
    let (other, link) = (folder.file("other"), folder.file("link"));
    for (spoil, words) in [
        (format!("rm -f {record}"), "another program has removed it while it was written"),
        (format!(": > {record}"), "another program has cut it while it was written"),
        (format!("echo {{}} >> {record}"), "another program has written to it while it was"),
        (format!("mv {record} {other}"), "another program has moved it while it was written"),
        (
            format!("ln {record} {link} && cp {record} {other} && mv {other} {record}"),
            "another program has moved it while it was written",
        ),
        (
            format!("cp {record} {other}; mv {other} {record}"),
            "another program has removed it while it was written",
        ),
    ] {
        for file in [&record, &other, &link] {
            let _ = fs::remove_file(file);
        }
        let bot = format!("spoiler=sh -c \"{spoil}; exec {}\"", hostile("sound 1 1"));
        let outcome = tournament().args([&bot, PAIR[0], "--record", &record]).run().code(1);
        let expected = format!("cannot write the record file {record}: {words}");
        assert!(outcome.stderr.contains(&expected), "{outcome:#?}");
        if Path::new(&link).exists() {
            // Both are as they were: the plan, and no match.
            assert_eq!(fs::read(&link).unwrap(), fs::read(&record).unwrap(), "{outcome:#?}");
        }
    }
}

fn an_events_file_with_other_content_is_refused() {
    let folder = TestFolder::new();
    let (file, record) = (folder.file("file"), folder.file("record"));
    let both = [PAIR[0], PAIR[1], "--record", &file, "--events", &file];
    refuses(&both, 2, "give each a place of its own");
    let logs = folder.file("logs");
    let both = [PAIR[0], PAIR[1], "--log", &logs, "--feedback", &logs];
    refuses(&both, 2, "--feedback and --log are both");
    assert!(!fs::exists(&logs).unwrap());
    tournament().args(PAIR).args(["--record", &record]).run().success();
    let before = fs::read(&record).unwrap();
    refuses(&[PAIR[0], PAIR[1], "--events", &record], 1, "it holds something else than events");
    assert_eq!(fs::read(&record).unwrap(), before);
    let full = tournament().args(PAIR).arg("--events=-");
    let command = full.command();
    let words: Vec<_> = command.get_args().map(|word| word.to_str().unwrap()).collect();
    let behind = ["sh", "-c", "exec \"$@\" > /dev/full", "sh"];
    let outcome = mancala(words).behind(&behind).run().code(1);
    assert!(outcome.stderr.contains("cannot write to stdout"), "{outcome:#?}");
}

fn a_script_with_windows_line_ends_is_refused_before_the_first_match() {
    let folder = TestFolder::new();
    for first_line in ["#!/bin/sh", "#!/usr/bin/env sh"] {
        let script = folder.file("bot.sh");
        fs::write(&script, format!("{first_line}\r\nexit 3\r\n")).unwrap();
        fs::set_permissions(&script, fs::Permissions::from_mode(0o755)).unwrap();
        let outcome = tournament().args([&*script, PAIR[0], PAIR[1]]).run().code(0);
        let why = "bot \"bot\" is disqualified: does not start: ";
        let line = outcome.stderr.lines().find(|line| line.contains(why)).expect(why);
        assert!(line.contains("its lines end as on Windows (CR LF)"), "{line}");
    }
}

fn a_file_whose_name_is_no_bots_name_plays_under_another() {
    let folder = TestFolder::new();
    let bot = "import sys, json\nfor line in sys.stdin:\n    turn = json.loads(line)\n    \
               if turn['type'] == 'turn':\n        print(turn['legal'][0], flush=True)\n";
    let moodle = [
        "Anna-Lena Schmidt-Meier_1234568_assignsubmission_file_.py",
        "Jörg Müller_1234567_assignsubmission_file_.py",
    ];
    for name in ["ann.py", "ben.py", "a\u{202e}b.py"].iter().chain(&moodle) {
        fs::write(folder.path().join(name), bot).unwrap();
    }
    let config = folder.path().join("contest.toml");
    let text = "[[bots]]\nglob = \"*.py\"\nname = \"{stem}\"\ncommand = \"python3 {path}\"";
    fs::write(&config, text).unwrap();
    let config = config.to_str().unwrap();
    let plan = mancala(["tournament", "--config", config, "--dry-run"]).run();
    assert_eq!(plan.code, Some(0), "{plan:#?}");
    let words = "contest.toml:3:8: a\\u{202e}b.py: invalid name";
    assert!(plan.stderr.contains(words), "{plan:#?}");
    for name in ["Anna-Lena Schmidt-Meie-", "Jörg Müller_1234567_as-"] {
        assert!(plan.stderr.contains(&format!("; it plays as \"{name}")), "{plan:#?}");
        assert!(plan.stdout.contains(&format!("\n  {name}")), "{plan:#?}");
    }
    assert!(plan.stdout.contains("\n  ann: ") && plan.stdout.contains("\n  ben: "), "{plan:#?}");
    mancala(["tournament", "--config", config, "--dry-run", "--strict"])
        .run()
        .failure(2, "invalid name");
}

fn a_folder_in_which_a_pattern_finds_nothing_is_named() {
    let folder = TestFolder::new();
    for name in ["ann/bot.py", "ben/bot.py", "kurt/notes.txt"] {
        let file = folder.path().join("bots").join(name);
        fs::create_dir_all(file.parent().unwrap()).unwrap();
        fs::write(file, "").unwrap();
    }
    let config = folder.file("contest.toml");
    let text =
        "[[bots]]\nglob = \"bots/*/*.py\"\nname = \"{folder}\"\ncommand = \"python3 {path}\"";
    fs::write(&config, text).unwrap();
    let plan = mancala(["tournament", "--config", &config, "--dry-run"]).run().code(0);
    let words = "bots/kurt has no file that bots/*/*.py finds (--strict stops here)";
    assert!(plan.stderr.contains(words), "{plan:#?}");
    let strict = mancala(["tournament", "--config", &config, "--dry-run", "--strict"]).run();
    strict.failure(2, "bots/kurt has no file");

    // A file that each bot would have is missed once; one that some bots lack is not.
    let files = "\nfiles = [\"{dir}/*.hpp\", \"shared/*.txt\"]\n";
    fs::write(&config, format!("{text}{files}")).unwrap();
    let plan = mancala(["tournament", "--config", &config, "--dry-run"]).run().code(0);
    let lines: Vec<&str> = plan.stderr.lines().filter(|line| !line.contains("kurt")).collect();
    let [line] = lines[..] else { panic!("{plan:#?}") };
    assert!(line.contains("contest.toml:5:25: no file in "), "{line}");
    assert!(
        line.ends_with(" matches \"shared/*.txt\", so no bot has one (--strict stops here)"),
        "{line}"
    );
}
