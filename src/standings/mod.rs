//! From records to points, ratings and tests.
//!
//! Lines become matches without their moves (`skim`, `matches`, `times`), files become one whole
//! (`gathering`, with `names`, `plan`, `tournament`, `tally`, `unreadable`), and a table is made of
//! it (`table`, with `completeness`, `ranking`, `ratings`, `remarks`; its fields are in `output`).
//! The mathematics is in `normal`, `elo`, `sprt` and `davidson`.

mod completeness;
mod davidson;
mod elo;
mod gathering;
mod matches;
mod matrix;
mod names;
mod normal;
mod output;
mod plan;
mod ranking;
mod ratings;
mod remarks;
#[cfg(test)]
mod simulation;
mod skim;
mod sprt;
mod sprt_terms;
mod table;
mod tally;
mod times;
mod tournament;
mod unreadable;

pub use elo::{Estimate, Scores};
pub use gathering::{CutOff, Gathering, Reading};
pub use output::{CrosstableCell, RoundsAs, SprtState, Standings, StandingsFormat, StandingsRow};
pub use ranking::RankBy;
pub use remarks::Remark;
pub use sprt::{Points, Sprt, Verdict};
pub use sprt_terms::{BadSprt, SprtModel, SprtTerms};
pub use table::{NoStandings, StandingsOptions};
pub use unreadable::Unreadable;
