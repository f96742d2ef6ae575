//! The trait of the places where a game is shown and moves are entered.

use std::io;

use super::board_game::BoardGame;
use super::keyboard::Input;
use super::typed_line::PlayCommand;
use crate::bot::Interrupt;

/// A place where a game is shown and moves are entered. It decides nothing: all views show the
/// same game, in the same words.
///
/// # Errors
///
/// Every method fails if nothing can be shown or read any more, and for no other reason.
pub trait View {
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
pub type CommandOrMistake = Result<PlayCommand, String>;
