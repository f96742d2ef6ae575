//! How a match ends before its time, or in surroundings that are not as they should be: closed
//! outputs, signals, a full disk, a parent with habits of its own. No panic, the right exit code,
//! and nothing left running.

use std::fs;
use std::io::{BufRead, BufReader, PipeReader, Read};
use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::Duration;

use rustix::process::{Pid, Signal, kill_process};
use serde_json::json;
use signal_hook::consts::SIGCHLD;

use super::program::{Outcome, ignores, mancala, pass_signals_on, skipped};
use super::test_folder::{ENDLESS, TestFolder, status_of};

/// A pipe that nobody reads any more.
fn closed_pipe() -> Stdio {
    let (reader, writer) = std::io::pipe().expect("a pipe is made");
    drop(reader);
    writer.into()
}

#[track_caller]
fn text_of(mut pipe: PipeReader) -> String {
    let mut text = String::new();
    pipe.read_to_string(&mut text).expect("it is text");
    text
}

#[test]
fn a_closed_stdout_is_a_success() {
    for format in ["table", "json", "markdown", "csv"] {
        let folder = TestFolder::new();
        let (stderr, writer) = std::io::pipe().expect("a pipe is made");
        let mut child = mancala(["match", "-v", "--format", format])
            .args([folder.bot("witness"), folder.bot("sound")])
            .command()
            .stdout(closed_pipe())
            .stderr(writer)
            .spawn()
            .expect("mancala starts");
        let stderr = text_of(stderr);
        assert!(stderr.contains("Round 2 ends") && !stderr.contains("mancala: "), "{stderr}");
        assert_eq!(status_of(&mut child).code(), Some(0));
        folder.none_left();
    }
    for arguments in [["--help"], ["--version"]] {
        let mut command = mancala(arguments).command();
        let mut child = command.stdout(closed_pipe()).spawn().expect("mancala starts");
        assert_eq!(status_of(&mut child).code(), Some(0));
    }
}

#[test]
fn a_match_is_played_to_its_end_after_both_outputs_are_closed() {
    let folder = TestFolder::new();
    let (both, writer) = std::io::pipe().expect("a pipe is made");
    let mut command = mancala(["match", "-v", "--record", &folder.file("record")])
        .args([folder.bot("witness"), folder.bot("sound")])
        .command();
    command.stdout(writer.try_clone().expect("a second end")).stderr(writer);
    let mut child = command.spawn().expect("mancala starts");
    drop(command);
    let mut both = BufReader::new(both);
    let mut line = String::new();
    both.read_line(&mut line).expect("a line");
    assert!(line.starts_with("Round 1"), "{line}");
    drop(both);
    assert_eq!(status_of(&mut child).code(), Some(0));
    mancala(["replay", &folder.file("record")]).run().success().says("1 of 1 matches are valid");
    folder.none_left();
}

#[test]
fn a_replay_with_a_closed_stdout_is_a_success() {
    let folder = TestFolder::new();
    for _ in 0..2 {
        mancala(["match", "--record", &folder.file("record")])
            .args([folder.bot("sound"), folder.bot("sound")])
            .run()
            .success();
    }
    // More than a pipe holds.
    let records = folder.read("record").repeat(2_000);
    fs::write(folder.file("records"), records).expect("records are written");
    let (stdout, writer) = std::io::pipe().expect("a pipe is made");
    let mut command = mancala(["replay", &folder.file("records")]).command();
    let mut child = command.stdout(writer).spawn().expect("mancala starts");
    drop(command);
    let mut line = String::new();
    BufReader::new(stdout).read_line(&mut line).expect("a line");
    assert!(line.starts_with("match 1: valid"), "{line}");
    assert_eq!(status_of(&mut child).code(), Some(0));
}

#[test]
fn a_closed_stderr_does_not_change_the_exit_code() {
    let folder = TestFolder::new();
    let sound = || [folder.bot("sound"), folder.bot("sound")];
    let cases: [(Command, i32); 5] = [
        (mancala(["match", "-v"]).args(sound()).command(), 0),
        (
            mancala(["match", "--strict"])
                .args([folder.bot("words"), folder.bot("sound")])
                .command(),
            3,
        ),
        (mancala(["match", "./missing"]).arg(folder.bot("sound")).command(), 1),
        (mancala(["match", "--seeds=0"]).args(sound()).command(), 2),
        (mancala(["replay", "missing"]).command(), 1),
    ];
    for (mut command, code) in cases {
        let mut child =
            command.stdout(Stdio::null()).stderr(closed_pipe()).spawn().expect("mancala starts");
        assert_eq!(status_of(&mut child).code(), Some(code), "{command:?}");
    }
    folder.none_left();
}

#[test]
fn a_match_works_without_stdin_and_stderr() {
    let folder = TestFolder::new();
    let output = through("sh", &["-c", r#"exec "$0" "$@" <&- 2>&-"#])
        .arg("match")
        .args([folder.bot("sound"), folder.bot("sound"), "--format=json".to_owned()])
        .output()
        .expect("a shell starts");
    assert_eq!(output.status.code(), Some(0));
    let record: serde_json::Value = serde_json::from_slice(&output.stdout).expect("a record");
    assert_eq!(record["rounds"][1]["result"]["reason"], "completed", "{record:#}");
    folder.none_left();
}

/// `mancala`, started by this program: its arguments come after the path.
fn through(program: &str, arguments: &[&str]) -> Command {
    pass_signals_on();
    let mut command = Command::new(program);
    command.args(arguments).arg(env!("CARGO_BIN_EXE_mancala"));
    command
}

#[test]
fn an_interrupted_match_leaves_nothing_behind() {
    // A bot that hangs, one that hangs and heeds no signal, and two that answer at once for ever.
    for mode in ["hang", "hang-deaf", "announce"] {
        for signal in [Signal::INT, Signal::TERM, Signal::HUP] {
            let folder = TestFolder::new();
            let record = folder.file("record");
            mancala(["match", "--record", &record])
                .args([folder.bot("sound"), folder.bot("sound")])
                .run()
                .success();
            let finished = folder.read("record");

            let (stderr, writer) = std::io::pipe().expect("a pipe is made");
            let mut command = mancala(["match", "--record", &record])
                .args([folder.bot(&format!("{mode} 1 3")), folder.bot("sound")])
                .args(ENDLESS)
                .command();
            let child = command.stdout(Stdio::piped()).stderr(writer).spawn();
            let mut child = child.expect("mancala starts");
            drop(command);
            folder.wait_for("done");
            kill_process(Pid::from_child(&child), signal).expect("mancala is there");
            let status = status_of(&mut child);
            assert_eq!(status.code(), Some(130), "{mode} {signal:?}: {status}");
            assert_eq!(text_of(stderr), "mancala: interrupted\n");
            let mut stdout = String::new();
            let pipe = child.stdout.as_mut().expect("stdout is piped");
            pipe.read_to_string(&mut stdout).expect("it is text");
            assert_eq!(stdout, "");
            assert_eq!(folder.read("record"), finished, "of the finished match alone");
            folder.none_left();
        }
    }
}

#[test]
fn an_interrupt_works_with_closed_outputs() {
    let folder = TestFolder::new();
    let mut child = mancala(["match"])
        .args([folder.bot("hang"), folder.bot("sound"), "--move-time=1h".to_owned()])
        .command()
        .stdout(closed_pipe())
        .stderr(closed_pipe())
        .spawn()
        .expect("mancala starts");
    folder.wait_for("done");
    kill_process(Pid::from_child(&child), Signal::INT).expect("mancala is there");
    assert_eq!(status_of(&mut child).code(), Some(130));
    folder.none_left();
}

/// A shell without job control has what it starts in the background ignore Ctrl-C, and `nohup` a
/// hang-up. Who presses Ctrl-C or sends it wants the matches to end, wherever they were started.
#[test]
fn an_ignored_hangup_stays_ignored_and_an_interrupt_does_not() {
    let folder = TestFolder::new();
    let mut child = through("sh", &["-c", r#"trap "" HUP INT; exec "$0" "$@""#])
        .args(["match", &folder.bot("announce 1 3"), &folder.bot("sound")])
        .args(ENDLESS)
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .expect("sh starts");
    folder.wait_for("done");
    kill_process(Pid::from_child(&child), Signal::HUP).expect("mancala is there");
    std::thread::sleep(Duration::from_millis(300));
    assert_eq!(child.try_wait().expect("it can be asked"), None, "the match goes on");
    kill_process(Pid::from_child(&child), Signal::INT).expect("mancala is there");
    assert_eq!(status_of(&mut child).code(), Some(130));
    folder.none_left();
}

#[test]
fn exits_are_seen_under_a_parent_that_ignores_sigchld() {
    // Not every shell passes it on, so each is asked first.
    let ways: [(&str, &[&str]); 4] = [
        ("env", &["--ignore-signal=CHLD"]),
        ("bash", &["-c", r#"trap "" CHLD; exec "$0" "$@""#]),
        ("perl", &["-e", r#"$SIG{CHLD} = "IGNORE"; exec @ARGV"#]),
        (
            "python3",
            &[
                "-c",
                "import os, signal, sys; signal.signal(signal.SIGCHLD, signal.SIG_IGN); os.execvp(sys.argv[1], sys.argv[1:])",
            ],
        ),
    ];
    let passes_it_on = |(program, arguments): &(&str, &[&str])| {
        let mut command = Command::new(program);
        let output = command.args(*arguments).args(["cat", "/proc/self/status"]).output();
        output.is_ok_and(|output| ignores(&String::from_utf8_lossy(&output.stdout), SIGCHLD))
    };
    let Some((program, arguments)) = ways.into_iter().find(passes_it_on) else {
        skipped("a parent that ignores SIGCHLD", "nothing here starts a program that way");
        return;
    };
    for (mode, code, kind) in [
        ("sound", 0, json!(null)),
        ("exit-3", 3, json!("exited")),
        ("hang-after-all", 0, json!(null)),
        ("show-signals", 3, json!("exited")),
    ] {
        let folder = TestFolder::new();
        let output = through(program, arguments)
            .args(["match", "--strict", "--format=json", "--record", &folder.file("record")])
            .args([folder.bot(mode), folder.bot("witness")])
            .output()
            .expect("mancala starts");
        assert_eq!(String::from_utf8_lossy(&output.stderr), "");
        assert_eq!(output.status.code(), Some(code), "{mode}");
        let record: serde_json::Value = serde_json::from_slice(&output.stdout).expect("a record");
        let fault = &record["rounds"][0]["result"]["fault"];
        assert_eq!(fault["kind"], kind, "{fault:#}");
        if mode == "exit-3" {
            assert_eq!(fault["detail"], "exited with code 3 before it answered");
        }
        if mode == "show-signals" {
            let shown = fault["stderr"].as_str().expect("text");
            assert!(shown.starts_with("SigIgn:") && !ignores(shown, SIGCHLD), "{shown}");
        }
        assert_eq!(record["rounds"][1]["result"]["reason"], "completed");
        folder.none_left();
    }
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
    let test_folder = TestFolder::new();
    refused(&test_folder, &test_folder.marker(), "cannot write the record file");
    refused(
        &test_folder,
        &test_folder.file("no/such/folder"),
        "no/such/folder: No such file or directory",
    );
    fs::write(test_folder.file("file"), "").expect("a file is made");
    refused(&test_folder, &test_folder.file("file/record"), "file/record: Not a directory");

    let read_only = test_folder.file("read-only");
    fs::write(&read_only, "").expect("a file is made");
    fs::set_permissions(&read_only, fs::Permissions::from_mode(0o444)).expect("it may be");
    if fs::OpenOptions::new().append(true).open(&read_only).is_ok() {
        skipped("a read-only record file", "for this user nothing is read-only");
    } else {
        refused(&test_folder, &read_only, "read-only: Permission denied");
    }
}

#[test]
fn a_full_disk_is_an_error_of_one_line() {
    if !Path::new("/dev/full").exists() {
        skipped("a full disk", "there is no /dev/full");
        return;
    }
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

#[test]
fn strict_exits_with_3_after_a_fault() {
    let folder = TestFolder::new();
    let play = |first: &str, second: &str, options: &[&str]| {
        mancala(["match", "--record", &folder.file("record")])
            .args([folder.bot(first), folder.bot(second)])
            .args(options)
            .run()
    };
    play("sound", "sound", &["--strict"]).success();
    play("words", "sound", &[]).success();
    for (first, second) in [("words", "sound"), ("sound", "words 2 1")] {
        let Outcome { code, stdout, stderr } = play(first, second, &["--strict"]);
        assert_eq!((code, stderr.as_str()), (Some(3), ""));
        assert!(stdout.contains("forfeits, invalid_reply"), "{stdout}");
    }
    // All of them count: the work was done.
    mancala(["replay", &folder.file("record")]).run().success().says("4 of 4 matches are valid");
}

#[test]
fn a_bot_that_cannot_be_started_is_an_error_before_the_match() {
    for seat in [0, 1] {
        let folder = TestFolder::new();
        let mut bots = ["lost=./no/such/bot".to_owned(), folder.bot("sound")];
        bots.swap(0, seat);
        let record = folder.file("record");
        let output = mancala(["match", "--format=json", "--record", &record]).args(bots).run();
        output.failure(1, "cannot start bot \"lost\": ./no/such/bot: no such file");
        assert_eq!(folder.read("record"), "");
        folder.none_left();
    }
}

#[test]
fn a_program_removed_after_round_1_forfeits_round_2() {
    for seat in [0, 1] {
        let folder = TestFolder::new();
        let program = folder.file("vanishing");
        std::os::unix::fs::symlink(env!("CARGO_BIN_EXE_hostile"), &program).expect("a link");
        let vanishing = format!("gone='{program}' vanish 1 1 '{}'", folder.marker());
        let mut bots = [vanishing, folder.bot("sound")];
        bots.swap(0, seat);
        let record = folder.file("record");
        let output = mancala(["match", "--format=json", "--record", &record]).args(bots).run();
        let played = output.success().json();
        let rounds = &played["rounds"];
        assert_eq!(rounds[0]["result"]["fault"]["kind"], "exited", "{played:#}");
        let fault = &rounds[1]["result"]["fault"];
        assert_eq!(fault["bot"], json!(seat), "{played:#}");
        assert_eq!(fault["kind"], "start_failed");
        let detail = fault["detail"].as_str().expect("a detail");
        assert!(detail.contains("vanishing: no such file"), "{detail}");
        let mut score = [36, 36];
        score[seat] = 0;
        assert_eq!(rounds[1]["result"]["score"], json!(score));
        assert_eq!(rounds[1]["moves"], json!([]));
        mancala(["replay", &record]).run().success().says("1 of 1 matches are valid");
        folder.none_left();
    }
}

#[test]
fn a_bot_is_given_three_descriptors() {
    for seat in [0, 1] {
        let folder = TestFolder::new();
        let mut bots = [folder.bot("show-descriptors"), folder.bot("sound")];
        bots.swap(0, seat);
        // Nor does it get one that the referee itself was given.
        let output = through("sh", &["-c", r#"exec "$0" "$@" 7</dev/null"#])
            .args(["match", "--format=json", "--record", &folder.file("record")])
            .args(bots)
            .output()
            .expect("a shell starts");
        let record: serde_json::Value = serde_json::from_slice(&output.stdout).expect("a record");
        // In round 2 it is a process that was started while the other one ran.
        for round in 0..2 {
            let fault = &record["rounds"][round]["result"]["fault"];
            assert_eq!(fault["bot"], json!(seat), "{record:#}");
            assert_eq!(fault["stderr"], "descriptors: 0 1 2\n");
        }
    }
}

#[test]
fn the_referees_memory_is_bounded_while_a_bot_floods_it() {
    let folder = TestFolder::new();
    let (mut stdout, writer) = std::io::pipe().expect("a pipe is made");
    let mut command = mancala(["match", "--format=json", "--record", &folder.file("record")])
        .args([folder.bot("pour"), folder.bot("flood 2 1")])
        .args(&ENDLESS[..3])
        .args(["--max-moves=1000", "--move-time=20s"])
        .command();
    let mut child = command.stdout(writer).spawn().expect("mancala starts");
    drop(command);
    // When the result begins, all has been played and written to the record; and the result is
    // more than the pipe holds, so that the referee waits to be looked at.
    let mut first = [0];
    stdout.read_exact(&mut first).expect("a result");
    let status = fs::read_to_string(format!("/proc/{}/status", child.id())).expect("it runs");
    let rest = text_of(stdout);
    assert_eq!(status_of(&mut child).code(), Some(0));
    let result = format!("{}{rest}", char::from(first[0]));
    assert!(result.len() > 128 * 1024, "{} bytes", result.len());
    let record: serde_json::Value = serde_json::from_str(&result).expect("a record");
    assert_eq!(record["rounds"][0]["result"]["reason"], "move_limit");
    assert_eq!(record["rounds"][1]["result"]["reason"], "oversized_reply");

    let kib = |field: &str| -> u32 {
        let found = status.lines().find_map(|line| line.strip_prefix(field)).expect("the field");
        found.trim().trim_end_matches(" kB").parse().expect("a number of KiB")
    };
    // Pages of the program's own file are as many as the compiler made it.
    let own = kib("VmHWM:") - kib("RssFile:");
    assert!(own < 3 * 1024, "{own} KiB");
    folder.none_left();
}
