//! More than 10,000 rounds of all rulesets, each played again from its record without a
//! difference. The first argument is another number of openings for each pairing. Ends with 1 when a
//! match is not valid.

#[path = "replaying/mod.rs"]
mod replaying;

use std::process::ExitCode;
use std::time::Instant;

fn main() -> ExitCode {
    // Cargo adds an argument of its own: --bench.
    let number = std::env::args().skip(1).find(|argument| !argument.starts_with("--"));
    let openings = number.map_or(210, |number| number.parse().expect("a number of openings"));
    let folder = tempfile::tempdir().expect("a folder is made");
    let began = Instant::now();
    match replaying::run(env!("CARGO_BIN_EXE_mancala"), folder.path(), openings) {
        Ok(rounds) => {
            println!("{rounds} rounds replay without a difference, in {:.1?}", began.elapsed());
            ExitCode::SUCCESS
        }
        Err(why) => {
            println!("{why}");
            ExitCode::FAILURE
        }
    }
}
