//! The sandbox on kernels whose Landlock cannot keep signals apart: what a bot notices of the name
//! space that does it instead, and what is said where there is none.

use std::process::Output;

use seccompiler::{
    BpfProgram, SeccompAction, SeccompCmpArgLen, SeccompCmpOp, SeccompCondition, SeccompFilter,
    SeccompRule,
};

use crate::program::mancala;
use crate::requirements;
use crate::test_folder::TestFolder;

/// A match of this bot in the sandbox on a kernel with this version of Landlock.
fn play(landlock: &str, bot: &str, options: &[&str]) -> Output {
    let run = mancala(["match", "--sandbox", "--format=json", "--rounds=1", "--move-time=30s"]);
    let mut command = run.args([bot, "builtin:easy"]).args(options).command();
    command.env("MANCALA_LANDLOCK_ABI", landlock).output().expect("mancala starts")
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

#[test]
fn the_notice_says_what_keeps_signals_apart() {
    let what = "the notice on an older kernel";
    if !requirements::sandbox_with_landlock_is_there("4", what)
        || !requirements::sandbox_is_there(what)
    {
        return;
    }
    let notice = |landlock| text(&play(landlock, "builtin:easy", &[]).stderr);
    let older = notice("4");
    let how = "files by Landlock (version 4), signals by a process namespace, network and sockets by \
               a filter of system calls";
    assert!(older.contains(how), "{older}");
}

/// A bot is not the first process of its namespace: to that the kernel delivers no signal whose
/// action is the usual one.
#[test]
fn signals_within_a_bot_end_it_as_usual() {
    if !requirements::sandbox_with_landlock_is_there("4", "signals on an older kernel") {
        return;
    }
    for (script, end) in [
        ("kill -TERM $$; sleep 60", "was ended by signal 15 (SIGTERM"),
        ("kill -ABRT $$; sleep 60", "was ended by signal 6 (SIGABRT"),
        // The first process is ours, and deaf.
        ("kill -KILL 1; kill -TERM 1; exit 7", "exited with code 7"),
        ("sleep 60 & kill $!; wait $!; exit $?", "exited with code 143"),
    ] {
        let output = play("4", &format!("sh -c '{script}'"), &[]);
        let stdout = text(&output.stdout);
        assert!(stdout.contains(end), "{script}: {stdout} {}", text(&output.stderr));
    }
}

/// They would count as processes for ever if nobody reaped them.
#[test]
fn orphans_of_a_bot_are_reaped() {
    if !requirements::sandbox_with_landlock_is_there("4", "orphans on an older kernel") {
        return;
    }
    // Each is waited for by way of its stdout: only zombies can become many.
    let script = "i=0; while [ $i -lt 600 ]; do x=$( (true &) ); i=$((i+1)); done; exit 7";
    let output = play("4", &format!("sh -c '{script}'"), &["--processes=64"]);
    let stdout = text(&output.stdout);
    assert!(stdout.contains("exited with code 7"), "{stdout} {}", text(&output.stderr));
}

/// What a bot leaves behind ends with its match, as anywhere.
///
/// Holds the promise `ends`.
#[test]
fn nothing_of_a_bot_is_left() {
    if !requirements::sandbox_with_landlock_is_there("4", "what is left on an older kernel") {
        return;
    }
    let folder = TestFolder::new();
    for mode in ["orphan", "kill-starter", "stop-starter"] {
        let output = play("4", &folder.bot(mode), &[&format!("--allow-write={}", folder.file(""))]);
        assert_eq!(output.status.code(), Some(0), "{mode}: {}", text(&output.stderr));
        let stdout = text(&output.stdout);
        assert!(stdout.contains("\"reason\":\"completed\""), "{mode}: {stdout}");
        folder.none_left();
    }
}

/// Matches where `clone` makes no namespace but this error.
fn play_without_name_spaces(errno: i32, with: &'static [(&str, &[&str])]) -> Vec<Output> {
    let (length, equal) = (SeccompCmpArgLen::Qword, |bits| SeccompCmpOp::MaskedEq(bits));
    let rules = [libc::CLONE_NEWUSER, libc::CLONE_NEWPID].map(|flag| {
        let bits = u64::from(flag.cast_unsigned());
        let condition = SeccompCondition::new(0, length.clone(), equal(bits), bits);
        SeccompRule::new(vec![condition.expect("a condition")]).expect("a rule")
    });
    let filter = SeccompFilter::new(
        [(libc::SYS_clone, rules.into())].into(),
        SeccompAction::Allow,
        SeccompAction::Errno(errno.cast_unsigned()),
        std::env::consts::ARCH.try_into().expect("a known machine"),
    );
    let filter: BpfProgram = filter.expect("a filter").try_into().expect("a program");
    // What a thread takes on holds for the programs that it starts, and for nobody else.
    let outputs = std::thread::spawn(move || {
        seccompiler::apply_filter(&filter).expect("it is taken on");
        with.iter().map(|(landlock, options)| play(landlock, "builtin:easy", options)).collect()
    });
    outputs.join().expect("the thread ends")
}

/// As where a user has as many processes as may be, which is soon over.
#[test]
fn too_few_processes_for_a_name_space_are_not_a_kernel_without_them() {
    if !requirements::sandbox_with_landlock_is_there("4", "too few processes on an older kernel") {
        return;
    }
    for output in
        play_without_name_spaces(libc::EAGAIN, &[("4", &[]), ("6", &["--allow-loopback"])])
    {
        let stderr = text(&output.stderr);
        assert_eq!(output.status.code(), Some(1), "{stderr}");
        assert!(stderr.contains("no more processes and threads"), "{stderr}");
        assert!(!stderr.contains("this kernel cannot hold"), "{stderr}");
    }
}

/// As in many a container, `clone` may make no namespace.
#[test]
fn without_landlock_for_signals_and_name_spaces_the_missing_piece_is_named() {
    let outputs = play_without_name_spaces(
        libc::EPERM,
        &[("4", &[]), ("2", &[]), ("6", &["--allow-loopback"]), ("0", &[])],
    );
    let [fourth, second, loopback, none] = &outputs[..] else { panic!("{outputs:?}") };
    for output in [fourth, second, loopback, none] {
        assert_eq!(output.status.code(), Some(1), "{output:?}");
        assert!(output.stdout.is_empty(), "{output:?}");
    }
    if requirements::sandbox_is_there("the refusal on an older kernel") {
        for (output, version) in [(&fourth, 4), (&second, 2)] {
            let stderr = text(&output.stderr);
            let why =
                format!("its Landlock is version {version}, which does not keep signals apart");
            assert!(stderr.contains(&why), "{stderr}");
            assert!(stderr.contains("user namespaces are missing here (Operation not"), "{stderr}");
        }
        let stderr = text(&loopback.stderr);
        assert!(stderr.contains("--allow-loopback needs a network namespace"), "{stderr}");
    }
    let stderr = text(&none.stderr);
    assert!(stderr.contains("it has no Landlock. --sandbox needs Linux 5.13"), "{stderr}");
}
