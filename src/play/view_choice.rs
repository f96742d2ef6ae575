//! Where a sitting takes place, and how it can end.

use std::io;

use super::hint::HintKind;
use super::settings::Change;
use super::view::View;
use crate::bot::{Interrupt, WardenError};
use crate::record::MatchRecord;
use crate::referee::{Fault, Trouble};

/// How a sitting ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum HowItEnded {
    /// With the end of a game.
    Played,
    /// The players left a game.
    Left,
    /// The user interrupted a game.
    Interrupted,
}

/// How a game ended.
pub(super) enum GameEnd {
    /// It has ended; with the bot's fault and the end of its stderr, if that was why.
    Over(Option<(Fault, String)>),
    /// A new one is to begin, perhaps with other settings.
    NewGame(Option<Change>),
    /// The players left it, or the user interrupted it.
    Left(HowItEnded),
    /// It cannot go on.
    Failed(PlayError),
}

impl From<io::Error> for GameEnd {
    fn from(error: io::Error) -> GameEnd {
        GameEnd::Failed(PlayError::View(error))
    }
}

impl From<Trouble> for GameEnd {
    fn from(trouble: Trouble) -> GameEnd {
        match trouble {
            Trouble::CannotStart(why) => {
                GameEnd::Over(Some((Fault::start_failed(&why), String::new())))
            }
            Trouble::Interrupted => GameEnd::Left(HowItEnded::Interrupted),
            trouble => GameEnd::Failed(PlayError::of_bot(trouble)),
        }
    }
}

/// Why a sitting ended without its players wanting it.
#[derive(Debug, thiserror::Error)]
pub enum PlayError {
    /// The bot's program does not start, the machine is late again and again, or the system does not
    /// let us talk to the bot.
    #[error("{0}")]
    Bot(String),
    /// Nothing can keep the bot as the options ask, or the user interrupts.
    #[error(transparent)]
    Session(#[from] WardenError),
    /// Nothing can be shown or read any more.
    #[error(transparent)]
    View(#[from] io::Error),
    /// A game that was played could not be kept.
    #[error(transparent)]
    Record(io::Error),
}

impl PlayError {
    /// Trouble with a bot that is not its fault.
    pub(super) fn of_bot(trouble: Trouble) -> PlayError {
        // A turn turns all other trouble into faults.
        PlayError::Bot(format!("failed to talk to the bot: {}", trouble.into_error()))
    }
}

/// Where and how a sitting takes place.
pub struct PlayContext<'a> {
    /// Where games are shown.
    pub view: &'a mut dyn View,
    /// The hint that comes with every question, if one does.
    pub hint: Option<HintKind>,
    /// The user's wish to stop.
    pub interrupt: Option<&'a Interrupt>,
    /// Keeps the record of a game that has ended.
    pub keep: &'a mut dyn FnMut(&MatchRecord) -> io::Result<()>,
}
