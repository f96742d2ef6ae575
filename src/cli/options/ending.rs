//! The option that ends rounds which are decided.

use clap::Args;

use crate::record::Terms;
use crate::rules::Adjudication;

/// When a round ends before its last move.
#[derive(Debug, Args)]
#[command(next_help_heading = "Rules")]
pub(in crate::cli) struct EndingArgs {
    /// End a round early: none; or lead, as soon as one store holds more than half of all seeds:
    /// each player then takes the seeds on its own side
    #[arg(long, value_name = "none|lead", default_value_t = Adjudication::None)]
    adjudicate: Adjudication,
}

impl EndingArgs {
    /// These terms with that end of a round.
    pub(in crate::cli) fn apply(&self, terms: Terms) -> Terms {
        Terms { adjudicate: self.adjudicate, ..terms }
    }
}
