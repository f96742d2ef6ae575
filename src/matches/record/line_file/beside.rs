//! Files beside a file of lines: the end that was cut off it, and a copy of it.

use std::io;
use std::path::PathBuf;

use super::LineFile;
use crate::record::{DiskFile, ReadAt};

impl<F: DiskFile> LineFile<F> {
    /// Moves all that is behind its first `length` bytes to the end of the file of its name with
    /// `ending`, and returns how many bytes these are and that file.
    ///
    /// # Errors
    ///
    /// When that file cannot be written.
    pub fn set_aside(&mut self, length: u64, ending: &str) -> io::Result<(u64, PathBuf)> {
        let beside = self.beside(ending);
        let mut aside = F::open(&beside)?;
        let moved = io::copy(&mut ReadAt::new(&self.file, length..u64::MAX), &mut aside)?;
        aside.write_all(b"\n")?;
        self.cut(length)?;
        Ok((moved, beside))
    }

    /// Moves the `moved` bytes back that [`LineFile::set_aside`] has moved last.
    ///
    /// # Errors
    ///
    /// When one of the files cannot be read or written.
    pub fn move_back(&mut self, moved: u64, ending: &str) -> io::Result<()> {
        let beside = self.beside(ending);
        let aside = F::open(&beside)?;
        let begin = aside.length()?.saturating_sub(moved + 1);
        let length = self.length()?;
        let back = io::copy(&mut ReadAt::new(&aside, begin..begin + moved), &mut self.file);
        if let Err(error) = back.and_then(|_| self.sync()) {
            let _ = self.cut(length);
            return Err(error);
        }
        if begin == 0 { F::remove(&beside) } else { aside.cut(begin) }
    }

    /// Copies its first `length` bytes to the file of its name with `ending`, which it returns. An
    /// earlier file of that name is kept until [`LineFile::remove_earlier_copy`].
    ///
    /// # Errors
    ///
    /// When that file cannot be written.
    pub fn copy_to(&self, length: u64, ending: &str) -> io::Result<PathBuf> {
        let beside = self.beside(ending);
        // What is there may be a link to another file.
        F::rename(&beside, &self.earlier(ending)).or_else(unless_missing)?;
        let copy = || {
            let mut copy = F::open(&beside)?;
            io::copy(&mut ReadAt::new(&self.file, 0..length), &mut copy)?;
            copy.sync()
        };
        match copy() {
            Ok(()) => Ok(beside),
            Err(error) => {
                let _ = self.remove_copy(ending);
                Err(error)
            }
        }
    }

    /// Removes the copy with `ending`, and gives an earlier one its name back.
    ///
    /// # Errors
    ///
    /// When the folder may not be written.
    pub fn remove_copy(&self, ending: &str) -> io::Result<()> {
        let copy = self.beside(ending);
        F::remove(&copy).or_else(unless_missing)?;
        F::rename(&self.earlier(ending), &copy).or_else(unless_missing)
    }

    /// Removes the earlier copy, which the one with `ending` has replaced.
    ///
    /// # Errors
    ///
    /// When the folder may not be written.
    pub fn remove_earlier_copy(&self, ending: &str) -> io::Result<()> {
        F::remove(&self.earlier(ending)).or_else(unless_missing)
    }

    fn earlier(&self, ending: &str) -> PathBuf {
        self.beside(&format!("{ending}.earlier"))
    }

    /// The file beside it whose name is its own with `ending`.
    pub fn beside(&self, ending: &str) -> PathBuf {
        let words = [self.path.as_os_str(), ending.as_ref()];
        words.into_iter().collect::<std::ffi::OsString>().into()
    }
}

fn unless_missing(error: io::Error) -> io::Result<()> {
    if error.kind() == io::ErrorKind::NotFound { Ok(()) } else { Err(error) }
}

#[cfg(test)]
mod tests {
    use std::fs::File;
    use std::time::Duration;

    use super::*;
    use crate::record::OpenLockedError;

    #[test]
    fn what_is_set_aside_is_kept_and_new_lines_follow_the_whole_ones() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("lines");
        std::fs::write(&path, "one\ntw").unwrap();
        let mut file: LineFile = LineFile::open_locked(&path, Duration::ZERO).unwrap();
        assert!(matches!(
            LineFile::<File>::open_locked(&path, Duration::ZERO),
            Err(OpenLockedError::Locked)
        ));
        let (moved, beside) = file.set_aside(4, ".cut-off").unwrap();
        assert_eq!((moved, std::fs::read_to_string(beside).unwrap().as_str()), (2, "tw\n"));
        file.append(b"three\n").unwrap();
        let content = io::read_to_string(file.content().unwrap()).unwrap();
        assert_eq!(content, "one\nthree\n");
    }

    #[test]
    fn what_was_moved_and_copied_is_put_back() {
        let folder = tempfile::tempdir().unwrap();
        let at = |name: &str| folder.path().join(name);
        let files = || {
            let names = ["lines", "lines.cut-off", "lines.before", "lines.before.earlier"];
            names.map(|name| std::fs::read_to_string(at(name)).ok())
        };
        std::fs::write(at("lines"), "one\ntw").unwrap();
        for earlier in [false, true] {
            if earlier {
                std::fs::write(at("lines.cut-off"), "fo\n").unwrap();
                std::fs::write(at("lines.before"), "on").unwrap();
            }
            let before = files();
            let mut file: LineFile = LineFile::open(&at("lines")).unwrap();
            file.copy_to(4, ".before").unwrap();
            let (moved, _) = file.set_aside(4, ".cut-off").unwrap();
            file.append(b"three\n").unwrap();
            let cut_off = if earlier { "fo\ntw\n" } else { "tw\n" };
            let some = |text: &str| Some(text.to_owned());
            let old = before[2].clone();
            assert_eq!(files(), [some("one\nthree\n"), some(cut_off), some("one\n"), old]);
            file.cut(4).unwrap();
            file.move_back(moved, ".cut-off").unwrap();
            file.remove_copy(".before").unwrap();
            assert_eq!(files(), before);
        }
        let file: LineFile = LineFile::open(&at("lines")).unwrap();
        file.copy_to(4, ".before").unwrap();
        file.remove_earlier_copy(".before").unwrap();
        assert_eq!(files()[2..], [Some("one\n".to_owned()), None]);
    }
}
