//! How fast positions are solved, and whether their values are the published ones.
//!
//! `cargo bench --bench solve` times each opening from nothing, its table of endgames included;
//! `cargo bench --bench solve -- fairkalah` solves all 254 openings of `FairKalah`.

use std::time::{Duration, Instant};

use mancala_referee::rules::{
    Direction, House, Opening, Ply, Ruleset, RulesetName, SeedsAHouse, Sower,
};
use mancala_referee::solve::{Budget, DEFAULT_MEMORY, Solver, Wanted, solve};

fn main() {
    if std::env::args().any(|argument| argument == "fairkalah") {
        fair_kalah();
        return;
    }
    println!("| opening | asked | value | positions | time | positions a second |");
    println!("|---|---|---|---|---|---|");
    // Irving, Donkers and Uiterwijk, 2000, for ece1021; the others by an independent solver.
    for (name, seeds, value) in [
        (RulesetName::Learneroo, 3, 2),
        (RulesetName::Ece1021, 1, 2),
        (RulesetName::Ece1021, 2, 10),
        (RulesetName::Ece1021, 3, 2),
        (RulesetName::Mancala5000, 4, 12),
        (RulesetName::Ece1021, 4, 10),
    ] {
        measure(name, seeds, Wanted::Best, Some(value));
    }
    let values = measure(RulesetName::Ece1021, 4, Wanted::AllMoves, Some(10));
    assert_eq!(values, [-14, -8, 10, -2, -6, 4].map(Some));
    let values = measure(RulesetName::Mancala5000, 4, Wanted::AllMoves, Some(12));
    assert_eq!(values, [-18, -10, 12, 2, 0, 4].map(Some));
    // Timed only: its value is not published.
    measure(RulesetName::Kalah, 4, Wanted::Best, None);
    published_game();
}

/// No move of the four-seed game that Irving, Donkers and Uiterwijk print loses anything.
fn published_game() {
    let since = Instant::now();
    let rules = RulesetName::Ece1021.rules();
    let mut solver = Solver::new(&rules, DEFAULT_MEMORY).expect("rules that can be solved");
    let mut board = Opening::standard(&rules).board();
    let mut value = 10;
    let game = "25-10-3-3-5153-1-4-5-045-4-535452-53-4-1-3-2-0-54-1-3";
    for cell in game.bytes().filter(|&byte| byte != b'-') {
        let house = House::new(cell - b'0').expect("a house");
        let ply = Ply { house, direction: Direction::Forward };
        let exact = solver.value(board, &Budget::default(), &mut |_| {}).exact();
        assert_eq!(exact, Some(value), "{board:?}");
        assert_eq!(solver.keeps(board, ply, value, &Budget::default()), Some(true), "{board:?}");
        let sown = Sower::new(&rules).sow(board.without_stores(), ply);
        let gain = i16::from(sown.board.store()) - i16::from(sown.board.opponent_store());
        value = if sown.extra_turn { value - gain } else { gain - value };
        board = sown.next();
    }
    assert!(board.is_over());
    println!(
        "no move of the published four-seed game loses: {:.1} s",
        since.elapsed().as_secs_f64()
    );
}

fn measure(
    name: RulesetName,
    seeds: u8,
    wanted: Wanted,
    published: Option<i16>,
) -> Vec<Option<i16>> {
    let seeds_a_house = SeedsAHouse::new(seeds).expect("1 to 20 seeds");
    let rules = Ruleset { seeds: seeds_a_house, ..name.rules() };
    let since = Instant::now();
    let mut solver = Solver::new(&rules, DEFAULT_MEMORY).expect("rules that can be solved");
    let board = Opening::standard(&rules).board();
    let solution = solve(&mut solver, board, wanted, &Budget::default(), &mut |_| {});
    let time = since.elapsed();
    let value = solution.value.exact().expect("nothing stops it");
    assert_eq!(value, published.unwrap_or(value));
    let asked = if wanted == Wanted::Best { "value" } else { "all moves" };
    let rate = millions(solution.nodes, time);
    let (nodes, seconds) = (solution.nodes, time.as_secs_f64());
    println!("| {name}, {seeds} | {asked} | {value:+} | {nodes} | {seconds:.2} s | {rate:.1} M |");
    solution.moves.iter().map(|found| found.value.exact()).collect()
}

fn fair_kalah() {
    let rules = RulesetName::Ece1021.rules();
    let mut solver = Solver::new(&rules, DEFAULT_MEMORY).expect("rules that can be solved");
    let since = Instant::now();
    let text = include_str!("../data/fairkalah.txt");
    for line in text.lines() {
        let board = line.parse::<Opening>().expect("an opening").board();
        let value = solver.value(board, &Budget::default(), &mut |_| {});
        let stores = i16::from(board.store()) - i16::from(board.opponent_store());
        assert_eq!(value.exact().map(|value| value + stores), Some(0), "{line}");
    }
    let (count, seconds) = (text.lines().count(), since.elapsed().as_secs_f64());
    println!("{count} openings of FairKalah are worth 0: {seconds:.0} s");
}

/// Millions of positions a second.
fn millions(nodes: u64, time: Duration) -> f64 {
    let thousands = u32::try_from(nodes / 1000).unwrap_or(u32::MAX);
    f64::from(thousands) / 1000.0 / time.as_secs_f64()
}
