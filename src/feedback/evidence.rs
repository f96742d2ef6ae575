//! What there is in a bot's folder: its side of some matches, and what a check said.

use std::fs;
use std::path::{Path, PathBuf};

use crate::log::Bundle;
use crate::tournament::{BUILD_OUTPUT, CHECK_REPORT, LogFolders};

/// What there is in a bot's folder.
#[derive(Debug)]
pub(super) struct Evidence {
    pub(super) matches: Vec<MatchLog>,
    /// The report of a check, line by line; none without a check.
    pub(super) check: Option<Vec<String>>,
    /// What its build wrote, line by line, where that failed.
    pub(super) build: Option<Vec<String>>,
}

/// A bot's side of a match.
#[derive(Debug)]
pub(super) struct MatchLog {
    pub(super) number: u64,
    /// The transcript, relative to the page.
    pub(super) transcript: Option<String>,
    pub(super) faults: Vec<LoggedFault>,
}

/// A fault and its bundle.
#[derive(Debug)]
pub(super) struct LoggedFault {
    /// The bundle's file, relative to the page.
    pub(super) file: String,
    pub(super) bundle: Bundle,
}

impl Evidence {
    /// What is there now; what cannot be read is left out.
    pub(super) fn read(folders: &LogFolders, bot: usize) -> Evidence {
        let folder = folders.of_bot(bot);
        let matches = folders.matches_of(bot).into_iter();
        let lines = |file: &str| {
            let text = fs::read_to_string(folder.join(file)).ok()?;
            Some(text.lines().map(str::to_owned).collect())
        };
        Evidence {
            matches: matches
                .map(|number| MatchLog::read(number, &folders.of_match(bot, number), &folder))
                .collect(),
            check: lines(CHECK_REPORT),
            build: lines(BUILD_OUTPUT),
        }
    }
}

impl MatchLog {
    fn read(number: u64, place: &Path, page: &Path) -> MatchLog {
        let entries = fs::read_dir(place).into_iter().flatten().flatten();
        let mut files: Vec<PathBuf> = entries.map(|entry| entry.path()).collect();
        files.sort();
        let ends = |file: &Path, ending: &str| file.extension().is_some_and(|it| it == ending);
        let relative =
            |file: &Path| file.strip_prefix(page).unwrap_or(file).to_string_lossy().into_owned();
        let bundles = files.iter().filter(|file| ends(file, "json"));
        let fault = |file: &PathBuf| {
            Some(LoggedFault { file: relative(file), bundle: Bundle::read(file).ok()? })
        };
        let mut faults: Vec<LoggedFault> = bundles.filter_map(fault).collect();
        faults.sort_by_key(|fault| (fault.bundle.round, fault.bundle.turn));
        let transcript = files.iter().find(|file| ends(file, "txt")).map(|file| relative(file));
        MatchLog { number, transcript, faults }
    }
}
