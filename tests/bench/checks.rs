//! A whole check of every sound example, those included that take a second to start. Ends with 1
//! when one is not clean.

#[path = "checking/mod.rs"]
mod checking;

use std::process::{Command, ExitCode};
use std::time::Instant;

fn main() -> ExitCode {
    let mut code = ExitCode::SUCCESS;
    for example in checking::WHOLE.iter().chain(checking::SAMPLED) {
        let began = Instant::now();
        let mut check = Command::new(env!("CARGO_BIN_EXE_mancala"));
        check.arg("check");
        match checking::check(check, *example, "20m") {
            Ok(left) if left.is_empty() => {
                println!("clean in {:.1?}: {}", began.elapsed(), example.0);
            }
            Ok(left) => {
                println!("{} was not played to its end: {}", left.join(", "), example.0);
                code = ExitCode::FAILURE;
            }
            Err(why) => {
                println!("{why}");
                code = ExitCode::FAILURE;
            }
        }
    }
    code
}
