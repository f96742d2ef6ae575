//! What every bot is held to by the system: limits, the sandbox, and what of our environment it
//! sees.

use serde::{Deserialize, Serialize};

use crate::record::{Limits, Resources, Sandbox};

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

impl Restraints {
    /// The part of a match's limits that the system holds.
    #[must_use]
    pub fn of(limits: &Limits) -> Restraints {
        Restraints {
            resources: limits.resources.clone(),
            sandbox: limits.sandbox.clone(),
            wrap: limits.wrap.clone(),
            environment: Vec::new(),
        }
    }
}
