//! One bot's side of a match's log, handed to its author: its transcript and its bundles, and
//! nothing of the other bot's.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use super::bundle::Bundle;
use super::journal::Log;
use crate::record::BotRecord;
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
    /// Ends the log: moves each bot's side to its place, and removes the rest.
    ///
    /// # Errors
    ///
    /// The first error in writing any of it.
    pub fn hand_out(mut self, sides: &PerSeat<Option<Side>>) -> io::Result<()> {
        let ended = self.finish();
        for seat in Seat::BOTH {
            if let Some(side) = &sides[seat] {
                self.move_side(seat, side)?;
            }
        }
        fs::remove_dir_all(self.folder())?;
        ended
    }

    fn move_side(&self, seat: Seat, Side { folder, bot }: &Side) -> io::Result<()> {
        if folder.exists() {
            fs::remove_dir_all(folder)?;
        }
        fs::create_dir_all(folder)?;
        let transcript = self.folder.transcript(seat);
        fs::rename(&transcript, folder.join(file_name(&transcript)))?;
        let own = self.bundles().iter().filter(|(whose, ..)| *whose == seat);
        for (_, _, path) in own {
            let mut bundle = Bundle::read(path).map_err(io::Error::other)?;
            let place = folder.join(file_name(path));
            bundle.bot = bot.clone();
            bundle.reproduce = bundle.command_line(&place);
            bundle.write(fs::File::create(&place)?)?;
        }
        Ok(())
    }
}

fn file_name(path: &Path) -> &Path {
    Path::new(path.file_name().unwrap_or_default())
}
