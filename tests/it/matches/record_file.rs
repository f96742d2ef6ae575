//! What stands between a finished match and its line in the record: nothing that a bot, or whoever
//! started the referee, can put there.

use std::fs::{self, File};
use std::time::Duration;

use crate::program::mancala;
use crate::requirements;
use crate::test_folder::TestFolder;

/// Far less than a wait for a lock, or for a child whose end is not seen.
const A_MOMENT: Duration = Duration::from_millis(1500);

/// Holds the promise `whole-lines`.
#[test]
fn a_locked_record_is_written_at_once() {
    let folder = TestFolder::new();
    let record = folder.file("record");
    let locked = File::create(&record).expect("a file is made");
    locked.lock().expect("it is locked");
    // It would wait for as long as this test has the lock.
    mancala(["match", "--record", &record, &folder.bot("sound"), &folder.bot("sound")])
        .run()
        .success();
    assert_eq!(folder.read("record").lines().count(), 1);
    drop(locked);
}

#[test]
fn a_bot_that_locks_the_record_delays_nothing() {
    let folder = TestFolder::new();
    let record = folder.file("record");
    fs::write(&record, "").expect("a file is made");
    let lock = format!("{} record", folder.bot("lock"));
    mancala(["match", "--record", &record])
        .args([lock, folder.bot("sound")])
        .run_within(A_MOMENT)
        .success();
    // It did lock it.
    assert_eq!(folder.read("locked"), "record");
    assert_eq!(folder.read("record").lines().count(), 1);
    folder.none_left();
}

/// Holds the promise `whole-lines`.
#[test]
fn a_record_beyond_the_file_size_limit_leaves_no_partial_line() {
    let folder = TestFolder::new();
    let record = folder.file("record");
    let whole = format!("{{\"format\":\"mancala-match/1\",\"name\":\"{}\"}}\n", "x".repeat(360));
    fs::write(&record, &whole).expect("it is written");
    // One block, of 512 or 1024 bytes.
    let limited = ["sh", "-c", "ulimit -f 1 && exec \"$0\" \"$@\""];
    let (one, other) = (folder.bot("sound"), folder.bot("sound"));
    let run = mancala(["match", "--record", &record, &one, &other]).behind(&limited);
    let outcome = run.run().code(1);
    assert!(outcome.stderr.contains("not recorded"), "{outcome:?}");
    assert!(outcome.stderr.contains("File too large"), "{outcome:?}");
    assert_eq!(folder.read("record"), whole);
    folder.none_left();
}

/// Holds the promise `whole-lines`.
#[test]
fn a_parent_that_blocks_signals_delays_nothing() {
    if !requirements::are_there("perl", "a parent that blocks signals") {
        return;
    }
    let folder = TestFolder::new();
    let blocks = "use POSIX; my $all = POSIX::SigSet->new; $all->fillset; \
                  sigprocmask(SIG_BLOCK, $all) or die; exec @ARGV";
    let (one, other) = (folder.bot("sound"), folder.bot("exit-3 2 1"));
    mancala(["match", &one, &other]).behind(&["perl", "-e", blocks]).run_within(A_MOMENT).success();
    folder.none_left();
}

/// What a match with a record file that is no good says; and that no bot was started for it.
#[track_caller]
fn refused(folder: &TestFolder, record: &str, words: &str) {
    let bots = [folder.bot("witness"), folder.bot("sound")];
    mancala(["match", "--record", record]).args(bots).run().failure(1, words);
    assert_eq!(folder.read("launches"), "", "a bot was started");
}

#[test]
fn an_unwritable_record_file_is_an_error_before_the_match() {
    let folder = TestFolder::new();
    refused(&folder, &folder.marker(), "cannot write the record file");
    refused(&folder, &folder.file("no/such/folder"), "no/such/folder: No such file or directory");
    fs::write(folder.file("file"), "").expect("a file is made");
    refused(&folder, &folder.file("file/record"), "file/record: Not a directory");
}

#[test]
fn a_file_of_something_else_is_not_appended_to() {
    let folder = TestFolder::new();
    let why =
        ": it is another file: its first line is not the record of a match; give --record another";
    for text in ["import json\n", "\n# notes\n", "{\"a\":1}\n", "{\n", "x", "\u{feff}{}\n"] {
        let file = folder.file("my_bot.py");
        fs::write(&file, text).expect("a file is made");
        let bots = [folder.bot("witness"), folder.bot("sound")];
        mancala(["match", "--record", &file]).args(bots).run().failure(2, why);
        let bot = folder.bot("witness");
        mancala(["play", "--record", &file, "--against", &bot]).run().failure(2, why);
        assert_eq!(folder.read("launches"), "", "a bot was started");
        assert_eq!(folder.read("my_bot.py"), text);
    }
    // Blank lines and a record that was cut off are in record files.
    for text in ["", "\n", "{\"format\":\"mancala-match/1\",\"ru"] {
        let file = folder.file("record");
        fs::write(&file, text).expect("a file is made");
        let bots = ["builtin:easy", "builtin:random"];
        mancala(["match", "--quiet", "--record", &file]).args(bots).run().code(0);
        assert!(folder.read("record").starts_with(text));
    }
}

#[test]
fn a_full_disk_is_an_error_of_one_line() {
    let folder = TestFolder::new();
    let bots = || [folder.bot("sound"), folder.bot("sound")];
    let output = mancala(["match", "--record=/dev/full"]).args(bots()).run().code(1);
    assert_eq!(output.stderr.lines().count(), 1, "{output:#?}");
    assert!(output.stderr.contains("but not recorded in /dev/full"), "{output:#?}");

    let full = fs::OpenOptions::new().write(true).open("/dev/full").expect("it can be opened");
    let output = mancala(["match"]).args(bots()).command().stdout(full).output();
    let output = output.expect("mancala starts");
    let stderr = String::from_utf8(output.stderr).expect("text");
    assert_eq!(stderr.lines().count(), 1, "{stderr}");
    assert!(stderr.starts_with("mancala: cannot write to stdout: "), "{stderr}");
    assert_eq!(output.status.code(), Some(1));
    folder.none_left();
}
