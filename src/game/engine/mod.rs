//! The built-in player.
//!
//! It knows the rules and the solver only: nothing here does I/O, speaks the protocol or panics,
//! and the clock is read for nothing but to stop in time. A *searcher* puts moves in order of
//! merit; a *player* decides what to ask it. All levels are one player that looks more or fewer
//! turns ahead. The same seed and the same positions in the same order give the same moves. Above
//! the levels is the expert, which has an exact solver and books of openings beside its searcher:
//! it solves what can be solved in its time.
//!
//! Reading order: `level`, `player`, `expert`, `exact`, `book`, `searcher`, `deepening`, `search`,
//! `evaluation`, `ordering`, `table`.

mod book;
mod builtin_play;
mod deepening;
mod evaluation;
pub mod exact;
mod expert;
mod level;
mod ordering;
mod player;
mod search;
mod searcher;
mod table;

pub use book::{Book, BookAnswer, BookPosition, after_answer, walk};
pub use builtin_play::BUILTIN_PLAY;
pub use deepening::Thought;
pub use expert::{Effort, Expert, Judgement};
pub use level::Level;
pub use player::{ChosenMove, Player};

#[cfg(test)]
mod testing;
