//! Simulated tournaments, one for each seed: disturbed, stopped, killed and resumed, and each with
//! the table of an undisturbed one in the end.
//!
//! ```text
//! cargo bench --bench simulation                   the seeds 0 to 99,999
//! cargo bench --bench simulation -- 5000           the seeds 0 to 4,999
//! cargo bench --bench simulation -- 1 70000        one seed: 70,000
//! ```
//!
//! It ends with exit code 1 if one differs, and prints all that happened in the first ones.

use std::collections::BTreeMap;
use std::process::ExitCode;
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Instant;

use mancala_referee::simulation::simulate;

/// Seeds that are printed if they fail.
const MOST_SHOWN: usize = 3;

fn main() -> ExitCode {
    let numbers: Vec<u64> = std::env::args().filter_map(|word| word.parse().ok()).collect();
    let count = numbers.first().copied().unwrap_or(100_000);
    let first = numbers.get(1).copied().unwrap_or(0);
    let began = Instant::now();
    let next = AtomicU64::new(first);
    let happened: Mutex<BTreeMap<&str, u64>> = Mutex::default();
    let failed: Mutex<Vec<(u64, String)>> = Mutex::default();
    let threads = std::thread::available_parallelism().map_or(1, usize::from);
    std::thread::scope(|scope| {
        for _ in 0..threads {
            scope.spawn(|| {
                loop {
                    let seed = next.fetch_add(1, Ordering::Relaxed);
                    if seed >= first + count {
                        return;
                    }
                    match simulate(seed) {
                        Ok(found) => {
                            let mut happened = happened.lock().expect("no thread panics");
                            for (what, times) in found {
                                *happened.entry(what).or_default() += u64::from(times);
                            }
                        }
                        Err(why) => failed.lock().expect("no thread panics").push((seed, why)),
                    }
                }
            });
        }
    });
    let seconds = began.elapsed().as_secs_f64();
    let mut failed = failed.into_inner().expect("no thread panics");
    failed.sort();
    for (_, why) in failed.iter().take(MOST_SHOWN) {
        println!("{why}\n");
    }
    println!("{count} seeds in {seconds:.0} s, {} failed", failed.len());
    if !failed.is_empty() {
        println!("{:?}", failed.iter().map(|(seed, _)| *seed).collect::<Vec<_>>());
    }
    for (what, times) in happened.into_inner().expect("no thread panics") {
        println!("{times:>9}  {what}");
    }
    if failed.is_empty() { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}
