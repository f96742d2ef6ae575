//! A hundred tournaments of sound bots beside bots that attack, and as often four sound pairs beside
//! a bot that kills its wardens: no round of a sound bot is touched. Ends with 1 when one was. The
//! arguments are the number of runs, and the number of the first.

#[path = "besieging/mod.rs"]
mod besieging;
#[path = "killing_wardens/mod.rs"]
mod killing_wardens;

use std::process::ExitCode;
use std::time::Instant;

fn main() -> ExitCode {
    // Cargo adds an argument of its own: --bench.
    let arguments = std::env::args().skip(1).filter(|argument| !argument.starts_with("--"));
    let mut numbers = arguments.map(|number| number.parse::<usize>().expect("a number"));
    let runs = numbers.next().unwrap_or(100);
    let first = numbers.next().unwrap_or(1).max(1);
    let programs = (env!("CARGO_BIN_EXE_mancala"), env!("CARGO_BIN_EXE_hostile"));
    let mut touched = 0;
    for number in first..first + runs {
        let began = Instant::now();
        let folder = tempfile::tempdir().expect("a folder is made");
        let besieged = besieging::run(programs, folder.path(), number - 1, &[]);
        let took = began.elapsed().as_secs();
        match &besieged {
            Ok(faults) => println!(
                "tournament {number}: no sound bot has a fault, and the others have {faults} ({took} s)"
            ),
            Err(wrong) => println!("tournament {number}:\n  {}", wrong.join("\n  ")),
        }
        let folder = tempfile::tempdir().expect("a folder is made");
        let killed = killing_wardens::run(programs.0, programs.1, folder.path(), 4_000);
        if let Err(why) = &killed {
            println!("wardens {number}: {why}");
        }
        touched += usize::from(besieged.is_err() || killed.is_err());
    }
    println!("{} of {runs} runs left the sound bots untouched", runs - touched);
    if touched == 0 { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}
