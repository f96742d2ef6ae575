//! Many matches between many bots, from a plan.
//!
//! Reading order: `openings`.

mod openings;

pub use openings::{OpeningsError, load_openings};
