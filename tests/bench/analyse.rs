//! How long a game takes to be analysed, and what the built-in levels give away a round.
//!
//! `cargo bench --bench analyse` times games of three and four seeds a house in one thread, after
//! the table of endgames is there; `cargo bench --bench analyse -- levels` has the levels play each
//! other and counts what they give away, and ends with 1 if protocol.md says something else.

use std::num::NonZeroU32;
use std::process::ExitCode;
use std::time::{Duration, Instant};

use mancala_referee::engine::{Level, Player};
use mancala_referee::rules::{Game, Opening, Ply, RandomOpenings, Ruleset, RulesetName, Side};
use mancala_referee::solve::{Budget, JudgedMove, MANY_MEMORY, Solver, judge};

/// So much that the number of positions, and not the clock, ends every search.
const TIME: Duration = Duration::from_hours(1);

const MAX_MOVES: NonZeroU32 = NonZeroU32::new(1000).unwrap();

/// Random moves before the games: the fewer, the harder is what follows.
const OPENING_PLIES: [u32; 2] = [4, 2];

/// The rules of the games that are timed, how many games, and the seeds of the table that is made
/// before them: with four seeds a house `mancala analyse` comes to so many over some games.
const TIMED: [(RulesetName, usize, usize); 3] = [
    (RulesetName::Learneroo, 40, 16),
    (RulesetName::Ece1021, 20, 22),
    (RulesetName::Kalah, 20, 22),
];

fn main() -> ExitCode {
    if std::env::args().any(|argument| argument == "levels") {
        levels()
    } else {
        times();
        ExitCode::SUCCESS
    }
}

/// Times games one after the other, as `mancala analyse` judges those of a file.
fn times() {
    println!("| ruleset | players | random moves | games | median | 90 % | longest |");
    println!("|---|---|---|---|---|---|---|");
    for (name, count, table) in TIMED {
        let rules = name.rules();
        let since = Instant::now();
        let mut solver = solver(&rules, table);
        let made = since.elapsed();
        for levels in [[Level::Average, Level::Hard], [Level::Random, Level::Easy]] {
            for random in OPENING_PLIES {
                solver.forget();
                let openings = RandomOpenings::new(&rules, random, 0);
                let mut times: Vec<Duration> = openings
                    .take(count)
                    .zip(0..)
                    .map(|(opening, seed)| {
                        let plies = game(&rules, opening, levels, seed);
                        let since = Instant::now();
                        let judged = judge(&mut solver, opening, &plies, &Budget::default());
                        assert!(judged.iter().all(|found| found.loss.is_some()));
                        since.elapsed()
                    })
                    .collect();
                times.sort_unstable();
                let [median, most] =
                    [times.len() / 2, times.len() * 9 / 10].map(|at| seconds(times[at]));
                let longest = seconds(times[times.len() - 1]);
                let [one, other] = levels;
                println!(
                    "| {name} | {one}, {other} | {random} | {} | {median} | {most} | {longest} |",
                    times.len()
                );
            }
        }
        println!("The table of {name}, {table} seeds: {}", seconds(made));
    }
}

fn seconds(time: Duration) -> String {
    format!("{:.3} s", time.as_secs_f64())
}

fn solver(rules: &Ruleset, table: usize) -> Solver {
    let mut solver = Solver::new(rules, MANY_MEMORY).expect("rules that can be solved");
    solver.prepare(table, &Budget::default());
    solver
}

/// What a level gave away.
#[derive(Clone, Copy, Default)]
struct Tally {
    rounds: u32,
    moves: u32,
    exact: u32,
    blunders: u32,
    seeds: u32,
}

impl Tally {
    fn add(&mut self, judged: &[&JudgedMove]) {
        self.rounds += 1;
        for found in judged {
            let loss = found.loss.expect("there is no limit");
            self.moves += 1;
            self.exact += u32::from(loss == 0);
            self.seeds += u32::from(loss.unsigned_abs());
            self.blunders += u32::from(found.is_blunder() == Some(true));
        }
    }
}

/// Seeds of the table of endgames.
const TABLE: usize = 18;

/// Every pair of levels plays two rounds from each opening. Fails if they give away something else
/// than protocol.md says.
fn levels() -> ExitCode {
    let mut given_away = Vec::new();
    println!(
        "| ruleset | level | rounds | moves | exact | given away a round | blunders a round |"
    );
    println!("|---|---|---|---|---|---|---|");
    for (name, count) in [(RulesetName::Learneroo, 50), (RulesetName::Ece1021, 10)] {
        let rules = name.rules();
        let mut solver = solver(&rules, TABLE);
        let mut tallies = [Tally::default(); Level::ALL.len()];
        for opening in RandomOpenings::new(&rules, 4, 1).take(count) {
            for one in 0..Level::ALL.len() {
                for other in (0..Level::ALL.len()).filter(|&other| other != one) {
                    let seats = [one, other].map(|level| Level::ALL[level]);
                    let plies = game(&rules, opening, seats, 1);
                    let judged = judge(&mut solver, opening, &plies, &Budget::default());
                    let sides = sides(&rules, opening, &plies);
                    for (level, side) in [(one, Side::First), (other, Side::Second)] {
                        let own = judged.iter().zip(&sides).filter(|&(_, mover)| *mover == side);
                        tallies[level].add(&own.map(|(found, _)| found).collect::<Vec<_>>());
                    }
                }
            }
        }
        for (level, tally) in Level::ALL.iter().zip(tallies).rev() {
            let Tally { rounds, moves, exact, blunders, seeds } = tally;
            let a_round = |count| f64::from(count) / f64::from(rounds);
            println!(
                "| {name} | {level} | {rounds} | {moves} | {:.1} % | {:.2} | {:.2} |",
                100.0 * f64::from(exact) / f64::from(moves),
                a_round(seeds),
                a_round(blunders)
            );
            given_away.push((rounds, format!("{:.1}", a_round(seeds))));
        }
    }
    // The strongest level first, under the first rules and then under the others.
    let (learneroo, ece1021) = given_away.split_at(Level::ALL.len());
    let of = |level: usize| format!("{} and {}", learneroo[level].1, ece1021[level].1);
    let told = format!(
        "hard gives away {} seeds a round in learneroo ({} rounds each) and {} in ece1021 \
         ({} rounds each), average {}, easy {}, random {}.",
        learneroo[0].1,
        learneroo[0].0,
        ece1021[0].1,
        ece1021[0].0,
        of(1),
        of(2),
        of(3)
    );
    if include_str!("../../protocol.md").contains(&told) {
        return ExitCode::SUCCESS;
    }
    println!("protocol.md says something else: {told}");
    ExitCode::FAILURE
}

/// The moves of a game between these levels.
fn game(rules: &Ruleset, opening: Opening, levels: [Level; 2], seed: u64) -> Vec<Ply> {
    let mut players = levels.map(|level| Player::new(level, rules, seed));
    let mut game = Game::new(*rules, opening, MAX_MOVES);
    let mut plies = Vec::new();
    while game.ending().is_none() {
        let player = &mut players[usize::from(game.mover() == Side::Second)];
        let choice = player.choose(game.board(), TIME).expect("the game goes on");
        game.play(choice.ply).expect("the move is legal");
        plies.push(choice.ply);
    }
    plies
}

/// Who made each move.
fn sides(rules: &Ruleset, opening: Opening, plies: &[Ply]) -> Vec<Side> {
    let mut game = Game::new(*rules, opening, MAX_MOVES);
    let mut sides = Vec::new();
    for &ply in plies {
        sides.push(game.mover());
        game.play(ply).expect("the move was legal");
    }
    sides
}
