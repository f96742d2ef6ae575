//! How strong the built-in levels are: each against the one before it, under each ruleset; and the
//! expert against `hard`, both looking at 100,000 positions a move, and against a plain alpha-beta
//! at 100 ms a move. `cargo bench --bench levels -- expert` plays the expert's games alone.
//!
//! Two games from each opening, the starter swapped. An opening is the standard one after three
//! random moves, so that the games differ. Ends with 1 if the levels have other points against each
//! other than protocol.md says.

mod plain;

use std::num::NonZeroU32;
use std::process::ExitCode;
use std::time::Duration;

use mancala_referee::engine::{Effort, Expert, Level, Player};
use mancala_referee::rules::{
    Board, Direction, Game, House, Ply, RandomOpenings, Ruleset, RulesetName, Side,
};
use plain::PlainAlphaBeta;

/// Openings for each pair of levels; twice as many games.
const OPENINGS: usize = 100;

/// So much that the number of positions, and not the clock, ends every search.
const TIME: Duration = Duration::from_hours(1);

const MAX_MOVES: NonZeroU32 = NonZeroU32::new(1000).unwrap();

/// As many positions as `hard` looks at for a move.
const NODES: u64 = 100_000;

/// What the expert and the plain alpha-beta have for a move.
const SHORT: Duration = Duration::from_millis(100);

/// Has the points of the levels against each other.
const PROTOCOL: &str = include_str!("../../protocol.md");

fn main() -> ExitCode {
    let mut code = ExitCode::SUCCESS;
    let expert_alone = std::env::args().any(|argument| argument == "expert");
    println!("| stronger | weaker | ruleset | games won | drawn | lost | points |");
    println!("|---|---|---|---|---|---|---|");
    for levels in Level::ALL.windows(2).filter(|_| !expert_alone) {
        let [weaker, stronger] = *levels else { continue };
        let mut row = format!("| {stronger} : {weaker} |");
        for name in RulesetName::ALL {
            let mut player = Player::new(stronger, &name.rules(), 1);
            let choose = |board| Some(player.choose(board, TIME)?.ply);
            let bots = [stronger.as_str(), weaker.as_str()];
            let points = tell(bots, name, OPENINGS, choose, level(weaker, name));
            // The page leaves it out.
            if name != RulesetName::Kalah {
                row += &format!(" {points:.0} % |");
            }
        }
        if !PROTOCOL.lines().any(|line| line == row) {
            println!("protocol.md says something else than {row}");
            code = ExitCode::FAILURE;
        }
    }
    for name in RulesetName::ALL {
        let mut expert = Expert::new(&name.rules()).expect("memory");
        let effort = Effort::positions(NODES);
        let choose = |board| Some(expert.choose(board, effort)?.choice.ply);
        tell(["expert", "hard"], name, OPENINGS / 2, choose, level(Level::Hard, name));
    }
    for name in RulesetName::ALL {
        let mut expert = Expert::new(&name.rules()).expect("memory");
        let effort = Effort { time: SHORT, to_solve: Duration::ZERO, nodes: None };
        let choose = |board| Some(expert.choose(board, effort)?.choice.ply);
        let mut plain = PlainAlphaBeta::new(&name.rules());
        let answer = |board: Board| {
            let house = House::ALL[plain.choose(board.cells(), SHORT)];
            Some(Ply { house, direction: Direction::Forward })
        };
        tell(["expert", "alpha-beta"], name, OPENINGS / 2, choose, answer);
    }
    code
}

/// Plays as this level, always the same.
fn level(level: Level, name: RulesetName) -> impl FnMut(Board) -> Option<Ply> {
    let mut player = Player::new(level, &name.rules(), 2);
    move |board| Some(player.choose(board, TIME)?.ply)
}

/// Has them play, and returns the stronger one's points of a hundred.
fn tell(
    [stronger, weaker]: [&str; 2],
    name: RulesetName,
    openings: usize,
    choose: impl FnMut(Board) -> Option<Ply>,
    answer: impl FnMut(Board) -> Option<Ply>,
) -> f64 {
    let Tally { won, drawn, lost } = play(choose, answer, name.rules(), openings);
    let points = 100.0 * f64::from(2 * won + drawn) / f64::from(2 * (won + drawn + lost));
    println!("| {stronger} | {weaker} | {name} | {won} | {drawn} | {lost} | {points:.0} % |");
    points
}

#[derive(Default)]
struct Tally {
    won: u32,
    drawn: u32,
    lost: u32,
}

fn play(
    mut stronger: impl FnMut(Board) -> Option<Ply>,
    mut weaker: impl FnMut(Board) -> Option<Ply>,
    rules: Ruleset,
    openings: usize,
) -> Tally {
    let mut tally = Tally::default();
    let openings = RandomOpenings::new(&rules, 3, 0).take(openings);
    for opening in openings {
        for stronger_is in [Side::First, Side::Second] {
            let mut game = Game::new(rules, opening, MAX_MOVES);
            while game.ending().is_none() {
                let ply = if game.mover() == stronger_is {
                    stronger(game.board())
                } else {
                    weaker(game.board())
                };
                game.play(ply.expect("the game goes on")).expect("the move is legal");
            }
            match game.score_of(stronger_is).cmp(&game.score_of(!stronger_is)) {
                std::cmp::Ordering::Greater => tally.won += 1,
                std::cmp::Ordering::Equal => tally.drawn += 1,
                std::cmp::Ordering::Less => tally.lost += 1,
            }
        }
    }
    tally
}
