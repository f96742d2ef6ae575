//! Matches drawn at random from known strengths, for tests.

use super::davidson::Comparison;

/// Random numbers that a seed fixes (splitmix64).
pub(in crate::standings) struct Random(u64);

impl Random {
    pub(in crate::standings) const fn new(seed: u64) -> Random {
        Random(seed)
    }

    /// At least 0 and below 1.
    pub(in crate::standings) fn unit(&mut self) -> f64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^= mixed >> 31;
        let bits = u32::try_from(mixed >> 32).expect("half of 64 bits");
        f64::from(bits) / 2_f64.powi(32)
    }
}

/// Matches of each pair of bots with `ratings`, drawn from Davidson's model.
pub(in crate::standings) fn simulated(
    ratings: &[f64],
    readiness: f64,
    matches: u32,
    random: &mut Random,
) -> Vec<Comparison> {
    let mut data = Vec::new();
    for opponent in 0..ratings.len() {
        for player in 0..opponent {
            let strength = |bot: usize| 10_f64.powf(ratings[bot] / 400.0);
            let (one, other) = (strength(player), strength(opponent));
            let draw = readiness * (one * other).sqrt();
            let total = one + other + draw;
            let mut pair = Comparison { player, opponent, won: 0, drawn: 0, lost: 0 };
            for _ in 0..matches {
                let point = random.unit() * total;
                if point < one {
                    pair.won += 1;
                } else if point < one + draw {
                    pair.drawn += 1;
                } else {
                    pair.lost += 1;
                }
            }
            data.push(pair);
        }
    }
    data
}
