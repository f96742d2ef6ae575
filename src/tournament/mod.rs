//! Many matches between many bots, from a plan.
//!
//! The plan is a pure value: `plan` with its `schedule` and `swiss` rounds (`remaining` knows what
//! can follow them), read from a configuration by `config`, `fields` and `entrants`, its positions
//! by `openings`. It is played by processes: the `coordinator` gives matches to workers
//! (`worker_process` is one as it has it, `worker` what runs in it, `wire` what they say to each
//! other, `cores` where they run), writes what they report into the file (`journal`) and keeps count
//! (`ledger`, `summary`). Who wants to follow is told each `happening` (`live` on a terminal,
//! `events` for programs); the authors of bots get `logs`.

mod config;
mod coordinator;
mod cores;
mod entrants;
mod events;
mod fields;
mod happening;
mod journal;
mod ledger;
mod live;
mod logs;
mod openings;
mod plan;
mod remaining;
mod schedule;
mod summary;
mod swiss;
mod wire;
mod worker;
mod worker_process;

pub use config::{
    Config, ConfigBots, ConfigError, MAX_OPENINGS, MatchOption, OptionValue, Place, Source,
};
pub use coordinator::{Coordinator, Orders, TournamentError, points_of_first};
pub use cores::{CoreList, NoWorkplace, NotACoreList, WorkerWishes, Workplaces};
pub use entrants::{Entrant, bots_of_config, name_entrants};
pub use events::{Event, Events};
pub use happening::{End, Happening};
pub use journal::{Entry, Found, Journal, JournalError, note};
pub use ledger::{Ledger, Numbers};
pub use live::Live;
pub use logs::{BUILD_OUTPUT, CHECK_REPORT, LogFolders};
pub use openings::{OpeningsError, load_openings};
pub use plan::{Plan, PlannedBot, Reuse};
pub use schedule::{Fixture, MAX_MATCHES, NoSchedule, Pairings, Schedule, most_swiss_rounds};
pub use summary::{MatchSummary, RecordHead};
pub use swiss::{SwissRound, SwissRounds};
pub use worker::work;
