//! The cheapest pairs, compared with those that are found by trying all.

use proptest::prelude::*;

use super::*;

/// The least that pairs of all the vertices of a set cost, tried one by one.
fn cheapest_by_trying(costs: &[Vec<i128>], free: u32) -> i128 {
    if free == 0 {
        return 0;
    }
    let one = free.trailing_zeros() as usize;
    let rest = free & (free - 1);
    (0..costs.len())
        .filter(|&other| rest >> other & 1 == 1)
        .map(|other| costs[one][other] + cheapest_by_trying(costs, rest & !(1 << other)))
        .min()
        .unwrap()
}

fn graph(most: i128) -> impl Strategy<Value = Vec<Vec<i128>>> {
    (0_usize..=5).prop_flat_map(move |pairs| {
        prop::collection::vec(prop::collection::vec(-2..most, 2 * pairs), 2 * pairs)
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(3000))]

    #[test]
    fn no_pairs_are_cheaper(
        costs in prop_oneof![graph(2), graph(4), graph(60), graph(1 << 100)],
    ) {
        let count = costs.len();
        let symmetric: Vec<Vec<i128>> = (0..count)
            .map(|u| (0..count).map(|v| costs[u.min(v)][u.max(v)]).collect())
            .collect();
        let mates = cheapest_pairs(count, |u, v| symmetric[u][v]);
        let mut total = 0;
        for (vertex, &mate) in mates.iter().enumerate() {
            prop_assert!(mate != vertex && mates[mate] == vertex);
            total += symmetric[vertex][mate];
        }
        prop_assert_eq!(total / 2, cheapest_by_trying(&symmetric, (1 << count) - 1));
    }
}
