//! The options that say on what terms bots play: their time, what they may use, what a fault costs
//! and when a round is over.

use clap::Args;

use super::faults::FaultArgs;
use super::restraints::RestraintArgs;
use super::time::TimeArgs;
use crate::cli::Failure;
use crate::record::Terms;
use crate::rules::Adjudication;

/// What bots are held to.
#[derive(Debug, Args)]
pub(in crate::cli) struct TermsArgs {
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
    pub(in crate::cli) fn terms(&self) -> Result<Terms, Failure> {
        let keeping = self.keeping.apply(Terms::default().keeping)?;
        Ok(self.time.apply(Terms { keeping, ..Terms::default() }))
    }
}

/// What the bots of a match are held to, and when its rounds are over.
#[derive(Debug, Args)]
pub(in crate::cli) struct MatchTermsArgs {
    /// End a round early: none; or lead, as soon as one store holds more than half of all seeds:
    /// each player then takes the seeds on its own side
    #[arg(long, value_name = "none|lead", default_value_t = Adjudication::None, help_heading = "Rules")]
    adjudicate: Adjudication,

    #[command(flatten)]
    terms: TermsArgs,

    #[command(flatten)]
    faults: FaultArgs,
}

impl MatchTermsArgs {
    /// The terms.
    ///
    /// # Errors
    ///
    /// As [`TermsArgs::terms`].
    pub(in crate::cli) fn terms(&self) -> Result<Terms, Failure> {
        let faults = self.faults.terms()?;
        Ok(Terms { adjudicate: self.adjudicate, faults, ..self.terms.terms()? })
    }
}
