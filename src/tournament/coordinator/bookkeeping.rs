//! The books of a tournament: what is known goes into the file first, then into the ledger, then to
//! the observers.

use std::collections::BTreeSet;
use std::io;

use super::inputs::{CoordinatorResult, TournamentError, TournamentInputs};
use crate::contest::{FileLine, Fixture, LineMoves, read_file_line};
use crate::record::{DisqualifiedFor, NO_OPPONENT, NoteKind, Timestamp};
use crate::seat::{PerSeat, Seat};
use crate::text::printable_path;
use crate::tournament::logs::{KeptLogs, WantedLogs};
use crate::tournament::{JournalWriter, Ledger, NoteContent, TournamentEvent};

/// What a note says of what a build has made.
const MADE: &str = "its build makes files that are left out of its version";

/// Gets each event.
pub(super) type Observe<'a> = &'a mut dyn FnMut(&Ledger, &TournamentEvent<'_>);

/// The file, the ledger and the observers.
pub(super) struct Bookkeeping<'a> {
    pub(super) inputs: &'a TournamentInputs<'a>,
    pub(super) ledger: &'a mut Ledger,
    pub(super) journal: &'a mut dyn JournalWriter,
    pub(super) observe: Observe<'a>,
    /// Which logs there are, if logs are kept.
    pub(super) logs: Option<KeptLogs>,
    /// False while a tournament may still be refused: it leaves no trace then.
    pub(super) are_notes_written: bool,
}

impl<'a> Bookkeeping<'a> {
    pub(super) fn name(&self, bot: usize) -> &'a str {
        &self.inputs.plan.bots[bot].name
    }

    pub(super) fn notify(&mut self, event: &TournamentEvent<'_>) {
        (self.observe)(self.ledger, event);
    }

    /// Which logs of their next match two bots want, if logs are kept.
    pub(super) fn wanted_logs(&self, bots: PerSeat<usize>) -> Option<PerSeat<WantedLogs>> {
        self.logs.as_ref().map(|logs| logs.wanted(bots))
    }

    /// Adds a match that was played. False if the line is not the record of this match.
    pub(super) fn add_match(&mut self, fixture: &Fixture, line: &[u8]) -> CoordinatorResult<bool> {
        let Ok(FileLine::Match(summary, _)) = read_file_line(line, LineMoves::Checked) else {
            return Ok(false);
        };
        let is_it = |(id, number): (_, std::num::NonZeroU64)| {
            id == self.inputs.plan.id() && number.get() == fixture.number
        };
        if !summary.place.is_some_and(is_it) {
            return Ok(false);
        }
        let (at, number) = (Timestamp::now(), fixture.number);
        self.journal.write(line).map_err(|source| unwritten(self.journal, &source))?;
        self.ledger.add(fixture.bots, number, &summary);
        if let Some(logs) = &mut self.logs {
            for seat in Seat::BOTH {
                logs.count(fixture.bots[seat], summary.faults(seat));
            }
        }
        let score = PerSeat::from_fn(|seat| summary.seeds(seat));
        let winner = summary.winner();
        self.notify(&TournamentEvent::MatchEnded { at, r#match: number, score, winner });
        self.disqualify_faulty()?;
        Ok(true)
    }

    /// Disqualifies the bots that have too many faults by now.
    pub(super) fn disqualify_faulty(&mut self) -> CoordinatorResult {
        for (bot, number) in self.ledger.disqualify_faulty() {
            let why = self.ledger.disqualified(bot).unwrap_or_default().to_owned();
            self.note_disqualified(bot, (&why, DisqualifiedFor::Faults), Some(number), None)?;
        }
        Ok(())
    }

    /// Disqualifies a bot, maybe because of the match with the number `number`, or of what its build or its
    /// check said.
    pub(super) fn disqualify(
        &mut self,
        bot: usize,
        why: (&str, DisqualifiedFor),
        number: Option<u64>,
        output: Option<&str>,
    ) -> CoordinatorResult {
        let is_new = self.ledger.disqualify(bot, why, number);
        if is_new { self.note_disqualified(bot, why, number, output) } else { Ok(()) }
    }

    fn note_disqualified(
        &mut self,
        bot: usize,
        (why, cause): (&str, DisqualifiedFor),
        number: Option<u64>,
        output: Option<&str>,
    ) -> CoordinatorResult {
        if self.are_notes_written {
            let note = NoteContent::about(NoteKind::Disqualified, bot, why);
            self.write_note(NoteContent { number, cause: Some(cause), output, ..note })?;
        }
        let (at, bot) = (Timestamp::now(), self.name(bot));
        let event = TournamentEvent::Disqualified { at, r#match: number, bot, detail: why, cause };
        self.notify(&event);
        Ok(())
    }

    /// Leaves a match unfinished: this run does not try it again.
    pub(super) fn leave_unfinished(&mut self, number: u64, why: &str) -> CoordinatorResult {
        let note = NoteContent::about(NoteKind::Unfinished, 0, why);
        self.write_note(NoteContent { number: Some(number), bot: None, ..note })?;
        self.ledger.leave_unfinished(number, why);
        let at = Timestamp::now();
        let event = TournamentEvent::Unfinished { at, r#match: number, bot: None, detail: why };
        self.notify(&event);
        Ok(())
    }

    /// Gives a bot a bye in a round of a Swiss tournament. The file may have it from an earlier run.
    pub(super) fn add_bye(&mut self, bot: usize, round: u64) -> CoordinatorResult {
        self.ledger.add_bye(bot, round);
        let words = format!("{NO_OPPONENT}{round}");
        let note = NoteContent::about(NoteKind::Bye, bot, &words);
        self.write_note(NoteContent { round: Some(round), ..note })
    }

    /// Notes what a bot's build has made: the next run leaves it out of the bot's version, too.
    pub(super) fn note_made(&mut self, bot: usize, made: BTreeSet<String>) -> CoordinatorResult {
        let note = NoteContent::about(NoteKind::Made, bot, MADE);
        self.write_note(NoteContent { made, ..note })
    }

    fn write_note(&mut self, note: NoteContent<'_>) -> CoordinatorResult {
        let written = self.journal.write_note(self.inputs.plan, note);
        written.map_err(|source| unwritten(self.journal, &source))
    }

    /// Has the disk keep what was written so far.
    pub(super) fn sync(&self) -> CoordinatorResult {
        self.journal.sync().map_err(|source| unwritten(self.journal, &source))
    }
}

fn unwritten(journal: &dyn JournalWriter, source: &io::Error) -> TournamentError {
    let path = printable_path(journal.path());
    let advice = match crate::record::advice_on(source) {
        Some(advice) if journal.is_kept() => format!("; {advice} and go on with --resume"),
        Some(advice) => format!("; {advice}, or give --record FILE on another disk"),
        None => String::new(),
    };
    TournamentError::Stopped(format!("cannot write the record file {path}: {source}{advice}"))
}
