//! `--memory`, `--processes`, `--file-size` and `--cpu-time`: a bot beyond a limit forfeits by name.

use serde_json::Value;

use crate::another_user::Public;
use crate::program::{hostile, mancala, path};
use crate::requirements;

#[test]
fn an_exceeded_limit_is_named_and_without_it_the_bot_plays_on() {
    let folder = tempfile::tempdir().expect("a folder is made");
    let file = folder.path().join("file").display().to_string();
    let sound = hostile("sound 1 1 /").replace('\'', "");
    let many = format!("for i in 1 2 3 4 5 6 7 8 9; do sleep 60 & done; exec {sound}");
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
        let run = |limit: &str| {
            // However late a busy machine looks at the processes, they are there.
            let is_looked_at = option == "--processes" && limit != "none";
            let command =
                if is_looked_at { &command.replace("exec", "wait; exec") } else { command };
            let bot = format!("greedy-for-more=sh -c '{command}'");
            mancala(["match", "--format=json", "--move-time=20s", "--rounds=1", option, limit])
                .args([&bot, "builtin:easy"])
                .run()
        };
        let detail = run(limit).code(0).first_exit();
        assert!(detail.starts_with(words), "{detail}");
        if !busy {
            let record = run("none").success().json();
            assert_eq!(record["rounds"][0]["result"]["fault"], Value::Null, "{record}");
            assert_eq!(record["limits"]["resources"].get(option.trim_start_matches('-')), None);
        }
    }
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
    let detail = outcome.first_exit();
    assert!(detail.starts_with("too large a file, or too many (--file-size 1MiB): "), "{detail}");
}

/// A child of `vfork` has the memory of its parent, one of `fork` a copy.
///
/// Holds the promise `memory`.
#[test]
fn memory_that_a_child_has_together_with_its_parent_counts_once() {
    let what = "children of vfork";
    if !requirements::are_there("cc --sandbox", what) {
        return;
    }
    let others = requirements::are_there("setpriv bash", what);
    let public = Public::new();
    let (code, program) = (public.file("bot.c"), path(public.file("bot")));
    std::fs::write(&code, include_str!("../../bots/hostile/children.c")).expect("it is written");
    let compiler =
        std::process::Command::new("cc").arg("-w").arg("-o").arg(&program).arg(code).status();
    assert!(compiler.expect("cc runs").success());
    let allowed = format!("--allow-read={}", path(public.folder.path()));
    for options in [&[][..], &["--sandbox", &allowed]] {
        for as_another in [false, true].into_iter().filter(|&it| others || !it) {
            for (way, fits) in [("vfork", true), ("fork", false)] {
                let bot = format!("{program} {way}");
                let match_ =
                    ["match", "--format=json", "--rounds=1", "--move-time=20s", "--memory=256MiB"];
                let words = [&match_, options, &[&*bot, "builtin:easy"]].concat();
                let played =
                    if as_another { public.run("true", &words) } else { mancala(&words).run() };
                let record = played.code(0).json();
                let fault = &record["rounds"][0]["result"]["fault"];
                let expected = if fits { Value::Null } else { "memory_limit".into() };
                assert_eq!(
                    fault["cause"]["code"], expected,
                    "{way} {options:?} {as_another}: {record:#}"
                );
            }
        }
    }
}

/// A limit of 0 would have the kernel start whatever takes cores, as the superuser. That a bot in the
/// sandbox cannot change it is one of the attacks.
///
/// Holds the promise `no-cores`.
#[test]
fn no_core_is_made_of_a_bot_and_nothing_is_started_for_it() {
    let outcome = mancala(["match", "--format=json", "--rounds=1"])
        .args(["sh -c 'grep core /proc/self/limits >&2; kill -ABRT $$'", "builtin:easy"])
        .run()
        .code(0);
    let record = outcome.json();
    let stderr = record["rounds"][0]["result"]["fault"]["stderr"].as_str().expect("its stderr");
    let limits: Vec<&str> = stderr.split_whitespace().skip(4).take(2).collect();
    assert_eq!(limits, ["1", "1"], "{record:#}");
}
