//! Two hundred sandboxed matches, sixteen at once, of bots that attack: every verdict is right, and
//! nothing is left. The first argument is another number of matches. Ends with 1 when one was wrong.

#[path = "attacking_at_once/mod.rs"]
mod attacking_at_once;

use std::process::ExitCode;

fn main() -> ExitCode {
    // Cargo adds an argument of its own: --bench.
    let number = std::env::args().skip(1).find(|argument| !argument.starts_with("--"));
    let matches = number.map_or(200, |number| number.parse().expect("a number of matches"));
    let folder = tempfile::tempdir().expect("a folder is made");
    let programs = (env!("CARGO_BIN_EXE_mancala"), env!("CARGO_BIN_EXE_hostile"));
    match attacking_at_once::run(programs, folder.path(), matches, 16) {
        Ok(ends) => {
            println!("{matches} matches, no wrong verdict, nothing left; rounds: {ends:?}");
            ExitCode::SUCCESS
        }
        Err(wrong) => {
            println!("wrong:\n  {}", wrong.join("\n  "));
            ExitCode::FAILURE
        }
    }
}
