//! The opponent of a bot under check: the built-in player, without a process of its own.

use std::time::Duration;

use crate::engine::{Level, Player};
use crate::protocol::{ToBot, Turn};
use crate::referee::Answer;
use crate::rules::{Ruleset, Sower};

/// A built-in player that may be told to forfeit.
pub(super) struct Sparring {
    level: Level,
    seed: u64,
    forfeits: Forfeits,
    round: u32,
    rules: Ruleset,
    player: Option<Player>,
}

/// Whether the opponent forfeits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Forfeits {
    /// Never.
    Never,
    /// In every round: in the first with its first move, later with its third.
    Always,
}

/// What it answers when it forfeits: the bot is told of it, as of what any opponent writes.
const NO_MOVE: &[u8] = br#"{"type":"turn"} "I\resign, 3"#;

impl Sparring {
    pub(super) fn new(level: Level, seed: u64, forfeits: Forfeits) -> Sparring {
        Sparring { level, seed, forfeits, round: 0, rules: Ruleset::default(), player: None }
    }

    /// Takes note of a message that wants no answer.
    pub(super) fn hear(&mut self, message: &ToBot) {
        if let ToBot::Start(start) = message {
            self.round = start.round;
            self.rules = start.rules;
            let seed = self.seed.wrapping_add(u64::from(start.round));
            self.player = Some(Player::new(self.level, &start.rules, seed));
        }
    }

    /// Answers at once.
    pub(super) fn answer(&mut self, message: &ToBot) -> Answer {
        let line = match message {
            ToBot::Turn(turn) => self.play(turn),
            _ => Vec::new(),
        };
        Answer { line, time: Duration::ZERO, surplus: Vec::new() }
    }

    fn play(&mut self, turn: &Turn) -> Vec<u8> {
        let last_turn = if self.round == 1 { 1 } else { 3 };
        if self.forfeits == Forfeits::Always && turn.turn >= last_turn {
            return NO_MOVE.to_vec();
        }
        let chosen = self.player.as_mut().and_then(|player| {
            // A tenth of it is what the player takes at most.
            player.choose(turn.board, Duration::from_millis(turn.move_time_ms))
        });
        let ply = chosen.map(|choice| choice.ply);
        match ply.or_else(|| Sower::new(&self.rules).legal(turn.board).next()) {
            Some(ply) if self.rules.direction.is_a_choice() => {
                format!("{{\"move\":{},\"direction\":\"{}\"}}", ply.house, ply.direction)
                    .into_bytes()
            }
            Some(ply) => ply.house.to_string().into_bytes(),
            None => Vec::new(),
        }
    }
}
