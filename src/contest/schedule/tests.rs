//! Who meets whom, how often, and in which order.

use std::collections::{BTreeMap, HashMap};

use proptest::prelude::*;

use super::*;

fn schedule(pairings: Pairings, bots: usize, openings: u64, repeat: u64) -> Schedule {
    Schedule::new(pairings, bots, openings, repeat).unwrap()
}

fn bots(names: &[String]) -> Vec<PlannedBot> {
    names.iter().map(|name| PlannedBot { name: name.clone(), ..PlannedBot::default() }).collect()
}

fn all(schedule: &Schedule) -> Vec<Fixture> {
    (1..=schedule.matches()).map(|number| schedule.fixture(number).unwrap()).collect()
}

#[test]
fn every_pairing_plays_every_opening_as_often_as_asked() {
    for bots in 2..12 {
        let gauntlets = (1..bots).map(|first| Pairings::Gauntlet { first });
        for pairings in gauntlets.chain([Pairings::RoundRobin]) {
            let mut met = HashMap::new();
            let schedule = schedule(pairings, bots, 3, 2);
            for fixture in all(&schedule) {
                let PerSeat([one, other]) = fixture.bots;
                let pair = (one.min(other), one.max(other), fixture.opening);
                *met.entry(pair).or_insert(0) += 1;
            }
            assert!(met.values().all(|&times| times == 2), "{pairings:?} of {bots}");
            for (one, other, opening) in met.keys().copied() {
                assert!(one < other && other < bots && (1..=3).contains(&opening));
                if let Pairings::Gauntlet { first } = pairings {
                    assert!(one < first && other >= first);
                }
            }
            let pairs = schedule.in_a_cycle() * 3;
            assert_eq!(met.len() as u64, pairs, "{pairings:?} of {bots}");
        }
    }
}

#[test]
fn every_beginning_of_a_round_robin_is_balanced() {
    for bots in 2..12 {
        let mut played = vec![0_u32; bots];
        for fixture in all(&schedule(Pairings::RoundRobin, bots, 2, 1)) {
            for seat in fixture.bots.0 {
                played[seat] += 1;
            }
            let (least, most) = (played.iter().min().unwrap(), played.iter().max().unwrap());
            assert!(most - least <= 2, "{bots} bots after match {}", fixture.number);
        }
    }
}

#[test]
fn a_pairing_takes_turns_at_beginning() {
    for pairings in [Pairings::RoundRobin, Pairings::Gauntlet { first: 2 }] {
        let schedule = schedule(pairings, 7, 4, 1);
        let cycle = schedule.in_a_cycle();
        for number in 1..=cycle {
            let [now, next] = [number, number + cycle].map(|n| schedule.fixture(n).unwrap());
            assert_eq!(now.bots.0[0], next.bots.0[1]);
            assert_eq!((now.opening, next.opening), (1, 2));
        }
    }
}

#[test]
fn more_openings_only_lengthen_a_schedule() {
    let short = schedule(Pairings::RoundRobin, 5, 3, 2);
    let long = schedule(Pairings::RoundRobin, 5, 9, 2);
    let short_ones = all(&short);
    assert_eq!(short_ones, all(&long)[..short_ones.len()]);
    assert_eq!(short.fixture(0), None);
    assert_eq!(short.fixture(short.matches() + 1), None);
}

#[test]
fn matches_of_some_bots_are_counted() {
    for (pairings, count, repeat) in [
        (Pairings::RoundRobin, 20, 3),
        (Pairings::Gauntlet { first: 2 }, 4, 1),
        (Pairings::Gauntlet { first: 4 }, 1, 2),
    ] {
        let schedule = schedule(pairings, 5, count, repeat);
        for places in [&[][..], &[0], &[4], &[2, 0], &[0, 1, 2, 3, 4]] {
            let is_one = |bot: &usize| places.contains(bot);
            let counted = all(&schedule).iter().filter(|it| it.bots.0.iter().any(is_one)).count();
            let found = schedule.matches_of(|bot| is_one(&bot));
            assert_eq!(found, Some(counted as u64), "{pairings:?} {places:?}");
        }
    }
    assert_eq!(schedule(Pairings::Swiss, 5, 3, 1).matches_of(|_| true), None);
}

#[test]
fn ten_million_matches_take_no_time_and_no_memory() {
    let schedule = schedule(Pairings::RoundRobin, 60, 5650, 1);
    assert_eq!(schedule.matches(), 10_000_500);
    assert_eq!(schedule.fixture(10_000_500).unwrap().opening, 5650);
    assert!(size_of::<Schedule>() <= 64);
}

#[test]
fn plans_of_first_versions_have_their_order() {
    let first = |pairings| {
        let fixtures = all(&schedule(pairings, 4, 1, 1)).into_iter();
        fixtures.map(|fixture| fixture.bots.0).collect::<Vec<_>>()
    };
    let expected = [[3, 0], [2, 1], [1, 3], [0, 2], [3, 2], [1, 0]];
    assert_eq!(first(Pairings::RoundRobin), expected);
    assert_eq!(first(Pairings::Gauntlet { first: 1 }), [[0, 1], [2, 0], [0, 3]]);
}

/// What each pairing plays, by its names: openings and who is first, in order.
fn by_pairing(schedule: &Schedule, names: &[String]) -> BTreeMap<[String; 2], Vec<Vec<String>>> {
    let mut played: BTreeMap<_, Vec<_>> = BTreeMap::new();
    for fixture in all(schedule) {
        let bots = fixture.bots.0.map(|bot| names[bot].clone());
        let mut pairing = bots.clone();
        pairing.sort();
        let [first, _] = bots;
        played.entry(pairing).or_default().push(vec![fixture.opening.to_string(), first]);
    }
    played
}

fn any_pairings() -> impl Strategy<Value = Pairings> {
    let gauntlet = (1_usize..3).prop_map(|first| Pairings::Gauntlet { first });
    prop_oneof![Just(Pairings::RoundRobin), gauntlet]
}

proptest! {
    #[test]
    fn pairings_do_not_depend_on_other_bots_or_their_order(
        pairings in any_pairings(),
        names in proptest::collection::hash_set("[a-z~]{1,3}", 3..12),
        seed in any::<u64>(),
        (openings, repeat) in (1_u64..4, 1_u64..3),
        shuffled in any::<prop::sample::Index>(),
        left_out in any::<prop::sample::Index>(),
    ) {
        let names: Vec<String> = names.into_iter().collect();
        let of = |names: &[String]| {
            let schedule = schedule(pairings, names.len(), openings, repeat);
            let schedule = schedule.by_names(&bots(names), seed);
            by_pairing(&schedule, names)
        };
        let all = of(&names);
        let mut others = names.clone();
        others.rotate_left(shuffled.index(names.len()));
        others.swap_remove(left_out.index(names.len()));
        if let Pairings::Gauntlet { first } = pairings && first >= others.len() {
            return Ok(());
        }
        for (pairing, played) in of(&others) {
            // Other bots may be the first of a gauntlet.
            if let Some(before) = all.get(&pairing) {
                prop_assert_eq!(before, &played, "{:?}", pairing);
            }
        }
        for (pairing, played) in &all {
            let mut firsts = played.iter().map(|it| &it[1]);
            let one = firsts.clone().filter(|name| **name == pairing[0]).count();
            prop_assert!(one.abs_diff(played.len() - one) <= 1);
            let first = firsts.next();
            prop_assert!(firsts.step_by(2).all(|next| Some(next) != first));
        }
    }

    #[test]
    fn number_of_a_match_is_found_from_its_bots(
        pairings in any_pairings(),
        (bots, openings, repeat) in (3_usize..14, 1_u64..3, 1_u64..3),
    ) {
        let schedule = schedule(pairings, bots, openings, repeat);
        for fixture in all(&schedule) {
            let PerSeat([one, other]) = fixture.bots;
            let cycle = schedule.cycle_of(fixture.number);
            prop_assert_eq!(schedule.number_of([one, other], cycle), Some(fixture.number));
            prop_assert_eq!(schedule.number_of([other, one], cycle), Some(fixture.number));
        }
        prop_assert_eq!(schedule.number_of([0, 0], 0), None);
        prop_assert_eq!(schedule.number_of([0, bots], 0), None);
        if let Pairings::Gauntlet { first: 2 } = pairings {
            prop_assert_eq!(schedule.number_of([0, 1], 0), None);
        }
    }
}

#[test]
fn names_and_seed_decide_who_is_first_and_neither_side_is_preferred() {
    let names: Vec<String> = (0..30).map(|bot| format!("bot-{bot}")).collect();
    let firsts = |seed| {
        let schedule = schedule(Pairings::RoundRobin, 30, 1, 1);
        let schedule = schedule.by_names(&bots(&names), seed);
        let mut firsts = vec![0; 30];
        for fixture in all(&schedule) {
            firsts[fixture.bots.0[0]] += 1;
        }
        (by_pairing(&schedule, &names), firsts)
    };
    let (one, begins) = firsts(1);
    assert_ne!(one, firsts(2).0);
    // Of 29 matches each; a fair coin gives 5 to 24 in all but one of ten thousand cases.
    assert!(begins.iter().all(|begins| (5..=24).contains(begins)), "{begins:?}");
}

#[test]
fn what_cannot_be_scheduled_says_why() {
    let why = |pairings, bots, openings, repeat| {
        Schedule::new(pairings, bots, openings, repeat).unwrap_err()
    };
    assert!(why(Pairings::RoundRobin, 0, 1, 1).contains("there are none"));
    assert!(why(Pairings::RoundRobin, 1, 1, 1).contains("only one"));
    assert!(why(Pairings::Gauntlet { first: 3 }, 3, 1, 1).contains("nobody to meet"));
    assert!(why(Pairings::Swiss, 4, 4, 1).contains("--count 3"));
    assert!(why(Pairings::Swiss, 5, 6, 1).contains("--count 5"));
    assert!(why(Pairings::Swiss, 60, 31, 1).contains("--count 30"));
    assert!(why(Pairings::RoundRobin, 60_000, 1_000_000, 1_000_000).contains("more than"));
}

#[test]
fn rounds_of_a_swiss_tournament_that_are_to_come_have_fewer_matches() {
    // Four pairs of nine bots, two matches each, four rounds.
    let schedule = Schedule::new(Pairings::Swiss, 9, 4, 2).unwrap();
    let open = |latest, played: &[([usize; 2], u64)], left: &[(usize, u64)]| {
        let (round, played) = (schedule.round_of(latest), played.iter().copied().collect());
        // One of the nine has no opponent.
        let state = SwissRoundState { round, byes: 1, played, ..SwissRoundState::default() };
        schedule.open_in_swiss(&state, left.iter().copied())
    };
    let left_before = |count| (0..count).map(|bot| (bot, 0)).collect::<Vec<_>>();
    assert_eq!([0, 1, 2].map(|count| open(0, &[], &left_before(count))), [32, 32, 24]);
    let whole = [0, 2, 4, 6].map(|bot| ([bot, bot + 1], 2));
    assert_eq!(open(8, &whole, &[(0, 8), (1, 8)]), 18);
    assert_eq!(open(32, &whole, &[(0, 32), (1, 32)]), 0);
    // In the second round two pairs have played, one of them one match, and a bot that has not
    // begun is out, or one that is in the middle.
    let begun = [([0, 1], 2), ([2, 3], 1)];
    assert_eq!(open(13, &begun, &[]), 5 + 16);
    assert_eq!(open(13, &begun, &[(4, 10)]), 3 + 16);
    assert_eq!(open(13, &begun, &[(2, 13)]), 4 + 16);
    assert_eq!(open(13, &begun, &[(2, 13), (0, 12)]), 4 + 12);
    // Both bots of a pair.
    assert_eq!(open(13, &begun, &[(2, 13), (3, 13)]), 4 + 12);
    assert_eq!(open(13, &begun, &[(5, 8), (6, 8)]), 6 - 3 + 12);
}

#[test]
fn bots_that_have_all_met_have_no_matches_in_a_round() {
    let schedule = Schedule::new(Pairings::Swiss, 4, 3, 2).unwrap();
    let mut state = SwissRoundState::default();
    let open =
        |state: &SwissRoundState| schedule.open_in_swiss(state, [(2, 2), (3, 2)].into_iter());
    state.add_match(1, [0, 1]);
    state.add_match(1, [3, 2]);
    // The pair that stays has another match in this round, and meets nobody in the next.
    assert_eq!(open(&state), 1);
    state.add_match(1, [1, 0]);
    assert_eq!(open(&state), 0);
    for round in [2, 3] {
        state.add_bye(round);
        state.add_bye(round);
        assert_eq!(open(&state), 0, "round {round}");
    }
    // What is told of earlier rounds changes nothing.
    state.add_bye(2);
    state.add_match(1, [2, 3]);
    assert_eq!((state.round, open(&state)), (3, 0));
}
