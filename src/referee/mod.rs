//! One round, one match: the only authority on legality, time and score.
//!
//! The referee knows players, not processes: whoever implements [`Players`] can be refereed.
//! Everything a player does wrong is data in the record; an [`Error`] is trouble of our own.
//!
//! Reading order: `contest`, `players`, `clock`, `fault`, `talk`, `policy`, `moves`, `ending`,
//! `round`, `play`, `event`; `overheard` is for who logs a match; `verify` plays a record again. A
//! game that somebody else conducts, as `mancala play` does, is refereed with [`Talk`], [`Moves`]
//! and [`conclude`].

mod clock;
mod contest;
mod ending;
mod event;
mod fault;
mod moves;
mod overheard;
mod play;
mod players;
mod policy;
mod round;
mod talk;
#[cfg(test)]
mod testing;
mod verify;

pub use contest::{Contest, ROUNDS};
pub use ending::{conclude, end_message};
pub use event::Event;
pub use fault::Fault;
pub use moves::Moves;
pub use overheard::{Overheard, Piece, Taken};
pub use play::{Error, match_record, play_match};
pub use players::{Answer, Cause, Ended, Misconduct, Players, Trouble};
pub use talk::{Played, Stop, Talk};
pub use verify::{Mismatch, verify};
