//! Bots that change while they play, or wait to.

use std::fs::{self, Permissions};
use std::os::unix::fs::PermissionsExt as _;
use std::path::Path;
use std::process::Stdio;

use serde_json::{Value, json};

use super::{CLASS, assert_as_fresh, contest, play, warns, write_bot};
use crate::program::mancala;
use crate::runner::{Test, tests};
use crate::test_folder::{TestFolder, wait_until};
use crate::tournaments::{config, lines, matches, notes};

pub const TESTS: &[Test] = tests![
    a_bot_that_changes_while_it_plays_is_stopped,
    a_bot_that_changes_once_while_it_plays_waits_for_the_update,
    a_fault_in_a_match_that_does_not_count_is_not_told,
    a_fault_of_a_bot_that_is_as_before_at_the_end_is_told,
    a_bot_that_changes_before_its_trial_is_stopped_and_not_disqualified,
    a_second_start_that_waits_sees_the_files_of_then,
];

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
