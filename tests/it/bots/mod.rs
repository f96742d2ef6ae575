//! How bots are started, spoken to and ended.

pub(crate) mod adapters;
pub(crate) mod bot_environment;
pub(crate) mod bot_processes;
pub(crate) mod interrupts;
pub(crate) mod languages;
pub(crate) mod session;
pub(crate) mod suspensions;
