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

/// Holds the promise `files`.
#[test]
fn deleted_files_count_by_whatever_links_the_place_for_temporary_files_is_named() {
    if !requirements::sandbox_is_there("deleted files") {
        return;
    }
    let folder = tempfile::tempdir().expect("a folder is made");
    let [real, link] = ["real", "link"].map(|name| folder.path().join(name));
    std::fs::create_dir(&real).expect("a folder is made");
    std::os::unix::fs::symlink(&real, &link).expect("a link is made");
    let held = "f=$TMPDIR/file; exec 3>$f; rm $f; head -c 900000 /dev/urandom >&3; exec 4>$f; rm $f; \
                head -c 900000 /dev/urandom >&4; sleep 60";
    for place in [link, folder.path().join("link/../real")] {
        let outcome = mancala(["match", "--sandbox", "--format=json", "--rounds=1"])
            .args(["--file-size=1MiB", &format!("sh -c '{held}'"), "builtin:easy"])
            .with_temporary(&place)
            .run()
            .code(0);
        let detail = outcome.first_exit();
        assert!(
            detail.starts_with("too large a file, or too many "),
            "{}: {detail}",
            place.display()
        );
    }
}

#[test]
fn what_an_earlier_bot_was_refused_is_no_reason_for_the_end_of_a_later_one() {
    if !requirements::are_there("perl", "a bot at its limit of processes") {
        return;
    }
    let folder = tempfile::tempdir().expect("a folder is made");
    let record = path(folder.path().join("record"));
    let sound = hostile("sound 1 1 /").replace('\'', "");
    // Children that have ended and are not reaped count in the kernel, and not in a look.
    let script =
        "while (defined(my $child = fork())) { exit if !$child } 1 while wait > 0; exec @ARGV";
    mancala(["tournament", "--quiet", "--jobs=1", "--oversubscribe", "--processes=20"])
        .args(["--repeat=6", "--record", &record])
        .args([&format!("at-limit=perl -e '{script}' {sound}"), "ends=sh -c 'read line; exit 3'"])
        .run()
        .code(0);
    let lines = crate::tournaments::lines(&record);
    let rounds = |line: &Value| line["rounds"].as_array().cloned().unwrap_or_default();
    let faults = lines.iter().flat_map(|line| {
        let name = |fault: &Value| line["bots"][usize::from(fault["bot"] == 1)]["name"].clone();
        let all = rounds(line).into_iter().map(|round| round["result"]["fault"].clone());
        // The other one may be seen beyond its limit, which ends it.
        all.filter(|fault| name(fault) == "ends").collect::<Vec<_>>()
    });
    let details: Vec<_> = faults.map(|fault| fault["detail"].clone()).collect();
    assert!(details.len() > 1);
    for detail in &details {
        assert_eq!(detail, "exited with code 3 before it answered", "{details:?}");
    }
}

/// Only the superuser may look at the descriptors of a first thread that has ended.
///
/// Holds the promise `files`.
#[test]
fn deleted_files_of_a_process_without_its_first_thread_count() {
    if cfg!(not(target_arch = "x86_64"))
        || !requirements::are_there("setpriv bash --sandbox", "threads that hold files")
        || !requirements::perl_has_threads("threads that hold files")
    {
        return;
    }
    let script = "use threads; threads->create(sub { for (1..4) { my $name = $ENV{TMPDIR} . q(/file); \
                  open my $file, q(>), $name; unlink $name; syswrite $file, q(x) x 900000; \
                  push @held, $file } sleep 60 }); syscall(60, 0)";
    let words = ["match", "--sandbox", "--format=json", "--rounds=1", "--file-size=1MiB"];
    let bots = [&*format!("perl -e '{script}'"), "builtin:easy"];
    let public = Public::new();
    let words = [&words[..], &bots].concat();
    for played in [mancala(&words).run(), public.run("true", &words)] {
        let detail = played.code(0).first_exit();
        assert!(detail.starts_with("too large a file, or too many "), "{detail}");
    }
}

/// Holds the promise `memory`.
#[test]
fn a_bot_that_has_left_its_process_group_is_ended_for_a_limit() {
    if !requirements::are_there("perl", "a bot in another process group") {
        return;
    }
    let script = "my $child = fork(); if (!$child) { setpgrp(0, 0); sleep 60; exit } setpgrp($child, $child); \
                  setpgrp(0, $child) or die; my $held = q(x) x (200 << 20); sleep 60";
    let bot = format!("perl -e '{script}'");
    let sandbox = requirements::sandbox_is_there("a bot in another process group there");
    for options in [&[][..], &["--sandbox"]].into_iter().take(1 + usize::from(sandbox)) {
        let outcome = mancala(["match", "--format=json", "--rounds=1", "--memory=64MiB", &bot])
            .args(options)
            .arg("builtin:easy")
            .run()
            .code(0);
        let detail = outcome.first_exit();
        assert!(detail.starts_with("out of memory (--memory 64MiB): "), "{options:?}: {detail}");
    }
}
