//! A machine that has too little of something: disk, memory, descriptors, processes, devices. What
//! is missing is named, and no bot forfeits for it that did not take it.

use std::fs;
use std::os::unix::fs::PermissionsExt as _;
use std::path::Path;
use std::time::{Duration, Instant};

use rustix::process::{Pid, Signal, kill_process};
use serde_json::Value;

use crate::another_user::Public;
use crate::control_groups::Group;
use crate::processes::below;
use crate::program::{Outcome, hostile, mancala, path};
use crate::requirements;
use crate::test_folder::{ENDLESS, HANGS, TestFolder, status_of};

const BUILT_IN: [&str; 2] = ["builtin:random", "builtin:random"];

/// A tournament with one worker, and nothing but what needs attention on stderr.
const TOURNAMENT: [&str; 4] = ["tournament", "--jobs=1", "--oversubscribe", "--quiet"];

/// Holds the promise `own-trouble`.
#[test]
fn each_limit_of_the_user_is_named() {
    if !requirements::are_there("setpriv bash", "limits of another user") {
        return;
    }
    let public = Public::new();
    let one_match = [&["match", "--rounds=1"], &BUILT_IN[..]].concat();
    let tournament = [&TOURNAMENT[..], &BUILT_IN].concat();
    for (arguments, limit, words) in [
        (&one_match, "-u 1", "no more processes and threads: this user may have 1 (ulimit -u)"),
        (&one_match, "-u 3", "no more processes and threads: this user may have 3 (ulimit -u)"),
        (&one_match, "-v 32000", "raise that (ulimit -v)"),
        (&one_match, "-s 128", "raise that (ulimit -s)"),
        (&tournament, "-u 1", "no more processes and threads: this user may have 1 (ulimit -u)"),
        (&tournament, "-u 3", "no more processes and threads: this user may have 3 (ulimit -u)"),
        (&tournament, "-v 32000", "raise that (ulimit -v)"),
    ] {
        // Other tests run as this user, too, where they do not run as root.
        if limit.contains("-u") && !rustix::process::geteuid().is_root() {
            continue;
        }
        let outcome = public.run(&format!("ulimit {limit}"), arguments);
        let case = format!("{} with {limit}: {outcome:#?}", arguments[0]);
        assert_eq!(outcome.code, Some(1), "{case}");
        assert!(outcome.stderr.contains(words), "{case}");
        assert_eq!(outcome.stderr.lines().count(), 1, "{case}");
    }
    public.run("ulimit -u 200 -n 400", &one_match).success();
    for arguments in [&one_match, &tournament] {
        each_number_of_descriptors(&public, arguments);
    }
    let nowhere = "export TMPDIR=/nonexistent";
    fails(&public.run(nowhere, &tournament), "set TMPDIR to a folder that you may write to");
    let removed = "cd \"$(mktemp -d)\" && rmdir \"$PWD\"";
    for arguments in [&one_match, &tournament] {
        fails(
            &public.run(removed, arguments),
            "the working folder is gone: No such file or directory",
        );
    }
}

/// Whatever the shell says of new files, a bot reads those that it makes.
#[test]
fn a_umask_closes_no_bots_files() {
    if !requirements::are_there("setpriv bash --sandbox", "the umask of another user") {
        return;
    }
    let public = Public::new();
    let script = public.file("bot.sh");
    let makes =
        "mkdir \"$TMPDIR/a\" && echo x >\"$TMPDIR/a/b\" && cat \"$TMPDIR/a/b\" >&2 || exit 7";
    let plays = "while read -r line; do legal=${line#*'\"legal\":['}; case $line in *turn*) \
                 echo \"${legal%\"${legal#?}\"}\";; esac; done";
    fs::write(&script, format!("{makes}\n{plays}\n")).expect("it is written");
    let bot = format!("sh {}", path(script));
    let words = ["match", "--sandbox", "--strict", "--rounds=1", &bot, "builtin:random"];
    public.run("umask 777", &words).code(0);
}

/// From what a program needs to be loaded up to what the work needs, whichever step goes without.
fn each_number_of_descriptors(public: &Public, arguments: &[&str]) {
    let enough = 64;
    for limit in 6..=enough {
        // What the tests were started with counts, too.
        let only_three = "for open in /proc/self/fd/*; do \
                          open=${open##*/}; (( open < 3 )) || eval \"exec $open>&-\"; done";
        let outcome = public.run(&format!("{only_three}; ulimit -n {limit}"), arguments);
        if outcome.code == Some(0) {
            assert!(limit > 10, "{outcome:#?}");
            return;
        }
        let words = format!("no more open files than {limit}; raise that (ulimit -n)");
        let case = format!("{} with -n {limit}: {outcome:#?}", arguments[0]);
        assert_eq!(outcome.code, Some(1), "{case}");
        assert!(outcome.stderr.lines().next().is_some_and(|line| line.contains(&words)), "{case}");
    }
    panic!("{} needs more descriptors than {enough}", arguments[0]);
}

#[test]
fn a_read_only_record_file_is_an_error_before_the_match() {
    if !requirements::are_there("setpriv bash", "a read-only record file") {
        return;
    }
    let public = Public::new();
    let record = public.file("record");
    fs::write(&record, "").expect("a file is made");
    fs::set_permissions(&record, fs::Permissions::from_mode(0o444)).expect("it may be");
    let bot = format!("{} witness 1 1 .", path(public.file("hostile")));
    let outcome = public.run("true", &["match", "--record=record", &bot, BUILT_IN[0]]);
    outcome.failure(1, "cannot write the record file record: Permission denied");
    assert!(!public.file("launches").exists(), "a bot was started");
}

#[test]
fn work_is_done_without_threads_if_none_can_be_started() {
    if !requirements::are_there("setpriv bash", "threads of another user") {
        return;
    }
    if !rustix::process::geteuid().is_root() {
        requirements::is_left_out("threads of another user", "other tests run as this user, too");
        return;
    }
    let public = Public::new();
    let record = path(public.file("record.jsonl"));
    let line = mancala(["match", "--format=json", "--rounds=1"]).args(BUILT_IN).run().success();
    fs::write(&record, line.stdout).expect("it is written");
    let seeds = ["solve", "--rules=kalah", "--opening=0,0,0,2,1,2,0,1,0,2,1,2,1,0"];
    for arguments in [&seeds[..], &["analyse", "--jobs=2", &record]] {
        let alone = public.run("ulimit -u 1", arguments);
        let beside = public.run("true", arguments);
        assert_eq!((alone.code, &*alone.stderr), (Some(0), ""), "{arguments:?}");
        assert_eq!(beside.code, Some(0), "{beside:#?}");
    }
}

/// Holds the promise `own-trouble`.
#[test]
fn descriptors_in_flight_are_never_the_opponents_fault() {
    if !requirements::are_there("setpriv bash", "descriptors of another user") {
        return;
    }
    if !rustix::process::geteuid().is_root() {
        requirements::is_left_out(
            "descriptors of another user",
            "other tests run as this user, too",
        );
        return;
    }
    let public = Public::new();
    let bot = |mode: &str| format!("{} {mode}", path(public.file("hostile")));
    let play = |opponent: &str| {
        let bots = [bot("in-flight-bomb"), bot(opponent)];
        public.run("ulimit -n 400", &["match", "--format=json", &bots[0], &bots[1]])
    };
    // A second process of the opponent's is started while they are on their way for certain.
    let outcome = play("exit-3");
    assert_eq!(outcome.code, Some(1), "{outcome:#?}");
    assert!(outcome.stderr.contains("on their way"), "{outcome:#?}");
    // Its first one, as it comes.
    for _ in 0..6 {
        let outcome = play("sound");
        if outcome.code == Some(1) {
            assert!(outcome.stderr.contains("on their way"), "{outcome:#?}");
            continue;
        }
        for round in outcome.json()["rounds"].as_array().expect("rounds") {
            assert_ne!(round["result"]["fault"]["bot"], 1, "{round:#}");
        }
    }
}

#[test]
fn a_machine_without_devices_is_an_error_that_names_them() {
    if !may_mount("a machine without devices") {
        return;
    }
    let script = "mount -t tmpfs none /dev && exec \"$0\" \"$@\"";
    for arguments in [&["match"][..], &TOURNAMENT] {
        mancala(arguments)
            .args(BUILT_IN)
            .behind(&["unshare", "-m", "sh", "-c", script])
            .run()
            .failure(1, "there is no /dev/null; mount /dev");
    }
}

/// Whether a file system can be mounted in a namespace of its own.
fn may_mount(what: &str) -> bool {
    let script = "mount -t tmpfs none /mnt";
    let tried = std::process::Command::new("unshare").args(["-m", "sh", "-c", script]).output();
    tried.is_ok_and(|tried| tried.status.success())
        || requirements::is_left_out(what, "no file system can be mounted here")
}

/// Runs on a disk of 8 MiB below `small`, and copies the record that lies there.
fn on_a_small_disk(folder: &Path, arguments: &[&str]) -> Outcome {
    let small = folder.join("small");
    fs::create_dir_all(&small).expect("a folder is made");
    let script = "mount -t tmpfs -o size=8m none small || exit 99; \"$0\" \"$@\"; code=$?; \
                  rm -f small/filled; cp small/record record; exit $code";
    mancala(arguments).in_folder(folder).behind(&["unshare", "-m", "sh", "-c", script]).run()
}

/// It ends with 1 and these words, whatever it has shown on stdout.
#[track_caller]
fn fails(outcome: &Outcome, words: &str) {
    assert_eq!(outcome.code, Some(1), "{outcome:#?}");
    assert!(outcome.stderr.contains(words), "{words:?}: {outcome:#?}");
}

/// A bot that fills the disk, and then loses.
const FILLS: &str = "filler=sh -c 'cat /dev/zero > small/filled; exit 3'";

/// Holds the promise `full-disk`.
#[test]
fn a_bot_that_fills_the_disk_is_recorded_as_the_loser() {
    if !may_mount("a full disk") {
        return;
    }
    let folder = tempfile::tempdir().expect("a folder is made");
    let record = folder.path().join("record");
    let read = || fs::read_to_string(&record).unwrap_or_default();
    let with = |min_free: &str| {
        let _ = fs::remove_file(&record);
        let sound = hostile("sound");
        let arguments = ["match", "--record=small/record", "--rounds=1", min_free, FILLS, &sound];
        on_a_small_disk(folder.path(), &arguments)
    };
    // Without room that is kept it has its way.
    fails(&with("--min-free=none"), "not recorded in small/record: No space left on device");
    assert_eq!(read(), "");
    with("--min-free=2MiB").success();
    let line: Value = serde_json::from_str(&read()).expect("a record");
    assert_eq!(line["rounds"][0]["result"]["fault"]["bot"], 0, "{line:#}");
    // Nothing is played where there is less to begin with.
    fails(&with("--min-free=64MiB"), "give a smaller --min-free");
    let lots = with("--min-free=lots");
    assert_eq!(lots.code, Some(2), "{lots:#?}");
}

#[test]
fn a_tournament_on_a_full_disk_is_recorded() {
    if !may_mount("a tournament on a full disk") {
        return;
    }
    let folder = tempfile::tempdir().expect("a folder is made");
    let config = |min_free: &str| {
        let text = format!(
            "repeat = 4\n[match]\nmin_free = \"{min_free}\"\n[[bot]]\nname = \"sound\"\ncommand = \"{}\"\n\
             [[bot]]\nname = \"filler\"\ncommand = \"sh -c 'cat /dev/zero > small/filled; exit 3'\"\n",
            hostile("sound").replace('\'', "")
        );
        fs::write(folder.path().join("plan.toml"), text).expect("it is written");
    };
    let run = || {
        let arguments = [
            "tournament",
            "--config=plan.toml",
            "--record=small/record",
            "--jobs=1",
            "--quiet",
            "--oversubscribe",
        ];
        on_a_small_disk(folder.path(), &arguments)
    };
    // The first lines may have a place yet in what the file has of the disk.
    config("none");
    fails(&run(), "No space left on device");
    config("2MiB");
    run().code(0);
    let record = fs::read_to_string(folder.path().join("record")).expect("a record");
    assert_eq!(record.lines().count(), 1 + 4, "{record}");
    config("64MiB");
    fails(&run(), "give a smaller --min-free");
}

/// Holds the promise `first-victims`.
#[test]
fn bots_are_the_first_victims_of_the_oom_killer() {
    let score = |process: &str| {
        let file = format!("/proc/{process}/oom_score_adj");
        fs::read_to_string(file).map(|text| text.trim().to_owned()).unwrap_or_default()
    };
    for sandbox in [&[][..], &["--sandbox"]] {
        if !sandbox.is_empty() && !requirements::sandbox_is_there("bots in the sandbox are marked")
        {
            continue;
        }
        let folder = TestFolder::new();
        let mut child = mancala(["match"])
            .args(sandbox)
            .args([folder.bot("sound"), folder.bot("sound")])
            .args(ENDLESS)
            .start();
        let referee = Pid::from_child(&child);
        let is_bot = |process: &String| {
            let line = fs::read(format!("/proc/{process}/cmdline")).unwrap_or_default();
            String::from_utf8_lossy(&line).contains(&folder.marker())
        };
        let end = Instant::now() + HANGS;
        loop {
            let (bots, mut ours): (Vec<String>, Vec<String>) =
                below(referee).into_iter().partition(is_bot);
            ours.push(referee.as_raw_nonzero().to_string());
            let [bots, ours] = [bots, ours].map(|processes| {
                processes.iter().map(|process| score(process)).collect::<Vec<String>>()
            });
            // Wardens and referee are as whoever started them.
            if bots == ["1000"; 2] && ours == vec![score("self"); 3] {
                break;
            }
            assert!(Instant::now() < end, "{sandbox:?}: bots {bots:?}, ours {ours:?}");
            std::thread::sleep(Duration::from_millis(5));
        }
        kill_process(referee, Signal::INT).expect("mancala is there");
        assert_eq!(status_of(&mut child).code(), Some(130));
        folder.none_left();
    }
}

#[test]
fn a_system_out_of_memory_kills_the_bot_and_the_fault_says_so() {
    let files = ["memory.limit_in_bytes", "memory.max"];
    let Some(group) = Group::of("memory", files, "a group without memory") else { return };
    let bytes = (150 << 20).to_string();
    assert!(files.into_iter().any(|file| group.set(file, &bytes)), "memory is not limited");
    // Where there is swap, it has none of it.
    let _ = group.set("memory.memsw.limit_in_bytes", &bytes) || group.set("memory.swap.max", "0");
    for sandbox in [&[][..], &["--sandbox"]] {
        if !sandbox.is_empty() && !requirements::sandbox_is_there("a sandbox without memory") {
            continue;
        }
        let outcome = mancala(["match", "--format=json", "--memory=none", "--rounds=1"])
            .args(sandbox)
            .args([hostile("memory-bomb 1 1 /nowhere 1000"), hostile("sound")])
            .behind(&["sh", "-c", &group.enter()])
            .run()
            .code(0);
        let record = outcome.json();
        let fault = &record["rounds"][0]["result"]["fault"];
        assert_eq!(fault["bot"], 0, "{record:#}");
        let detail = fault["detail"].as_str().expect("a detail");
        let words = "the system ran out of memory: was ended by signal 9";
        assert!(detail.starts_with(words), "{detail}");
    }
}
