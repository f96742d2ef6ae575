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

pub(crate) use game_loop::play_games;
pub(crate) use guide::{list, rules};
pub(crate) use hint::HintKind;
pub(crate) use keyboard::Keyboard;
pub(crate) use plain::Plain;
pub(crate) use screen::Screen;
pub(crate) use settings::{FirstPlayer, GameSettings};
pub(crate) use view::{HowItEnded, PlayContext, PlayError, View};
