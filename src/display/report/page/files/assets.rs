//! Each plot as an SVG and each table as CSV, for papers, in a folder of their own.

use std::fs;
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};

use super::asset_tables::tables;
use super::output::temporary_in;
use crate::record::own_files::{make_named_folder, open_to_read};
use crate::report::page::parts::plots::plots;
use crate::report::{Contents, write_csv};

/// The file by which the program knows a folder that it has written into, and its first line.
const MARKER: &str = "mancala-assets.txt";
const MARKER_BEGINS: &str = "Files of mancala report --assets:";

/// Most bytes of it that are read: more than it has with each name twice.
const MOST_OF_MARKER: u64 = 4096;

/// Everything that may be written.
const NAMES: [&str; 13] = [
    "ratings.svg",
    "margins.svg",
    "times.svg",
    "given-away.svg",
    "ranking.csv",
    "crosstable.csv",
    "games.csv",
    "first-mover.csv",
    "margins.csv",
    "times.csv",
    "faults.csv",
    "given-away.csv",
    "worst-moves.csv",
];

/// A folder for plots and tables. Only files that its marker names are replaced.
#[derive(Debug)]
pub struct AssetsFolder {
    path: PathBuf,
}

/// Why they cannot be written there.
#[derive(Debug, thiserror::Error)]
pub enum AssetsError {
    /// The path is not a folder's.
    #[error("{0}; give --assets a folder")]
    NotAFolder(&'static str),
    /// Somebody else's file has the name of one.
    #[error(
        "{0} is there, and only files of an earlier --assets are overwritten; give --assets \
         another folder"
    )]
    Other(&'static str),
    /// The system refuses it.
    #[error(transparent)]
    Io(#[from] io::Error),
}

impl AssetsFolder {
    /// The folder at `path`, which is missing or may be written into. Nothing is made or changed
    /// yet.
    ///
    /// # Errors
    ///
    /// If it is not a folder, cannot be written to, or somebody else's file is in the way.
    pub fn at(path: &Path) -> Result<AssetsFolder, AssetsError> {
        match fs::metadata(path) {
            Ok(found) if !found.is_dir() => {
                return Err(AssetsError::NotAFolder("it is not a folder"));
            }
            Ok(_) => {
                own_files(path)?;
                temporary_in(path)?;
            }
            Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(error.into()),
            Err(_) if path.symlink_metadata().is_ok() => {
                return Err(AssetsError::NotAFolder("it is a link that leads nowhere"));
            }
            Err(_) => {}
        }
        Ok(AssetsFolder { path: path.to_owned() })
    }

    /// Writes all of them; `stop` ends it before the next one. What an earlier time has left, and
    /// this one does not have, is removed.
    ///
    /// # Errors
    ///
    /// When one cannot be written, somebody else's file has come there, or it was stopped; the others
    /// are then whole.
    pub fn write(&self, contents: &Contents, stop: &dyn Fn() -> bool) -> Result<(), AssetsError> {
        let files = files(contents)?;
        make_named_folder(&self.path)?;
        let own = own_files(&self.path)?;
        let is_marked = own.is_some();
        let own = own.unwrap_or_default();
        let written = || files.iter().map(|(name, _)| *name);
        self.put(MARKER, &marker(own.iter().copied().chain(written())), is_marked)?;
        for (place, (name, text)) in files.iter().enumerate() {
            if stop() {
                return Err(io::Error::from(io::ErrorKind::Interrupted).into());
            }
            if let Err(error) = self.put(name, text, own.contains(name)) {
                if matches!(error, AssetsError::Other(_)) {
                    // The next time this file is not the program's, either.
                    let before = own.iter().copied().chain(written().take(place));
                    self.put(MARKER, &marker(before), true)?;
                }
                return Err(error);
            }
        }
        for name in own.iter().filter(|own| written().all(|name| name != **own)) {
            match fs::remove_file(self.path.join(name)) {
                Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(error.into()),
                _ => {}
            }
        }
        // Of other names somebody else may make files from now on.
        self.put(MARKER, &marker(written()), true)
    }

    /// Writes a file beside its place and puts it there.
    fn put(&self, name: &'static str, text: &[u8], replaces: bool) -> Result<(), AssetsError> {
        let mut file = temporary_in(&self.path)?;
        file.write_all(text)?;
        let place = self.path.join(name);
        let put = if replaces { file.persist(place) } else { file.persist_noclobber(place) };
        put.map(drop).map_err(|error| match error.error {
            error if error.kind() == io::ErrorKind::AlreadyExists => AssetsError::Other(name),
            error => error.into(),
        })
    }
}

/// The files in a folder that are the program's: those that its marker names. `None` without a marker.
///
/// # Errors
///
/// If another file has one of the names, or the marker is somebody else's.
fn own_files(folder: &Path) -> Result<Option<Vec<&'static str>>, AssetsError> {
    let is_there = |name: &str| folder.join(name).symlink_metadata().is_ok();
    let path = folder.join(MARKER);
    let own = if is_there(MARKER) {
        let mut text = Vec::new();
        if path.symlink_metadata()?.is_file() {
            open_to_read(&path)?.take(MOST_OF_MARKER).read_to_end(&mut text)?;
        }
        let lines: Vec<&[u8]> = text.split(|&byte| byte == b'\n').collect();
        if lines[0] != MARKER_BEGINS.as_bytes() {
            return Err(AssetsError::Other(MARKER));
        }
        Some(NAMES.into_iter().filter(|name| lines.contains(&name.as_bytes())).collect())
    } else {
        None
    };
    let is_own = |name: &&str| own.as_ref().is_some_and(|own: &Vec<_>| own.contains(name));
    match NAMES.into_iter().find(|name| is_there(name) && !is_own(name)) {
        Some(name) => Err(AssetsError::Other(name)),
        None => Ok(own),
    }
}

fn marker(names: impl Iterator<Item = &'static str>) -> Vec<u8> {
    let lines = std::iter::once(MARKER_BEGINS).chain(names);
    lines.flat_map(|line| [line, "\n"]).collect::<String>().into_bytes()
}

/// What is written, by the names of the files.
fn files(contents: &Contents) -> io::Result<Vec<(&'static str, Vec<u8>)>> {
    let mut files = Vec::new();
    for plot in plots(contents) {
        files.push((plot.file, plot.drawing.file().into_bytes()));
    }
    for (name, table) in tables(contents) {
        let mut csv = Vec::new();
        write_csv(&mut csv, &table)?;
        files.push((name, csv));
    }
    debug_assert!(files.iter().all(|(name, _)| NAMES.contains(name)), "a file without a name");
    Ok(files)
}

#[cfg(test)]
mod tests {
    use std::cell::Cell;

    use super::*;
    use crate::report::page::contents::anonymity::tests::{page, record};

    #[test]
    fn whenever_it_is_stopped_it_can_be_written_again() {
        let (contents, _) = page(&record([0, 1], [18, 18]), None);
        let all = files(&contents).unwrap();
        assert_eq!(all.len(), NAMES.len());
        for stopped in 0..all.len() {
            let place = tempfile::tempdir().unwrap();
            let folder = AssetsFolder::at(place.path()).unwrap();
            let asked = Cell::new(0);
            let stop = || asked.replace(asked.get() + 1) == stopped;
            let written = folder.write(&contents, &stop).unwrap_err();
            let AssetsError::Io(error) = written else { panic!("{written}") };
            assert_eq!(error.kind(), io::ErrorKind::Interrupted);
            assert_eq!(fs::read_dir(&place).unwrap().count(), 1 + stopped);
            let again = AssetsFolder::at(place.path()).unwrap();
            again.write(&contents, &|| false).unwrap();
            for (name, text) in &all {
                assert_eq!(fs::read(place.path().join(name)).unwrap(), *text);
            }
            assert_eq!(fs::read_dir(&place).unwrap().count(), 1 + all.len());
        }
    }

    /// Whether it comes before anything is written, or after `written` of the files.
    #[test]
    fn what_has_come_in_the_meantime_is_not_overwritten() {
        let (contents, _) = page(&record([0, 1], [18, 18]), None);
        for (name, written) in [(MARKER, None), ("times.csv", None), ("worst-moves.csv", Some(2))] {
            let place = tempfile::tempdir().unwrap();
            let path = place.path().join("figures");
            let folder = AssetsFolder::at(&path).unwrap();
            assert!(!path.exists());
            let come = || {
                fs::create_dir_all(&path).unwrap();
                fs::write(path.join(name), "mine").unwrap();
            };
            if written.is_none() {
                come();
            }
            let asked = Cell::new(0);
            let stop = || {
                if Some(asked.replace(asked.get() + 1)) == written {
                    come();
                }
                false
            };
            for _ in 0..2 {
                let refused = folder.write(&contents, &stop).unwrap_err();
                assert!(matches!(refused, AssetsError::Other(_)), "{refused}");
                assert_eq!(fs::read_to_string(path.join(name)).unwrap(), "mine");
            }
        }
    }
}
