//! The files of the places that a build may write to: whether they take too much, and the removal of
//! what a build left that is refused for it.

use std::collections::{BTreeSet, HashMap};
use std::ffi::OsStr;
use std::fs::{self, File, Permissions};
use std::os::unix::ffi::OsStrExt as _;
use std::os::unix::fs::{MetadataExt as _, OpenOptionsExt as _, PermissionsExt as _};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant, SystemTime};

use rustix::fs::{FileType, OFlags, Stat, lstat, statvfs};

use crate::bot::{DEEPEST, Visit, remove_folder, walk};

/// Most files of a bot's own folder, as in a bot's private one.
pub(super) const MOST_FILES: u32 = 10_000;

/// A folder with more files than this, what was handed in included, is not looked at to the end.
pub(super) const MOST_LOOKED_AT: u32 = 4 * MOST_FILES;

/// The longest path of a folder that is looked into. The kernel takes 4,096 bytes, and one name has up
/// to 255.
const LONGEST: usize = 3800;

/// The time between two looks, unless the disk loses much.
const BETWEEN_LOOKS: Duration = Duration::from_millis(200);

pub(super) struct BuildFiles<'a> {
    /// None of them is inside another one.
    places: Vec<&'a Path>,
    limit: u64,
    before: FilesBeforeBuild,
    used_before: Used,
    looked_at: Instant,
    /// The bytes that were free on the disk at the last look.
    free: u64,
}

/// A file's disk and its number there.
type FileNumber = (u64, u64);

/// The length of what was there before the build, by its path and by its number.
#[derive(Default)]
struct FilesBeforeBuild {
    by_path: HashMap<PathBuf, u64>,
    /// What a build has moved was there, too.
    by_number: HashMap<FileNumber, FileBefore>,
}

/// What is known of a file that was there before the build.
struct FileBefore {
    length: u64,
    /// When it was made: a new file may get the number of one that is gone. `None` where the disk
    /// does not keep it.
    born: Option<SystemTime>,
}

impl FilesBeforeBuild {
    fn add(&mut self, path: &Path, stat: &Stat) {
        let length = stat.st_size.cast_unsigned();
        self.by_path.insert(path.to_owned(), length);
        self.by_number.insert(number_of(stat), FileBefore { length, born: born_at(path) });
    }

    /// The longer of both, so that nothing is lost of what was moved onto another file.
    fn length_of(&self, path: &Path, stat: &Stat) -> Option<u64> {
        let by_number = self.by_number.get(&number_of(stat)).filter(|known| {
            known.born.zip(born_at(path)).is_none_or(|(before, now)| before == now)
        });
        self.by_path.get(path).copied().max(by_number.map(|known| known.length))
    }
}

const fn number_of(stat: &Stat) -> FileNumber {
    (stat.st_dev, stat.st_ino)
}

fn born_at(path: &Path) -> Option<SystemTime> {
    path.symlink_metadata().and_then(|file| file.created()).ok()
}

impl<'a> BuildFiles<'a> {
    /// The files of `places`, which may grow by `limit` bytes. `None` if they are too many, or lie
    /// too deep, for one look.
    pub(super) fn new(places: &'a BTreeSet<PathBuf>, limit: u64) -> Option<BuildFiles<'a>> {
        // What is inside another place is found there.
        let is_outer = |path: &&PathBuf| !path.ancestors().skip(1).any(|it| places.contains(it));
        let places: Vec<&Path> = places.iter().filter(is_outer).map(PathBuf::as_path).collect();
        let mut before = FilesBeforeBuild::default();
        let used_before = used(&places, &mut |path, stat| before.add(path, stat))?;
        let free = free(&places);
        Some(BuildFiles { places, limit, before, used_before, looked_at: Instant::now(), free })
    }

    /// Whether they have grown by more than `limit` bytes or [`MOST_FILES`] files, or can no longer be
    /// looked at. Looks at them only if the last look was a while ago or the disk has lost much since.
    pub(super) fn are_seen_to_take_too_much(&mut self) -> bool {
        let lost = self.free.saturating_sub(free(&self.places));
        let is_due = lost > self.limit / 8 || self.looked_at.elapsed() > BETWEEN_LOOKS;
        is_due && self.take_too_much()
    }

    /// The same, and looks at once.
    pub(super) fn take_too_much(&mut self) -> bool {
        self.free = free(&self.places);
        let used = used(&self.places, &mut |_, _| ());
        self.looked_at = Instant::now();
        let before = &self.used_before;
        used.is_none_or(|Used { bytes, files }| {
            bytes > before.bytes.saturating_add(self.limit) || files > before.files + MOST_FILES
        })
    }

    /// Removes all that is new, and cuts what has grown to its earlier length. No process of the build
    /// may run any more.
    pub(super) fn undo_growth(&self) {
        let (mut new, mut grown) = (Vec::new(), Vec::new());
        let mut names: HashMap<FileNumber, u64> = HashMap::new();
        each_file(&self.places, &mut |path, stat, depth| {
            let kind = type_of(stat);
            // Nothing lay so deep before.
            if is_too_deep(path, stat, depth) {
                new.push((path.to_owned(), true));
                return Visit::Skip;
            }
            let Some(length) = self.before.length_of(path, stat) else {
                new.push((path.to_owned(), false));
                return Visit::Enter;
            };
            *names.entry(number_of(stat)).or_default() += 1;
            if kind == FileType::RegularFile && stat.st_size.cast_unsigned() > length {
                grown.push((path.to_owned(), length, number_of(stat)));
            }
            Visit::Enter
        });
        // What is in a folder comes before it. What cannot be removed or cut stays: a folder into which
        // older files were moved.
        for (path, is_too_deep) in new.into_iter().rev() {
            if is_too_deep {
                remove_folder(&path);
            } else if fs::remove_file(&path).is_err() {
                let _ = fs::remove_dir(path);
            }
        }
        for (path, length, number) in grown {
            cut(&path, length, names[&number]);
        }
    }
}

/// Cuts a file to `length`, unless it has more names than these: the others are not the bot's.
fn cut(path: &Path, length: u64, names: u64) {
    let mut options = File::options();
    let flags = (OFlags::NOFOLLOW | OFlags::NONBLOCK).bits().cast_signed();
    options.write(true).custom_flags(flags);
    let file = options.open(path).or_else(|_| {
        // The build may have closed it.
        let mode = path.symlink_metadata()?.permissions().mode();
        fs::set_permissions(path, Permissions::from_mode(mode | 0o200))?;
        options.open(path)
    });
    let Ok(file) = file else { return };
    if file.metadata().is_ok_and(|metadata| metadata.is_file() && metadata.nlink() <= names) {
        let _ = file.set_len(length);
    }
}

/// What files take.
#[derive(Default)]
struct Used {
    bytes: u64,
    files: u32,
}

/// What `places` take, and calls `each` for every file and folder. `None` if they are too many, or
/// lie too deep, for one look.
fn used(places: &[&Path], each: &mut dyn FnMut(&Path, &Stat)) -> Option<Used> {
    let mut used = Used::default();
    let is_whole = each_file(places, &mut |path, stat, depth| {
        // One with holes takes few bytes on the disk, and is read as if it had none.
        let on_disk = 512 * stat.st_blocks.cast_unsigned();
        used.bytes = used.bytes.saturating_add(on_disk.max(stat.st_size.cast_unsigned()));
        used.files += 1;
        each(path, stat);
        let is_beyond = used.files > MOST_LOOKED_AT || is_too_deep(path, stat, depth);
        if is_beyond { Visit::Stop } else { Visit::Enter }
    });
    is_whole.then_some(used)
}

/// Calls `each` for `places` and all that is in them, with its path and, for what is in a place, how
/// deep it lies there. Returns false as [`walk`] does.
fn each_file(places: &[&Path], each: &mut dyn FnMut(&Path, &Stat, Option<usize>) -> Visit) -> bool {
    places.iter().all(|place| {
        let Ok(stat) = lstat(*place) else { return true };
        match each(place, &stat, None) {
            Visit::Stop => return false,
            Visit::Enter if type_of(&stat) == FileType::Directory => {}
            Visit::Enter | Visit::Skip => return true,
        }
        let mut path = place.to_path_buf();
        let mut parts = 0;
        walk(place, &mut |found| {
            for _ in found.depth..parts {
                path.pop();
            }
            path.push(OsStr::from_bytes(found.name.to_bytes()));
            parts = found.depth + 1;
            each(&path, &found.stat, Some(found.depth))
        })
    })
}

/// Whether a folder lies too deep to be looked into.
fn is_too_deep(path: &Path, stat: &Stat, depth: Option<usize>) -> bool {
    let is_far = depth == Some(DEEPEST) || path.as_os_str().len() > LONGEST;
    type_of(stat) == FileType::Directory && is_far
}

fn type_of(stat: &Stat) -> FileType {
    FileType::from_raw_mode(stat.st_mode)
}

/// The bytes that are free on the disks of `places`; a disk of several counts several times.
fn free(places: &[&Path]) -> u64 {
    let systems = places.iter().filter_map(|place| statvfs(*place).ok());
    systems
        .map(|system| system.f_bfree.saturating_mul(system.f_frsize))
        .fold(0, u64::saturating_add)
}

#[cfg(test)]
mod tests {
    use std::os::unix::fs::symlink;

    use rustix::fs::{Mode, openat};

    use super::*;
    use crate::bot::testing::held_to_modes;

    #[test]
    fn what_a_build_added_is_removed_and_nothing_else() {
        let folder = tempfile::tempdir().unwrap();
        let at = |name: &str| folder.path().join(name);
        for place in ["own/kept/inner", "outside"] {
            fs::create_dir_all(at(place)).unwrap();
        }
        for file in ["own/a", "own/kept/inner/b", "own/moved", "outside/c", "program", "other"] {
            fs::write(at(file), "before").unwrap();
        }
        let places = BTreeSet::from(["own", "own/kept", "program"].map(at));
        for (file, length) in [("short", 1), ("long", 50), ("linked", 1), ("linked-outside", 1)] {
            fs::write(at("own").join(file), "before".repeat(length)).unwrap();
        }
        let mut files = BuildFiles::new(&places, 20_000).unwrap();
        assert!(!files.take_too_much() && !files.are_seen_to_take_too_much());

        fs::create_dir_all(at("own/kept/new/er")).unwrap();
        for file in ["own/a", "own/kept/new/er/d", "own/e", "program"] {
            fs::write(at(file), "before".repeat(1000)).unwrap();
        }
        fs::write(at("own/kept/inner/b"), "less").unwrap();
        // What was moved onto another one is as long as it was.
        fs::rename(at("own/long"), at("own/short")).unwrap();
        // A file with more names is cut where all of them are here.
        for file in ["own/linked", "own/linked-outside"] {
            fs::write(at(file), "before".repeat(1000)).unwrap();
        }
        fs::hard_link(at("own/linked"), at("own/kept/link-to-it")).unwrap();
        fs::hard_link(at("own/linked-outside"), at("outside/link")).unwrap();
        // A new file may have the number of one that is gone.
        fs::write(at("own/reused"), "new").unwrap();
        let stat = lstat(at("own/reused")).unwrap();
        let born = Some(SystemTime::UNIX_EPOCH);
        files.before.by_number.insert((stat.st_dev, stat.st_ino), FileBefore { length: 9, born });
        // What was there before stays, wherever it was moved.
        fs::rename(at("own/moved"), at("own/kept/new/er/moved")).unwrap();
        fs::set_permissions(at("own/a"), Permissions::from_mode(0o444)).unwrap();
        // Deeper than a walk goes.
        let deep = at("own/deep").join("d/".repeat(DEEPEST + 5));
        fs::create_dir_all(&deep).unwrap();
        fs::write(deep.join("file"), "").unwrap();
        // And by paths that are longer than the kernel takes.
        let long = "l".repeat(250);
        fs::create_dir(at(&format!("own/{long}"))).unwrap();
        let mut inner = File::open(at(&format!("own/{long}"))).unwrap();
        for _ in 0..20 {
            rustix::fs::mkdirat(&inner, &*long, Mode::RWXU).unwrap();
            inner = openat(&inner, &*long, OFlags::DIRECTORY, Mode::empty()).unwrap().into();
        }
        let flags = OFlags::CREATE | OFlags::WRONLY;
        drop(openat(&inner, &*long, flags, Mode::RWXU).unwrap());
        symlink(at("outside"), at("own/link")).unwrap();
        symlink(at("outside/c"), at("own/kept/link")).unwrap();
        assert!(files.take_too_much());
        // A look that is not due comes at once when the disk has lost much.
        files.looked_at += Duration::from_hours(1);
        files.free = 0;
        assert!(!files.are_seen_to_take_too_much());
        files.free = u64::MAX;
        assert!(files.are_seen_to_take_too_much());
        held_to_modes(|| files.undo_growth());
        assert!(!files.take_too_much());
        let read = |name: &str| fs::read_to_string(at(name)).unwrap();
        for file in ["own/a", "own/kept/new/er/moved", "outside/c", "program", "other"] {
            assert_eq!(read(file), "before", "{file}");
        }
        assert_eq!(read("own/kept/inner/b"), "less");
        for (file, length) in [("short", 50), ("linked", 1), ("linked-outside", 1000)] {
            let path = format!("own/{file}");
            assert_eq!(read(&path), "before".repeat(length), "{path}");
        }
        assert!(!at(&format!("own/{long}")).exists());
        let removed = ["own/kept/new/er/d", "own/deep", "own/e", "own/link", "own/kept/link"];
        let has_birth = born_at(&at("own/a")).is_some();
        assert_eq!(at("own/reused").exists(), !has_birth);
        for name in removed {
            assert!(at(name).symlink_metadata().is_err(), "{name}");
        }
    }
}
