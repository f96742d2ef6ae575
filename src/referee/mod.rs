//! One round, one match: the only authority on legality, time and score.
//!
//! The referee knows players, not processes: whoever implements [`Players`] can be refereed.
//! Everything a player does wrong is data in the record; an [`Error`] is trouble of our own.
//!
//! Reading order: `players`, `clock`, `fault`, `round`, `play`, `event`; `verify` plays a record
//! again.

mod clock;
mod event;
mod fault;
mod play;
mod players;
mod round;
mod verify;

pub use event::Event;
pub use play::{Contest, Error, ROUNDS, play_match};
pub use players::{Answer, Ended, Misconduct, Players, Trouble};
pub use verify::{Mismatch, verify};
