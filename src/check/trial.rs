//! The settings of a check, its probes, and its trials: a trial is one short match.

use std::num::NonZeroU32;
use std::time::Duration;

use super::extras::Extras;
use crate::bot::BotCommand;
use crate::engine::Level;
use crate::record::{BotRecord, Terms, whole_ms};
use crate::referee::{MatchError, MatchSetup};
use crate::report::{AnswerTimes, CheckFormat, CheckReport, Finding, ProbeReport};
use crate::rules::{Opening, Ruleset};
use crate::seat::{PerSeat, Seat};

/// How much longer a silent bot is waited for at least, to tell a late answer from none.
pub(super) const LATE_ANSWER: Duration = Duration::from_secs(1);

/// How much longer it is waited for where a later answer than the first may be late.
const LONG_WAIT: Duration = Duration::from_secs(10);

/// What comes of a part of a check.
pub(super) type Checked<T = ()> = Result<T, MatchError>;

/// What to check, and how.
pub(crate) struct CheckSettings {
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
    /// A match of two whole rounds by `rules`, from their own opening, against the random
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

    /// A report on this bot with `probes` and findings, and nothing else.
    pub(super) fn report(&self, probes: Vec<ProbeReport>, findings: Vec<Finding>) -> CheckReport {
        let (name, command) = (self.bot.name(), self.bot.words().to_vec());
        CheckReport {
            format: CheckFormat::V2,
            bot: BotRecord { name, command, ..BotRecord::default() },
            seed: self.seed,
            budget_ms: whole_ms(self.budget),
            limits: self.limits.clone(),
            probes,
            games: Vec::new(),
            times: AnswerTimes::default(),
            notes: Vec::new(),
            findings,
        }
    }

    /// How much longer a bot is waited for that was silent for the time `waited` and may answer late.
    /// A first answer gets twice the start time in all. One wait takes at most half of the time that
    /// is `left`.
    pub(super) fn time_for_a_late_answer(
        &self,
        waited: Duration,
        is_first: bool,
        left: Duration,
    ) -> Duration {
        let time = self.limits.time;
        let more = if is_first { time.start_time.saturating_mul(2) } else { LONG_WAIT };
        let in_all = more.saturating_add(time.move_time.unwrap_or_default());
        in_all.saturating_sub(waited).min(left / 2).max(LATE_ANSWER)
    }
}

/// The seat of the bot under check.
pub(super) const BOT: Seat = Seat::A;

/// The settings of a trial. Begin with [`CheckSettings::trial`] and change what is to differ.
#[derive(Clone)]
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
    /// The match that the trial is, with a bot of this name.
    pub(super) fn setup(&self, name: String) -> MatchSetup {
        let opponent = self.level.to_string();
        let opponent = if opponent == name { format!("{opponent}-2") } else { opponent };
        let names = self.names.map(|names| PerSeat(names.0.map(str::to_owned)));
        let names = names.unwrap_or(PerSeat([name, opponent]));
        let bots = PerSeat(names.0.map(|name| BotRecord {
            name,
            command: Vec::new(),
            ..BotRecord::default()
        }));
        MatchSetup {
            rules: self.rules,
            opening: self.opening,
            terms: self.limits.clone(),
            bots,
            first: self.first,
            rounds: self.rounds,
            hides_details: false,
        }
    }

    /// The same with rounds of at most `moves` moves.
    pub(super) fn short(self, moves: u32) -> Trial {
        let moves = NonZeroU32::new(moves).unwrap_or(NonZeroU32::MIN);
        let max_moves = self.limits.max_moves.min(moves);
        Trial { limits: Terms { max_moves, ..self.limits }, ..self }
    }

    /// The same with `rounds` rounds.
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

    #[test]
    fn a_first_answer_is_waited_for_twice_the_start_time_within_the_budget() {
        let (bot, budget) = ("./a".parse().unwrap(), Duration::ZERO);
        let limits = Terms::default();
        let settings = CheckSettings { bot, rules: Vec::new(), limits, budget, seed: 1 };
        let ms = Duration::from_millis;
        let wait = |waited, is_first, left| {
            settings.time_for_a_late_answer(ms(waited), is_first, ms(left)).as_millis()
        };
        // Ten seconds to start, one for a move.
        assert_eq!(wait(11_050, true, 49_000), 9_950);
        assert_eq!(wait(11_050, true, 8_000), 4_000);
        assert_eq!(wait(1_050, false, 49_000), 9_950);
        assert_eq!(wait(1_050, false, 0), 1_000);
    }
}
