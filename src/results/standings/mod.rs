//! From records to points, ratings and tests.
//!
//! All files become one whole (`collected`, with `numbered`, `tournament`, `stored_match`, `times`,
//! `differences`, `unreadable`). A table is made of that (`table`, with `tally`, `completeness`,
//! `ranking`, `ratings`, `tested`, `remarks`); its fields are in `output` and `crosstable`. `stages`
//! puts several tables side by side. The mathematics is in `statistics`.

mod collected;
mod completeness;
mod crosstable;
mod differences;
mod numbered;
mod output;
mod ranking;
mod ratings;
mod remarks;
mod sprt_state;
mod stages;
mod statistics;
mod stored_match;
mod table;
mod tally;
mod times;
mod tournament;
mod unreadable;

pub use collected::{CollectedResults, Counting, ReadOptions};
pub use collected::{NotCounted, SeenMatches};
pub use crosstable::{CrosstableCell, MOST_IN_JSON};
pub use differences::Mergeable;
pub use output::Standings;
pub use output::{RoundsAs, SprtState, StandingsRow};
pub use ranking::RankBy;
pub use ranking::{Score, are_played_unequally, compare_points};
pub use stages::{Season, Stage, StageRow, TrendEntry, are_changed, by_bot, expect_anchor};
pub use statistics::sprt::{Points, Sprt, SprtVerdict};
pub use statistics::sprt_terms::SprtModel;
pub use statistics::sprt_terms::SprtTerms;
pub use table::NoStandings;
pub use table::StandingsOptions;
pub use times::{AnswerSpread, ProcessTimes};
pub use unreadable::UnreadableFiles;
