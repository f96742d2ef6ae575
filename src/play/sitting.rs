//! People at the board: one game after the other, as long as they want.

use std::io;

use super::rival::Rival;
use super::running::{Ending, Running};
use super::settings::Settings;
use super::view::View;
use crate::bot::{BotCommand, Interrupt};
use crate::record::MatchRecord;
use crate::referee::Trouble;

/// How a sitting ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Finish {
    /// With the end of a game.
    Played,
    /// The players left a game.
    Left,
    /// The user interrupted a game.
    Interrupted,
}

/// Why a sitting ended without its players wanting it.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// The bot's program does not start.
    #[error("cannot start bot {name:?}: {why}")]
    CannotStart {
        /// The bot.
        name: String,
        /// Why, and what to do.
        why: String,
    },
    /// The system does not let us talk to the bot.
    #[error("failed to talk to the bot: {0}")]
    Bot(io::Error),
    /// Nothing can be shown or read any more.
    #[error(transparent)]
    View(#[from] io::Error),
    /// A game that was played could not be kept.
    #[error(transparent)]
    Record(io::Error),
}

/// Where and how a sitting takes place.
pub struct Room<'a> {
    /// Where games are shown.
    pub view: &'a mut dyn View,
    /// Whether a hint comes with every question.
    pub hint: bool,
    /// The user's wish to stop.
    pub interrupt: Option<&'a Interrupt>,
    /// Keeps the record of a game that has ended.
    pub keep: &'a mut dyn FnMut(&MatchRecord) -> io::Result<()>,
}

/// Plays games until the players want no other one.
///
/// # Errors
///
/// An [`Error`]; no bot is left running then.
pub fn sit(mut settings: Settings, mut room: Room<'_>) -> Result<Finish, Error> {
    let mut last_bot = settings.against.clone();
    loop {
        let rival = settings.against.as_ref().map(start).transpose()?;
        let mut game = Running::new(&mut room, &settings, rival);
        let finish = match game.play()? {
            Ending::Over(fault) => game.conclude(fault)?,
            Ending::NewGame(change) => {
                if let Some(change) = change {
                    settings.change(change, last_bot.as_ref());
                }
                None
            }
            Ending::Left(finish) => {
                let left = game.leave();
                // An interrupt may mean that the terminal has gone.
                if finish != Finish::Interrupted {
                    left?;
                }
                Some(finish)
            }
        };
        // After the view: a bot may take a moment to exit.
        game.end_bot();
        if let Some(finish) = finish {
            return Ok(finish);
        }
        last_bot = settings.against.clone().or(last_bot);
    }
}

fn start(command: &BotCommand) -> Result<Rival, Error> {
    Rival::start(command).map_err(|trouble| match trouble {
        Trouble::CannotStart(why) => Error::CannotStart { name: command.name(), why },
        Trouble::System(error) => Error::Bot(error),
        trouble => Error::Bot(io::Error::other(format!("unexpected {trouble:?}"))),
    })
}
