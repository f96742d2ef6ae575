//! A folder for one test, by which the processes of its bots are found.

use std::fs;
use std::path::Path;
use std::process::{Child, ExitStatus};
use std::time::{Duration, Instant};

use tempfile::TempDir;
use wait_timeout::ChildExt;

use super::processes;
use super::program::{hostile, path};

/// Longer than anything here takes, also on a busy machine.
pub const HANGS: Duration = Duration::from_mins(1);

/// Two bots that always play their first legal house move one seed to and fro with these options.
pub const ENDLESS: [&str; 5] = [
    "--direction=either",
    "--empty-capture=no",
    "--opening=1,0,0,0,0,0,0,1,0,0,0,0,0,0",
    "--max-moves=500000",
    "--move-time=1h",
];

/// A temporary folder for one test. Its path stands in the command lines of the test's bots, by
/// which their processes are found, and the bots write files to it that show how far they are.
pub struct TestFolder(TempDir);

impl TestFolder {
    pub fn new() -> TestFolder {
        TestFolder(tempfile::tempdir().expect("a folder is made"))
    }

    pub fn path(&self) -> &Path {
        self.0.path()
    }

    /// The path as text, which all command lines of the test's bots contain.
    pub fn marker(&self) -> String {
        path(self.path())
    }

    pub fn file(&self, name: &str) -> String {
        path(self.path().join(name))
    }

    /// The command line of the hostile bot in this mode: `MODE`, or `MODE ROUND TURN`.
    pub fn bot(&self, mode: &str) -> String {
        let when = if mode.contains(' ') { "" } else { " 1 1" };
        hostile(&format!("{mode}{when} '{}'", self.marker()))
    }

    /// Waits until a bot has written this file.
    #[track_caller]
    pub fn wait_for(&self, name: &str) {
        wait_for(&self.path().join(name));
    }

    /// The text of this file; empty if it is missing.
    pub fn read(&self, name: &str) -> String {
        fs::read_to_string(self.file(name)).unwrap_or_default()
    }

    /// Fails if a process of the test's bots is still running.
    #[track_caller]
    pub fn none_left(&self) {
        processes::none_left(&self.marker());
    }
}

/// Waits until `file` exists.
#[track_caller]
pub fn wait_for(file: &Path) {
    wait_until(&format!("{} does not exist", file.display()), || file.exists());
}

/// Waits until `condition` is true; fails with `otherwise` after [`HANGS`].
#[track_caller]
pub fn wait_until(otherwise: &str, mut condition: impl FnMut() -> bool) {
    let end = Instant::now() + HANGS;
    while !condition() {
        assert!(Instant::now() < end, "{otherwise}");
        std::thread::sleep(Duration::from_millis(2));
    }
}

/// Whether `condition` becomes true within `time`. Pauses are counted, not the clock: what makes a
/// program late on a busy machine makes the pauses late, too.
pub fn within(time: Duration, mut condition: impl FnMut() -> bool) -> bool {
    const PAUSE: Duration = Duration::from_millis(5);
    (0..=time.as_millis() / PAUSE.as_millis()).any(|_| {
        condition() || {
            std::thread::sleep(PAUSE);
            false
        }
    })
}

/// The exit status of a program that ends by itself.
#[track_caller]
pub fn status_of(child: &mut Child) -> ExitStatus {
    if let Some(status) = child.wait_timeout(HANGS).expect("its end can be waited for") {
        return status;
    }
    child.kill().expect("it can be killed");
    panic!("the program does not end");
}
