//! How long rounds are by some rules, for an estimate before anything is played.

use crate::chance::Chance;
use crate::record::Terms;
use crate::rules::{Game, Opening, Ruleset};

/// Rounds that are played by chance, to see how long one is.
const TRIED_ROUNDS: u32 = 100;

/// How many moves a round has by `rules`, as chance plays it.
pub fn moves_a_round(rules: &Ruleset, terms: &Terms, openings: &[Opening]) -> f64 {
    let mut chance = Chance::new(1);
    let mut moves = 0;
    for opening in openings.iter().cycle().take(TRIED_ROUNDS as usize) {
        let mut game = Game::new(*rules, *opening, terms.max_moves).adjudicated(terms.adjudicate);
        while game.ending().is_none() {
            let legal: Vec<_> = game.legal().collect();
            let drawn = chance.below(u32::try_from(legal.len()).unwrap_or(1)) as usize;
            if game.play(legal[drawn]).is_err() {
                break;
            }
        }
        moves += game.moves();
    }
    f64::from(moves) / f64::from(TRIED_ROUNDS)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn more_seeds_make_longer_rounds_up_to_the_move_limit() {
        let mut terms = Terms::default();
        let moves = |name: &str, terms: &Terms| {
            let rules = name.parse::<crate::rules::RulesetName>().unwrap().rules();
            moves_a_round(&rules, terms, &[Opening::standard(&rules)])
        };
        let [short, long] = ["learneroo", "cs221"].map(|name| moves(name, &terms));
        assert!(short > 15.0 && short < long && long < 80.0, "{short} {long}");
        terms.max_moves = std::num::NonZeroU32::new(5).unwrap();
        assert!((moves("cs221", &terms) - 5.0).abs() < 0.1);
    }
}
