//! Each plot as an SVG and each table as CSV, for papers, in a folder of their own.

use std::collections::BTreeSet;
use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use super::asset_tables::tables;
use super::contents::Contents;
use super::output::temporary_in;
use super::plots::plots;
use crate::record::own_files::open_to_read;
use crate::report::csv::write_csv;

/// The file that lists what the program has written into a folder, and its first line.
const LIST: &str = "mancala-assets.txt";
const LIST_BEGINS: &str = "Files of mancala report --assets:";

/// Everything that may be written.
const NAMES: [&str; 12] = [
    "ratings.svg",
    "margins.svg",
    "times.svg",
    "given-away.svg",
    "ranking.csv",
    "crosstable.csv",
    "games.csv",
    "first-mover.csv",
    "times.csv",
    "faults.csv",
    "given-away.csv",
    "worst-moves.csv",
];

/// A folder for plots and tables. Only files that an earlier report wrote are replaced: a list in the
/// folder names them.
#[derive(Debug)]
pub struct AssetsFolder {
    path: PathBuf,
    /// Files of an earlier time.
    own: BTreeSet<&'static str>,
}

/// Why they cannot be written there.
#[derive(Debug, thiserror::Error)]
pub enum AssetsError {
    /// The path is not a folder's.
    #[error("it is not a folder; give --assets a folder")]
    NotAFolder,
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
    /// The folder at this path, which is made if it is missing, and in which files can be written.
    ///
    /// # Errors
    ///
    /// If it cannot be made or written to, or somebody else's file is in the way.
    pub fn at(path: &Path) -> Result<AssetsFolder, AssetsError> {
        if path.exists() && !path.is_dir() {
            return Err(AssetsError::NotAFolder);
        }
        fs::create_dir_all(path)?;
        let own = listed(path)?;
        let is_there = |name: &str| path.join(name).symlink_metadata().is_ok();
        if let Some(other) = NAMES.into_iter().find(|name| !own.contains(name) && is_there(name)) {
            return Err(AssetsError::Other(other));
        }
        temporary_in(path)?;
        Ok(AssetsFolder { path: path.to_owned(), own })
    }

    /// Writes all of them; `stop` ends it before the next one. What an earlier time has left, and
    /// this one does not have, is removed.
    ///
    /// # Errors
    ///
    /// When one cannot be written, or it was stopped; the others are then whole.
    pub fn write(&self, contents: &Contents, stop: &dyn Fn() -> bool) -> io::Result<()> {
        let files = files(contents)?;
        let names: BTreeSet<&str> = files.iter().map(|(name, _)| *name).collect();
        let all = self.own.union(&names).copied().collect();
        self.put(LIST, &list(&all))?;
        for (name, text) in &files {
            if stop() {
                return Err(io::ErrorKind::Interrupted.into());
            }
            self.put(name, text)?;
        }
        for name in self.own.difference(&names) {
            match fs::remove_file(self.path.join(name)) {
                Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(error),
                _ => {}
            }
        }
        self.put(LIST, &list(&names))
    }

    /// Writes a file beside its place and puts it there.
    fn put(&self, name: &str, text: &[u8]) -> io::Result<()> {
        let mut file = temporary_in(&self.path)?;
        file.write_all(text)?;
        file.persist(self.path.join(name)).map_err(|error| error.error)?;
        Ok(())
    }
}

/// The files that the list in a folder names.
fn listed(folder: &Path) -> Result<BTreeSet<&'static str>, AssetsError> {
    let path = folder.join(LIST);
    match path.symlink_metadata() {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(BTreeSet::new()),
        Err(error) => return Err(error.into()),
        Ok(found) if !found.is_file() => return Err(AssetsError::Other(LIST)),
        Ok(_) => {}
    }
    let text = io::read_to_string(open_to_read(&path)?)?;
    let mut lines = text.lines();
    if lines.next() != Some(LIST_BEGINS) {
        return Err(AssetsError::Other(LIST));
    }
    let lines: BTreeSet<&str> = lines.collect();
    Ok(NAMES.into_iter().filter(|name| lines.contains(name)).collect())
}

fn list(names: &BTreeSet<&str>) -> Vec<u8> {
    let lines = std::iter::once(LIST_BEGINS).chain(names.iter().copied());
    lines.flat_map(|line| [line, "\n"]).collect::<String>().into_bytes()
}

/// What is written, by the names of the files.
fn files(contents: &Contents) -> io::Result<Vec<(&'static str, Vec<u8>)>> {
    let named = |name: &str, ending: &str| {
        let mut all = NAMES.into_iter();
        let name = format!("{name}.{ending}");
        all.find(|known| *known == name).ok_or(io::ErrorKind::InvalidInput)
    };
    let mut files = Vec::new();
    for plot in plots(contents) {
        files.push((named(plot.name, "svg")?, plot.drawing.file().into_bytes()));
    }
    for (name, table) in tables(contents) {
        let mut csv = Vec::new();
        write_csv(&mut csv, &table)?;
        files.push((named(name, "csv")?, csv));
    }
    Ok(files)
}

#[cfg(test)]
mod tests {
    use std::cell::Cell;

    use super::super::anonymity::tests::{page, record};
    use super::*;

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
            assert_eq!(written.kind(), io::ErrorKind::Interrupted);
            assert_eq!(fs::read_dir(&place).unwrap().count(), 1 + stopped);
            let again = AssetsFolder::at(place.path()).unwrap();
            again.write(&contents, &|| false).unwrap();
            for (name, text) in &all {
                assert_eq!(fs::read(place.path().join(name)).unwrap(), *text);
            }
            assert_eq!(fs::read_dir(&place).unwrap().count(), 1 + all.len());
        }
    }
}
