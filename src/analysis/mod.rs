//! Records analysed: what each move was worth, what each bot gave away, and a copy of the records
//! that says so.
//!
//! [`find_matches`] says where the matches of some files stand and refuses what is not valid;
//! [`Pool`] judges them, several at once; [`Summary`] adds up what was found for each bot;
//! [`AnnotatedCopy`] writes a file again with the values beside its moves, and goes on where it
//! was cut off.
//!
//! Reading order: `judged`, `summary`, `annotation`, `source`, `copy`, `pool`.

mod annotation;
mod copy;
mod judged;
mod pool;
mod source;
mod summary;

pub(crate) use copy::{AnnotatedCopy, CopyError};
pub(crate) use judged::JudgedMatch;
pub(crate) use pool::{Job, Pool};
pub(crate) use source::{Found, Place, Sample, Source, Unusable, find_matches};
pub use summary::Summary;
pub(crate) use summary::{Analysis, AnalysisRow};
