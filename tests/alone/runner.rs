//! Runs tests with a core, or all cores, to themselves, with the options of `cargo test` that name
//! tests.

use std::process::ExitCode;
use std::sync::{Mutex, PoisonError};
use std::thread;
use std::time::Instant;

use rustix::thread::{CpuSet, sched_getaffinity, sched_setaffinity};

/// A test and its path.
pub type Test = (&'static str, fn());

/// The tests of a module. The compiler reports a test that is missing here: nothing uses it.
macro_rules! tests {
    ($($name:path),+ $(,)?) => {
        &[$((concat!(module_path!(), "::", stringify!($name)), $name)),+]
    };
}
pub(crate) use tests;

/// Which tests the arguments name: all if they name none.
#[derive(Default)]
struct Selection {
    names: Vec<String>,
    skipped: Vec<String>,
    exact: bool,
    list: bool,
    ignored: bool,
}

impl Selection {
    /// Options that concern threads and output change nothing here.
    fn of_arguments(mut arguments: impl Iterator<Item = String>) -> Selection {
        let mut selection = Selection::default();
        while let Some(argument) = arguments.next() {
            match &*argument {
                "--exact" => selection.exact = true,
                "--list" => selection.list = true,
                "--ignored" => selection.ignored = true,
                "--skip" => selection.skipped.extend(arguments.next()),
                "--test-threads" | "--format" | "--color" | "-Z" => drop(arguments.next()),
                option if option.starts_with('-') => {}
                _ => selection.names.push(argument),
            }
        }
        selection
    }

    fn has(&self, path: &str) -> bool {
        let fits = |name: &String| if self.exact { path == name } else { path.contains(name) };
        // No test is ignored, so `--ignored` asks for none.
        !self.ignored
            && (self.names.is_empty() || self.names.iter().any(fits))
            && !self.skipped.iter().any(fits)
    }
}

/// Runs the tests that the command line names; fails if one of them does. Those of `with_a_core` run
/// at the same time, each bound to a core that no other test uses; then those of `with_all_cores`, one
/// at a time.
pub fn run(with_a_core: &[&[Test]], with_all_cores: &[&[Test]]) -> ExitCode {
    let selection = Selection::of_arguments(std::env::args().skip(1));
    let mut others = 0;
    let [with_a_core, with_all_cores] = [with_a_core, with_all_cores].map(|modules| {
        let all = modules.iter().copied().flatten().map(|&(path, test)| {
            let (_, path) = path.split_once("::").expect("a path begins with the crate");
            (path, test)
        });
        let (selected, left_out): (Vec<Test>, Vec<_>) =
            all.partition(|(path, _)| selection.has(path));
        others += left_out.len();
        selected
    });
    if selection.list {
        for (path, _) in with_a_core.iter().chain(&with_all_cores) {
            println!("{path}: test");
        }
        return ExitCode::SUCCESS;
    }
    let selected = with_a_core.len() + with_all_cores.len();
    println!("\nrunning {selected} tests, on a core each or one at a time");
    let failed = Mutex::new(Vec::new());
    let began = Instant::now();
    let left = Mutex::new(with_a_core.into_iter());
    let next = || left.lock().unwrap_or_else(PoisonError::into_inner).next();
    thread::scope(|scope| {
        for core in cores() {
            let (failed, next) = (&failed, &next);
            scope.spawn(move || {
                sched_setaffinity(None, &core).expect("the tests may be bound to a core");
                while let Some(test) = next() {
                    run_test(test, failed);
                }
            });
        }
    });
    for test in with_all_cores {
        run_test(test, &failed);
    }
    let failed = failed.into_inner().unwrap_or_else(PoisonError::into_inner);
    let verdict = if failed.is_empty() { "ok" } else { "FAILED" };
    for path in &failed {
        println!("failed: {path}");
    }
    println!(
        "\ntest result: {verdict}. {} passed; {} failed; 0 ignored; 0 measured; {others} filtered out; finished in {:.1} s\n",
        selected - failed.len(),
        failed.len(),
        began.elapsed().as_secs_f64()
    );
    if failed.is_empty() { ExitCode::SUCCESS } else { ExitCode::from(101) }
}

/// The cores that tests are bound to: those that they may use, but no more than have been tried.
fn cores() -> impl Iterator<Item = CpuSet> {
    let all = sched_getaffinity(None).expect("the cores are known");
    let cores = (0..CpuSet::MAX_CPU).filter(move |&core| all.is_set(core)).take(4);
    cores.map(|core| {
        let mut one = CpuSet::new();
        one.set(core);
        one
    })
}

/// Runs a test in a thread of its own, which has the cores of this one, and says how it ended.
fn run_test((path, test): Test, failed: &Mutex<Vec<&'static str>>) {
    let began = Instant::now();
    // The name of the thread stands in the message of a failure.
    let thread = thread::Builder::new().name(path.to_owned()).spawn(test);
    let passed = thread.expect("a thread starts").join().is_ok();
    let seconds = began.elapsed().as_secs_f64();
    println!("test {path} ... {} ({seconds:.1} s)", if passed { "ok" } else { "FAILED" });
    if !passed {
        failed.lock().unwrap_or_else(PoisonError::into_inner).push(path);
    }
}
