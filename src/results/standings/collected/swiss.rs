//! Swiss tournaments: which matches are still to come, and the points of byes.

use std::collections::{HashMap, HashSet};

use super::CollectedResults;
use crate::contest::{PlanFields, Schedule, SwissRoundState};

impl CollectedResults {
    /// How many matches of a Swiss tournament are still to be played.
    pub(in crate::standings) fn open_in_swiss(
        &self,
        tournament: usize,
        plan: &PlanFields,
        schedule: &Schedule,
    ) -> u64 {
        let (of, bots) = (&self.tournaments[tournament], &plan.bots);
        let places: HashMap<u32, usize> = (0..bots.len())
            .filter_map(|place| Some((self.names.find(&bots[place].name)?, place)))
            .collect();
        let mut state = SwissRoundState::default();
        for (numbers, known) in self.of_tournament(tournament) {
            if let [Some(one), Some(other)] = numbers.map(|bot| places.get(&bot)) {
                state.add_match(schedule.round_of(known.number.into()), [*one, *other]);
            }
        }
        of.byes.iter().filter_map(|(_, round)| *round).for_each(|round| state.add_bye(round));
        let left = bots.iter().enumerate().filter_map(|(place, bot)| {
            let is_disqualified = of.disqualified.contains_key(&bot.name);
            is_disqualified
                .then(|| (place, of.out_after.get(&bot.name).copied().unwrap_or(of.seen.highest())))
        });
        schedule.open_in_swiss(&state, left)
    }

    /// The points of byes, by the name of the bot.
    pub(in crate::standings) fn byes(&self) -> HashMap<&str, u64> {
        let mut byes = HashMap::new();
        for (place, tournament) in self.tournaments.iter().enumerate() {
            let points = tournament.plan.as_ref().map_or(1, |plan| plan.repeat);
            let played = self.rounds_played(place);
            for (name, round) in &tournament.byes {
                // After a kill, the round of a bye that was noted may be paired anew.
                let played = self.names.find(name).and_then(|bot| played.get(&bot));
                if !played.is_some_and(|all| round.is_some_and(|round| all.contains(&round))) {
                    *byes.entry(name.as_str()).or_default() += points;
                }
            }
        }
        byes
    }

    /// The rounds of a Swiss tournament in which each bot has a match, where it gave any byes.
    fn rounds_played(&self, place: usize) -> HashMap<u32, HashSet<u64>> {
        let mut rounds: HashMap<u32, HashSet<u64>> = HashMap::new();
        let tournament = &self.tournaments[place];
        let plan = tournament.plan.as_ref().filter(|_| !tournament.byes.is_empty());
        if let Some(schedule) = plan.and_then(|plan| plan.schedule().ok()) {
            for (bots, known) in self.of_tournament(place) {
                let round = schedule.round_of(known.number.into());
                for bot in bots {
                    rounds.entry(bot).or_default().insert(round);
                }
            }
        }
        rounds
    }
}
