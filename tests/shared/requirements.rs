//! The languages that a machine may lack: left out with a word where one does, insisted on in CI.

use std::path::Path;
use std::sync::OnceLock;

use crate::program::mancala;

/// The programs that examples and documents need and that not every machine has.
const TOOLS: [&str; 21] = [
    "flock",
    "chrt",
    "python3",
    "node",
    "java",
    "javac",
    "cc",
    "gcc",
    "bash",
    "setsid",
    "perl",
    "bwrap",
    "parallel",
    "munged",
    "slurmctld",
    "slurmd",
    "sbatch",
    "setpriv",
    "xmllint",
    "chromium",
    "chromedriver",
];

/// What asks for the sandbox; in the documents configs are for bots of a folder.
const NEED_THE_SANDBOX: [&str; 2] = ["--sandbox", "tournament --config"];

/// Whether this program is on the PATH.
fn is_there(program: &str) -> bool {
    let path = std::env::var_os("PATH").unwrap_or_default();
    std::env::split_paths(&path).any(|folder| folder.join(program).is_file())
}

/// Whether the tools in a command line are all there, and the sandbox if it asks for it. Where one
/// is not, says what is left out.
///
/// # Panics
///
/// When one is not there and CI is set.
pub fn are_there(command: &str, what: &str) -> bool {
    let mut words = command.split(|c: char| c.is_whitespace() || "\"'`|;&()=".contains(c));
    let missing = words.find(|word| TOOLS.contains(word) && !is_there(word));
    missing.is_none_or(|tool| left_out(what, &format!("{tool} is not installed")))
        && (!NEED_THE_SANDBOX.iter().any(|words| command.contains(words)) || sandbox_is_there(what))
}

/// Whether Perl is there, and has threads. Where not, says what is left out.
///
/// # Panics
///
/// When it has none and CI is set.
pub fn perl_has_threads(what: &str) -> bool {
    let tried = std::process::Command::new("perl").args(["-Mthreads", "-e", "1"]).output();
    tried.is_ok_and(|output| output.status.success())
        || left_out(what, "there is no Perl with threads")
}

/// Whether this file is there. Where it is not, says what is left out.
///
/// # Panics
///
/// When it is not there and CI is set.
pub fn is_built(file: &Path, what: &str) -> bool {
    file.is_file() || left_out(what, &format!("{} is not there", file.display()))
}

/// Whether this kernel can hold the sandbox. Where it cannot, says what is left out.
///
/// # Panics
///
/// When it cannot and CI is set.
pub fn sandbox_is_there(what: &str) -> bool {
    static WHY_NOT: OnceLock<Option<String>> = OnceLock::new();
    let why_not = WHY_NOT.get_or_init(|| {
        let outcome = mancala(["match", "--sandbox", "builtin:easy", "builtin:easy"]).run();
        let cannot = outcome.code == Some(1) && outcome.stderr.contains("cannot hold the sandbox");
        cannot.then_some(outcome.stderr)
    });
    why_not.as_ref().is_none_or(|why| left_out(what, why.trim_end()))
}

/// Whether this kernel can hold the sandbox with this version of Landlock, which may be an older one
/// than its own. Where it cannot, says what is left out.
///
/// # Panics
///
/// When it cannot and CI is set.
pub fn sandbox_with_landlock_is_there(version: &str, what: &str) -> bool {
    can_hold_the_sandbox(&[], Some(version), what)
}

/// Whether bots in the sandbox can have loopbacks of their own. Where they cannot, says what is left
/// out.
///
/// # Panics
///
/// When they cannot and CI is set.
pub fn loopback_is_there(what: &str) -> bool {
    can_hold_the_sandbox(&["--allow-loopback"], None, what)
}

fn can_hold_the_sandbox(options: &[&str], landlock: Option<&str>, what: &str) -> bool {
    let run = mancala(["match", "--sandbox", "builtin:easy", "builtin:easy"]).args(options);
    let landlock = landlock.map(|version| ("MANCALA_LANDLOCK_ABI", version));
    let output = run.command().envs(landlock).output().expect("mancala starts");
    let stderr = String::from_utf8_lossy(&output.stderr);
    // An older kernel has an older version, whatever it is told.
    let has_version = landlock
        .is_none_or(|(_, version)| stderr.contains(&format!("Landlock (version {version})")));
    (has_version && !stderr.contains("cannot hold the sandbox"))
        || left_out(what, stderr.trim_end())
}

/// Whether the tests run in CI, where nothing is left out.
fn in_ci() -> bool {
    std::env::var_os("CI").is_some_and(|value| !value.is_empty() && value != "false")
}

/// Says that this is left out, and why; false.
///
/// # Panics
///
/// In CI.
pub fn is_left_out(what: &str, why: &str) -> bool {
    left_out(what, why)
}

fn left_out(what: &str, why: &str) -> bool {
    assert!(!in_ci(), "{what}: {why}, and in CI nothing is left out");
    // Not `eprintln!`, which the test runner would keep to itself when the test passes.
    let _ = std::io::Write::write_all(
        &mut std::io::stderr(),
        format!("left out: {what}: {why}\n").as_bytes(),
    );
    false
}
