//! Which moves of a record are the first answers of processes, which have time to start.

use crate::record::{FirstAnswers, MatchRecord, MoveRecord, RoundRecord};
use crate::seat::PerSeat;

/// Follows the processes of a match from move to move. Before an answer `answers.is_new` says whether
/// it may be the first one of a process.
pub(super) struct ProcessStarts {
    answers: FirstAnswers,
    /// Whether a person plays, who may take a move back: then the bot's process is another one.
    has_person: bool,
}

impl ProcessStarts {
    pub(super) fn new(record: &MatchRecord) -> ProcessStarts {
        ProcessStarts { answers: record.first_answers(), has_person: record.has_person() }
    }

    /// Begins a round. A round that was void has other processes when it is played again; an older
    /// record does not say whether processes were started for a round.
    pub(super) fn begin_round(&mut self, round: &RoundRecord) {
        if !self.answers.is_told || round.replayed > 0 {
            self.answers.is_new = PerSeat([true; 2]);
        }
    }

    /// Whether a move has time to start.
    ///
    /// # Errors
    ///
    /// If it is marked as a first answer, and the process before it had gone on.
    pub(super) fn see(&mut self, played: &MoveRecord) -> Result<bool, String> {
        let may_be_first = self.answers.is_new[played.bot];
        let is_first = self.answers.is_first(played.bot, played.fresh);
        // After a fault that is substituted the process may be another one.
        self.answers.is_new[played.bot] = played.substitute.is_some();
        if is_first && !may_be_first && !self.has_person {
            return Err(
                "it is given as the first of a process, but the one before it went on".to_owned()
            );
        }
        Ok(is_first)
    }

    /// Ends a round: a bot that forfeited it is started again.
    pub(super) fn end_round(&mut self, round: &RoundRecord) {
        self.answers.end_round(round.result.fault.as_ref().map(|fault| fault.bot));
    }
}
