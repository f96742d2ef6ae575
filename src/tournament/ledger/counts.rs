//! How many matches there are to play, and how many will stay missing.

use super::Ledger;
use crate::contest::Pairings;
use crate::record::Shard;
use crate::standings::Sprt;
use crate::tournament::match_count::playable;

impl Ledger {
    /// The test of the plan, if it has one.
    pub const fn sprt(&self) -> Option<&Sprt> {
        self.sprt.as_ref()
    }

    /// Whether the test has decided.
    pub fn has_decided(&self) -> bool {
        self.sprt.as_ref().is_some_and(|sprt| sprt.decided().is_some())
    }

    /// Whether `--update` can go on with it after bots have changed.
    pub fn can_be_updated(&self) -> bool {
        let is_swiss = self.schedule.pairings() == Pairings::Swiss;
        !is_swiss && self.sprt.is_none() && self.shard == Shard::WHOLE
    }

    /// How many matches of this run count, played or not.
    pub fn playable(&self) -> u64 {
        if self.schedule.pairings() == Pairings::Swiss {
            let left = self.disqualified.iter().map(|(&bot, it)| (bot, it.after));
            let open = self.schedule.open_in_swiss(&self.swiss_round, left);
            return self.counted + open;
        }
        let is_disqualified = |bot| self.disqualified.contains_key(&bot);
        playable(&self.schedule, self.shard, is_disqualified) - self.missing_of_stopped()
    }

    /// How many matches are missing because a bot plays no more in this run.
    fn missing_of_stopped(&self) -> u64 {
        if self.stopped.is_empty() || self.shard != Shard::WHOLE {
            return 0;
        }
        let is_disqualified = |bot: usize| self.disqualified.contains_key(&bot);
        let is_stopped = |bot: usize| self.stopped.contains(&bot);
        let planned =
            self.schedule.matches_of(|bot| is_disqualified(bot) || is_stopped(bot)).unwrap_or(0)
                - self.schedule.matches_of(is_disqualified).unwrap_or(0);
        let is_one = |one, other| (is_stopped(one) || is_stopped(other)) && one < other;
        let played = self.against.iter().filter(|((one, other), _)| {
            is_one(*one, *other) && !is_disqualified(*one) && !is_disqualified(*other)
        });
        planned.saturating_sub(played.map(|(_, (_, matches))| matches).sum())
    }

    /// Whether this run leaves matches unplayed that it was to play: they were given up, or a bot of
    /// theirs has changed.
    pub fn leaves_matches(&self) -> bool {
        !self.unfinished.is_empty() || self.has_changed_bot
    }

    /// How many matches a bot has played, and how many are planned for it.
    pub fn played_and_planned(&self, bot: usize) -> (u64, u64) {
        let of_bot = self.against.iter().filter(|((one, _), _)| *one == bot);
        let played = of_bot.map(|(_, (_, matches))| matches).sum();
        (played, self.schedule.matches_of(|other| other == bot).unwrap_or(played))
    }

    /// Whether a bot plays in this run, as far as is known by now.
    pub fn plays(&self, bot: usize) -> bool {
        !self.disqualified.contains_key(&bot) && !self.stopped.contains(&bot)
    }
}
