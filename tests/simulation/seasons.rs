//! A season: a tournament whose bots come, go and change, that is extended, killed and resumed, ends
//! with the table of a tournament begun afresh with the last list of bots.

use std::collections::BTreeMap;
use std::panic::catch_unwind;
use std::rc::Rc;

use mancala_game::chance::Chance;
use serde_json::{Value, json};

use super::contest::{SimulatedBot, SimulatedContest};
use super::world::{World, with};
use super::{Progress, ResumeMode, calm, judge, record_path, start};
use crate::contest::{Plan, PlanFields};
use crate::record::{Digest, Shard};
use crate::rules::Opening;

/// Names that a bot may have.
const NAMES: [&str; 7] = ["ann", "ben", "cem", "dan", "eve", "flo", "gil"];

/// The most changes between two lists of bots.
const MOST_CHANGES: u32 = 3;

/// A bot's name in the plan, what it is, and whether it is an earlier version of another.
type SeasonBot = (String, (&'static str, u32), bool);

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
    /// All that were in a list, in the order in which they came, if earlier versions play on.
    earlier: Option<Vec<(&'static str, u32)>>,
}

impl Season {
    fn new(seed: u64) -> Season {
        let mut chance = Chance::new(seed);
        let mut season = Season {
            seed,
            first: [0, 0, 1, 2][chance.below(4) as usize],
            repeat: 1 + chance.below(2),
            disqualify_after: (chance.below(2) == 0).then(|| 1 + chance.below(3)),
            count: 1 + chance.below(2),
            bots: Vec::new(),
            earlier: (chance.below(2) == 0).then(Vec::new),
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
    fn contest(&mut self) -> SimulatedContest {
        let mut first = self.first;
        let mut bots: Vec<SeasonBot> =
            self.bots.iter().map(|&of| (of.0.to_owned(), of, false)).collect();
        for (name, number, version) in self.earlier_versions() {
            let of_first = self.bots[..self.first].iter().any(|(it, _)| *it == name);
            let bot = (format!("{name}~{number}"), (name, version), true);
            bots.insert(if of_first { first } else { bots.len() }, bot);
            first += usize::from(of_first);
        }
        let listed: Vec<Value> = bots
            .iter()
            .map(|(shown, (name, version), is_earlier)| {
                // Another version may have the same command: then its files are others.
                let command = format!("./{name}-{}", version / 2);
                let version_of = is_earlier.then_some(name);
                json!({"name": shown, "command": [command], "version_of": version_of})
            })
            .collect();
        let mut plan =
            json!({"bots": listed, "repeat": self.repeat, "count": self.count, "schedule": 2});
        if self.first > 0 {
            plan["format"] = json!("gauntlet");
            plan["gauntlet"] = json!(first);
        }
        plan["disqualify_after"] = json!(self.disqualify_after);
        let fields: PlanFields = serde_json::from_value(plan).unwrap();
        let versions: BTreeMap<String, Digest> = bots
            .iter()
            .map(|(shown, (name, version), _)| {
                (shown.clone(), Digest::of(format!("{name} {version}").as_bytes()))
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
            bots: bots.iter().map(|(_, bot, _)| self.behaviour(bot)).collect(),
            versions,
        }
    }

    /// The earlier versions of the bots that play on: the bot, the number and the version.
    fn earlier_versions(&mut self) -> Vec<(&'static str, usize, u32)> {
        let Some(all) = &mut self.earlier else { return Vec::new() };
        let new: Vec<_> = self.bots.iter().filter(|bot| !all.contains(bot)).copied().collect();
        all.extend(new);
        let of_bot = |(name, version): &(&'static str, u32)| {
            let of_name = all.iter().filter(move |(it, _)| it == name).map(|(_, version)| *version);
            let numbered = of_name.enumerate().filter(move |(_, it)| it != version);
            numbered.map(|(index, it)| (*name, index + 1, it)).collect::<Vec<_>>()
        };
        self.bots.iter().flat_map(of_bot).collect()
    }

    /// How a version of a bot plays. Which of its matches have faults depends on its opponents.
    fn behaviour(&self, (name, version): &(&str, u32)) -> SimulatedBot {
        let digest = Digest::of(format!("{} {name} {version}", self.seed).as_bytes()).to_bits();
        let chance = &mut Chance::new(digest);
        let strength = chance.below(8);
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
    let afresh = start(&last, &record_path(0), ResumeMode::No, &calm());
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
        if progress.go_on == ResumeMode::Update && with(|world| world.once_in(2)) {
            progress.go_on = ResumeMode::Resume;
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
    // In the last one a bot is out before an update and after it, by another match.
    for seed in (0..400).chain([1667]) {
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
