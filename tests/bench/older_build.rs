//! Matches, turns and the solver of this build beside those of an older one, a run of each in turn:
//!
//! ```text
//! cargo bench --bench older_build -- PROGRAM [RUNS]
//! ```
//!
//! `PROGRAM` is the older `mancala`, built in the same way. Prints the median time of a run, and the
//! ratio of the medians beside half of all ratios of neighbouring runs.

#[path = "echoing/mod.rs"]
mod echoing;

use std::path::Path;
use std::process::{Command, ExitCode, Stdio};
use std::time::Instant;

/// What is measured, and the arguments; `ECHO` is a program that answers at once, and `RECORD` a file
/// that is not there.
const MEASURED: [(&str, &str); 4] = [
    ("a match of 2 rounds", "match --quiet ECHO ECHO"),
    ("a match of 2 rounds in the sandbox", "match --quiet --sandbox ECHO ECHO"),
    (
        "14,000 turns",
        "tournament --quiet --jobs=1 --reuse-bots --repeat=100 --rules=mancala5000 --direction=forward \
         --seeds=20 --record=RECORD a=ECHO b=ECHO",
    ),
    (
        "solving a position",
        "solve --quiet --best --rules=kalah --seeds=3 --time=10m --memory=64MiB",
    ),
];

fn main() -> ExitCode {
    // Cargo adds --bench.
    let mut arguments = std::env::args().skip(1).filter(|argument| argument != "--bench");
    let Some(older) = arguments.next() else {
        println!("not measured: cargo bench --bench older_build -- PROGRAM names an older build");
        return ExitCode::SUCCESS;
    };
    let runs: usize = arguments.next().map_or(31, |runs| runs.parse().expect("a number of runs"));
    let folder = tempfile::tempdir().expect("a folder is made");
    let Some(echo) = echoing::compile(folder.path().join("echo"), &[]) else {
        return ExitCode::SUCCESS;
    };
    let last = echoing::processors().pop().expect("there is a processor");
    echoing::bind_to(&[last]);
    let began = Instant::now();
    (0..runs).for_each(|_| echoing::start_and_reap_two(&echo));
    let floor = began.elapsed().as_secs_f64() * 1e3 / f64::from(u32::try_from(runs).unwrap_or(1));
    println!("starting and reaping two programs: {floor:.2} ms");
    let record = folder.path().join("record");
    for (what, words) in MEASURED {
        let words = words.replace("ECHO", &echo.display().to_string());
        let words = words.replace("RECORD", &record.display().to_string());
        let run = |program: &str| seconds(program, &words, &record);
        let pairs: Vec<[f64; 2]> = (0..runs).map(|_| [run(&older), run(THIS)]).collect();
        let [before, now] = [0, 1].map(|place| quarters(pairs.iter().map(|pair| pair[place]))[1]);
        let ratios = quarters(pairs.iter().map(|[before, now]| now / before));
        println!(
            "{what}: {:.2} ms, before {:.2} ms; ratio {:.3} ({:.3} to {:.3})",
            now * 1e3,
            before * 1e3,
            now / before,
            ratios[0],
            ratios[2]
        );
    }
    ExitCode::SUCCESS
}

/// The build of this bench.
const THIS: &str = env!("CARGO_BIN_EXE_mancala");

fn seconds(program: &str, words: &str, record: &Path) -> f64 {
    let began = Instant::now();
    let status = Command::new(program)
        .args(words.split_whitespace())
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .status()
        .unwrap_or_else(|error| panic!("{program} cannot be run: {error}"));
    let took = began.elapsed().as_secs_f64();
    assert!(status.success(), "{program} {words}: {status}");
    let _ = std::fs::remove_file(record);
    took
}

/// The first quarter, the median and the third quarter.
fn quarters(values: impl Iterator<Item = f64>) -> [f64; 3] {
    let mut values: Vec<f64> = values.collect();
    values.sort_by(f64::total_cmp);
    [1, 2, 3].map(|quarter| values[values.len() * quarter / 4])
}
