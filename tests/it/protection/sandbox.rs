//! `--sandbox`: the private folder of a bot, and what it can read and write.

use std::fs;
use std::path::Path;
use std::time::{Duration, Instant};

use crate::program::{mancala, repository};
use crate::requirements;
use crate::test_folder::{HANGS, TestFolder};

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
    assert!(outcome.first_exit().starts_with("exited with code 7"));
    let record = outcome.json();
    let stderr = record["rounds"][0]["result"]["fault"]["stderr"].as_str().expect("words");
    let mut lines = stderr.lines();
    let folder = lines.next().expect("the folder's name");
    assert!(lines.next().expect("its modes").starts_with("drwx------"), "{stderr}");
    assert!(folder.contains("mancala-"), "{folder}");
    assert!(!Path::new(folder).exists(), "{folder} is left");
    assert!(outcome.stderr.contains("the sandbox is on"), "{}", outcome.stderr);
}

/// As in a container that was started without capabilities.
#[test]
fn a_superuser_without_capabilities_plays_in_the_sandbox() {
    const WHAT: &str = "a superuser without capabilities";
    if !rustix::process::geteuid().is_root() {
        requirements::is_left_out(WHAT, "this is another user");
        return;
    }
    if !requirements::sandbox_is_there(WHAT) || !requirements::are_there("setpriv", WHAT) {
        return;
    }
    let bot = "sh -c 'grep Cap /proc/self/status >&2; exit 7'";
    for kept in ["-all", "-all,+setuid,+dac_override"] {
        let drop =
            ["setpriv", "--bounding-set", kept, "--inh-caps", "-all", "--ambient-caps", "-all"];
        let outcome = mancala(["match", "--sandbox", "--allow-read=/proc", "--rounds=1"])
            .args(["--format=json", bot, "builtin:easy"])
            .behind(&drop)
            .run()
            .code(0);
        assert!(outcome.first_exit().starts_with("exited with code 7"), "{kept}: {outcome:#?}");
        let stderr = &outcome.json()["rounds"][0]["result"]["fault"]["stderr"];
        for set in ["CapPrm", "CapEff", "CapInh", "CapAmb"] {
            let none = format!("{set}:\t0000000000000000\n");
            assert!(stderr.as_str().unwrap().contains(&none), "{kept}: {stderr}");
        }
    }
}

/// Holds the promise `own-folder`.
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
        outcome.first_exit()
    };
    let folder = folder.path().display().to_string();
    let read = format!("cat {file} >&2");
    let write = format!("echo x > {file}");
    let refused =
        "exited with code 8 before it answered; the sandbox may have refused it something";
    assert!(try_it(&read, &[]).starts_with(refused));
    assert!(try_it(&read, &["--allow-read", &file]).starts_with("exited with code 7"));
    assert!(try_it(&read, &["--allow-read", &folder]).starts_with("exited with code 7"));
    let refused = try_it(&write, &["--allow-read", &folder]);
    assert!(
        refused.contains("code 8")
            && refused.ends_with(
                ": a file (see --allow-read and --allow-write), or a process of another program"
            )
    );
    assert_eq!(fs::read_to_string(&file).expect("it is there"), "moves");
    assert!(try_it(&write, &["--allow-write", &folder]).starts_with("exited with code 7"));
    assert_eq!(fs::read_to_string(&file).expect("it is there"), "x\n");
}

#[test]
fn a_check_names_the_option_that_opens_what_was_refused() {
    if !requirements::sandbox_is_there("what the sandbox refused") {
        return;
    }
    for (stderr, option) in [
        ("PermissionError: [Errno 13] Permission denied: 'book'", "--allow-read PATH opens"),
        ("java.net.SocketException: Operation not permitted", "--allow-loopback opens TCP"),
    ] {
        let bot = format!("sh -c 'echo \"$1\" >&2; exit 1' sh \"{stderr}\"");
        let found = mancala(["check", "--sandbox", "--rules=kalah", &bot]).run().code(3).stdout;
        let found = found.split_whitespace().collect::<Vec<_>>().join(" ");
        let (_, fix) = found.split_once(" Fix ").expect("a fix");
        assert!(fix.contains(&format!(" {option}")), "{fix}");
        let of_files = option.starts_with("--allow-read");
        assert_eq!(fix.contains("--allow-write PATH"), of_files, "{fix}");
        assert_eq!(fix.contains("network"), !of_files, "{fix}");
    }
}

#[test]
fn a_private_folder_that_is_hard_to_remove_does_not_delay_the_next_round() {
    if !requirements::sandbox_is_there("a folder that is hard to remove") {
        return;
    }
    let test_folder = TestFolder::new();
    let temporary = test_folder.file("tmp");
    fs::create_dir(&temporary).expect("a folder is made");
    let outcome = mancala(["match", "--sandbox", "--format=json", "--processes=2"])
        // Or all that is deep would be too much, and a busy machine too slow to make it.
        .args(["--file-size=none", "--move-time=1m"])
        .args([test_folder.bot("leave-a-mess"), test_folder.bot("sound")])
        .with_temporary(&temporary)
        .run()
        .code(0);
    let record = outcome.json();
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
