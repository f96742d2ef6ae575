//! People at the board: whole games typed on a terminal and through a pipe, with every slip of the
//! keyboard, bots that behave and bots that do not, and every way to leave.

mod against_bots;
mod plain;
mod reference_rules;
mod screen;
mod two_people;

use crate::program::Outcome;

const WIDE: (u16, u16) = (80, 24);

const NARROW: (u16, u16) = (40, 24);

/// Every house again and again, whichever has seeds: enough to end a game.
fn any_moves(arrow: &str) -> String {
    let once: Vec<String> = (1..=6).map(|number| format!("{number}{arrow}\n")).collect();
    once.concat().repeat(300)
}

/// The seeds of both players in the last lines.
#[track_caller]
fn last_lines(outcome: &Outcome) -> [u32; 2] {
    let mut lines = outcome.stdout.lines().rev();
    let [b, a] = [("B: ", lines.next()), ("A: ", lines.next())].map(|(label, line)| {
        let seeds = line.and_then(|line| line.strip_prefix(label));
        seeds.and_then(|seeds| seeds.parse().ok()).unwrap_or_else(|| panic!("{outcome:#?}"))
    });
    assert_eq!(lines.next(), Some("Final score:"), "{outcome:#?}");
    [a, b]
}
