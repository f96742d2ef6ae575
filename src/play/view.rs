//! Where a sitting takes place: the trait of the places where a game is shown and moves are entered;
//! and how a sitting can end.

use std::io;

use super::board_game::BoardGame;
use super::hint::HintKind;
use super::keyboard::Input;
use super::settings::Change;
use super::typed_line::PlayCommand;
use crate::bot::{Interrupt, WardenError};
use crate::record::MatchRecord;
use crate::referee::{Fault, Trouble};

/// A place where a game is shown and moves are entered. It decides nothing: all views show the
/// same game, in the same words.
///
/// # Errors
///
/// Every method fails if nothing can be shown or read any more, and for no other reason.
pub(crate) trait View {
    /// Shows the position.
    fn show(&mut self, table: &BoardGame) -> io::Result<()>;

    /// Shows a line or two beside the board.
    fn note(&mut self, text: &str) -> io::Result<()>;

    /// Shows why something that was entered is not done.
    fn explain(&mut self, text: &str) -> io::Result<()>;

    /// Shows a longer text, instead of the board for a while.
    fn show_text(&mut self, text: &str) -> io::Result<()>;

    /// Shows what can be entered.
    fn help(&mut self, table: &BoardGame) -> io::Result<()>;

    /// Asks the player to move for a command.
    fn ask(&mut self, table: &BoardGame) -> io::Result<Input<CommandOrMistake>>;

    /// Shows that a bot is to move and runs `think`, which ends when the interrupt passed to it is
    /// raised. Returns whether the player left the game meanwhile, without a signal.
    fn await_bot(
        &mut self,
        table: &BoardGame,
        think: &mut dyn FnMut(&Interrupt),
    ) -> io::Result<bool>;

    /// Shows how a game ended. Returns whether the players want another one.
    fn again(&mut self, table: &BoardGame, ending: &str) -> io::Result<bool>;

    /// Shows the board and the last words; nothing is shown afterwards.
    fn close(&mut self, table: &BoardGame, last_words: &str) -> io::Result<()>;
}

/// What a player wants, or why what was entered asks for nothing.
pub(super) type CommandOrMistake = Result<PlayCommand, String>;

/// How a sitting ended.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum HowItEnded {
    /// With the end of a game, or its players left it.
    Ended,
    /// The user interrupted a game.
    Interrupted,
}

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
pub(crate) enum PlayError {
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
pub(crate) struct PlayContext<'a> {
    /// Where games are shown.
    pub view: &'a mut dyn View,
    /// The hint that comes with every question, if one does.
    pub hint: Option<HintKind>,
    /// The user's wish to stop.
    pub interrupt: Option<&'a Interrupt>,
    /// Keeps the record of a game that has ended.
    pub keep: &'a mut dyn FnMut(&MatchRecord) -> io::Result<()>,
}
