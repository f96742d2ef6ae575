//! How bots are kept: what they may use, what they see, and that nothing of them is left, even
//! when the referee or their warden is killed.

use std::fs;
use std::io::Read as _;
use std::path::Path;
use std::process::Stdio;
use std::time::{Duration, Instant};

use rustix::process::{Pid, Signal, kill_process};
use serde_json::Value;

use super::program::{Outcome, hostile, mancala, repository};
use super::requirements;
use super::test_folder::{ENDLESS, HANGS, TestFolder, status_of};
use crate::terminal::Terminal;

/// What the referee promises: its bots are gone so long after it was killed.
pub const GONE_WITHIN: Duration = Duration::from_secs(1);

/// All processes below a referee, its wardens among them, by what they inherit from it.
pub fn below(referee: Pid) -> Vec<String> {
    let mark = format!("MANCALA_BOT={}", referee.as_raw_nonzero());
    let processes = fs::read_dir("/proc").expect("processes are listed").flatten();
    let marked = processes.filter(|process| {
        let environment = fs::read(process.path().join("environ")).unwrap_or_default();
        environment.split(|&byte| byte == 0).any(|variable| variable == mark.as_bytes())
    });
    marked.map(|process| process.file_name().to_string_lossy().into_owned()).collect()
}

/// Nothing is left below a referee, this long from now at the latest.
#[track_caller]
pub fn gone_within(referee: Pid, time: Duration) {
    let end = Instant::now() + time;
    while !below(referee).is_empty() {
        assert!(Instant::now() < end, "left are {:?}", below(referee));
        std::thread::sleep(Duration::from_millis(5));
    }
}

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

#[test]
fn an_interrupt_after_the_record_ends_the_bots_at_once() {
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
    let end = Instant::now() + HANGS;
    while !folder.read("record").ends_with('\n') {
        assert!(Instant::now() < end, "there is no record");
        std::thread::sleep(Duration::from_millis(1));
    }
    kill_process(referee, Signal::INT).expect("mancala is there");
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
}

/// The detail of the fault with which the first bot forfeits the first round.
#[track_caller]
fn first_fault(outcome: &Outcome) -> String {
    let record = outcome.json();
    let fault = &record["rounds"][0]["result"]["fault"];
    assert_eq!(fault["bot"], 0, "{record}");
    assert_eq!(fault["kind"], "exited", "{record}");
    fault["detail"].as_str().expect("it has a detail").to_owned()
}

#[test]
fn an_exceeded_limit_is_named_and_without_it_the_bot_plays_on() {
    let folder = tempfile::tempdir().expect("a folder is made");
    let file = folder.path().join("file").display().to_string();
    let sound = hostile("sound 1 1 /").replace('\'', "");
    let many = format!("for i in 1 2 3 4 5 6 7 8 9; do sleep 60 & done; sleep 0.3; exec {sound}");
    let large = format!("head -c 100000 /dev/zero > {file} || exit 1; exec {sound}");
    let busy = format!("i=0; while [ $i -lt 900000 ]; do i=$((i+1)); done; exec {sound}");
    for (command, option, limit, words) in [
        (&many, "--processes", "5", "more than 5 processes and threads (--processes 5): "),
        (&large, "--file-size", "64KiB", "too large a file, or too many (--file-size 64KiB): "),
        (&busy, "--cpu-time", "1s", "out of processor time (--cpu-time 1s): "),
    ] {
        // A loop of the shell may take longer or shorter than the limit, but not for ever.
        let busy = option == "--cpu-time";
        let command = if busy { "while :; do :; done" } else { command };
        let bot = format!("greedy-for-more=sh -c '{command}'");
        let run = |limit: &str| {
            mancala(["match", "--format=json", "--move-time=20s", "--rounds=1", option, limit])
                .args([&bot, "builtin:easy"])
                .run()
        };
        let detail = first_fault(&run(limit).code(0));
        assert!(detail.starts_with(words), "{detail}");
        if !busy {
            let record = run("none").success().json();
            assert_eq!(record["rounds"][0]["result"]["fault"], Value::Null, "{record}");
            assert_eq!(record["limits"]["resources"].get(option.trim_start_matches('-')), None);
        }
    }
}

#[test]
fn a_bot_sees_only_the_usual_environment_variables() {
    let environment = |arguments: &[&str]| {
        let mut command = mancala(["match", "--format=json", "--rounds=1"])
            .args(arguments)
            .args(["sh -c 'env >&2; exit 1'", "builtin:easy"])
            .command();
        command.env("SECRET_TOKEN", "hunter2").env("LC_ALL", "C").env_remove("MANCALA_BOT");
        let output = command.output().expect("mancala starts");
        let record: Value = serde_json::from_slice(&output.stdout).expect("a record");
        let stderr = record["rounds"][0]["result"]["fault"]["stderr"].as_str();
        stderr.expect("the bot has written").to_owned()
    };
    let usual = environment(&[]);
    assert!(usual.contains("PATH=") && usual.contains("LC_ALL=C"), "{usual}");
    assert!(!usual.contains("SECRET") && !usual.contains("CARGO_PKG"), "{usual}");
    let more = environment(&["--env", "SECRET_TOKEN"]);
    assert!(more.contains("SECRET_TOKEN=hunter2"), "{more}");
}

#[test]
fn a_bot_cannot_write_to_the_terminal() {
    let folder = TestFolder::new();
    let bot = folder.bot("sound").replace('\'', "");
    let shell = format!("loud=sh -c '(echo GOTCHA > /dev/tty) 2>/dev/null; exec {bot}'");
    let Some(terminal) = Terminal::start(&["match", &shell, "builtin:easy"], (100, 30)) else {
        return;
    };
    let (code, output) = terminal.end();
    assert_eq!(code, Some(0), "{output}");
    assert!(output.contains("loud") && !output.contains("GOTCHA"), "{output}");
}

#[test]
fn wrap_puts_a_command_in_front_of_every_bot() {
    let bot = "sh -c 'echo $GREETING >&2; exit 1'";
    let outcome = mancala(["match", "--format=json", "--wrap", "env 'GREETING=good day'"])
        .args([format!("a={bot}"), format!("b={bot}")])
        .run()
        .code(0);
    let record = outcome.json();
    for round in record["rounds"].as_array().expect("rounds") {
        assert_eq!(round["result"]["fault"]["stderr"], "good day\n", "{record}");
    }
    assert_eq!(record["limits"]["wrap"], serde_json::json!(["env", "GREETING=good day"]));
    assert_eq!(record["bots"][0]["command"][0], "sh");
    mancala(["match", "--wrap", "no-such-wrapper", "builtin:easy", "builtin:easy"])
        .run()
        .failure(1, "no-such-wrapper: not found on the PATH");
    // Built-in bots are wrapped too.
    mancala(["match", "--wrap", "nice -n 1", "--strict", "builtin:easy", "builtin:random"])
        .run()
        .success();
}

#[test]
fn the_wrap_example_of_the_readme_works() {
    let readme = fs::read_to_string(repository().join("README.md")).expect("there is a README");
    let (_, example) = readme.split_once("`--wrap \"bwrap ").expect("an example");
    let (options, _) = example.split_once("\"`").expect("its end");
    let wrap = format!("bwrap {options}");
    if !requirements::are_there(&wrap, "another sandbox") {
        return;
    }
    let folder = tempfile::tempdir().expect("a folder is made");
    let file = folder.path().join("file").display().to_string();
    let bot = format!("sh -c 'echo x > {file} && exit 7; exit 8'");
    let run = |options: &[&str]| {
        let arguments = ["match", "--format=json", "--rounds=1", &bot, "builtin:easy"];
        first_fault(&mancala(arguments).args(options).run().code(0))
    };
    assert!(run(&["--wrap", &wrap]).starts_with("exited with code 8"));
    assert!(!Path::new(&file).exists());
    assert!(run(&[]).starts_with("exited with code 7"));
    let test_folder = TestFolder::new();
    mancala(["match", "--strict", "--wrap", &wrap])
        .args([hostile(&format!("sound 1 1 '{}'", test_folder.marker())).as_str(), "builtin:easy"])
        .run()
        .success();
    test_folder.none_left();
}

#[test]
fn the_private_folder_exists_for_the_match_only() {
    if !requirements::sandbox_is_there("the private folder") {
        return;
    }
    let says = "echo $TMPDIR >&2; ls -ld $TMPDIR >&2; echo x > $HOME/x; mkdir -p $TMPDIR/a/b/c";
    let outcome = mancala(["match", "--sandbox", "--format=json", "--rounds=1"])
        .args([&format!("sh -c '{says} && exit 7'"), "builtin:easy"])
        .run()
        .code(0);
    assert!(first_fault(&outcome).starts_with("exited with code 7"));
    let record = outcome.json();
    let stderr = record["rounds"][0]["result"]["fault"]["stderr"].as_str().expect("words");
    let mut lines = stderr.lines();
    let folder = lines.next().expect("the folder's name");
    assert!(lines.next().expect("its modes").starts_with("drwx------"), "{stderr}");
    assert!(folder.contains("mancala-"), "{folder}");
    assert!(!Path::new(folder).exists(), "{folder} is left");
    assert!(outcome.stderr.contains("the sandbox is in force"), "{}", outcome.stderr);
}

#[test]
fn a_bot_cannot_fill_the_disk_file_by_file() {
    if !requirements::sandbox_is_there("many files") {
        return;
    }
    let many = "i=0; while :; do i=$((i+1)); head -c 50000 /dev/zero > $TMPDIR/$i; done";
    let outcome = mancala(["match", "--sandbox", "--format=json", "--rounds=1", "--move-time=20s"])
        .args(["--file-size=1MiB", &format!("sh -c '{many}'"), "builtin:easy"])
        .run()
        .code(0);
    let detail = first_fault(&outcome);
    assert!(detail.starts_with("too large a file, or too many (--file-size 1MiB): "), "{detail}");
}

#[test]
fn only_allowed_paths_can_be_read_and_written() {
    if !requirements::sandbox_is_there("allowed folders") {
        return;
    }
    let folder = tempfile::tempdir().expect("a folder is made");
    let file = folder.path().join("book").display().to_string();
    fs::write(&file, "moves").expect("it is written");
    let try_it = |script: &str, options: &[&str]| {
        let outcome = mancala(["match", "--sandbox", "--format=json", "--rounds=1"])
            .args(options)
            .args([&format!("sh -c '{script} && exit 7; exit 8'"), "builtin:easy"])
            .run()
            .code(0);
        first_fault(&outcome)
    };
    let folder = folder.path().display().to_string();
    let read = format!("cat {file} >&2");
    let write = format!("echo x > {file}");
    let refused =
        "exited with code 8 before it answered; the sandbox may have refused it something";
    assert!(try_it(&read, &[]).starts_with(refused));
    assert!(try_it(&read, &["--allow-read", &file]).starts_with("exited with code 7"));
    assert!(try_it(&read, &["--allow-read", &folder]).starts_with("exited with code 7"));
    assert!(try_it(&write, &["--allow-read", &folder]).contains("code 8"));
    assert_eq!(fs::read_to_string(&file).expect("it is there"), "moves");
    assert!(try_it(&write, &["--allow-write", &folder]).starts_with("exited with code 7"));
    assert_eq!(fs::read_to_string(&file).expect("it is there"), "x\n");
}

#[test]
fn a_private_folder_that_is_hard_to_remove_does_not_delay_the_next_round() {
    if !requirements::sandbox_is_there("a folder that is hard to remove") {
        return;
    }
    let test_folder = TestFolder::new();
    let temporary = test_folder.file("tmp");
    fs::create_dir(&temporary).expect("a folder is made");
    let output = mancala(["match", "--sandbox", "--format=json", "--processes=2"])
        // Or all that is deep would be too much, and a busy machine too slow to make it.
        .args(["--file-size=none", "--move-time=1m"])
        .args([test_folder.bot("leave-a-mess"), test_folder.bot("sound")])
        .command()
        .env("TMPDIR", &temporary)
        .output()
        .expect("mancala starts");
    let stderr = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(0), "{stderr}");
    let record: Value = serde_json::from_slice(&output.stdout).expect("a record");
    let [first, second] = [0, 1].map(|round| &record["rounds"][round]["result"]);
    // Only when all of it was made does it say so.
    assert_eq!(first["fault"]["stderr"], "a mess is made\n", "{record:#}");
    let detail = first["fault"]["detail"].as_str().expect("a detail");
    assert!(detail.starts_with("exited with code 3"), "{detail}");
    assert_eq!(second["reason"], "completed", "{record:#}");
    test_folder.none_left();
    // The warden removes what is left after the match, which takes it as long as it takes.
    let end = Instant::now() + HANGS;
    let left = || fs::read_dir(&temporary).expect("it is there").flatten().collect::<Vec<_>>();
    while !left().is_empty() {
        assert!(Instant::now() < end, "left are {:?}", left());
        std::thread::sleep(Duration::from_millis(5));
    }
}

#[test]
fn too_few_descriptors_for_the_sandbox_are_an_error() {
    if !requirements::sandbox_is_there("few descriptors") {
        return;
    }
    let limited = ["sh", "-c", "ulimit -n 30 && exec \"$0\" \"$@\""];
    mancala(["match", "--sandbox", "builtin:easy", "builtin:easy"])
        .behind(&limited)
        .run()
        .failure(1, "raise the limit with ulimit -n");
}

#[test]
fn a_module_in_the_working_folder_is_found_in_the_sandbox() {
    if !requirements::are_there("python3 --sandbox", "a module in the sandbox") {
        return;
    }
    let folder = tempfile::tempdir().expect("a folder is made");
    let bot = repository().join("examples/python/greedy.py");
    fs::copy(bot, folder.path().join("my_bot.py")).expect("it is copied");
    let outcome = mancala(["match", "--sandbox", "--format=json", "--rounds=1"])
        .args(["python3 -m my_bot", "builtin:easy"])
        .in_folder(folder.path())
        .run()
        .code(0);
    assert_eq!(outcome.json()["rounds"][0]["result"]["reason"], "completed", "{outcome:?}");
}
