//! Whether a match or a note is one of the plan that its file begins with.

use std::collections::{HashMap, HashSet};

use super::{Pairings, PlanFields, Schedule};
use crate::record::{Digest, TournamentHeader};
use crate::seat::{PerSeat, Seat};
use crate::text::{counted, printable};

/// The plans of the headers that were read, by their identities.
#[derive(Clone, Debug, Default)]
pub struct KnownPlans(HashMap<Digest, KnownPlan>);

#[derive(Clone, Debug)]
struct KnownPlan {
    /// With the largest count of openings that a header says.
    schedule: Schedule,
    /// The bots' names, by their places.
    names: Vec<String>,
    all_names: HashSet<String>,
}

/// What contradicts a plan, in words.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum NotOfPlan {
    /// The number is past the last match. A later header may have more openings.
    #[error("its number is {number}, and the plan has {}", counted(*.matches, "match", "matches"))]
    NumberTooHigh {
        number: u64,
        /// How many matches the plan has.
        matches: u64,
    },
    /// The match of this number has other bots, or another opening.
    #[error("{0}")]
    OtherMatch(String),
}

/// What a match says of its place in a plan.
#[derive(Clone, Copy, Debug)]
pub struct PlannedPlace<'a> {
    /// The number of the match.
    pub number: u64,
    /// The number of its opening.
    pub opening: u64,
    /// The names of its bots.
    pub names: PerSeat<&'a str>,
}

impl KnownPlans {
    /// Adds a header. A larger count of openings keeps the identity.
    pub fn add_header(&mut self, header: &TournamentHeader) {
        if let Ok(plan) = serde_json::from_str(header.plan.get()) {
            self.add(header.id, &plan);
        }
    }

    /// Adds the plan of this identity.
    pub fn add(&mut self, id: Digest, plan: &PlanFields) {
        let Ok(schedule) = plan.schedule() else { return };
        let is_longer = |known: &KnownPlan| known.schedule.matches() >= schedule.matches();
        if self.0.get(&id).is_some_and(is_longer) {
            return;
        }
        let names: Vec<String> = plan.bots.iter().map(|bot| bot.name.clone()).collect();
        let all_names = names.iter().cloned().collect();
        self.0.insert(id, KnownPlan { schedule, names, all_names });
    }

    /// Whether the plan of this identity is known.
    pub fn has(&self, id: Digest) -> bool {
        self.0.contains_key(&id)
    }

    /// Checks the number of a match or a note, if its plan is known.
    ///
    /// # Errors
    ///
    /// If the plan has fewer matches.
    pub fn check_number(&self, id: Digest, number: u64) -> Result<(), NotOfPlan> {
        match self.0.get(&id).map(|plan| plan.schedule.matches()) {
            Some(matches) if number > matches => Err(NotOfPlan::NumberTooHigh { number, matches }),
            _ => Ok(()),
        }
    }

    /// Checks a match against its plan, if that is known. In a Swiss tournament results decide who
    /// meets whom, so only the bots' names are compared.
    ///
    /// # Errors
    ///
    /// If the plan has no such match.
    pub fn check_match(&self, id: Digest, place: PlannedPlace<'_>) -> Result<(), NotOfPlan> {
        let Some(plan) = self.0.get(&id) else { return Ok(()) };
        let PlannedPlace { number, opening, names } = place;
        self.check_number(id, number)?;
        let other = |how: String| Err(NotOfPlan::OtherMatch(format!("match {number} {how}")));
        if plan.schedule.pairings == Pairings::Swiss {
            return match names.0.iter().find(|name| !plan.all_names.contains(**name)) {
                Some(name) => {
                    other(format!("has the bot {}, which is not in the plan", printable(name)))
                }
                None => Ok(()),
            };
        }
        let Some(fixture) = plan.schedule.fixture(number) else { return Ok(()) };
        let planned = PerSeat::from_fn(|seat| &*plan.names[fixture.bots[seat]]);
        if names != planned {
            let [a, b] = Seat::BOTH.map(|seat| printable(names[seat]));
            let [first, second] = Seat::BOTH.map(|seat| printable(planned[seat]));
            return other(format!("is {a} against {b}, and the plan has {first} against {second}"));
        }
        if opening != fixture.opening {
            let planned = fixture.opening;
            return other(format!("has opening {opening}, and the plan has opening {planned}"));
        }
        Ok(())
    }
}
