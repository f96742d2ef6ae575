//! Links and pipes that others have planted where the referee writes.

use std::fs;
use std::os::unix::fs::{PermissionsExt as _, lchown, symlink};
use std::process::Command;

use crate::another_user::Public;
use crate::program::{Outcome, mancala};
use crate::requirements;
use crate::test_folder::{TestFolder, wait_until};

const WORDS: &str = "in a folder that others can write to, and no such link is followed";
const OTHERS: &str = "others can write to, and no such link is followed";

/// Runs the words as this user, and where this is the superuser, in the same way as another one.
fn for_each_user(check: impl Fn(&Public, &dyn Fn(&[&str]) -> Outcome)) {
    let public = Public::new();
    check(&public, &|words| mancala(words).in_folder(public.folder.path()).run());
    if rustix::process::geteuid().is_root() && requirements::are_there("setpriv", "another user") {
        let public = Public::new();
        check(&public, &|words| public.run("true", words));
    }
}

fn write(public: &Public, name: &str, text: &str) {
    let file = public.file(name);
    fs::write(&file, text).unwrap();
    fs::set_permissions(file, fs::Permissions::from_mode(0o666)).unwrap();
}

fn make_fifo(public: &Public, name: &str) {
    let _ = fs::remove_file(public.file(name));
    assert!(Command::new("mkfifo").args(["-m", "666"]).arg(public.file(name)).status().is_ok());
}

const BOTS: [&str; 2] = ["builtin:random", "b=builtin:random"];

/// Holds the promise `no-links`.
#[test]
fn planted_links_are_not_written_through() {
    for_each_user(|public, run| {
        let played = run(&["match", "--record=games", BOTS[0], BOTS[1]]).code(0);
        assert_eq!(played.stderr, "");
        let commands: [&[&str]; 5] = [
            &["match", "--record=planted", BOTS[0], BOTS[1]],
            &["tournament", "--quiet", "--oversubscribe", "--record=planted", BOTS[0], BOTS[1]],
            &["tournament", "--quiet", "--oversubscribe", "--events=planted", BOTS[0], BOTS[1]],
            &["analyse", "games", "--quiet", "--write=planted"],
            &["report", "games", "-o", "planted"],
        ];
        for (kind, target) in [("link", "victim"), ("link", "missing"), ("hard link", "victim")] {
            write(public, "victim", "");
            let _ = fs::remove_file(public.file("planted"));
            if kind == "link" {
                symlink(target, public.file("planted")).unwrap();
            } else {
                fs::hard_link(public.file(target), public.file("planted")).unwrap();
            }
            // A page does not write into what is there: it takes its place.
            for words in &commands[..if kind == "link" { 5 } else { 4 }] {
                let outcome = run(words);
                assert_eq!(outcome.code, Some(1), "{words:?} {outcome:#?}");
                let line = outcome.stderr.lines().last().unwrap_or_default();
                assert!(
                    line.contains(&format!("it is a {kind} {WORDS}")),
                    "{words:?} {outcome:#?}"
                );
                assert_eq!(fs::read_to_string(public.file("victim")).unwrap(), "");
                assert!(!public.file("missing").exists(), "{words:?} {outcome:#?}");
            }
        }
    });
}

/// Holds the promise `no-links`.
#[test]
fn what_is_planted_beside_a_record_is_replaced_or_refused() {
    for_each_user(|public, run| {
        let play = |name: &str, more: &[&str]| {
            let bot = format!("b={name}");
            let words =
                ["tournament", "--quiet", "--oversubscribe", "--record=record", BOTS[0], &bot];
            run(&[&words, more].concat())
        };
        play("builtin:random", &[]).code(0);
        // The file as it was before an update.
        for planted in ["link", "dangling", "fifo"] {
            write(public, "victim", "untouched");
            let _ = fs::remove_file(public.file("record.before"));
            match planted {
                "link" => symlink("victim", public.file("record.before")).unwrap(),
                "dangling" => symlink("missing", public.file("record.before")).unwrap(),
                _ => make_fifo(public, "record.before"),
            }
            let before = fs::read_to_string(public.file("record")).unwrap();
            let bot = if planted == "dangling" { "builtin:random" } else { "builtin:easy" };
            play(bot, &["--update"]).code(0);
            let copy = public.file("record.before");
            assert!(copy.symlink_metadata().unwrap().is_file());
            assert_eq!(fs::read_to_string(copy).unwrap(), before);
            assert_eq!(fs::read_to_string(public.file("victim")).unwrap(), "untouched");
            assert!(!public.file("missing").exists());
        }
        // What was cut off.
        fs::remove_file(public.file("record")).unwrap();
        play("builtin:random", &[]).code(0);
        let whole = fs::read_to_string(public.file("record")).unwrap();
        fs::write(public.file("record"), &whole[..whole.len() - 9]).unwrap();
        symlink("victim", public.file("record.cut-off")).unwrap();
        let refused = play("builtin:random", &["--resume"]).code(1);
        assert!(refused.stderr.contains(WORDS), "{refused:#?}");
        assert_eq!(fs::read_to_string(public.file("victim")).unwrap(), "untouched");
        fs::remove_file(public.file("record.cut-off")).unwrap();
        play("builtin:random", &["--resume"]).code(0);
    });
}

/// Holds the promise `no-links`.
#[test]
fn a_planted_pipe_is_not_waited_for() {
    for_each_user(|public, run| {
        run(&["match", "--record=games", BOTS[0], BOTS[1]]).code(0);
        let config = "[[bots]]\nglob = \"bots/*\"\ncommand = \"sh {path}\"\n";
        write(public, "contest.toml", config);
        fs::create_dir(public.file("bots")).unwrap();
        write(public, "bots/ann", "");
        write(public, "bots/ben", "");
        make_fifo(public, "pipe");
        let tournament =
            ["tournament", "--quiet", "--oversubscribe", "--record=pipe", "--config=contest.toml"];
        let update = [&tournament[..], &["--update"]].concat();
        let dry_run = [&tournament[..], &["--dry-run", "--resume"]].concat();
        run(&["match", "--record=pipe", BOTS[0], BOTS[1]]).failure(1, "this pipe has no reader");
        run(&tournament).failure(1, "pipe is not a regular file");
        run(&update).failure(1, "pipe is not a regular file");
        run(&dry_run).failure(1, "pipe is not a regular file");
        run(&["tournament", "--quiet", "--oversubscribe", "--events=pipe", BOTS[0], BOTS[1]])
            .failure(1, "this pipe has no reader");
        run(&["analyse", "games", "--quiet", "--write=pipe"])
            .failure(2, "pipe: it is not a regular file");
        run(&["report", "games", "-o", "pipe"]).failure(2, "pipe: it is not a regular file");
    });
}

/// Holds the promise `no-links`.
#[test]
fn nothing_is_written_into_a_folder_behind_a_planted_link() {
    if !rustix::process::geteuid().is_root() {
        requirements::is_left_out("a link of somebody else", "only root can make one");
        return;
    }
    for_each_user(|public, run| {
        run(&["match", "--record=games", BOTS[0], BOTS[1]]).code(0);
        fs::create_dir(public.file("victim")).unwrap();
        fs::set_permissions(public.file("victim"), fs::Permissions::from_mode(0o777)).unwrap();
        symlink("victim", public.file("planted")).unwrap();
        lchown(public.file("planted"), Some(65534), None).unwrap();
        let contest = ["tournament", "--quiet", "--oversubscribe", BOTS[0], BOTS[1]];
        let with = |option: &'static str| [&contest[..], &[option]].concat();
        for words in [
            with("--feedback=planted"),
            with("--feedback=planted/new"),
            with("--log=planted"),
            with("--record=planted/record"),
            with("--events=planted/events"),
            with("--report=planted/page.html"),
            vec!["match", BOTS[0], BOTS[1], "--log=planted"],
            vec!["match", BOTS[0], BOTS[1], "--record=planted/record"],
            vec!["report", "games", "-o", "planted/page.html"],
            vec!["report", "games", "-o", "page.html", "--assets=planted"],
            vec!["analyse", "games", "--quiet", "--write=planted/copy"],
        ] {
            let outcome = run(&words);
            assert_eq!(outcome.code, Some(1), "{words:?} {outcome:#?}");
            let why =
                format!("planted is a link that somebody else has put into a folder that {OTHERS}");
            assert!(outcome.stderr.contains(&why), "{words:?} {outcome:#?}");
            assert_eq!(fs::read_dir(public.file("victim")).unwrap().count(), 0, "{words:?}");
        }
    });
}

/// The folder of a test is nobody else's.
#[test]
fn a_link_of_the_users_own_is_followed() {
    let folder = TestFolder::new();
    symlink("games", folder.path().join("link")).unwrap();
    symlink("link", folder.path().join("again")).unwrap();
    symlink("page.html", folder.path().join("report")).unwrap();
    let run = |words: &[&str]| mancala(words).in_folder(folder.path()).run().code(0);
    run(&["match", "--record=link", BOTS[0], BOTS[1]]);
    run(&["match", "--record=again", BOTS[0], BOTS[1]]);
    assert_eq!(folder.read("games").lines().count(), 2);
    run(&["report", "games", "-o", "report"]);
    run(&["report", "games", "-o", "report"]);
    assert!(folder.read("page.html").starts_with("<!doctype html>"));
    assert!(folder.path().join("report").is_symlink());
    symlink("contest.jsonl", folder.path().join("record")).unwrap();
    let play = |more: &str| {
        run(&[
            "tournament",
            "--quiet",
            "--oversubscribe",
            "--record=record",
            BOTS[0],
            BOTS[1],
            more,
        ])
    };
    play("--count=1");
    play("--resume");
    assert!(folder.read("contest.jsonl").starts_with("{\"format\":\"mancala-tournament/1\""));
    // What bash makes of >(…) is a link in /proc.
    let pipe = ["bash", "-c", "exec \"$@\" --record >(cat >piped)", "bash"];
    let through = mancala(["match", "--quiet", BOTS[0], BOTS[1]]).in_folder(folder.path());
    through.behind(&pipe).run().code(0);
    folder.wait_for("piped");
    wait_until("the record went through the pipe", || folder.read("piped").ends_with('\n'));
}
