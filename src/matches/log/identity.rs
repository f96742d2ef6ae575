//! Which match a kept log is of: a small file in its folder.

use std::fs::File;
use std::io::{self, Read as _};
use std::path::Path;

use rustix::fs::{Mode, OFlags};
use serde::{Deserialize, Serialize};

use crate::record::{Digest, MatchRecord, Timestamp, TournamentMatch};
use crate::text;

/// The file's name.
pub(super) const FILE: &str = "match.json";

/// A file above this size is not one of ours.
const MAX_SIZE: u64 = 64 * 1024;

/// What the record of a match of a tournament says that no other record does. It names no bot: logs
/// of anonymous contests are handed out.
///
/// The number alone is that of a match in every plan, and after an update that of the match that was
/// played again.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct LogIdentity {
    started: Option<Timestamp>,
    tournament: TournamentMatch,
}

impl LogIdentity {
    /// The identity of the log of this match; `None` if it is not of a tournament.
    pub fn of(record: &MatchRecord) -> Option<LogIdentity> {
        let tournament = record.tournament.clone()?;
        Some(LogIdentity { started: record.started, tournament })
    }

    /// What the file in the folder of a log says; `None` if there is none, as in folders of earlier
    /// versions of this program, or it is a link.
    pub fn read(folder: &Path) -> Option<LogIdentity> {
        let flags = OFlags::RDONLY | OFlags::NOFOLLOW | OFlags::NONBLOCK | OFlags::CLOEXEC;
        let file = File::from(rustix::fs::open(folder.join(FILE), flags, Mode::empty()).ok()?);
        if !file.metadata().ok()?.is_file() {
            return None;
        }
        let mut bytes = Vec::new();
        file.take(MAX_SIZE).read_to_end(&mut bytes).ok()?;
        serde_json::from_slice(&bytes).ok()
    }

    pub(super) fn write(&self, mut out: impl io::Write) -> io::Result<()> {
        text::write_json_line(&mut out, self)
    }

    /// The tournament and the number that the match had in it.
    pub fn place(&self) -> (Digest, u64) {
        (self.tournament.id, self.tournament.number.get())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_folder_says_which_match_its_log_is_of() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join(FILE);
        assert_eq!(LogIdentity::read(folder.path()), None);
        let text = r#"{"started":"2026-03-01T12:00:00.000Z","tournament":{"id":"00ba7816bf8f01cf","match":17,"opening":3,"games":["e3b0c44298fc1c14"]}}"#;
        std::fs::write(&file, text).unwrap();
        let identity = LogIdentity::read(folder.path()).unwrap();
        assert_eq!(identity.place(), ("00ba7816bf8f01cf".parse().unwrap(), 17));
        let mut written = Vec::new();
        identity.write(&mut written).unwrap();
        assert_eq!(String::from_utf8(written).unwrap(), format!("{text}\n"));
        // The match that was played again under the same number.
        std::fs::write(&file, text.replace("12:00:00.000", "12:00:00.001")).unwrap();
        assert_ne!(LogIdentity::read(folder.path()).unwrap(), identity);
        std::fs::write(&file, &text[1..]).unwrap();
        assert_eq!(LogIdentity::read(folder.path()), None);
        std::fs::remove_file(&file).unwrap();
        let elsewhere = folder.path().join("elsewhere");
        std::fs::write(&elsewhere, text).unwrap();
        std::os::unix::fs::symlink(elsewhere, &file).unwrap();
        assert_eq!(LogIdentity::read(folder.path()), None);
    }
}
