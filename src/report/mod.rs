//! Records and events made visible: tables, boards, JSON, a line of progress.
//!
//! A result becomes one or more tables (`table`), which `terminal` (with `fit`), `markdown` and `csv`
//! print; `format` chooses. Everything here writes to any `io::Write` or returns text, decides
//! nothing, and leaves the escaping to `text`.

mod analysis;
mod board;
mod check;
mod commentary;
mod csv;
mod fit;
mod format;
mod markdown;
mod match_tables;
mod notes;
mod progress;
mod replay;
mod replay_json;
mod solution;
mod standings;
mod status;
mod table;
mod terminal;
#[cfg(test)]
mod tests;
mod width;

pub use analysis::{AnalysisExtent, write_analysis};
pub use board::draw;
pub use check::{write_check, write_check_text};
pub use commentary::Commentary;
pub use format::{OutputFormat, write_result};
pub use match_tables::write_match;
pub use notes::stderr_text;
pub use progress::ProgressLine;
pub use replay::{ReplayTotals, write_replay, write_round, write_totals};
pub use replay_json::{ReplayLine, write_replay_json, write_unreadable_json};
pub use solution::{SolutionJson, Solved, bounds_text, final_seeds, write_solution};
pub use standings::write_standings;
pub use status::Status;
pub use table::{Column, Table};
pub use terminal::{write_sentence, write_tables};
pub use width::Width;
