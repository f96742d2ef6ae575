//! Records and events made visible: tables, boards, JSON, a line of progress.
//!
//! A result becomes one or more tables (`table`), which `terminal` (with `fit`), `markdown` and `csv`
//! print; `format` chooses. A new format is a variant of [`OutputFormat`], a printer beside `csv` and
//! its escaping in `text`. Everything here writes to any `io::Write` or returns text, decides
//! nothing, and leaves the escaping to `text`.

mod analysis;
mod board;
mod check;
mod commentary;
mod csv;
mod fit;
mod format;
mod hidden_folders;
mod inline_text;
mod markdown;
mod match_tables;
mod message;
mod notes;
mod page;
mod progress;
mod replay;
mod solution;
mod standings;
mod status;
mod table;
mod terminal;
#[cfg(any(test, feature = "testing"))]
pub mod testing;
mod width;

pub use analysis::{AnalysisExtent, write_analysis};
pub use board::draw;
pub use check::{
    AnswerTimes, CHECK_FORMATS, CheckFormat, CheckNote, CheckReport, CutShort, Finding,
    GamesReport, Probe, ProbeReport, ProbeResult, Severity, Spread, in_ms, rules_in_words,
    verdict_of_check, write_check, write_report_of_check,
};
pub use commentary::{Commentary, placement_warning};
pub use csv::write_csv;
pub use format::OutputFormat;
pub use hidden_folders::{SYSTEM_FOLDERS, folders_of_contest};
pub use inline_text::{InlineText, inline_html, inline_markdown};
pub use markdown::table_markdown;
pub use match_tables::{write_match, write_match_rows};
pub use message::{message_text, print_message};
pub use notes::stderr_text;
pub use page::{
    Advice, Anonymity, AssetsError, AssetsFolder, Contents, ContentsError, GamesKept, PageFile,
    PageFileError, PageOptions, PageState, ReadProgress, RecordedFault, SentBoard, byes_text,
    for_each_fault, format_text, given_away_table, leave_out_games, openings_text, plain_page,
    result_text, table_html, times_table, worst_table, write_page,
};
pub use progress::ProgressLine;
pub use replay::{
    ReplayLine, ReplayTotals, write_replay, write_replay_json, write_round, write_totals,
    write_unreadable_json,
};
pub use solution::{SolutionJson, Solved, bounds_text, final_seeds, write_solution};
pub use standings::{
    CsvColumns, percent, sprt_progress, unrated_in_trend, write_season, write_standings,
    write_standings_columns, write_trend_csv,
};
pub use status::Status;
pub use table::{Column, Table};
pub use terminal::{write_sentence, write_tables};
pub use width::{Width, can_be_drawn_on, terminal_size};

#[cfg(test)]
mod tests;
