//! Players for the tests: they do what a script says, and insist on being told all of the game.

use std::time::Duration;

use super::players::{Answer, Ended, Misconduct, Players, Trouble};
use super::setup::{MatchSetup, ROUNDS};
use crate::protocol::{ToBot, Turn, Who};
use crate::record::{BotRecord, FaultPolicy, FaultTerms, Terms};
use crate::rules::{Game, Opening, Ply, Ruleset, Side};
use crate::seat::{PerSeat, Seat};

/// What a player does when it is asked.
#[derive(Clone, Copy, Debug)]
pub(crate) enum ScriptedAction {
    /// Plays its last legal house, which is seldom the first.
    Play,
    Say(&'static str),
    /// Says two lines at once.
    SayMore(&'static str, &'static str),
    /// Answers at the last moment that is in time.
    JustInTime,
    /// Answers a little late, on a machine that is in time.
    Late,
    /// Is not asked in time by a machine that is late.
    Starve,
    /// Had said something before it was asked.
    Babble,
    /// Does not end its line.
    Flood,
    /// Says nothing.
    Hang,
    /// Says nothing, and has not read the question.
    Ignore,
    Exit,
}

/// Two players that do what a script says at each question. By what it is told each keeps a game
/// of its own, which has to come to the board that it is sent.
pub(crate) struct Scripted<F> {
    /// What a seat does at that question of the match, counted from 1 for each seat.
    script: F,
    running: PerSeat<bool>,
    games: PerSeat<Option<(Side, Game)>>,
    /// How often each was started.
    pub(super) launches: PerSeat<u32>,
    /// Neither is started more often.
    pub max_launches: PerSeat<u32>,
    /// The questions of each, and until when an answer was in time.
    pub(super) asked: PerSeat<Vec<(Turn, Duration)>>,
}

impl<F: FnMut(Seat, usize) -> ScriptedAction> Scripted<F> {
    /// A player that answers as `script` says.
    pub(crate) fn new(script: F) -> Scripted<F> {
        Scripted {
            script,
            running: PerSeat::default(),
            games: PerSeat::default(),
            launches: PerSeat::default(),
            max_launches: PerSeat([u32::MAX; 2]),
            asked: PerSeat::default(),
        }
    }

    /// Plays the moves that a player is told, in the game that it knows.
    fn follow(&mut self, seat: Seat, turn: &Turn) {
        let (side, game) = self.games[seat].as_mut().expect("a start comes before a turn");
        for played in &turn.moves {
            assert_eq!(played.by == Who::You, game.mover() == *side, "{turn:?}");
            let direction = played.direction.unwrap_or(game.rules().direction.directions()[0]);
            game.play(Ply { house: played.house, direction }).unwrap();
        }
        assert_eq!((game.mover(), game.board()), (*side, turn.board), "{turn:?}");
    }
}

impl<F: FnMut(Seat, usize) -> ScriptedAction> Players for Scripted<F> {
    fn ready(&mut self, seat: Seat) -> Result<bool, Trouble> {
        if self.running[seat] {
            return Ok(false);
        }
        if self.launches[seat] == self.max_launches[seat] {
            return Err(Trouble::CannotStart("gone".to_owned()));
        }
        self.launches[seat] += 1;
        self.running[seat] = true;
        Ok(true)
    }

    fn send(&mut self, seat: Seat, message: &ToBot) {
        if let (ToBot::Start(start), true) = (message, self.running[seat]) {
            let side = if start.first { Side::First } else { Side::Second };
            let opening = if start.first { start.board } else { start.board.flipped() };
            let opening = Opening::new(opening).unwrap();
            let limit = Terms::default().max_moves;
            self.games[seat] = Some((side, Game::new(start.rules, opening, limit)));
        }
    }

    fn ask(&mut self, seat: Seat, question: &ToBot, after: Duration) -> Result<Answer, Trouble> {
        let ToBot::Turn(turn) = question else { panic!("{question:?} is no question") };
        assert!(self.running[seat], "{seat:?} was stopped");
        self.follow(seat, turn);
        self.asked[seat].push((turn.clone(), after));
        let last = turn.legal[turn.legal.len() - 1].to_string();
        let answer = |line: &str, time| Answer { line: line.into(), time, surplus: Vec::new() };
        let soon = Duration::from_millis(1);
        let late_by = Duration::from_millis(80);
        let partial = Vec::new();
        let misconduct = match (self.script)(seat, self.asked[seat].len()) {
            ScriptedAction::Play => return Ok(answer(&last, soon)),
            ScriptedAction::Say(line) => return Ok(answer(line, soon)),
            ScriptedAction::SayMore(line, more) => {
                return Ok(Answer { surplus: more.into(), ..answer(line, soon) });
            }
            ScriptedAction::JustInTime => return Ok(answer(&last, after)),
            ScriptedAction::Late => return Ok(answer(&last, after + soon)),
            ScriptedAction::Starve => {
                let found = Ok(answer(&last, after + late_by));
                return Err(Trouble::RefereeLate { late_by, found });
            }
            ScriptedAction::Babble => Misconduct::Unsolicited(b"hello\n".to_vec()),
            ScriptedAction::Flood => Misconduct::Oversized(b"xxx".to_vec()),
            ScriptedAction::Hang => Misconduct::Silent { waited: after, partial, unread: false },
            ScriptedAction::Ignore => Misconduct::Silent { waited: after, partial, unread: true },
            ScriptedAction::Exit => {
                Misconduct::Exited { how: Ended::Code(3), cause: None, partial, after: soon }
            }
        };
        Err(Trouble::Misconduct(misconduct))
    }

    fn stop(&mut self, seat: Seat) {
        self.running[seat] = false;
        self.games[seat] = None;
    }

    fn stderr_tail(&mut self, seat: Seat) -> String {
        if self.running[seat] { format!("launch {}", self.launches[seat]) } else { String::new() }
    }
}

/// A script of players on a machine that is late at the first `questions`.
pub(crate) fn on_late_machine(mut questions: u32) -> impl FnMut(Seat, usize) -> ScriptedAction {
    move |_, _| {
        let is_late = questions > 0;
        questions = questions.saturating_sub(1);
        if is_late { ScriptedAction::Starve } else { ScriptedAction::Play }
    }
}

/// A match of two rounds on `terms`.
pub(crate) fn setup(terms: Terms) -> MatchSetup {
    let bot = |name: &str| BotRecord {
        name: name.into(),
        command: vec![name.into()],
        ..BotRecord::default()
    };
    let rules = Ruleset::default();
    MatchSetup {
        rules,
        opening: Opening::standard(&rules),
        terms,
        bots: PerSeat([bot("one"), bot("other")]),
        first: Seat::A,
        rounds: ROUNDS,
        hides_details: false,
    }
}

/// Terms that substitute `max_faults` faults.
pub(crate) fn lenient(max_faults: u32) -> Terms {
    Terms {
        faults: FaultTerms { policy: FaultPolicy::Substitute, max: max_faults.try_into().ok() },
        ..Terms::default()
    }
}
