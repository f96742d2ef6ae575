//! Tests of a match with players that need no program.

use super::*;
use crate::protocol::{FaultKind, Reason, ToBot};
use crate::record::{BotRecord, Terms};
use crate::referee::players::{Answer, Misconduct};
use crate::referee::setup::ROUNDS;
use crate::rules::{Opening, Ruleset};

/// Players that play the first legal house, on a machine that is late at the first `late` questions.
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

    fn ask(&mut self, _: Seat, message: &ToBot, late_after: Duration) -> Result<Answer, Trouble> {
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
    let bot =
        |name: &str| BotRecord { name: name.into(), command: Vec::new(), ..BotRecord::default() };
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
    assert_eq!(crate::referee::verify(&record), Ok(()));
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
    assert!(message.contains("in round 1 the machine, not a bot, was late 3 times"), "{message}");
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
        fn ask(&mut self, seat: Seat, message: &ToBot, after: Duration) -> Result<Answer, Trouble> {
            if seat == Seat::A {
                return self.0.ask(seat, message, after);
            }
            let silent = Misconduct::Silent { waited: after, partial: Vec::new(), unread: true };
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
