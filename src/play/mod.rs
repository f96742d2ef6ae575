//! People at the board: the game that `mancala play` is.
//!
//! The rules and the bots are what they are everywhere else; here is how a game is shown and typed.
//! All views show the same game in the same words, and none of them decides anything.
//!
//! Reading order: `layout`, `drawing`; `settings`, `typed_line`; `board_game`, `bot_opponent`, `words`,
//! `hint`; `view`, `game_loop`; `keyboard`, `plain`, `screen`; `examples`,
//! `guide` tell the rules.

mod board_game;
mod bot_opponent;
mod drawing;
mod examples;
mod game_loop;
mod guide;
mod hint;
mod keyboard;
mod layout;
mod plain;
mod screen;
mod settings;
mod typed_line;
mod view;
mod words;

pub use game_loop::play_games;
pub use guide::{list, rules};
pub use hint::HintKind;
pub use keyboard::Keyboard;
pub use plain::Plain;
pub use screen::Screen;
pub use settings::{FirstPlayer, GameSettings};
pub use view::{HowItEnded, PlayContext, PlayError, View};
