//! What replaying records found, a line a match, and a round shown again move by move.

use std::io::{self, Write};

use super::commentary::Commentary;
use super::notes::notes;
use super::table::Footnote;
use super::terminal::write_notes;
use super::width::Width;
use crate::record::{FaultRecord, MatchRecord, MoveRecord, RoundRecord, Substitute};
use crate::referee::{Event, Mismatch};
use crate::rules::{Game, Ply, Side};
use crate::seat::{PerSeat, Seat};
use crate::text::printable;

/// How many matches of a file are valid.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ReplayTotals {
    seen: u64,
    valid: u64,
    invalid: u64,
    unreadable: u64,
}

impl ReplayTotals {
    /// Counts a match of the file, played again or not.
    pub const fn see(&mut self) {
        self.seen += 1;
    }

    /// Counts a match that was played again.
    pub const fn count(&mut self, verdict: &Result<(), Mismatch>) {
        match verdict {
            Ok(()) => self.valid += 1,
            Err(_) => self.invalid += 1,
        }
    }

    /// Counts a line that cannot be read or is cut off.
    pub const fn count_unreadable(&mut self) {
        self.unreadable += 1;
    }

    /// Matches in the file.
    #[must_use]
    pub const fn seen(&self) -> u64 {
        self.seen
    }

    /// Matches that were looked at.
    #[must_use]
    pub const fn matches(&self) -> u64 {
        self.valid + self.invalid + self.unreadable
    }

    /// Whether every match that was looked at is valid.
    #[must_use]
    pub const fn all_valid(&self) -> bool {
        self.invalid == 0 && self.unreadable == 0
    }

    /// The matches that are not valid, in words.
    #[must_use]
    pub fn problems(&self) -> String {
        let matches = self.matches();
        let invalid = (self.invalid > 0).then(|| format!("{} are invalid", self.invalid));
        let unreadable =
            (self.unreadable > 0).then(|| format!("{} cannot be read", self.unreadable));
        let parts: Vec<String> = [invalid, unreadable].into_iter().flatten().collect();
        format!("of {matches} matches {}", parts.join(" and "))
    }
}

/// Writes whether a match is valid: `match 1: valid, hard 51 : 21 easy`.
///
/// # Errors
///
/// When the writer fails.
pub fn write_replay(
    out: &mut dyn Write,
    number: u64,
    line: u64,
    record: &MatchRecord,
    verdict: &Result<(), Mismatch>,
) -> io::Result<()> {
    let [a, b] = Seat::BOTH.map(|seat| printable(&record.bots[seat].name));
    match verdict {
        Ok(()) => writeln!(
            out,
            "match {number}: valid, {a} {} : {} {b}",
            record.score[Seat::A],
            record.score[Seat::B]
        ),
        Err(mismatch) => {
            let mismatch = printable(&mismatch.to_string());
            writeln!(out, "match {number}: invalid, {a} against {b}, line {line}: {mismatch}")
        }
    }
}

/// Writes the last line of a replay.
///
/// # Errors
///
/// When the writer fails.
pub fn write_totals(out: &mut dyn Write, totals: &ReplayTotals) -> io::Result<()> {
    writeln!(out, "{} of {} matches are valid", totals.valid, totals.matches())
}

/// What a recorded move plays.
pub(super) fn ply_of(record: &MatchRecord, played: &MoveRecord) -> Ply {
    let only = record.rules.direction.directions()[0];
    Ply { house: played.house, direction: played.direction.unwrap_or(only) }
}

/// Shows a recorded round move by move, up to the first move that the rules do not allow.
///
/// # Errors
///
/// When the writer fails.
pub fn write_round(
    out: &mut dyn Write,
    record: &MatchRecord,
    round: &RoundRecord,
) -> io::Result<()> {
    writeln!(out)?;
    let mut commentary = Commentary::new(&mut *out);
    commentary.write(Event::MatchBegan { bots: &record.bots, rules: &record.rules })?;
    commentary.write(Event::RoundBegan {
        round: round.round,
        first: round.first,
        board: record.opening.board(),
    })?;
    let mut game = Game::new(record.rules, record.opening, record.terms.max_moves)
        .adjudicated(record.terms.adjudicate);
    let mut faults = PerSeat::default();
    for played in &round.moves {
        let ply = ply_of(record, played);
        let position = game.board();
        let Ok(sown) = game.play(ply) else { return Ok(()) };
        if let Some(Substitute { kind, detail, cause }) = played.substitute.clone() {
            let (seat, stderr) = (played.bot, String::new());
            faults[seat] += 1;
            commentary.write(Event::Substituted {
                round: round.round,
                seat,
                fault: &FaultRecord { bot: seat, kind, detail, cause, board: position, stderr },
                count: faults[seat],
                of: record.terms.faults.max_substitutes(),
            })?;
        }
        let moved = Event::Moved {
            round: round.round,
            number: game.moves(),
            seat: played.bot,
            ply,
            sown,
            time: played.time,
            board: game.board_of(Side::First),
        };
        commentary.write_with_info(moved, played.info.as_ref())?;
    }
    commentary.write(Event::RoundEnded { record: round, bots: &record.bots })?;
    let mut notes = notes(record, round);
    notes.pop_if(|last| *last == Footnote::Gap);
    write_notes(out, &notes, Width::Whole)
}
