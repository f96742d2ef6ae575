//! The bot's opponent in a trial: the built-in player, without a process of its own.

use std::time::Duration;

use super::trial::Trial;
use crate::engine::{ChosenMove, Player};
use crate::protocol::{ToBot, Turn};
use crate::referee::Answer;

/// The opponent of a trial, and the round that it is in.
pub(super) struct Opponent<'a> {
    trial: &'a Trial,
    round: u32,
    player: Option<Player>,
}

/// What it answers when it forfeits; the bot's end message quotes it.
const NO_MOVE: &[u8] = br#"{"type":"turn"} "I\resign, 3"#;

impl<'a> Opponent<'a> {
    pub(super) fn new(trial: &'a Trial) -> Opponent<'a> {
        Opponent { trial, round: 0, player: None }
    }

    /// Takes note of a message that wants no answer.
    pub(super) fn note(&mut self, message: &ToBot) {
        if let ToBot::Start(start) = message {
            self.round = start.round;
            let seed = self.trial.seed.wrapping_add(u64::from(start.round));
            self.player = Some(Player::new(self.trial.level, &start.rules, seed));
        }
    }

    pub(super) fn answer(&mut self, message: &ToBot) -> Answer {
        let line = match message {
            ToBot::Turn(turn) => self.play(turn),
            _ => Vec::new(),
        };
        Answer { line, time: Duration::ZERO, surplus: Vec::new() }
    }

    fn play(&mut self, turn: &Turn) -> Vec<u8> {
        let last_turn = if self.round == 1 { 1 } else { 3 };
        if self.trial.opponent_forfeits && turn.turn >= last_turn {
            return NO_MOVE.to_vec();
        }
        // The player takes a tenth of this time at most.
        let move_time = Duration::from_millis(turn.move_time_ms);
        let chosen = self.player.as_mut().and_then(|player| player.choose(turn.board, move_time));
        chosen.map_or_else(Vec::new, |ChosenMove { ply, .. }| {
            format!("{{\"move\":{},\"direction\":\"{}\"}}", ply.house, ply.direction).into_bytes()
        })
    }
}
