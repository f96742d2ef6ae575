//! A folder for one match, by which its processes are known.

use std::fs;
use std::path::Path;
use std::process::{Child, ExitStatus};
use std::time::{Duration, Instant};

use tempfile::TempDir;
use wait_timeout::ChildExt;

use super::kit::{hostile, path};
use super::processes;

/// Longer than any of this takes, even where the machine has other things to do.
pub const HANGS: Duration = Duration::from_mins(1);

/// With these two bots that go first legal house by first legal house play to and fro for ever.
pub const ENDLESS: [&str; 5] = [
    "--direction=either",
    "--empty-capture=no",
    "--opening=1,0,0,0,0,0,0,1,0,0,0,0,0,0",
    "--max-moves=500000",
    "--move-time=1h",
];

/// A folder for one match: the bots' processes are known by it, and say there how far they are.
pub struct Stage {
    pub folder: TempDir,
}

impl Stage {
    pub fn new() -> Stage {
        Stage { folder: tempfile::tempdir().expect("a folder is made") }
    }

    pub fn marker(&self) -> String {
        path(self.folder.path())
    }

    pub fn file(&self, name: &str) -> String {
        path(self.folder.path().join(name))
    }

    /// The hostile bot in that mode: `MODE`, or `MODE ROUND TURN`.
    pub fn bot(&self, mode: &str) -> String {
        let when = if mode.contains(' ') { "" } else { " 1 1" };
        hostile(&format!("{mode}{when} '{}'", self.marker()))
    }

    /// Waits until a bot has written this file.
    #[track_caller]
    pub fn wait_for(&self, name: &str) {
        wait_for(&self.folder.path().join(name));
    }

    /// What is in this file; nothing if it is missing.
    pub fn read(&self, name: &str) -> String {
        fs::read_to_string(self.file(name)).unwrap_or_default()
    }

    #[track_caller]
    pub fn none_left(&self) {
        processes::none_left(&self.marker());
    }
}

/// Waits until a file is there.
#[track_caller]
pub fn wait_for(file: &Path) {
    let end = Instant::now() + HANGS;
    while !file.exists() {
        assert!(Instant::now() < end, "{} is not there", file.display());
        std::thread::sleep(Duration::from_millis(2));
    }
}

/// The exit status of a program that ends by itself.
#[track_caller]
pub fn status_of(child: &mut Child) -> ExitStatus {
    if let Some(status) = child.wait_timeout(HANGS).expect("it can be waited for") {
        return status;
    }
    child.kill().expect("it can be killed");
    panic!("it does not end");
}
