//! Control groups of the system, one for one test.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU32, Ordering};

use super::program::path;
use super::requirements;

/// Where the groups of both versions are.
const ROOT: &str = "/sys/fs/cgroup";

/// Each test has its own.
static NEXT: AtomicU32 = AtomicU32::new(0);

/// A control group, for as long as it lasts.
pub struct Group(PathBuf);

impl Group {
    /// A group below this program's own in which that controller is at work, as one of these files
    /// says, of the first version's and of the second's. None, with a printed reason, where there
    /// is none.
    pub fn of(controller: &str, files: [&str; 2], what: &str) -> Option<Group> {
        let own = fs::read_to_string("/proc/self/cgroup").unwrap_or_default();
        let group = own.lines().find_map(|line| {
            let mut fields = line.splitn(3, ':').skip(1);
            let (kinds, own) = (fields.next()?, fields.next()?.trim_start_matches('/'));
            let parent = if kinds.split(',').any(|kind| kind == controller) {
                Path::new(ROOT).join(kinds).join(own)
            } else if kinds.is_empty() {
                let parent = Path::new(ROOT).join(own);
                // Where it is not allowed, it may have been done.
                let _ = fs::write(parent.join("cgroup.subtree_control"), format!("+{controller}"));
                parent
            } else {
                return None;
            };
            let number = NEXT.fetch_add(1, Ordering::Relaxed);
            let name = format!("mancala-test-{controller}-{}-{number}", std::process::id());
            let folder = parent.join(name);
            fs::create_dir(&folder).ok()?;
            let group = Group(folder);
            files.iter().any(|file| group.0.join(file).exists()).then_some(group)
        });
        if group.is_none() {
            requirements::is_left_out(
                what,
                &format!("this user may make no {controller} control group"),
            );
        }
        group
    }

    /// Whether this user may make groups of the second version. Says otherwise what is left out.
    pub fn second_is_there(what: &str) -> bool {
        let own = fs::read_to_string("/proc/self/cgroup").unwrap_or_default();
        let own = own.lines().find_map(|line| line.strip_prefix("0::/")).unwrap_or_default();
        let roots = [Path::new(ROOT).to_owned(), Path::new(ROOT).join("unified")];
        let root = roots.into_iter().find(|root| root.join("cgroup.controllers").exists());
        let folder = root
            .map(|root| root.join(own).join(format!("mancala-test-second-{}", std::process::id())));
        let is_there = folder.is_some_and(|folder| {
            fs::create_dir(&folder).is_ok() && fs::remove_dir(&folder).is_ok()
        });
        is_there
            || requirements::is_left_out(
                what,
                "this user may make no control group of the second version",
            )
    }

    /// Whether it could be set.
    pub fn set(&self, file: &str, value: &str) -> bool {
        let file = self.0.join(file);
        file.exists() && fs::write(file, value).is_ok()
    }

    /// What a file of the group says, where there is such a file.
    pub fn get(&self, file: &str) -> Option<String> {
        fs::read_to_string(self.0.join(file)).ok()
    }

    /// A shell command that enters the group and then becomes the command behind it.
    pub fn enter(&self) -> String {
        format!("echo $$ > '{}' && exec \"$0\" \"$@\"", path(self.0.join("cgroup.procs")))
    }
}

impl Drop for Group {
    fn drop(&mut self) {
        // What was killed in it may take a moment to be gone.
        let is_removed = || fs::remove_dir(&self.0).is_ok() || !self.0.exists();
        for _ in 0..500 {
            if is_removed() {
                return;
            }
            std::thread::sleep(std::time::Duration::from_millis(10));
        }
    }
}
