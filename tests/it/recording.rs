//! What stands between a finished match and its line in the record: nothing that a bot, or whoever
//! started the referee, can put there.

use std::fs::{self, File};
use std::time::{Duration, Instant};

use super::kit::mancala;
use super::stage::Stage;
use super::tools;

/// Far less than a wait for a lock, or for a child whose end is not seen.
const A_MOMENT: Duration = Duration::from_millis(1500);

#[test]
fn a_locked_record_is_written_at_once() {
    let stage = Stage::new();
    let record = stage.file("record");
    let locked = File::create(&record).expect("a file is made");
    locked.lock().expect("it is locked");
    let began = Instant::now();
    mancala(["match", "--record", &record, &stage.bot("sound"), &stage.bot("sound")])
        .run()
        .success();
    assert!(began.elapsed() < A_MOMENT, "{:?}", began.elapsed());
    assert_eq!(stage.read("record").lines().count(), 1);
    drop(locked);
}

#[test]
fn a_bot_that_locks_the_record_delays_nothing() {
    let stage = Stage::new();
    let record = stage.file("record");
    fs::write(&record, "").expect("a file is made");
    let began = Instant::now();
    let lock = format!("{} record", stage.bot("lock"));
    mancala(["match", "--record", &record]).args([lock, stage.bot("sound")]).run().success();
    assert!(began.elapsed() < A_MOMENT, "{:?}", began.elapsed());
    // It did lock it.
    assert_eq!(stage.read("locked"), "record");
    assert_eq!(stage.read("record").lines().count(), 1);
    stage.none_left();
}

#[test]
fn a_record_beyond_the_limit_of_a_file_s_size_is_an_error_and_leaves_no_half_a_line() {
    let stage = Stage::new();
    let record = stage.file("record");
    let whole = "x".repeat(399) + "\n";
    fs::write(&record, &whole).expect("it is written");
    // One block, of 512 or 1024 bytes.
    let limited = ["sh", "-c", "ulimit -f 1 && exec \"$0\" \"$@\""];
    let (one, other) = (stage.bot("sound"), stage.bot("sound"));
    let run = mancala(["match", "--record", &record, &one, &other]).behind(&limited);
    let outcome = run.run().code(1);
    assert!(outcome.stderr.contains("not recorded"), "{outcome:?}");
    assert!(outcome.stderr.contains("File too large"), "{outcome:?}");
    assert_eq!(stage.read("record"), whole);
    stage.none_left();
}

#[test]
fn a_parent_that_blocks_signals_delays_nothing() {
    if !tools::are_there("perl", "a parent that blocks signals") {
        return;
    }
    let stage = Stage::new();
    let blocks = "use POSIX; my $all = POSIX::SigSet->new; $all->fillset; \
                  sigprocmask(SIG_BLOCK, $all) or die; exec @ARGV";
    let (one, other) = (stage.bot("sound"), stage.bot("exit-3 2 1"));
    let began = Instant::now();
    mancala(["match", &one, &other]).behind(&["perl", "-e", blocks]).run().success();
    assert!(began.elapsed() < A_MOMENT, "{:?}", began.elapsed());
    stage.none_left();
}
