//! Makes the opening books of the built-in expert: `cargo bench --bench books -- RULES NODES`.
//!
//! The book leaves out what the expert solves within NODES positions. It goes to stdout, as the files
//! in `src/game/engine/book/` have it. Those of four seeds a house take hours.

mod book_making;

use std::num::NonZeroUsize;
use std::process::ExitCode;

use book_making::make_book;
use mancala_referee::engine::exact::prepared_solver;
use mancala_referee::rules::RulesetName;
use mancala_referee::solve::{Budget, MANY_MEMORY, Solver};

fn main() -> ExitCode {
    // Cargo adds --bench.
    let arguments: Vec<String> = std::env::args().skip(1).filter(|a| a != "--bench").collect();
    let [rules, nodes] = arguments.as_slice() else {
        eprintln!("usage: cargo bench --bench books -- RULES NODES");
        return ExitCode::from(2);
    };
    let (Ok(name), Ok(nodes)) = (rules.parse::<RulesetName>(), nodes.parse()) else {
        eprintln!("{rules} {nodes}: expected a ruleset and a number of positions");
        return ExitCode::from(2);
    };
    let threads = std::thread::available_parallelism().unwrap_or(NonZeroUsize::MIN);
    let solver = Solver::new(&name.rules(), MANY_MEMORY).map(|solver| solver.with_threads(threads));
    let mut progress = |answers: usize| eprint!("\r{answers} answers");
    match solver {
        Ok(mut solver) => {
            let all = Budget::default();
            let Some(cold) = prepared_solver(&name.rules(), &all) else {
                return ExitCode::FAILURE;
            };
            let book = make_book(&mut solver, cold, nodes, &all, &mut progress);
            let Some(book) = book else { return ExitCode::FAILURE };
            println!("# cargo bench --bench books -- {name} {nodes}");
            print!("{book}");
            ExitCode::SUCCESS
        }
        Err(error) => {
            eprintln!("{error}");
            ExitCode::FAILURE
        }
    }
}
