//! The game itself: boards, sowing, rulesets, openings and one game from opening to end.
//!
//! Pure: nothing here does I/O, reads a clock or panics, and all it uses beside the standard
//! library is the generator of random numbers.
//! What is not valid cannot be built: a [`Board`] holds at most 240 seeds, a [`House`] is one
//! of six, an [`Opening`] has a seed on both sides, and a [`Game`] takes legal moves only.
//!
//! Reading order: `board`, `ruleset`, `sowing`, `opening`, `suite`, `game`. For tests and
//! benches: `testing`.

mod board;
mod game;
mod opening;
mod ruleset;
mod sowing;
mod suite;
#[cfg(any(test, feature = "testing"))]
pub mod testing;

pub use board::{Board, CELLS, House, MAX_SEEDS};
pub use game::{Adjudication, Ending, Game, IllegalMove, Side};
pub use opening::Opening;
pub use ruleset::{
    Direction, DirectionRule, MAX_SEEDS_A_HOUSE, OpponentStore, Ruleset, RulesetName, SeedsAHouse,
};
pub use sowing::{Ply, Sower, Sown};
pub use suite::{MAX_PLIES, NotASuite, RandomOpenings, Suite, fair_kalah, parse_openings};
