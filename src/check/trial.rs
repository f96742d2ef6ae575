//! The settings of a check, its probes, and its trials: a trial is one short match.

use std::num::NonZeroU32;
use std::time::Duration;

use super::extras::Extras;
use crate::bot::BotCommand;
use crate::engine::Level;
use crate::record::Terms;
use crate::rules::{Opening, Ruleset};
use crate::seat::{PerSeat, Seat};

/// How long a match waits for a bot to exit after its last round.
pub(super) const EXIT_GRACE: Duration = Duration::from_millis(300);

/// What to check, and how.
#[derive(Clone, Debug)]
pub struct CheckSettings {
    /// The bot.
    pub bot: BotCommand,
    /// The rules it should know, one ruleset at least; the first are those of all that is not
    /// about rules.
    pub rules: Vec<Ruleset>,
    /// What it is held to.
    pub limits: Terms,
    /// How long the whole check may take.
    pub budget: Duration,
    /// Makes the opponents' moves and the positions the same again.
    pub seed: u64,
}

impl CheckSettings {
    /// A match of two whole rounds by these rules, from their own opening, against the random
    /// player; the bot begins.
    pub(super) fn trial(&self, rules: Ruleset) -> Trial {
        Trial {
            rules,
            opening: Opening::standard(&rules),
            limits: self.limits.clone(),
            rounds: NonZeroU32::MIN.saturating_add(1),
            first: BOT,
            level: Level::Random,
            seed: self.seed,
            opponent_forfeits: false,
            extras: Extras::None,
            names: None,
        }
    }
}

/// The seat of the bot under check.
pub(super) const BOT: Seat = Seat::A;

/// The settings of a trial. Begin with [`CheckSettings::trial`] and change what is to differ.
#[derive(Clone, Debug)]
pub(super) struct Trial {
    pub(super) rules: Ruleset,
    pub(super) opening: Opening,
    pub(super) limits: Terms,
    pub(super) rounds: NonZeroU32,
    pub(super) first: Seat,
    /// The opponent's strength.
    pub(super) level: Level,
    pub(super) seed: u64,
    /// Whether the opponent forfeits: in round 1 with its first move, later with its third.
    pub(super) opponent_forfeits: bool,
    pub(super) extras: Extras,
    /// The names that the bots are told, where they are not their own.
    pub(super) names: Option<PerSeat<&'static str>>,
}

impl Trial {
    /// The same with rounds of at most `moves` moves.
    pub(super) fn short(self, moves: u32) -> Trial {
        let moves = NonZeroU32::new(moves).unwrap_or(NonZeroU32::MIN);
        let max_moves = self.limits.max_moves.min(moves);
        Trial { limits: Terms { max_moves, ..self.limits }, ..self }
    }

    /// The same with this number of rounds.
    pub(super) fn rounds(self, rounds: u32) -> Trial {
        Trial { rounds: NonZeroU32::new(rounds).unwrap_or(NonZeroU32::MIN), ..self }
    }

    /// The same without what whole games do not have: at most two rounds, the plan's limits, and
    /// nothing odd.
    pub(super) fn plain(&self, limits: &Terms) -> Trial {
        let max_moves = self.limits.max_moves;
        Trial {
            limits: Terms { max_moves, ..limits.clone() },
            rounds: self.rounds.min(NonZeroU32::MIN.saturating_add(1)),
            opponent_forfeits: false,
            extras: Extras::None,
            names: None,
            ..self.clone()
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::record::TimeTerms;

    #[test]
    fn a_plain_trial_has_nothing_special() {
        let limits = Terms::default();
        let game_time = Some(Duration::from_mins(1));
        let bank = Terms { time: TimeTerms { game_time, ..limits.time }, ..limits.clone() };
        let names = Some(PerSeat(["a", "b"]));
        let bot = "./a".parse().unwrap();
        let budget = Duration::ZERO;
        let settings = CheckSettings { bot, rules: Vec::new(), limits: bank, budget, seed: 1 };
        let trial = settings.trial(Ruleset::default()).short(8).rounds(4);
        let trial = Trial { names, extras: Extras::Fields, opponent_forfeits: true, ..trial };
        let plain = trial.plain(&limits);
        assert_eq!(plain.rounds.get(), 2);
        assert_eq!(plain.limits, Terms { max_moves: trial.limits.max_moves, ..limits });
        assert!(plain.names.is_none() && !plain.opponent_forfeits && plain.extras == Extras::None);
    }
}
