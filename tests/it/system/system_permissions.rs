//! What the system refuses to the referee, or grants it only when asked: it is told before anything
//! is played, or it does not matter.

use rustix::process::{Pid, Signal, kill_process};

use crate::program::mancala;
use crate::test_folder::{ENDLESS, TestFolder, status_of};

/// A process that may not adopt orphans could not end what a killed warden leaves behind.
#[test]
fn a_system_without_subreapers_is_an_error_before_the_match() {
    use seccompiler::{
        BpfProgram, SeccompAction, SeccompCmpArgLen, SeccompCmpOp, SeccompCondition, SeccompFilter,
        SeccompRule,
    };

    const SET_CHILD_SUBREAPER: u64 = 36;
    let (length, equal) = (SeccompCmpArgLen::Dword, SeccompCmpOp::Eq);
    let asks = SeccompCondition::new(0, length, equal, SET_CHILD_SUBREAPER).expect("a condition");
    let rule = SeccompRule::new(vec![asks]).expect("a rule");
    let refused = SeccompAction::Errno(1);
    let filter = SeccompFilter::new(
        [(libc::SYS_prctl, vec![rule])].into(),
        SeccompAction::Allow,
        refused,
        std::env::consts::ARCH.try_into().expect("a known machine"),
    );
    let filter: BpfProgram = filter.expect("a filter").try_into().expect("a program");
    let folder = TestFolder::new();
    let bots = [folder.bot("witness"), folder.bot("sound")];
    // What a thread takes on holds for the programs that it starts, and for nobody else.
    let outcome = std::thread::spawn(move || {
        seccompiler::apply_filter(&filter).expect("it is taken on");
        mancala(["match"]).args(bots).run()
    });
    let outcome = outcome.join().expect("the thread ends");
    outcome.failure(1, "cannot start the processes that supervise bots: Operation not permitted");
    assert_eq!(folder.read("launches"), "", "a bot was started");
}

#[test]
fn the_referee_raises_its_limit_of_descriptors() {
    let folder = TestFolder::new();
    let few = r#"ulimit -S -n 64 && exec "$0" "$@""#;
    let mut child = mancala(["match"])
        .args([folder.bot("announce 1 3"), folder.bot("sound")])
        .args(ENDLESS)
        .behind(&["sh", "-c", few])
        .start();
    folder.wait_for("done");
    let limits = std::fs::read_to_string(format!("/proc/{}/limits", child.id()));
    let limits = limits.expect("it runs");
    let line = limits.lines().find_map(|line| line.strip_prefix("Max open files"));
    let [soft, hard, _] = line.expect("a limit").split_whitespace().collect::<Vec<_>>()[..] else {
        panic!("{limits}");
    };
    assert!(soft == hard && soft != "64", "{limits}");
    kill_process(Pid::from_child(&child), Signal::INT).expect("mancala is there");
    assert_eq!(status_of(&mut child).code(), Some(130));
    folder.none_left();
}
