//! A contest in a folder, held by this user or by another one.

use std::fs;
use std::os::unix::fs::{PermissionsExt, lchown};
use std::path::{Path, PathBuf};

use crate::another_user;
use crate::program::{Outcome, mancala, path};
use crate::requirements;
use crate::test_folder::TestFolder;

/// A bot that plays its first legal house.
pub const SOUND: &str = "while read -r line; do\n  case $line in\n  '{\"type\":\"turn\"'*)\n    \
                     legal=${line#*'\"legal\":['}\n    echo \"${legal%\"${legal#?}\"}\" ;;\n  esac\ndone\n";

/// A contest in a folder, with programs that any user may run.
pub struct Contest {
    pub folder: TestFolder,
    /// The user who holds it, where that is another one.
    pub user: Option<u32>,
}

impl Contest {
    pub fn new(config: &str) -> Contest {
        let contest = Contest { folder: TestFolder::new(), user: None };
        contest.write("contest.toml", config);
        contest
    }

    pub fn write(&self, name: &str, text: &str) {
        let file = self.file(name);
        fs::create_dir_all(file.parent().unwrap()).unwrap();
        fs::write(file, text).unwrap();
    }

    pub fn read(&self, name: &str) -> String {
        fs::read_to_string(self.file(name)).unwrap_or_default()
    }

    pub fn file(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    /// Gives all of it to a user without privileges, where this is the superuser.
    pub fn give_away(mut self) -> Option<Contest> {
        let is_root = rustix::process::geteuid().is_root();
        if !is_root || !requirements::are_there("setpriv", "a contest of another user") {
            return None;
        }
        fs::copy(env!("CARGO_BIN_EXE_mancala"), self.file("mancala")).unwrap();
        fs::set_permissions(self.file("mancala"), fs::Permissions::from_mode(0o755)).unwrap();
        let user = another_user::next();
        give(self.folder.path(), user);
        self.user = Some(user);
        Some(self)
    }

    /// Plays it with these options.
    pub fn play(&self, options: &[&str]) -> Outcome {
        let usual = ["tournament", "--oversubscribe", "--quiet", "--config", "contest.toml"];
        let words: Vec<&str> = usual.iter().chain(options).copied().collect();
        let Some(user) = self.user else {
            return mancala(words).in_folder(self.folder.path()).run();
        };
        let (user, program) = (user.to_string(), path(self.file("mancala")));
        let before = ["setpriv", "--reuid", &user, "--regid", &user, "--clear-groups", &program];
        let words: Vec<&str> = before.into_iter().chain(words).collect();
        mancala::<&str>([]).in_folder(self.folder.path()).instead(&words).run()
    }
}

/// Gives a folder and all in it to a user. Links are given themselves: what they lead to may be
/// anything on this machine.
fn give(path: &Path, user: u32) {
    lchown(path, Some(user), Some(user)).unwrap();
    if path.symlink_metadata().unwrap().is_dir() {
        for entry in fs::read_dir(path).unwrap() {
            give(&entry.unwrap().path(), user);
        }
    }
}

/// The kinds of user who hold a contest: this one, and where it is the superuser, another one.
pub fn for_each_user(make: impl Fn() -> Contest, check: impl Fn(&Contest)) {
    check(&make());
    if let Some(contest) = make().give_away() {
        check(&contest);
    }
}

/// Copies a folder with all that is in it.
pub fn copy(from: &Path, to: &Path) {
    fs::create_dir_all(to).unwrap();
    for entry in fs::read_dir(from).unwrap().flatten() {
        let place = to.join(entry.file_name());
        if entry.path().is_dir() {
            copy(&entry.path(), &place);
        } else {
            fs::copy(entry.path(), place).unwrap();
        }
    }
}

pub const SCRIPTS: &str = "[[bots]]\nglob = \"bots/*/build.sh\"\nname = \"{folder}\"\n\
                       build = \"sh {path} {dir}\"\ncommand = \"sh {dir}/bot.sh\"\n";
