//! One round, one match: the only authority on legality, time and score.
//!
//! The referee knows players, not processes: whoever implements [`Players`] can be refereed.
//! Everything a player does wrong is data in the record; an [`MatchError`] is trouble of our own.
//!
//! Reading order: `setup`, `players`, `clock`, `fault`, `bot_round`, `policy`, `moves`, `ending`,
//! `round`, `play`, `event`; `stderr_copy` is for who logs a match;
//! `verify` plays a record again. A game that somebody else conducts, as `mancala play` does, is
//! refereed with [`BotRound`], [`Moves`] and [`conclude`].

mod bot_round;
mod clock;
mod ending;
mod event;
mod fault;
mod moves;
mod play;
mod players;
mod policy;
mod round;
mod setup;
mod stderr_copy;
mod verify;

pub use bot_round::{BotRound, PlayedTurn, Stop};
pub use ending::{conclude, end_message, seat_of};
pub use event::Event;
pub use fault::{Fault, end_cause};
pub use moves::Moves;
pub use play::{MatchError, REPLAYS, match_record, play_match};
pub use players::{Answer, Ended, Misconduct, Players, Trouble};
pub use setup::{MatchSetup, ROUNDS};
#[cfg(test)]
pub(crate) use stderr_copy::Piece;
pub use stderr_copy::{StderrCopy, Taken};
pub use verify::{Mismatch, RecordedValues, verify};

#[cfg(test)]
pub(crate) mod testing;
