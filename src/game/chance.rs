//! The generator behind every random choice.

use rand_pcg::Pcg32;
use rand_pcg::rand_core::{Rng, SeedableRng};

/// Random choices that are the same for the same seed, on every machine and in every version.
///
/// PCG-XSH-RR 64/32 (O'Neill, 2014) fixes the numbers. What is made of them is written here and
/// not taken from `rand`, whose distributions may change from one version to the next.
#[derive(Clone, Debug)]
pub struct Chance(Pcg32);

impl Chance {
    /// The choices of `seed`.
    pub fn new(seed: u64) -> Chance {
        Chance(Pcg32::seed_from_u64(seed))
    }

    /// A number from 0 to `bound - 1`, 0 when `bound` is 0. For bounds as small as these some are
    /// more likely than others by less than one in a hundred million.
    pub fn below(&mut self, bound: u32) -> u32 {
        let (_, high) = self.0.next_u32().carrying_mul(bound, 0);
        high
    }

    /// Any order with the same likelihood (Fisher and Yates).
    pub fn shuffle<T>(&mut self, items: &mut [T]) {
        for (last, count) in (1..items.len()).zip(2..) {
            items.swap(last, self.below(count) as usize);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_seed_gives_the_same_choices_for_ever() {
        // Computed apart from this program, from the definition of the generator.
        let draw = |seed| {
            let mut chance = Chance::new(seed);
            [6; 12].map(|bound| chance.below(bound))
        };
        assert_eq!(draw(0), [0, 5, 0, 1, 1, 2, 0, 4, 0, 3, 0, 0]);
        assert_eq!(draw(1), [1, 2, 4, 0, 5, 0, 5, 0, 5, 0, 2, 1]);
        assert_eq!(draw(u64::MAX), [3, 1, 5, 4, 3, 1, 2, 1, 4, 2, 4, 5]);
    }

    #[test]
    fn shuffling_makes_every_order_equally_likely() {
        let mut chance = Chance::new(9);
        let mut times = std::collections::HashMap::new();
        for _ in 0..6000 {
            let mut items = [1, 2, 3];
            chance.shuffle(&mut items);
            *times.entry(items).or_insert(0) += 1;
        }
        assert_eq!(times.len(), 6);
        // 1,000 each, give or take four standard deviations of 29.
        assert!(times.values().all(|&times| (884..=1116).contains(&times)), "{times:?}");
        chance.shuffle::<u8>(&mut []);
    }
}
