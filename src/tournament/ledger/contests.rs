//! Who is disqualified in random contests, by the ledger and by the standings of the file so far.

use proptest::prelude::*;
use serde_json::{Value, json};

use super::Ledger;
use crate::contest::{FileLine, Fixture, Plan, PlanFields, read_file_line};
use crate::record::Shard;
use crate::standings::{CollectedResults, ReadOptions, StandingsOptions};

/// A contest that is played in a random way.
#[derive(Clone, Debug)]
struct RandomContest {
    plan: Value,
    /// Matches that run at once.
    jobs: usize,
    /// For each match in turn: which of those that run is over next, the faults of its bots, and
    /// whether the first or second one does not start instead.
    steps: Vec<(prop::sample::Index, [u32; 2], Option<usize>)>,
}

fn contests() -> impl Strategy<Value = RandomContest> {
    let plan = (2..5_usize, 1..4_u64, 1..3_u64, prop::bool::ANY, 1..4_u32);
    let plan = plan.prop_map(|(bots, count, repeat, is_gauntlet, limit)| {
        let bots: Vec<Value> =
            (0..bots).map(|bot| json!({"name": bot.to_string(), "command": ["x"]})).collect();
        let format = if is_gauntlet { "gauntlet" } else { "round-robin" };
        json!({"format": format, "count": count, "repeat": repeat, "disqualify_after": limit,
            "bots": bots})
    });
    let faults = || prop_oneof![3 => Just(0), 2 => Just(1), 1 => Just(2)];
    let is_broken = prop::option::weighted(0.07, 0..2_usize);
    let step = (any::<prop::sample::Index>(), [faults(), faults()], is_broken);
    (plan, 1..5_usize, prop::collection::vec(step, 36))
        .prop_map(|(plan, jobs, steps)| RandomContest { plan, jobs, steps })
}

/// The line of a match of two rounds with these faults, all substituted.
fn line(plan: &Plan, fixture: &Fixture, faults: [u32; 2]) -> String {
    let board = [3, 3, 3, 3, 3, 3, 0, 3, 3, 3, 3, 3, 3, 0];
    let substituted: Vec<Value> = [0, 1]
        .into_iter()
        .flat_map(|bot| vec![bot; faults[bot] as usize])
        .map(|bot| {
            json!({"bot": bot, "move": 1, "ms": 1.0, "substitute": {"kind": "timeout",
                "detail": "x"}})
        })
        .collect();
    let round = |number: usize| {
        let moves = if number == 0 { substituted.clone() } else { Vec::new() };
        json!({"round": number + 1, "first": number, "moves": moves,
            "result": {"reason": "completed", "fault": null, "score": [20, 16]}, "final": board})
    };
    let names = fixture.bots.0.map(|bot| json!({"name": plan.bots[bot].name, "command": ["x"]}));
    let record = json!({"format": "mancala-match/1",
        "tournament": {"id": plan.id(), "match": fixture.number, "opening": 1,
            "games": ["0000000000000001", "0000000000000002"]},
        "rules": {"name": "learneroo", "seeds": 3, "opponent_store": "sow",
            "direction": "forward", "empty_capture": true},
        "opening": board, "limits": {"move_time_ms": 1000}, "bots": names,
        "rounds": [round(0), round(1)], "score": [40, 32], "winner": 0});
    format!("{record}\n")
}

fn note(plan: &Plan, bot: usize, number: u64, why: &str) -> String {
    let note = json!({"format": "mancala-note/1", "tournament": plan.id(), "match": number,
        "note": "disqualified", "bot": plan.bots[bot].name, "detail": why});
    format!("{note}\n")
}

/// The bots that are disqualified in the standings of this file, by their places in the plan.
fn out_in_standings(file: &str) -> Vec<usize> {
    let mut results = CollectedResults::new(ReadOptions::default());
    results.read("file", file.as_bytes()).unwrap();
    let (standings, _) = results.standings(&StandingsOptions::default()).unwrap();
    let out = standings.rows.iter().filter(|row| row.disqualified.is_some());
    let mut out: Vec<usize> = out.map(|row| row.name.parse().unwrap()).collect();
    out.sort_unstable();
    out
}

fn out_in_ledger(ledger: &Ledger, plan: &Plan) -> Vec<usize> {
    (0..plan.bots.len()).filter(|bot| ledger.disqualified(*bot).is_some()).collect()
}

/// What is in a file.
enum FileEntry {
    Match(Fixture, String),
    Out(usize, u64, String),
}

/// The bots that are out when a tournament goes on with this file.
fn out_when_resumed(plan: &Plan, entries: &[FileEntry]) -> Vec<usize> {
    let mut ledger = Ledger::new(plan, plan.schedule().unwrap(), Shard::WHOLE);
    for entry in entries {
        match entry {
            FileEntry::Match(fixture, line) => add(&mut ledger, fixture, line),
            FileEntry::Out(bot, number, why) => {
                ledger.disqualify(*bot, why, Some(*number));
            }
        }
    }
    ledger.disqualify_faulty();
    out_in_ledger(&ledger, plan)
}

fn add(ledger: &mut Ledger, fixture: &Fixture, line: &str) {
    let Ok(FileLine::Match(summary, _)) = read_file_line(line.trim_end().as_bytes(), None) else {
        panic!("not a match: {line}")
    };
    ledger.add(fixture.bots, fixture.number, &summary);
}

proptest! {
    #![proptest_config(ProptestConfig {
        cases: 300, failure_persistence: None, ..ProptestConfig::default()
    })]

    #[test]
    fn standings_disqualify_whom_the_ledger_does(contest in contests()) {
        let plan = Plan::new(serde_json::from_value::<PlanFields>(contest.plan.clone()).unwrap());
        let mut ledger = Ledger::new(&plan, plan.schedule().unwrap(), Shard::WHOLE);
        let mut file = format!("{}\n", json!({"format": "mancala-tournament/1", "id": plan.id(),
            "plan": serde_json::from_str::<Value>(&plan.json()).unwrap(), "shard": [1, 1]}));
        let mut entries = Vec::new();
        let mut running: Vec<Fixture> = Vec::new();
        let mut cursor = 1;
        for (which, faults, broken) in contest.steps {
            while running.len() < contest.jobs
                && let Some(fixture) = ledger.next_from(cursor)
            {
                cursor = fixture.number + 1;
                running.push(fixture);
            }
            if running.is_empty() {
                break;
            }
            let fixture = running.remove(which.index(running.len()));
            let mut notes = Vec::new();
            if let Some(side) = broken {
                let bot = fixture.bots.0[side];
                if ledger.disqualify(bot, "does not start", Some(fixture.number)) {
                    notes.push((bot, fixture.number));
                }
            } else {
                let line = line(&plan, &fixture, faults);
                add(&mut ledger, &fixture, &line);
                file += &line;
                entries.push(FileEntry::Match(fixture, line));
            }
            notes.extend(ledger.disqualify_faulty());
            // A tournament may end between any two lines.
            for (bot, number) in notes {
                let expected = out_when_resumed(&plan, &entries);
                prop_assert_eq!(out_in_standings(&file), expected, "resumed\n{}", file);
                let why = ledger.disqualified(bot).unwrap().to_owned();
                file += &note(&plan, bot, number, &why);
                entries.push(FileEntry::Out(bot, number, why));
            }
            let expected = out_when_resumed(&plan, &entries);
            prop_assert_eq!(out_in_standings(&file), &*expected, "resumed\n{}", file);
            prop_assert_eq!(out_in_ledger(&ledger, &plan), expected, "running\n{}", file);
        }
    }
}
