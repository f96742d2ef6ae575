//! How strong the built-in levels are: each against the one before it, under each ruleset.
//!
//! Two games from each opening, the starter swapped. An opening is the standard one after three
//! random moves, so that the games differ.

use std::num::NonZeroU32;
use std::time::Duration;

use mancala_referee::engine::{Level, Player};
use mancala_referee::rules::{Game, RandomOpenings, Ruleset, RulesetName, Side};

/// Openings for each pair of levels; twice as many games.
const OPENINGS: usize = 100;

/// So much that the number of positions, and not the clock, ends every search.
const TIME: Duration = Duration::from_hours(1);

const MAX_MOVES: NonZeroU32 = NonZeroU32::new(1000).unwrap();

fn main() {
    println!("| stronger | weaker | ruleset | games won | drawn | lost | points |");
    println!("|---|---|---|---|---|---|---|");
    for levels in Level::ALL.windows(2) {
        let [weaker, stronger] = *levels else { continue };
        for name in RulesetName::ALL {
            let Tally { won, drawn, lost } = play(stronger, weaker, name.rules());
            let points = f64::from(2 * won + drawn) / f64::from(2 * (won + drawn + lost));
            println!(
                "| {stronger} | {weaker} | {name} | {won} | {drawn} | {lost} | {:.0} % |",
                100.0 * points
            );
        }
    }
}

#[derive(Default)]
struct Tally {
    won: u32,
    drawn: u32,
    lost: u32,
}

fn play(stronger: Level, weaker: Level, rules: Ruleset) -> Tally {
    let mut players = [Player::new(stronger, &rules, 1), Player::new(weaker, &rules, 2)];
    let mut tally = Tally::default();
    let openings = RandomOpenings::new(&rules, 3, 0).take(OPENINGS);
    for opening in openings {
        for stronger_is in [Side::First, Side::Second] {
            let mut game = Game::new(rules, opening, MAX_MOVES);
            while game.ending().is_none() {
                let player = &mut players[usize::from(game.mover() != stronger_is)];
                let choice = player.choose(game.board(), TIME).expect("the game goes on");
                game.play(choice.ply).expect("the move is legal");
            }
            let score = game.score();
            match score.of(stronger_is).cmp(&score.of(!stronger_is)) {
                std::cmp::Ordering::Greater => tally.won += 1,
                std::cmp::Ordering::Equal => tally.drawn += 1,
                std::cmp::Ordering::Less => tally.lost += 1,
            }
        }
    }
    tally
}
