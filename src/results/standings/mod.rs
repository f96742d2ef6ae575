//! From records to points, ratings and tests.
//!
//! Reading order: `statistics` is the mathematics; `collected` makes all files one whole, with `numbered`,
//! `tournament`, `stored_match`, `times`, `differences` and `unreadable`; `table` is made of that, with
//! `tally`, `completeness`, `ranking`, `ratings`, `sprt_state` and `remarks`; `output` and `crosstable` are
//! its fields; `stages` puts several tables side by side.

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

pub use collected::{CollectedResults, Counting, NotCounted, ReadOptions, SeenMatches};
pub use crosstable::{Crosstable, CrosstableCell, MOST_IN_JSON};
pub use differences::Mergeable;
pub use output::{RoundsAs, Season, SprtState, StageRow};
pub use output::{Standings, StandingsFormat, StandingsRow, TrendEntry};
pub use ranking::{RankBy, Score, are_played_unequally, compare_points};
pub use stages::{Stage, are_changed, by_bot, expect_anchor};
pub use statistics::sprt::{Sprt, SprtVerdict};
pub use statistics::sprt_terms::{SprtModel, SprtTerms};
pub use table::unknown_bot;
pub use table::{NoStandings, StandingsOptions};
pub use times::{AnswerSpread, ProcessTimes};
pub use unreadable::UnreadableFiles;
