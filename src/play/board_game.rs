//! One game on the table: its position, its moves, and the way back.

use std::time::Duration;

use super::layout::{Layout, side};
use super::settings::GameSettings;
use crate::protocol::Info;
use crate::record::{MatchRecord, MoveRecord, Timestamp};
use crate::referee::{Fault, MatchSetup, Moves, conclude, match_record, seat_of};
use crate::rules::{Board, Game, IllegalMove, Ply, Side, Sown};
use crate::seat::Seat;

/// The only round of a game at the board.
pub(super) const ROUND: u32 = 1;

/// A game that is played.
#[derive(Clone)]
pub(crate) struct BoardGame {
    /// Who plays, by which rules.
    pub contest: MatchSetup,
    /// How the board is drawn.
    pub layout: Layout,
    began: Timestamp,
    /// The position and its rules.
    pub(super) game: Game,
    /// The game as it stood before each move.
    past: Vec<Game>,
    moves: Moves,
}

impl BoardGame {
    /// A game that begins.
    pub(super) fn new(settings: &GameSettings) -> BoardGame {
        let contest = settings.contest();
        BoardGame {
            game: Game::new(contest.rules, contest.opening, contest.terms.max_moves),
            contest,
            layout: Layout::of(&settings.rules),
            began: Timestamp::now(),
            past: Vec::new(),
            moves: Moves::default(),
        }
    }

    /// The moves so far.
    pub(crate) fn moves(&self) -> &[MoveRecord] {
        self.moves.as_slice()
    }

    /// The player to move; none once the game has ended.
    pub(crate) fn to_move(&self) -> Option<Seat> {
        let mover = || seat_of(self.game.mover(), self.contest.first);
        self.game.ending().is_none().then(mover)
    }

    /// The board in Player A's view.
    pub(crate) fn board(&self) -> Board {
        side(self.game.board_of(Side::First), self.contest.first)
    }

    /// Makes a move for the player to move.
    pub(super) fn play(&mut self, ply: Ply, time: Duration) -> Result<Sown, IllegalMove> {
        let mut after = self.game.clone();
        let sown = after.play(ply)?;
        self.goes_on(after, ply, time, None, false);
        Ok(sown)
    }

    /// Takes over a move that was made on a copy of the game. `is_fresh` if it is the first answer
    /// of a process.
    pub(super) fn goes_on(
        &mut self,
        after: Game,
        ply: Ply,
        time: Duration,
        info: Option<Info>,
        is_fresh: bool,
    ) {
        let Some(seat) = self.to_move() else { return };
        let played = self.moves.push(&self.contest.rules, seat, ply, time, info);
        played.fresh = is_fresh;
        self.past.push(std::mem::replace(&mut self.game, after));
    }

    /// Takes back the last move that a person made and what followed it; whether there was one.
    pub(super) fn take_back(&mut self, is_person: impl Fn(Seat) -> bool) -> bool {
        if !self.moves().iter().any(|played| is_person(played.bot)) {
            return false;
        }
        while let (Some(before), Some(played)) = (self.past.pop(), self.moves.pop()) {
            self.game = before;
            if is_person(played.bot) {
                break;
            }
        }
        true
    }

    /// The record of the game, which has ended by its rules or by a fault of Player B.
    pub(super) fn record(self, fault: Option<(Fault, String)>) -> MatchRecord {
        let fault = fault.map(|(fault, stderr)| (Seat::B, fault, stderr));
        let round = conclude(&self.game, ROUND, self.contest.first, self.moves, fault);
        match_record(&self.contest, self.began, vec![round])
    }
}
