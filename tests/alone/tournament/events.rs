//! `--events`: what readers get that are slow, that read nothing, and that come back.

use std::fs::{self, File, OpenOptions};
use std::io::{ErrorKind, Read};
use std::os::unix::fs::OpenOptionsExt;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use rustix::event::{PollFd, PollFlags, poll};
use serde_json::Value;

use crate::program::mancala;
use crate::runner::{Test, tests};
use crate::test_folder::TestFolder;
use crate::tournaments::{FOUR, tournament};

pub const TESTS: &[Test] = tests![
    a_reader_of_a_small_pipe_gets_every_line_whole,
    a_reader_that_reads_nothing_is_dropped_at_the_end_of_a_line,
    a_bot_that_does_not_start_is_told_after_the_beginning,
    a_link_to_the_record_file_is_no_file_of_events,
    a_file_of_events_goes_on_after_its_last_whole_line,
    a_file_of_events_that_cannot_be_written_is_an_error,
];

/// A FIFO and the end to read from, which never waits.
fn fifo(folder: &TestFolder) -> (String, File) {
    let fifo = folder.file("fifo");
    let made = std::process::Command::new("mkfifo").arg(&fifo).status().expect("mkfifo starts");
    assert!(made.success());
    let nonblocking = rustix::fs::OFlags::NONBLOCK.bits().cast_signed();
    let reader = OpenOptions::new().read(true).custom_flags(nonblocking).open(&fifo);
    (fifo, reader.expect("it opens without a writer"))
}

/// Reads pieces of at most 4 KiB, until nothing is there after `ended` was set.
fn read_pieces(mut reader: File, ended: &AtomicBool) -> Vec<u8> {
    let (mut text, mut piece) = (Vec::new(), [0; 4096]);
    loop {
        let is_last = ended.load(Ordering::SeqCst);
        match reader.read(&mut piece) {
            Ok(0) if is_last => return text,
            Ok(0) => std::thread::sleep(Duration::from_millis(2)),
            Ok(read) => text.extend_from_slice(&piece[..read]),
            // A pause would add up to more than the program waits for a reader.
            Err(error) if error.kind() == ErrorKind::WouldBlock => {
                let mut source = [PollFd::new(&reader, PollFlags::IN)];
                poll(&mut source, None).expect("it is waited for");
            }
            Err(error) => panic!("{error}"),
        }
    }
}

/// The events in `text`, each a whole line.
#[track_caller]
fn events(text: &[u8]) -> Vec<Value> {
    assert_eq!(text.last(), Some(&b'\n'), "the last line is cut off");
    let lines = text[..text.len() - 1].split(|&byte| byte == b'\n');
    lines.map(|line| serde_json::from_slice(line).expect("a line is an event")).collect()
}

fn a_reader_of_a_small_pipe_gets_every_line_whole() {
    let folder = TestFolder::new();
    let (fifo, reader) = fifo(&folder);
    // Far less than one event with the table of all bots: the program has to wait for its reader.
    rustix::pipe::fcntl_setpipe_size(&reader, 4096).expect("a pipe of one page");
    let bots = (1..=45).map(|number| format!("bot-{number}=builtin:random --seed {number}"));
    let run = tournament().args(["--gauntlet=1", "--events", &fifo]).args(bots);
    let ended = AtomicBool::new(false);
    let text = std::thread::scope(|scope| {
        let reads = scope.spawn(|| read_pieces(reader, &ended));
        let outcome = run.run();
        ended.store(true, Ordering::SeqCst);
        outcome.success();
        reads.join().unwrap()
    });
    let events = events(&text);
    let times: Vec<&str> = events.iter().map(|event| event["at"].as_str().unwrap()).collect();
    assert!(times.is_sorted(), "{times:?}");
    let count = |kind: &str| events.iter().filter(|event| event["event"] == kind).count();
    assert_eq!((count("tournament_began"), count("match_began")), (1, 44));
    assert_eq!((count("round_ended"), count("match_ended")), (88, 44));
    assert_eq!(events.last().unwrap()["event"], "tournament_ended");
    let table = &events[events.len() - 2];
    assert_eq!(table["rows"].as_array().unwrap().len(), 45);
    assert!(serde_json::to_string(table).unwrap().len() > 3 * 4096);
    assert_eq!(table["crosstable"], Value::Null, "it would make the line too long for a pipe");
}

fn a_reader_that_reads_nothing_is_dropped_at_the_end_of_a_line() {
    let folder = TestFolder::new();
    let (fifo, reader) = fifo(&folder);
    // It takes some of the events, and far less than all.
    rustix::pipe::fcntl_setpipe_size(&reader, 4 * 4096).expect("a pipe of four pages");
    let record = folder.file("record");
    let options = ["--openings=random:4", "--count=12", "--events", &fifo, "--record", &record];
    let outcome = tournament().args(FOUR).args(options).run().code(0);
    let warning = format!("no longer written to {fifo}: their reader does not keep up");
    assert_eq!(outcome.stderr.matches(&warning).count(), 1, "{outcome:#?}");
    assert_eq!(crate::tournaments::matches(&[record]).len(), 6 * 12);
    // What it finds when it reads after all.
    let found = events(&read_pieces(reader, &AtomicBool::new(true)));
    assert!(found.len() > 1, "{found:?}");
    assert_eq!(found[0]["event"], "tournament_began");
    assert_ne!(found.last().unwrap()["event"], "tournament_ended");
}

fn a_bot_that_does_not_start_is_told_after_the_beginning() {
    let folder = TestFolder::new();
    let file = folder.file("events");
    for (options, code) in [(&[][..], 0), (&["--strict"], 1)] {
        let _ = fs::remove_file(&file);
        let bots = ["builtin:easy", "builtin:random", "nosuch"];
        tournament().args(bots).args(["--events", &file]).args(options).run().code(code);
        let found = events(&fs::read(&file).unwrap());
        let kinds: Vec<&str> = found.iter().map(|event| event["event"].as_str().unwrap()).collect();
        assert_eq!(kinds[..2], ["tournament_began", "disqualified"], "{kinds:?}");
        let began = kinds.iter().filter(|kind| **kind == "tournament_began").count();
        assert_eq!(began, 1, "{kinds:?}");
    }
}

fn a_link_to_the_record_file_is_no_file_of_events() {
    let folder = TestFolder::new();
    let (record, link) = (folder.file("same.jsonl"), folder.file("link"));
    std::os::unix::fs::symlink("same.jsonl", &link).unwrap();
    let bots = ["builtin:easy", "builtin:random"];
    let run = tournament().args(bots).args(["--record", &record, "--events", &link]).run();
    run.failure(2, "give each a place of its own");
    assert!(!fs::exists(&record).unwrap());
}

fn a_file_of_events_goes_on_after_its_last_whole_line() {
    let folder = TestFolder::new();
    let file = folder.file("events");
    let play = || {
        let bots = ["builtin:easy", "builtin:random"];
        mancala(["tournament", "--jobs=1", "--oversubscribe", "--events", &file]).args(bots).run()
    };
    play().success();
    let first = fs::read(&file).unwrap();
    let count = events(&first).len();
    fs::write(&file, &first[..first.len() - 30]).unwrap();
    play().success();
    let both = events(&fs::read(&file).unwrap());
    assert_eq!(both.len(), count - 1 + count);
    assert_eq!(both[count - 1]["event"], "tournament_began");
}

fn a_file_of_events_that_cannot_be_written_is_an_error() {
    let folder = TestFolder::new();
    let record = folder.file("record");
    let run = tournament().args(["builtin:easy", "builtin:random", "--events=/dev/full"]);
    let outcome = run.args(["--record", &record]).run().code(1);
    assert!(outcome.stderr.contains("events are no longer written to /dev/full"), "{outcome:#?}");
    assert!(outcome.stderr.ends_with("the events in /dev/full are not complete\n"), "{outcome:#?}");
    assert_eq!(crate::tournaments::matches(&[record]).len(), 1);
}
