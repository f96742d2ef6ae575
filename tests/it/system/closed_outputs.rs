//! Outputs that nobody reads and streams that are closed: no panic, and the right exit code.

use std::fs;
use std::io::{BufRead, BufReader};
use std::process::{Command, Stdio};

use crate::program::{closed_pipe, mancala, text_of, through};
use crate::test_folder::{TestFolder, status_of};

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
