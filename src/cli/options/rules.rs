//! The options that choose rules and opening, shared by every command that plays.

use clap::Args;

use crate::rules::{
    DirectionRule, MAX_SEEDS_A_HOUSE, Opening, OpponentStore, Ruleset, RulesetName, SeedsAHouse,
};

/// Rules.
#[derive(Args)]
#[command(next_help_heading = "Rules")]
pub(in crate::cli) struct RulesetArgs {
    /// The ruleset: learneroo, kalah, ece1021, cs221 or mancala5000
    #[arg(long, value_name = "NAME", default_value_t = RulesetName::Learneroo)]
    rules: RulesetName,

    #[command(flatten)]
    changes: RuleChanges,

    /// Sow forward, backward, or either as the player chooses [default: forward]
    #[arg(long, value_name = "WAY")]
    direction: Option<DirectionRule>,
}

/// Rules and opening.
#[derive(Args)]
#[command(next_help_heading = "Rules")]
pub(in crate::cli) struct RulesArgs {
    #[command(flatten)]
    pub(in crate::cli) ruleset: RulesetArgs,

    /// Start from this position: 14 numbers as the first mover sees them, separated by commas
    #[arg(long, value_name = "BOARD", allow_hyphen_values = true)]
    pub(in crate::cli) opening: Option<Opening>,
}

impl RulesetArgs {
    /// The ruleset with what the user changed.
    pub(in crate::cli) fn rules(&self) -> Ruleset {
        let named = self.rules.rules();
        let direction = self.direction.unwrap_or(named.direction);
        Ruleset { direction, ..self.changes.apply(named) }
    }
}

/// What differs from a named ruleset, its direction apart.
#[derive(Args)]
#[command(next_help_heading = "Rules")]
pub(in crate::cli) struct RuleChanges {
    /// Seeds in each house at the start, 1 to 20 [default: the ruleset's]
    #[arg(long, value_name = "N", value_parser = seeds, allow_hyphen_values = true)]
    seeds: Option<SeedsAHouse>,

    /// Whether the opponent's store is sown into: sow or skip [default: the ruleset's]
    #[arg(long, value_name = "sow|skip")]
    opponent_store: Option<OpponentStore>,

    /// Whether a last seed in an empty house is captured when the facing house is empty
    /// [default: the ruleset's]
    #[arg(long, value_name = "yes|no", value_parser = yes_or_no)]
    empty_capture: Option<bool>,
}

impl RuleChanges {
    /// The ruleset with these changes.
    pub(in crate::cli) fn apply(&self, named: Ruleset) -> Ruleset {
        Ruleset {
            seeds: self.seeds.unwrap_or(named.seeds),
            opponent_store: self.opponent_store.unwrap_or(named.opponent_store),
            empty_capture: self.empty_capture.unwrap_or(named.empty_capture),
            ..named
        }
    }
}

impl RulesArgs {
    /// The opening the user gave, or the ruleset's.
    pub(in crate::cli) fn opening(&self) -> Opening {
        self.opening.unwrap_or_else(|| Opening::standard(&self.ruleset.rules()))
    }
}

fn seeds(text: &str) -> Result<SeedsAHouse, String> {
    let refused = || format!("a house starts with 1 to {MAX_SEEDS_A_HOUSE} seeds");
    text.parse().ok().and_then(SeedsAHouse::new).ok_or_else(refused)
}

fn yes_or_no(text: &str) -> Result<bool, &'static str> {
    match text {
        "yes" => Ok(true),
        "no" => Ok(false),
        _ => Err("expected yes or no"),
    }
}
