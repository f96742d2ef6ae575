//! The options that say on what terms bots play: their time, and what they may use.

use clap::Args;

use super::Failure;
use super::restraints::RestraintArgs;
use super::time::TimeArgs;
use crate::record::Terms;

/// What bots are held to.
#[derive(Debug, Args)]
pub(super) struct TermsArgs {
    #[command(flatten)]
    time: TimeArgs,

    #[command(flatten)]
    keeping: RestraintArgs,
}

impl TermsArgs {
    /// The terms; a fault costs the round.
    ///
    /// # Errors
    ///
    /// [`Failure::Usage`] when options contradict each other.
    pub(super) fn terms(&self) -> Result<Terms, Failure> {
        let keeping = self.keeping.apply(Terms::default().keeping)?;
        Ok(self.time.apply(Terms { keeping, ..Terms::default() }))
    }
}
