//! What lines are kept in: a file of the system, or in tests one on a simulated disk.

use std::fmt::Debug;
use std::fs::{File, OpenOptions, TryLockError};
use std::io::{self, Seek, Write};
use std::os::unix::fs::{FileExt, FileTypeExt, MetadataExt};
use std::path::Path;
use std::time::{Duration, Instant};

use rustix::fs::{FallocateFlags, fallocate, fstatvfs};
use rustix::io::Errno;

use super::own_files::open_named;

/// A file that is appended to. Its position is where it was written last.
pub trait DiskFile: Debug + FileExt + Seek + Sized + Write {
    /// Whether there is something at `path`.
    fn exists(path: &Path) -> bool;

    /// Opens `path` for appending, and makes it if it is missing.
    fn open(path: &Path) -> io::Result<Self>;

    /// Removes the name `path`.
    fn remove(path: &Path) -> io::Result<()>;

    /// Gives the file with the name `path` the name `other`, in place of a file that has it. A folder
    /// is an error.
    fn rename(path: &Path, other: &Path) -> io::Result<()>;

    /// Makes a file without a name in `folder` that takes up `bytes`.
    fn reserve(folder: &Path, bytes: u64) -> io::Result<Self>;

    /// How many bytes are free on its disk.
    fn free(&self) -> io::Result<u64>;

    /// Locks it for one writer alone; another one's lock is waited for at most `wait`.
    fn lock(&self, wait: Duration) -> Result<(), TryLockError>;

    /// Whether it is a file and not a pipe or a device.
    fn is_regular(&self) -> io::Result<bool>;

    /// Whether its name was removed.
    fn is_removed(&self) -> io::Result<bool>;

    /// Whether `path` is a name of this file, and of no other one.
    fn is_at(&self, _path: &Path) -> io::Result<bool> {
        Ok(!self.is_removed()?)
    }

    /// Its length in bytes.
    fn length(&self) -> io::Result<u64>;

    fn cut(&self, length: u64) -> io::Result<()>;

    /// Has what was written survive a power cut.
    fn sync(&self) -> io::Result<()>;

    /// The same file once more.
    fn again(&self) -> io::Result<Self>;
}

impl DiskFile for File {
    fn exists(path: &Path) -> bool {
        path.exists()
    }

    /// A pipe is opened for writing alone, so that one without a reader is an error and not an
    /// endless wait.
    fn open(path: &Path) -> io::Result<File> {
        let is_pipe = path.metadata().is_ok_and(|file| file.file_type().is_fifo());
        let mut options = OpenOptions::new();
        options.append(true).create(true);
        if is_pipe {
            return open_named(&mut options, path).map_err(|error| {
                match error.raw_os_error().map(Errno::from_raw_os_error) {
                    Some(Errno::NXIO) => {
                        io::Error::other("this pipe has no reader; start its reader first")
                    }
                    _ => error,
                }
            });
        }
        // Read access too, where it is allowed: only the end of a file shows whether a line is cut
        // off.
        open_named(options.read(true), path).or_else(|_| open_named(options.read(false), path))
    }

    fn remove(path: &Path) -> io::Result<()> {
        std::fs::remove_file(path)
    }

    fn rename(path: &Path, other: &Path) -> io::Result<()> {
        if path.symlink_metadata()?.is_dir() {
            return Err(Errno::ISDIR.into());
        }
        std::fs::rename(path, other)
    }

    fn reserve(folder: &Path, bytes: u64) -> io::Result<File> {
        let file = tempfile::tempfile_in(folder)?;
        fallocate(&file, FallocateFlags::empty(), 0, bytes)?;
        Ok(file)
    }

    fn free(&self) -> io::Result<u64> {
        let disk = fstatvfs(self)?;
        Ok(disk.f_bavail.saturating_mul(disk.f_frsize))
    }

    fn lock(&self, wait: Duration) -> Result<(), TryLockError> {
        let until = Instant::now() + wait;
        loop {
            match self.try_lock() {
                Err(TryLockError::WouldBlock) if Instant::now() < until => {
                    std::thread::sleep(Duration::from_millis(20));
                }
                done => return done,
            }
        }
    }

    fn is_regular(&self) -> io::Result<bool> {
        Ok(self.metadata()?.is_file())
    }

    fn is_removed(&self) -> io::Result<bool> {
        Ok(self.metadata()?.nlink() == 0)
    }

    fn is_at(&self, path: &Path) -> io::Result<bool> {
        let own = self.metadata()?;
        let there = path.metadata();
        Ok(there.is_ok_and(|there| (there.dev(), there.ino()) == (own.dev(), own.ino())))
    }

    fn length(&self) -> io::Result<u64> {
        Ok(self.metadata()?.len())
    }

    fn cut(&self, length: u64) -> io::Result<()> {
        self.set_len(length)
    }

    fn sync(&self) -> io::Result<()> {
        self.sync_data()
    }

    fn again(&self) -> io::Result<File> {
        self.try_clone()
    }
}
