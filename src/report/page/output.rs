//! The file of a page: written beside its place and renamed, so that no reader sees half of it.

use std::fs::{self, File};
use std::io::{self, BufWriter, Read, Write};
use std::os::unix::fs::OpenOptionsExt;
use std::path::{Path, PathBuf};

use crate::record::own_files::place_of_named;

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
    #[error("it is {0}, and only an older report is overwritten; give -o another file")]
    Other(&'static str),
    /// The system refuses it.
    #[error(transparent)]
    Io(#[from] io::Error),
}

impl PageFile {
    /// The file at this path, which is missing or an older page.
    ///
    /// # Errors
    ///
    /// If something else is there, or it cannot be looked at.
    pub fn at(path: &Path) -> Result<PageFile, PageFileError> {
        // A link that may be followed stays, and what it leads to is replaced.
        let path = place_of_named(path)?;
        match fs::symlink_metadata(&path) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => {}
            Err(error) => return Err(error.into()),
            Ok(found) if found.is_dir() => return Err(PageFileError::Other("a folder")),
            Ok(found) if !found.is_file() => return Err(PageFileError::Other("no regular file")),
            Ok(_) => {
                let mut beginning = [0; BEGINNING.len()];
                let read = File::open(&path)?.read_exact(&mut beginning);
                if read.is_err() || beginning != *BEGINNING {
                    return Err(PageFileError::Other("another file"));
                }
            }
        }
        Ok(PageFile { path })
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
    /// When it cannot be written; what was there before is then untouched.
    pub fn write(&self, content: impl FnOnce(&mut dyn Write) -> io::Result<()>) -> io::Result<()> {
        let file = self.temporary()?;
        let mut out = BufWriter::new(file.as_file());
        content(&mut out)?;
        out.flush()?;
        drop(out);
        file.persist(&self.path).map_err(|error| error.error)?;
        Ok(())
    }

    fn temporary(&self) -> io::Result<tempfile::NamedTempFile> {
        let folder = self.path.parent().filter(|folder| !folder.as_os_str().is_empty());
        // A page is for everybody who may read the folder, as far as the user's mask lets them. The
        // library's own way to open files would hide the system's error.
        let open =
            |path: &Path| File::options().write(true).create_new(true).mode(0o666).open(path);
        let mut builder = tempfile::Builder::new();
        builder.prefix(".mancala-report-").make_in(folder.unwrap_or(Path::new(".")), open)
    }
}
