//! The program as another user than the one who runs the tests.

use std::fs;
use std::os::unix::fs::PermissionsExt as _;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU32, Ordering};

use tempfile::TempDir;

use super::program::{Outcome, copy_program, mancala, path};

/// A number that no user of a machine has, and the next ones neither.
static NEXT_USER: AtomicU32 = AtomicU32::new(61234);

/// A number that no user of the machine has, nor another test.
pub fn next() -> u32 {
    NEXT_USER.fetch_add(1, Ordering::Relaxed)
}

/// The programs where any user may run them, and a folder that any user may write to.
pub struct Public {
    pub folder: TempDir,
    /// Each test has its own: the system counts processes and descriptors in flight by user.
    user: String,
}

impl Public {
    pub fn new() -> Public {
        let folder = tempfile::tempdir().expect("a folder is made");
        let open = fs::Permissions::from_mode(0o777);
        fs::set_permissions(folder.path(), open).expect("it may be");
        for (name, program) in
            [("mancala", env!("CARGO_BIN_EXE_mancala")), ("hostile", env!("CARGO_BIN_EXE_hostile"))]
        {
            provide(program, &folder.path().join(name));
        }
        Public { folder, user: next().to_string() }
    }

    pub fn file(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    /// Runs `mancala` after this shell command, as a user without privileges.
    pub fn run(&self, before: &str, arguments: &[&str]) -> Outcome {
        let mut words = Vec::new();
        if rustix::process::geteuid().is_root() {
            words.extend(["setpriv", "--reuid", &self.user, "--regid", &self.user]);
            words.push("--clear-groups");
        }
        self.run_behind(&words, before, arguments)
    }

    /// The same, behind these words.
    pub fn run_behind(&self, words: &[&str], before: &str, arguments: &[&str]) -> Outcome {
        let program = path(self.file("mancala"));
        let shell = format!("{before} && exec \"$@\"");
        // Not every sh knows all limits.
        let bash = ["bash", "-c", &shell, "bash", &program];
        let words = [words, &bash, arguments].concat();
        mancala::<&str>([]).in_folder(self.folder.path()).instead(&words).run()
    }
}

/// The program under another name. A link, where any user may run it and the disk is the same, spares
/// a copy of 80 MB.
fn provide(program: &str, name: &Path) {
    let mode = fs::metadata(program).expect("it is there").permissions().mode();
    if mode & 0o777 != 0o755 || fs::hard_link(program, name).is_err() {
        copy_program(program, name);
    }
}
