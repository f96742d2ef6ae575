//! A season: a tournament whose bots come, go and change, that is extended, killed and resumed, ends
//! with the table of a tournament begun afresh with the last list of bots.

use std::collections::BTreeMap;
use std::panic::catch_unwind;
use std::rc::Rc;

use mancala_game::chance::Chance;
use serde_json::{Value, json};

use super::contest::{SimulatedBot, SimulatedContest};
use super::world::{World, with};
use super::{GoOn, Progress, calm, judge, record_path, start};
use crate::contest::{Plan, PlanFields};
use crate::record::{Digest, Shard};
use crate::rules::Opening;

/// Names that a bot may have.
const NAMES: [&str; 7] = ["ann", "ben", "cem", "dan", "eve", "flo", "gil"];

/// The most changes between two lists of bots.
const MOST_CHANGES: u32 = 3;

/// The lists of bots of a season.
#[derive(Clone, Debug)]
struct Season {
    seed: u64,
    chance: Chance,
    /// How many are the first of a gauntlet; 0 in a round robin.
    first: usize,
    repeat: u32,
    disqualify_after: Option<u32>,
    count: u32,
    /// Names and numbers of versions.
    bots: Vec<(&'static str, u32)>,
}

impl Season {
    fn new(seed: u64) -> Season {
        let mut chance = Chance::new(seed);
        let mut season = Season {
            seed,
            first: [0, 0, 1, 2][chance.below(4) as usize],
            repeat: 1 + chance.below(2),
            disqualify_after: (chance.below(3) == 0).then_some(1),
            count: 1 + chance.below(2),
            bots: Vec::new(),
            chance,
        };
        while season.bots.len() < season.least() {
            season.add();
        }
        season
    }

    /// How many bots it needs.
    const fn least(&self) -> usize {
        if self.first == 0 { 2 } else { self.first + 1 }
    }

    fn draw(&mut self) -> usize {
        self.chance.below(self.bots.len() as u32) as usize
    }

    /// Adds a bot, which may have been there before.
    fn add(&mut self) {
        let name = NAMES[self.chance.below(NAMES.len() as u32) as usize];
        let bot = (name, self.chance.below(2));
        if self.bots.iter().all(|(known, _)| *known != name) {
            let place = self.chance.below(self.bots.len() as u32 + 1) as usize;
            self.bots.insert(place, bot);
        }
    }

    fn change(&mut self) {
        match self.chance.below(6) {
            0 | 1 => self.add(),
            2 if self.bots.len() > self.least() => {
                let bot = self.draw();
                self.bots.remove(bot);
            }
            3 => self.count += 1,
            4 => {
                let (one, other) = (self.draw(), self.draw());
                self.bots.swap(one, other);
            }
            _ => {
                let bot = self.draw();
                self.bots[bot].1 = self.chance.below(3);
            }
        }
    }

    /// The tournament of the bots by now.
    fn contest(&self) -> SimulatedContest {
        let bots: Vec<Value> = self
            .bots
            .iter()
            .map(|(name, version)| {
                // Another version may have the same command: then its files are others.
                let command = format!("./{name}-{}", version / 2);
                json!({"name": name, "command": [command]})
            })
            .collect();
        let mut plan =
            json!({"bots": bots, "repeat": self.repeat, "count": self.count, "schedule": 2});
        if self.first > 0 {
            plan["format"] = json!("gauntlet");
            plan["gauntlet"] = json!(self.first);
        }
        plan["disqualify_after"] = json!(self.disqualify_after);
        let fields: PlanFields = serde_json::from_value(plan).unwrap();
        let versions: BTreeMap<String, Digest> = self
            .bots
            .iter()
            .map(|(name, version)| {
                ((*name).to_owned(), Digest::of(format!("{name} {version}").as_bytes()))
            })
            .collect();
        let openings = vec![Opening::standard(&fields.rules); fields.count as usize];
        SimulatedContest {
            seed: self.seed,
            schedule: fields.schedule().unwrap(),
            plan: Plan::new(fields),
            shard: Shard::WHOLE,
            openings,
            is_strict: false,
            bots: self.bots.iter().map(|bot| self.behaviour(bot)).collect(),
            versions,
        }
    }

    /// How a version of a bot plays.
    ///
    /// Who is disqualified stays out, though it may have played fewer faulty matches in a tournament
    /// begun afresh. So where faults disqualify, one bot has them, and in each round.
    fn behaviour(&self, (name, version): &(&str, u32)) -> SimulatedBot {
        let digest = Digest::of(format!("{} {name} {version}", self.seed).as_bytes()).to_bits();
        let chance = &mut Chance::new(digest);
        let strength = chance.below(8);
        if self.disqualify_after.is_some() {
            let faulty = u32::from(*name == NAMES[0] && version % 2 == 1);
            return SimulatedBot { faulty, strength, ..SimulatedBot::default() };
        }
        let refused = (chance.below(12) == 0).then_some("does not start: no such program");
        let faulty = [0, 0, 3, 8][chance.below(4) as usize];
        SimulatedBot { refused, faulty, strength, ..SimulatedBot::default() }
    }
}

/// Plays the season of this seed.
fn play_season(seed: u64) -> Result<BTreeMap<&'static str, u32>, String> {
    let mut season = Season::new(seed);
    let mut lists = vec![Rc::new(season.contest())];
    for _ in 0..=season.chance.below(4) {
        for _ in 0..=season.chance.below(MOST_CHANGES) {
            season.change();
        }
        lists.push(Rc::new(season.contest()));
    }
    let last = lists.pop().unwrap();
    with(|world| *world = World::new(seed));
    let afresh = start(&last, &record_path(0), GoOn::No, &calm());
    with(|world| *world = World::new(seed));
    let mut progress = Progress::default();
    let mut ended = Ok(None);
    for contest in &lists {
        // Some of these tournaments are not over when the next list comes.
        let most = with(|world| world.chance.below(6));
        ended = progress.until_over(contest, most / 2, most);
        if ended.is_err() {
            return judge(contest, afresh, ended).map(|()| progress.seen);
        }
        if progress.go_on == GoOn::Update && with(|world| world.once_in(2)) {
            progress.go_on = GoOn::Resume;
        }
    }
    drop(ended);
    let disturbed = with(|world| world.chance.below(4));
    let ended = progress.until_over(&last, disturbed, disturbed + 5);
    let lists: Vec<String> = lists.iter().map(|of| of.plan.json()).collect();
    let why = judge(&last, afresh, ended);
    why.map_err(|why| format!("{why}\nlists before:\n{}", lists.join("\n")))?;
    Ok(progress.seen)
}

#[test]
fn a_season_ends_with_the_table_of_todays_bots() {
    let mut seen = BTreeMap::new();
    let mut failed = Vec::new();
    for seed in 0..400 {
        let played = catch_unwind(|| play_season(seed));
        let played = played.unwrap_or_else(|_| {
            Err(format!("seed {seed}: it panics\n{}", with(|world| world.log.join("\n"))))
        });
        match played {
            Ok(played) => {
                for (what, count) in played {
                    *seen.entry(what).or_insert(0) += count;
                }
            }
            Err(why) => failed.push(why),
        }
    }
    assert!(failed.is_empty(), "{} seasons fail; the first: {}", failed.len(), failed[0]);
    for what in ["killed", "power cut", "add --update to go on", "add --resume to go on"] {
        assert!(seen.get(what).is_some_and(|count| *count > 50), "{what}: {seen:?}");
    }
}
