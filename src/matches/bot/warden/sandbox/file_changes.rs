//! Modes and times of files, which a build changes where it may write, as `chmod`, `install` and
//! `touch` do. Landlock does not restrict that, so the warden does it in the build's place: it
//! opens what the call names, once, and changes what it has opened if that is the build's.

use std::ffi::OsString;
use std::fs::File;
use std::os::fd::{AsRawFd as _, OwnedFd};
use std::os::unix::ffi::OsStringExt as _;
use std::os::unix::fs::FileExt as _;
use std::path::PathBuf;

use rustix::fs::{
    AtFlags, FileType, Mode, OFlags, Timespec, Timestamps, UTIME_NOW, chmod, fstat, open, openat,
    utimensat,
};
use rustix::io::Errno;
use rustix::process::geteuid;

use super::filter::{SET_ID, SYS_FCHMODAT2};

/// The longest path that the kernel takes, and the unit in which memory can be read or not.
const PATH_MAX: usize = 4096;

/// A call that changes a mode or times.
pub(super) struct FileChange {
    /// What a relative path begins from, or the file itself: a descriptor.
    from: i32,
    /// The address of the path.
    path: Option<u64>,
    flags: AtFlags,
    wanted: Wanted,
}

enum Wanted {
    Mode(u32),
    /// The address of two times.
    Times(u64),
}

impl FileChange {
    /// The change that the system call with this `number` asks for; `None` for any other call.
    pub(super) fn of(number: i64, arguments: [u64; 6]) -> Option<FileChange> {
        let [a, b, c, d, ..] = arguments;
        // As the kernel reads them, by their lower halves.
        #[expect(clippy::cast_possible_truncation, reason = "the upper half means nothing")]
        let (low, from) = (|value: u64| value as u32, (a as u32).cast_signed());
        let flags = |value| AtFlags::from_bits_retain(low(value));
        let none = AtFlags::empty();
        let (from, path, flags, wanted) = match number {
            libc::SYS_fchmod => (from, None, none, Wanted::Mode(low(b))),
            libc::SYS_fchmodat => (from, Some(b), none, Wanted::Mode(low(c))),
            SYS_FCHMODAT2 => (from, Some(b), flags(d), Wanted::Mode(low(c))),
            libc::SYS_utimensat => (from, (b != 0).then_some(b), flags(d), Wanted::Times(c)),
            #[cfg(target_arch = "x86_64")]
            libc::SYS_chmod => (libc::AT_FDCWD, Some(a), none, Wanted::Mode(low(b))),
            _ => return None,
        };
        Some(FileChange { from, path, flags, wanted })
    }

    /// What the thread has in `from`. Before its memory is read, so that it can still be made sure of
    /// that it waits.
    pub(super) fn open_from(&self, thread: u32) -> Result<OwnedFd, Errno> {
        let place = match self.from {
            libc::AT_FDCWD => format!("/proc/{thread}/cwd"),
            descriptor => format!("/proc/{thread}/fd/{descriptor}"),
        };
        open(place, OFlags::PATH | OFlags::CLOEXEC, Mode::empty()).map_err(|_| Errno::BADF)
    }

    /// Makes the change, if the file is below one of these folders, or is one of these files.
    pub(super) fn make(
        &self,
        from: OwnedFd,
        memory: &File,
        writable: &[PathBuf],
    ) -> Result<(), Errno> {
        let is_followed = !self.flags.contains(AtFlags::SYMLINK_NOFOLLOW);
        let path = self.path.map(|address| path_at(memory, address)).transpose()?;
        let file = match path.filter(|path| !path.as_os_str().is_empty()) {
            None if self.path.is_some() && !self.flags.contains(AtFlags::EMPTY_PATH) => {
                return Err(Errno::NOENT);
            }
            None => from,
            Some(path) => {
                let nofollow = if is_followed { OFlags::empty() } else { OFlags::NOFOLLOW };
                // Whether there is such a file is not for everybody to know.
                let opened =
                    openat(&from, path, OFlags::PATH | OFlags::CLOEXEC | nofollow, Mode::empty());
                opened.map_err(|_| Errno::PERM)?
            }
        };
        let place = format!("/proc/self/fd/{}", file.as_raw_fd());
        let found = fstat(&file)?;
        let kind = FileType::from_raw_mode(found.st_mode);
        let is_writable = std::fs::read_link(&place)
            .is_ok_and(|path| writable.iter().any(|folder| path.starts_with(folder)));
        // Another name of it may be elsewhere.
        let has_one_name = kind == FileType::Directory || found.st_nlink == 1;
        if !is_writable || !has_one_name || found.st_uid != geteuid().as_raw() {
            return Err(Errno::PERM);
        }
        match self.wanted {
            Wanted::Times(address) => {
                let times = times_at(memory, address)?;
                utimensat(&file, c"", &times, AtFlags::EMPTY_PATH)
            }
            Wanted::Mode(_) if kind == FileType::Symlink => Err(Errno::OPNOTSUPP),
            // Its folders can be looked into, and keep the group that their files get.
            Wanted::Mode(mode)
                if kind == FileType::Directory
                    && (mode & SET_ID & !found.st_mode != 0 || mode & 0o700 != 0o700) =>
            {
                Err(Errno::PERM)
            }
            // What it makes gives nobody more rights, whatever mode the file has had before.
            Wanted::Mode(mode) if kind != FileType::Directory && mode & SET_ID != 0 => {
                Err(Errno::PERM)
            }
            Wanted::Mode(mode) => chmod(&place, Mode::from_raw_mode(mode & 0o7777)),
        }
    }
}

fn path_at(memory: &File, mut address: u64) -> Result<PathBuf, Errno> {
    let mut path = Vec::new();
    let mut page = [0; PATH_MAX];
    while path.len() < PATH_MAX {
        // The next page may not be there.
        let left = PATH_MAX - usize::try_from(address % PATH_MAX as u64).unwrap_or_default();
        memory.read_exact_at(&mut page[..left], address).map_err(|_| Errno::FAULT)?;
        if let Some(end) = page[..left].iter().position(|byte| *byte == 0) {
            path.extend_from_slice(&page[..end]);
            return Ok(OsString::from_vec(path).into());
        }
        path.extend_from_slice(&page[..left]);
        address += left as u64;
    }
    Err(Errno::NAMETOOLONG)
}

/// The two times at an address; now if there is none.
fn times_at(memory: &File, address: u64) -> Result<Timestamps, Errno> {
    let mut numbers = [[0; 8], UTIME_NOW.to_ne_bytes(), [0; 8], UTIME_NOW.to_ne_bytes()];
    if address != 0 {
        let bytes = numbers.as_flattened_mut();
        memory.read_exact_at(bytes, address).map_err(|_| Errno::FAULT)?;
    }
    let [a, b, c, d] = numbers.map(i64::from_ne_bytes);
    let time = |tv_sec, tv_nsec| Timespec { tv_sec, tv_nsec };
    Ok(Timestamps { last_access: time(a, b), last_modification: time(c, d) })
}
