//! One game at the board, from its beginning to its end.

use std::time::Instant;

use super::board_game::BoardGame;
use super::entry::Wish;
use super::guide;
use super::hint::{HintKind, Hints};
use super::keyboard::Input;
use super::rival::Rival;
use super::room::{Finish, GameEnd, Room, SittingError};
use super::settings::GameSettings;
use super::words;
use crate::bot::Interrupt;
use crate::referee::Fault;
use crate::rules::Ply;
use crate::seat::Seat;

/// A game that goes on.
pub(super) struct GameLoop<'a, 'room> {
    room: &'a mut Room<'room>,
    table: BoardGame,
    rival: Option<Rival>,
    hints: Hints,
    /// Since when the player to move has been asked.
    since: Instant,
}

impl<'a, 'room> GameLoop<'a, 'room> {
    pub(super) fn new(
        room: &'a mut Room<'room>,
        settings: &GameSettings,
        rival: Option<Rival>,
    ) -> GameLoop<'a, 'room> {
        let (table, hints) = (BoardGame::new(settings), Hints::default());
        GameLoop { room, table, rival, hints, since: Instant::now() }
    }

    /// Plays until the game ends or is left.
    pub(super) fn play(&mut self) -> Result<GameEnd, SittingError> {
        self.room.view.note(&words::beginning(&self.table))?;
        self.position_is_new()?;
        while let Some(seat) = self.table.to_move() {
            let ending = match &mut self.rival {
                Some(_) if seat == Seat::B => self.ask_bot()?,
                _ => self.ask_person(seat)?,
            };
            if let Some(ending) = ending {
                return Ok(ending);
            }
        }
        Ok(GameEnd::Over(None))
    }

    /// Shows the position, and gives the hint that comes with every question.
    fn position_is_new(&mut self) -> Result<(), SittingError> {
        self.room.view.show(&self.table)?;
        if let Some(seat) = self.table.to_move()
            && let Some(kind) = self.room.hint
            && self.is_person(seat)
        {
            self.hint(kind, seat)?;
        }
        self.since = Instant::now();
        Ok(())
    }

    fn hint(&mut self, kind: HintKind, seat: Seat) -> Result<(), SittingError> {
        let hint = self.hints.hint(kind, &self.table, seat, self.room.interrupt);
        Ok(self.room.view.note(&hint)?)
    }

    fn is_person(&self, seat: Seat) -> bool {
        seat == Seat::A || self.rival.is_none()
    }

    fn ask_bot(&mut self) -> Result<Option<GameEnd>, SittingError> {
        let Some(rival) = &mut self.rival else { return Ok(None) };
        let mut answer = None;
        let mut think = |stop: &Interrupt| answer = Some(rival.take_turn(&self.table, Some(stop)));
        let has_left = self.room.view.await_bot(&self.table, &mut think)?;
        if has_left {
            return Ok(Some(GameEnd::Left(Finish::Left)));
        }
        match answer.unwrap_or(Err(Ok(GameEnd::Left(Finish::Interrupted)))) {
            Ok((played, after)) => {
                self.table.goes_on(after, played.ply, played.time, played.info);
                rival.note_last_move(&self.table);
                let result = words::turn_result(&self.table, Seat::B, played.ply, played.sown);
                self.room.view.note(&result)?;
                self.position_is_new()?;
                Ok(None)
            }
            Err(halt) => Ok(Some(halt?)),
        }
    }

    fn ask_person(&mut self, seat: Seat) -> Result<Option<GameEnd>, SittingError> {
        let wish = match self.room.view.ask(&self.table)? {
            Input::Entered(Ok(wish)) => wish,
            Input::Entered(Err(why)) => {
                self.room.view.explain(&words::sentence(&why))?;
                return Ok(None);
            }
            Input::End => return Ok(Some(GameEnd::Left(Finish::Left))),
            Input::Interrupted => return Ok(Some(GameEnd::Left(Finish::Interrupted))),
        };
        match wish {
            Wish::Play(ply) => self.make(seat, ply)?,
            Wish::TakeBack => self.take_back()?,
            Wish::Hint(kind) => {
                self.hint(kind.or(self.room.hint).unwrap_or(HintKind::Player), seat)?;
            }
            Wish::Help => self.room.view.help(&self.table)?,
            Wish::Rules => {
                self.room.view.show_text(&guide::rules(&self.table.contest.rules))?;
                self.room.view.show(&self.table)?;
            }
            Wish::Change(change) => return Ok(Some(GameEnd::NewGame(Some(change)))),
            Wish::NewGame => return Ok(Some(GameEnd::NewGame(None))),
            Wish::Quit => return Ok(Some(GameEnd::Left(Finish::Left))),
        }
        Ok(None)
    }

    fn make(&mut self, seat: Seat, ply: Ply) -> Result<(), SittingError> {
        match self.table.play(ply, self.since.elapsed()) {
            Ok(sown) => {
                if let Some(rival) = &mut self.rival {
                    rival.note_last_move(&self.table);
                }
                self.room.view.note(&words::turn_result(&self.table, seat, ply, sown))?;
                self.position_is_new()
            }
            Err(why) => Ok(self.room.view.explain(&words::sentence(&words::illegal(why)))?),
        }
    }

    fn take_back(&mut self) -> Result<(), SittingError> {
        let has_bot = self.rival.is_some();
        if !self.table.take_back(|seat| seat == Seat::A || !has_bot) {
            return Ok(self.room.view.explain("There is no move to take back.")?);
        }
        if let Some(rival) = &mut self.rival {
            rival.begin_afresh();
        }
        let seat = self.table.to_move().unwrap_or(Seat::A);
        let again = format!("Taken back: {} moves again.", words::player(&self.table, seat));
        self.room.view.note(&again)?;
        self.position_is_new()
    }

    /// Ends a game that is over, keeps it, and says how the sitting ends, if it does.
    pub(super) fn conclude(
        &mut self,
        fault: Option<(Fault, String)>,
    ) -> Result<Option<Finish>, SittingError> {
        let record = self.table.clone().record(fault);
        if let Some(rival) = &mut self.rival {
            rival.send_end(&record);
        }
        let kept = (self.room.keep)(&record);
        let ending = words::ending(&self.table, &record);
        if kept.is_ok() && self.room.view.again(&self.table, &ending)? {
            return Ok(None);
        }
        self.room.view.close(&self.table, &ending)?;
        kept.map_err(SittingError::Record)?;
        Ok(Some(Finish::Played))
    }

    /// Leaves a game that is not over.
    pub(super) fn leave(&mut self) -> Result<(), SittingError> {
        let last_words = words::unfinished(self.table.board());
        Ok(self.room.view.close(&self.table, &last_words)?)
    }

    /// Lets the bot exit, if there is one.
    pub(super) fn end_bot(self) {
        if let Some(rival) = self.rival {
            rival.end();
        }
    }
}
