//! What the built-in player would do.

use std::time::Duration;

use super::board_game::BoardGame;
use super::words;
use crate::engine::{Level, Player};
use crate::seat::Seat;

/// The time that the built-in player has for a hint; it takes a tenth of it at most.
const TIME: Duration = Duration::from_secs(1);

/// A hint for the player to move; the same for the same position.
pub(super) fn hint(table: &BoardGame, seat: Seat) -> String {
    let mut player = Player::new(Level::Hard, &table.contest.rules, 0);
    match player.choose(table.game().board(), TIME) {
        Some(choice) => {
            format!("The built-in player would play {}.", words::ply(table, seat, choice.ply))
        }
        None => "There is nothing to play.".to_owned(),
    }
}
