//! What is played: a plan, and for each match its result, both decided by the seed.

use std::collections::{BTreeMap, BTreeSet};

use crate::contest::{Fixture, Plan, PlanFields, PlannedBot, Schedule};
use crate::record::{Digest, Shard};
use crate::rules::Opening;
use crate::seat::{PerSeat, Seat};
use mancala_game::chance::Chance;
use serde_json::{Value, json};

/// A tournament and all that will happen in its matches.
#[derive(Debug)]
pub(super) struct SimulatedContest {
    pub seed: u64,
    pub plan: Plan,
    pub schedule: Schedule,
    pub shard: Shard,
    pub openings: Vec<Opening>,
    /// Whether it is refused if a bot does not start.
    pub is_strict: bool,
    pub bots: Vec<SimulatedBot>,
    /// The version of each bot, by its name, where bots change; empty otherwise.
    pub versions: BTreeMap<String, Digest>,
}

/// How a bot behaves.
#[derive(Debug, Default)]
pub(super) struct SimulatedBot {
    /// Why it does not pass its trial, if so.
    pub refused: Option<&'static str>,
    /// It is at fault in one of so many rounds; 0 for never.
    pub faulty: u32,
    /// In which match it does not start, counted by its opponents; 0 for none.
    pub breaks: u32,
    pub strength: u32,
}

/// What comes of a match.
#[derive(Debug)]
pub(super) struct SimulatedMatch {
    /// A bot that does not start.
    pub unstartable: Option<Seat>,
    pub rounds: [SimulatedRound; 2],
}

/// What comes of a round.
#[derive(Debug)]
pub(super) struct SimulatedRound {
    pub first: Seat,
    pub score: PerSeat<u8>,
    pub fault: Option<Seat>,
}

impl SimulatedContest {
    /// The contest of this seed.
    pub(super) fn new(seed: u64) -> SimulatedContest {
        let chance = &mut Chance::new(seed);
        let mut one_of = |bound: u32| chance.below(bound);
        let kind = one_of(8);
        let bots = if kind == 0 { 2 } else { 2 + one_of(5) };
        let mut bots: Vec<SimulatedBot> = (0..bots)
            .map(|_| SimulatedBot {
                refused: match one_of(24) {
                    0 => Some("does not build: exit code 1"),
                    1 => Some("does not start: no such program"),
                    _ => None,
                },
                faulty: [0, 0, 3, 8][one_of(4) as usize],
                breaks: [0, 0, 0, 0, 0, 0, 0, 3][one_of(8) as usize],
                strength: one_of(8),
            })
            .collect();
        let builds = one_of(3) == 0;
        let listed: Vec<Value> = (0..bots.len())
            .map(|bot| {
                let build = if builds { vec!["make"] } else { vec![] };
                json!({"name": format!("b{bot}"), "command": [format!("./b{bot}")], "build": build})
            })
            .collect();
        let rounds = bots.len() + bots.len() % 2 - 1;
        let mut plan = json!({"bots": listed, "repeat": 1 + one_of(2), "check": one_of(4) == 0});
        plan["count"] = json!(1 + one_of(3));
        match kind {
            0 => {
                plan["count"] = json!(10 + one_of(40));
                plan["sprt"] = json!("elo0=0,elo1=200,alpha=0.2,beta=0.2");
            }
            1 => {
                plan["format"] = json!("gauntlet");
                plan["gauntlet"] = json!(1 + one_of(bots.len() as u32 - 1));
            }
            2 | 3 => {
                plan["format"] = json!("swiss");
                plan["count"] = json!(1 + one_of(rounds as u32));
            }
            _ => {}
        }
        // A bot that does not start in a match is out at once, whatever else runs: who is out by
        // faults, or the end of a test, may depend on that.
        if one_of(2) == 0 {
            plan["disqualify_after"] = json!(1 + one_of(4));
        }
        if kind == 0 || !plan["disqualify_after"].is_null() {
            for bot in &mut bots {
                bot.breaks = 0;
            }
        }
        // Which of two such bots is out first would depend on it, too.
        for bot in bots.iter_mut().filter(|bot| bot.breaks > 0).skip(1) {
            bot.breaks = 0;
        }
        let shards = if kind > 4 && one_of(3) == 0 { 2 + one_of(2) } else { 1 };
        let shard = Shard::new(1 + one_of(shards), shards).unwrap();
        let is_strict = one_of(8) == 0;
        let fields: PlanFields = serde_json::from_value(plan).unwrap();
        let schedule = fields.schedule().unwrap();
        let openings = vec![Opening::standard(&fields.rules); fields.count as usize];
        SimulatedContest {
            seed,
            plan: Plan::new(fields),
            schedule,
            shard,
            openings,
            is_strict,
            bots,
            versions: BTreeMap::new(),
        }
    }

    /// What a match is known by: its number, or, where bots change, its bots with their versions and
    /// how many matches of theirs come before it.
    pub(super) fn key(&self, number: u64) -> u64 {
        let fixture = self.schedule.fixture(number).filter(|_| !self.versions.is_empty());
        fixture.map_or(number, |fixture| {
            let bots = fixture.bots.0.map(|bot| self.plan.bots[bot].drawn_name());
            let mut versions = self.versions_in(&fixture);
            if bots[0] == bots[1] {
                versions.sort();
            }
            let cycle = self.schedule.cycle_of(number);
            Digest::of(format!("{bots:?} {versions:?} {cycle}").as_bytes()).to_bits()
        })
    }

    /// How many of these matches, named by their keys, are matches of this plan.
    pub(super) fn count_known(&self, keys: &BTreeSet<u64>) -> usize {
        if self.versions.is_empty() {
            return keys.len();
        }
        let numbers = 1..=self.schedule.matches();
        numbers.filter(|&number| keys.contains(&self.key(number))).count()
    }

    fn versions_in(&self, fixture: &Fixture) -> [Digest; 2] {
        fixture.bots.0.map(|bot| self.versions[&self.plan.bots[bot].name])
    }

    /// What comes of this match, whenever it is played. Two versions of a bot play the same games
    /// whichever is the older one.
    pub(super) fn result(&self, fixture: &Fixture) -> SimulatedMatch {
        let PerSeat([one, other]) = fixture.bots;
        let names = [one, other].map(|bot| self.plan.bots[bot].drawn_name());
        if names[0] == names[1] && self.versions_in(fixture).is_sorted_by(|one, other| one > other)
        {
            let turned = self.result(&Fixture { bots: PerSeat([other, one]), ..*fixture });
            let [a, b] = turned.rounds.map(|round| {
                let PerSeat([one, other]) = round.score;
                let (score, fault) = (PerSeat([other, one]), round.fault.map(|seat| !seat));
                SimulatedRound { first: !round.first, score, fault }
            });
            return SimulatedMatch {
                unstartable: turned.unstartable.map(|seat| !seat),
                rounds: [b, a],
            };
        }
        let key = self.key(fixture.number);
        let chance = &mut Chance::new(self.seed ^ key.wrapping_mul(0x9e37_79b9_7f4a_7c15));
        let bots = fixture.bots.0.map(|bot| &self.bots[bot]);
        let breaks =
            |bot: &SimulatedBot| bot.breaks > 0 && fixture.number % 7 == u64::from(bot.breaks);
        let unstartable =
            Seat::BOTH.into_iter().find(|&seat| breaks(bots[usize::from(u8::from(seat))]));
        let rounds = Seat::BOTH.map(|first| {
            let won = 18 + bots[0].strength.saturating_sub(bots[1].strength) as u8;
            let won = (won + chance.below(9) as u8).saturating_sub(4 + bots[1].strength as u8 / 2);
            let mut score = PerSeat([won, 36 - won]);
            let mut fault = None;
            for seat in Seat::BOTH {
                let bot = bots[usize::from(u8::from(seat))];
                if fault.is_none() && bot.faulty > 0 && chance.below(bot.faulty) == 0 {
                    fault = Some(seat);
                    score = PerSeat::from_fn(|it| if it == seat { 0 } else { 36 });
                }
            }
            SimulatedRound { first, score, fault }
        });
        SimulatedMatch { unstartable, rounds }
    }

    /// The line of a match in the file.
    pub(super) fn record(&self, fixture: &Fixture, played: &SimulatedMatch) -> Vec<u8> {
        let rounds: Vec<Value> = played
            .rounds
            .iter()
            .zip(1..)
            .map(|(round, number)| {
                let PerSeat(score) = round.score;
                let fault = round.fault.map(|bot| {
                    json!({"bot": bot, "kind": "timeout", "detail": "late",
                    "board": [3, 3, 3, 3, 3, 3, 0, 3, 3, 3, 3, 3, 3, 0], "stderr": ""})
                });
                let reason = if fault.is_some() { "timeout" } else { "completed" };
                json!({"round": number, "first": round.first, "moves": [],
                "result": {"reason": reason, "fault": fault, "score": score},
                "final": [0, 0, 0, 0, 0, 0, score[0], 0, 0, 0, 0, 0, 0, score[1]]})
            })
            .collect();
        let score = [0, 1]
            .map(|seat| played.rounds.iter().map(|it| u32::from(it.score.0[seat])).sum::<u32>());
        let winner = match score[0].cmp(&score[1]) {
            std::cmp::Ordering::Greater => json!(0),
            std::cmp::Ordering::Less => json!(1),
            std::cmp::Ordering::Equal => Value::Null,
        };
        let bots = fixture.bots.0.map(|bot| &self.plan.bots[bot]);
        let record = json!({"format": "mancala-match/1",
            "tournament": {"id": self.plan.id(), "match": fixture.number, "opening": fixture.opening,
                "games": [format!("{:016x}", self.key(fixture.number)), format!("{:016x}", self.seed)]},
            "rules": self.plan.rules, "opening": self.openings[0], "limits": self.plan.terms,
            "bots": bots.map(|bot| self.bot_record(bot)),
            "planned_rounds": 2, "rounds": rounds, "score": score, "winner": winner});
        let mut line = record.to_string().into_bytes();
        line.push(b'\n');
        line
    }

    fn bot_record(&self, bot: &PlannedBot) -> Value {
        let mut record = json!({"name": bot.name, "command": bot.command});
        if let Some(version) = self.versions.get(&bot.name) {
            record["version"] = json!(version);
        }
        record
    }
}
