//! The normal distribution.

/// How many standard deviations a 95 % interval reaches to each side.
pub(in crate::standings) const TWO_SIDED_95: f64 = 1.959_963_984_540_054;

/// The probability that a standard normal value is below this one.
pub(in crate::standings) fn below(value: f64) -> f64 {
    0.5 * libm::erfc(-value / std::f64::consts::SQRT_2)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_table_of_the_normal_distribution() {
        // Abramowitz and Stegun, table 26.1.
        for (value, expected) in [
            (0.0, 0.5),
            (0.5, 0.691_462_461_274_013),
            (1.0, 0.841_344_746_068_543),
            (2.0, 0.977_249_868_051_821),
            (3.0, 0.998_650_101_968_370),
        ] {
            assert!((below(value) - expected).abs() < 1e-14, "{value}");
            assert!((below(-value) - (1.0 - expected)).abs() < 1e-14, "-{value}");
        }
        assert!((below(TWO_SIDED_95) - 0.975).abs() < 1e-15);
    }
}
