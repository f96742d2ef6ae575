//! `mancala report`: what is in a page, what its script computes, and what is refused.

mod anonymous;
mod assets;
mod browser;
mod contest;
mod counted_cases;
mod details;
mod in_browser;
mod limits;
mod order;
mod page;
mod refusals;
mod rules;
mod size;
mod sums;
mod updated;

use std::path::PathBuf;
use std::process::Command;

use crate::program::{path, repository};

/// The script of every page.
fn script() -> PathBuf {
    repository().join("src/display/report/page/page.js")
}

/// Runs a part of `script.mjs` and returns what it prints.
#[track_caller]
fn node<const COUNT: usize>(arguments: [&str; COUNT]) -> String {
    let harness = path(repository().join("tests/it/report/script.mjs"));
    let output = Command::new("node")
        .args([&*harness, &*path(script())])
        .args(arguments)
        .output()
        .expect("node runs");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).expect("it prints UTF-8")
}
