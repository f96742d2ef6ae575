//! Hints for a player who asks for one.

use std::time::{Duration, Instant};

use super::board_game::BoardGame;
use super::words;
use crate::bot::Interrupt;
use crate::engine::{Level, Player};
use crate::report::{bounds_text, final_seeds};
use crate::rules::Board;
use crate::seat::Seat;
use crate::solve::{Budget, DEFAULT_MEMORY, MoveValue, Solver, reconcile};

/// Where a hint comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum HintKind {
    /// The built-in player says what it would do.
    Player,
    /// The exact value of every move.
    Exact,
}

mancala_game::words!(HintKind, "player or exact", Player = "player", Exact = "exact");

/// The time that the built-in player has for a hint; it takes at most a tenth of it.
const TIME: Duration = Duration::from_secs(1);

/// After this time values that are not exact are given as bounds.
const TIME_TO_SOLVE: Duration = Duration::from_secs(2);

/// A hint for the player to move. What `solver` has found for one hint helps it with the next ones of
/// the same game; `None` before the first.
pub(super) fn hint(
    kind: HintKind,
    table: &BoardGame,
    solver: &mut Option<Solver>,
    interrupt: Option<&Interrupt>,
) -> String {
    match kind {
        HintKind::Player => of_player(table),
        HintKind::Exact => exact(table, solver, interrupt),
    }
}

fn exact(table: &BoardGame, solver: &mut Option<Solver>, interrupt: Option<&Interrupt>) -> String {
    let solver = match solver {
        Some(solver) => solver,
        none => match Solver::new(&table.contest.rules, DEFAULT_MEMORY) {
            Ok(solver) => none.insert(solver),
            Err(why) => return words::sentence(&why.to_string()),
        },
    };
    let budget = Budget {
        nodes: None,
        until: Some(Instant::now() + TIME_TO_SOLVE),
        stop: interrupt.map(Interrupt::flag),
    };
    let board = table.game.board();
    // The position first: its value is what matters most.
    let mut value = solver.value(board, &budget.share(2), &mut |_| {});
    let mut moves = solver.moves(board, value.exact(), &budget);
    reconcile(&mut value, &mut moves);
    let seat = table.to_move().unwrap_or_default();
    let values = values(table, seat, &moves);
    let Some(best) = best(&moves) else {
        let seconds = TIME_TO_SOLVE.as_secs();
        return format!("Not solved in {seconds} s. The values are between: {values}.");
    };
    let ply = words::ply(table, seat, best.ply);
    let outcome = outcome(board, best.value.at_least);
    format!("Best is {ply}: {outcome}. The values, from now on: {values}.")
}

/// What the built-in player would do; the same for the same position.
fn of_player(table: &BoardGame) -> String {
    let seat = table.to_move().unwrap_or_default();
    let mut player = Player::new(Level::Hard, &table.contest.rules, 0);
    match player.choose(table.game.board(), TIME) {
        Some(choice) => {
            format!("The built-in player would play {}.", words::ply(table, seat, choice.ply))
        }
        None => "There is nothing to play.".to_owned(),
    }
}

/// The first of the best moves, if its value is exact and no other can be worth more.
fn best(moves: &[MoveValue]) -> Option<&MoveValue> {
    let at_most = moves.iter().map(|found| found.value.at_most).max()?;
    moves.iter().find(|found| found.value.exact() == Some(at_most))
}

/// `1: -14, 2: 0`.
fn values(table: &BoardGame, seat: Seat, moves: &[MoveValue]) -> String {
    let value = |found: &MoveValue| {
        format!("{}: {}", words::ply(table, seat, found.ply), bounds_text(found.value))
    };
    moves.iter().map(value).collect::<Vec<_>>().join(", ")
}

/// How the game ends when both go on without a mistake.
fn outcome(board: Board, value: i16) -> String {
    let [own, other] = final_seeds(board, value);
    let score = format!("{own} : {other}");
    match (own - other).signum() {
        1 => format!("you win {score} if you make no mistake"),
        0 => format!("a draw, {score}, if nobody makes a mistake"),
        _ => format!("you lose {score} if nobody makes a mistake"),
    }
}
