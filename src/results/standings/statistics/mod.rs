//! The mathematics of standings: the normal distribution, Elo, Davidson's model and the sequential
//! test.

pub(super) mod davidson;
pub(super) mod elo;
mod likelihood;
mod likelihood_ratio;
mod matrix;
pub(super) mod normal;
pub(super) mod sprt;
pub(super) mod sprt_terms;
#[cfg(test)]
pub(super) mod testing;
