//! Players that follow a script of good and bad deeds, and the matches they play.

use std::num::NonZeroU32;
use std::time::Duration;

use mancala_referee::protocol::ToBot;
use mancala_referee::record::{BotRecord, MatchRecord, Terms, TimeTerms};
use mancala_referee::referee::{
    Answer, Ended, MatchSetup, Misconduct, Players, Trouble, play_match,
};
use mancala_referee::seat::{PerSeat, Seat};
use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::Index;

use super::random_json;
use super::replies::any_line;
use crate::game::rules::rules_and_opening;

/// What a player does when it is asked.
#[derive(Clone, Debug)]
pub enum ScriptedAction {
    /// Plays a legal house, after so many microseconds, with this as its `info`.
    Move(Index, u64, Option<String>),
    /// Says this.
    Say(Vec<u8>),
    /// Plays, and says more than it was asked for.
    SayMore(Vec<u8>),
    /// Does something else; what it wrote before is given.
    Misbehave(u8, Vec<u8>),
    /// Cannot be told from a machine that was late.
    Starve,
}

pub fn any_deed() -> impl Strategy<Value = ScriptedAction> {
    let bytes = || vec(any::<u8>(), 0..300);
    let info = prop::option::weighted(0.2, random_json::value());
    prop_oneof![
        30 => (any::<Index>(), 0_u64..900_000, info).prop_map(|(house, time, info)| {
            ScriptedAction::Move(house, time, info)
        }),
        2 => any_line().prop_map(|line| ScriptedAction::Say(line.0)),
        1 => bytes().prop_map(ScriptedAction::SayMore),
        1 => (0_u8..8, bytes()).prop_map(|(what, bytes)| ScriptedAction::Misbehave(what, bytes)),
        1 => Just(ScriptedAction::Starve),
    ]
}

/// A match between two players of one script, with names and last words of any kind.
pub fn any_match() -> impl Strategy<Value = MatchRecord> {
    let any_text = || any::<String>().prop_filter("no name is empty", |name| !name.is_empty());
    let name = || prop_oneof![3 => "[a-z]{1,8}", 1 => "\\PC{1,12}", 1 => any_text()];
    let command = || vec(any::<String>(), 0..3);
    let bots = ((name(), command()), (name(), command()))
        .prop_filter("two bots have two names", |(one, other)| one.0 != other.0);
    let time = || prop::option::of(1_u64..100_000);
    let limits = (1_u64..100_000, time(), 1_u32..400);
    let deeds = prop_oneof![vec(any_deed(), 0..6), vec(any_deed(), 0..80)];
    let players = (deeds, any::<String>());
    (rules_and_opening(), bots, limits, any::<bool>(), 1_u32..=2, players).prop_map(
        |((rules, opening), (one, other), (move_time, bank, moves), first, rounds, players)| {
            let bot = |(name, command)| BotRecord { name, command, ..BotRecord::default() };
            let contest = MatchSetup {
                rules,
                opening,
                terms: Terms {
                    time: TimeTerms {
                        move_time: Some(Duration::from_millis(move_time)),
                        game_time: bank.map(Duration::from_millis),
                        ..TimeTerms::default()
                    },
                    max_moves: NonZeroU32::new(moves).unwrap(),
                    ..Terms::default()
                },
                bots: PerSeat([bot(one), bot(other)]),
                first: Seat::BOTH[usize::from(first)],
                rounds: NonZeroU32::new(rounds).unwrap(),
                hides_details: false,
            };
            let (deeds, last_words) = players;
            let mut players =
                Scripted { deeds: deeds.into_iter(), last_words, faults: 0, starved: 0 };
            play_match(&contest, &mut players, &mut |_| {}).expect("a match is played")
        },
    )
}

struct Scripted {
    deeds: std::vec::IntoIter<ScriptedAction>,
    last_words: String,
    /// So many were put away: the second one cannot be started again.
    faults: u32,
    /// So often the machine was late.
    starved: u32,
}

impl Players for Scripted {
    fn ready(&mut self, seat: Seat) -> Result<bool, Trouble> {
        match self.faults {
            2 if seat == Seat::B => Err(Trouble::CannotStart("it has gone".to_owned())),
            _ => Ok(false),
        }
    }

    fn send(&mut self, _: Seat, _: &ToBot) {}

    fn ask(&mut self, _: Seat, message: &ToBot, late_after: Duration) -> Result<Answer, Trouble> {
        let ToBot::Turn(turn) = message else { panic!("{message:?} wants no answer") };
        let legal = |at: Index| turn.legal[at.index(turn.legal.len())];
        let deed = self.deeds.next();
        let answer = |line: Vec<u8>, surplus| Answer { line, time: Duration::ZERO, surplus };
        match deed {
            None => Ok(answer(turn.legal[0].to_string().into_bytes(), Vec::new())),
            Some(ScriptedAction::Move(at, micros, info)) => {
                let info = info.map_or_else(String::new, |info| format!(",\"info\":{info}"));
                let line = format!("{{\"move\":{}{info}}}", legal(at)).into_bytes();
                let time = Duration::from_micros(micros);
                Ok(Answer { line, time, surplus: Vec::new() })
            }
            Some(ScriptedAction::Say(line)) => Ok(answer(line, Vec::new())),
            Some(ScriptedAction::SayMore(surplus)) => {
                Ok(answer(turn.legal[0].to_string().into_bytes(), surplus))
            }
            Some(ScriptedAction::Misbehave(what, partial)) => {
                Err(Trouble::Misconduct(misconduct(what, partial, late_after)))
            }
            // A third time in a round, and the match would have no record.
            Some(ScriptedAction::Starve) if self.starved == 2 => {
                Ok(answer(turn.legal[0].to_string().into_bytes(), Vec::new()))
            }
            Some(ScriptedAction::Starve) => {
                self.starved += 1;
                let late_by = Duration::from_millis(70);
                let line = turn.legal[0].to_string().into_bytes();
                let found = Ok(Answer { line, time: late_after + late_by, surplus: Vec::new() });
                Err(Trouble::RefereeLate { late_by, found })
            }
        }
    }

    fn stop(&mut self, _: Seat) {
        self.faults += 1;
    }

    fn stderr_tail(&mut self, _: Seat) -> String {
        self.last_words.clone()
    }
}

fn misconduct(what: u8, partial: Vec<u8>, waited: Duration) -> Misconduct {
    match what {
        0 => Misconduct::Unsolicited(partial),
        1 => Misconduct::Oversized(partial),
        2 => Misconduct::Silent { waited, partial, unread: true },
        3 => Misconduct::Silent { waited, partial, unread: false },
        4 => Misconduct::Exited { how: Ended::ClosedStdout, cause: None, partial, after: waited },
        5 => Misconduct::Exited { how: Ended::Code(0), cause: None, partial, after: waited },
        6 => Misconduct::Exited { how: Ended::Code(-1), cause: None, partial, after: waited },
        signal => Misconduct::Exited {
            how: Ended::Signal(i32::from(signal)),
            cause: None,
            partial,
            after: waited,
        },
    }
}
