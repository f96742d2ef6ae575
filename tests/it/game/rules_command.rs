//! `mancala rules` tells the rules as they are.

use crate::program::mancala;
use crate::terminal::Terminal;

#[test]
fn without_a_name_all_five_rulesets_are_compared() {
    let outcome = mancala(["rules"]).run().success();
    let expected = "\
┌─────────────┬───────┬──────────────────┬───────────┬─────────────────────────┐
│ ruleset     │ seeds │ opponent's store │ direction │ what it is              │
├─────────────┼───────┼──────────────────┼───────────┼─────────────────────────┤
│ learneroo   │     3 │ sown into        │ forward   │ the two-round challenge │
│ kalah       │     4 │ passed over      │ forward   │ Kalah as most play it   │
│ ece1021     │     4 │ passed over      │ forward   │ the C tournament        │
│ cs221       │     5 │ passed over      │ forward   │ the text game for two   │
│ mancala5000 │     4 │ sown into        │ forward*  │ the handheld game       │
└─────────────┴───────┴──────────────────┴───────────┴─────────────────────────┘

Seeds are those of a house at the beginning; in mancala5000 there may be 3 to 8
(--seeds). *: another direction can be chosen with --direction.
In kalah a last seed in an empty house captures only when the facing house has
seeds; in the others it always captures. All else is the same in all of them;
`mancala rules NAME` prints the rules of one.
";
    assert_eq!(outcome.stdout, expected);
}

#[test]
fn every_ruleset_has_a_board_and_an_example_of_each_result() {
    const CAPTURED: &str = "Turn result: capture of 1 seed.";
    for (name, words, empty_house) in [
        ("learneroo", "into the other player's", CAPTURED),
        ("kalah", "past the other player's", "No capture: the facing house is empty."),
        ("ece1021", "past the other player's", CAPTURED),
        ("cs221", "with 5 seeds in every", CAPTURED),
        ("mancala5000", "at its left hand", CAPTURED),
    ] {
        let outcome = mancala(["rules", name]).run().success();
        // However the lines break.
        let text = outcome.stdout.split_whitespace().collect::<Vec<_>>().join(" ");
        for words in [
            words,
            empty_house,
            "Turn result: normal move.",
            "Turn result: free turn.",
            "Turn result: capture of 3 seeds.",
            "The game ends when",
        ] {
            assert!(text.contains(words), "{name}: {words:?} is not in {text}");
        }
        assert!(outcome.stdout.lines().all(|line| line.chars().count() <= 80), "{outcome:#?}");
    }
}

#[test]
fn the_rules_fit_a_narrow_terminal() {
    for (arguments, columns, least) in [
        (&["rules"][..], 50, 14),
        (&["rules"], 40, 14),
        (&["rules", "kalah"], 50, 20),
        (&["rules", "cs221"], 50, 20),
    ] {
        let Some(terminal) = Terminal::start(arguments, (columns, 24)) else { return };
        let (code, output) = terminal.end();
        assert_eq!(code, Some(0), "{output}");
        assert!(output.lines().count() > least, "{output}");
        for line in output.lines() {
            assert!(line.trim_end().chars().count() <= columns.into(), "{line:?} of {output}");
        }
    }
}

#[test]
fn an_unknown_ruleset_is_an_error_that_lists_all() {
    mancala(["rules", "chess"])
        .run()
        .failure(2, "expected learneroo, kalah, ece1021, cs221 or mancala5000");
}
