//! A referee that plays for long has no more of the machine's than one that has just begun. The
//! long run is `cargo bench --bench soak`.

#[path = "../../bench/long_run/mod.rs"]
mod rounds;

use std::process::{Command, Stdio};

use rounds::Soak;

use crate::requirements;

/// Set for the process that plays, which is not the one that runs the other tests: their children
/// are none of the referee's.
const ALONE: &str = "SOAK_ALONE";

#[test]
fn resources_do_not_grow_over_many_rounds() {
    if std::env::var_os(ALONE).is_some() {
        return play_hundreds_of_rounds();
    }
    let output = Command::new(std::env::current_exe().expect("its own path"))
        .args([
            "--exact",
            "matches::long_run::resources_do_not_grow_over_many_rounds",
            "--nocapture",
        ])
        .env(ALONE, "1")
        .stdin(Stdio::null())
        .output()
        .expect("the tests start");
    let stdout = String::from_utf8_lossy(&output.stdout);
    assert!(output.status.success(), "{stdout}{}", String::from_utf8_lossy(&output.stderr));
    assert!(stdout.contains("rounds by their end"), "{stdout}");
    if requirements::sandbox_is_there("a long run in the sandbox") {
        assert!(stdout.contains("matches in the sandbox: 30\n"), "{stdout}");
    }
}

fn play_hundreds_of_rounds() {
    let soak = Soak { rounds: 600, settled: 300, shown: 4 };
    let folder = tempfile::tempdir().expect("a folder is made");
    let run =
        soak.run(env!("CARGO_BIN_EXE_hostile"), folder.path(), &mut |line| println!("{line}"));
    assert_eq!(run, Ok(()));
}
