//! The options that say on what terms bots play: their time, what they may use, what a fault costs
//! and when a round is over.

use std::num::NonZeroU32;

use clap::Args;

use super::restraints::RestraintArgs;
use super::time::TimeArgs;
use super::whole;
use crate::cli::failure::{CliResult, Failure};
use crate::record::{FaultPolicy, FaultTerms, Terms};
use crate::rules::Adjudication;

/// What bots are held to.
#[derive(Args)]
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
    pub(in crate::cli) fn terms(&self) -> CliResult<Terms> {
        let keeping = self.keeping.apply(Terms::default().keeping)?;
        Ok(self.time.apply(Terms { keeping, ..Terms::default() }))
    }
}

/// What the bots of a match are held to, and when its rounds are over.
#[derive(Args)]
pub(in crate::cli) struct MatchTermsArgs {
    /// End a round early: none, or lead (as soon as one store holds more than half of all seeds;
    /// each player then takes the seeds on its own side)
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
    pub(in crate::cli) fn terms(&self) -> CliResult<Terms> {
        let faults = self.faults.terms()?;
        Ok(Terms { adjudicate: self.adjudicate, faults, ..self.terms.terms()? })
    }
}

/// What a fault costs.
#[derive(Args)]
#[command(next_help_heading = "Faults")]
struct FaultArgs {
    /// What a fault costs a bot: forfeit (the round) or substitute (only this move: the first legal
    /// one is played for it and the round goes on)
    #[arg(long, value_name = "forfeit|substitute", default_value_t = FaultPolicy::Forfeit)]
    fault_policy: FaultPolicy,

    /// With --fault-policy substitute: faults of a bot that are substituted in a round, 1 to 1000; one
    /// more forfeits the round [default: 3]
    #[arg(long, value_name = "N", value_parser = whole::<NonZeroU32>(1..=1000), allow_hyphen_values = true)]
    max_faults: Option<NonZeroU32>,
}

/// Substituted faults of a bot and round, unless another number is asked for.
const MAX_FAULTS: NonZeroU32 = NonZeroU32::new(3).unwrap();

impl FaultArgs {
    /// What a fault costs.
    ///
    /// # Errors
    ///
    /// When the options contradict each other.
    fn terms(&self) -> CliResult<FaultTerms> {
        let policy = self.fault_policy;
        let forfeits = policy == FaultPolicy::Forfeit;
        let why = "--max-faults needs --fault-policy substitute; otherwise the first fault forfeits the round";
        Failure::refuse_if(forfeits && self.max_faults.is_some(), why)?;
        let max = (!forfeits).then(|| self.max_faults.unwrap_or(MAX_FAULTS));
        Ok(FaultTerms { policy, max })
    }
}
