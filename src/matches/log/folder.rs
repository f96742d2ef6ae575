//! The folder of one match: a name that is free, and file names that every system takes.

use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};

use crate::record::own_files::make_named_folder;
use crate::seat::{PerSeat, Seat};

/// Most characters of a bot's name in a file name.
const MAX_NAME: usize = 40;

/// How the name of a bundle begins.
const BUNDLE: &str = "fault-";

/// A folder that was made for one match. Several referees may share the folder it is in.
pub(super) struct Folder {
    pub(super) path: PathBuf,
    names: PerSeat<String>,
    /// The folders that were made for it, innermost first.
    made: Vec<PathBuf>,
    /// Whether the match began. Otherwise what was made is removed when this is dropped.
    pub(super) is_kept: bool,
}

impl Folder {
    /// Makes `<a>-vs-<b>-<n>` in `parent`, with the first `n` that is free, and `parent` itself
    /// where it is missing.
    pub(super) fn make(parent: &Path, names: &PerSeat<String>) -> io::Result<Folder> {
        let missing =
            parent.ancestors().take_while(|path| !path.exists() && *path != Path::new(""));
        let mut made: Vec<PathBuf> = missing.map(Path::to_owned).collect();
        make_named_folder(parent)?;
        let names = file_names(names);
        let mut number = 1_u64;
        loop {
            let name = format!("{}-vs-{}-{number}", names[Seat::A], names[Seat::B]);
            let path = parent.join(name);
            match fs::create_dir(&path) {
                Ok(()) => {
                    made.insert(0, path.clone());
                    return Ok(Folder { path, names, made, is_kept: false });
                }
                Err(error) if error.kind() == io::ErrorKind::AlreadyExists => number += 1,
                Err(error) => return Err(error),
            }
        }
    }

    pub(super) fn transcript(&self, seat: Seat) -> PathBuf {
        self.path.join(format!("{}.txt", self.names[seat]))
    }

    /// Makes the file of a fault's bundle, numbered where the bot was at fault at that turn before.
    pub(super) fn make_bundle(
        &self,
        (round, turn, seat): (u32, u32, Seat),
    ) -> io::Result<(PathBuf, File)> {
        let name = format!("{BUNDLE}{round}-{turn}-{}", self.names[seat]);
        let mut path = self.path.join(format!("{name}.json"));
        let mut number = 2_u64;
        loop {
            match File::create_new(&path) {
                Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {
                    path = self.path.join(format!("{name}.{number}.json"));
                    number += 1;
                }
                made => return made.map(|file| (path, file)),
            }
        }
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        if self.is_kept {
            return;
        }
        for seat in Seat::BOTH {
            let _ = fs::remove_file(self.transcript(seat));
        }
        for folder in &self.made {
            // This fails where something else is in it by now.
            let _ = fs::remove_dir(folder);
        }
    }
}

/// The names of two bots as parts of file names, told apart even where case is not.
pub(super) fn file_names(names: &PerSeat<String>) -> PerSeat<String> {
    let safe = PerSeat::from_fn(|seat| file_name(&names[seat]));
    if safe[Seat::A].eq_ignore_ascii_case(&safe[Seat::B]) {
        PerSeat::from_fn(|seat| format!("{}-{}", safe[seat], u8::from(seat) + 1))
    } else {
        safe
    }
}

/// Whether a file in the folder of a match is the bundle of a fault, by its name.
pub fn is_bundle(path: &Path) -> bool {
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    name.starts_with(BUNDLE) && name.ends_with(".json")
}

/// A name with nothing in it but what is portable: letters, digits, `.`, `_` and `-`.
pub fn file_name(name: &str) -> String {
    let portable = |c: char| if c.is_ascii_alphanumeric() || "._-".contains(c) { c } else { '_' };
    let safe: String = name.chars().map(portable).take(MAX_NAME).collect();
    match safe.strip_prefix(['.', '-']) {
        Some(rest) => format!("_{rest}"),
        None if safe.is_empty() => "bot".to_owned(),
        None => safe,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_portable_and_told_apart() {
        assert_eq!(file_name("greedy-2.1"), "greedy-2.1");
        assert_eq!(file_name("../../etc"), "_._.._etc");
        assert_eq!(file_name("-rf"), "_rf");
        assert_eq!(file_name("Zoë\x1b[2J 播"), "Zo___2J__");
        assert_eq!(file_name(""), "bot");
        assert_eq!(file_name(&"x".repeat(99)).len(), MAX_NAME);
        let names = |a: &str, b: &str| file_names(&PerSeat([a.to_owned(), b.to_owned()])).0;
        assert_eq!(names("Ann", "ann"), ["Ann-1", "ann-2"]);
        assert_eq!(names("a/b", "a_b"), ["a_b-1", "a_b-2"]);
        assert_eq!(names("ann", "bob"), ["ann", "bob"]);
    }

    #[test]
    fn every_match_has_a_folder_of_its_own_and_one_that_was_not_played_leaves_none() {
        let place = tempfile::tempdir().unwrap();
        let parent = place.path().join("deep/logs");
        let names = PerSeat(["a".to_owned(), "b".to_owned()]);
        let first = Folder::make(&parent, &names).unwrap();
        assert_eq!(first.path, parent.join("a-vs-b-1"));
        let second = Folder::make(&parent, &names).unwrap();
        assert_eq!(second.path, parent.join("a-vs-b-2"));
        File::create_new(second.transcript(Seat::A)).unwrap();
        let bundles = [(); 3].map(|()| second.make_bundle((1, 2, Seat::B)).unwrap().0);
        let file_names = bundles.each_ref().map(|path| path.file_name().unwrap().to_str().unwrap());
        assert_eq!(file_names, ["fault-1-2-b.json", "fault-1-2-b.2.json", "fault-1-2-b.3.json"]);
        for path in &bundles {
            fs::remove_file(path).unwrap();
        }
        let second_path = second.path.clone();
        drop(second);
        assert!(!second_path.exists() && parent.exists());
        drop(first);
        assert_eq!(fs::read_dir(place.path()).unwrap().count(), 0);
    }
}
