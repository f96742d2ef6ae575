//! The library behind `mancala`, a referee for Mancala (Kalah) bots.
//!
//! # Layers
//!
//! Arguments become settings, a contest is played round by round, a round asks players for moves,
//! and behind a player is a process. Results flow back as values: a round's record, a match's
//! record, a report. Nothing imports upward; in reading order, lowest first:
//!
//! | module | what it is | what it never does |
//! |---|---|---|
//! | [`mod@words`], `chance` | enums as words, random numbers that a seed fixes for ever | know the game |
//! | [`rules`] | the game: boards, sowing, rulesets, openings | I/O, time, panic |
//! | [`solve`] | exact values: what a position is worth under best play | I/O, guess |
//! | [`engine`] | the built-in player | know protocol or processes |
//! | [`text`], [`seat`] | text from bots made printable, which of two bots | know the game |
//! | [`protocol`] | the wire: a type for each message | I/O |
//! | [`record`] | what a match leaves behind, and its file | judge |
//! | [`referee`] | one round, one match: legality, time, score | know processes |
//! | [`bot`] | starts, talks to, limits and kills processes | judge |
//! | [`log`] | transcripts, bundles of faults, and their questions asked again | know processes |
//! | [`session`] | one match from its bots to a record | judge |
//! | [`contest`] | a contest as a value: plan, schedule, Swiss rounds, summary of a match | I/O |
//! | [`standings`] | from records to points, ratings, tests | I/O, time, panic |
//! | [`analysis`] | records judged by exact values: what each bot gave away | play |
//! | [`report`] | records, events and checks to tables, boards, JSON, a page | decide |
//! | [`problems`] | all that can be wrong with a bot, how it is recognised and fixed | ask a bot |
//! | [`check`] | a bot tried before a contest: what is wrong with it, and how to fix it | judge a move |
//! | [`play`] | people at the board: what is shown, what is typed | judge |
//! | [`tournament`] | many matches: configuration, workers, file | judge |
//! | [`feedback`] | a page for the author of each bot of a tournament | decide |
//! | [`schema`] | the JSON Schema of messages and formats, from their types | I/O |
//! | [`cli`] | arguments and exit codes | anything else |
//!
//! Six packages make a chain, each compiled as what it does needs: `words` to `engine` compute
//! (`mancala-game` in `src/game/`), `text` to `session` play one match (`mancala-match` in
//! `src/matches/`), `contest` reads lines of records (`mancala-contest` in `src/contest/`),
//! `standings` and `analysis` add them up (`mancala-results` in `src/results/`), `report` shows
//! results (`mancala-display` in `src/display/`), and the rest is this one.
//!
//! # Where to look
//!
//! | question | files |
//! |---|---|
//! | where the time limit is enforced | `matches/referee/clock.rs` says how long an answer may take, `matches/bot/talk/exchange.rs` waits no longer, `matches/referee/bot_round/mod.rs` judges a late one |
//! | where a record is written | `matches/record/line_file/mod.rs` writes a line whole; `matches/record/appender.rs` calls it for a match, `tournament/journal/mod.rs` for a tournament |
//! | how a worker talks to the coordinator | `tournament/workers/wire.rs` has the messages, `tournament/workers/worker_processes.rs` and `tournament/workers/worker/mod.rs` are the two ends |
//! | a new ruleset | its name and values in `game/rules/ruleset.rs`, its words for players in `play/guide.rs`, its place in the help in `cli/rules_text.rs` |
//! | a new way to sow | `game/rules/sowing.rs`, and `display/report/page/page.js` for the board of a page |
//! | a new output format | its name in `display/report/format.rs`, a function beside `display/report/markdown.rs` that prints a `Table` of `display/report/table.rs` |
//! | what a page shows of a contest | `display/report/page/mod.rs` has the data of its script, `display/report/page/markup.rs` its parts, `display/report/page/words/mod.rs` its English |
//! | a new kind of fault | its name in `matches/protocol/mod.rs`, its causes in `matches/protocol/cause.rs`, how to fix it in `problems/table.rs` |
//! | what a fault's cause is in words | `matches/protocol/cause_words.rs` |
//!
//! # Invariants
//!
//! - What a bot does wrong is data: a fault in a record. An error is a problem of the program or the
//!   machine.
//! - Every wait for a bot has an absolute deadline, every buffer a bound, every child an end.
//! - The terminal, the record file and the reports read the same stream of
//!   [events](referee::Event) and records; none of them can change what happens.
//! - What comes from a bot is shown only after it went through [`text`].

#![warn(unreachable_pub)]

pub(crate) mod check;
pub mod cli;
pub(crate) mod feedback;
pub(crate) mod play;
pub mod problems;
pub(crate) mod schema;
pub(crate) mod tournament;

use mancala_contest as contest;
pub use mancala_display::report;
use mancala_game::{chance, words};
pub use mancala_game::{engine, rules, solve};
pub use mancala_match::{bot, log, protocol, record, referee, seat, session, text};
pub use mancala_results::{analysis, standings};
#[cfg(any(test, feature = "test-bots"))]
#[doc(hidden)]
pub use tournament::simulation;
