//! Plays a record again through the rules: is it valid?

mod cause;
mod ending;
mod process_starts;
mod values;

use std::fmt;

use self::cause::verify_cause;
use self::ending::verify_ending;
use self::process_starts::ProcessStarts;
pub use self::values::RecordedValues;
use super::clock::Clock;
use super::ending::seat_of;
use super::play::{REPLAYS, total_score, winner};
use super::policy::{Substitutes, first_legal};
use super::setup::starter;
use crate::protocol::{CauseCode, FaultKind};
use crate::record::{Digest, MatchRecord, MoveRecord, RoundRecord, TimeTerms, milliseconds};
use crate::rules::{Game, Sown};
use crate::seat::{PerSeat, Seat};

/// The first thing in a record that is impossible.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Mismatch {
    /// The round it is in, from 1; none when it is in the match's own fields.
    pub round: Option<u32>,
    /// The move it is at, from 1; none when it is in the result.
    pub number: Option<usize>,
    /// What is wrong.
    pub what: String,
}

impl fmt::Display for Mismatch {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let what = &self.what;
        match (self.round, self.number) {
            (Some(round), Some(number)) => write!(f, "round {round}, move {number}: {what}"),
            (Some(round), None) => write!(f, "round {round}: {what}"),
            (None, _) => f.write_str(what),
        }
    }
}

impl std::error::Error for Mismatch {}

/// Checks a whole record: every move, every result, the match's score and winner.
///
/// # Errors
///
/// The first [`Mismatch`], in the order in which the match was played.
pub fn verify(record: &MatchRecord) -> Result<(), Mismatch> {
    let of_match = |what| Mismatch { round: None, number: None, what };
    if record.rounds.is_empty() {
        return Err(of_match("the match has no round".to_owned()));
    }
    verify_setup(record).map_err(of_match)?;
    let mut starts = ProcessStarts::new(record);
    for (number, round) in (1..).zip(&record.rounds) {
        verify_round(record, round, &mut starts)?;
        verify_place(record, round, number).map_err(of_match)?;
    }
    verify_match(record).map_err(of_match)
}

/// Checks what the match was played with.
fn verify_setup(record: &MatchRecord) -> Result<(), String> {
    let TimeTerms { move_time, game_time, .. } = record.terms.time;
    if move_time.is_none() && game_time.is_none() {
        return Err("its limits have neither a time for a move nor a time bank".to_owned());
    }
    let PerSeat([a, b]) = &record.bots;
    if a.name == b.name {
        return Err("both bots have the same name".to_owned());
    }
    Ok(())
}

/// Checks that a round is the one of this `number` in its match.
fn verify_place(record: &MatchRecord, round: &RoundRecord, number: u32) -> Result<(), String> {
    if round.round != number {
        return Err(format!("round {} stands where round {number} should", round.round));
    }
    if round.replayed > REPLAYS {
        return Err(format!(
            "round {number} is given as void {} times, at most {REPLAYS} can be",
            round.replayed
        ));
    }
    if round.first != starter(record.rounds[0].first, number) {
        return Err(format!("the starter of round {number} is not swapped"));
    }
    Ok(())
}

/// Checks the match's own fields against its rounds.
fn verify_match(record: &MatchRecord) -> Result<(), String> {
    let found = record.rounds.len();
    if let Some(planned) = record.planned_rounds
        && usize::try_from(planned.get()) != Ok(found)
    {
        return Err(format!("{planned} rounds were to be played, {found} are there"));
    }
    if let Some(place) = &record.tournament {
        let digest =
            |round: &RoundRecord| Digest::of_game(&record.rules, &record.opening, &round.moves);
        if !record.rounds.iter().map(digest).eq(place.games.iter().copied()) {
            return Err("the digests of its games are not those of its moves".to_owned());
        }
    }
    let score = total_score(&record.rounds);
    if score != record.score {
        let (given, sum) = (record.score.0, score.0);
        return Err(format!("the score is given as {given:?}, the rounds add up to {sum:?}"));
    }
    if record.winner != winner(score) {
        return Err(format!("the winner is not the one that a score of {:?} makes", score.0));
    }
    Ok(())
}

fn verify_round(
    record: &MatchRecord,
    round: &RoundRecord,
    starts: &mut ProcessStarts,
) -> Result<(), Mismatch> {
    let at = |number, what| Mismatch { round: Some(round.round), number, what };
    let mut replay = RoundReplay::new(record, round);
    let mut values = RecordedValues::default();
    starts.begin_round(round);
    for (number, played) in (1..).zip(&round.moves) {
        let board = replay.game.board();
        let is_only = replay.game.legal().nth(1).is_none();
        let sown = replay.make(played, starts).map_err(|why| at(Some(number), why))?;
        let fits = values.check(number, (played.value, played.loss), board, is_only, sown);
        fits.map_err(|(number, why)| at(Some(number), why))?;
    }
    values.finish(replay.game.board()).map_err(|(number, why)| at(Some(number), why))?;
    starts.end_round(round);
    verify_ending(record, round, &replay.game, replay.substitutes).map_err(|why| at(None, why))
}

/// A recorded round that is played again.
struct RoundReplay<'a> {
    record: &'a MatchRecord,
    first: Seat,
    game: Game,
    substitutes: Substitutes,
    clocks: PerSeat<Clock>,
}

impl RoundReplay<'_> {
    fn new<'a>(record: &'a MatchRecord, round: &RoundRecord) -> RoundReplay<'a> {
        let MatchRecord { rules, opening, ref terms, .. } = *record;
        RoundReplay {
            record,
            first: round.first,
            game: Game::new(rules, opening, terms.max_moves).adjudicated(terms.adjudicate),
            substitutes: Substitutes::new(terms.faults),
            clocks: PerSeat::from_fn(|_| Clock::new(terms.time, false)),
        }
    }

    /// Checks a move and makes it. `starts` says whether it has time to start.
    fn make(&mut self, played: &MoveRecord, starts: &mut ProcessStarts) -> Result<Sown, String> {
        if let Some(ending) = self.game.ending() {
            return Err(format!("the round had ended before it ({ending})"));
        }
        if played.bot != seat_of(self.game.mover(), self.first) {
            return Err(format!("it was not the turn of {:?}", self.record.bots[played.bot].name));
        }
        if starts.see(played)? {
            self.clocks[played.bot].start_again();
        }
        // A person may think as long as it takes.
        if !self.record.bots[played.bot].is_person() {
            verify_time(&mut self.clocks[played.bot], played, self.record.terms.time)?;
        }
        let rules = &self.record.rules;
        if rules.direction.is_a_choice() && played.direction.is_none() {
            return Err("the direction is missing".to_owned());
        }
        let ply = rules.ply(played.house, played.direction);
        if let Some(fault) = &played.substitute {
            verify_cause(fault.kind, fault.cause.as_deref(), self.game.board(), self.record)?;
            self.substitutes
                .count(played.bot, fault.kind)
                .map_err(|why| format!("it is given as substituted, but {why}"))?;
            if first_legal(&self.game) != Some(ply) {
                return Err("what was substituted is not the first legal move".to_owned());
            }
        }
        self.game.play(ply).map_err(|why| why.to_string())
    }
}

/// Checks the time of a move against what the bot had for it.
fn verify_time(clock: &mut Clock, played: &MoveRecord, terms: TimeTerms) -> Result<(), String> {
    let allowance = clock.allowance();
    let time = milliseconds(played.time);
    match (&played.substitute, allowance) {
        (None, None) => return Err("the bot's time bank was spent".to_owned()),
        (None, Some(allowance)) if played.time > allowance.late_after => {
            let limit = clock.cause(CauseCode::LateAnswer, allowance, played.time).limit_in_words();
            return Err(format!("it took {time:.3} ms, beyond the limit ({limit})"));
        }
        (Some(fault), _) if fault.kind == FaultKind::Timeout => {
            let code = fault.cause.as_ref().map(|cause| cause.code);
            if code == Some(CauseCode::BankSpent) && !played.time.is_zero() {
                return Err(format!(
                    "it is given as a spent time bank, but took {time:.3} ms: such a bot is not asked"
                ));
            }
            // With a bank it may have been the bank that ran out, at any time.
            let limit = terms.move_time.filter(|_| terms.game_time.is_none());
            if limit.is_some_and(|limit| played.time < limit) {
                return Err(format!(
                    "it is given as a timeout, but took {time:.3} ms, less than the limit"
                ));
            }
        }
        // Its answer came in time.
        (Some(fault), Some(allowance))
            if matches!(fault.kind, FaultKind::IllegalMove | FaultKind::InvalidReply)
                && played.time > allowance.late_after =>
        {
            let kind = fault.kind;
            return Err(format!(
                "it is given as a fault of kind {kind}, but took {time:.3} ms, beyond the limit"
            ));
        }
        _ => {}
    }
    clock.charge(played.time);
    Ok(())
}

#[cfg(test)]
mod tests;
