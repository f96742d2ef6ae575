//! One bot's side of a match's log: its transcript and its bundles, and nothing of the other bot's.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use super::bundle::Bundle;
use super::folder::{file_names, is_bundle};
use super::identity::{self, LogIdentity};
use super::match_log::Log;
use crate::record::BotRecord;
use crate::record::own_files::{create_in, make_folder};
use crate::seat::{PerSeat, Seat};

/// Where a bot's side of a log goes.
pub struct BotLogFiles {
    /// The folder, which is made anew.
    pub folder: PathBuf,
    /// The bot as its bundles name it and start it again.
    pub bot: BotRecord,
    /// Its working folder, if that is not the referee's.
    pub dir: Option<PathBuf>,
}

impl Log {
    /// Ends the log, which is of this match: copies sides of it to their places, and removes the
    /// rest. Two sides may have the same folder.
    ///
    /// # Errors
    ///
    /// The first error in writing any of it.
    pub fn hand_out(
        mut self,
        identity: &LogIdentity,
        sides: &[(Seat, BotLogFiles)],
    ) -> io::Result<()> {
        let ended = self.finish();
        for (_, side) in sides {
            side.remove()?;
        }
        for (seat, side) in sides {
            let own = self.bundles.iter().filter(|(whose, ..)| whose == seat);
            let own = own.map(|(_, _, path)| &**path);
            side.write(identity, &self.folder.transcript(*seat), own)?;
        }
        fs::remove_dir_all(self.folder())?;
        ended
    }
}

impl BotLogFiles {
    fn remove(&self) -> io::Result<()> {
        match fs::remove_dir_all(&self.folder) {
            Err(error) if error.kind() != io::ErrorKind::NotFound => Err(error),
            _ => Ok(()),
        }
    }

    fn write<'a>(
        &self,
        identity: &LogIdentity,
        transcript: &Path,
        bundles: impl Iterator<Item = &'a Path>,
    ) -> io::Result<()> {
        let folder = make_folder(&self.folder)?;
        let mut copy = create_in(&folder, file_name(transcript))?;
        io::copy(&mut fs::File::open(transcript)?, &mut copy)?;
        for path in bundles {
            let mut bundle = Bundle::read(path).map_err(io::Error::other)?;
            let place = self.folder.join(file_name(path));
            bundle.bot = self.bot.clone();
            bundle.dir.clone_from(&self.dir);
            bundle.reproduce = bundle.command_line(&place);
            bundle.write(create_in(&folder, file_name(path))?)?;
        }
        // The last file: a log that has it is whole.
        identity.write(create_in(&folder, identity::FILE.as_ref())?)
    }

    /// Copies a bot's side from the folder of a match with both sides. In it the two bots were told
    /// the names `told`; this one was `own_name`. Returns false, and makes nothing, if the folder is
    /// not that of this match, or this side is not there.
    ///
    /// # Errors
    ///
    /// When a file cannot be read or written.
    pub fn copy_from(
        &self,
        folder: &Path,
        identity: &LogIdentity,
        (told, own_name, seat): (&PerSeat<String>, &str, Seat),
    ) -> io::Result<bool> {
        let transcript = folder.join(format!("{}.txt", file_names(told)[seat]));
        if LogIdentity::read(folder).as_ref() != Some(identity) || !transcript.is_file() {
            return Ok(false);
        }
        let mut bundles = Vec::new();
        for entry in fs::read_dir(folder)? {
            let path = entry?.path();
            let is_own = || Bundle::read(&path).is_ok_and(|bundle| bundle.bot.name == own_name);
            if is_bundle(&path) && is_own() {
                bundles.push(path);
            }
        }
        self.remove()?;
        self.write(identity, &transcript, bundles.iter().map(|path| &**path))?;
        Ok(true)
    }
}

fn file_name(path: &Path) -> &Path {
    Path::new(path.file_name().unwrap_or_default())
}
