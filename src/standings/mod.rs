//! From records to points, ratings and tests.
//!
//! Reading order: `normal`, `elo`, `sprt`.

mod elo;
mod normal;
mod sprt;

pub use elo::{Estimate, Scores};
pub use sprt::{BadSprt, Points, Sprt, SprtModel, SprtTerms, Verdict};
