//! A match: rounds from the same opening, the starter swapped, the scores added up.

use std::io;

use super::event::Event;
use super::players::{Players, Trouble};
use super::round::{RoundOutcome, RoundSetup, play_round};
use super::setup::MatchSetup;
use crate::record::{MatchRecord, RecordFormat, RoundRecord, Timestamp};
use crate::seat::{PerSeat, Seat};

/// Why a match was not played to its end. Nothing of it counts.
#[derive(Debug, thiserror::Error)]
pub enum MatchError {
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
pub const REPLAYS: u32 = 2;

/// Plays a match and returns its record. `emit` is told what happens as it happens.
///
/// # Errors
///
/// When a bot cannot be started before the first round, when the user interrupts, or when the
/// system fails. A bot's faults are no errors.
pub fn play_match(
    contest: &MatchSetup,
    players: &mut dyn Players,
    emit: &mut dyn FnMut(Event<'_>),
) -> Result<MatchRecord, MatchError> {
    let failed = |seat: Seat, round: u32, trouble: Trouble| {
        let name = contest.bots[seat].name.clone();
        match trouble {
            Trouble::CannotStart(why) => MatchError::CannotStart { name, why },
            Trouble::Interrupted => MatchError::Interrupted,
            Trouble::System(source) => MatchError::System { name, round, source },
            // A round turns these into its result.
            Trouble::Misconduct(_) | Trouble::RefereeLate { .. } => MatchError::System {
                name,
                round,
                source: io::Error::other(format!("unexpected {trouble:?}")),
            },
        }
    };
    // Whether the bot's process has yet to give its first answer.
    let mut fresh = PerSeat([true; 2]);
    for seat in Seat::BOTH {
        fresh[seat] = players.ready(seat).map_err(|trouble| failed(seat, 1, trouble))?;
    }
    let started = Timestamp::now();
    emit(Event::MatchBegan { bots: &contest.bots, rules: &contest.rules });

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
                        players.stop(seat);
                    }
                    replayed += 1;
                }
            }
        };
        record.replayed = replayed;
        emit(Event::RoundEnded { record: &record, bots: &contest.bots });
        rounds.push(record);
    }

    let record = match_record(contest, started, rounds);
    emit(Event::MatchEnded(&record));
    Ok(record)
}

/// The record of a match that these rounds make up.
#[must_use]
pub fn match_record(
    contest: &MatchSetup,
    started: Timestamp,
    rounds: Vec<RoundRecord>,
) -> MatchRecord {
    let score = PerSeat::from_fn(|seat| {
        rounds.iter().map(|round| u32::from(round.result.score[seat])).sum()
    });
    MatchRecord {
        format: RecordFormat::V1,
        started: Some(started),
        tournament: None,
        rules: contest.rules,
        opening: contest.opening,
        terms: contest.terms.clone(),
        bots: contest.bots.clone(),
        planned_rounds: Some(contest.rounds),
        rounds,
        score,
        winner: winner(score),
    }
}

/// The bot with the higher score; none after a draw.
pub(super) fn winner(score: PerSeat<u32>) -> Option<Seat> {
    Seat::BOTH.into_iter().find(|&seat| score[seat] > score[!seat])
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::super::players::{Answer, Misconduct};
    use super::super::setup::ROUNDS;
    use super::*;
    use crate::protocol::{FaultKind, Reason, ToBot};
    use crate::record::{BotRecord, Terms};
    use crate::rules::{Opening, Ruleset};

    /// Players that play the first legal house, on a machine that is late at the first so many
    /// questions.
    #[derive(Default)]
    struct Sleepy {
        late: u32,
        stopped: PerSeat<u32>,
        running: PerSeat<bool>,
    }

    impl Players for Sleepy {
        fn ready(&mut self, seat: Seat) -> Result<bool, Trouble> {
            Ok(!std::mem::replace(&mut self.running[seat], true))
        }

        fn tell(&mut self, _: Seat, _: &ToBot) {}

        fn ask(
            &mut self,
            _: Seat,
            message: &ToBot,
            late_after: Duration,
        ) -> Result<Answer, Trouble> {
            let ToBot::Turn(turn) = message else { panic!("{message:?} is no question") };
            let line = turn.legal[0].to_string().into_bytes();
            if self.late > 0 {
                self.late -= 1;
                let late_by = Duration::from_millis(80);
                let found = Ok(Answer { line, time: late_after + late_by, surplus: Vec::new() });
                return Err(Trouble::RefereeLate { late_by, found });
            }
            Ok(Answer { line, time: Duration::from_millis(1), surplus: Vec::new() })
        }

        fn stop(&mut self, seat: Seat) {
            self.running[seat] = false;
            self.stopped[seat] += 1;
        }

        fn stderr_tail(&mut self, _: Seat) -> String {
            String::new()
        }
    }

    fn contest() -> MatchSetup {
        let bot = |name: &str| BotRecord { name: name.into(), command: Vec::new() };
        let rules = Ruleset::default();
        MatchSetup {
            rules,
            opening: Opening::standard(&rules),
            terms: Terms::default(),
            bots: PerSeat([bot("one"), bot("other")]),
            first: Seat::A,
            rounds: ROUNDS,
        }
    }

    fn play(players: &mut Sleepy) -> (MatchRecord, u32) {
        let mut void = 0;
        let record = play_match(&contest(), players, &mut |event| {
            void += u32::from(matches!(event, Event::RoundVoid { .. }));
        });
        (record.unwrap(), void)
    }

    #[test]
    fn a_round_in_which_the_machine_was_late_is_played_again_with_fresh_players() {
        let mut players = Sleepy { late: 2, ..Sleepy::default() };
        let (record, void) = play(&mut players);
        assert_eq!(void, 2);
        assert_eq!(record.rounds[0].replayed, 2);
        assert_eq!(record.rounds[1].replayed, 0);
        assert_eq!(players.stopped, PerSeat([2, 2]));
        assert!(record.rounds.iter().all(|round| round.result.reason == Reason::Completed));
        assert_eq!(super::super::verify(&record), Ok(()));
    }

    #[test]
    fn the_third_time_the_verdict_stands_and_names_the_answer() {
        let mut players = Sleepy { late: 3, ..Sleepy::default() };
        let (record, void) = play(&mut players);
        assert_eq!(void, 2);
        let fault = record.rounds[0].result.fault.as_ref().unwrap();
        assert_eq!((fault.bot, fault.kind), (Seat::A, FaultKind::Timeout));
        assert!(fault.detail.starts_with("answered 0 after 11130.0 ms"), "{}", fault.detail);
        assert_eq!(record.rounds[0].result.score, PerSeat([0, 36]));
        assert_eq!(record.rounds[1].result.fault, None);
    }

    #[test]
    fn the_draw_of_a_match_has_no_winner() {
        assert_eq!(winner(PerSeat([36, 36])), None);
        assert_eq!(winner(PerSeat([37, 35])), Some(Seat::A));
        assert_eq!(winner(PerSeat([0, 72])), Some(Seat::B));
    }

    /// Silence is a fault of its own kind, whoever reports it.
    #[test]
    fn a_silent_player_forfeits() {
        struct Silent(Sleepy);
        impl Players for Silent {
            fn ready(&mut self, seat: Seat) -> Result<bool, Trouble> {
                self.0.ready(seat)
            }
            fn tell(&mut self, _: Seat, _: &ToBot) {}
            fn ask(
                &mut self,
                seat: Seat,
                message: &ToBot,
                after: Duration,
            ) -> Result<Answer, Trouble> {
                if seat == Seat::A {
                    return self.0.ask(seat, message, after);
                }
                let silent =
                    Misconduct::Silent { waited: after, partial: Vec::new(), unread: true };
                Err(Trouble::Misconduct(silent))
            }
            fn stop(&mut self, seat: Seat) {
                self.0.stop(seat);
            }
            fn stderr_tail(&mut self, _: Seat) -> String {
                "gone fishing".to_owned()
            }
        }
        let record = play_match(&contest(), &mut Silent(Sleepy::default()), &mut |_| {}).unwrap();
        assert_eq!(record.score, PerSeat([72, 0]));
        let fault = record.rounds[1].result.fault.as_ref().unwrap();
        assert!(fault.detail.ends_with("; it does not read its stdin"), "{}", fault.detail);
        assert_eq!(fault.stderr, "gone fishing");
    }
}
