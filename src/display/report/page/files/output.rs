//! The file of a page: written beside its place and renamed, so that no reader sees half of it.

use std::fs::{self, File};
use std::io::{self, BufWriter, Read, Write};
use std::os::unix::fs::{MetadataExt, OpenOptionsExt, fchown};
use std::path::{Path, PathBuf};

use crate::record::own_files::{open_to_read, place_of_named};

/// What every page begins with, and nothing else should.
const BEGINNING: &[u8] = b"<!doctype html>\n<html lang=\"en\" data-generator=\"mancala report\">";

/// Where a page goes. It may replace an older page, and nothing else.
#[derive(Debug)]
pub struct PageFile {
    path: PathBuf,
}

/// Why a page cannot go there.
#[derive(Debug, thiserror::Error)]
pub enum PageFileError {
    /// Something else is there.
    #[error("it is {0}, and only an older report is overwritten")]
    Other(&'static str),
    /// An older page is there that this user may not write to.
    #[error("it is write-protected; make it writable, or give another file")]
    Protected,
    /// The system refuses it.
    #[error(transparent)]
    Io(#[from] io::Error),
}

impl PageFile {
    /// The file at `path`, which is missing or an older page.
    ///
    /// # Errors
    ///
    /// If something else is there, or it cannot be looked at.
    pub fn at(path: &Path) -> Result<PageFile, PageFileError> {
        // A link that may be followed stays, and what it leads to is replaced.
        let page = PageFile { path: place_of_named(path)? };
        page.expect_replaceable()?;
        Ok(page)
    }

    /// Whether nothing is there, or an older page.
    fn expect_replaceable(&self) -> Result<(), PageFileError> {
        match fs::symlink_metadata(&self.path) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => {}
            Err(error) => return Err(error.into()),
            Ok(found) if found.is_dir() => return Err(PageFileError::Other("a folder")),
            Ok(found) if !found.is_file() => {
                return Err(PageFileError::Other("not a regular file"));
            }
            Ok(_) => {
                let mut beginning = [0; BEGINNING.len()];
                let read = open_to_read(&self.path)?.read_exact(&mut beginning);
                if read.is_err() || beginning != *BEGINNING {
                    return Err(PageFileError::Other("another file"));
                }
                // To replace a file its folder is enough, but who protects a page wants to keep it.
                File::options().append(true).open(&self.path).map_err(|error| {
                    let is_protected = error.kind() == io::ErrorKind::PermissionDenied;
                    if is_protected { PageFileError::Protected } else { error.into() }
                })?;
            }
        }
        Ok(())
    }

    /// The path, with links followed.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Makes sure that a page can be written beside its place.
    ///
    /// # Errors
    ///
    /// When it cannot.
    pub fn probe(&self) -> io::Result<()> {
        self.temporary().map(drop)
    }

    /// Writes the file whole and puts it in its place.
    ///
    /// # Errors
    ///
    /// When it cannot be written, or something else has come there; what was there before is then
    /// untouched.
    pub fn write(
        &self,
        content: impl FnOnce(&mut dyn Write) -> io::Result<()>,
    ) -> Result<(), PageFileError> {
        let file = self.temporary()?;
        let mut out = BufWriter::new(file.as_file());
        content(&mut out)?;
        out.flush()?;
        drop(out);
        self.expect_replaceable()?;
        if let Ok(older) = fs::symlink_metadata(&self.path) {
            // Only the superuser can give a file away, and a user only to groups of its own.
            let (user, group) = (Some(older.uid()), Some(older.gid()));
            let given = fchown(file.as_file(), user, group);
            // Its permissions for a group are not for another one.
            if given.or_else(|_| fchown(file.as_file(), None, group)).is_ok() {
                file.as_file().set_permissions(older.permissions())?;
            }
        }
        file.persist(&self.path).map_err(|error| error.error)?;
        Ok(())
    }

    fn temporary(&self) -> io::Result<tempfile::NamedTempFile> {
        let folder = self.path.parent().filter(|folder| !folder.as_os_str().is_empty());
        temporary_in(folder.unwrap_or(Path::new(".")))
    }
}

/// A file beside those that it is to be one of, or in place of.
pub(super) fn temporary_in(folder: &Path) -> io::Result<tempfile::NamedTempFile> {
    // It is for everybody who may read the folder, as far as the user's mask lets them. The library's
    // own way to open files would hide the system's error.
    let open = |path: &Path| File::options().write(true).create_new(true).mode(0o666).open(path);
    tempfile::Builder::new().prefix(".mancala-report-").make_in(folder, open)
}

#[cfg(test)]
mod tests {
    use std::os::unix::fs::PermissionsExt;

    use super::*;

    #[test]
    fn an_older_page_keeps_its_permissions() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("page.html");
        fs::write(&path, BEGINNING).unwrap();
        let content = |out: &mut dyn Write| out.write_all(&[BEGINNING, b"new"].concat());
        for mode in [0o600, 0o664, 0o604] {
            fs::set_permissions(&path, fs::Permissions::from_mode(mode)).unwrap();
            PageFile::at(&path).unwrap().write(content).unwrap();
            assert_eq!(fs::metadata(&path).unwrap().permissions().mode() & 0o777, mode);
        }
        fs::set_permissions(&path, fs::Permissions::from_mode(0o444)).unwrap();
        // The superuser may write to it. Others are tried by tests of the program.
        if File::options().append(true).open(&path).is_err() {
            let refused = PageFile::at(&path).map(drop).unwrap_err();
            assert!(matches!(refused, PageFileError::Protected), "{refused}");
        }
    }

    #[test]
    fn what_has_come_in_the_meantime_is_not_overwritten() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("page.html");
        for older in [None, Some(BEGINNING)] {
            if let Some(older) = older {
                fs::write(&path, older).unwrap();
            }
            let page = PageFile::at(&path).unwrap();
            let written = page.write(|out| {
                fs::write(&path, "mine")?;
                out.write_all(BEGINNING)
            });
            assert!(matches!(written, Err(PageFileError::Other("another file"))), "{written:?}");
            assert_eq!(fs::read_to_string(&path).unwrap(), "mine");
            assert_eq!(fs::read_dir(&folder).unwrap().count(), 1);
            fs::remove_file(&path).unwrap();
        }
    }
}
