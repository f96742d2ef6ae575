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
                "your own code, in its terms. Its answers show that it gives the same answer to",
            ],
        ),
        (
            student("two", "(void)board; return 2 + player - player;"),
            [
                "Move_two returned bin 2, which is empty",
                "Move_two returned bin 2, which is empty; its bins 1 to 6 held ",
                "Its answers show that it gives the same answer to every board.",
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
                "Its answers show that every answer is one too low, as if the code counted from 0. Add 1",
            ],
        ),
        (
            student(
                "reversed",
                "int b = 6; while (b > 1 && board.board[player][7 - b] == 0) b--; return b;",
            ),
            [
                "Move_reversed returned bin",
                ", which is empty; its bins 1 to 6 held ",
                "Its answers show that it counts from the other end. Turn the order",
            ],
        ),
        (
            student(
                "any",
                "int sum = 0; for (int b = 1; b < 7; b++) sum += b * board.board[player][b]; return sum % 9;",
            ),
            [
                "Move_any returned bin",
                "",
                "that it chooses houses without seeds, and numbers that are not houses",
            ],
        ),
        (
            student(
                "store",
                "int best = 0; for (int b = 1; b < 7; b++) if (board.board[player][b] > \
                 board.board[player][best]) best = b; return best;",
            ),
            [
                "Move_store returned bin 0",
                "",
                "that it takes its store for a house. Leave the store",
            ],
        ),
        (
            student(
                "row",
                "for (int b = 1; b < 7; b++) if (board.board[1 - player][b]) return b; return 1;",
            ),
            [
                "Move_row returned bin",
                "",
                "that it plays the opponent's row. Choose from the row of",
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
        // The adapter answers null by itself, and has no "legal"; the function is called once a turn.
        for never in ["{\"move\":3}", "\"legal\"", "0 to 5", "twice", "--houses"] {
            assert!(!found[2].contains(never), "{never} is in {found:#?}");
        }
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

/// The fix for this Python program behind an adapter of lines.
#[track_caller]
fn fix_behind(adapter: &str, program: &str) -> String {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("bot.py");
    std::fs::write(&file, program).unwrap();
    let [_, _, fix] = only_finding(&format!(
        "python3 examples/adapters/{adapter} python3 '{}'",
        file.to_str().unwrap()
    ));
    assert!(!fix.contains("\"legal\""), "{fix}");
    fix
}

#[test]
fn a_fix_behind_an_adapter_of_lines_names_the_option_that_helps() {
    if !requirements::are_there("python3", "lines.py") {
        return;
    }
    let fullest = "import sys\nfor line in sys.stdin:\n    b = list(map(int, line.split()))\n    h = \
                   max(range(6), key=lambda h: b[h])\n";
    let from = |first: u8| format!("{fullest}    print(h + {first}, flush=True)\n");
    for (adapter, first, words) in [
        ("lines.py", 0, "Add 1 to each answer, or give the adapter --houses 0, with"),
        ("oneshot.py", 0, "Add 1 to each answer, or give the adapter --houses 0, with"),
        ("lines.py --houses=0", 1, "Take 1 off each answer, or leave out --houses 0, without"),
        ("lines.py", 2, "every answer is one too high. Take 1 off each answer."),
    ] {
        // A process for every move has its position on its command line.
        let program = from(first)
            .replace("sys.stdin", "sys.stdin if not sys.argv[1:] else [\" \".join(sys.argv[1:])]");
        let fix = fix_behind(adapter, &program);
        assert!(fix.contains(words), "{adapter}: {fix}");
    }
    let chats = format!("{fullest}    print('thinking...')\n    print(h + 1, flush=True)\n");
    let fix = fix_behind("lines.py", &chats);
    assert!(
        fix.contains("messages for people to stderr; or give lines.py --skip-other-lines"),
        "{fix}"
    );
    let first = "import sys\nfor line in sys.stdin:\n    b = line.split()\n    print(1 + \
                 b[0:2].index(min(b[0:2])), flush=True)\n";
    let fix = fix_behind("lines.py", first);
    assert!(fix.ends_with(" Choose one with seeds: the position that your code is given is always right, whatever it remembers."), "{fix}");
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
