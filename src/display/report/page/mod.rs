//! The page of a contest: one file without network, made from records alone.
//!
//! Files are read twice: first for the standings, then ([`contents`]) for what no table has and for
//! the matches that tell most, which are packed with as much of strangers' texts as has room
//! ([`texts`]). The [`parts`] of the page are tables and plots; [`markup`] puts them together
//! ([`whole`]), `page.css` and `page.js` go into it as they are, and all English is in [`words`].
//! [`files`] writes the page, and its plots and tables by themselves; [`plain`] is for pages without
//! a script.
//!
//! # The data in the page
//!
//! The script reads one JSON object, in the element `data`. A match is a list, and the moves of a
//! round are one short string:
//!
//! ```text
//! {"format":"mancala-page/1",
//!  "bots":[[name, name in addresses], …],         in the order of the ranking
//!  "settings":[{"rules":{…},"max_moves":n,"adjudicate":"none","move_time_ms":n|null,
//!               "start_time_ms":n,"game_time_ms":n|null}, …],
//!  "matches":[[place, number in its tournament or 0, setting, bot 0, bot 1,
//!              opening of 14 numbers or 0 for the standard one, [round, …]], …],
//!  "words":{…},                                   all phrases of the script
//!  "reload":seconds or 0}
//! round = [first, reason, [seeds of bot 0, of bot 1], moves, values, notes or 0]
//! notes = {"fault":{"bot","kind","detail","stderr","late":[ms, limit in ms]},
//!          "substituted":[[move, kind, detail], …], "info":[[move, JSON text], …], "replayed":n}
//! ```
//!
//! A digit of `moves` and `values` is one of 64 characters, `A`–`Z`, `a`–`z`, `0`–`9`, `-`, `_` for 0
//! to 63. A move in `moves` is a digit, the house (0 to 5) + 6 if it was sown backward + 12 if it was
//! the first answer of a process + 24 if it was played for a bot at fault, and then its time in
//! microseconds as a *number*: digits of base 32, lowest first, each but the last with 32 added. Who
//! moves follows from the rules. `values` is empty unless values are known; for each move it has two
//! numbers: the value of the position to the mover and what the move gave away. 0 is unknown;
//! otherwise a value *v* is 2*v* + 1, or −2*v* if it is negative, and a loss *l* is 2*l* + 1, or
//! 2*l* + 2 if the move was a blunder. `late` is there if an answer was too late. In `substituted` and
//! `info` moves count from 0. A long `info` with a number in it is an object or a list of this number
//! and the beginning of the text.

mod contents;
mod files;
mod fitting;
mod markup;
mod parts;
mod plain;
mod reading;
mod texts;
mod whole;
mod words;

pub use contents::anonymity::Anonymity;
pub use contents::cases::{Advice, RecordedFault, for_each_fault};
pub use contents::most_interesting::GamesKept;
pub use contents::{Contents, PageOptions};
pub use files::assets::{AssetsError, AssetsFolder};
pub use files::output::{PageFile, PageFileError};
pub use fitting::leave_out_games;
pub use parts::bot_part::{byes_text, result_text};
pub use parts::bot_tables::{given_away_table, times_table, worst_table};
pub use parts::html_table::table_html;
pub use parts::overview::{format_text, openings_text};
pub use plain::{SentBoard, plain_page};
pub use reading::{ContentsError, ReadProgress};
pub use whole::{PageState, write_page};
