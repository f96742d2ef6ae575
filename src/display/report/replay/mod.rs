//! The result of a replay, one line a match, and a recorded round move by move.

mod json;

use std::io::{self, Write};

use super::notes::notes;
use super::table::Footnote;
use super::terminal::{write_notes, write_sentence};
use super::{Commentary, Width};
use crate::record::{FaultRecord, MatchRecord, RoundRecord, Substitute};
use crate::referee::{Event, Mismatch};
use crate::rules::{Game, Side};
use crate::seat::{PerSeat, Seat};

pub use json::{ReplayLine, write_replay_json, write_unreadable_json};

/// Counts of the matches of a file.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ReplayTotals {
    /// Matches in the file, replayed or not.
    pub seen: u64,
    valid: u64,
    invalid: u64,
    /// Lines that are not a record or are cut off.
    pub unreadable: u64,
}

impl ReplayTotals {
    /// Counts a match that was replayed.
    pub const fn count(&mut self, verdict: &Result<(), Mismatch>) {
        match verdict {
            Ok(()) => self.valid += 1,
            Err(_) => self.invalid += 1,
        }
    }

    /// Matches that were replayed or could not be read.
    pub const fn matches(&self) -> u64 {
        self.valid + self.invalid + self.unreadable
    }

    /// True if no match is invalid or unreadable.
    pub const fn all_valid(&self) -> bool {
        self.invalid == 0 && self.unreadable == 0
    }

    /// A sentence about the invalid and unreadable matches.
    pub fn problems(&self) -> String {
        let matches = self.matches();
        let problems = [(self.invalid, "are invalid"), (self.unreadable, "cannot be read")];
        let problems = problems.into_iter().filter(|(count, _)| *count > 0);
        let parts: Vec<String> = problems.map(|(count, what)| format!("{count} {what}")).collect();
        format!("of {matches} matches {}", parts.join(" and "))
    }
}

/// The number of a match in its file, and in its tournament if it was played in one.
pub(super) fn match_number(number: u64, in_tournament: Option<u64>) -> String {
    match in_tournament {
        Some(other) => format!("{number} (tournament match {other})"),
        None => number.to_string(),
    }
}

/// Writes whether a match is valid: `match 1: valid, hard 51 : 21 easy`, and what both bots gave away
/// if an analysis has added that. A line for a terminal is fitted to `width`.
///
/// # Errors
///
/// When the writer fails.
pub fn write_replay(
    (out, width): (&mut dyn Write, Width),
    number: u64,
    line: u64,
    record: &MatchRecord,
    verdict: &Result<(), Mismatch>,
) -> io::Result<()> {
    let [a, b] = Seat::BOTH.map(|seat| &record.bots[seat].name);
    let number = match_number(number, record.tournament.as_ref().map(|place| place.number.get()));
    let sentence = match verdict {
        Ok(()) => {
            let (PerSeat([own, other]), losses) = (record.score, losses(record));
            format!("match {number}: valid, {a} {own} : {other} {b}{losses}")
        }
        Err(mismatch) => {
            format!("match {number}: invalid, {a} against {b}, line {line}: {mismatch}")
        }
    };
    write_sentence(out, &sentence, width)
}

/// `; given away 2 : 15`, the sum of the known losses of each bot, or nothing if there are none.
fn losses(record: &MatchRecord) -> String {
    let (mut sums, mut known, mut moves) = (PerSeat::<i64>::default(), 0, 0);
    for played in record.rounds.iter().flat_map(|round| &round.moves) {
        moves += 1;
        if let Some(loss) = played.loss {
            known += 1;
            sums[played.bot] += i64::from(loss);
        }
    }
    let PerSeat([a, b]) = sums;
    let sums = format!("; given away {a} : {b}");
    match known {
        0 => String::new(),
        _ if known == moves => sums,
        _ => format!("{sums} in {known} of {moves} moves"),
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

/// Writes a recorded round move by move, up to the first illegal move.
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
    commentary.write(Event::MatchBegan { bots: &record.bots, rules: &record.rules }, None)?;
    let (number, board) = (round.round, record.opening.board());
    commentary.write(Event::RoundBegan { round: number, first: round.first, board }, None)?;
    let mut game = Game::new(record.rules, record.opening, record.terms.max_moves)
        .adjudicated(record.terms.adjudicate);
    let mut faults = PerSeat::default();
    for played in &round.moves {
        let ply = record.rules.ply(played.house, played.direction);
        let position = game.board();
        let Ok(sown) = game.play(ply) else { return Ok(()) };
        if let Some(Substitute { kind, detail, cause, stderr }) = played.substitute.clone() {
            let seat = played.bot;
            faults[seat] += 1;
            let substituted = Event::Substituted {
                round: round.round,
                seat,
                fault: &FaultRecord { bot: seat, kind, detail, cause, board: position, stderr },
                count: faults[seat],
                of: record.terms.faults.max_substitutes(),
            };
            commentary.write(substituted, None)?;
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
        commentary.write(moved, Some(played))?;
    }
    commentary.write(Event::RoundEnded { record: round, bots: &record.bots }, None)?;
    let mut notes = notes(record, round);
    notes.pop_if(|last| *last == Footnote::Gap);
    write_notes(out, &notes, Width::Whole, &[])
}
