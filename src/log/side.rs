//! One bot's side of a match's log: its transcript and its bundles, and nothing of the other bot's.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use super::bundle::Bundle;
use super::folder::file_names;
use super::journal::Log;
use crate::record::BotRecord;
use crate::record::own_files::{create_in, make_folder};
use crate::seat::{PerSeat, Seat};

/// Where a bot's side of a log goes.
#[derive(Clone, Debug)]
pub struct Side {
    /// The folder, which is made anew.
    pub folder: PathBuf,
    /// The bot as its bundles name it and start it again.
    pub bot: BotRecord,
}

impl Log {
    /// Ends the log: copies sides of it to their places, and removes the rest. Two sides may have
    /// the same folder.
    ///
    /// # Errors
    ///
    /// The first error in writing any of it.
    pub fn hand_out(mut self, sides: &[(Seat, Side)]) -> io::Result<()> {
        let ended = self.finish();
        for (_, side) in sides {
            match fs::remove_dir_all(&side.folder) {
                Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(error),
                _ => {}
            }
        }
        for (seat, side) in sides {
            let own = self.bundles().iter().filter(|(whose, ..)| whose == seat);
            side.write(&self.folder.transcript(*seat), own.map(|(_, _, path)| &**path))?;
        }
        fs::remove_dir_all(self.folder())?;
        ended
    }
}

impl Side {
    fn write<'a>(
        &self,
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
            bundle.reproduce = bundle.command_line(&place);
            bundle.write(create_in(&folder, file_name(path))?)?;
        }
        Ok(())
    }

    /// Copies a bot's side from the folder of a match with both sides, in which the two bots were
    /// told these names. Returns false, and makes nothing, if it is not there.
    ///
    /// # Errors
    ///
    /// When a file cannot be read or written.
    pub fn copy_from(
        &self,
        folder: &Path,
        names: &PerSeat<String>,
        seat: Seat,
    ) -> io::Result<bool> {
        let transcript = folder.join(format!("{}.txt", file_names(names)[seat]));
        if !transcript.is_file() {
            return Ok(false);
        }
        let mut bundles = Vec::new();
        for entry in fs::read_dir(folder)? {
            let path = entry?.path();
            let is_own =
                || Bundle::read(&path).is_ok_and(|bundle| bundle.bot.name == self.bot.name);
            if path.extension().is_some_and(|it| it == "json") && is_own() {
                bundles.push(path);
            }
        }
        self.write(&transcript, bundles.iter().map(|path| &**path))?;
        Ok(true)
    }
}

fn file_name(path: &Path) -> &Path {
    Path::new(path.file_name().unwrap_or_default())
}
