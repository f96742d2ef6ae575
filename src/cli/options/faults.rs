//! The options that say what a fault costs a bot.

use std::num::NonZeroU32;

use clap::Args;

use super::whole::whole;
use crate::cli::Failure;
use crate::record::{FaultPolicy, FaultTerms};

/// What a fault costs.
#[derive(Debug, Args)]
#[command(next_help_heading = "Faults")]
pub(in crate::cli) struct FaultArgs {
    /// What a fault costs a bot: forfeit, the round; substitute, the choice of its move: the first
    /// legal one is played for it, and the round goes on
    #[arg(long, value_name = "forfeit|substitute", default_value_t = FaultPolicy::Forfeit)]
    fault_policy: FaultPolicy,

    /// With --fault-policy substitute: how many faults of a bot are substituted in a round, 1 to
    /// 1000; the next one forfeits it [default: 3]
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
    pub(in crate::cli) fn terms(&self) -> Result<FaultTerms, Failure> {
        let policy = self.fault_policy;
        let max = match (policy, self.max_faults) {
            (FaultPolicy::Substitute, max) => Some(max.unwrap_or(MAX_FAULTS)),
            (FaultPolicy::Forfeit, None) => None,
            (FaultPolicy::Forfeit, Some(_)) => {
                return Err(Failure::usage(
                    "--max-faults needs --fault-policy substitute; otherwise the first fault forfeits the round",
                ));
            }
        };
        Ok(FaultTerms { policy, max })
    }
}
