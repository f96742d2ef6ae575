//! The processes of bots: how they start, what they inherit, how their end is seen.

use std::collections::BTreeSet;
use std::fs::{self, File};
use std::io::Read;
use std::process::Command;

use rustix::process::{Pid, Signal, kill_process};
use serde_json::json;
use signal_hook::consts::SIGCHLD;

use crate::processes::{GONE_WITHIN, below, gone_within};
use crate::program::{ignores, mancala, text_of, through};
use crate::requirements;
use crate::test_folder::{ENDLESS, TestFolder, status_of, wait_until};

/// Holds the promise `ends`.
#[test]
fn the_bots_of_a_killed_referee_are_gone_within_a_second() {
    // Bots that hang, that heed no signal, that answer for ever, and that have left orphans and
    // daemons in sessions of their own.
    for mode in ["hang", "hang-deaf", "announce", "orphan", "daemon"] {
        let folder = TestFolder::new();
        let mut child = mancala(["match"])
            .args([folder.bot(&format!("{mode} 1 3")), folder.bot("announce 1 3")])
            .args(ENDLESS)
            .start();
        folder.wait_for("done");
        let referee = Pid::from_child(&child);
        assert!(below(referee).len() >= 4, "two wardens and two bots: {:?}", below(referee));
        kill_process(referee, Signal::KILL).expect("mancala is there");
        gone_within(referee, GONE_WITHIN);
        folder.none_left();
        assert_eq!(status_of(&mut child).code(), None);
    }
}

/// A shell that becomes this program leaves it children, such as the readers of `> >(cat)`, and later
/// perhaps children of those. They are nobody's bots.
#[test]
fn what_a_shell_leaves_to_the_program_is_never_ended() {
    if !requirements::are_there("bash", "a shell that becomes the program") {
        return;
    }
    for command in ["match", "tournament --oversubscribe"] {
        let folder = TestFolder::new();
        let bot = folder.file("bot.sh");
        // A warden that was killed is when a match ends what has no parent.
        let kills_its_warden = folder.bot("kill-starter");
        fs::write(&bot, format!("touch began\nexec {kills_its_warden}\n"))
            .expect("a bot is written");
        let script = format!(
            "wait_for() {{ for i in {{1..6000}}; do [ -e \"$1\" ] && return; sleep 0.01; done; }}
             {{ wait_for ended; echo child >> alive; }} &
             {{ {{ wait_for ended; echo orphan >> alive; }} & wait_for began; }} &
             export -f wait_for
             setsid bash -c 'wait_for ended; echo apart >> alive' &
             exec '{}' {command} 'killer=bash bot.sh' 'sound={}' > >(cat > table)",
            env!("CARGO_BIN_EXE_mancala"),
            folder.bot("sound")
        );
        let errors = File::create(folder.file("errors")).expect("the folder is there");
        let shell = Command::new("bash")
            .args(["-c", &script])
            .current_dir(folder.path())
            .stderr(errors)
            .status()
            .expect("bash starts");
        assert_eq!(shell.code(), Some(0), "{command}: {}", folder.read("errors"));
        wait_until("the table is not whole", || folder.read("table").contains("killer"));
        fs::write(folder.file("ended"), "").expect("the folder is there");
        wait_until("one was ended", || folder.read("alive").lines().count() == 3);
        let alive: BTreeSet<_> = folder.read("alive").lines().map(str::to_owned).collect();
        assert_eq!(alive, ["apart", "child", "orphan"].map(str::to_owned).into());
        folder.none_left();
    }
}

#[test]
fn exits_are_seen_under_a_parent_that_ignores_sigchld() {
    let (program, arguments) = ("env", ["--ignore-signal=CHLD"]);
    let output = Command::new(program).args(arguments).args(["cat", "/proc/self/status"]).output();
    let output = output.expect("env starts");
    assert!(ignores(&String::from_utf8_lossy(&output.stdout), SIGCHLD), "{output:?}");
    for (mode, code, kind) in [
        ("sound", 0, json!(null)),
        ("exit-3", 3, json!("exited")),
        ("hang-after-all", 0, json!(null)),
        ("show-signals", 3, json!("exited")),
    ] {
        let folder = TestFolder::new();
        let output = through(program, &arguments)
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
fn a_pipe_in_place_of_a_program_is_not_waited_for() {
    let folder = TestFolder::new();
    let pipe = folder.file("pipe");
    assert!(std::process::Command::new("mkfifo").arg(&pipe).status().unwrap().success());
    let words = "is a pipe, a socket or a device, not a program";
    mancala(["match", &pipe, "builtin:random"]).run().failure(1, words);
    mancala(["check", &pipe]).run().failure(1, words);
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
