//! Records and events made visible: tables, boards, JSON, CSV, a line of progress.
//!
//! Everything here writes to any `io::Write` or returns text, decides nothing, and lets no
//! character through that could steer a terminal.

mod analysis;
mod board;
mod commentary;
mod formats;
mod progress;
mod replay;
mod replay_json;
mod result;
mod solution;
mod standings;
mod status;
mod table;

pub use analysis::{AnalysisExtent, write_analysis};
pub use board::draw;
pub use commentary::Commentary;
pub use formats::{OutputFormat, write_match};
pub use progress::ProgressLine;
pub use replay::{ReplayTotals, write_replay, write_round, write_totals};
pub use replay_json::{ReplayLine, write_replay_json, write_unreadable_json};
pub use solution::{SolutionFormat, SolutionJson, Solved, bounds_text, write_solution};
pub use standings::write_standings;
pub use status::Status;
pub use table::{Column, TableStyle, TextTable, Width, cut_in_the_middle};
