//! The plain view through a pipe: what it shows, what it explains, how it ends.

use crate::game::solve::with_little_memory;
use crate::program::mancala;
use crate::requirements;

#[test]
fn an_exact_hint_is_the_value_of_every_move() {
    let endgame = "--opening=0,0,1,0,2,1,3,0,1,0,3,0,0,5";
    let solved = mancala(["solve", endgame, "--format=json"]).run().success().json();
    let moves = solved["moves"].as_array().unwrap();
    let values: Vec<(u64, i64)> = moves
        .iter()
        .map(|found| (found["move"].as_u64().unwrap() + 1, found["value"].as_i64().unwrap()))
        .collect();
    let best = values.iter().find(|(_, value)| solved["value"] == *value).unwrap().0;
    let texts: Vec<String> = values
        .iter()
        .map(|&(number, value)| match value {
            0 => format!("{number}: 0"),
            _ => format!("{number}: {value:+}"),
        })
        .collect();
    let values = format!("The values, from now on: {}.", texts.join(", "));
    let learneroo = ["play", "--rules=learneroo", endgame];
    let hinted = mancala(learneroo).args(["--hint", "exact"]).stdin("q\n").run().success();
    hinted.says(&values).says(&format!("Best is {best}: "));
    let asked = mancala(learneroo).stdin("hint exact\nhint\nq\n").run().success();
    asked.says(&values).says("The built-in player would play");
    // Only a mistake of nobody's makes it so for the one who is behind.
    let opening = "--opening=0,0,0,0,1,0,8,0,2,0,0,1,0,9";
    let behind = mancala(["play", opening, "--hint=exact"]).stdin("q\n").run().success();
    behind.says("you lose").says("if nobody makes a mistake");
    let long = mancala(["play", "--seeds=9", "--hint=exact"]).stdin("q\n").run().success();
    long.says("Not solved in 2 s. The values are between: 1: -").says(" to +");
    let cycles = ["play", "--direction=either", "--hint=exact"];
    mancala(cycles).stdin("q\n").run().success().says("These rules have no exact values");
    mancala(["play", "--hint=wrong"]).run().failure(2, "player or exact");
}

#[test]
fn one_seed_is_not_seeds() {
    let outcome = mancala(["play", "--rules=kalah", "--seeds=1"]).stdin("q\n").run().success();
    outcome.says("kalah: 1 seed in each house, ");
}

#[test]
fn the_expert_plays_against_a_person() {
    let expert = ["play", "--against=builtin:expert", "--rules=learneroo", "--first=bot"];
    let outcome = mancala(expert).arg("--move-time=20s").stdin("q\n").run().success();
    // The one move that keeps its +2.
    outcome.says("(expert) plays 5.");
}

#[test]
fn without_memory_for_exact_hints_the_game_continues() {
    let why = "The system has no 256 MiB of memory left; raise its limit (ulimit -v).";
    for kib in [100_000, 200_000] {
        let game = with_little_memory(&["play", "--hint=exact"], kib).stdin("5\nq\n").run();
        game.success().says(why).says("Player A plays 5.");
    }
}

#[test]
fn without_memory_the_expert_reports_what_it_needs() {
    let why = |mib| {
        format!("mancala: the system has no {mib} MiB of memory left; raise its limit (ulimit -v)")
    };
    let game = ["match", "--rounds=1", "builtin:expert", "builtin:random"];
    let outcome = with_little_memory(&game, 100_000).run().success();
    outcome.says(&why(250)).says("random wins");
    // With more seeds there are more endgames.
    let sitting = ["play", "--against=builtin:expert", "--first=bot"];
    with_little_memory(&sitting, 100_000).run().success().says(&why(434));
    with_little_memory(&game, 350_000).run().success().says("expert wins");
}

#[test]
fn the_plain_view_is_the_text_game() {
    // The same on every line: what was typed is not shown again by a pipe.
    let opening = "0,0,0,0,1,1,27,0,1,0,0,0,3,27";
    let typed = "6\nfive\n6\n5\n";
    let outcome = mancala(["play", "--opening", opening]).stdin(typed).run().success();
    let expected = "\
cs221: an opening of your own, sown anticlockwise.
Player A against Player B. Player A begins.

        6   5   4   3   2   1
      ------------------------
        3   0   0   0   1   0
B: 27                          27 :A
        0   0   0   0   1   1
      ------------------------
        1   2   3   4   5   6

Type the number of a house; help lists the other commands.
Player A, make a play
Player A plays 6. Turn result: free turn. Player A leads 28 to 27.

        6   5   4   3   2   1
      ------------------------
        3   0   0   0   1   0
B: 27                          28 :A
        0   0   0   0   1   0
      ------------------------
        1   2   3   4   5   6

Player A, make a play
\"five\" is neither a house nor a word of this game; type 1 to 6, or help.
Player A, make a play
House 6 is empty.
Player A, make a play
Player A plays 5. Turn result: capture of 1 seed. Player A leads 29 to 27.

        6   5   4   3   2   1
      ------------------------
        3   0   0   0   1   0
B: 27                          29 :A
        0   0   0   0   0   0
      ------------------------
        1   2   3   4   5   6

Player A has no seeds left in its houses: the game is over. Player B takes the seeds of its own.
Player B wins.

Final score:
A: 29
B: 31
";
    assert_eq!(outcome.stdout, expected);
}

#[test]
fn mancala5000_is_drawn_with_the_stores_on_the_left() {
    let outcome = mancala(["play", "--rules", "mancala5000"]).stdin("1\n").run().success();
    outcome.says(
        "
        1   2   3   4   5   6
      ------------------------
        4   4   4   4   4   4
A:  0                           0 :B
        4   5   5   5   5   0
      ------------------------
        6   5   4   3   2   1
",
    );
}

#[test]
fn wrong_entries_are_explained_and_asked_again() {
    let slips = [
        ("", "Nothing was typed"),
        ("   ", "Nothing was typed"),
        ("help me", "\"help me\" is neither a house nor a word"),
        ("0", "There is no house \"0\"; houses are 1 to 6."),
        ("7", "There is no house \"7\"; houses are 1 to 6."),
        ("-3", "There is no house \"-3\""),
        ("123456789012345678901234567890123", "There is no house \"12345678"),
        ("2.5", "\"2.5\" is not a whole number"),
        ("1/2", "\"1/2\" is not a whole number"),
        ("2", "House 2 is empty."),
        ("1 2", "That is more than one move"),
        ("1 3 4", "\"1 3 4\" is more than one move"),
        ("3 <", "These rules sow anticlockwise only."),
        ("\u{1b}[2J", "\"\\u{1b}[2j\" is neither"),
        ("\0", "is neither"),
        ("undo", "There is no move to take back."),
    ];
    let long = "1".repeat(100_000);
    let mut typed: Vec<u8> =
        slips.iter().flat_map(|(slip, _)| format!("{slip}\n").into_bytes()).collect();
    typed.extend(format!("{long}\n").bytes());
    typed.extend(b"\xff\xfe\n1");
    let opening = "1,0,3,3,3,3,0,3,3,3,3,3,3,0";
    let outcome = mancala(["play", "--opening", opening]).stdin(typed).run().success();
    for (slip, words) in slips {
        assert!(outcome.stdout.contains(words), "{slip:?}: {words:?} is not in {outcome:#?}");
    }
    let outcome = outcome.says("That line is too long.").says("Player A plays 1.");
    // Each of them, the long line, what is no text, the move, and then Player B.
    assert_eq!(outcome.stdout.matches("make a play").count(), slips.len() + 4);
    assert_eq!(outcome.stdout.matches("Turn result").count(), 1);
    assert!(!outcome.stdout.contains('\u{1b}'));
}

#[test]
fn the_end_of_input_ends_the_game() {
    let outcome = mancala(["play"]).stdin("2\n").run().success();
    assert!(outcome.stdout.ends_with("\nThe game is not finished. In the stores: A 1, B 0.\n"));
    mancala(["play"]).run().success().says("The game is not finished. In the stores: A 0, B 0.");
    mancala(["play"]).stdin("quit\n1\n").run().success().says("not finished");
}

#[test]
fn settings_begin_a_new_game() {
    let typed =
        "1 <\nseeds 5\nseeds 9\nlevel hard\nplayers 2\ndirection anticlockwise\nplayers 1\n";
    let outcome = mancala(["play", "--rules", "mancala5000", "--direction", "either"])
        .stdin(typed)
        .run()
        .success()
        .says("Seeds: expected 3 to 8.");
    let beginnings: Vec<&str> = outcome
        .stdout
        .lines()
        .filter(|line| line.starts_with("mancala5000: ") || line.ends_with("begins."))
        .collect();
    let two = "Player A against Player B. Player A begins.";
    let one = "Player A against Player B (hard). Player A begins.";
    assert_eq!(
        beginnings,
        [
            "mancala5000: 4 seeds in each house, sown either way.",
            two,
            "mancala5000: 5 seeds in each house, sown either way.",
            two,
            "mancala5000: 5 seeds in each house, sown either way.",
            one,
            "mancala5000: 5 seeds in each house, sown either way.",
            two,
            "mancala5000: 5 seeds in each house, sown anticlockwise.",
            two,
            "mancala5000: 5 seeds in each house, sown anticlockwise.",
            one,
        ]
    );
}

#[test]
fn a_hint_is_given_when_asked_or_always() {
    // House 6 is a free turn; without it the game is lost higher.
    let arguments = ["play", "--opening", "0,0,0,0,1,1,27,0,1,0,0,0,3,27"];
    let asked = mancala(arguments).stdin("hint\n").run().success();
    assert_eq!(asked.stdout.matches("The built-in player would play 6.").count(), 1);
    let always = mancala(arguments).arg("--hint").stdin("x\n").run().success();
    assert_eq!(always.stdout.matches("The built-in player would play 6.").count(), 1);
}

#[test]
fn what_cannot_be_played_is_refused() {
    for (arguments, words) in [
        (&["--first", "bot"][..], "--first bot needs a bot"),
        (&["--first", "you"], "expected me, bot or random"),
        (&["--rules", "chess"], "learneroo, kalah, ece1021, cs221 or mancala5000"),
        (&["--seeds", "0"], "a house starts with 1 to 20 seeds"),
        (&["--against", "builtin:best"], "there is no \"builtin:best\""),
        (&["--opening", "1,2,3"], "an opening is 14 numbers"),
        (&["3"], "unexpected argument"),
    ] {
        mancala(["play"]).args(arguments).run().failure(2, words);
    }
}

#[test]
fn a_closed_stdout_ends_the_game() {
    if !requirements::are_there("bash", "a closed output") {
        return;
    }
    let script = format!(
        "yes 1 | '{}' play | head -n 1 > /dev/null; echo ${{PIPESTATUS[1]}}",
        env!("CARGO_BIN_EXE_mancala")
    );
    let output =
        std::process::Command::new("bash").args(["-c", &script]).output().expect("it runs");
    assert_eq!(String::from_utf8_lossy(&output.stdout), "0\n");
    assert_eq!(String::from_utf8_lossy(&output.stderr), "");
}
