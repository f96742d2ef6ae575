//! Nothing imports upward: every path in a module that begins at the crate, by `crate::` or by
//! `super::` as often as it takes, names a module that it may know.

use std::fs;
use std::path::{Path, PathBuf};

use crate::program::repository;

/// Each module of the library and those it may know, lowest first.
const MAY_KNOW: &[(&str, &str)] = &[
    ("words", "words"),
    ("chance", ""),
    ("rules", "words chance"),
    ("json", "words rules"),
    ("solve", "rules"),
    ("engine", "words chance rules solve"),
    ("text", "words"),
    ("seat", "words"),
    ("protocol", "words text rules"),
    ("record", "words text seat rules protocol"),
    ("referee", "words text seat rules protocol record"),
    ("bot", "words text seat protocol record referee"),
    ("log", "words text seat rules protocol record referee"),
    ("session", "record referee bot log"),
    ("contest", "words text seat chance rules protocol record"),
    ("standings", "words text seat rules protocol record referee contest"),
    ("analysis", "text seat chance rules solve record referee contest"),
    ("report", "words text seat rules solve protocol record referee contest standings analysis"),
    ("problems", "text rules protocol record referee bot log report"),
    ("check", "words text seat rules protocol record referee engine bot report problems"),
    ("play", "words text seat rules solve protocol record referee engine bot report"),
    (
        "tournament",
        "words text seat chance rules engine protocol record referee bot log session contest standings \
         check report",
    ),
    (
        "feedback",
        "text seat rules record referee contest standings analysis report log problems tournament",
    ),
    ("schema", "words protocol record contest standings analysis report log check tournament"),
    (
        "cli",
        "words text seat rules solve protocol record referee engine bot contest standings \
         analysis report log session play problems check tournament schema feedback",
    ),
];

#[test]
fn nothing_imports_upward() {
    let mut seen = 0;
    for file in rust_files(&repository().join("src")) {
        let inside = file.strip_prefix(repository().join("src")).unwrap();
        // Packages of their own, whose modules this one has under the same names.
        let inside = ["game", "matches", "results", "display"]
            .iter()
            .find_map(|package| inside.strip_prefix(package).ok())
            .unwrap_or(inside);
        let first = inside.components().next().unwrap().as_os_str().to_str().unwrap();
        let module = first.trim_end_matches(".rs");
        if ["lib", "main", "build"].contains(&module) {
            continue;
        }
        let known = MAY_KNOW.iter().find(|(name, _)| *name == module);
        let (_, may_know) = known.unwrap_or_else(|| panic!("{module} has no layer yet"));
        // A module that is a package has its own modules and items at its crate.
        let folder = repository().join("src").join(module);
        let is_package = folder.join("Cargo.toml").is_file();
        let is_own = |name: &str| {
            let has_file = |file: String| folder.join(file).exists();
            let is_item = name.starts_with(|c: char| c.is_ascii_uppercase());
            is_package && (is_item || has_file(name.to_owned()) || has_file(format!("{name}.rs")))
        };
        let to_crate = |in_tests| depth(inside, in_tests) - usize::from(is_package);
        let text = fs::read_to_string(&file).unwrap();
        let mut in_tests = false;
        // In a macro it is the crate of the macro.
        let text = text.replace("$crate::", "");
        for (number, line) in (1..).zip(text.lines()) {
            in_tests |= line.starts_with("mod tests {");
            let climbing = climb(line).filter(|(supers, _)| *supers == to_crate(in_tests));
            let climbing = climbing.map(|(_, name)| name).filter(|name| !is_own(name));
            let own = line.split("crate::").skip(1).map(first_word);
            let own = own.filter(|name| !is_own(name));
            let packages =
                ["mancala_game::", "mancala_match::", "mancala_results::", "mancala_display::"];
            let others = packages.iter().flat_map(|it| line.split(it).skip(1)).map(first_word);
            // What begins with a brace lists macros, and these are macros.
            let others = others.filter(|name| !["", "serde_words", "schema"].contains(name));
            let contest = line.contains("mancala_contest::").then_some("contest");
            for name in own.chain(others).chain(climbing).chain(contest) {
                seen += 1;
                assert!(
                    name == module || may_know.split_whitespace().any(|known| known == name),
                    "{}:{number}: {module} may not know {name}",
                    inside.display()
                );
            }
        }
    }
    assert!(seen > 50, "only {seen} imports were found: is the test looking at the right files?");
}

/// The files that the library's page names are there.
#[test]
fn every_file_that_the_overview_names_exists() {
    let source = repository().join("src");
    let text = fs::read_to_string(source.join("lib.rs")).unwrap();
    let rows = text.lines().filter(|line| line.starts_with("//! |"));
    let words = rows.flat_map(|line| line.split('`').skip(1).step_by(2));
    let files: Vec<&str> = words.filter(|word| Path::new(word).extension().is_some()).collect();
    assert!(files.len() > 12, "{files:?}");
    for file in files {
        assert!(source.join(file).is_file(), "{file}");
    }
}

/// What the page of a module names in its reading order is a module of it.
#[test]
fn a_reading_order_names_modules_that_are_there() {
    let mut seen = 0;
    for file in rust_files(&repository().join("src")) {
        let text = fs::read_to_string(&file).unwrap();
        let page: Vec<&str> = text.lines().filter_map(|line| line.strip_prefix("//! ")).collect();
        let page = page.join(" ");
        let Some((_, order)) = page.split_once("Reading order: ") else {
            let has_another = page.contains("Reading order");
            assert!(!has_another, "{}: begin it with `Reading order: `", file.display());
            continue;
        };
        let sentence = order.split(". ").next().unwrap_or_default();
        for name in sentence.split('`').skip(1).step_by(2) {
            seen += 1;
            let declared = text.lines().any(|line| {
                let name_of = line.trim_start_matches("pub ").strip_prefix("mod ");
                name_of.is_some_and(|rest| rest.trim_end_matches([';', '{', ' ']) == name)
            });
            assert!(declared, "{}: there is no module `{name}`", file.display());
        }
    }
    assert!(seen > 100, "only {seen} names were found");
}

/// How many times `super` leads from this file to the crate.
fn depth(inside: &Path, in_tests: bool) -> usize {
    let folders = inside.components().count();
    let file = usize::from(!inside.ends_with("mod.rs"));
    folders - 1 + file + usize::from(in_tests)
}

/// The longest run of `super::` in a line, and the name after it.
fn climb(line: &str) -> Option<(usize, &str)> {
    let start = line.find("super::")?;
    let mut rest = &line[start..];
    let mut supers = 0;
    while let Some(after) = rest.strip_prefix("super::") {
        rest = after;
        supers += 1;
    }
    Some((supers, first_word(rest)))
}

fn first_word(path: &str) -> &str {
    path.split(|c: char| !c.is_alphanumeric() && c != '_').next().unwrap_or_default()
}

#[test]
fn paths_of_super_are_followed_to_the_crate() {
    assert_eq!(climb("use super::super::rules::Board;"), Some((2, "rules")));
    assert_eq!(depth(Path::new("bot/warden/tree.rs"), false), 3);
    assert_eq!(depth(Path::new("bot/warden/mod.rs"), false), 2);
    assert_eq!(depth(Path::new("session.rs"), true), 2);
}

/// The only files with code that the compiler does not check: some system calls, what runs between
/// `fork` and `exec`, what runs before `main`, and hints about memory.
const UNSAFE: [&str; 11] = [
    "src/matches/bot/interrupt.rs",
    "src/matches/bot/scheduling.rs",
    "src/matches/bot/system/address_spaces.rs",
    "src/matches/bot/system/stop_signal.rs",
    "src/matches/bot/warden/sandbox/handed_calls.rs",
    "src/matches/bot/warden/start/before_exec/child.rs",
    "src/matches/bot/warden/start/before_exec/confinement.rs",
    "src/matches/bot/warden/start/before_exec/mod.rs",
    "src/matches/bot/warden/start/before_exec/program.rs",
    "src/cli/output/closed_stdout.rs",
    "src/game/solve/hints.rs",
];

#[test]
fn only_the_listed_modules_have_unsafe_code() {
    let allowed = UNSAFE.map(|file| repository().join(file));
    // In two pieces, for this file is looked at too.
    let word = ["un", "safe"].concat();
    for folder in ["src", "tests", "examples"] {
        for file in rust_files(&repository().join(folder)) {
            let text = fs::read_to_string(&file).unwrap();
            let code = text.lines().filter(|line| !line.trim_start().starts_with("//"));
            let words =
                code.flat_map(|line| line.split(|c: char| !c.is_alphanumeric() && c != '_'));
            let found = words.filter(|found| *found == word || *found == format!("{word}_code"));
            assert_eq!(found.count() > 0, allowed.contains(&file), "{}", file.display());
        }
    }
}

/// The runner of `tests/alone` knows the tests that its modules list. With the attribute a test would
/// be left out of the binary.
#[test]
fn tests_that_run_alone_are_listed_and_not_marked() {
    // In two pieces, so that it is not found here.
    let mark = ["#[", "test]"].concat();
    for file in rust_files(&repository().join("tests/alone")) {
        let text = fs::read_to_string(&file).unwrap();
        assert!(!text.contains(&mark), "{}: list the test in TESTS instead", file.display());
    }
}

/// Within these modules every file knows only files that do not know it, however indirectly.
#[test]
fn check_and_problems_have_no_cyclic_imports() {
    for module in ["check", "problems"] {
        has_no_cyclic_imports(&repository().join("src").join(module));
    }
}

fn has_no_cyclic_imports(folder: &Path) {
    let mut known: Vec<(String, Vec<String>)> = Vec::new();
    for file in rust_files(folder) {
        let name = file.file_stem().unwrap().to_str().unwrap().to_owned();
        let text = fs::read_to_string(&file).unwrap();
        let imports = text.split("super::").skip(1).map(|path| {
            path.chars().take_while(|c| c.is_alphanumeric() || *c == '_').collect::<String>()
        });
        let imports = imports.filter(|import| *import != name).collect();
        known.push((name, imports));
    }
    assert!(known.len() > 8 && known.iter().any(|(_, imports)| imports.len() > 3), "{known:?}");
    // Take away, again and again, whatever knows nothing that is left.
    while let Some(free) = known.iter().position(|(_, imports)| {
        !imports.iter().any(|import| known.iter().any(|(name, _)| name == import))
    }) {
        known.remove(free);
    }
    assert!(known.is_empty(), "a circle: {known:#?}");
}

/// All Rust files below a folder.
pub fn rust_files(folder: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    entries
        .flat_map(|path| {
            if path.is_dir() {
                rust_files(&path)
            } else {
                Vec::from_iter(
                    path.extension().is_some_and(|ending| ending == "rs").then_some(path),
                )
            }
        })
        .collect()
}
