//! The commands in the documents print what the documents show.

mod commands;

use crate::markdown::blocks;
use crate::program::repository;
use crate::requirements;
use crate::runner::{Test, tests};
use commands::{Place, steps};

pub const TESTS: &[Test] = tests![
    readme_commands_print_what_the_readme_shows,
    protocol_commands_print_what_the_page_shows,
    class_contest_commands_print_what_the_page_shows,
    ci_runs_the_cargo_commands_of_the_readme,
    commands::expected_output_matches_only_where_placeholders_allow,
];

/// The README's command for the tests.
const CARGO_TEST: &str = "cargo test";

/// The README's commands that no test runs, because they take cargo itself: `.ci/run` does.
const RUN_BY_CI: [&str; 3] = [
    CARGO_TEST,
    "cargo install --locked --path .",
    "cargo run --release -- match builtin:hard builtin:easy",
];

fn document(name: &str) -> String {
    std::fs::read_to_string(repository().join(name)).unwrap()
}

fn readme_commands_print_what_the_readme_shows() {
    check_commands("README.md");
}

fn protocol_commands_print_what_the_page_shows() {
    check_commands("protocol.md");
}

fn class_contest_commands_print_what_the_page_shows() {
    if requirements::are_there("gcc bash python3 --sandbox", "the class contest") {
        check_commands("examples/class/README.md");
    }
}

/// Saves the files and runs the commands of a document from top to bottom, in one place.
fn check_commands(name: &str) {
    let mut place = Place::new();
    let mut commands = 0;
    for block in blocks(&document(name)) {
        let what = format!("{name}:{}", block.line);
        match (block.language(), &block.words[..]) {
            ("console", _) => {
                let steps = steps(&block);
                let needs_cargo = |command: &str| {
                    command.starts_with("cargo") && !command.starts_with("cargo run --release -- ")
                };
                if steps.iter().any(|step| needs_cargo(&step.command)) {
                    for step in &steps {
                        assert!(RUN_BY_CI.contains(&step.command.as_str()), "{what}: {step:?}");
                    }
                } else {
                    place.check(&block, &what);
                }
                commands += steps.len();
            }
            ("python" | "toml", [_, file]) => place.save(file, &block.lines),
            ("json" | "text", _) => {}
            (language, _) => panic!("{what}: nothing tests a block of {language:?}"),
        }
    }
    assert!(commands > 5, "{name} has commands");
}

fn ci_runs_the_cargo_commands_of_the_readme() {
    let readme = blocks(&document("README.md"));
    let readme = readme.iter().filter(|block| block.language() == "console");
    let readme: Vec<String> = readme.flat_map(steps).map(|step| step.command).collect();
    let script = document(".ci/run");
    let lines: Vec<&str> = script.lines().map(str::trim).filter(|line| !line.is_empty()).collect();
    for command in RUN_BY_CI {
        assert!(readme.iter().any(|typed| typed == command), "{command} is not in the README");
        let runs = lines.iter().any(|line| !line.starts_with('#') && line.ends_with(command));
        assert!(runs, "{command} is not in .ci/run");
    }
    assert_eq!(lines.last(), Some(&CARGO_TEST));
    assert!(lines.contains(&"set -euo pipefail"));
}
