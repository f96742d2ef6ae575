//! Logs of matches for the authors of the bots: a folder for each bot, with its own side of some
//! of its matches.

use std::collections::HashSet;
use std::fs::{self, File};
use std::io::{self, Write as _};
use std::os::unix::fs::MetadataExt as _;
use std::path::{Path, PathBuf};

use rustix::fs::{Mode, OFlags};
use serde::{Deserialize, Serialize};

use crate::log::file_name;
use crate::record::own_files::{create_in, make_folder, open_folder};
use crate::seat::PerSeat;

/// Matches that are logged for each bot: the first `MOST` without a fault, and as many with one.
const MOST: u32 = 20;

/// Where the log of each bot is.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct LogFolders {
    root: PathBuf,
    /// The name of each bot's folder, by its place in the plan.
    names: Vec<String>,
}

/// Where the logs of matches go.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct LogPlaces {
    /// For the bots' authors: some matches, each bot's own side.
    pub of_bots: Option<LogFolders>,
    /// For whoever holds the contest: all matches, both sides.
    pub of_matches: Option<MatchLogs>,
}

/// Where the logs of all matches are, both sides of each.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct MatchLogs {
    root: PathBuf,
}

impl MatchLogs {
    /// Folders in `root`.
    pub fn new(root: &Path) -> MatchLogs {
        MatchLogs { root: root.to_owned() }
    }

    /// The folder of a match.
    pub fn of_match(&self, number: u64) -> PathBuf {
        self.root.join(format!("{MATCH}{number}"))
    }

    /// Removes the logs of matches that were not played to their end.
    ///
    /// # Errors
    ///
    /// When the system refuses it.
    pub fn clear(&self) -> io::Result<()> {
        clear(&self.root)
    }
}

impl LogPlaces {
    /// Where the log of a match is while it is played; `None` if it goes nowhere.
    pub(super) fn playing(
        &self,
        number: u64,
        wanted: Option<PerSeat<WantedLogs>>,
    ) -> Option<PathBuf> {
        let is_wanted = wanted.is_some_and(|wanted| wanted.0.iter().any(|it| it.anything()));
        let of_bots = self.of_bots.as_ref().filter(|_| is_wanted).map(|logs| &logs.root);
        let root = self.of_matches.as_ref().map(|logs| &logs.root).or(of_bots)?;
        Some(root.join(format!("{PLAYING}{number}")))
    }
}

/// Which logs of the next match are still kept for a bot.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct WantedLogs {
    clean: bool,
    faulty: bool,
}

/// How many logs of each bot are kept so far: without a fault, and with one.
#[derive(Clone, Debug)]
pub struct KeptLogs(Vec<[u32; 2]>);

impl LogFolders {
    /// Folders in `root`, for bots with these names. No two bots share a folder, whatever their
    /// names.
    pub fn new<'a>(root: &Path, bots: impl IntoIterator<Item = &'a str>) -> LogFolders {
        let plain: Vec<String> = bots.into_iter().map(file_name).collect();
        // Unique even on a file system that ignores case.
        let mut taken = HashSet::from([INDEX_CSV, INDEX_MARKDOWN].map(str::to_owned));
        let mut is_taken = |name: &str| !taken.insert(name.to_ascii_lowercase());
        let repeated: Vec<bool> = plain.iter().map(|name| is_taken(name)).collect();
        let unique = |(place, (name, repeated)): (usize, (String, bool))| {
            let mut numbered = (place..).map(|number| format!("{name}-{number}"));
            let free = if repeated { numbered.find(|name| !is_taken(name)) } else { None };
            free.unwrap_or(name)
        };
        let names = (1..).zip(plain.into_iter().zip(repeated)).map(unique).collect();
        LogFolders { root: root.to_owned(), names }
    }

    /// The folder of a bot.
    pub fn of_bot(&self, bot: usize) -> PathBuf {
        self.root.join(&self.names[bot])
    }

    /// The folder of a bot's side of a match.
    pub fn of_match(&self, bot: usize, number: u64) -> PathBuf {
        self.of_bot(bot).join(format!("{MATCH}{number}"))
    }

    /// The matches of which there is a bot's side: their numbers, in order.
    pub fn matches_of(&self, bot: usize) -> Vec<u64> {
        let entries = fs::read_dir(self.of_bot(bot)).into_iter().flatten().flatten();
        let number =
            |entry: fs::DirEntry| entry.file_name().to_str()?.strip_prefix(MATCH)?.parse().ok();
        let mut numbers: Vec<u64> = entries.filter_map(number).collect();
        numbers.sort_unstable();
        numbers
    }

    /// Writes a file into the folder of a bot, in place of what is there.
    ///
    /// # Errors
    ///
    /// When the system refuses it, or something has put a link in place of the folder.
    pub fn write(&self, bot: usize, name: &str, content: &[u8]) -> io::Result<()> {
        create_in(&open_folder(&self.of_bot(bot))?, name.as_ref())?.write_all(content)
    }

    /// Writes a file beside the folders of the bots, in place of what is there.
    ///
    /// # Errors
    ///
    /// When the system refuses it.
    pub fn write_in_root(&self, name: &str, content: &[u8]) -> io::Result<()> {
        create_in(&open_folder(&self.root)?, name.as_ref())?.write_all(content)
    }

    /// Reads a text in the folder of a bot; `None` if there is none, or it is a link.
    pub fn read(&self, bot: usize, name: &str) -> Option<String> {
        let flags = OFlags::RDONLY | OFlags::NOFOLLOW | OFlags::NONBLOCK | OFlags::CLOEXEC;
        let folder = open_folder(&self.of_bot(bot)).ok()?;
        let file = File::from(rustix::fs::openat(&folder, name, flags, Mode::empty()).ok()?);
        let is_plain = file.metadata().is_ok_and(|file| file.is_file() && file.nlink() == 1);
        is_plain.then(|| io::read_to_string(file).ok()).flatten()
    }

    /// Makes the folder of each bot, and removes the logs of matches that were not played to
    /// their end.
    ///
    /// # Errors
    ///
    /// When the system refuses it.
    pub fn prepare(&self) -> io::Result<()> {
        for bot in 0..self.names.len() {
            make_folder(&self.of_bot(bot))?;
        }
        self.clear()
    }

    /// Removes the folder of each bot, and with `root` the folder that they are in, if it is empty then.
    pub fn remove(&self, root: bool) {
        for bot in 0..self.names.len() {
            let _ = fs::remove_dir_all(self.of_bot(bot));
        }
        for index in [INDEX_CSV, INDEX_MARKDOWN] {
            let _ = fs::remove_file(self.root.join(index));
        }
        if root {
            let _ = fs::remove_dir(&self.root);
        }
    }

    /// Removes the logs of matches that were not played to their end.
    ///
    /// # Errors
    ///
    /// When the system refuses it.
    pub fn clear(&self) -> io::Result<()> {
        clear(&self.root)
    }
}

/// Removes the logs in `root` of matches that were not played to their end.
fn clear(root: &Path) -> io::Result<()> {
    for entry in fs::read_dir(root)? {
        let entry = entry?;
        if entry.file_name().to_string_lossy().starts_with(PLAYING) {
            fs::remove_dir_all(entry.path())?;
        }
    }
    Ok(())
}

/// The files beside the folders that name all bots.
pub const INDEX_CSV: &str = "index.csv";
/// The same for a reader.
pub const INDEX_MARKDOWN: &str = "index.md";

/// The file in a bot's folder with the report of its check.
pub const CHECK_REPORT: &str = "check.txt";

/// The file in a bot's folder with what its build wrote, where that failed.
pub const BUILD_OUTPUT: &str = "build.txt";

const MATCH: &str = "match-";
const PLAYING: &str = ".playing-";

impl WantedLogs {
    /// Whether the log of a match in which the bot had `faults` faults is kept.
    pub(super) const fn keeps(self, faults: u32) -> bool {
        if faults > 0 { self.faulty } else { self.clean }
    }

    /// Whether the log may be kept, depending on the faults.
    pub(super) const fn anything(self) -> bool {
        self.clean || self.faulty
    }
}

impl KeptLogs {
    /// No logs of this many bots.
    pub fn none(bots: usize) -> KeptLogs {
        KeptLogs(vec![[0; 2]; bots])
    }

    /// Whether the log of a match in which the bot had `faults` faults is to be kept.
    pub fn wants(&self, bot: usize, faults: u32) -> bool {
        self.0[bot][usize::from(faults > 0)] < MOST
    }

    /// Counts the logs of earlier runs.
    pub(super) fn found(folders: &LogFolders) -> KeptLogs {
        let mut kept = KeptLogs::none(folders.names.len());
        for bot in 0..folders.names.len() {
            for number in folders.matches_of(bot) {
                let mut files =
                    fs::read_dir(folders.of_match(bot, number)).into_iter().flatten().flatten();
                // A bundle of a fault.
                let is_faulty =
                    files.any(|file| file.path().extension().is_some_and(|it| it == "json"));
                kept.count(bot, is_faulty.into());
            }
        }
        kept
    }

    /// Which logs of their next match are kept for two bots.
    pub(super) fn wanted(&self, bots: PerSeat<usize>) -> PerSeat<WantedLogs> {
        PerSeat::from_fn(|seat| {
            let [clean, faulty] = self.0[bots[seat]].map(|kept| kept < MOST);
            WantedLogs { clean, faulty }
        })
    }

    /// Counts a match that a bot has played with `faults` faults.
    pub fn count(&mut self, bot: usize, faults: u32) {
        let kept = &mut self.0[bot][usize::from(faults > 0)];
        *kept = kept.saturating_add(1);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_bot_has_a_folder_of_its_own() {
        let folders = LogFolders::new(Path::new("f"), ["Ann", "ann", "a/b", "a_b"]);
        let names: Vec<PathBuf> = (0..4).map(|bot| folders.of_bot(bot)).collect();
        assert_eq!(names, ["f/Ann", "f/ann-2", "f/a_b", "f/a_b-4"].map(PathBuf::from));
        assert_eq!(folders.of_match(0, 17), Path::new("f/Ann/match-17"));
        let folders = LogFolders::new(Path::new("f"), ["a-3", "A", "a"]);
        assert_eq!(folders.names, ["a-3", "A", "a-4"]);
        let folders = LogFolders::new(Path::new("f"), ["index.csv", "Index.MD"]);
        assert_eq!(folders.names, ["index.csv-1", "Index.MD-2"]);
    }

    proptest::proptest! {
        #[test]
        fn no_two_bots_share_a_folder(
            bots in proptest::collection::vec("[aA/_\u{e4}]{0,2}(-[0-9])?(-[0-9])?|x{45}-[12]", 0..12)
        ) {
            let folders = LogFolders::new(Path::new("f"), bots.iter().map(String::as_str));
            let mut names: Vec<String> =
                folders.names.iter().map(|name| name.to_lowercase()).collect();
            names.sort_unstable();
            names.dedup();
            proptest::prop_assert_eq!(names.len(), bots.len(), "{:?}", folders.names);
        }
    }

    /// Holds the promise `no-links`.
    #[test]
    fn nothing_is_written_or_read_through_links() {
        let place = tempfile::tempdir().unwrap();
        let (root, other) = (place.path().join("feedback"), place.path().join("record"));
        let folders = LogFolders::new(&root, ["a", "b"]);
        folders.prepare().unwrap();
        fs::write(&other, "matches").unwrap();
        std::os::unix::fs::symlink(&other, folders.of_bot(0).join("soft")).unwrap();
        fs::hard_link(&other, folders.of_bot(0).join("hard")).unwrap();
        fs::hard_link(&other, root.join("index")).unwrap();
        for name in ["soft", "hard", "new"] {
            assert_eq!(folders.read(0, name), None, "{name}");
            folders.write(0, name, b"page").unwrap();
            assert_eq!(folders.read(0, name).as_deref(), Some("page"), "{name}");
        }
        folders.write_in_root("index", b"all").unwrap();
        assert_eq!(fs::read_to_string(&other).unwrap(), "matches");

        fs::remove_dir(folders.of_bot(1)).unwrap();
        std::os::unix::fs::symlink(place.path(), folders.of_bot(1)).unwrap();
        assert!(folders.write(1, "record", b"page").is_err());
        assert_eq!(folders.read(1, "record"), None);
        assert!(folders.prepare().is_err());
        assert_eq!(fs::read_to_string(&other).unwrap(), "matches");
    }

    #[test]
    fn only_so_many_logs_are_wanted_and_found_ones_count() {
        let place = tempfile::tempdir().unwrap();
        let folders = LogFolders::new(place.path(), ["a", "b"]);
        folders.prepare().unwrap();
        for number in 1..=MOST.into() {
            fs::create_dir(folders.of_match(0, number)).unwrap();
        }
        fs::create_dir(folders.of_match(1, 1)).unwrap();
        fs::write(folders.of_match(1, 1).join("fault-1-1-b.json"), "").unwrap();
        let places = LogPlaces { of_bots: Some(folders.clone()), of_matches: None };
        let none = WantedLogs { clean: false, faulty: false };
        assert_eq!(places.playing(3, Some(PerSeat([none; 2]))), None);
        let faulty = WantedLogs { faulty: true, ..none };
        let playing = places.playing(3, Some(PerSeat([none, faulty]))).unwrap();
        fs::create_dir(&playing).unwrap();
        folders.prepare().unwrap();
        assert!(!playing.exists());
        let of_matches = Some(MatchLogs::new(Path::new("logs")));
        let playing = LogPlaces { of_matches, ..places }.playing(3, None).unwrap();
        assert!(playing.starts_with("logs"));
        let mut kept = KeptLogs::found(&folders);
        let wanted = |kept: &KeptLogs| kept.wanted(PerSeat([0, 1])).0;
        assert!(!wanted(&kept)[0].keeps(0) && wanted(&kept)[0].keeps(2));
        assert!(wanted(&kept)[1].keeps(0));
        (1..MOST).for_each(|_| kept.count(1, 1));
        assert!(wanted(&kept)[1].keeps(0) && !wanted(&kept)[1].keeps(1));
        (0..MOST).for_each(|_| kept.count(1, 0));
        assert!(!wanted(&kept)[1].anything());
    }
}
