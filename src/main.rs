//! The `mancala` program: arguments in, exit code out.

use std::process::ExitCode;

fn main() -> ExitCode {
    match mancala_referee::cli::run() {
        Ok(()) => ExitCode::SUCCESS,
        Err(failure) => failure.report(),
    }
}
