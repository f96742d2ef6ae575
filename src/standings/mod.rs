//! From records to points, ratings and tests.
//!
//! Files become one whole (`gathering`, with `names`, `times`, `tournament`, `tally`, `unreadable`),
//! and a table is made of it (`table`, with `completeness`, `ranking`, `ratings`, `remarks`; its
//! fields are in `output`). The mathematics is in `statistics`.

mod completeness;
mod gathering;
mod names;
mod output;
mod ranking;
mod ratings;
mod remarks;
mod statistics;
mod table;
mod tally;
mod times;
mod tournament;
mod unreadable;

pub use gathering::{CutOff, Gathering, Reading};
pub use output::{CrosstableCell, RoundsAs, SprtState, Standings, StandingsFormat, StandingsRow};
pub use ranking::RankBy;
pub use remarks::Remark;
pub use statistics::elo::{Estimate, Scores};
pub use statistics::sprt::{Points, Sprt, Verdict};
pub use statistics::sprt_terms::{BadSprt, SprtModel, SprtTerms};
pub use table::{NoStandings, StandingsOptions};
pub use unreadable::Unreadable;
