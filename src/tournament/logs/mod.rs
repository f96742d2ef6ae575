//! Logs of matches for the authors of the bots: a folder for each bot, with its own side of some
//! of its matches.

use std::collections::HashSet;
use std::fs::{self, File};
use std::io::{self, Write as _};
use std::os::fd::OwnedFd;
use std::os::unix::fs::MetadataExt as _;
use std::path::{Path, PathBuf};

use rustix::fs::{Mode, OFlags};
use serde::{Deserialize, Serialize};

use crate::contest::PlannedBot;
use crate::log::{BotLogFiles, LogIdentity, file_name, is_bundle};
use crate::record::own_files::{create_in, make_folder, open_folder};
use crate::seat::PerSeat;

/// Matches that are logged for each bot: the first `MOST` without a fault, and as many with one.
const MOST: u32 = 20;

/// Where the log of each bot is.
#[derive(Clone, Serialize, Deserialize)]
pub(crate) struct LogFolders {
    root: PathBuf,
    /// The name of each bot's folder, by its place in the plan.
    names: Vec<String>,
}

/// Where the logs of matches go.
#[derive(Clone, Default, Serialize, Deserialize)]
pub(crate) struct LogPlaces {
    /// For the bots' authors: some matches, each bot's own side.
    pub of_bots: Option<LogFolders>,
    /// For whoever holds the contest: all matches, both sides.
    pub of_matches: Option<MatchLogs>,
}

/// Where the logs of all matches are, both sides of each.
#[derive(Clone, Serialize, Deserialize)]
pub(crate) struct MatchLogs {
    root: PathBuf,
}

/// The side of a bot's log that goes into `folder`.
pub(crate) fn bot_log_files(bot: &PlannedBot, folder: PathBuf) -> BotLogFiles {
    BotLogFiles { folder, bot: bot.as_started(), dir: bot.folder.clone() }
}

impl MatchLogs {
    /// Folders in `root`.
    pub(crate) fn new(root: &Path) -> MatchLogs {
        MatchLogs { root: root.to_owned() }
    }

    /// The folder of a match.
    pub(crate) fn of_match(&self, number: u64) -> PathBuf {
        self.root.join(format!("{MATCH}{number}"))
    }

    /// The folders of logs that are there.
    pub(crate) fn found(&self) -> Vec<PathBuf> {
        numbers_in(&self.root).into_iter().map(|number| self.of_match(number)).collect()
    }

    /// Removes the logs of matches that were not played to their end.
    ///
    /// # Errors
    ///
    /// When the system refuses it.
    pub(crate) fn clear(&self) -> io::Result<()> {
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
#[derive(Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct WantedLogs {
    clean: bool,
    faulty: bool,
}

/// How many logs of each bot are kept so far: without a fault, and with one.
pub(crate) struct KeptLogs(Vec<[u32; 2]>);

impl LogFolders {
    /// Folders in `root`, for bots with these names. No two bots share a folder, whatever their
    /// names.
    pub(crate) fn new<'a>(root: &Path, bots: impl IntoIterator<Item = &'a str>) -> LogFolders {
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

    pub(crate) fn of_bot(&self, bot: usize) -> PathBuf {
        self.root.join(&self.names[bot])
    }

    /// The folder of a bot's side of a match.
    pub(crate) fn of_match(&self, bot: usize, number: u64) -> PathBuf {
        self.of_bot(bot).join(format!("{MATCH}{number}"))
    }

    /// The matches of which there is a bot's side: their numbers, in order.
    pub(crate) fn matches_of(&self, bot: usize) -> Vec<u64> {
        numbers_in(&self.of_bot(bot))
    }

    /// The folders of all bots' sides of matches that are there.
    pub(crate) fn found(&self) -> Vec<PathBuf> {
        let of_bot = |bot| self.matches_of(bot).into_iter().map(move |it| self.of_match(bot, it));
        (0..self.names.len()).flat_map(of_bot).collect()
    }

    /// Whether there is a bot's side of the match that has the number `number` here: of this very match, and
    /// not of another one of the same number.
    pub(crate) fn has(&self, bot: usize, number: u64, identity: &LogIdentity) -> bool {
        LogIdentity::read(&self.of_match(bot, number)).as_ref() == Some(identity)
    }

    /// Writes a file into the folder of a bot, in place of what is there.
    ///
    /// # Errors
    ///
    /// When the system refuses it, or something has put a link in place of the folder.
    pub(crate) fn write(&self, bot: usize, name: &str, content: &[u8]) -> io::Result<()> {
        create_in(&open_folder(&self.of_bot(bot))?, name.as_ref())?.write_all(content)
    }

    /// Writes a file beside the folders of the bots, in place of what is there.
    ///
    /// # Errors
    ///
    /// When the system refuses it.
    pub(crate) fn write_in_root(&self, name: &str, content: &[u8]) -> io::Result<()> {
        create_in(&open_folder(&self.root)?, name.as_ref())?.write_all(content)
    }

    /// Reads a text in the folder of a bot; `None` if there is none, or it is a link.
    pub(crate) fn read(&self, bot: usize, name: &str) -> Option<String> {
        read_text(&open_folder(&self.of_bot(bot)).ok()?, name)
    }

    /// Puts what `change` makes of it in place of each text in the folder of a bot and its matches.
    /// It is given the file, relative to that folder. Links are left alone.
    ///
    /// # Errors
    ///
    /// When the system refuses it, or `change` does.
    pub(crate) fn change_texts(
        &self,
        bot: usize,
        change: impl Fn(&Path, &str) -> io::Result<Vec<u8>>,
    ) -> io::Result<()> {
        let matches = self.matches_of(bot).into_iter().map(|number| format!("{MATCH}{number}"));
        for inside in matches.chain([String::new()]).map(PathBuf::from) {
            let folder = open_folder(&self.of_bot(bot).join(&inside))?;
            for entry in rustix::fs::Dir::read_from(&folder)? {
                let entry = entry?;
                let Ok(name) = entry.file_name().to_str() else { continue };
                let Some(text) = read_text(&folder, name) else { continue };
                let changed = change(&inside.join(name), &text)?;
                if changed != text.as_bytes() {
                    create_in(&folder, name.as_ref())?.write_all(&changed)?;
                }
            }
        }
        Ok(())
    }

    /// Makes the folder of each bot, and removes the logs of matches that were not played to
    /// their end.
    ///
    /// # Errors
    ///
    /// When the system refuses it.
    pub(crate) fn prepare(&self) -> io::Result<()> {
        for bot in 0..self.names.len() {
            make_folder(&self.of_bot(bot))?;
        }
        self.clear()
    }

    /// Removes the folder of each bot, and with `root` the folder that they are in, if it is empty then.
    pub(crate) fn remove(&self, root: bool) {
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
    pub(crate) fn clear(&self) -> io::Result<()> {
        clear(&self.root)
    }
}

/// The numbers of matches that have a folder in this one, in order.
fn numbers_in(folder: &Path) -> Vec<u64> {
    let entries = fs::read_dir(folder).into_iter().flatten().flatten();
    let number =
        |entry: fs::DirEntry| entry.file_name().to_str()?.strip_prefix(MATCH)?.parse().ok();
    let mut numbers: Vec<u64> = entries.filter_map(number).collect();
    numbers.sort_unstable();
    numbers
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
pub(crate) const INDEX_CSV: &str = "index.csv";
/// The same for a reader.
pub(crate) const INDEX_MARKDOWN: &str = "index.md";

/// Reads a text in a folder; `None` if there is none, or it is a link.
fn read_text(folder: &OwnedFd, name: &str) -> Option<String> {
    let flags = OFlags::RDONLY | OFlags::NOFOLLOW | OFlags::NONBLOCK | OFlags::CLOEXEC;
    let file = File::from(rustix::fs::openat(folder, name, flags, Mode::empty()).ok()?);
    let is_plain = file.metadata().is_ok_and(|file| file.is_file() && file.nlink() == 1);
    is_plain.then(|| io::read_to_string(file).ok()).flatten()
}

/// The file in a bot's folder with the report of its check.
pub(crate) const CHECK_REPORT: &str = "check.txt";

/// The file in a bot's folder with what its build wrote, where that failed.
pub(crate) const BUILD_OUTPUT: &str = "build.txt";

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
    /// No logs, of `bots` bots.
    pub(crate) fn none(bots: usize) -> KeptLogs {
        KeptLogs(vec![[0; 2]; bots])
    }

    /// Whether the log of a match in which the bot had `faults` faults is to be kept.
    pub(crate) fn wants(&self, bot: usize, faults: u32) -> bool {
        self.0[bot][usize::from(faults > 0)] < MOST
    }

    /// Counts the logs of earlier runs.
    pub(crate) fn found(folders: &LogFolders) -> KeptLogs {
        let mut kept = KeptLogs::none(folders.names.len());
        for bot in 0..folders.names.len() {
            for number in folders.matches_of(bot) {
                let mut files =
                    fs::read_dir(folders.of_match(bot, number)).into_iter().flatten().flatten();
                let is_faulty = files.any(|file| is_bundle(&file.path()));
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
    pub(crate) fn count(&mut self, bot: usize, faults: u32) {
        let kept = &mut self.0[bot][usize::from(faults > 0)];
        *kept = kept.saturating_add(1);
    }
}

#[cfg(test)]
mod tests;
