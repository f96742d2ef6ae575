//! Command blocks: run as a reader would type them, and compared with what is printed there.
//!
//! In the output, `[..]` stands for anything within a line and a line `...` for any lines. Numbers
//! with decimals are times, and differ from run to run; in a block that says `any-numbers`, so
//! does every number.

use std::os::unix::fs::{PermissionsExt, symlink};
use std::path::PathBuf;
use std::process::{Command, Stdio};

use crate::markdown::Block;
use crate::program::{repository, search_path};
use crate::requirements;

/// What a reader types, and what is printed below it.
#[derive(Debug)]
pub struct Step {
    pub command: String,
    pub output: Vec<String>,
}

/// The steps of a `console` block.
pub fn steps(block: &Block) -> Vec<Step> {
    let mut steps: Vec<Step> = Vec::new();
    for line in &block.lines {
        match (line.strip_prefix("$ "), steps.last_mut()) {
            (Some(command), _) => {
                steps.push(Step { command: command.to_owned(), output: Vec::new() });
            }
            (None, Some(step)) => step.output.push(line.clone()),
            (None, None) => panic!("line {}: output before any command", block.line),
        }
    }
    steps
}

/// A folder in which a document's commands run: the examples are there, `mancala` is on the PATH,
/// and `cargo run --release --` is that same program.
pub struct Place {
    folder: tempfile::TempDir,
    /// Files that are not there because the commands that make them were left out.
    unmade: Vec<String>,
}

impl Place {
    pub fn new() -> Place {
        let folder = tempfile::tempdir().unwrap();
        let programs = folder.path().join("bin");
        std::fs::create_dir(&programs).unwrap();
        symlink(env!("CARGO_BIN_EXE_mancala"), programs.join("mancala")).unwrap();
        let cargo = "#!/bin/sh\n\
            if [ \"$1 $2 $3\" = 'run --release --' ]; then shift 3; exec mancala \"$@\"; fi\n\
            echo \"this cargo does not $*\"; exit 1\n";
        std::fs::write(programs.join("cargo"), cargo).unwrap();
        let executable = std::fs::Permissions::from_mode(0o755);
        std::fs::set_permissions(programs.join("cargo"), executable).unwrap();
        let work = folder.path().join("work");
        std::fs::create_dir(&work).unwrap();
        symlink(repository().join("examples"), work.join("examples")).unwrap();
        Place { folder, unmade: Vec::new() }
    }

    fn work(&self) -> PathBuf {
        self.folder.path().join("work")
    }

    /// Saves a file that the reader is told to save.
    pub fn save(&self, name: &str, lines: &[String]) {
        std::fs::write(self.work().join(name), lines.join("\n") + "\n").unwrap();
    }

    /// Runs a block and compares. Where a language is missing, says so.
    pub fn check(&mut self, block: &Block, what: &str) {
        let steps = steps(block);
        let commands: Vec<&str> = steps.iter().map(|step| &step.command[..]).collect();
        let commands = commands.join("\n");
        if !self.can_run(&commands, what) {
            self.unmade.extend(files_made(&commands));
            return;
        }
        for step in &steps {
            let (output, code) = self.run(&step.command);
            let shown = || format!("{what}\n$ {}\n{}", step.command, output.join("\n"));
            assert_eq!(code, Some(0), "the exit code of {}", shown());
            let any_numbers = block.says("any-numbers");
            assert!(matches(&step.output, &output, any_numbers), "not as printed: {}", shown());
        }
    }

    fn can_run(&self, commands: &str, what: &str) -> bool {
        let needs_unmade =
            commands.split_whitespace().any(|word| self.unmade.iter().any(|file| file == word));
        !needs_unmade && requirements::are_there(commands, what)
    }

    fn run(&self, command: &str) -> (Vec<String>, Option<i32>) {
        let first = [self.folder.path().join("bin")];
        let path = first.into_iter().chain(std::env::split_paths(search_path()));
        let output = Command::new("sh")
            .args(["-c", &format!("exec 2>&1\n{command}")])
            .current_dir(self.work())
            .env("PATH", std::env::join_paths(path).unwrap())
            // It would hide that a Python bot does not flush its answers.
            .env_remove("PYTHONUNBUFFERED")
            .stdin(Stdio::null())
            .output()
            .unwrap();
        let text = String::from_utf8(output.stdout).unwrap();
        (text.lines().map(str::to_owned).collect(), output.status.code())
    }
}

/// The files that commands write to, each after a word that says so.
fn files_made(commands: &str) -> Vec<String> {
    let words: Vec<&str> = commands.split_whitespace().collect();
    let made = words.windows(2).filter(|pair| [">", "--record"].contains(&pair[0]));
    made.map(|pair| pair[1].to_owned()).collect()
}

/// Whether the lines are those that were printed.
pub fn matches(expected: &[String], found: &[String], any_numbers: bool) -> bool {
    match (expected.split_first(), found.split_first()) {
        (None, None) => true,
        (Some((line, rest)), _) if line == "..." => {
            (0..=found.len()).any(|skipped| matches(rest, &found[skipped..], any_numbers))
        }
        (Some((line, expected)), Some((one, found))) => {
            let levelled = |text: &str| narrow(&level_numbers(text.trim_end(), any_numbers));
            line_matches(&levelled(line), &levelled(one)) && matches(expected, found, any_numbers)
        }
        _ => false,
    }
}

fn line_matches(expected: &str, found: &str) -> bool {
    match expected.split_once("[..]") {
        None => expected == found,
        Some((before, after)) => found.strip_prefix(before).is_some_and(|found| {
            let starts = found.char_indices().map(|(index, _)| index).chain([found.len()]);
            starts.into_iter().any(|index| line_matches(after, &found[index..]))
        }),
    }
}

/// The text with every number that may differ, and the blanks before it, made the same. A number
/// with decimals may.
fn level_numbers(text: &str, any_numbers: bool) -> String {
    let mut levelled = String::new();
    let mut rest = text;
    while let Some(begin) = rest.find(|c: char| c.is_ascii_digit()) {
        let number = &rest[begin..];
        let is_part = |c: char| c.is_ascii_digit() || c == '.';
        let end = number.find(|c: char| !is_part(c)).unwrap_or(number.len());
        let number = number[..end].trim_end_matches('.');
        let may_differ = any_numbers || number.contains('.');
        if may_differ {
            levelled += rest[..begin].trim_end_matches(' ');
            levelled += " #";
        } else {
            levelled += &rest[..begin];
            levelled += number;
        }
        rest = &rest[begin + number.len()..];
    }
    levelled + rest
}

/// A table's line with its columns as narrow as can be: a long time makes a column wider.
fn narrow(line: &str) -> String {
    if !line.contains(['│', '─']) {
        return line.to_owned();
    }
    let mut narrowed = String::new();
    for c in line.chars() {
        if !(" ─".contains(c) && narrowed.ends_with(c)) {
            narrowed.push(c);
        }
    }
    narrowed
}

pub fn expected_output_matches_only_where_placeholders_allow() {
    let lines = |text: &str| -> Vec<String> { text.lines().map(str::to_owned).collect() };
    let check = |expected: &str, found: &str, any_numbers: bool| {
        matches(&lines(expected), &lines(found), any_numbers)
    };
    assert!(check("a\n...\nd", "a\nb\nc\nd", false));
    assert!(check("a\n...\nd", "a\nd", false));
    assert!(!check("a\n...\nd", "a\nb", false));
    assert!(!check("a", "a\nb", false));
    assert!(check("file '[..]x': [..]", "file '/a/x': gone", false));
    assert!(!check("file '[..]x'", "file '/a/y'", false));
    assert!(check("│ 3 │   1.201 │", "│ 3 │ 101.030 │", false));
    assert!(check("┌──┐\n│ ms │\n│ 1.2 │", "┌────┐\n│   ms │\n│ 1999.2 │", false));
    assert!(!check("│ 3 │   1.201 │", "│ 4 │   1.201 │", false));
    assert!(check("│  3 │ wins 5 : 6.", "│ 31 │ wins 50 : 60.", true));
    assert!(!check("wins 5 : 6.", "draw 5 : 6.", true));
}
