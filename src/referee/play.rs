//! A match: rounds from the same opening, the starter swapped, the scores added up.

use std::io;

use super::contest::Contest;
use super::event::Event;
use super::players::{Players, Trouble};
use super::round::{RoundOutcome, RoundSetup, play_round};
use crate::record::{Format, MatchRecord, RoundRecord};
use crate::seat::{PerSeat, Seat};

/// Why a match was not played to its end. Nothing of it counts.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// A bot's program does not start at all.
    #[error("cannot start bot \"{name}\": {why}")]
    CannotStart {
        /// The bot.
        name: String,
        /// Why, and what to do.
        why: String,
    },
    /// The user wants to stop.
    #[error("interrupted")]
    Interrupted,
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
const REPLAYS: u32 = 2;

/// Plays a match and returns its record. `emit` is told what happens as it happens.
///
/// # Errors
///
/// When a bot cannot be started before the first round, when the user interrupts, or when the
/// system fails. A bot's faults are no errors.
pub fn play_match(
    contest: &Contest,
    players: &mut dyn Players,
    emit: &mut dyn FnMut(Event<'_>),
) -> Result<MatchRecord, Error> {
    let failed = |seat: Seat, round: u32, trouble: Trouble| {
        let name = contest.bots[seat].name.clone();
        match trouble {
            Trouble::CannotStart(why) => Error::CannotStart { name, why },
            Trouble::Interrupted => Error::Interrupted,
            Trouble::System(source) => Error::System { name, round, source },
            // A round turns these into its result.
            Trouble::Misconduct(_) | Trouble::Starved { .. } => Error::System {
                name,
                round,
                source: io::Error::other(format!("unexpected {trouble:?}")),
            },
        }
    };
    for seat in Seat::BOTH {
        players.ready(seat).map_err(|trouble| failed(seat, 1, trouble))?;
    }
    emit(Event::MatchBegan { bots: &contest.bots, rules: &contest.rules });

    // Whether the bot's process has yet to give its first answer.
    let mut fresh = PerSeat([true; 2]);
    let mut rounds: Vec<RoundRecord> = Vec::new();
    for round in 1..=contest.rounds.get() {
        let first = if round % 2 == 1 { contest.first } else { !contest.first };
        let mut replayed = 0;
        let mut record = loop {
            let setup = RoundSetup { contest, round, first, may_be_void: replayed < REPLAYS };
            match play_round(&setup, players, &mut fresh, emit)
                .map_err(|(seat, trouble)| failed(seat, round, trouble))?
            {
                RoundOutcome::Played(record) => break record,
                RoundOutcome::Void { late_by } => {
                    emit(Event::RoundVoid { round, late_by });
                    for seat in Seat::BOTH {
                        players.dismiss(seat);
                    }
                    replayed += 1;
                }
            }
        };
        record.replayed = replayed;
        emit(Event::RoundEnded { record: &record, bots: &contest.bots });
        rounds.push(record);
    }

    let record = match_record(contest, rounds);
    emit(Event::MatchEnded(&record));
    Ok(record)
}

/// The record of a match that these rounds make up.
#[must_use]
pub fn match_record(contest: &Contest, rounds: Vec<RoundRecord>) -> MatchRecord {
    let score = PerSeat::from_fn(|seat| {
        rounds.iter().map(|round| u32::from(round.result.score[seat])).sum()
    });
    MatchRecord {
        format: Format::V1,
        rules: contest.rules,
        opening: contest.opening,
        limits: contest.limits.clone(),
        bots: contest.bots.clone(),
        rounds,
        score,
        winner: winner(score),
    }
}

/// The bot with the higher score; none after a draw.
pub(super) fn winner(score: PerSeat<u32>) -> Option<Seat> {
    Seat::BOTH.into_iter().find(|&seat| score[seat] > score[!seat])
}
