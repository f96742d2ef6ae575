//! What every bot is held to by the system: limits, the sandbox, and what of our environment it
//! sees.

use std::path::PathBuf;

use serde::{Deserialize, Serialize};

use crate::record::Resources;

/// How a bot is started and what it may use.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Restraints {
    /// Memory, processes, files and processor time.
    pub resources: Resources,
    /// What a bot may reach of the file system, and nothing of the network; none where it may do
    /// all that its user may.
    pub sandbox: Option<Sandbox>,
    /// Words that are put in front of every bot's command line.
    pub wrap: Vec<String>,
    /// Names of environment variables that are handed on beside the usual ones.
    pub environment: Vec<String>,
}

/// What a bot in the sandbox may reach beside its own folder and the system's programs.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Sandbox {
    /// Files and folders that it may read and run.
    pub read: Vec<PathBuf>,
    /// Files and folders that it may read, run and write.
    pub write: Vec<PathBuf>,
}
