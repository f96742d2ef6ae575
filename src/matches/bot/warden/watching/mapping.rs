//! The mappings of a process as the kernel lists them.

use std::ffi::OsStr;
use std::fs::{self, Metadata};
use std::io;
use std::os::unix::ffi::OsStrExt as _;
use std::path::Path;

use rustix::process::Pid;

/// A line of `/proc/PID/maps`: `0055d0-0055d2 rw-s 00001000 fe:00 1234    /srv/x (deleted)`. A path
/// is any bytes.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Mapping<'a> {
    start: u64,
    end: u64,
    offset: u64,
    /// The number of its file.
    pub(super) number: u64,
    pub(super) path: &'a Path,
}

impl Mapping<'_> {
    /// `None` for one of no file.
    pub(super) fn of(line: &[u8]) -> Option<Mapping<'_>> {
        let (before, path) = line.split_at(line.iter().position(|&byte| byte == b'/')?);
        let path = Path::new(OsStr::from_bytes(path));
        let hexadecimal = |text| u64::from_str_radix(text, 16).ok();
        let mut words = str::from_utf8(before).ok()?.split_whitespace();
        let (start, end) = words.next()?.split_once('-')?;
        let (start, end) = (hexadecimal(start)?, hexadecimal(end)?);
        let offset = hexadecimal(words.nth(1)?)?;
        Some(Mapping { start, end, offset, number: words.nth(1)?.parse().ok()?, path })
    }

    /// How far into its file it reaches, which may be longer: whoever maps one page keeps all of it.
    pub(super) const fn reaches(&self) -> u64 {
        self.offset.saturating_add(self.length())
    }

    pub(super) const fn length(&self) -> u64 {
        self.end.saturating_sub(self.start)
    }

    /// What there is to know of its file, a name or none. Only the superuser is told.
    pub(super) fn file(&self, process: Pid) -> io::Result<Metadata> {
        let (process, Mapping { start, end, .. }) = (process.as_raw_nonzero(), self);
        fs::metadata(format!("/proc/{process}/map_files/{start:x}-{end:x}"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_read() {
        let line = b"007f00-9f00 rw-s 00001000 fe:00 1234       /srv/own/x \xff (deleted)";
        let path = Path::new(OsStr::from_bytes(b"/srv/own/x \xff (deleted)"));
        let found = Mapping { start: 0x7f00, end: 0x9f00, offset: 0x1000, number: 1234, path };
        assert_eq!(found.reaches(), 0x3000);
        assert_eq!(Mapping::of(line), Some(found));
        assert_eq!(Mapping::of(b"7f00-9f00 rw-p 00000000 00:00 0"), None);
    }
}
