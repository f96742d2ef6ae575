//! Which moves of a record are the first answers of processes, which have time to start.

use crate::record::{MatchRecord, MoveRecord, RoundRecord};
use crate::seat::PerSeat;

/// Follows the processes of a match from move to move.
pub(super) struct ProcessStarts {
    is_said: bool,
    /// Whether a person plays, who may take a move back: then the bot's process is another one.
    has_person: bool,
    /// Whether the bot's next answer may be the first one of a process.
    may_come: PerSeat<bool>,
}

impl ProcessStarts {
    pub(super) fn new(record: &MatchRecord) -> ProcessStarts {
        ProcessStarts {
            is_said: record.says_first_answers(),
            has_person: record.has_person(),
            may_come: PerSeat([true; 2]),
        }
    }

    /// Begins a round. A round that was void has other processes when it is played again; an older
    /// record does not say whether processes were started for a round.
    pub(super) fn begin_round(&mut self, round: &RoundRecord) {
        if !self.is_said || round.replayed > 0 {
            self.may_come = PerSeat([true; 2]);
        }
    }

    /// Whether a move has time to start.
    ///
    /// # Errors
    ///
    /// If it is marked as a first answer, and the process before it had gone on.
    pub(super) fn see(&mut self, played: &MoveRecord) -> Result<bool, String> {
        // After a fault that is substituted the process may be another one.
        let again = played.substitute.is_some();
        let may_come = std::mem::replace(&mut self.may_come[played.bot], again);
        if !self.is_said {
            return Ok(may_come);
        }
        if played.fresh && !may_come && !self.has_person {
            return Err(
                "it is given as the first of a process, but the one before it went on".to_owned()
            );
        }
        Ok(played.fresh)
    }

    /// Ends a round: a bot that forfeited it is started again.
    pub(super) fn end_round(&mut self, round: &RoundRecord) {
        if let Some(fault) = &round.result.fault {
            self.may_come[fault.bot] = true;
        }
    }
}
