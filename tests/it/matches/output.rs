//! What is written where: whole lines in one write, tables that fit, records that nobody else can
//! hold up, and exit codes that no reader who went away can hide.

use std::fs::{self, File};
use std::io::Read as _;
use std::os::fd::OwnedFd;
use std::os::unix::net::UnixDatagram;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use crate::program::{closed_pipe, mancala, path};
use crate::terminal::Terminal;
use crate::test_folder::{TestFolder, status_of};

/// What a program wrote to a stdout of this kind, write by write.
fn writes(mut command: Command) -> Vec<String> {
    let (ours, theirs) = UnixDatagram::pair().expect("a pair of sockets");
    ours.set_read_timeout(Some(Duration::from_millis(1))).expect("it has a timeout");
    let mut child = command
        .stdin(Stdio::null())
        .stdout(Stdio::from(OwnedFd::from(theirs)))
        .stderr(Stdio::null())
        .spawn()
        .expect("mancala starts");
    drop(command);
    let mut writes = Vec::new();
    let mut message = vec![0; 1 << 20];
    loop {
        let has_ended = child.try_wait().expect("it can be waited for").is_some();
        while let Ok(length @ 1..) = ours.recv(&mut message) {
            writes.push(String::from_utf8(message[..length].to_vec()).expect("it is text"));
        }
        if has_ended {
            return writes;
        }
    }
}

#[test]
fn a_result_is_one_write_in_every_format() {
    for format in ["json", "csv", "markdown", "table"] {
        let command = mancala(["match", "builtin:easy", "builtin:random", "--format", format]);
        let writes = writes(command.command());
        assert_eq!(writes.len(), 1, "{format}: {writes:#?}");
        assert!(writes[0].ends_with('\n'));
    }
    let help = writes(mancala(["match", "--help"]).command());
    assert_eq!(help.len(), 1, "{help:#?}");
}

#[test]
fn long_output_is_written_line_by_line() {
    let record = mancala(["match", "builtin:easy", "builtin:random", "--format=json"]).run();
    let folder = tempfile::tempdir().expect("a folder is made");
    let file = path(folder.path().join("records"));
    fs::write(&file, record.success().stdout.repeat(1_000)).expect("records are written");
    let writes = writes(mancala(["replay", &file]).command());
    assert!(writes.len() > 1, "{writes:#?}");
    assert!(writes.iter().all(|written| written.ends_with('\n')), "{writes:#?}");
    assert_eq!(writes.concat().lines().count(), 1_001);
}

#[test]
fn a_closed_stdout_does_not_hide_a_fault_from_strict() {
    let folder = TestFolder::new();
    let cases = [
        (mancala(["match", "--strict"]).args([folder.bot("words"), folder.bot("sound")]), 3),
        (mancala(["check", "--rules=learneroo"]).arg(folder.bot("words")), 3),
        (mancala(["match"]).args([folder.bot("words"), folder.bot("sound")]), 0),
        (
            mancala(["match", "--record=/dev/full"])
                .args([folder.bot("sound"), folder.bot("sound")]),
            1,
        ),
    ];
    for (run, code) in cases {
        let mut command = run.command();
        command.stdout(closed_pipe()).stderr(Stdio::null());
        let mut child = command.spawn().expect("mancala starts");
        assert_eq!(status_of(&mut child).code(), Some(code), "{command:?}");
    }
    folder.none_left();
}

#[test]
fn a_closed_stdout_does_not_hide_an_invalid_record() {
    let mut command = mancala(["replay", "-"]).command();
    let (reader, writer) = std::io::pipe().expect("a pipe is made");
    command.stdin(reader).stdout(closed_pipe()).stderr(Stdio::null());
    let mut child = command.spawn().expect("mancala starts");
    drop(command);
    std::io::Write::write_all(&mut &writer, b"no record\n").expect("it is read");
    drop(writer);
    assert_eq!(status_of(&mut child).code(), Some(1));
}

#[test]
fn an_unwritable_stdout_is_an_error() {
    let folder = TestFolder::new();
    let sound = [folder.bot("sound"), folder.bot("sound")];
    let runs = [
        mancala(["match"]).args(sound),
        mancala(["rules"]),
        mancala(["match", "--help"]),
        mancala(["--version"]),
    ];
    for run in runs {
        let mut command = run.command();
        command.stdout(File::open("/dev/null").expect("it opens for reading"));
        let output = command.output().expect("mancala starts");
        let stderr = String::from_utf8(output.stderr).expect("text");
        assert!(stderr.starts_with("mancala: cannot write to stdout: "), "{stderr}");
        assert_eq!((stderr.lines().count(), output.status.code()), (1, Some(1)), "{command:?}");
    }
}

#[test]
fn a_stdout_closed_from_the_start_is_an_error_before_any_work() {
    let folder = TestFolder::new();
    let record = folder.file("record");
    let bots = [folder.bot("sound"), folder.bot("sound")];
    let runs = [
        mancala(["match", "--record", &record]).args(&bots),
        mancala(["match", "--strict", "--record=-"])
            .args([folder.bot("words"), folder.bot("sound")]),
        mancala(["check", &bots[0]]),
        mancala(["tournament", "--events=-", "--record", &record]).args(&bots),
        mancala(["standings", "tests/it/golden/records.jsonl"]),
        mancala(["replay", "tests/it/golden/records.jsonl"]),
        mancala(["play", "--plain"]),
        mancala(["bot", "easy"]),
        mancala(["rules"]),
        mancala(["rules", "--help"]),
        mancala(["--version"]),
    ];
    for run in runs {
        let outcome = run.behind(&["sh", "-c", "exec \"$0\" \"$@\" >&-"]).run();
        outcome.failure(1, "mancala: cannot write to stdout: it is closed");
    }
    assert!(!Path::new(&record).exists(), "nothing is played");
    // What goes nowhere because the caller wants that is no failure.
    let mut command = mancala(["match", "--record", &record]).args(&bots).command();
    let output = command.stdout(Stdio::null()).output().expect("mancala starts");
    assert_eq!((output.status.code(), output.stderr), (Some(0), Vec::new()));
    mancala(["rules"]).behind(&["sh", "-c", "exec \"$0\" \"$@\" >/dev/null"]).run().success();
    folder.none_left();
}

#[test]
fn parallel_matches_append_to_one_file() {
    const MATCHES: usize = 24;
    let folder = TestFolder::new();
    let record = folder.file("record");
    // Each of them finds the end of a line that somebody did not write to its end.
    fs::write(&record, "{\"format\":\"mancala-match/1\",\"ru").expect("a file is made");
    std::thread::scope(|scope| {
        for _ in 0..4 {
            scope.spawn(|| {
                for _ in 0..MATCHES / 4 {
                    let bots = ["builtin:random", "builtin:random"];
                    mancala(["match", "--record", &record]).args(bots).run().success();
                }
            });
        }
    });
    let outcome = mancala(["replay", &record]).run().code(1);
    let words = format!("{MATCHES} of {} matches are valid", MATCHES + 1);
    outcome.says(&words).says("match 1: line 1: the record is cut off");
}

#[test]
fn a_record_goes_to_stdout_and_the_result_to_stderr() {
    let arguments = ["match", "builtin:easy", "builtin:random", "--record", "-"];
    let outcome = mancala(arguments).run().code(0);
    assert_eq!(outcome.stdout.lines().count(), 1, "{outcome:#?}");
    assert!(outcome.stderr.contains("round") && outcome.stderr.contains("easy"), "{outcome:#?}");
    mancala(["replay", "-"]).stdin(outcome.stdout).run().success();
    mancala(arguments).arg("--format=json").run().failure(2, "leave out --record -");
    mancala(["play", "--record", "-"]).run().failure(2, "give --record a file");
}

#[test]
fn a_record_can_be_written_to_a_fifo() {
    let folder = TestFolder::new();
    let pipe = folder.file("pipe");
    let made = Command::new("mkfifo").arg(&pipe).status().expect("mkfifo starts");
    assert!(made.success());
    let bots = [folder.bot("sound"), folder.bot("sound")];
    mancala(["match", "--record", &pipe]).args(&bots).run().failure(1, "this pipe has no reader");
    let reader = std::thread::spawn({
        let pipe = pipe.clone();
        move || {
            let mut text = String::new();
            File::open(pipe).expect("it opens").read_to_string(&mut text).expect("text");
            text
        }
    });
    // The reader has it open from the moment in which opening it for writing works.
    let end = Instant::now() + Duration::from_secs(30);
    loop {
        let outcome = mancala(["match", "--record", &pipe]).args(&bots).run();
        if outcome.code == Some(0) {
            break;
        }
        assert!(Instant::now() < end, "{outcome:#?}");
    }
    let text = reader.join().expect("the reader ends");
    mancala(["replay", "-"]).stdin(text).run().success();
}

#[test]
fn match_refuses_to_append_to_a_tournament_file() {
    let folder = TestFolder::new();
    let record = folder.file("record");
    let header = r#"{"format":"mancala-tournament/1","id":"00ba7816bf8f01cf","plan":{}}"#;
    fs::write(&record, format!("{header}\n")).expect("a file is made");
    let bots = [folder.bot("sound"), folder.bot("sound")];
    let outcome = mancala(["match", "--record", &record]).args(bots).run();
    outcome.failure(2, "it is the file of a tournament");
    assert_eq!(folder.read("record"), format!("{header}\n"));
}

#[test]
fn a_table_fits_the_terminals_width() {
    let names = ["a-name-that-is-as-long-as-it-may-be-12345", "b"];
    let bots = names.map(|name| format!("{}=builtin:random", &name[..name.len().min(40)]));
    for columns in [40, 80] {
        let arguments = ["match", &bots[0], &bots[1], "--fault-policy=substitute"];
        let Some(mut terminal) = Terminal::start(&arguments, (columns, 24)) else { return };
        assert_eq!(terminal.exit_code(), Some(0));
        let (_, output) = terminal.end();
        let table: Vec<&str> = output.lines().filter(|line| line.contains(['│', '─'])).collect();
        assert!(table.len() >= 8, "{output}");
        for line in table {
            // Behind what moves the cursor.
            let line = line.trim_end().trim_start_matches(|c: char| !"┌├└│".contains(c));
            assert!(line.chars().count() <= usize::from(columns), "{line:?} in {output}");
        }
        assert!(columns == 80 || output.contains("Not shown in this width: began"), "{output}");
    }
}

/// In a pipe it stays one line.
#[test]
fn a_message_fits_the_terminals_width() {
    let arguments = ["match", "builtin:easy", "builtin:hard", "--opening", "1 2"];
    let piped = mancala(arguments).run().failure(2, "");
    assert_eq!(piped.stderr.lines().count(), 1, "{}", piped.stderr);
    let Some(terminal) = Terminal::start(&arguments, (40, 24)) else { return };
    let (_, output) = terminal.end();
    assert!(output.lines().all(|line| line.chars().count() <= 40), "{output}");
    assert!(output.lines().skip(1).all(|line| line.starts_with("         ")), "{output}");
    let words = |text: &str| text.split_whitespace().map(str::to_owned).collect::<Vec<_>>();
    assert_eq!(words(&output), words(&piped.stderr));
}

#[test]
fn quiet_prints_only_what_needs_attention() {
    if !crate::requirements::sandbox_is_there("a quiet match in the sandbox") {
        return;
    }
    let folder = TestFolder::new();
    let sound = folder.bot("sound");
    // The bots' folder is that of both, which is worth a word; what the sandbox is, is not.
    for (command, opponent) in [("match", Some("builtin:easy")), ("check", None)] {
        let options = ["--sandbox", "--format=json", "--move-time=20s"];
        let run = |more: &[&str]| {
            let arguments = [command, &sound].into_iter().chain(opponent).chain(options);
            mancala(arguments.chain(more.iter().copied())).run().code(0)
        };
        let loud = run(&[]);
        assert!(loud.stderr.contains("the sandbox is on"), "{loud:#?}");
        let quiet = run(&["--quiet"]);
        assert!(!quiet.stderr.contains("sandbox is on"), "{quiet:#?}");
        assert!(!quiet.stdout.is_empty(), "{quiet:#?}");
    }
    let both = ["match", "--quiet", "--verbose", "builtin:easy", "builtin:easy"];
    mancala(both).run().failure(2, "cannot be used with");
    // Every command that writes results has it.
    for command in
        ["match", "tournament", "check", "replay", "openings", "standings", "solve", "analyse"]
    {
        let help = mancala([command, "--help"]).run().success();
        assert!(help.stdout.contains("-q, --quiet"), "{command}");
    }
}

#[test]
fn the_progress_line_shows_who_is_thinking_and_how_long() {
    let folder = TestFolder::new();
    let thinker = format!("thinker={}", folder.bot("hang 1 3"));
    let arguments = ["match", &thinker, &folder.bot("sound"), "--move-time=1h"];
    let Some(mut terminal) = Terminal::start(&arguments, (100, 24)) else { return };
    terminal.wait_for("waiting for thinker for 1 s: thinker");
    terminal.wait_for("waiting for thinker for 2 s: thinker");
    terminal.signal(rustix::process::Signal::INT);
    assert_eq!(terminal.end().0, Some(130));
    folder.none_left();
}
