//! Two people play whole games of every ruleset, with wrong entries among the right ones.

use super::reference_rules::Model;
use super::{NARROW, WIDE};
use crate::terminal::Terminal;

/// A ruleset, seeds in each house, whether the other player's store is passed over, further options.
type Played = (&'static str, u32, bool, &'static [&'static str]);

/// The games that are played.
const GAMES: [Played; 7] = [
    ("learneroo", 3, false, &[]),
    ("kalah", 4, true, &[]),
    ("ece1021", 4, true, &[]),
    ("cs221", 5, true, &[]),
    ("mancala5000", 4, false, &[]),
    ("mancala5000", 4, false, &["--direction", "backward"]),
    ("mancala5000", 4, false, &["--direction", "either"]),
];

/// One turn of a game between two people: what is typed wrongly before it, and the move.
struct Turn {
    mistakes: Vec<String>,
    number: usize,
    /// The arrow that is typed with it, if the way is free.
    arrow: Option<char>,
}

/// A whole game of moves drawn by chance, and its score by the second model.
fn a_game((ruleset, seeds, skips, options): Played) -> (Vec<Turn>, [u32; 2]) {
    let mut model = Model::new(seeds, skips, ruleset != "kalah");
    let mut turns = Vec::new();
    let mut chance = 1_u32;
    let mut draw = |below: usize| {
        chance = chance.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        (chance >> 16) as usize % below
    };
    while !model.is_over() {
        let full: Vec<usize> = (1..=6).filter(|&number| model.seeds(number) > 0).collect();
        let number = full[draw(full.len())];
        let forward = match options {
            [] => true,
            [_, "backward"] => false,
            _ => draw(2) == 0,
        };
        // Mancala5000's stores are on the left: forward is to the left below, to the right above.
        let arrow = (options == ["--direction", "either"])
            .then_some(if forward == (model.mover == 0) { '<' } else { '>' });
        let mut mistakes = Vec::new();
        if turns.len() % 3 == 0 {
            mistakes.push(["0", "7", "x"][draw(3)].to_owned());
        }
        if let Some(empty) = (1..=6).find(|&number| model.seeds(number) == 0) {
            mistakes.push(format!("{empty}{}", arrow.map(String::from).unwrap_or_default()));
        }
        turns.push(Turn { mistakes, number, arrow });
        model.play(number, forward);
    }
    (turns, model.score())
}

/// The arguments of a game between two people.
fn two_people<'a>(ruleset: &'a str, options: &[&'a str]) -> Vec<&'a str> {
    [&["play", "--rules", ruleset], options].concat()
}

fn final_score([a, b]: [u32; 2], line_end: &str) -> String {
    ["Final score:", &format!("A: {a}"), &format!("B: {b}"), ""].join(line_end)
}

#[test]
fn two_people_type_a_game_of_each_ruleset_on_a_plain_terminal() {
    for game in GAMES {
        let (turns, score) = a_game(game);
        let (ruleset, _, _, options) = game;
        let arguments = [two_people(ruleset, options), vec!["--plain"]].concat();
        let Some(mut terminal) = Terminal::start(&arguments, WIDE) else { return };
        for turn in turns {
            let arrow = turn.arrow.map(String::from).unwrap_or_default();
            for mistake in turn.mistakes.iter().map(String::as_str).chain(["", "2.5"]) {
                terminal.wait_for("make a play");
                terminal.type_in(&format!("{mistake}\n"));
            }
            terminal.wait_for("make a play");
            terminal.type_in(&format!("{} {arrow}\n", turn.number));
            terminal.wait_for("Turn result: ");
        }
        let (code, output) = terminal.end();
        assert_eq!(code, Some(0), "{ruleset} {options:?}: {output}");
        assert!(output.ends_with(&final_score(score, "\r\n")), "{ruleset} {options:?}: {output}");
    }
}

#[test]
fn two_people_type_a_game_of_each_ruleset_on_a_drawn_board() {
    for (index, game) in GAMES.into_iter().enumerate() {
        let (turns, score) = a_game(game);
        let (ruleset, _, _, options) = game;
        let size = if index % 2 == 0 { WIDE } else { NARROW };
        let Some(mut terminal) = Terminal::start(&two_people(ruleset, options), size) else {
            return;
        };
        for turn in turns {
            let arrow = turn.arrow.map(String::from).unwrap_or_default();
            terminal.wait_for("make a play");
            for mistake in turn.mistakes {
                // A key without a meaning says so at once; an empty house when it is played.
                let is_a_house = mistake.starts_with(|digit| ('1'..='6').contains(&digit));
                terminal.type_in(&mistake);
                terminal.type_in(if is_a_house { "\r" } else { "" });
            }
            terminal.type_in(&format!("{}{arrow}\r", turn.number));
        }
        terminal.wait_for("The game is over");
        terminal.type_in("q");
        let (code, output) = terminal.end();
        assert_eq!(code, Some(0), "{ruleset} {options:?}: {output}");
        assert!(output.ends_with(&final_score(score, "\r\n")), "{ruleset} {options:?}: {output}");
    }
}
