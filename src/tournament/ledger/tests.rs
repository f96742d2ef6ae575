//! Single cases, and random contests: the ledger and the standings of the file so far agree on who is
//! disqualified and who leads.

use proptest::prelude::*;
use serde_json::{Value, json};

use super::*;
use crate::contest::testing::match_line;
use crate::contest::{FaultCounts, FileLine, LineMoves, Plan, RoundSummary, read_file_line};
use crate::protocol::FaultKind;
use crate::standings::{CollectedResults, ReadOptions, Standings, StandingsOptions};

const SLOW: (&str, DisqualifiedFor) = ("too slow", DisqualifiedFor::Refused);

fn ledger(bots: usize, openings: u64, shard: Shard, after: Option<u32>) -> Ledger {
    let names: Vec<_> = (0..bots).map(|bot| json!({"name": bot.to_string()})).collect();
    let plan = json!({"bots": names, "count": openings, "disqualify_after": after});
    let plan: PlanFields = serde_json::from_value(plan).unwrap();
    Ledger::new(&plan, plan.schedule().unwrap(), shard)
}

/// A match that the bot at seat A won.
fn won(faults: [u32; 2]) -> MatchSummary<'static> {
    let faults = PerSeat(faults.map(|count| {
        let mut faults = FaultCounts::default();
        faults.add(FaultKind::IllegalMove, count);
        faults
    }));
    let round = RoundSummary { first: Seat::A, score: PerSeat([40, 32]), forfeited: None, faults };
    MatchSummary {
        place: None,
        games: Vec::new(),
        names: ["a".into(), "b".into()],
        versions: [None; 2],
        rounds: vec![round],
    }
}

fn leader(ledger: &Ledger) -> Option<(usize, f64)> {
    ledger.leader().map(|leader| (leader.bot, leader.points))
}

#[test]
fn shards_are_disjoint_equal_and_the_whole() {
    let shards: Vec<Ledger> =
        (1..=4).map(|k| ledger(5, 3, Shard::new(k, 4).unwrap(), None)).collect();
    let planned: Vec<u64> = shards.iter().map(Ledger::planned).collect();
    assert_eq!(planned, [8, 8, 7, 7]);
    for number in 1..=30 {
        let of: Vec<bool> = shards.iter().map(|shard| shard.is_ours(number)).collect();
        assert_eq!(of.iter().filter(|&&ours| ours).count(), 1, "{number}");
    }
    for (shard, planned) in shards.iter().zip(planned) {
        assert_eq!((1..=30).filter(|&number| shard.is_ours(number)).count() as u64, planned);
    }
    assert_eq!(ledger(5, 3, Shard::WHOLE, None).planned(), 30);
}

#[test]
fn what_is_done_is_not_played_again_and_counts_once() {
    let mut ledger = ledger(3, 2, Shard::WHOLE, None);
    assert_eq!(ledger.next_from(1).unwrap().number, 1);
    let first = ledger.next_from(1).unwrap();
    ledger.add(first.bots, 1, &won([0, 0]));
    ledger.add(first.bots, 1, &won([0, 0]));
    assert_eq!((ledger.played(), leader(&ledger)), (1, Some((first.bots.0[0], 1.0))));
    assert_eq!(ledger.next_from(1).unwrap().number, 2);
    ledger.leave_unfinished(2, "worn out");
    assert_eq!(ledger.unfinished.len(), 1);
    ledger.add(ledger.next_from(2).unwrap().bots, 2, &won([0, 0]));
    assert!(ledger.unfinished.is_empty());
}

#[test]
fn a_bot_with_too_many_faults_plays_no_more() {
    let mut ledger = ledger(3, 5, Shard::WHOLE, Some(3));
    ledger.add(PerSeat([0, 1]), 1, &won([2, 0]));
    assert_eq!(ledger.disqualify_faulty(), []);
    ledger.add(PerSeat([2, 0]), 2, &won([0, 1]));
    assert_eq!(ledger.disqualify_faulty(), [(0, 2)]);
    assert_eq!(ledger.disqualified(0), Some("3 or more faults"));
    ledger.add(PerSeat([2, 0]), 3, &won([0, 1]));
    assert_eq!(ledger.disqualify_faulty(), []);
    let mut number = 1;
    while let Some(fixture) = ledger.next_from(number) {
        assert!(!fixture.bots.0.contains(&0));
        number = fixture.number + 1;
    }
    assert_ne!(ledger.leader().unwrap().bot, 0);
}

#[test]
fn who_is_disqualified_does_not_depend_on_the_order_of_matches() {
    // Bot 0 is out after match 1, so what bots do in their matches with it no longer counts.
    let all = [(1, [0, 1], [2, 0]), (2, [2, 0], [2, 0]), (3, [1, 2], [0, 1]), (4, [0, 1], [0, 2])];
    let mut inputs = vec![all.to_vec()];
    inputs.extend([[3, 1, 2, 0], [1, 3, 0, 2]].map(|order| order.map(|it| all[it]).to_vec()));
    for order in inputs {
        let mut ledger = ledger(3, 5, Shard::WHOLE, Some(2));
        for (number, bots, faults) in order {
            ledger.add(PerSeat(bots), number, &won(faults));
        }
        assert_eq!(ledger.disqualify_faulty(), [(0, 1)]);
    }
}

#[test]
fn leader_has_no_points_from_bots_that_are_out() {
    let mut ledger = ledger(3, 5, Shard::WHOLE, Some(2));
    ledger.add(PerSeat([0, 1]), 1, &won([0, 0]));
    ledger.add(PerSeat([0, 1]), 2, &won([0, 0]));
    ledger.add(PerSeat([2, 0]), 3, &won([0, 0]));
    assert_eq!(leader(&ledger), Some((2, 1.0)));
    ledger.disqualify(1, SLOW, None);
    assert_eq!(leader(&ledger), Some((2, 1.0)));
    assert_eq!((ledger.counted(), ledger.playable()), (1, 5));
    // A match that was still running counts neither.
    ledger.add(PerSeat([0, 1]), 4, &won([0, 0]));
    assert_eq!(leader(&ledger), Some((2, 1.0)));
    assert_eq!(ledger.half_points(0, 1), 6);
    // A round is paired the same, whether that match is there or not.
    let before = |bot, opponent| ledger.half_points_before(bot, opponent, 5);
    assert_eq!((before(0, 1), before(2, 0)), (0, 2));
    assert_eq!(ledger.disqualified_by(DisqualifiedFor::DeadWorker).count(), 0);
    ledger.reinstate(1);
    assert_eq!((leader(&ledger), ledger.disqualified(1)), (Some((2, 1.0)), None));
    assert_eq!((ledger.counted(), ledger.playable()), (4, 15));
    let died = ("its worker died, 3 times", DisqualifiedFor::DeadWorker);
    ledger.disqualify(2, died, None);
    ledger.disqualify(1, SLOW, None);
    assert!(ledger.disqualified_by(DisqualifiedFor::DeadWorker).eq([2]));
    ledger.reinstate(2);
    assert_eq!((leader(&ledger), ledger.counted()), (Some((2, 1.0)), 1));
}

#[test]
fn bots_that_are_level_lead_together() {
    let mut ledger = ledger(2, 5, Shard::WHOLE, None);
    for (number, bots) in [(1, [0, 1]), (2, [1, 0])] {
        ledger.add(PerSeat(bots), number, &won([0, 0]));
    }
    assert_eq!(ledger.leader(), Some(Leader { bot: 0, points: 1.0, of: None, tied: 2 }));
    ledger.add(PerSeat([1, 0]), 3, &won([0, 0]));
    assert_eq!(ledger.leader(), Some(Leader { bot: 1, points: 2.0, of: None, tied: 1 }));
}

#[test]
fn bots_with_different_numbers_of_matches_are_ranked_by_their_shares() {
    let mut ledger = ledger(3, 5, Shard::WHOLE, None);
    for (number, bots) in [(1, [0, 1]), (2, [0, 1]), (3, [1, 0]), (4, [2, 1])] {
        ledger.add(PerSeat(bots), number, &won([0, 0]));
    }
    assert_eq!(ledger.leader(), Some(Leader { bot: 2, points: 1.0, of: Some(1), tied: 1 }));
    ledger.add(PerSeat([1, 2]), 5, &won([0, 0]));
    assert_eq!(ledger.leader(), Some(Leader { bot: 0, points: 2.0, of: Some(3), tied: 1 }));
    for _ in 0..6 {
        ledger.add_bye(1, 1);
    }
    assert_eq!(ledger.leader(), Some(Leader { bot: 1, points: 8.0, of: Some(11), tied: 1 }));
}

/// Which of the matches that run is over next, the faults of its bots, who wins, and whether the first
/// or second one does not start instead.
type Step = (prop::sample::Index, [u32; 2], Option<usize>, Option<usize>);

/// A contest that is played in a random way.
#[derive(Clone, Debug)]
struct RandomContest {
    plan: Value,
    /// Matches that run at once.
    jobs: usize,
    /// One for each match in turn.
    steps: Vec<Step>,
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
    let winner = prop::option::weighted(0.8, 0..2_usize);
    let step = (any::<prop::sample::Index>(), [faults(), faults()], winner, is_broken);
    (plan, 1..5_usize, prop::collection::vec(step, 36))
        .prop_map(|(plan, jobs, steps)| RandomContest { plan, jobs, steps })
}

fn note(plan: &Plan, bot: usize, number: u64, why: &str) -> String {
    let note = json!({"format": "mancala-note/1", "tournament": plan.id(), "match": number,
        "note": "disqualified", "bot": plan.bots[bot].name, "detail": why});
    format!("{note}\n")
}

fn standings(file: &str) -> Standings {
    let mut results = CollectedResults::new(ReadOptions::default());
    results.read("file", file.as_bytes()).unwrap();
    results.standings(&StandingsOptions::default()).unwrap().0
}

/// The bots that are disqualified in `standings`, by their places in the plan.
fn out_in(standings: &Standings) -> Vec<usize> {
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
            FileEntry::Match(fixture, line) => add_line(&mut ledger, fixture, line),
            FileEntry::Out(bot, number, why) => {
                ledger.disqualify(*bot, (why, DisqualifiedFor::Unknown), Some(*number));
            }
        }
    }
    ledger.disqualify_faulty();
    out_in_ledger(&ledger, plan)
}

fn add_line(ledger: &mut Ledger, fixture: &Fixture, line: &str) {
    let Ok(FileLine::Match(summary, _)) =
        read_file_line(line.trim_end().as_bytes(), LineMoves::Checked)
    else {
        panic!("not a match: {line}")
    };
    ledger.add(fixture.bots, fixture.number, &summary);
}

proptest! {
    #![proptest_config(ProptestConfig {
        cases: 300, failure_persistence: None, ..ProptestConfig::default()
    })]

    #[test]
    fn standings_and_ledger_have_the_same_bots_out_and_first(contest in contests()) {
        let plan = Plan::new(serde_json::from_value::<PlanFields>(contest.plan.clone()).unwrap());
        let mut ledger = Ledger::new(&plan, plan.schedule().unwrap(), Shard::WHOLE);
        let mut file = format!("{}\n", json!({"format": "mancala-tournament/1", "id": plan.id(),
            "plan": serde_json::from_str::<Value>(&plan.json()).unwrap(), "shard": [1, 1]}));
        let mut entries = Vec::new();
        let mut running: Vec<Fixture> = Vec::new();
        let mut cursor = 1;
        for (which, faults, winner, broken) in contest.steps {
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
                if ledger.disqualify(bot, SLOW, Some(fixture.number)) {
                    notes.push((bot, fixture.number));
                }
            } else {
                let line = match_line(&plan, &fixture, faults, winner);
                add_line(&mut ledger, &fixture, &line);
                file += &line;
                entries.push(FileEntry::Match(fixture, line));
            }
            notes.extend(ledger.disqualify_faulty());
            // A tournament may end between any two lines.
            for (bot, number) in notes {
                let expected = out_when_resumed(&plan, &entries);
                prop_assert_eq!(out_in(&standings(&file)), expected, "resumed\n{}", file);
                let why = ledger.disqualified(bot).unwrap().to_owned();
                file += &note(&plan, bot, number, &why);
                entries.push(FileEntry::Out(bot, number, why));
            }
            let expected = out_when_resumed(&plan, &entries);
            let table = standings(&file);
            prop_assert_eq!(out_in(&table), &*expected, "resumed\n{}", file);
            prop_assert_eq!(out_in_ledger(&ledger, &plan), expected, "running\n{}", file);
            // Of several in the first place, the table takes the better rating.
            let first: Vec<_> = table.rows.iter().filter(|row| row.rank == Some(1)).collect();
            let leader = ledger.leader();
            let led = leader.map(|led| first.iter().find(|row| row.name == led.bot.to_string()));
            let expected = led.map(|row| row.map(|row| (row.points, row.share.is_some())));
            let led = leader.map(|led| Some((led.points, led.of.is_some())));
            prop_assert_eq!(led, expected, "{:?}\n{}", leader, file);
        }
    }
}
