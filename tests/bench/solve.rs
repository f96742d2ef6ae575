//! How fast positions are solved, and whether their values are the published ones.
//!
//! `cargo bench --bench solve` times each opening from nothing, its table of endgames included, with
//! the memory that the command takes, and then the tables alone and the search beside them;
//! `cargo bench --bench solve -- fairkalah` solves all 254 openings of `FairKalah`;
//! `cargo bench --bench solve -- book` solves every position of the expert's opening books;
//! `cargo bench --bench solve -- games` has the expert play with them.

use std::num::{NonZeroU32, NonZeroUsize};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use mancala_referee::engine::{Book, BookAnswer, Effort, Expert, Level, Player};
use mancala_referee::rules::{
    Board, Direction, Game, House, Opening, Ply, Ruleset, RulesetName, SeedsAHouse, Side, Sower,
};
use mancala_referee::solve::{
    Budget, DEFAULT_MEMORY, MANY_MEMORY, Solver, WantedValues, memory_of_endgames, solve,
};

/// Positions that are searched in half of a tenth of a second: the expert's share of such a limit.
const EXACT_WITHIN: u64 = 200_000;

/// Games of the expert with each book, on each side.
const GAMES: u64 = 50;

fn main() {
    if std::env::args().any(|argument| argument == "fairkalah") {
        fair_kalah();
        return;
    }
    if std::env::args().any(|argument| argument == "book") {
        books();
        return;
    }
    if std::env::args().any(|argument| argument == "games") {
        RulesetName::ALL
            .into_iter()
            .filter(|name| Book::of(&name.rules()).is_some())
            .for_each(exact_games);
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
        measure(name, seeds, WantedValues::Best, Some(value));
    }
    let values = measure(RulesetName::Ece1021, 4, WantedValues::AllMoves, Some(10));
    assert_eq!(values, [-14, -8, 10, -2, -6, 4].map(Some));
    let values = measure(RulesetName::Mancala5000, 4, WantedValues::AllMoves, Some(12));
    assert_eq!(values, [-18, -10, 12, 2, 0, 4].map(Some));
    // Timed only: its value is not published.
    measure(RulesetName::Kalah, 4, WantedValues::Best, None);
    published_game();
    tables();
}

/// How long tables of endgames take, and how fast the search is once they are there.
fn tables() {
    let rules = RulesetName::Ece1021.rules();
    println!();
    println!(
        "| table up to | positions, a byte each | one thread | two threads | then positions a second |"
    );
    println!("|---|---|---|---|---|");
    for seeds in [14, 18] {
        let memory = memory_of_endgames(seeds);
        let [one, two] = [1, 2].map(|threads| {
            let threads = NonZeroUsize::new(threads).expect("one or two");
            // Twice as much: a solver uses a part of it for what it finds.
            let solver = Solver::new(&rules, 2 * memory).expect("rules that can be solved");
            let mut solver = solver.with_threads(threads);
            let since = Instant::now();
            solver.prepare(seeds, &Budget::default());
            assert_eq!(solver.endgame_seeds(), seeds);
            since.elapsed().as_secs_f64()
        });
        let mut solver = Solver::new(&rules, DEFAULT_MEMORY).expect("rules that can be solved");
        solver.prepare(seeds, &Budget::default());
        let since = Instant::now();
        solver.value(Opening::standard(&rules).board(), &Budget::default(), &mut |_| {});
        let rate = millions(solver.nodes(), since.elapsed());
        // Stars and bars: the seeds that are not in one of twelve houses are in none.
        let bytes = (1..=12).fold(1, |product, house| product * (seeds + house) / house);
        println!("| {seeds} seeds | {bytes} | {one:.2} s | {two:.2} s | {rate:.1} M |");
    }
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
    wanted: WantedValues,
    published: Option<i16>,
) -> Vec<Option<i16>> {
    let seeds_a_house = SeedsAHouse::new(seeds).expect("1 to 20 seeds");
    let rules = Ruleset { seeds: seeds_a_house, ..name.rules() };
    let since = Instant::now();
    let (asked, memory) = match wanted {
        WantedValues::Best => ("value", DEFAULT_MEMORY),
        WantedValues::AllMoves => ("all moves", MANY_MEMORY),
    };
    let mut solver = Solver::new(&rules, memory).expect("rules that can be solved");
    let board = Opening::standard(&rules).board();
    let solution = solve(&mut solver, board, wanted, &Budget::default(), &mut |_| {});
    let time = since.elapsed();
    let value = solution.value.exact().expect("nothing stops it");
    assert_eq!(value, published.unwrap_or(value));
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

fn books() {
    let threads = thread::available_parallelism().expect("a number of threads");
    for name in RulesetName::ALL {
        let rules = name.rules();
        let Some(book) = Book::of(&rules) else { continue };
        let since = Instant::now();
        let answers: Vec<(Board, BookAnswer)> = book.answers().collect();
        let team = Solver::team(&rules, MANY_MEMORY, threads).expect("rules that can be solved");
        let next = AtomicUsize::new(0);
        thread::scope(|scope| {
            for mut solver in team {
                let (next, answers) = (&next, &answers);
                scope.spawn(move || {
                    while let Some(&answer) = answers.get(next.fetch_add(1, Ordering::Relaxed)) {
                        verify(&mut solver, name, answer);
                    }
                });
            }
        });
        let (count, seconds) = (answers.len(), since.elapsed().as_secs_f64());
        println!("{count} answers of the book for {name} are exact: {seconds:.0} s");
    }
}

fn verify(solver: &mut Solver, name: RulesetName, (board, answer): (Board, BookAnswer)) {
    let all = Budget::default();
    let BookAnswer { ply, value } = answer;
    let found = solver.value_near(board, Some(value), &all);
    assert_eq!(found.exact(), Some(value), "{name} {board:?}");
    assert_eq!(solver.keeps(board, ply, value, &all), Some(true), "{name} {board:?}");
}

/// Every move of the expert's from a standard opening is exact, with as many positions as are
/// searched at a limit of a tenth of a second, whatever its opponent does.
fn exact_games(name: RulesetName) {
    for side in [Side::First, Side::Second] {
        let since = Instant::now();
        let (mut moves, mut not_exact) = (0, 0);
        for seed in 0..GAMES {
            let (more, more_not_exact) = exact_game(name, side, seed);
            moves += more;
            not_exact += more_not_exact;
        }
        let seconds = since.elapsed().as_secs_f64();
        println!(
            "{name}, {side:?}: {moves} moves of the expert, {not_exact} not exact: {seconds:.0} s"
        );
        assert_eq!(not_exact, 0, "{name}, {side:?}");
    }
}

/// The expert's moves in a game, and how many of them are not exact.
fn exact_game(name: RulesetName, side: Side, seed: u64) -> (u32, u32) {
    let rules = name.rules();
    let effort = Effort::positions(EXACT_WITHIN);
    let levels = [Level::Random, Level::Easy, Level::Average];
    let mut opponents = levels.map(|level| Player::new(level, &rules, seed));
    let mut turns = seed;
    let mut expert = Expert::new(&rules).expect("memory");
    let opening = Opening::standard(&rules);
    // It looks the same from both sides.
    expert.begin_game(opening.board(), side == Side::First);
    let mut game = Game::new(rules, opening, NonZeroU32::MAX);
    let (mut moves, mut not_exact) = (0, 0);
    while game.ending().is_none() {
        let board = game.board();
        let ply = if game.mover() == side {
            let judgement = expert.choose(board, effort).expect("a move");
            moves += 1;
            not_exact += u32::from(judgement.exact.is_none());
            judgement.choice.ply
        } else {
            turns += 1;
            let opponent = &mut opponents[usize::try_from(turns % 3).expect("a level")];
            opponent.choose(board, effort.time).expect("a move").ply
        };
        game.play(ply).expect("a legal move");
    }
    (moves, not_exact)
}

/// Millions of positions a second.
fn millions(nodes: u64, time: Duration) -> f64 {
    let thousands = u32::try_from(nodes / 1000).unwrap_or(u32::MAX);
    f64::from(thousands) / 1000.0 / time.as_secs_f64()
}
