use serde_json::json;

use super::*;
use crate::contest::{FaultCounts, RoundSummary};
use crate::protocol::FaultKind;

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
    assert_eq!((ledger.played(), ledger.leader()), (1, Some((first.bots.0[0], 1.0))));
    assert_eq!(ledger.next_from(1).unwrap().number, 2);
    ledger.leave_unfinished(2, "worn out");
    assert_eq!(ledger.unfinished().len(), 1);
    ledger.add(ledger.next_from(2).unwrap().bots, 2, &won([0, 0]));
    assert!(ledger.unfinished().is_empty());
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
    assert_ne!(ledger.leader().unwrap().0, 0);
}

#[test]
fn who_is_disqualified_does_not_depend_on_the_order_of_matches() {
    // Bot 0 is out after match 1, so what bots do in their matches with it no longer counts.
    let all = [(1, [0, 1], [2, 0]), (2, [2, 0], [2, 0]), (3, [1, 2], [0, 1]), (4, [0, 1], [0, 2])];
    let mut orders = vec![all.to_vec()];
    orders.extend([[3, 1, 2, 0], [1, 3, 0, 2]].map(|order| order.map(|it| all[it]).to_vec()));
    for order in orders {
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
    assert_eq!(ledger.leader(), Some((0, 2.0)));
    ledger.disqualify(1, "too slow", None);
    assert_eq!(ledger.leader(), Some((2, 1.0)));
    assert_eq!((ledger.counted(), ledger.playable()), (1, 5));
    // A match that was still running counts neither.
    ledger.add(PerSeat([0, 1]), 4, &won([0, 0]));
    assert_eq!(ledger.leader(), Some((2, 1.0)));
    assert_eq!(ledger.half_points(0, 1), 6);
    // A round is paired the same, whether that match is there or not.
    let before = |bot, opponent| ledger.half_points_before(bot, opponent, 5);
    assert_eq!((before(0, 1), before(2, 0)), (0, 2));
    assert!(ledger.out_by_dead_workers().is_empty());
    ledger.reinstate(1);
    assert_eq!((ledger.leader(), ledger.disqualified(1)), (Some((0, 3.0)), None));
    assert_eq!((ledger.counted(), ledger.playable()), (4, 15));
    ledger.disqualify(2, "its worker died, 3 times", None);
    ledger.disqualify(1, "too slow", None);
    assert_eq!(ledger.out_by_dead_workers(), [2_usize]);
    ledger.reinstate(2);
    assert_eq!((ledger.leader(), ledger.counted()), (Some((2, 1.0)), 1));
    ledger.add_bye(0);
    ledger.add_bye(0);
    assert_eq!(ledger.leader(), Some((0, 2.0)));
}
