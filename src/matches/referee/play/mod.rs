//! A match: rounds from the same opening, the starter swapped, the scores added up.

use std::io;

use super::event::Event;
use super::players::{Players, Trouble};
use super::round::{RoundOutcome, play_round};
use super::setup::MatchSetup;
use crate::record::{MatchRecord, RecordFormat, RoundRecord, Timestamp, milliseconds};
use crate::seat::{PerSeat, Seat};

/// Why a match was not played to its end. Nothing of it counts.
#[derive(Debug, thiserror::Error)]
pub enum MatchError {
    /// A bot's program does not start at all.
    #[error("cannot start bot \"{name}\": {why}")]
    CannotStart {
        /// The bot.
        name: String,
        why: String,
    },
    /// The user wants to stop.
    #[error("interrupted")]
    Interrupted,
    /// No result of it would be fair, for this reason. The match can be played again.
    #[error("the match is unfinished and does not count: {0}")]
    Unfinished(String),
    /// The system did not give the referee what it needs.
    #[error("the system fails bot \"{name}\" in round {round}")]
    System {
        /// The bot.
        name: String,
        /// The round, from 1.
        round: u32,
        /// What the system said.
        source: io::Error,
    },
}

/// How often a round is played again when the machine was late.
pub const REPLAYS: u32 = 2;

/// Plays a match and returns its record. `emit` is given each event when it happens.
///
/// # Errors
///
/// When a bot cannot be started before the first round, when the user interrupts, when the machine
/// was late too often, or when the system fails. A bot's faults are not errors.
pub fn play_match(
    setup: &MatchSetup,
    players: &mut dyn Players,
    emit: &mut dyn FnMut(Event<'_>),
) -> Result<MatchRecord, MatchError> {
    let failed = |seat: Seat, round: u32, trouble: Trouble| {
        let name = setup.bots[seat].name.clone();
        match trouble {
            Trouble::CannotStart(why) => MatchError::CannotStart { name, why },
            Trouble::Interrupted => MatchError::Interrupted,
            // A round turns the last two into its result.
            Trouble::System(_) | Trouble::Misconduct(_) | Trouble::RefereeLate { .. } => {
                MatchError::System { name, round, source: trouble.into_error() }
            }
        }
    };
    // Whether the bot's process has yet to give its first answer.
    let mut fresh = PerSeat([true; 2]);
    for seat in Seat::BOTH {
        fresh[seat] = players.ready(seat).map_err(|trouble| failed(seat, 1, trouble))?;
    }
    let started = Timestamp::now();
    emit(Event::MatchBegan { bots: &setup.bots, rules: &setup.rules });

    let mut rounds: Vec<RoundRecord> = Vec::new();
    for round in 1..=setup.rounds.get() {
        let mut replayed = 0;
        let mut record = loop {
            match play_round(setup, round, players, &mut fresh, emit)
                .map_err(|(seat, trouble)| failed(seat, round, trouble))?
            {
                RoundOutcome::Played(record) => break record,
                RoundOutcome::NeitherStarts(PerSeat([a, b])) => {
                    return Err(MatchError::Unfinished(format!(
                        "before round {round} neither program can be started any more: {a}; {b}"
                    )));
                }
                RoundOutcome::Void { late_by } if replayed == REPLAYS => {
                    return Err(MatchError::Unfinished(format!(
                        "in round {round} the machine, not a bot, was late {} times, {:.1} ms the \
                         last time; play it again when the machine has less to do and is not \
                         suspended",
                        REPLAYS + 1,
                        milliseconds(late_by)
                    )));
                }
                RoundOutcome::Void { late_by } => {
                    emit(Event::RoundVoid { round, late_by });
                    for seat in Seat::BOTH {
                        players.stop(seat);
                    }
                    replayed += 1;
                }
            }
        };
        record.replayed = replayed;
        emit(Event::RoundEnded { record: &record, bots: &setup.bots });
        rounds.push(record);
    }

    let record = match_record(setup, started, rounds);
    emit(Event::MatchEnded(&record));
    Ok(record)
}

/// The record of a match that `rounds` make up.
pub fn match_record(
    setup: &MatchSetup,
    started: Timestamp,
    rounds: Vec<RoundRecord>,
) -> MatchRecord {
    let score = total_score(&rounds);
    MatchRecord {
        format: RecordFormat::V1,
        started: Some(started),
        tournament: None,
        rules: setup.rules,
        opening: setup.opening,
        terms: setup.terms.clone(),
        bots: setup.bots.clone(),
        planned_rounds: Some(setup.rounds),
        rounds,
        score,
        winner: winner(score),
    }
}

/// The scores of `rounds` added up.
pub(super) fn total_score(rounds: &[RoundRecord]) -> PerSeat<u32> {
    PerSeat::from_fn(|seat| rounds.iter().map(|round| u32::from(round.result.score[seat])).sum())
}

/// The bot with the higher score; none after a draw.
pub(super) fn winner(score: PerSeat<u32>) -> Option<Seat> {
    Seat::BOTH.into_iter().find(|&seat| score[seat] > score[!seat])
}

#[cfg(test)]
mod tests;
