//! A hundred tournaments of sound bots beside bots that attack, and as often four sound pairs beside
//! a bot that kills its wardens, or as often as the first argument says: no round of a sound bot is
//! touched. Ends with 1 when one was.

#[path = "besieging/mod.rs"]
mod besieging;
#[path = "killing_wardens/mod.rs"]
mod killing_wardens;

use std::process::ExitCode;
use std::time::Instant;

fn main() -> ExitCode {
    // Cargo adds an argument of its own: --bench.
    let number = std::env::args().skip(1).find(|argument| !argument.starts_with("--"));
    let runs: usize = number.map_or(100, |number| number.parse().expect("a number of runs"));
    let programs = (env!("CARGO_BIN_EXE_mancala"), env!("CARGO_BIN_EXE_hostile"));
    let mut touched = 0;
    for run in 0..runs {
        let began = Instant::now();
        let folder = tempfile::tempdir().expect("a folder is made");
        let besieged = besieging::run(programs, folder.path(), run, &[]);
        let took = began.elapsed().as_secs();
        match &besieged {
            Ok(faults) => println!(
                "tournament {}: no sound bot has a fault, and the others have {faults} ({took} s)",
                run + 1
            ),
            Err(wrong) => println!("tournament {}:\n  {}", run + 1, wrong.join("\n  ")),
        }
        let folder = tempfile::tempdir().expect("a folder is made");
        let killed = killing_wardens::run(programs.0, programs.1, folder.path(), 4_000);
        if let Err(why) = &killed {
            println!("wardens {}: {why}", run + 1);
        }
        touched += usize::from(besieged.is_err() || killed.is_err());
    }
    println!("{} of {runs} runs left the sound bots untouched", runs - touched);
    if touched == 0 { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}
