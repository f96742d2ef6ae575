//! The moves of a round as its record keeps them.

use std::time::Duration;

use crate::protocol::{FaultKind, Info};
use crate::record::MoveRecord;
use crate::rules::{Ply, Ruleset};
use crate::seat::{PerSeat, Seat};

/// Most bytes of `info` that a round keeps of each bot; what goes beyond is left out, so that the
/// referee's memory does not grow with what a bot prints.
const MAX_INFO: usize = 256 * 1024;

/// Moves in the order in which they were made.
#[derive(Clone, Default)]
pub struct Moves {
    records: Vec<MoveRecord>,
    info_bytes: PerSeat<usize>,
}

impl Moves {
    /// Adds a move; its direction only where the rules leave a choice.
    pub fn push(
        &mut self,
        rules: &Ruleset,
        bot: Seat,
        ply: Ply,
        time: Duration,
        info: Option<Info>,
    ) -> &mut MoveRecord {
        let info = info.filter(|info| self.info_bytes[bot] + info.json().len() <= MAX_INFO);
        self.info_bytes[bot] += info.as_ref().map_or(0, |info| info.json().len());
        let direction = rules.direction.is_a_choice().then_some(ply.direction);
        self.records.push(MoveRecord {
            bot,
            house: ply.house,
            direction,
            time,
            fresh: false,
            info,
            substitute: None,
            value: None,
            loss: None,
        });
        let last = self.records.len() - 1;
        &mut self.records[last]
    }

    /// Takes the last move off again.
    pub fn pop(&mut self) -> Option<MoveRecord> {
        let last = self.records.pop()?;
        self.info_bytes[last.bot] -= last.info.as_ref().map_or(0, |info| info.json().len());
        Some(last)
    }

    /// Whether one of them was played for `bot` after a fault of `kind`.
    pub(super) fn has_substitute_for(&self, bot: Seat, kind: FaultKind) -> bool {
        let mut of_bot = self.records.iter().filter(|played| played.bot == bot);
        of_bot.any(|played| played.substitute.as_ref().is_some_and(|fault| fault.kind == kind))
    }

    /// The moves so far.
    pub fn as_slice(&self) -> &[MoveRecord] {
        &self.records
    }

    pub(crate) fn into_records(self) -> Vec<MoveRecord> {
        self.records
    }
}
