//! What went over the wire, kept for the authors of bots: a transcript for each bot of a match, a
//! bundle for each fault, and the question of a bundle asked again.
//!
//! Nothing here changes what happens: [`Logged`] passes all on to the real players, and a log that
//! cannot be written stops no match.
//!
//! Reading order: `folder`, `transcript`, `conversation`, `bundle`, `match_log`, `logged`,
//! `identity`, `side`; then `reading`, `position`, `reproduction`, and `verdict`, which compares the two answers.

mod bundle;
mod conversation;
mod folder;
mod identity;
mod logged;
mod match_log;
mod position;
mod reading;
mod reproduction;
mod side;
mod transcript;
mod verdict;

pub use bundle::{Bundle, Exit, FORMAT};
pub use folder::{file_name, is_bundle};
pub use identity::LogIdentity;
pub(crate) use logged::Logged;
pub use match_log::Log;
pub use position::LimitChanges;
pub use reproduction::{Question, ReproduceError, Reproduced, Subject, reproduce};
pub use side::BotLogFiles;
pub use verdict::write_comparison;
