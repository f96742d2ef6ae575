//! What a fault costs a bot: the round, or no more than the choice of its move.

use super::bot_round::PlayedTurn;
use super::fault::Fault;
use crate::protocol::FaultKind;
use crate::record::FaultTerms;
use crate::rules::{Game, IllegalMove, Ply};
use crate::seat::{PerSeat, Seat};

/// The faults of one round that cost no more than the choice of a move.
pub(super) struct Substitutes {
    /// How many there may be of each bot.
    pub(super) max: u32,
    counts: PerSeat<u32>,
}

impl Substitutes {
    /// None yet, and as many to come as `terms` allow.
    pub(super) fn new(terms: FaultTerms) -> Substitutes {
        Substitutes { max: terms.max_substitutes(), counts: PerSeat::default() }
    }

    /// Counts a fault if it is to be substituted, and gives the count of its bot.
    ///
    /// # Errors
    ///
    /// Why it costs the round.
    pub(super) fn count(&mut self, bot: Seat, kind: FaultKind) -> Result<u32, String> {
        if self.max == 0 {
            return Err("every fault forfeits the round".to_owned());
        }
        // No bot is left that could be asked again.
        if matches!(kind, FaultKind::Exited | FaultKind::StartFailed) {
            return Err(format!("a fault of kind {kind} forfeits the round"));
        }
        if self.counts[bot] >= self.max {
            let max = self.max;
            return Err(format!("after {max} of a bot's faults the next forfeits the round"));
        }
        self.counts[bot] += 1;
        Ok(self.counts[bot])
    }
}

/// The move that is played for a bot at fault: the lowest house with seeds in it, forward where
/// the rules leave the choice.
pub(super) fn first_legal(game: &Game) -> Option<Ply> {
    game.legal().next()
}

/// Plays for a bot at fault; `stderr` is kept with its fault.
///
/// # Errors
///
/// When the game has ended.
pub(super) fn play_for(
    game: &mut Game,
    fault: Fault,
    stderr: String,
) -> Result<PlayedTurn, IllegalMove> {
    let ply = first_legal(game).ok_or(IllegalMove::GameOver)?;
    let sown = game.play(ply)?;
    let time = fault.time;
    let substitute = Some(fault.into_substitute(stderr));
    Ok(PlayedTurn { ply, sown, time, info: None, substitute })
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::super::event::Event;
    use super::super::play::play_match;
    use super::super::testing::{Scripted, ScriptedAction, lenient, setup};
    use super::super::verify;
    use super::*;
    use crate::protocol::{Reason, Who};
    use crate::record::{FaultRecord, MatchRecord, RoundRecord, Terms, TimeTerms};
    use crate::rules::{Direction, DirectionRule, Ending, Ruleset};

    /// A fault that was told: round, whose, its record, its count.
    type Told = (u32, Seat, FaultRecord, u32);

    /// Plays a match, which holds; every fault that is told comes right before its move.
    fn play<F: FnMut(Seat, usize) -> ScriptedAction>(
        terms: &Terms,
        script: F,
    ) -> (MatchRecord, Vec<Told>, Scripted<F>) {
        play_by(Ruleset::default(), terms, Scripted::new(script))
    }

    fn play_by<F: FnMut(Seat, usize) -> ScriptedAction>(
        rules: Ruleset,
        terms: &Terms,
        mut players: Scripted<F>,
    ) -> (MatchRecord, Vec<Told>, Scripted<F>) {
        let mut setup = setup(terms.clone());
        setup.rules = rules;
        let mut told = Vec::new();
        let mut awaited = None;
        let record = play_match(&setup, &mut players, &mut |event| match event {
            Event::Substituted { round, seat, fault, count, of } => {
                assert_eq!((fault.bot, of), (seat, terms.faults.max_substitutes()));
                told.push((round, seat, fault.clone(), count));
                assert_eq!(awaited.replace(seat), None);
            }
            Event::Moved { seat, .. } => {
                if let Some(awaited) = awaited.take() {
                    assert_eq!(awaited, seat);
                }
            }
            _ => assert_eq!(awaited, None),
        });
        let record = record.unwrap();
        assert_eq!(verify(&record), Ok(()));
        (record, told, players)
    }

    /// What was played for whom in a round, and why.
    fn substituted(round: &RoundRecord) -> Vec<(Seat, FaultKind)> {
        let substitute = |played: &crate::record::MoveRecord| {
            Some((played.bot, played.substitute.as_ref()?.kind))
        };
        round.moves.iter().filter_map(substitute).collect()
    }

    /// The second question to the one who begins is answered by `deed`.
    fn once(deed: ScriptedAction) -> impl FnMut(Seat, usize) -> ScriptedAction {
        move |seat, question| {
            if (seat, question) == (Seat::A, 2) { deed } else { ScriptedAction::Play }
        }
    }

    #[test]
    fn one_wrong_line_leaves_the_process_as_it_is() {
        for (line, kind) in [
            ("6", FaultKind::IllegalMove),
            ("5", FaultKind::IllegalMove),
            ("my move is 1", FaultKind::InvalidReply),
            ("", FaultKind::InvalidReply),
        ] {
            let (record, told, players) = play(&lenient(3), once(ScriptedAction::Say(line)));
            assert_eq!(substituted(&record.rounds[0]), [(Seat::A, kind)], "{line}");
            assert_eq!(record.rounds[0].result.reason, Reason::Ended(Ending::Completed));
            assert_eq!(record.rounds[0].faults(Seat::A), 1);
            assert_eq!(players.launches, PerSeat([1, 1]));
            let played = record.rounds[0].moves.iter().find(|played| played.substitute.is_some());
            let played = played.unwrap();
            assert_eq!(played.time, Duration::from_millis(1));
            let [(1, Seat::A, fault, 1)] = &told[..] else { panic!("{told:?}") };
            assert_eq!(fault.stderr, "launch 1");
            let (asked, _) = &players.asked[Seat::A][1];
            assert_eq!((fault.board, asked.legal[0]), (asked.board, played.house));
            let (next, _) = &players.asked[Seat::A][2];
            assert_eq!((next.moves[0].by, next.moves[0].house), (Who::You, played.house));
            assert_eq!(next.turn, 3);
        }
    }

    #[test]
    fn a_bot_that_is_out_of_step_is_started_afresh_and_told_the_round() {
        let late_first = Duration::from_millis(11_050);
        for (deed, kind) in [
            (ScriptedAction::Hang, FaultKind::Timeout),
            (ScriptedAction::Late, FaultKind::Timeout),
            (ScriptedAction::Flood, FaultKind::OversizedReply),
            (ScriptedAction::Babble, FaultKind::UnsolicitedOutput),
            (ScriptedAction::SayMore("0", "1\n"), FaultKind::UnsolicitedOutput),
            (ScriptedAction::SayMore("hm", "0\n"), FaultKind::InvalidReply),
            (ScriptedAction::SayMore("7", "0\n"), FaultKind::IllegalMove),
        ] {
            let (record, told, players) = play(&lenient(1), once(deed));
            assert_eq!(substituted(&record.rounds[0]), [(Seat::A, kind)], "{deed:?}");
            assert_eq!(
                record.rounds[0].result.reason,
                Reason::Ended(Ending::Completed),
                "{deed:?}"
            );
            assert_eq!(players.launches, PerSeat([2, 1]), "{deed:?}");
            assert_eq!(told[0].2.stderr, "launch 1", "{deed:?}");
            let asked = &players.asked[Seat::A];
            assert_eq!(asked[2].0.turn, 3);
            assert!(asked[2].0.moves.len() > asked[1].0.moves.len() + 1, "{:?}", asked[2]);
            let in_time: Vec<bool> =
                asked.iter().map(|&(_, late_after)| late_after == late_first).collect();
            assert_eq!(in_time[..4], [true, false, true, false], "{deed:?}");
            // The fresh process has given its first answer before the next round.
            assert!(in_time[4..].iter().all(|&granted| !granted), "{deed:?}");
        }
    }

    #[test]
    fn the_stderr_of_the_first_fault_of_each_kind_is_kept() {
        let (record, told, _) = play(&lenient(9), |seat, question| match (seat, question) {
            (Seat::A, 1 | 3) => ScriptedAction::Say("6"),
            (Seat::A, 2 | 4) | (Seat::B, 1) => ScriptedAction::Say("x"),
            _ => ScriptedAction::Play,
        });
        assert!(told.iter().all(|(_, _, fault, _)| fault.stderr == "launch 1"), "{told:?}");
        let kept = |seat| {
            let moves = record.rounds[0].moves.iter().filter(move |played| played.bot == seat);
            let substitutes = moves.filter_map(|played| played.substitute.as_ref());
            substitutes.map(|fault| (fault.kind, &*fault.stderr)).collect::<Vec<_>>()
        };
        let (illegal, invalid) = (FaultKind::IllegalMove, FaultKind::InvalidReply);
        let of_one = [(illegal, "launch 1"), (invalid, "launch 1"), (illegal, ""), (invalid, "")];
        assert_eq!((kept(Seat::A), kept(Seat::B)), (of_one.to_vec(), vec![(invalid, "launch 1")]));
    }

    #[test]
    fn the_time_until_a_timeout_is_the_time_of_its_move() {
        let (record, ..) = play(&lenient(1), once(ScriptedAction::Hang));
        let played = record.rounds[0].moves.iter().find(|played| played.substitute.is_some());
        assert_eq!(played.unwrap().time, Duration::from_millis(1050));
    }

    #[test]
    fn a_bot_that_has_gone_forfeits_at_once() {
        let (record, told, _) = play(&lenient(3), once(ScriptedAction::Exit));
        assert_eq!(record.rounds[0].result.reason, Reason::Fault(FaultKind::Exited));
        assert_eq!((record.rounds[0].faults(Seat::A), told.len()), (1, 0));
        assert_eq!(record.rounds[1].result.reason, Reason::Ended(Ending::Completed));
    }

    #[test]
    fn a_bot_that_does_not_start_again_forfeits() {
        let mut players = Scripted::new(once(ScriptedAction::Hang));
        players.max_launches = PerSeat([1; 2]);
        let (record, told, _) = play_by(Ruleset::default(), &lenient(3), players);
        assert_eq!(told.len(), 1);
        for round in &record.rounds {
            assert_eq!(round.result.reason, Reason::Fault(FaultKind::StartFailed));
            assert_eq!(round.result.score, PerSeat([0, 36]));
        }
        assert_eq!(substituted(&record.rounds[0]), [(Seat::A, FaultKind::Timeout)]);
        assert_eq!(record.rounds[0].faults(Seat::A), 2);
    }

    #[test]
    fn after_the_last_substitute_the_next_fault_forfeits_each_bot_and_round_for_itself() {
        let (record, told, _) = play(&lenient(2), |_, _| ScriptedAction::Say("6"));
        let [first, second] = &record.rounds[..] else { panic!("{record:?}") };
        for (round, starter) in [(first, Seat::A), (second, Seat::B)] {
            let kind = FaultKind::IllegalMove;
            let all = [(starter, kind), (!starter, kind), (starter, kind), (!starter, kind)];
            assert_eq!(substituted(round), all);
            assert_eq!(round.result.fault.as_ref().unwrap().bot, starter);
            assert_eq!((round.faults(starter), round.faults(!starter)), (3, 2));
        }
        let counts: Vec<u32> = told.iter().map(|&(.., count)| count).collect();
        assert_eq!(counts, [1, 1, 2, 2, 1, 1, 2, 2]);
    }

    #[test]
    fn a_spent_bank_is_substituted_without_a_new_process() {
        let game_time = Some(Duration::from_secs(2));
        let time = TimeTerms { move_time: None, game_time, ..TimeTerms::default() };
        let terms = Terms { time, ..lenient(3) };
        // The time of its start is not its own: the first timeout spends the bank all the same.
        let (record, told, players) = play(&terms, once(ScriptedAction::Late));
        let kinds = [(Seat::A, FaultKind::Timeout); 3];
        assert_eq!(substituted(&record.rounds[0]), kinds);
        assert_eq!(record.rounds[0].result.reason, Reason::Fault(FaultKind::Timeout));
        let details: Vec<&str> = told.iter().map(|told| &*told.2.detail).collect();
        assert!(details[0].starts_with("answered "), "{details:?}");
        assert_eq!(details[1..], ["its time bank of 2000 ms is spent"; 2]);
        let mut moves = record.rounds[0].moves.iter().filter(|played| played.substitute.is_some());
        assert_eq!(moves.next_back().unwrap().time, Duration::ZERO);
        // Once for the timeout, once after the forfeit.
        assert_eq!(players.launches, PerSeat([3, 1]));
    }

    #[test]
    fn a_bank_outlives_the_process() {
        let game_time = Some(Duration::from_secs(3));
        let terms = Terms { time: TimeTerms { game_time, ..TimeTerms::default() }, ..lenient(3) };
        let (_, _, players) = play(&terms, once(ScriptedAction::Hang));
        let left: Vec<u64> =
            players.asked[Seat::A].iter().filter_map(|(turn, _)| turn.time_left_ms).collect();
        assert_eq!(left[..4], [3000, 3000, 1950, 1950]);
    }

    #[test]
    fn a_round_is_void_as_ever_and_its_faults_with_it() {
        let script = |seat, question| match (seat, question) {
            (Seat::A, 1 | 3) => ScriptedAction::Say("6"),
            (Seat::A, 2 | 4) => ScriptedAction::Starve,
            _ => ScriptedAction::Play,
        };
        let (record, told, players) = play(&lenient(1), script);
        assert_eq!((record.rounds[0].replayed, told.len()), (2, 2));
        assert_eq!(record.rounds[0].faults(Seat::A), 0);
        assert_eq!(players.launches, PerSeat([3, 3]));
    }

    #[test]
    fn where_the_direction_is_open_the_substitute_goes_forward() {
        for (rule, direction, recorded) in [
            (DirectionRule::Either, Direction::Forward, Some(Direction::Forward)),
            (DirectionRule::Backward, Direction::Backward, None),
        ] {
            let rules = Ruleset { direction: rule, ..Ruleset::default() };
            let game = super::super::testing::setup(lenient(1));
            let game = Game::new(rules, game.opening, game.terms.max_moves);
            assert_eq!(first_legal(&game).unwrap().direction, direction);
            let script = |_, question| {
                if question == 1 { ScriptedAction::Say("6") } else { ScriptedAction::Play }
            };
            let (record, ..) = play_by(rules, &lenient(1), Scripted::new(script));
            assert_eq!(record.rounds[0].moves[0].direction, recorded);
        }
    }

    #[test]
    fn without_the_policy_every_fault_forfeits() {
        for deed in [
            ScriptedAction::Say("6"),
            ScriptedAction::Hang,
            ScriptedAction::Babble,
            ScriptedAction::Flood,
            ScriptedAction::Exit,
        ] {
            let (record, told, _) = play(&Terms::default(), once(deed));
            assert_eq!(told.len(), 0);
            assert!(matches!(record.rounds[0].result.reason, Reason::Fault(_)), "{deed:?}");
            let json = serde_json::to_string(&record).unwrap();
            assert!(!json.contains("fault_policy") && !json.contains("substitute"), "{json}");
            assert!(!json.contains("max_faults"), "{json}");
        }
    }
}
