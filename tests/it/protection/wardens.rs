//! What a bot can do to its own warden outside the sandbox, stop it or kill it, and what comes of
//! that: a verdict as ever, in no more than a few seconds, and nothing that is left.

use std::collections::BTreeSet;
use std::io::Read as _;
use std::os::unix::process::CommandExt;
use std::path::PathBuf;
use std::process::{Child, Stdio};
use std::time::Duration;

use rustix::process::{Pid, Signal, kill_process, kill_process_group};
use serde_json::Value;
use signal_hook::consts::SIGINT;

use crate::processes::{below, gone_within, kill_all_wardens_of, named};
use crate::program::{Run, mancala, wait_until_handled};
use crate::requirements;
use crate::test_folder::{ENDLESS, TestFolder, status_of, wait_until, within};

/// A match with a warden that does not answer is over so long after it began: the referee waits
/// for the warden a few seconds at most.
const A_FEW_SECONDS: Duration = Duration::from_secs(8);

/// A stopped warden is woken when the referee was killed, and ends its bot at once.
const WOKEN_WITHIN: Duration = Duration::from_secs(2);

/// Where a bot's warden was stopped or killed, time is not judged.
const UNHURRIED: &str = "--move-time=20s";

/// Fails where the program does not end within `time`.
#[track_caller]
fn ends_within(child: &mut Child, time: Duration) {
    let has_ended = || child.try_wait().expect("it can be looked at").is_some();
    assert!(within(time, has_ended), "it does not end");
}

/// A run with an empty folder for temporary files, and that folder.
fn with_temporary_folder(run: Run, folder: &TestFolder) -> (Run, String) {
    let temporary = folder.file("tmp");
    std::fs::create_dir(&temporary).expect("a folder is made");
    (run.with_temporary(&temporary), temporary)
}

/// Waits until nothing is left in this folder: a warden may remove the last of it after the match.
#[track_caller]
fn wait_until_empty(folder: &str) {
    let is_empty = || std::fs::read_dir(folder).expect("it is there").next().is_none();
    wait_until("private folders are left", is_empty);
}

/// The hostile bot in that mode, which sends its warden this signal when its round begins.
fn after_a_signal(folder: &TestFolder, signal: &str, mode: &str) -> String {
    let bot = folder.bot(mode);
    let (program, arguments) = bot.split_once("' ").expect("a quoted program");
    format!("{program}' --signal {signal} {arguments}")
}

/// The record of a match of this bot against a sound one, which leaves nothing.
#[track_caller]
fn record_of(folder: &TestFolder, bot: &str) -> Value {
    let mut child = mancala(["match", "--format=json", "--rounds=1", UNHURRIED])
        .args([bot, &folder.bot("sound")])
        .command()
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("mancala starts");
    let referee = Pid::from_child(&child);
    ends_within(&mut child, A_FEW_SECONDS);
    let output = child.wait_with_output().expect("mancala ends");
    let stderr = String::from_utf8_lossy(&output.stderr);
    assert_eq!((output.status.code(), &*stderr), (Some(0), ""));
    gone_within(referee, Duration::from_millis(100));
    folder.none_left();
    serde_json::from_slice(&output.stdout).expect("a record")
}

/// Holds the promise `goes-on`.
#[test]
fn a_bot_that_kills_its_warden_plays_on_and_is_ended() {
    for mode in ["sound", "hang-after-all", "daemon"] {
        let folder = TestFolder::new();
        let record = record_of(&folder, &after_a_signal(&folder, "KILL", mode));
        assert_eq!(record["rounds"][0]["result"]["reason"], "completed", "{mode}: {record:#}");
    }
}

/// Holds the promise `goes-on`.
#[test]
fn a_bot_that_stops_its_warden_plays_on_and_is_ended() {
    for mode in ["sound", "hang-after-all", "daemon"] {
        let folder = TestFolder::new();
        let record = record_of(&folder, &after_a_signal(&folder, "STOP", mode));
        assert_eq!(record["rounds"][0]["result"]["reason"], "completed", "{mode}: {record:#}");
    }
}

#[test]
fn exit_statuses_are_known_without_a_warden() {
    for signal in ["STOP", "KILL"] {
        let folder = TestFolder::new();
        let record = record_of(&folder, &after_a_signal(&folder, signal, "exit-3"));
        let fault = &record["rounds"][0]["result"]["fault"];
        let detail = fault["detail"].as_str().expect("a detail");
        assert!(detail.starts_with("exited with code 3"), "{signal}: {detail}");
        assert_eq!((&fault["bot"], &fault["kind"]), (&0.into(), &"exited".into()), "{record:#}");
    }
}

/// Holds the promise `apart`.
#[test]
fn sandboxed_bots_cannot_signal_what_starts_them() {
    if !requirements::sandbox_is_there("signals to what starts a bot") {
        return;
    }
    let mut modes = ["kill-starter", "stop-starter"].repeat(10);
    if requirements::are_there("perl", "signals to what starts a bot, for a descriptor") {
        modes.push("kill-starter-by-descriptor");
    }
    for mode in modes {
        let test_folder = TestFolder::new();
        let run = mancala(["match", "--sandbox", "--format=json", UNHURRIED])
            .args([test_folder.bot(mode), test_folder.bot("sound")]);
        let (run, temporary) = with_temporary_folder(run, &test_folder);
        let record = run.run_within(A_FEW_SECONDS).code(0).json();
        for round in record["rounds"].as_array().expect("rounds") {
            assert_eq!(round["result"]["reason"], "completed", "{mode}: {record:#}");
        }
        wait_until_empty(&temporary);
        test_folder.none_left();
    }
}

#[test]
fn without_a_sandbox_signals_arrive_and_the_match_continues() {
    // As the machine is, the signal comes before anybody knows that the bot runs, or later.
    for mode in ["kill-starter", "stop-starter"].repeat(5) {
        let folder = TestFolder::new();
        let outcome = mancala(["match", "--format=json", UNHURRIED])
            .args([folder.bot(mode), folder.bot("sound")])
            .run_within(A_FEW_SECONDS);
        // The bot ends, and loses, where its signal is refused.
        let record = outcome.code(0).json();
        for round in record["rounds"].as_array().expect("rounds") {
            assert_eq!(round["result"]["reason"], "completed", "{mode}: {record:#}");
        }
        folder.none_left();
    }
}

/// Holds the promise `goes-on`.
#[test]
fn killing_every_warden_does_not_end_the_match() {
    for killer_is_second in [false, true, false, true] {
        let test_folder = TestFolder::new();
        let mut bots = [test_folder.bot("kill-wardens-for-ever"), test_folder.bot("sound")];
        if killer_is_second {
            bots.reverse();
        }
        let run = mancala(["match", "--format=json", UNHURRIED]).args(bots);
        let (run, temporary) = with_temporary_folder(run, &test_folder);
        let record = run.run_within(A_FEW_SECONDS).success().json();
        let rounds = record["rounds"].as_array().expect("rounds");
        assert_eq!(rounds.len(), 2, "{record:#}");
        for round in rounds {
            assert_eq!(round["result"]["reason"], "completed", "{record:#}");
        }
        wait_until_empty(&temporary);
        test_folder.none_left();
    }
}

/// Holds the promise `ends`.
#[test]
fn private_folders_of_a_killed_warden_and_of_a_killed_referee_are_removed() {
    if !requirements::sandbox_is_there("folders of those that were killed") {
        return;
    }
    let test_folder = TestFolder::new();
    let temporary = test_folder.file("tmp");
    std::fs::create_dir(&temporary).expect("a folder is made");
    let start = || {
        mancala(["match", "--sandbox", &test_folder.bot("hang"), &test_folder.bot("hang")])
            .args(ENDLESS)
            .with_temporary(&temporary)
            .start()
    };
    let homes = || -> BTreeSet<PathBuf> {
        let entries = std::fs::read_dir(&temporary).expect("it is there");
        entries.map(|entry| entry.expect("it is there").path()).collect()
    };
    // Two homes, none of them from before, and the private folder of a bot in each.
    let wait_for_bots = |before: &BTreeSet<PathBuf>| {
        let mut found = BTreeSet::new();
        wait_until(&format!("no two others come after {before:?}"), || {
            found = homes();
            found.len() == 2
                && found.iter().all(|home| !before.contains(home) && home.join("1").exists())
        });
        found
    };
    // Somebody else kills the wardens: the referee says so, and removes what they had.
    let mut child = start();
    wait_for_bots(&BTreeSet::new());
    let referee = Pid::from_child(&child);
    wait_until("two bots do not run", || named(referee, "hostile").len() == 2);
    kill_all_wardens_of(referee);
    assert_eq!(status_of(&mut child).code(), Some(1));
    let mut said = String::new();
    child.stderr.take().expect("its stderr").read_to_string(&mut said).expect("text");
    let why = ": the process that keeps it in the sandbox was killed";
    assert!(said.contains(why), "{said}");
    wait_until_empty(&temporary);
    // Somebody kills them and the referee: the next one removes what they had, and nothing of one
    // that still plays.
    let mut child = start();
    let killed = wait_for_bots(&BTreeSet::new());
    let referee = Pid::from_child(&child);
    kill_process(referee, Signal::STOP).expect("mancala is there");
    kill_all_wardens_of(referee);
    kill_process(referee, Signal::KILL).expect("mancala is there");
    assert_eq!(status_of(&mut child).code(), None);
    assert_eq!(homes(), killed);
    let mut child = start();
    let playing = wait_for_bots(&killed);
    mancala(["match", "--sandbox", "builtin:random", "builtin:random"])
        .with_temporary(&temporary)
        .run()
        .code(0);
    // Those of the match that is still played, and no others.
    assert_eq!(wait_for_bots(&killed), playing);
    kill_process(Pid::from_child(&child), Signal::INT).expect("mancala is there");
    assert_eq!(status_of(&mut child).code(), Some(130));
    wait_until_empty(&temporary);
}

/// A match whose first bot has stopped its warden and hangs now.
fn with_a_stopped_warden(folder: &TestFolder) -> Child {
    let bot = after_a_signal(folder, "STOP", "hang");
    let child = mancala(["match", &bot, &folder.bot("sound")]).args(ENDLESS).start();
    folder.wait_for("stopped");
    folder.wait_for("done");
    child
}

#[test]
fn an_interrupt_ends_a_match_with_a_stopped_warden() {
    let folder = TestFolder::new();
    let mut child = with_a_stopped_warden(&folder);
    let referee = Pid::from_child(&child);
    kill_process(referee, Signal::INT).expect("mancala is there");
    ends_within(&mut child, A_FEW_SECONDS);
    assert_eq!(status_of(&mut child).code(), Some(130));
    gone_within(referee, Duration::from_millis(100));
    folder.none_left();
}

/// The first interrupt waits for what keeps the bots, which is stopped here; the second one does
/// not, and then the program says no more.
#[test]
fn a_second_interrupt_ends_the_match_at_once_and_leaves_nothing() {
    let is_at_once = || {
        let folder = TestFolder::new();
        let child =
            mancala(["match", &folder.bot("hang"), &folder.bot("sound")]).args(ENDLESS).start();
        folder.wait_for("done");
        let referee = Pid::from_child(&child);
        for process in below(referee).iter().filter_map(|process| process.parse().ok()) {
            let process = Pid::from_raw(process).expect("no process has the number 0");
            let _ = kill_process(process, Signal::STOP);
        }
        kill_process(referee, Signal::INT).expect("mancala is there");
        // Two signals at once would be one.
        while is_interrupt_pending(referee) {
            std::thread::sleep(Duration::from_millis(1));
        }
        let was_there = kill_process(referee, Signal::INT).is_ok();
        let output = child.wait_with_output().expect("mancala ends");
        assert_eq!(output.status.code(), Some(130));
        gone_within(referee, WOKEN_WITHIN);
        folder.none_left();
        was_there && output.stderr.is_empty()
    };
    // On a busy machine the first one may have come to its end before the second arrives.
    assert!((0..5).any(|_| is_at_once()), "the second interrupt was waited with");
}

/// Whether a process has a SIGINT that it has not taken yet.
fn is_interrupt_pending(process: Pid) -> bool {
    let status = std::fs::read_to_string(format!("/proc/{}/status", process.as_raw_nonzero()));
    let status = status.unwrap_or_default();
    let mut pending = status
        .lines()
        .filter_map(|line| line.strip_prefix("SigPnd:").or_else(|| line.strip_prefix("ShdPnd:")));
    let bit = 1 << (Signal::INT.as_raw() - 1);
    pending.any(|mask| u64::from_str_radix(mask.trim(), 16).is_ok_and(|mask| mask & bit != 0))
}

#[test]
fn a_stopped_warden_wakes_when_the_referee_is_killed() {
    let folder = TestFolder::new();
    let mut child = with_a_stopped_warden(&folder);
    let referee = Pid::from_child(&child);
    kill_process(referee, Signal::KILL).expect("mancala is there");
    gone_within(referee, WOKEN_WITHIN);
    folder.none_left();
    assert_eq!(status_of(&mut child).code(), None);
}

/// A terminal signals the whole group: the referee and, for as long as they have just begun,
/// its wardens. Whatever it hits, the match is interrupted and not the system at fault.
#[test]
fn ctrl_c_while_wardens_and_bots_start_is_an_interrupt() {
    // Each comes a little later than the one before.
    for run in 0..35 {
        let folder = TestFolder::new();
        let child = mancala(["match", &folder.bot("hang"), &folder.bot("sound")])
            .args(ENDLESS)
            .command()
            .process_group(0)
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(Stdio::piped())
            .spawn()
            .expect("mancala starts");
        // Before that the system ends it as any program, and it has started nothing yet.
        wait_until_handled(&child, SIGINT);
        std::thread::sleep(Duration::from_micros(400 * run));
        let group = Pid::from_child(&child);
        kill_process_group(group, Signal::INT).expect("mancala is there");
        let output = child.wait_with_output().expect("mancala ends");
        let stderr = String::from_utf8_lossy(&output.stderr);
        let end = (output.status.code(), &*stderr);
        assert_eq!(end, (Some(130), "mancala: interrupted\n"), "run {run}");
        gone_within(group, Duration::from_millis(200));
        folder.none_left();
    }
}
