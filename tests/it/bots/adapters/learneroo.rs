//! Functions for Learneroo's challenge behind its adapters: what they did wrong, in their authors' words.

use std::fs;

use mancala_referee::protocol::FaultKind;

use super::play;
use crate::program::path;
use crate::requirements;

#[test]
fn a_wrong_cell_of_a_function_is_told_in_its_authors_words() {
    let adapter = "python3 examples/learneroo/adapter.py";
    if !requirements::are_there(adapter, "wrong cells of Python") {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    for (returned, kind, code, words) in [
        (
            "6",
            FaultKind::IllegalMove,
            "no_cell",
            "f returned 6, which is no cell; cells are 0 to 5",
        ),
        ("10**6000", FaultKind::IllegalMove, "no_cell", "which is no cell; cells are 0 to 5"),
        ("[3]", FaultKind::InvalidReply, "no_number", "f returned [3], which is no cell; cells"),
        (
            "b.index(0)",
            FaultKind::IllegalMove,
            "empty_cell",
            "f returned cell 2, which is empty; cells 0 to 5 held 3, 3, 0, 3, 3, 3",
        ),
    ] {
        let text = format!("def f(b):\n    return {returned}\n");
        let file = folder.path().join("f.py");
        fs::write(&file, text).unwrap();
        told_in_words(&format!("{adapter} {}", path(&file)), kind, code, words);
    }
}

#[test]
fn a_wrong_cell_of_a_method_is_told_in_its_authors_words() {
    let adapter = "java examples/learneroo/Adapter.java";
    if !requirements::are_there(adapter, "wrong cells of Java") {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    for (body, code, words) in [
        ("return -1;", "no_cell", "f returned -1, which is no cell; cells are 0 to 5"),
        (
            // What it does to its board changes nothing.
            "b[2] = 1; return 2;",
            "empty_cell",
            "f returned cell 2, which is empty; cells 0 to 5 held 3, 3, 0, 3, 3, 3",
        ),
    ] {
        let text = format!("class F {{ static int f(int[] b) {{ {body} }} }}");
        let file = folder.path().join("F.java");
        fs::write(&file, text).unwrap();
        let bot = format!("{adapter} {}", path(&file));
        told_in_words(&bot, FaultKind::IllegalMove, code, words);
    }
}

/// Holds the fault of a bot that errs in a position in which its house 2 is empty.
#[track_caller]
fn told_in_words(bot: &str, kind: FaultKind, code: &str, words: &str) {
    let opening = "--opening 3,3,0,3,3,3,0,3,3,3,3,3,3,0 --rounds 1 --start-time 60s";
    let record = play(opening, bot, "builtin:easy");
    let fault = record.rounds[0].result.fault.as_ref().unwrap();
    let adapter = fault.cause.as_ref().and_then(|cause| cause.adapter.as_ref());
    assert_eq!((fault.kind, adapter.map(|it| &*it.code)), (kind, Some(code)), "{fault:?}");
    assert!(fault.detail.contains(words), "{}", fault.detail);
}
