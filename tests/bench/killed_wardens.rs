//! Four sound pairs beside a bot that kills its wardens, a hundred times or as often as the first
//! argument says: no round of theirs is touched. Ends with 1 when one was.

#[path = "killing_wardens/mod.rs"]
mod killing_wardens;

use std::process::ExitCode;

fn main() -> ExitCode {
    // Cargo adds an argument of its own: --bench.
    let number = std::env::args().skip(1).find(|argument| !argument.starts_with("--"));
    let runs: u32 = number.map_or(100, |number| number.parse().expect("a number of runs"));
    let mut touched = 0;
    for run in 1..=runs {
        let folder = tempfile::tempdir().expect("a folder is made");
        let (mancala, hostile) = (env!("CARGO_BIN_EXE_mancala"), env!("CARGO_BIN_EXE_hostile"));
        if let Err(why) = killing_wardens::run(mancala, hostile, folder.path()) {
            println!("run {run}: {why}");
            touched += 1;
        }
    }
    println!("{} of {runs} runs left the sound pairs untouched", runs - touched);
    if touched == 0 { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}
