//! One referee for a long time: what it has of the machine's after many rounds is no more than
//! after the first ones.
//!
//! ```text
//! cargo bench --bench soak              100,000 rounds
//! cargo bench --bench soak -- 20000     another number, or SOAK_ROUNDS=20000
//! ```
//!
//! It fails, with exit code 1, when after the last round there are more descriptors, threads or
//! processes than after the first thousand, or 4 MiB more of memory.

mod long_run;

use std::process::ExitCode;

use long_run::Soak;

/// So many rounds before the first count.
const SETTLED: u64 = 1_000;

fn main() -> ExitCode {
    let arguments: Vec<String> =
        std::env::args().skip(1).chain(std::env::var("SOAK_ROUNDS")).collect();
    // Cargo adds an argument of its own: --bench.
    let number = arguments.iter().find(|argument| !argument.starts_with("--"));
    let rounds = number.map_or(100_000, |number| number.parse().expect("a number of rounds"));
    let soak = Soak { rounds: rounds.max(2 * SETTLED), settled: SETTLED, shown: 10 };
    let folder = tempfile::tempdir().expect("a folder is made");
    match soak.run(env!("CARGO_BIN_EXE_hostile"), folder.path(), &mut |line| println!("{line}")) {
        Ok(()) => {
            println!("nothing has grown");
            ExitCode::SUCCESS
        }
        Err(grown) => {
            println!("more than after {SETTLED} rounds:\n  {}", grown.join("\n  "));
            ExitCode::FAILURE
        }
    }
}
