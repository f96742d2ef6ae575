//! Many matches between many bots, from a plan.
//!
//! The plan comes from [`contest`](crate::contest). It is played by processes.
//!
//! Reading order: `config`, `file_search`, `placeholders`, `bot_pattern`, `inline_scripts` and
//! `entrants` read the bots from a configuration; `versions` say what they are made of; `openings`
//! are the positions; the `coordinator` gives matches to `workers` (`cores` says where they run,
//! `build_places` what builds may reach), writes what they report into the file (`journal`, read
//! again by `resumed`) and keeps count (`ledger`); `events` go to people at a terminal and to
//! programs; the authors of bots get `logs`.

mod bot_pattern;
mod build_places;
mod config;
mod coordinator;
mod cores;
mod entrants;
mod events;
mod file_search;
mod inline_scripts;
mod journal;
mod ledger;
mod logs;
mod openings;
mod placeholders;
mod programs;
mod resumed;
mod setup_error;
#[cfg(any(test, feature = "test-bots"))]
#[path = "../../tests/simulation/mod.rs"]
pub mod simulation;
mod versions;
mod workers;

pub(crate) use bot_pattern::BotPattern;
pub(crate) use build_places::PathOwners;
pub(crate) use config::{
    Config, ConfigError, ConfigPlace, ConfigSource, KeyPlaces, MAX_OPENINGS, MAX_REPEATS,
    MatchOption, OptionKeys, config_of,
};
pub(crate) use coordinator::{Coordinator, TournamentError, TournamentInputs};
pub(crate) use cores::{CoreList, WorkerWishes, Workplaces};
pub(crate) use entrants::{
    ConfigEntrants, Entrant, NamedBots, bots_of_config, name_entrants, unmatched_files,
};
pub(crate) use events::event::{Notice, TournamentEnd, TournamentEvent};
pub(crate) use events::event_file::Events;
pub(crate) use events::live::Live;
pub(crate) use journal::{
    Heading, Journal, JournalError, JournalState, JournalWriter, LockedFile, NoteContent,
    ResumeMode, Update,
};
pub(crate) use ledger::{Ledger, shard_of};
pub(crate) use logs::{
    BUILD_OUTPUT, CHECK_REPORT, INDEX_CSV, INDEX_MARKDOWN, KeptLogs, LogFolders, LogPlaces,
    MatchLogs, bot_log_files,
};
pub(crate) use openings::OpeningSource;
pub(crate) use programs::changed_programs;
pub(crate) use programs::programs;
pub(crate) use resumed::{ResumedState, retry_advice};
pub(crate) use setup_error::SetupError;
pub(crate) use versions::kept_versions::{FilePlans, KeptVersion, add_earlier_versions};
pub(crate) use versions::version_remarks::{
    bots_with_same_files, folders_of_changed, unlisted_files, versions_without_files,
};
pub(crate) use versions::{BotPlaces, BotVersion};
pub(crate) use workers::worker::to_command;
pub(crate) use workers::worker::work;
pub(crate) use workers::worker_processes::WorkerProcesses;
