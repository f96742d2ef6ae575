//! Runs tests with the options of `cargo test` that name tests: first those that may run beside each
//! other, then the rest one after the other.

use std::process::ExitCode;
use std::sync::Mutex;
use std::thread::{self, Builder};
use std::time::Instant;

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

/// How many tests of those that may run beside each other do so: they share the cores, and wait much.
const AT_ONCE: usize = 4;

/// Runs the tests that the command line names; fails if one of them does.
pub fn run(beside_each_other: &[&[Test]], one_at_a_time: &[&[Test]]) -> ExitCode {
    let selection = Selection::of_arguments(std::env::args().skip(1));
    let mut filtered_out = 0;
    let [first, then] = [beside_each_other, one_at_a_time].map(|modules| {
        let all = modules.iter().copied().flatten().map(|&(path, test)| {
            let (_, path) = path.split_once("::").expect("a path begins with the crate");
            (path, test)
        });
        let (selected, others): (Vec<Test>, Vec<_>) =
            all.partition(|(path, _)| selection.has(path));
        filtered_out += others.len();
        selected
    });
    if selection.list {
        for (path, _) in first.iter().chain(&then) {
            println!("{path}: test");
        }
        return ExitCode::SUCCESS;
    }
    let all_began = Instant::now();
    println!("\nrunning {} tests, {AT_ONCE} at a time", first.len());
    let mut failed = run_at_once(&first, AT_ONCE);
    println!("\nrunning {} tests, one at a time", then.len());
    failed.extend(run_at_once(&then, 1));
    let verdict = if failed.is_empty() { "ok" } else { "FAILED" };
    let passed = first.len() + then.len() - failed.len();
    for path in &failed {
        println!("failed: {path}");
    }
    println!(
        "\ntest result: {verdict}. {passed} passed; {} failed; 0 ignored; 0 measured; {} filtered out; finished in {:.1} s\n",
        failed.len(),
        filtered_out,
        all_began.elapsed().as_secs_f64()
    );
    if failed.is_empty() { ExitCode::SUCCESS } else { ExitCode::from(101) }
}

/// Runs these tests, so many at once, and returns the paths of those that failed.
fn run_at_once(tests: &[Test], at_once: usize) -> Vec<&'static str> {
    let (waiting, failed) = (Mutex::new(tests.iter()), Mutex::new(Vec::new()));
    let next = || waiting.lock().expect("no test runs while it is locked").next();
    let run_the_next = || {
        while let Some(&(path, test)) = next() {
            let began = Instant::now();
            // The name of the thread stands in the message of a failure.
            let running =
                Builder::new().name(path.to_owned()).spawn(test).expect("a thread starts");
            let passed = running.join().is_ok();
            let seconds = began.elapsed().as_secs_f64();
            println!("test {path} ... {} ({seconds:.1} s)", if passed { "ok" } else { "FAILED" });
            if !passed {
                failed.lock().expect("no test runs while it is locked").push(path);
            }
        }
    };
    thread::scope(|scope| {
        for _ in 0..at_once {
            scope.spawn(run_the_next);
        }
    });
    failed.into_inner().expect("no thread is left")
}
