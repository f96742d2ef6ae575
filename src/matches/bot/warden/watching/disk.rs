//! The disk that a bot takes in its private folder: by its files there, however deep they lie, and
//! by those that have no name any more but are still open, mapped or run, or a process is in them. Of
//! the other places that a build may write to, which the referee looks through, only these are
//! counted here.

use std::collections::HashMap;
use std::fs;
use std::io;
use std::os::unix::fs::MetadataExt as _;
use std::path::{Path, PathBuf};

use rustix::process::Pid;

use super::look_deadline::LookDeadline;
use super::mapping::Mapping;
use crate::bot::folder_walk::{Visit, walk};
use crate::bot::system;
use crate::bot::warden::room::left_on_disks;

/// Most files and folders that a bot may have in its private folder.
pub(crate) const MOST_FILES: u32 = 10_000;

/// Checks mappings at least once every `MAPPINGS_EVERY` checks.
const MAPPINGS_EVERY: u32 = 50;

/// A bot's disk under watch.
#[derive(Default)]
pub(super) struct Disk {
    looks: u32,
    /// The most that was free since the first look.
    most_free: u64,
}

impl Disk {
    /// True if `folder`, with its deleted but still open files and those of the other `places`, exceeds
    /// `limit` bytes, [`MOST_FILES`] files or the depth of a walk, or holds more than can be looked at
    /// in time.
    pub(super) fn is_beyond(
        &mut self,
        (folder, places): (&Path, &[PathBuf]),
        processes: &[Pid],
        limit: u64,
        time: LookDeadline,
    ) -> bool {
        self.looks += 1;
        let (free, _) = left_on_disks(places.iter().map(PathBuf::as_path).chain([folder]));
        self.most_free = self.most_free.max(free);
        // A mapping costs more to find, and takes what somebody has to lack.
        let lacking = self.most_free - free;
        let mappings = lacking > limit / 2 || self.looks.is_multiple_of(MAPPINGS_EVERY);
        let Some(named) = within(folder, limit, time) else { return true };
        let mapped = mappings.then_some(limit);
        let look = || nameless((folder, places), processes, mapped, time);
        let nameless = if mappings { time.guarded(look) } else { look() };
        // Files that were not found in time, or of which nothing is told, take at most what is lacking.
        named.saturating_add(nameless.unwrap_or(lacking)) > limit
    }
}

/// The bytes of a folder's files. `None` as soon as they exceed `limit` or [`MOST_FILES`], lie deeper
/// than a walk reaches, or the time is over.
fn within(root: &Path, limit: u64, time: LookDeadline) -> Option<u64> {
    let (mut files, mut held) = (0, 0);
    let is_whole = walk(root, &mut |found| {
        files += 1;
        held += found.bytes();
        if held > limit || files > MOST_FILES || time.is_over() {
            Visit::Stop
        } else {
            Visit::Enter
        }
    });
    is_whole.then_some(held)
}

/// The bytes of files that were in this folder, or these places, and have no name any more: those
/// that are open or run, and those that are mapped where `mapped` says how much one in the folder takes
/// at the worst. `None` if the time is over first, or the system tells nothing about a process.
fn nameless(
    (folder, places): (&Path, &[PathBuf]),
    processes: &[Pid],
    mapped: Option<u64>,
    time: LookDeadline,
) -> Option<u64> {
    let was_there = |link: &Path| {
        let is_gone = link.as_os_str().as_encoded_bytes().ends_with(b" (deleted)");
        is_gone && (link.starts_with(folder) || places.iter().any(|place| link.starts_with(place)))
    };
    // By their numbers, for many processes may have one open.
    let mut files = HashMap::new();
    for &first in processes {
        if time.is_over() {
            return None;
        }
        let mut pid = first;
        let mut open = descriptors(pid);
        // Where the first thread has ended, they are another's, and only the superuser may look at it.
        if open.as_ref().map_or(true, Vec::is_empty) {
            pid = system::living_thread(first);
            open = descriptors(pid);
        }
        let process = format!("/proc/{}", pid.as_raw_nonzero());
        let open = match open {
            Ok(open) => open,
            // One that has ended holds nothing.
            Err(error)
                if error.kind() == io::ErrorKind::PermissionDenied && system::has_memory(pid) =>
            {
                return None;
            }
            Err(_) => continue,
        };
        let kept = KEPT.map(|link| format!("{process}/{link}").into());
        for file in open.into_iter().chain(kept) {
            let link = fs::read_link(&file);
            if !link.as_ref().map_or_else(is_too_long, |link| was_there(link)) {
                continue;
            }
            if let Ok(metadata) = fs::metadata(&file)
                && (link.is_ok() || metadata.nlink() == 0)
            {
                files.insert(metadata.ino(), 512 * metadata.blocks());
            }
        }
        let Some(at_worst) = mapped else { continue };
        let text = system::bytes_of(pid, "maps");
        let mappings = text.split(|&byte| byte == b'\n').filter_map(Mapping::of);
        for mapping in mappings.filter(|it| was_there(it.path)) {
            // What it takes on the disk is known where it is open too.
            files.entry(mapping.number).or_insert_with(|| match mapping.file(pid) {
                Ok(file) => 512 * file.blocks(),
                // A process that has just ended holds nothing.
                Err(_) if system::bytes_of(pid, "maps").is_empty() => 0,
                Err(_) if mapping.path.starts_with(folder) => at_worst,
                // Compilers map files that they then write anew.
                Err(_) => mapping.reaches().min(at_worst),
            });
        }
    }
    Some(files.values().copied().fold(0, u64::saturating_add))
}

/// The links of a process to its program and to the folders that it is in. A folder takes as much as
/// its longest list of names took.
const KEPT: [&str; 3] = ["exe", "cwd", "root"];

/// Whether a file's path is longer than any link to it: it lies deep in folders of the bot.
fn is_too_long(error: &io::Error) -> bool {
    error.kind() == io::ErrorKind::InvalidFilename
}

/// The links to what a process has open.
fn descriptors(process: Pid) -> io::Result<Vec<PathBuf>> {
    let folder = fs::read_dir(format!("/proc/{}/fd", process.as_raw_nonzero()))?;
    Ok(folder.flatten().map(|entry| entry.path()).collect())
}

#[cfg(test)]
mod tests {
    use std::io::Write as _;
    use std::os::fd::AsFd as _;
    use std::os::unix::fs::PermissionsExt as _;

    use super::*;
    use crate::bot::testing::{copy_sleep_to, held_to_modes};

    #[test]
    fn what_a_bot_keeps_is_measured_by_its_bytes_and_its_files() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path();
        fs::create_dir(path.join("inner")).unwrap();
        // Nothing that a file system can pack.
        let bytes = (0..25_000_u32).flat_map(|n| n.wrapping_mul(0x9e37_79b9).to_be_bytes());
        fs::write(path.join("inner/file"), bytes.collect::<Vec<u8>>()).unwrap();
        fs::set_permissions(path.join("inner"), fs::Permissions::from_mode(0o300)).unwrap();
        let held = held_to_modes(|| within(path, 1 << 20, LookDeadline::begin(1)));
        assert!(held.is_some_and(|held| held >= 100_000));
        assert_eq!(within(path, 90_000, LookDeadline::begin(1)), None);
        assert_eq!(within(path, 1 << 20, LookDeadline::over()), None);
        let holes = fs::File::create(path.join("holes")).unwrap();
        holes.set_len(1 << 30).unwrap();
        assert!(within(path, 1 << 20, LookDeadline::begin(1)).is_some());
        for number in 0..=MOST_FILES {
            fs::hard_link(path.join("holes"), path.join(number.to_string())).unwrap();
        }
        assert_eq!(within(path, 1 << 20, LookDeadline::begin(1)), None);
    }

    #[test]
    fn folders_too_deep_to_look_into_are_too_many() {
        for (name, depth, is_too_deep) in
            [("d".to_owned(), 70, true), ("long".repeat(60), 16, false)]
        {
            let folder = tempfile::tempdir().unwrap();
            let mut deep = folder.path().to_owned();
            (0..depth).for_each(|_| deep.push(&name));
            fs::create_dir_all(&deep).unwrap();
            let held = within(folder.path(), 1 << 20, LookDeadline::begin(1));
            assert_eq!(held.is_none(), is_too_deep, "{depth}");
        }
    }

    #[test]
    fn links_that_take_the_place_of_folders_change_nothing_elsewhere() {
        use rustix::fs::{CWD, RenameFlags, renameat_with};
        let folder = tempfile::tempdir().unwrap();
        let at = |name: &str| folder.path().join(name);
        fs::create_dir(at("own")).unwrap();
        fs::create_dir(at("outside")).unwrap();
        fs::create_dir(at("own/closed")).unwrap();
        std::os::unix::fs::symlink("../outside", at("own/link")).unwrap();
        let mode = |mode| fs::Permissions::from_mode(mode);
        fs::set_permissions(at("outside"), mode(0o500)).unwrap();
        let is_over = std::sync::atomic::AtomicBool::new(false);
        std::thread::scope(|scope| {
            scope.spawn(|| {
                let [closed, link] = [at("own/closed"), at("own/link")];
                while !is_over.load(std::sync::atomic::Ordering::Relaxed) {
                    // Closed again, where a look has opened it.
                    let _ = fs::set_permissions(&closed, mode(0o000));
                    let _ = renameat_with(CWD, &closed, CWD, &link, RenameFlags::EXCHANGE);
                    let _ = renameat_with(CWD, &closed, CWD, &link, RenameFlags::EXCHANGE);
                }
            });
            held_to_modes(|| {
                for _ in 0..20_000 {
                    within(&at("own"), 1 << 20, LookDeadline::begin(1));
                }
            });
            is_over.store(true, std::sync::atomic::Ordering::Relaxed);
        });
        assert_eq!(fs::metadata(at("outside")).unwrap().mode() & 0o777, 0o500);
        fs::set_permissions(at("outside"), mode(0o700)).unwrap();
    }

    #[test]
    fn a_file_without_a_name_counts_as_long_as_it_is_open() {
        let folder = tempfile::tempdir().unwrap();
        let own = [rustix::process::getpid()];
        let path = folder.path().join("file");
        fs::write(&path, vec![1; 300_000]).unwrap();
        let open = fs::File::open(&path).unwrap();
        assert_eq!(
            nameless((folder.path(), &[]), &own, Some(1 << 30), LookDeadline::begin(1)),
            Some(0)
        );
        fs::remove_file(&path).unwrap();
        let held = nameless((folder.path(), &[]), &own, None, LookDeadline::begin(1)).unwrap();
        // As the file system tells it, which may take more for it, or pack it.
        assert!(held > 0);
        assert_eq!(held, 512 * open.metadata().unwrap().blocks());
        drop(open);
        assert_eq!(nameless((folder.path(), &[]), &own, None, LookDeadline::begin(1)), Some(0));
        assert_eq!(nameless((folder.path(), &[]), &own, None, LookDeadline::over()), None);
    }

    #[test]
    fn a_file_without_a_name_counts_however_long_its_path_was() {
        use rustix::fs::{AtFlags, CWD, Mode, OFlags, mkdirat, openat, unlinkat};
        let folder = tempfile::tempdir().unwrap();
        let enter = |at: std::os::fd::BorrowedFd<'_>, path: &Path| {
            openat(at, path, OFlags::PATH | OFlags::DIRECTORY, Mode::empty()).unwrap()
        };
        let mut deep = enter(CWD, folder.path());
        let name = "d".repeat(250);
        for _ in 0..25 {
            mkdirat(&deep, &*name, Mode::RWXU).unwrap();
            deep = enter(deep.as_fd(), name.as_ref());
        }
        let made = openat(&deep, "file", OFlags::CREATE | OFlags::WRONLY, Mode::RUSR).unwrap();
        let mut file = fs::File::from(made);
        file.write_all(&vec![1; 300_000]).unwrap();
        let own = [rustix::process::getpid()];
        let held = || nameless((folder.path(), &[]), &own, None, LookDeadline::begin(1));
        assert_eq!(held(), Some(0));
        unlinkat(&deep, "file", AtFlags::empty()).unwrap();
        let bytes = 512 * file.metadata().unwrap().blocks();
        assert!(bytes > 0);
        assert_eq!(held(), Some(bytes));
    }

    #[test]
    fn a_folder_without_a_name_counts_as_long_as_a_process_is_in_it() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("inner");
        fs::create_dir(&path).unwrap();
        // Longer than what fits into a file's own entry.
        for number in 0..100 {
            fs::write(path.join(format!("{number:0200}")), "").unwrap();
        }
        let mut child =
            std::process::Command::new("sleep").arg("60").current_dir(&path).spawn().unwrap();
        let process = [Pid::from_child(&child)];
        let link = format!("/proc/{}/cwd", child.id());
        fs::remove_dir_all(&path).unwrap();
        // Some file systems take nothing for a folder.
        let bytes = 512 * fs::metadata(&link).unwrap().blocks();
        let held = || nameless((folder.path(), &[]), &process, None, LookDeadline::begin(1));
        assert_eq!(held(), Some(bytes));
        child.kill().unwrap();
        child.wait().unwrap();
        assert_eq!(held(), Some(0));
    }

    #[test]
    fn a_program_without_a_name_counts_as_long_as_it_runs() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("sleep");
        let bytes = copy_sleep_to(&path);
        let mut child = std::process::Command::new(&path).arg("60").spawn().unwrap();
        fs::remove_file(&path).unwrap();
        let process = [Pid::from_child(&child)];
        let places = [folder.path().to_owned()];
        for place in [(folder.path(), &[][..]), (Path::new("/nowhere"), &places)] {
            let held = nameless(place, &process, None, LookDeadline::begin(1)).unwrap();
            assert!(held >= bytes, "{held}");
        }
        child.kill().unwrap();
        child.wait().unwrap();
    }
}
