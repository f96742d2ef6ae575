//! Where bots in the sandbox write: a private folder for each, in a folder of its warden's own.
//!
//! The warden and its referee hold a lock on the warden's folder. A folder without a lock is left
//! of those that were killed, and the next warden removes it.

use std::fs::{self, File, Permissions};
use std::io;
use std::os::fd::{AsFd as _, BorrowedFd};
use std::os::unix::fs::{
    DirBuilderExt as _, MetadataExt as _, OpenOptionsExt as _, PermissionsExt as _,
};
use std::path::{Path, PathBuf};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use rustix::fs::{CWD, FlockOperation, OFlags, flock, renameat};

use crate::bot::folder_walk::{DEEPEST, REMOVE, Visit, open_folder, walk_opened};
use crate::bot::without_temporary;

/// What the folders of wardens begin with.
const PREFIX: &str = "mancala-bots-";

/// The file in such a folder that is locked while its warden or its referee lives.
const LOCK: &str = "in-use";

/// A name that was swept away in the moment in which it was made is not taken again and again.
const TRIES: u32 = 10;

/// How long the removal of a bot's folder is waited for: 10,000 files take a tenth of a second.
const REMOVAL_WAIT: Duration = Duration::from_millis(500);

/// How old a folder without a lock is that nobody is making any more.
const ABANDONED: Duration = Duration::from_mins(1);

/// A warden's folder. Dropping it removes it, with all that is in it.
pub(in crate::bot::warden) struct Home {
    path: PathBuf,
    lock: File,
    /// A bot's folder in which nothing was left.
    spare: Option<PathBuf>,
    /// How many were made.
    count: u32,
}

impl Home {
    /// A folder that only its user may look into; folders that are no longer locked are removed.
    ///
    /// # Errors
    ///
    /// When there is no place for it; the text says where it was looked for.
    pub(super) fn make() -> io::Result<Home> {
        remove_unlocked();
        let private = || Permissions::from_mode(0o700);
        for _ in 0..TRIES {
            let mut folder = tempfile::Builder::new();
            folder.prefix(PREFIX).permissions(private());
            let folder = folder.tempdir().map_err(|error| without_temporary(&error))?;
            let lock = File::create_new(folder.path().join(LOCK))?;
            // Another sweep may have found it before it was locked.
            let is_ours = flock(&lock, FlockOperation::NonBlockingLockExclusive).is_ok();
            if is_ours && lock.metadata()?.nlink() > 0 {
                // As the kernel names it, by whatever links the place for temporary files is given.
                let path = folder.path().canonicalize()?;
                let _ = folder.keep();
                return Ok(Home { path, lock, spare: None, count: 0 });
            }
        }
        Err(io::Error::other("it is removed again and again"))
    }

    /// The folder, and the descriptor that locks it.
    pub(in crate::bot::warden) fn locked(&self) -> (&Path, BorrowedFd<'_>) {
        (&self.path, self.lock.as_fd())
    }

    /// An empty folder for a bot.
    pub(super) fn folder(&mut self) -> io::Result<PathBuf> {
        if let Some(spare) = self.spare.take() {
            return Ok(spare);
        }
        self.count += 1;
        let folder = self.path.join(self.count.to_string());
        fs::DirBuilder::new().mode(0o700).create(&folder)?;
        Ok(folder)
    }

    /// Takes a bot's folder back, in which nothing runs any more where that is `certain`. One that
    /// is not empty is removed. The next match plays on the core that this takes, so it is waited for,
    /// but not without end: a bot may have left a million files. The thread that is returned goes on.
    ///
    /// No program is started for it: below a warden is the bot alone.
    pub(in crate::bot::warden) fn take_back(
        &mut self,
        folder: PathBuf,
        certain: bool,
    ) -> Option<JoinHandle<()>> {
        let is_empty = fs::read_dir(&folder).is_ok_and(|mut entries| entries.next().is_none());
        if is_empty && certain && self.spare.is_none() {
            self.spare = Some(folder);
            return None;
        }
        if fs::remove_dir(&folder).is_ok() {
            return None;
        }
        let (end, to_remove) = (Instant::now() + REMOVAL_WAIT, folder.clone());
        let removal = remove_while(move || remove_all(&to_remove), || Instant::now() < end);
        // Where there may be no thread, it is removed before the next bot starts.
        removal.inspect_err(|_| remove_all(&folder)).ok()
    }
}

/// Runs a removal, and waits for it while `is_awaited`. The thread that is returned goes on.
///
/// # Errors
///
/// When there may be no thread.
fn remove_while(
    remove: impl FnOnce() + Send + 'static,
    is_awaited: impl Fn() -> bool,
) -> io::Result<JoinHandle<()>> {
    let removal = std::thread::Builder::new().spawn(remove)?;
    while !removal.is_finished() && is_awaited() {
        std::thread::sleep(Duration::from_millis(1));
    }
    Ok(removal)
}

impl Drop for Home {
    fn drop(&mut self) {
        remove_home(&self.path);
    }
}

/// Removes the folders of wardens that were killed, together with their referee or before it knew
/// their folder.
pub(crate) fn remove_unlocked() {
    sweep(&std::env::temp_dir());
}

/// The same at the end of a program, which waits for it while `is_awaited`. What is still left then
/// is removed when bots next start in the sandbox.
pub fn remove_unlocked_while(is_awaited: impl Fn() -> bool) {
    let _ = remove_while(remove_unlocked, is_awaited);
}

/// Removes the folders of wardens that are no longer locked.
fn sweep(place: &Path) {
    let own = rustix::process::geteuid().as_raw();
    for entry in fs::read_dir(place).into_iter().flatten().flatten() {
        let is_named_so = entry.file_name().as_encoded_bytes().starts_with(PREFIX.as_bytes());
        // Links are not followed.
        let is_ours = || entry.metadata().is_ok_and(|it| it.is_dir() && it.uid() == own);
        if is_named_so && is_ours() {
            sweep_one(&entry.path());
        }
    }
}

fn sweep_one(folder: &Path) {
    let mut options = File::options();
    let flags = (OFlags::NOFOLLOW | OFlags::NONBLOCK).bits().cast_signed();
    match options.read(true).custom_flags(flags).open(folder.join(LOCK)) {
        Ok(lock) => {
            if flock(&lock, FlockOperation::NonBlockingLockExclusive).is_ok() {
                remove_home(folder);
            }
        }
        // A new one is being made, or its last moment has come.
        Err(error) if error.kind() == io::ErrorKind::NotFound && is_abandoned(folder) => {
            remove_home(folder);
        }
        Err(_) => {}
    }
}

fn is_abandoned(folder: &Path) -> bool {
    let changed = fs::metadata(folder).and_then(|found| found.modified());
    changed.is_ok_and(|at| at.elapsed().is_ok_and(|age| age > ABANDONED))
}

/// Removes a warden's folder. The lock goes last: if this process is killed meanwhile, the next
/// warden finds the rest by it.
pub(crate) fn remove_home(folder: &Path) {
    remove_all_but_lock(folder);
    remove_all(folder);
}

fn remove_all_but_lock(folder: &Path) {
    for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
        if entry.file_name() != LOCK && fs::remove_file(entry.path()).is_err() {
            remove_all(&entry.path());
        }
    }
}

/// Removes a folder with all that a bot left in it, whatever modes and depths it gave it. Nothing
/// may run in it any more.
pub fn remove_all(root: &Path) {
    if fs::remove_dir_all(root).is_err() {
        let _ = make_removable(root);
        let _ = fs::remove_dir_all(root);
    }
}

/// Opens every folder, and brings up to the root what lies so deep that more descriptors would be
/// needed to remove it than there are.
fn make_removable(root: &Path) -> rustix::io::Result<()> {
    let root = open_folder(CWD, root, REMOVE)?;
    let mut brought_up = 0;
    // By their names, for a bot may leave more than there are descriptors.
    let mut folders = vec![".".to_owned()];
    while let Some(folder) = folders.pop() {
        let opened = open_folder(root.as_fd(), &*folder, REMOVE)?;
        walk_opened(opened, REMOVE, &mut |found| {
            if found.depth < DEEPEST || !found.is_folder() {
                return Visit::Enter;
            }
            // Under the first name that the bot has not taken itself.
            let up = (0..1000).find_map(|_| {
                brought_up += 1;
                let up = format!(".{brought_up}-of-the-depths");
                renameat(found.parent, found.name, &root, &*up).is_ok().then_some(up)
            });
            folders.extend(up);
            Visit::Skip
        });
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use std::time::SystemTime;

    use super::*;

    #[test]
    fn whatever_a_bot_left_is_removed() {
        let mut home = Home::make().unwrap();
        let path = home.folder().unwrap();
        assert_eq!(fs::metadata(&path).unwrap().permissions().mode() & 0o777, 0o700);
        // Deeper than any path reaches, and than there are descriptors for.
        let long = "deep".repeat(50);
        let mut inner = path.join("0");
        fs::create_dir(&inner).unwrap();
        for number in 1..600 {
            let outer = path.join(number.to_string());
            fs::create_dir(&outer).unwrap();
            fs::rename(&inner, outer.join(&long)).unwrap();
            inner = outer;
        }
        let locked = path.join("locked");
        fs::create_dir(&locked).unwrap();
        fs::write(locked.join("file"), "x").unwrap();
        fs::set_permissions(&locked, Permissions::from_mode(0o000)).unwrap();
        home.take_back(path.clone(), true).unwrap().join().unwrap();
        assert!(!path.exists());

        // One in which nothing was left serves the next bot.
        let empty = home.folder().unwrap();
        assert_ne!(empty, path);
        assert!(home.take_back(empty.clone(), true).is_none());
        assert_eq!(home.folder().unwrap(), empty);
        assert!(home.take_back(empty.clone(), false).is_none() && !empty.exists());
    }

    #[test]
    fn what_nobody_holds_is_swept_and_nothing_else() {
        let place = tempfile::tempdir().unwrap();
        let make = |name: &str| {
            let folder = place.path().join(name);
            fs::create_dir(&folder).unwrap();
            fs::write(folder.join(LOCK), "").unwrap();
            fs::write(folder.join("left"), "").unwrap();
            folder
        };
        let [left, held, other] = ["mancala-bots-a", "mancala-bots-b", "mancala-logs"].map(make);
        let unmarked = place.path().join("mancala-bots-c");
        fs::create_dir(&unmarked).unwrap();
        let lock = File::open(held.join(LOCK)).unwrap();
        flock(&lock, FlockOperation::LockExclusive).unwrap();
        std::os::unix::fs::symlink(&other, place.path().join("mancala-bots-d")).unwrap();
        sweep(place.path());
        assert!(!left.exists());
        assert!([&held, &other, &unmarked].iter().all(|folder| folder.exists()));
        assert!(other.join("left").exists());
        // A program that another test starts may have a copy of it for a while.
        flock(&lock, FlockOperation::Unlock).unwrap();
        sweep(place.path());
        assert!(!held.exists());
    }

    #[test]
    fn what_is_left_of_a_removal_is_swept_later() {
        let place = tempfile::tempdir().unwrap();
        let made = ["mancala-bots-new", "mancala-bots-old"].map(|name| {
            let folder = place.path().join(name);
            fs::create_dir_all(folder.join("1")).unwrap();
            fs::write(folder.join("left"), "").unwrap();
            folder
        });
        let [new, old] = &made;
        let ago = SystemTime::now() - 2 * ABANDONED;
        File::open(old).unwrap().set_modified(ago).unwrap();
        sweep(place.path());
        assert!(new.join("left").exists() && !old.exists());

        fs::write(new.join(LOCK), "").unwrap();
        remove_all_but_lock(new);
        let left: Vec<_> = fs::read_dir(new).unwrap().map(|it| it.unwrap().file_name()).collect();
        assert_eq!(left, [LOCK]);
        remove_home(new);
        assert!(!new.exists());
    }

    #[test]
    fn a_home_is_held_until_it_is_gone() {
        let home = Home::make().unwrap();
        let path = home.path.clone();
        sweep(path.parent().unwrap());
        assert!(path.exists());
        drop(home);
        assert!(!path.exists());
    }
}
