//! A match: rounds from the same opening, the starter swapped, the scores added up.

use std::io;
use std::time::Duration;

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
        /// Why, and what to do.
        why: String,
    },
    /// The user wants to stop.
    #[error("interrupted")]
    Interrupted,
    /// Nothing can be said about the bots. The match can be played again.
    #[error("the match is unfinished and does not count: {0}")]
    Unfinished(Unfinished),
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

/// Why a match that began has no result that would be fair.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Unfinished {
    /// The machine was late as often as a round is tried.
    #[error(
        "in round {round} the machine, not a bot, was late {} times, {:.1} ms the last time; play \
         it again when the machine has less to do and is not suspended",
        REPLAYS + 1,
        milliseconds(*.late_by)
    )]
    MachineLate {
        /// The round, from 1.
        round: u32,
        /// How late we were woken the last time.
        late_by: Duration,
    },
    /// Neither program can be started any more.
    #[error("before round {round} neither program can be started any more: {}; {}", .why.0[0], .why.0[1])]
    NeitherStarts {
        /// The round, from 1.
        round: u32,
        /// Why each cannot.
        why: PerSeat<String>,
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
    emit(Event::MatchBegan { bots: &setup.bots, rules: &setup.rules });

    let mut rounds: Vec<RoundRecord> = Vec::new();
    for round in 1..=setup.rounds.get() {
        let mut replayed = 0;
        let mut record = loop {
            match play_round(setup, round, players, &mut fresh, emit)
                .map_err(|(seat, trouble)| failed(seat, round, trouble))?
            {
                RoundOutcome::Played(record) => break record,
                RoundOutcome::NeitherStarts(why) => {
                    return Err(MatchError::Unfinished(Unfinished::NeitherStarts { round, why }));
                }
                RoundOutcome::Void { late_by } if replayed == REPLAYS => {
                    return Err(MatchError::Unfinished(Unfinished::MachineLate { round, late_by }));
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

/// The record of a match that these rounds make up.
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

/// The scores of these rounds added up.
pub(super) fn total_score(rounds: &[RoundRecord]) -> PerSeat<u32> {
    PerSeat::from_fn(|seat| rounds.iter().map(|round| u32::from(round.result.score[seat])).sum())
}

/// The bot with the higher score; none after a draw.
pub(super) fn winner(score: PerSeat<u32>) -> Option<Seat> {
    Seat::BOTH.into_iter().find(|&seat| score[seat] > score[!seat])
}

#[cfg(test)]
mod tests {
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

        fn send(&mut self, _: Seat, _: &ToBot) {}

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

    fn setup() -> MatchSetup {
        let bot = |name: &str| BotRecord {
            name: name.into(),
            command: Vec::new(),
            ..BotRecord::default()
        };
        let rules = Ruleset::default();
        MatchSetup {
            rules,
            opening: Opening::standard(&rules),
            terms: Terms::default(),
            bots: PerSeat([bot("one"), bot("other")]),
            first: Seat::A,
            rounds: ROUNDS,
            hides_details: false,
        }
    }

    fn play(players: &mut Sleepy) -> (Result<MatchRecord, MatchError>, u32) {
        let mut void = 0;
        let record = play_match(&setup(), players, &mut |event| {
            void += u32::from(matches!(event, Event::RoundVoid { .. }));
        });
        (record, void)
    }

    #[test]
    fn a_round_in_which_the_machine_was_late_is_played_again_with_fresh_players() {
        let mut players = Sleepy { late: 2, ..Sleepy::default() };
        let (record, void) = play(&mut players);
        let record = record.unwrap();
        assert_eq!(void, 2);
        assert_eq!(record.rounds[0].replayed, 2);
        assert_eq!(record.rounds[1].replayed, 0);
        assert_eq!(players.stopped, PerSeat([2, 2]));
        assert!(record.rounds.iter().all(|round| round.result.reason == Reason::Completed));
        assert_eq!(super::super::verify(&record), Ok(()));
    }

    #[test]
    fn the_third_time_the_match_is_unfinished_and_nobody_forfeits() {
        let mut players = Sleepy { late: 3, ..Sleepy::default() };
        let (outcome, void) = play(&mut players);
        assert_eq!(void, 2);
        let error = outcome.unwrap_err();
        let late_by = Duration::from_millis(80);
        let why = Unfinished::MachineLate { round: 1, late_by };
        assert!(matches!(&error, MatchError::Unfinished(unfinished) if *unfinished == why));
        let message = error.to_string();
        assert!(
            message.contains("in round 1 the machine, not a bot, was late 3 times"),
            "{message}"
        );
    }

    /// Programs that go with the folder they are in: both, or one of them.
    #[test]
    fn of_two_programs_that_are_gone_neither_forfeits() {
        struct Vanishing(Sleepy, PerSeat<bool>);
        impl Players for Vanishing {
            fn ready(&mut self, seat: Seat) -> Result<bool, Trouble> {
                let gone = self.1[seat] && self.0.stopped[seat] > 0;
                if gone { Err(Trouble::CannotStart("gone".into())) } else { self.0.ready(seat) }
            }
            fn send(&mut self, _: Seat, _: &ToBot) {}
            fn ask(&mut self, s: Seat, m: &ToBot, after: Duration) -> Result<Answer, Trouble> {
                self.0.ask(s, m, after)
            }
            fn stop(&mut self, seat: Seat) {
                self.0.stop(seat);
            }
            fn stderr_tail(&mut self, _: Seat) -> String {
                String::new()
            }
        }
        // Late once, so that both have to be started again.
        let play = |gone| {
            let sleepy = Sleepy { late: 1, ..Sleepy::default() };
            play_match(&setup(), &mut Vanishing(sleepy, PerSeat(gone)), &mut |_| {})
        };
        let record = play([false, true]).unwrap();
        let fault = record.rounds[0].result.fault.as_ref().unwrap();
        assert_eq!((fault.bot, fault.kind), (Seat::B, FaultKind::StartFailed));
        let why = PerSeat(["gone".to_owned(), "gone".to_owned()]);
        let unfinished = Unfinished::NeitherStarts { round: 1, why };
        let error = play([true, true]).unwrap_err();
        assert!(matches!(error, MatchError::Unfinished(why) if why == unfinished));
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
            fn send(&mut self, _: Seat, _: &ToBot) {}
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
        let record = play_match(&setup(), &mut Silent(Sleepy::default()), &mut |_| {}).unwrap();
        assert_eq!(record.score, PerSeat([72, 0]));
        let fault = record.rounds[1].result.fault.as_ref().unwrap();
        assert!(fault.detail.ends_with("; it does not read its stdin"), "{}", fault.detail);
        assert_eq!(fault.stderr, "gone fishing");
    }
}
