//! Whatever runs below a worker stays on the worker's cores, in its scheduling class, at no better
//! priority: refused in the sandbox, put back outside it.

use rustix::thread::{CpuSet, sched_getaffinity, sched_setaffinity};

use crate::program::{hostile, mancala};
use crate::requirements;
use crate::runner::{Test, tests};
use crate::test_folder::TestFolder;

pub const TESTS: &[Test] = tests![
    a_bot_that_leaves_its_place_is_put_back_and_named,
    in_the_sandbox_a_bot_cannot_leave_its_place,
    what_wrap_does_to_a_bot_is_done_before_the_sandbox,
    fewer_of_its_cores_are_a_bot_s_to_choose,
    a_tournament_names_each_bot_that_leaves_its_place_once,
];

/// Each is a way to leave it.
const WAYS: [&str; 7] =
    ["other-core", "more-cores", "better-priority", "disks", "class=-f", "class=-b", "class=-i"];

/// Another one, which the sandbox refuses as it refuses to write any file.
const BY_SESSION: &str = "session";

/// This thread, and what it starts, on the first core that the tests have, where they have several.
/// Says otherwise what is left out.
fn is_bound_to_one_core(what: &str) -> bool {
    let all = sched_getaffinity(None).expect("the cores are known");
    let mut cores = (0..CpuSet::MAX_CPU).filter(|&core| all.is_set(core));
    let (first, Some(_)) = (cores.next().expect("there is one"), cores.next()) else {
        return requirements::is_left_out(what, "there is only one core");
    };
    let mut one = CpuSet::new();
    one.set(first);
    sched_setaffinity(None, &one).expect("the tests may be bound to a core");
    true
}

/// A match in which a bot tries these. Returns what it says of each.
fn tried(attacks: &[&str], options: &[&str]) -> (Vec<String>, String) {
    tried_with("", attacks, options)
}

/// The same where the referee has this variable, if any.
fn tried_with(variable: &str, attacks: &[&str], options: &[&str]) -> (Vec<String>, String) {
    let folder = TestFolder::new();
    let bot = hostile(&format!("attack 1 1 '{}' {}", folder.marker(), attacks.join(" ")));
    let variables: Vec<&str> = ["env", variable].into_iter().filter(|it| !it.is_empty()).collect();
    let outcome = mancala(["match", "--format=json", "--rounds=1", "--move-time=30s"])
        .behind(&variables)
        .args(options)
        .args([format!("rover={bot}"), "builtin:easy".to_owned()])
        .run();
    folder.none_left();
    let (stderr, record) = (outcome.stderr.clone(), outcome.code(0).json());
    assert_eq!(record["rounds"][0]["result"]["reason"], "completed", "{record:#}");
    let moves = record["rounds"][0]["moves"].as_array().expect("moves");
    let told = moves.iter().find_map(|one| one["info"].as_array()).expect("it reports");
    let told = told.iter().map(|report| report.as_str().expect("text").to_owned()).collect();
    (told, stderr)
}

/// Holds the promise `place`.
fn a_bot_that_leaves_its_place_is_put_back_and_named() {
    let what = "bots that leave their place";
    if !requirements::are_there("chrt", what) || !is_bound_to_one_core(what) {
        return;
    }
    let has_sessions = std::path::Path::new("/proc/self/autogroup").exists()
        || requirements::is_left_out("priorities of sessions", "they are not scheduled");
    for way in WAYS.into_iter().chain(has_sessions.then_some(BY_SESSION)) {
        let (reports, stderr) = tried(&[way], &["--quiet"]);
        let report = &reports[0];
        let was_put_back = report.starts_with(&format!("attack {way}: failed: put back after"));
        // A user without privileges may not have all, and cannot take back the last. Nor may anybody
        // have real time in a control group that has none.
        let is_root = rustix::process::geteuid().is_root();
        let may_be_refused = way == "class=-f"
            || !is_root && ["better-priority", "class=-i", BY_SESSION].contains(&way);
        assert!(was_put_back || may_be_refused, "{report}");
        let warnings = stderr.lines().filter(|line| line.contains("bot \"rover\" had a"));
        assert_eq!(warnings.count(), usize::from(was_put_back), "{way}: {stderr}");
    }
    let (reports, stderr) = tried(&["own-cores"], &["--quiet"]);
    assert!(reports[0].contains("succeeded"), "{reports:?}");
    assert_eq!(stderr, "");
    // What a command of the user's has set is left alone, but for the cores.
    let (reports, stderr) = tried(&["own-cores"], &["--quiet", "--wrap=chrt -b 0 nice -n 1"]);
    assert!(reports[0].contains("succeeded"), "{reports:?}");
    assert_eq!(stderr, "");
}

/// Holds the promise `place`.
fn in_the_sandbox_a_bot_cannot_leave_its_place() {
    let what = "bots that leave their place in the sandbox";
    if !requirements::are_there("chrt --sandbox", what) || !is_bound_to_one_core(what) {
        return;
    }
    // What the command of the user's does is allowed, and the bot behind it is held as any.
    for more in [&[][..], &["--wrap=chrt -b 0 nice -n 1"]] {
        let options = [&["--sandbox", "--quiet"], more].concat();
        let (reports, stderr) = tried(&WAYS, &options);
        for (way, report) in WAYS.iter().zip(&reports) {
            let refused =
                report.strip_prefix(&format!("attack {way}: failed: ")).expect("it is refused");
            assert!(refused.contains("Operation not permitted"), "{report}");
        }
        assert_eq!((reports.len(), &*stderr), (WAYS.len(), ""));
    }
}

/// What the sandbox refuses to a bot.
///
/// Holds the promise `place`.
fn what_wrap_does_to_a_bot_is_done_before_the_sandbox() {
    let what = "bots in the sandbox behind a command";
    if !requirements::are_there("chrt bash --sandbox", what) {
        return;
    }
    // And no descriptor of ours is left to it.
    let script = "for n in {3..200}; do if (true >&$n || true <&$n) 2>/dev/null; then exit 9; fi; \
                  done; chrt -p $$ >&2; echo priority $(nice) >&2; chrt -b -p 0 $$; exit 7";
    let outcome = mancala(["match", "--sandbox", "--rounds=1", "--format=json"])
        .arg("--wrap=chrt -b 0 nice -n 2")
        .args([format!("bash -c '{script}'"), "builtin:easy".to_owned()])
        .run()
        .code(0);
    let fault = &outcome.json()["rounds"][0]["result"]["fault"];
    assert_eq!(fault["cause"]["exit_code"], 7, "{fault:#}");
    let stderr = fault["stderr"].as_str().expect("text");
    assert!(stderr.contains("SCHED_BATCH") && stderr.contains("priority 2\n"), "{stderr}");
    assert!(stderr.contains("Operation not permitted"), "{stderr}");
}

/// Holds the promise `place`.
fn fewer_of_its_cores_are_a_bot_s_to_choose() {
    if !requirements::sandbox_is_there("cores of a bot in the sandbox") {
        return;
    }
    let all = sched_getaffinity(None).expect("the cores are known").count();
    let what = "cores of a bot in a namespace";
    let mut ways = vec![("", "--ponder=freeze")];
    if requirements::sandbox_with_landlock_is_there("4", what) {
        ways.push(("MANCALA_LANDLOCK_ABI=4", "--ponder=freeze"));
    }
    if requirements::loopback_is_there(what) {
        ways.push(("", "--allow-loopback"));
    }
    for (variable, option) in ways {
        let options = ["--sandbox", option, "--quiet"];
        let (reports, stderr) = tried_with(variable, &["own-cores"], &options);
        let expected = format!("attack own-cores: succeeded: one of {all}, and all");
        assert_eq!(reports, [expected], "{variable} {option}");
        assert_eq!(stderr, "");
    }
}

fn a_tournament_names_each_bot_that_leaves_its_place_once() {
    let folder = TestFolder::new();
    let bot = hostile(&format!("attack 1 1 '{}' other-core", folder.marker()));
    let cores = sched_getaffinity(None).expect("the cores are known").count();
    if cores < 2 {
        requirements::is_left_out("a bot that leaves its worker's core", "there is only one");
        return;
    }
    let outcome =
        mancala(["tournament", "--jobs=1", "--oversubscribe", "--quiet", "--strict", "--repeat=2"])
            .args([format!("rover={bot}"), "builtin:easy".to_owned(), "builtin:random".to_owned()])
            .run();
    folder.none_left();
    let outcome = outcome.code(0);
    let warnings = outcome.stderr.lines().filter(|line| line.contains("bot \"rover\" had a"));
    assert_eq!(warnings.count(), 1, "{}", outcome.stderr);
}
