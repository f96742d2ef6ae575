//! What a game at the board needs of the place where it is shown and moves are entered.

use std::io;

use super::board_game::BoardGame;
use super::entry::Wish;
use crate::bot::Interrupt;

/// A place where a game is shown and moves are entered. It decides nothing: all views show the
/// same game, in the same words.
///
/// # Errors
///
/// Everything fails when nothing can be shown or read any more, and for no other reason.
#[expect(clippy::missing_errors_doc, reason = "told once for all")]
pub trait View {
    /// Shows the position.
    fn show(&mut self, table: &BoardGame) -> io::Result<()>;

    /// Says something in a line or two, beside the board.
    fn say(&mut self, text: &str) -> io::Result<()>;

    /// Says why something that was entered is not done.
    fn explain(&mut self, text: &str) -> io::Result<()>;

    /// Says something longer, instead of the board for a while.
    fn tell(&mut self, text: &str) -> io::Result<()>;

    /// Says what can be entered.
    fn help(&mut self, table: &BoardGame) -> io::Result<()>;

    /// Asks the player to move what it wants.
    fn ask(&mut self, table: &BoardGame) -> io::Result<Asked>;

    /// Says that a bot is to move, and has it `think`, which the interrupt that it is given ends.
    /// Returns whether the player left the game meanwhile, without a signal.
    fn await_bot(
        &mut self,
        table: &BoardGame,
        think: &mut dyn FnMut(&Interrupt),
    ) -> io::Result<bool>;

    /// After a game has ended: whether another one is wanted.
    fn again(&mut self, table: &BoardGame, ending: &str) -> io::Result<bool>;

    /// Shows the last words, and the board if there is one; nothing is shown afterwards.
    fn close(&mut self, table: &BoardGame, last_words: &str) -> io::Result<()>;
}

/// How a question to a player ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Asked {
    /// The player wants this.
    Wish(Wish),
    /// What was entered asks for nothing; the text says why.
    Mistake(String),
    /// There will be no more entries.
    End,
    /// The user interrupts.
    Interrupted,
}
