//! Analyses records: the value of each position, what each bot gave away, and a copy of the records
//! with these numbers.
//!
//! [`find_matches`] finds the matches of files and refuses invalid ones; [`Pool`] judges them on
//! several threads; [`Summary`] adds up the results for each bot and keeps the worst moves;
//! [`AnnotatedCopy`] writes a file again with the values of its moves and continues after an
//! interruption.
//!
//! Reading order: `judged`, `analysed_match`, `light_match`, `summary`, `worst`, `annotation`, `source`,
//! `copy`, `pool`.

mod analysed_match;
mod annotation;
mod copy;
mod judged;
mod light_match;
mod pool;
mod source;
mod summary;
mod worst;

pub use analysed_match::AnalysedMatch;
pub(crate) use analysed_match::{AnalysedRound, MoveJudgement};
pub use annotation::fields_in_order;
pub use copy::{AnnotatedCopy, CopyError};
pub use judged::{JudgedMatch, judged_before};
pub use light_match::light_match;
pub use pool::{Job, Pool};
pub use source::{AnalysedFile, MatchPlace, Sample, Unusable, find_matches};
pub use summary::{Analysis, AnalysisRow, Phases, Summary};
pub use worst::{AnalysedMove, FoundMove, WorstMove, WorstMoves};

#[cfg(test)]
mod tests;
