//! Ctrl-C, a hang-up and a request to end: the exit code, the record, and nothing left running.

use std::fs;
use std::io::Read;
use std::process::Stdio;

use rustix::process::{Pid, Signal, kill_process};
use signal_hook::consts::{SIGHUP, SIGINT};

use crate::processes::{GONE_WITHIN, gone_within};
use crate::program::{closed_pipe, ignores, mancala, text_of, through};
use crate::test_folder::{ENDLESS, TestFolder, status_of, wait_until};

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
    // What the system ignores cannot end it later.
    let status = fs::read_to_string(format!("/proc/{}/status", child.id())).expect("it runs");
    assert!(ignores(&status, SIGHUP) && !ignores(&status, SIGINT), "{status}");
    kill_process(Pid::from_child(&child), Signal::HUP).expect("mancala is there");
    kill_process(Pid::from_child(&child), Signal::INT).expect("mancala is there");
    assert_eq!(status_of(&mut child).code(), Some(130));
    folder.none_left();
}

#[test]
fn an_interrupt_after_the_record_ends_the_bots_at_once() {
    // On a busy machine the time that bots have to exit may be over before it comes.
    assert!((0..5).any(|_| is_interrupted_after_the_record()), "it was too late each time");
}

/// Interrupts a match after its record was written. Returns whether the program still ran then.
fn is_interrupted_after_the_record() -> bool {
    let folder = TestFolder::new();
    let record = folder.file("record");
    let mut child = mancala(["match", "--record", &record])
        .args([folder.bot("hang-after-all"), folder.bot("hang-after-all")])
        .command()
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .expect("mancala starts");
    let referee = Pid::from_child(&child);
    wait_until("there is no record", || folder.read("record").ends_with('\n'));
    let runs = child.try_wait().expect("it can be looked at").is_none();
    if runs {
        kill_process(referee, Signal::INT).expect("mancala is there");
    }
    // The match was played, recorded and shown, so it is no interrupted one: only the bots' time to
    // exit is cut short.
    assert_eq!(status_of(&mut child).code(), Some(0));
    let mut result = String::new();
    let stdout = child.stdout.as_mut().expect("stdout is piped");
    stdout.read_to_string(&mut result).expect("it is text");
    assert!(result.contains("completed") && result.contains("both"), "{result}");
    gone_within(referee, GONE_WITHIN);
    folder.none_left();
    mancala(["replay", &record]).run().success().says("1 of 1 matches are valid");
    runs
}
