//! The heaviest matching, compared with one that is found by trying all.

use proptest::prelude::*;

use super::*;

/// The most that pairs among the vertices of a set weigh, tried one by one.
fn heaviest_by_trying(weights: &[Vec<i128>], free: u32) -> i128 {
    if free == 0 {
        return 0;
    }
    let one = free.trailing_zeros() as usize;
    let rest = free & (free - 1);
    let others = (0..weights.len()).filter(|&other| rest >> other & 1 == 1);
    others
        .filter(|&other| weights[one][other] > 0)
        .map(|other| weights[one][other] + heaviest_by_trying(weights, rest & !(1 << other)))
        .fold(heaviest_by_trying(weights, rest), i128::max)
}

fn graph(most: i128) -> impl Strategy<Value = Vec<Vec<i128>>> {
    (1_usize..=10).prop_flat_map(move |count| {
        prop::collection::vec(prop::collection::vec(-2..most, count), count)
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(600))]

    #[test]
    fn no_matching_is_heavier(
        weights in prop_oneof![graph(2), graph(4), graph(60), graph(1 << 100)],
    ) {
        let count = weights.len();
        let symmetric: Vec<Vec<i128>> = (0..count)
            .map(|u| (0..count).map(|v| weights[u.min(v)][u.max(v)]).collect())
            .collect();
        let mates = heaviest_matching(count, |u, v| symmetric[u][v]);
        let mut total = 0;
        for (vertex, mate) in mates.iter().enumerate() {
            let Some(mate) = *mate else { continue };
            prop_assert!(mate != vertex && mates[mate] == Some(vertex));
            prop_assert!(symmetric[vertex][mate] > 0);
            total += symmetric[vertex][mate];
        }
        prop_assert_eq!(total / 2, heaviest_by_trying(&symmetric, (1 << count) - 1));
    }
}
