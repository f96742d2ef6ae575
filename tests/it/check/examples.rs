//! What a check says of the adapters in `examples`, and of the mistakes of those who use them.

#[path = "../../bench/checking/mod.rs"]
mod checking;

use std::path::Path;

use self::checking::Example;
use super::{UNHURRIED, report};
use crate::bots::adapters::built;
use crate::program::mancala;
use crate::requirements;

/// The example has no findings, as far as a check comes in this time. On a busy machine a virtual
/// machine that compiles two programs takes seconds to answer at all. The whole checks are `cargo
/// bench --bench checks`.
#[track_caller]
fn is_clean(example: Example<'_>, budget: &str) -> Option<Vec<String>> {
    if !requirements::are_there(example.0, example.0) {
        return None;
    }
    match checking::check(mancala(["check"]).command(), example, budget) {
        Ok(left) => Some(left),
        Err(why) => panic!("{why}"),
    }
}

/// The same, and nothing of the check was left out.
#[track_caller]
fn is_wholly_clean(example: Example<'_>) {
    let left = is_clean(example, "10m");
    assert!(left.is_none_or(|left| left.is_empty()), "{}", example.0);
}

#[test]
fn learneroo_python() {
    for example in checking::WHOLE {
        is_wholly_clean(*example);
    }
}

#[test]
fn learneroo_java() {
    is_clean(checking::SAMPLED[0], "12s");
}

#[test]
fn choose_move() {
    is_clean(checking::SAMPLED[1], "12s");
}

#[test]
fn other_adapters() {
    for example in &checking::SAMPLED[2..] {
        is_clean(*example, "2s");
    }
}

#[test]
fn ece1021() {
    if !requirements::are_there("gcc", "C functions") {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let good = built(folder.path(), Path::new("examples/ece1021/students/good.c"));
    // For all rulesets, too: what a char can hold is enough for each of them.
    for rules in ["--rules=ece1021", ""] {
        let left = checking::check(mancala(["check"]).command(), (&good, rules), "10m");
        assert_eq!(left, Ok(Vec::new()));
    }
}

/// A bot made of a C function with this body, and the function's name.
fn student(folder: &Path, name: &str, body: &str) -> (String, String) {
    let source = folder.join(format!("{name}.c"));
    let function = format!("int Move_{name}(MANCALA board, int player) {{ {body} }}\n");
    let includes = "#include <stdlib.h>\n#include \"mancala.h\"\n";
    std::fs::write(&source, format!("{includes}{function}")).unwrap();
    (format!("Move_{name}"), built(folder, &source))
}

/// The only finding of a check of a student's file: what is wrong, what was received, and the fix.
#[track_caller]
fn only_finding(command: &str) -> [String; 3] {
    let options = ["--rules=ece1021", "--format=json", "--seed=1"];
    let outcome = mancala(["check", command]).args(UNHURRIED).args(options).run();
    let findings = report(&outcome.code(3)).findings;
    let [finding] = &findings[..] else { panic!("{findings:#?}") };
    [finding.what.clone(), finding.received.clone(), finding.fix.clone()]
}

#[test]
fn mistakes_in_c_functions_are_reported_in_the_words_of_the_adapter() {
    if !requirements::are_there("gcc", "C functions") {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let student = |name: &str, body: &str| student(folder.path(), name, body).1;
    for (bot, words) in [
        (
            student("nine", "(void)board; return 9 + player - player;"),
            [
                "Move_nine returned bin 9; bins are 1 to 6",
                "Move_nine returned bin 9",
                "your own code, in its terms. The check found that it gives the same answer to",
            ],
        ),
        (
            student("two", "(void)board; return 2 + player - player;"),
            [
                "Move_two returned bin 2, which is empty",
                "Move_two returned bin 2, which is empty; its bins 1 to 6 held ",
                "The check found that it gives the same answer to every board.",
            ],
        ),
        (
            student(
                "zero",
                "int bin = 0; while (bin < 5 && board.board[player][bin + 1] == 0) bin++; return bin;",
            ),
            [
                "Move_zero returned bin",
                "Move_zero returned bin 0; bins are 1 to 6",
                "The check found that every answer is one off, as of code that counts from 0",
            ],
        ),
        (
            student("quits", "(void)board; exit(player - player);"),
            ["Move_quits ended the program with exit(); return a bin", "exit()", "Return a value"],
        ),
        (
            built(folder.path(), Path::new("examples/ece1021/students/printing.c")),
            ["printed to stdout (print to stderr): \"player 0", "printed", "fprintf(stderr, "],
        ),
        (
            built(folder.path(), Path::new("examples/ece1021/students/crashing.c")),
            ["a bad memory access", "SIGSEGV", "-fsanitize=address,undefined"],
        ),
    ] {
        let found = only_finding(&bot);
        for (text, words) in found.iter().zip(words) {
            assert!(text.contains(words), "{words:?} is not in {found:#?}");
        }
        // The adapter answers null by itself.
        assert!(!found[2].contains("{\"move\":3}"), "{found:#?}");
    }
}

/// Where no answer can hold the adapter's words, they are on stderr.
#[test]
fn a_crash_of_a_c_function_shows_its_call() {
    if !requirements::are_there("gcc", "C functions") {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let crash = "(void)board; *(volatile int *)0 = player; return 1;";
    let (function, bot) = student(folder.path(), "crash", crash);
    let call = "was called with 4, 4, 4, 4, 4, 4 in its bins 1 to 6 and 0 in its kalaha";
    let options = ["--rules=ece1021", "--seed=1"];
    let outcome = mancala(["check", &bot]).args(UNHURRIED).args(options).run().code(3);
    let shown = outcome.stdout.contains(&format!("| {function} {call}"));
    assert!(shown, "{outcome:#?}");
}

#[test]
fn a_c_function_that_sleeps_too_long_is_not_woken() {
    if !requirements::are_there("gcc", "C functions") {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let sleep =
        "extern unsigned sleep(unsigned); (void)board; sleep(3); return 1 + player - player;";
    let (_, bot) = student(folder.path(), "sleeps", sleep);
    let options = ["--rules=ece1021", "--rounds=1", "--move-time=300ms"];
    let run = mancala(["match", &bot, "builtin:random"]).args(options);
    let outcome = run.run_until_finished().success();
    assert!(outcome.stdout.contains("forfeits, timeout"), "{outcome:#?}");
}

#[test]
fn findings_behind_an_adapter_use_the_programs_own_numbers() {
    let folder = tempfile::tempdir().unwrap();
    let program = folder.path().join("five.py");
    std::fs::write(&program, "while input(): print(5, flush=True)\n").unwrap();
    let program = program.to_str().unwrap();
    let bot = format!("python3 examples/adapters/lines.py --preset buet python3 '{program}'");
    if requirements::are_there(&bot, "lines.py") {
        let [what, received, fix] = only_finding(&bot);
        assert_eq!(what, "the bot said 5, which is an empty house");
        assert_eq!(received, what);
        assert!(fix.contains("your own code"), "{fix}");
        assert!(fix.ends_with(" it gives the same answer to every board."), "{fix}");
    }
}
