//! A file of whole lines: record files, tournaments, events and analysed copies are such files.

mod beside;

use std::fs::{File, TryLockError};
use std::io::{self, Read};
use std::os::fd::{AsFd, BorrowedFd};
use std::path::{Path, PathBuf};
use std::time::Duration;

use super::{DiskFile, ReadAt, Reserve};

/// A file that lines are appended to, each whole or not at all. A file that was made for it and
/// stays empty is removed when this is dropped.
#[derive(Debug)]
pub struct LineFile<F: DiskFile = File> {
    pub path: PathBuf,
    file: F,
    is_new: bool,
    /// Whether it is a file and not a pipe or a device.
    pub is_regular: bool,
    reserve: Option<Reserve<F>>,
}

/// Why a file cannot be opened for one writer alone.
#[derive(Debug, thiserror::Error)]
pub enum OpenLockedError {
    /// It is a folder, a pipe or a device.
    #[error("it is not a regular file")]
    NotRegular,
    /// Another program has locked it.
    #[error("another program has locked it")]
    Locked,
    /// It cannot be opened or locked.
    #[error(transparent)]
    Io(#[from] io::Error),
}

impl<F: DiskFile> LineFile<F> {
    /// Opens `path` for appending, and makes it if it is missing.
    ///
    /// # Errors
    ///
    /// When it cannot be opened for writing, or is a pipe without a reader.
    pub fn open(path: &Path) -> io::Result<LineFile<F>> {
        let is_new = !F::exists(path);
        let file = F::open(path)?;
        let is_regular = file.is_regular()?;
        Ok(LineFile { path: path.to_owned(), file, is_new, is_regular, reserve: None })
    }

    /// As [`LineFile::open`], for one writer alone: the file is locked for as long as this is held.
    /// Another program's lock is waited for at most `wait`.
    ///
    /// # Errors
    ///
    /// As [`OpenLockedError`] says.
    pub fn open_locked(path: &Path, wait: Duration) -> Result<LineFile<F>, OpenLockedError> {
        if path.metadata().is_ok_and(|found| !found.is_file()) {
            return Err(OpenLockedError::NotRegular);
        }
        let opened: LineFile<F> = LineFile::open(path)?;
        match opened.file.lock(wait) {
            Ok(()) if !opened.is_regular => Err(OpenLockedError::NotRegular),
            // The one before has left nothing, and removed it.
            Ok(()) if opened.is_removed()? => LineFile::open_locked(path, wait),
            Ok(()) => Ok(opened),
            Err(TryLockError::Error(error)) => Err(error.into()),
            Err(TryLockError::WouldBlock) => Err(OpenLockedError::Locked),
        }
    }

    /// Opens the path once more, where another program has removed the file.
    ///
    /// # Errors
    ///
    /// As [`LineFile::open`].
    pub(super) fn reopen(&mut self) -> io::Result<()> {
        self.file = F::open(&self.path)?;
        Ok(())
    }

    /// Reserves `bytes` of its disk for what is appended. A pipe has no disk.
    ///
    /// # Errors
    ///
    /// When fewer are free.
    pub fn keep_free(&mut self, bytes: u64) -> io::Result<()> {
        if self.is_regular {
            self.reserve = Some(Reserve::beside(&self.file, &self.path, bytes)?);
        }
        Ok(())
    }

    /// Appends whole lines to a regular file. What could be written of lines that do not fit is
    /// taken back; where another program has appended behind it, it stays, as a line that is cut
    /// off.
    ///
    /// # Errors
    ///
    /// When they cannot be written, for example to a full disk.
    pub fn append(&mut self, lines: &[u8]) -> io::Result<()> {
        let LineFile { file, reserve, .. } = self;
        Reserve::write_with(reserve.as_mut(), || {
            let mut written = 0;
            while written < lines.len() {
                match file.write(&lines[written..]) {
                    Ok(0) => return Err(take_back(file, written, io::ErrorKind::WriteZero.into())),
                    Ok(count) => written += count,
                    Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                    Err(error) => return Err(take_back(file, written, error)),
                }
            }
            Ok(())
        })
    }

    /// Its first bytes, at most `most`.
    ///
    /// # Errors
    ///
    /// When it may not be read.
    pub fn beginning(&self, most: usize) -> io::Result<Vec<u8>> {
        let mut beginning = Vec::new();
        ReadAt::new(&self.file, 0..most as u64).read_to_end(&mut beginning)?;
        Ok(beginning)
    }

    /// The byte at `place`, counted from 0.
    pub(super) fn byte_at(&self, place: u64) -> io::Result<u8> {
        let mut byte = [0];
        self.file.read_exact_at(&mut byte, place).map(|()| byte[0])
    }

    pub(super) fn end_of_last_append(&mut self) -> io::Result<u64> {
        self.file.stream_position()
    }

    /// Removes a last line that has no newline. The content of a file that may only be written is not
    /// known, and stays.
    ///
    /// # Errors
    ///
    /// When it cannot be read or cut.
    pub fn remove_unfinished_line(&mut self) -> io::Result<()> {
        const BLOCK: u64 = 64 * 1024;
        let length = self.length()?;
        if !self.byte_at(length.saturating_sub(1)).is_ok_and(|last| last != b'\n') {
            return Ok(());
        }
        let mut end = length;
        let mut block = Vec::new();
        while end > 0 {
            let begin = end.saturating_sub(BLOCK);
            block.resize(usize::try_from(end - begin).unwrap_or_default(), 0);
            self.file.read_exact_at(&mut block, begin)?;
            if let Some(newline) = memchr::memrchr(b'\n', &block) {
                end = begin + newline as u64 + 1;
                break;
            }
            end = begin;
        }
        self.file.cut(end)
    }

    /// Removes all that is behind its first `length` bytes.
    ///
    /// # Errors
    ///
    /// When the system refuses it.
    pub fn cut(&mut self, length: u64) -> io::Result<()> {
        self.file.cut(length)
    }

    /// What it holds, from its beginning, even when its name is gone.
    ///
    /// # Errors
    ///
    /// When the system has no descriptor left.
    pub fn content(&self) -> io::Result<ReadAt<Box<F>>> {
        Ok(ReadAt::new(Box::new(self.file.again()?), 0..u64::MAX))
    }

    /// Its length in bytes.
    pub fn length(&self) -> io::Result<u64> {
        self.file.length()
    }

    /// Whether another program has removed its name.
    pub fn is_removed(&self) -> io::Result<bool> {
        self.file.is_removed()
    }

    /// Whether its path still names it.
    pub fn is_in_place(&self) -> io::Result<bool> {
        self.file.is_at(&self.path)
    }

    /// Writes what was appended to the disk, so that it survives a power cut.
    ///
    /// # Errors
    ///
    /// When the disk fails.
    pub fn sync(&self) -> io::Result<()> {
        self.file.sync()
    }
}

impl AsFd for LineFile {
    fn as_fd(&self) -> BorrowedFd<'_> {
        self.file.as_fd()
    }
}

impl<F: DiskFile> Drop for LineFile<F> {
    fn drop(&mut self) {
        let is_ours = || self.is_removed().is_ok_and(|is_removed| !is_removed);
        if self.is_new && self.is_regular && self.length().is_ok_and(|it| it == 0) && is_ours() {
            let _ = F::remove(&self.path);
        }
    }
}

/// Takes back the last `written` bytes, unless another program has appended behind them.
fn take_back<F: DiskFile>(file: &mut F, written: usize, why: io::Error) -> io::Error {
    // Where this descriptor has written last is where its part of the line ends.
    if let (Ok(end), Ok(length)) = (file.stream_position(), file.length())
        && end == length
    {
        let _ = file.cut(end.saturating_sub(written as u64));
    }
    why
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_unfinished_line_is_removed_and_nothing_else() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("lines");
        let long = "x".repeat(200_000);
        for (before, after) in [
            (String::new(), ""),
            ("one\n".to_owned(), "one\n"),
            ("one\ntwo".to_owned(), "one\n"),
            ("two".to_owned(), ""),
            (format!("one\n{long}"), "one\n"),
            (long.clone(), ""),
        ] {
            std::fs::write(&path, before).unwrap();
            let mut file: LineFile = LineFile::open(&path).unwrap();
            file.remove_unfinished_line().unwrap();
            file.append(b"three\n").unwrap();
            assert_eq!(std::fs::read_to_string(&path).unwrap(), format!("{after}three\n"));
        }
    }

    #[test]
    fn a_new_file_without_lines_is_removed() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("lines");
        drop(LineFile::<File>::open(&path).unwrap());
        assert!(!path.exists());
        LineFile::<File>::open(&path).unwrap().append(b"one\n").unwrap();
        drop(LineFile::<File>::open(&path).unwrap());
        assert!(path.exists());
        assert!(matches!(
            LineFile::<File>::open_locked(folder.path(), Duration::ZERO),
            Err(OpenLockedError::NotRegular)
        ));
    }
}
