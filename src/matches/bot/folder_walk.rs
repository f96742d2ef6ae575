//! Walks through a folder that a bot may change at the same time. No link is followed, also where a
//! folder was one a moment before, so that nothing outside the folder is read or changed.

use std::ffi::CStr;
use std::os::fd::{AsFd as _, AsRawFd as _, BorrowedFd, OwnedFd};
use std::path::Path;

use rustix::fs::{AtFlags, CWD, Dir, FileType, Mode, OFlags, Stat, fchmod, fstat, openat, statat};
use rustix::io;
use rustix::process::geteuid;

/// Folders below the first are walked through down to this depth.
pub const DEEPEST: usize = 64;

/// A file or folder that was found.
pub struct Found<'a> {
    /// The open folder that it is in.
    pub(crate) parent: BorrowedFd<'a>,
    pub name: &'a CStr,
    /// What it is itself; a link is not followed.
    pub stat: Stat,
    /// 0 for what is in the first folder.
    pub depth: usize,
}

impl Found<'_> {
    pub(crate) fn is_folder(&self) -> bool {
        FileType::from_raw_mode(self.stat.st_mode) == FileType::Directory
    }

    /// The bytes that it takes on the disk: a file may have holes.
    pub(crate) fn bytes(&self) -> u64 {
        512 * self.stat.st_blocks.cast_unsigned()
    }
}

/// What to do with a file or folder that was found.
pub enum Visit {
    /// Go on, in it if it is a folder.
    Enter,
    /// Go on without what is in it.
    Skip,
    /// Look at nothing more.
    Stop,
}

/// Calls `each` for all that is below `root`, in no particular order. A folder of this user's that
/// its owner may not look into is opened to the owner. Returns false if `each` stopped the walk, or wanted to
/// enter a folder at [`DEEPEST`]. Folders that cannot be opened are left out.
pub fn walk(root: &Path, each: &mut dyn FnMut(&Found<'_>) -> Visit) -> bool {
    open_folder(CWD, root, LOOK).map_or(true, |root| walk_opened(root, LOOK, each))
}

/// The modes that a look into a folder needs, and those that its removal needs.
pub(super) const LOOK: Mode = Mode::RUSR.union(Mode::XUSR);
pub(super) const REMOVE: Mode = Mode::RWXU;

/// The same below a folder that [`open_folder`] has opened; what is below is opened to its owner by
/// what is `needed`.
pub(super) fn walk_opened(
    root: OwnedFd,
    needed: Mode,
    each: &mut dyn FnMut(&Found<'_>) -> Visit,
) -> bool {
    let mut open: Vec<Dir> = Dir::new(root).into_iter().collect();
    while let Some(folder) = open.last_mut() {
        let Some(Ok(entry)) = folder.read() else {
            open.pop();
            continue;
        };
        let name = entry.file_name();
        if matches!(name.to_bytes(), b"." | b"..") {
            continue;
        }
        let Ok(parent) = folder.fd() else { continue };
        let Ok(stat) = statat(parent, name, AtFlags::SYMLINK_NOFOLLOW) else { continue };
        let depth = open.len() - 1;
        let Ok(parent) = open[depth].fd() else { continue };
        let found = Found { parent, name, stat, depth };
        match each(&found) {
            Visit::Stop => return false,
            Visit::Enter if found.is_folder() => {
                if depth == DEEPEST {
                    return false;
                }
                let inner = open_folder(parent, name, needed).and_then(Dir::new);
                open.extend(inner);
            }
            Visit::Enter | Visit::Skip => {}
        }
    }
    true
}

/// Opens a folder for reading. One of this user's that its owner may not use by what is `needed`
/// is opened to the owner first.
///
/// # Errors
///
/// The system's, also if it is a link or no folder (`ELOOP`, `ENOTDIR`).
pub(super) fn open_folder(
    parent: BorrowedFd<'_>,
    name: impl rustix::path::Arg + Copy,
    needed: Mode,
) -> io::Result<OwnedFd> {
    let folder = OFlags::DIRECTORY | OFlags::NOFOLLOW | OFlags::CLOEXEC;
    let to_read = folder | OFlags::RDONLY | OFlags::NONBLOCK;
    match openat(parent, name, to_read, Mode::empty()) {
        Err(io::Errno::ACCESS) => {
            // What is opened is what changes, whatever is at that name by now.
            let known = openat(parent, name, folder | OFlags::PATH, Mode::empty())?;
            let itself = format!("/proc/self/fd/{}", known.as_raw_fd());
            rustix::fs::chmod(itself, Mode::RWXU)?;
            openat(known.as_fd(), c".", to_read, Mode::empty())
        }
        Err(error) => Err(error),
        Ok(opened) => {
            let stat = fstat(&opened)?;
            let mode = Mode::from_raw_mode(stat.st_mode);
            if !mode.contains(needed) && stat.st_uid == geteuid().as_raw() {
                fchmod(&opened, mode | Mode::RWXU)?;
            }
            Ok(opened)
        }
    }
}

#[cfg(test)]
mod tests {
    use std::fs::{self, Permissions};
    use std::os::unix::fs::{MetadataExt as _, PermissionsExt as _, symlink};

    use super::*;
    use crate::bot::testing::held_to_modes;

    fn names_below(root: &Path, step: impl Fn(&Found<'_>) -> Visit) -> (Vec<String>, bool) {
        let mut names = Vec::new();
        let whole = walk(root, &mut |found| {
            names.push(found.name.to_string_lossy().into_owned());
            step(found)
        });
        names.sort();
        (names, whole)
    }

    #[test]
    fn all_that_is_below_is_found_and_no_link_is_followed() {
        let folder = tempfile::tempdir().unwrap();
        let at = |name: &str| folder.path().join(name);
        fs::create_dir_all(at("root/a/b")).unwrap();
        fs::create_dir(at("outside")).unwrap();
        for file in ["root/x", "root/a/y", "root/a/b/z", "outside/secret"] {
            fs::write(at(file), "").unwrap();
        }
        symlink("../outside", at("root/link")).unwrap();
        let all = ["a", "b", "link", "x", "y", "z"].map(str::to_owned);
        assert_eq!(names_below(&at("root"), |_| Visit::Enter), (all.to_vec(), true));
        let (past, whole) =
            names_below(&at("root"), |it| if it.depth == 1 { Visit::Skip } else { Visit::Enter });
        assert!(whole && !past.contains(&"z".to_owned()), "{past:?}");
        assert_eq!(names_below(&at("root"), |_| Visit::Stop).0.len(), 1);
        assert_eq!(names_below(&at("root/link"), |_| Visit::Enter), (Vec::new(), true));
        symlink("missing", at("dangling")).unwrap();
        assert!(open_folder(CWD, at("dangling").as_path(), LOOK).is_err());
    }

    #[test]
    fn a_closed_folder_is_opened_and_only_it() {
        let folder = tempfile::tempdir().unwrap();
        let at = |name: &str| folder.path().join(name);
        fs::create_dir_all(at("closed/inner")).unwrap();
        fs::create_dir(at("outside")).unwrap();
        let mode = |name: &str| fs::metadata(at(name)).unwrap().mode() & 0o777;
        for name in ["closed/inner", "closed", "outside"] {
            fs::set_permissions(at(name), Permissions::from_mode(0o000)).unwrap();
        }
        symlink("outside", at("link")).unwrap();
        held_to_modes(|| {
            assert!(open_folder(CWD, at("link").as_path(), LOOK).is_err());
            assert_eq!(names_below(&at("closed"), |_| Visit::Enter).0, ["inner"]);
        });
        let modes = ["closed", "closed/inner", "outside"].map(mode);
        assert_eq!(modes, [0o700, 0o700, 0o000]);
        for name in ["closed", "closed/inner", "outside"] {
            fs::set_permissions(at(name), Permissions::from_mode(0o700)).unwrap();
        }
    }

    #[test]
    fn a_folder_that_can_be_listed_and_not_entered_is_entered() {
        let folder = tempfile::tempdir().unwrap();
        let place = folder.path().join("half");
        for mode in [0o400, 0o500, 0o600] {
            fs::create_dir_all(place.join("inner")).unwrap();
            fs::set_permissions(&place, Permissions::from_mode(mode)).unwrap();
            let names = || names_below(&place, |_| Visit::Enter).0;
            assert_eq!(held_to_modes(names), ["inner"], "{mode:o}");
            let kept = if mode == 0o500 { 0o500 } else { 0o700 };
            assert_eq!(fs::metadata(&place).unwrap().mode() & 0o777, kept);
            held_to_modes(|| {
                let root = open_folder(CWD, place.as_path(), REMOVE).unwrap();
                assert!(walk_opened(root, REMOVE, &mut |_| Visit::Enter));
            });
            assert_eq!(fs::metadata(&place).unwrap().mode() & 0o777, 0o700);
        }
    }

    #[test]
    fn what_lies_too_deep_ends_the_walk() {
        let folder = tempfile::tempdir().unwrap();
        let mut deep = folder.path().to_owned();
        for depth in 0..DEEPEST + 2 {
            let (_, whole) = names_below(folder.path(), |_| Visit::Enter);
            assert_eq!(whole, depth <= DEEPEST, "{depth}");
            deep.push("d");
            fs::create_dir(&deep).unwrap();
        }
    }
}
