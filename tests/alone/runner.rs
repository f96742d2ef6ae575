//! Runs tests one after the other, with the options of `cargo test` that name tests.

use std::process::ExitCode;
use std::thread::Builder;
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

/// Runs the tests that the command line names; fails if one of them does.
pub fn run(modules: &[&[Test]]) -> ExitCode {
    let selection = Selection::of_arguments(std::env::args().skip(1));
    let all = modules.iter().copied().flatten().map(|&(path, test)| {
        let (_, path) = path.split_once("::").expect("a path begins with the crate");
        (path, test)
    });
    let (selected, others): (Vec<_>, Vec<_>) = all.partition(|(path, _)| selection.has(path));
    if selection.list {
        for (path, _) in &selected {
            println!("{path}: test");
        }
        return ExitCode::SUCCESS;
    }
    println!("\nrunning {} tests, one at a time", selected.len());
    let mut failed = Vec::new();
    let all_began = Instant::now();
    for (path, test) in &selected {
        let began = Instant::now();
        // The name of the thread stands in the message of a failure.
        let thread = Builder::new().name((*path).to_owned()).spawn(*test).expect("a thread starts");
        let passed = thread.join().is_ok();
        let seconds = began.elapsed().as_secs_f64();
        println!("test {path} ... {} ({seconds:.1} s)", if passed { "ok" } else { "FAILED" });
        failed.extend((!passed).then_some(*path));
    }
    let verdict = if failed.is_empty() { "ok" } else { "FAILED" };
    let passed = selected.len() - failed.len();
    for path in &failed {
        println!("failed: {path}");
    }
    println!(
        "\ntest result: {verdict}. {passed} passed; {} failed; 0 ignored; 0 measured; {} filtered out; finished in {:.1} s\n",
        failed.len(),
        others.len(),
        all_began.elapsed().as_secs_f64()
    );
    if failed.is_empty() { ExitCode::SUCCESS } else { ExitCode::from(101) }
}
