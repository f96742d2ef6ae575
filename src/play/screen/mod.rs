//! The view on a terminal: a board that is drawn anew, and keys.
//!
//! Reading order: `keys`, `presses`, `choice`; `terminal`, `board`, `frame`; `view`.

mod board;
mod choice;
mod frame;
mod keys;
mod presses;
mod terminal;
mod view;

pub(crate) use view::Screen;
