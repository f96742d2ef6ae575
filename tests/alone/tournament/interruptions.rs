//! Whatever ends a tournament, nothing is lost, and nothing counts twice.

use std::fs;
use std::io::{BufRead, BufReader};
use std::process::{Child, Command};
use std::time::Duration;

use rustix::process::{Pid, Signal, kill_process};

use crate::processes::{kill_all_wardens_of, named};
use crate::program::{hostile, mancala, path};
use crate::requirements;
use crate::runner::{Test, tests};
use crate::test_folder::{TestFolder, status_of, wait_until};
use crate::tournaments::{FOUR, config, matches, notes, tournament};

pub const TESTS: &[Test] = tests![
    a_killed_coordinator_and_a_killed_worker_change_nothing,
    a_tournament_stopped_by_a_signal_resumes,
    ctrl_c_in_the_last_match_leaves_nothing_to_resume,
    a_second_ctrl_c_drops_a_match_that_hangs,
    after_ctrl_c_the_match_of_a_dead_worker_is_left_for_resume,
    folders_that_killed_wardens_have_left_are_removed_at_the_end,
    a_partial_last_line_is_saved_and_replaced,
    a_larger_count_extends_a_tournament,
    killing_the_worker_does_not_affect_other_matches,
    a_full_disk_stops_a_tournament_with_a_valid_file,
    an_interrupt_ends_a_build_at_once,
    a_fault_is_told_while_others_play
];

/// A tournament of a second or so; how it is told from an undisturbed one.
fn options(record: &str) -> Vec<String> {
    let options = ["--openings=random:4", "--count=12", "--seed=3", "--record", record];
    FOUR.iter().chain(&options).map(|&option| option.to_owned()).collect()
}

/// The same with a bot among the four that waits for the file `go` from its eighth match on: what
/// happens to the tournament before there is one happens while it runs. It also waits in less than
/// eight matches where the file `starts` is as long.
fn gated_options(folder: &TestFolder, record: &str) -> Vec<String> {
    let [go, starts] = ["go", "starts"].map(|name| folder.file(name));
    let bot = folder.bot("sound");
    let gate = format!(
        "gate=sh -c \"echo >> {starts}; [ $(wc -l < {starts}) -lt 8 ] || \
         while [ ! -e {go} ]; do sleep 0.05; done; exec {bot}\""
    );
    let mut options = options(record);
    options[3] = gate;
    options.push("--move-time=1m".to_owned());
    options
}

fn open_gate(folder: &TestFolder) {
    fs::write(folder.file("go"), "").expect("it is written");
}

/// A tournament that has played some matches, and waits for its gate.
fn begun(folder: &TestFolder, record: &str) -> Child {
    for file in ["go", "starts"] {
        let _ = fs::remove_file(folder.file(file));
    }
    let mut child = tournament().args(gated_options(folder, record)).start();
    let lines = |file: &str| fs::read_to_string(file).unwrap_or_default().lines().count();
    let starts = folder.file("starts");
    while lines(record) < 5 || lines(&starts) < 8 {
        assert_eq!(child.try_wait().unwrap(), None, "it has ended");
        std::thread::sleep(Duration::from_millis(2));
    }
    child
}

fn undisturbed(folder: &TestFolder) -> std::collections::BTreeMap<u64, String> {
    let record = folder.file("undisturbed");
    tournament().args(options(&record)).run().success();
    matches(&[record])
}

/// With the gate, which it opens.
fn undisturbed_gated(folder: &TestFolder) -> std::collections::BTreeMap<u64, String> {
    let record = folder.file("undisturbed");
    open_gate(folder);
    tournament().args(gated_options(folder, &record)).run().success();
    matches(&[record])
}

/// All that a program says on stderr, until it has said `words`.
#[track_caller]
fn read_until(stderr: &mut impl BufRead, words: &str) -> String {
    let mut told = String::new();
    while !told.contains(words) {
        assert!(stderr.read_line(&mut told).expect("it is text") > 0, "{told}");
    }
    told
}

/// A worker of a tournament, once there is one.
fn worker_of(coordinator: &Child) -> Pid {
    let worker = std::iter::repeat_with(|| {
        std::thread::sleep(Duration::from_millis(2));
        let children = format!("/proc/{0}/task/{0}/children", coordinator.id());
        fs::read_to_string(children).ok()?.split_whitespace().next()?.parse().ok()
    });
    worker.take(5000).flatten().next().and_then(Pid::from_raw).expect("a worker")
}

fn a_killed_coordinator_and_a_killed_worker_change_nothing() {
    let folder = TestFolder::new();
    let record = folder.file("record");
    let mut child = begun(&folder, &record);
    child.kill().unwrap();
    status_of(&mut child);
    let mut child = tournament().args(gated_options(&folder, &record)).arg("--resume").start();
    kill_process(worker_of(&child), Signal::KILL).unwrap();
    open_gate(&folder);
    assert!(status_of(&mut child).success());
    assert_eq!(matches(&[record]), undisturbed_gated(&folder));
    folder.none_left();
}

fn a_tournament_stopped_by_a_signal_resumes() {
    let folder = TestFolder::new();
    let record = folder.file("record");
    let undisturbed = undisturbed_gated(&folder);
    for (signal, name) in [(Signal::INT, "int"), (Signal::TERM, "term")] {
        let record = format!("{record}-{name}");
        let mut child = begun(&folder, &record);
        kill_process(Pid::from_child(&child), signal).unwrap();
        let mut stderr = BufReader::new(child.stderr.take().unwrap());
        read_until(&mut stderr, "mancala: stopping");
        open_gate(&folder);
        assert_eq!(status_of(&mut child).code(), Some(130));
        let played = matches(&[&record]).len();
        assert!(played < 72);
        let stderr = std::io::read_to_string(stderr).unwrap();
        let are = if played == 1 { "is" } else { "are" };
        let words = "played; the same command with --resume plays the rest";
        let words = format!("mancala: {played} of 72 matches {are} {words}");
        assert!(stderr.contains(&words), "{stderr}");
        tournament().args(gated_options(&folder, &record)).arg("--resume").run().code(0);
        assert_eq!(matches(&[record]), undisturbed);
    }
    folder.none_left();
}

fn ctrl_c_in_the_last_match_leaves_nothing_to_resume() {
    let folder = TestFolder::new();
    // Each waits until the tournament is stopping.
    let gate = format!("while [ ! -e {} ]; do sleep 0.05; done", folder.file("go"));
    let sound = format!("sh -c \"{gate}; exec {}\"", folder.bot("sound"));
    let late_fault = format!("sh -c 'read start; {gate}; read turn; echo nothing; read turn'");
    let [one, other] = ["one", "other"].map(|name| format!("{name}={late_fault}"));
    let swiss = ["--swiss", "--disqualify-after=1", "--openings=random:2"];
    let two_rounds = [&swiss[..], &["--count=2"]].concat();
    for (name, bots, options, out, byes) in [
        ("one", &[&*sound][..], &[][..], 0, 0),
        ("swiss", &[&*late_fault], &swiss, 1, 0),
        // The third bot sits out, and is alone in the second round.
        ("byes", &[&*one, &*other], &two_rounds, 2, 2),
    ] {
        let _ = fs::remove_file(folder.file("go"));
        let [record, events] = ["record", "events"].map(|what| folder.file(what) + name);
        let play = |more: &[&str]| {
            let run = tournament().args(bots).args(["builtin:random", "--record", &record]);
            run.arg("--move-time=1m").args(options).args(more)
        };
        let mut child = play(&["--events", &events]).start();
        let read = || fs::read_to_string(&events).unwrap_or_default();
        wait_until("no match begins", || read().contains("\"match_began\""));
        kill_process(Pid::from_child(&child), Signal::INT).unwrap();
        let mut stderr = BufReader::new(child.stderr.take().unwrap());
        let mut told = read_until(&mut stderr, "mancala: stopping after 1 running match");
        open_gate(&folder);
        assert_eq!(status_of(&mut child).code(), Some(0), "all is played");
        told += &std::io::read_to_string(stderr).unwrap();
        assert!(!told.contains("--resume") && !told.contains("interrupted"), "{told}");
        let last = read().lines().last().unwrap_or_default().to_owned();
        assert!(last.ends_with("\"reason\":\"completed\"}"), "{last}");
        // Nothing is left: neither a match, nor what comes of it.
        let before = fs::read(&record).unwrap();
        assert_eq!(notes(&record, "disqualified").len(), out, "{name}");
        assert_eq!(notes(&record, "bye").len(), byes, "{name}");
        play(&["--resume"]).run().code(0);
        assert_eq!(fs::read(&record).unwrap(), before, "{name}");
    }
    folder.none_left();
}

fn a_second_ctrl_c_drops_a_match_that_hangs() {
    let folder = TestFolder::new();
    let bot = folder.bot("hang");
    let mut child = tournament().args([&*bot, "builtin:random", "--move-time=1h"]).start();
    folder.wait_for("done");
    let mut lines = BufReader::new(child.stderr.take().unwrap()).lines().map(Result::unwrap);
    for words in ["mancala: stopping after 1 running match", "mancala: stopping"] {
        kill_process(Pid::from_child(&child), Signal::INT).unwrap();
        assert!(lines.any(|line| line.starts_with(words)), "{words}");
    }
    assert_eq!(status_of(&mut child).code(), Some(130));
    folder.none_left();
}

fn after_ctrl_c_the_match_of_a_dead_worker_is_left_for_resume() {
    let folder = TestFolder::new();
    let record = folder.file("record");
    for (options, words) in [
        (&["--record", &record][..], "mancala: a worker died; match 1 is played again at --resume"),
        (&[], "mancala: a worker died; match 1 has no result"),
    ] {
        let folder = TestFolder::new();
        let mut child = mancala(["tournament", "--jobs=1", "--oversubscribe", "--move-time=1h"])
            .args(options)
            .args([folder.bot("hang").as_str(), "builtin:random"])
            .start();
        folder.wait_for("done");
        let mut lines = BufReader::new(child.stderr.take().unwrap()).lines().map(Result::unwrap);
        kill_process(Pid::from_child(&child), Signal::INT).unwrap();
        assert!(lines.any(|line| line.starts_with("mancala: stopping after 1 running match")));
        kill_process(worker_of(&child), Signal::KILL).unwrap();
        assert_eq!(lines.next().as_deref(), Some(words));
        assert_eq!(status_of(&mut child).code(), Some(130));
        folder.none_left();
    }
}

/// As where a warden takes so long to remove what its bot has left that it is killed meanwhile.
fn folders_that_killed_wardens_have_left_are_removed_at_the_end() {
    if !requirements::sandbox_is_there("folders of wardens that were killed in a tournament") {
        return;
    }
    let folder = TestFolder::new();
    let temporary = folder.file("tmp");
    fs::create_dir(&temporary).unwrap();
    let left = || -> Vec<_> {
        fs::read_dir(&temporary).unwrap().map(|entry| entry.unwrap().file_name()).collect()
    };
    let mut child = mancala(["tournament", "--jobs=1", "--oversubscribe", "--sandbox"])
        .args(["--move-time=1h", "--allow-write", &path(folder.path())])
        .args([folder.bot("hang"), folder.bot("hang")])
        .with_temporary(&temporary)
        .start();
    folder.wait_for("done");
    let (coordinator, worker) = (Pid::from_child(&child), worker_of(&child));
    wait_until("two bots do not run", || named(worker, "hostile").len() == 2);
    kill_process(coordinator, Signal::INT).unwrap();
    read_until(&mut BufReader::new(child.stderr.take().unwrap()), "after 1 running match");
    for process in [coordinator, worker] {
        kill_process(process, Signal::STOP).unwrap();
    }
    kill_all_wardens_of(worker);
    kill_process(worker, Signal::KILL).unwrap();
    assert!(left().len() >= 2, "{:?}", left());
    kill_process(coordinator, Signal::CONT).unwrap();
    assert_eq!(status_of(&mut child).code(), Some(130));
    assert!(left().is_empty(), "{:?}", left());
    folder.none_left();
}

fn a_partial_last_line_is_saved_and_replaced() {
    let folder = TestFolder::new();
    let whole = undisturbed(&folder);
    let text = fs::read(folder.file("undisturbed")).unwrap();
    let cut = text[..text.len() - 100].to_vec();
    let zeros = [&*text, &[0; 4096]].concat();
    let torn = [&text[..text.len() - 100], &[0; 50], b"\n"].concat();
    let plan = text[..60].to_vec();
    let (of_match, of_plan) =
        ("a match in it is played again", "it held the plan, which is written");
    for (name, bytes, words) in [
        ("cut", cut, of_match),
        ("zeros", zeros, of_match),
        ("torn", torn, of_match),
        ("plan", plan, of_plan),
    ] {
        let record = folder.file(name);
        fs::write(&record, bytes).unwrap();
        let outcome = tournament().args(options(&record)).arg("--resume").run().code(0);
        assert!(outcome.stderr.contains("was cut off"), "{outcome:#?}");
        assert!(outcome.stderr.contains(words), "{outcome:#?}");
        assert_eq!(matches(&[&record]), whole, "{name}");
        assert!(fs::metadata(format!("{record}.cut-off")).unwrap().len() > 0);
    }
    let record = folder.file("byte");
    fs::write(&record, [&*text, b"{"].concat()).unwrap();
    let outcome = tournament().args(options(&record)).arg("--resume").run().code(0);
    let words = format!("its 1 byte is now in {record}.cut-off; a match in it is played again\n");
    assert!(outcome.stderr.contains(&words), "{outcome:#?}");
}

fn a_larger_count_extends_a_tournament() {
    let folder = TestFolder::new();
    let record = folder.file("record");
    let play = |count: &str, resume: bool| {
        let run = tournament().args(FOUR).args(["--openings=random:4", "--record", &record, count]);
        let outcome = if resume { run.arg("--resume") } else { run }.run().code(0);
        (matches(&[&record]), outcome.stderr)
    };
    let (short, _) = play("--count=2", false);
    let (long, stderr) = play("--count=5", true);
    assert_eq!(stderr, "");
    assert_eq!((short.len(), long.len()), (12, 30));
    assert!(short.iter().all(|(number, game)| long[number] == *game));
    let (same, stderr) = play("--count=2", true);
    assert_eq!(same, long);
    let words = "mancala: --count 2 is less than the 5 of the record file, whose matches stay";
    assert!(stderr.starts_with(words), "{stderr}");
}

fn killing_the_worker_does_not_affect_other_matches() {
    let folder = TestFolder::new();
    let record = folder.file("record");
    let killer = format!("killer={}", hostile("kill-wardens 1 1"));
    let sound = ["a", "b", "c"].map(|name| format!("{name}={}", hostile("sound")));
    let options = ["--openings=random:3", "--count=3", "--record", &record];
    // Long enough for a bot that waits for a warden.
    tournament().arg(&killer).args(&sound).args(options).arg("--move-time=20s").run().code(0);
    let faults: Vec<String> = crate::tournaments::lines(&record)
        .iter()
        .flat_map(|line| {
            line["rounds"]
                .as_array()
                .cloned()
                .unwrap_or_default()
                .into_iter()
                .map(|round| (line["bots"].clone(), round))
                .collect::<Vec<_>>()
        })
        .filter_map(|(bots, round)| {
            let bot = usize::try_from(round["result"]["fault"]["bot"].as_u64()?).ok()?;
            bots[bot]["name"].as_str().map(str::to_owned)
        })
        .collect();
    assert!(faults.iter().all(|bot| bot == "killer"), "{faults:?}");
    assert_eq!(matches(&[record]).len(), 18);
    folder.none_left();
}

fn a_full_disk_stops_a_tournament_with_a_valid_file() {
    let folder = TestFolder::new();
    let record = folder.file("record");
    let options = options(&record);
    let mut shell = Command::new("bash");
    shell.args(["-c", "ulimit -f 40; exec \"$@\"", "bash"]);
    let run = tournament().args(&options).command();
    let program = run.get_program().to_owned();
    let arguments: Vec<_> = run.get_args().map(std::ffi::OsStr::to_owned).collect();
    let output = shell.arg(program).args(arguments).output().expect("bash starts");
    let stderr = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(1), "{stderr}");
    assert!(stderr.contains("cannot write the record file"), "{stderr}");
    let before = matches(&[&record]).len();
    assert!(before > 0 && before < 72);
    tournament().args(&options).arg("--resume").run().code(0);
    assert_eq!(matches(&[record]), undisturbed(&folder));
}

fn an_interrupt_ends_a_build_at_once() {
    let folder = TestFolder::new();
    let marker = folder.file("begun");
    let file = config(
        &folder,
        &format!(
            "[[bot]]\ncommand = \"builtin:easy\"\n[[bot]]\ncommand = \"builtin:hard\"\n\
             build = \"sh -c 'touch {marker}; exec sleep 100'\"\n"
        ),
    );
    let child = tournament().args(["--config", &file]).start();
    folder.wait_for("begun");
    kill_process(Pid::from_child(&child), Signal::INT).unwrap();
    let began = std::time::Instant::now();
    let output = child.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(130));
    assert!(began.elapsed() < Duration::from_secs(50));
    let stderr = String::from_utf8(output.stderr).unwrap();
    assert_eq!(stderr, "mancala: stopping\nmancala: interrupted\n");
    folder.none_left();
}

fn a_fault_is_told_while_others_play() {
    let folder = TestFolder::new();
    let mut child = mancala(["tournament", "--jobs=1", "--oversubscribe", "--move-time=1m"])
        .args([&*folder.bot("hang"), "dying=sh -c 'read start; exit 2'", "builtin:easy"])
        .start();
    let mut stderr = BufReader::new(child.stderr.take().unwrap());
    // In the first match; the bot that hangs plays in both others.
    read_until(&mut stderr, "mancala: first fault of bot \"dying\"");
    folder.wait_for("done");
    assert_eq!(child.try_wait().unwrap(), None, "it has ended");
    for words in ["after 1 running match", "mancala: stopping"] {
        kill_process(Pid::from_child(&child), Signal::INT).unwrap();
        read_until(&mut stderr, words);
    }
    assert_eq!(status_of(&mut child).code(), Some(130));
    folder.none_left();
}
