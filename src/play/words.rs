//! The sentences that both views show.

use std::cmp::Ordering;

use super::board_game::BoardGame;
use super::drawing::letter;
use super::layout::{number, side};
use super::settings::seeds_offered;
use crate::protocol::FaultKind;
use crate::record::{FaultRecord, MatchRecord};
use crate::report::stderr_text;
use crate::rules::{Board, DirectionRule, Ending, Game, IllegalMove, Ply, Ruleset, Sown};
use crate::seat::{PerSeat, Seat};
use crate::text::{capitalised, counted, printable};

/// `Player A`, or with the name of a bot `Player B (hard)`.
pub(super) fn player(table: &BoardGame, seat: Seat) -> String {
    let bot = &table.contest.bots[seat];
    if bot.command.is_empty() {
        bot.name.clone()
    } else {
        format!("Player {} ({})", letter(seat), printable(&bot.name))
    }
}

/// The game that begins: rules, players, who begins.
pub(super) fn beginning(table: &BoardGame) -> String {
    let contest = &table.contest;
    let rules = &contest.rules;
    let standard = crate::rules::Opening::standard(rules) == contest.opening;
    let seeds = if standard {
        format!("{} in each house", counted(rules.seeds.get().into(), "seed", "seeds"))
    } else {
        "an opening of your own".to_owned()
    };
    format!(
        "{}: {seeds}, sown {}.\n{} against {}. {} begins.",
        rules.name,
        sown_which_way(table),
        player(table, Seat::A),
        player(table, Seat::B),
        player(table, contest.first),
    )
}

/// The direction of sowing as the screen shows it.
fn sown_which_way(table: &BoardGame) -> &'static str {
    match table.contest.rules.direction {
        DirectionRule::Either => "either way",
        rule => table.layout.turning(rule.directions()[0]).as_str(),
    }
}

/// What is asked of the player to move.
pub(super) fn prompt(seat: Seat) -> String {
    format!("Player {}, make a play", letter(seat))
}

/// A move as it is entered: `3`, or `3 <` where the way is free.
pub(super) fn ply(table: &BoardGame, seat: Seat, ply: Ply) -> String {
    let number = number(ply.house);
    if table.contest.rules.direction.is_a_choice() {
        format!("{number} {}", table.layout.arrow(seat, ply.direction))
    } else {
        number.to_string()
    }
}

/// The result of a move and who leads, in the handheld game's words.
pub(super) fn turn_result(table: &BoardGame, seat: Seat, played: Ply, sown: Sown) -> String {
    format!(
        "{} plays {}. Turn result: {}. {}.",
        player(table, seat),
        ply(table, seat, played),
        kind(sown),
        lead(table.board())
    )
}

/// The kind of a move: normal move, free turn, capture.
pub(super) fn kind(sown: Sown) -> String {
    match sown.captured {
        0 if sown.extra_turn => "free turn".to_owned(),
        0 => "normal move".to_owned(),
        captured => format!("capture of {}", counted(captured.into(), "seed", "seeds")),
    }
}

/// Who has more seeds in its store.
fn lead(board: Board) -> String {
    let [a, b] = Seat::BOTH.map(|seat| side(board, seat).store());
    match a.cmp(&b) {
        Ordering::Greater => format!("Player A leads {a} to {b}"),
        Ordering::Less => format!("Player B leads {b} to {a}"),
        Ordering::Equal => format!("Nobody leads, {a} to {b}"),
    }
}

/// An explanation as a sentence: its first letter large, a full stop at its end.
pub(super) fn sentence(why: &str) -> String {
    capitalised(why) + "."
}

/// Why a move is not legal.
pub(super) fn illegal(why: IllegalMove) -> String {
    // What is entered never names a direction that the rules do not have, and nothing is entered
    // once the game is over.
    let IllegalMove::EmptyHouse(house) = why else { return why.to_string() };
    format!("house {} is empty", number(house))
}

/// How the game ended, the winner, and the final score in its last lines.
pub(super) fn ending(table: &BoardGame, record: &MatchRecord) -> String {
    let how = match record.rounds.first().and_then(|round| round.result.fault.as_ref()) {
        Some(fault) => forfeit(table, fault),
        None => by_the_rules(&table.game, table.board()),
    };
    let winner = match record.winner {
        Some(seat) => format!("{} wins.", player(table, seat)),
        None => "The game is drawn.".to_owned(),
    };
    let PerSeat([a, b]) = record.score;
    let how = how.trim_end();
    format!("{how}\n{winner}\n\nFinal score:\nA: {a}\nB: {b}\n")
}

fn by_the_rules(game: &Game, board: Board) -> String {
    if game.ending() == Some(Ending::MoveLimit) {
        return format!(
            "The game ends after {} moves. Each player takes the seeds of its own houses.",
            game.moves()
        );
    }
    let empty = if board.own_side_is_empty() { Seat::A } else { Seat::B };
    format!(
        "Player {} has no seeds left in its houses: the game is over. Player {} takes the seeds of its own.",
        letter(empty),
        letter(!empty)
    )
}

fn forfeit(table: &BoardGame, fault: &FaultRecord) -> String {
    let (player, detail) = (player(table, fault.bot), printable(&fault.detail));
    let stderr = stderr_text(fault);
    let counting = match fault.kind {
        FaultKind::IllegalMove => "Bots count houses from 0, the board here from 1.\n",
        _ => "",
    };
    format!(
        "{player} is at fault and forfeits the game.\n{}: {detail}\n{counting}{stderr}",
        fault.kind
    )
}

/// The end of a game that nobody finishes.
pub(super) fn unfinished(board: Board) -> String {
    let [a, b] = Seat::BOTH.map(|seat| side(board, seat).store());
    format!("The game is not finished. In the stores: A {a}, B {b}.\n")
}

/// What can be typed beside moves.
pub(super) const ENTRIES: &str = "  hint (h)       what the built-in player would do
  hint exact     the value of each move when nobody makes a mistake
  undo (u)       takes your last move back, and what followed it
  rules (r)      the rules of this game
  help (?)       shows these lines
  quit (q)       ends the game
  new (n)        begins a new game
";

/// What settings can be typed.
pub(super) fn settings(rules: &Ruleset) -> String {
    let (fewest, most) = seeds_offered(rules);
    format!(
        "\
A change of settings begins a new game:
  players 1      against a bot: the last one, or the average built-in player
  players 2      two people
  level WORD     against the built-in random, easy, average, hard or expert
  direction WAY  clockwise, anticlockwise, or either as the player chooses
  seeds N        {fewest} to {most} seeds in each house
"
    )
}
