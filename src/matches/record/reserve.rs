//! Room on a disk that is kept for what has to be written there: a file without a name, given back
//! when the disk is full. So a bot that fills the disk cannot prevent its loss from being recorded.

use std::fs::File;
use std::io::{self, ErrorKind};
use std::path::{Path, PathBuf};

use super::DiskFile;
use crate::text;

/// The default size.
pub const MIN_FREE: u64 = 64 << 20;

/// Room on the disk of a file.
#[derive(Debug)]
pub(super) struct Reserve<F = File> {
    folder: PathBuf,
    bytes: u64,
    /// `None` while it is given back, and on a file system that cannot reserve any.
    room: Option<F>,
}

impl<F: DiskFile> Reserve<F> {
    /// Reserves `bytes` bytes on the disk of `file`.
    ///
    /// # Errors
    ///
    /// When fewer are free; the text says what to do.
    pub(super) fn beside(file: &F, path: &Path, bytes: u64) -> io::Result<Reserve<F>> {
        let too_little = |free: u64| {
            io::Error::other(format!(
                "only {} are free on its disk, less than the {} that are reserved for records; free \
                 some room, or give a smaller --min-free",
                text::bytes(in_whole_units(free)),
                text::bytes(bytes)
            ))
        };
        // Where the system does not tell, there is some.
        let free = file.free().unwrap_or(u64::MAX);
        if free < bytes {
            return Err(too_little(free));
        }
        let folder = path.parent().unwrap_or(Path::new("")).join(".");
        let mut reserve = Reserve { folder, bytes, room: None };
        match reserve.take() {
            Err(error) if is_full(&error) => Err(too_little(free)),
            // A file system that reserves nothing, or a folder in which no file may be made.
            _ => Ok(reserve),
        }
    }

    fn take(&mut self) -> io::Result<()> {
        self.room = Some(F::reserve(&self.folder, self.bytes)?);
        Ok(())
    }

    /// Writes by `write`, with the room that was kept where the disk is full. The room is kept anew
    /// afterwards, as far as there is some.
    ///
    /// # Errors
    ///
    /// As `write`.
    pub(super) fn write_with<T>(
        reserve: Option<&mut Reserve<F>>,
        mut write: impl FnMut() -> io::Result<T>,
    ) -> io::Result<T> {
        let written = write();
        let (Err(error), Some(reserve)) = (&written, reserve) else { return written };
        if !is_full(error) || reserve.room.take().is_none() {
            return written;
        }
        let written = write();
        // If the disk is still full, the next write tries again.
        let _ = reserve.take();
        written
    }
}

/// `bytes` rounded down to whole MiB, or to whole KiB below 1 MiB: near enough for a message.
const fn in_whole_units(bytes: u64) -> u64 {
    let unit: u64 = if bytes >= 1 << 20 { 1 << 20 } else { 1 << 10 };
    bytes - bytes % unit
}

/// Whether the disk, or what the user may have of it, is full.
fn is_full(error: &io::Error) -> bool {
    matches!(error.kind(), ErrorKind::StorageFull | ErrorKind::QuotaExceeded)
}

/// What makes room for a file, where the lack of it is what went wrong.
pub fn advice_on(error: &io::Error) -> Option<&'static str> {
    match error.kind() {
        _ if is_full(error) => Some("make room on its disk"),
        ErrorKind::FileTooLarge => Some("allow larger files (ulimit -f)"),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use rustix::io::Errno;

    use super::*;

    #[test]
    fn a_full_disk_gives_back_what_was_kept_and_is_tried_once_more() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("record");
        let file = File::create(&path).unwrap();
        let mut reserve = Reserve::beside(&file, &path, 1 << 16).unwrap();
        if reserve.room.is_none() {
            return println!("left out: this file system reserves no room");
        }
        let mut tries = 0;
        let full = || io::Error::from(ErrorKind::StorageFull);
        let write = || {
            tries += 1;
            if tries == 1 { Err(full()) } else { Ok(tries) }
        };
        assert_eq!(Reserve::write_with(Some(&mut reserve), write).unwrap(), 2);
        assert!(reserve.room.is_some(), "kept anew");
        // Not for another error, nor where there is nothing to give back.
        let denied = || Err::<(), _>(io::Error::from(ErrorKind::PermissionDenied));
        assert!(Reserve::write_with(Some(&mut reserve), denied).is_err());
        assert!(reserve.room.is_some());
        let none: Option<&mut Reserve> = None;
        assert!(Reserve::write_with::<()>(none, || Err(full())).is_err());
    }

    #[test]
    fn what_is_free_is_told_in_whole_units() {
        let told = [600, 700_000, 5 << 19].map(|bytes| text::bytes(in_whole_units(bytes)));
        assert_eq!(told, ["0B", "683KiB", "2MiB"]);
    }

    #[test]
    fn more_than_there_is_cannot_be_kept() {
        let file = tempfile::NamedTempFile::new().unwrap();
        let error = Reserve::beside(file.as_file(), file.path(), 1 << 60).unwrap_err();
        assert!(error.to_string().contains("give a smaller --min-free"), "{error}");
    }

    #[test]
    fn a_limit_is_named_and_a_full_disk_is_told_apart() {
        let advice = |errno: Errno| advice_on(&errno.into());
        assert_eq!(advice(Errno::FBIG), Some("allow larger files (ulimit -f)"));
        assert_eq!(advice(Errno::NOSPC), Some("make room on its disk"));
        assert_eq!(advice(Errno::DQUOT), Some("make room on its disk"));
        assert_eq!(advice(Errno::IO), None);
    }
}
