//! One game at the board, from its beginning to its end.

use std::io;
use std::time::Instant;

use super::board_game::BoardGame;
use super::bot_opponent::Rival;
use super::guide;
use super::hint::{HintKind, hint};
use super::keyboard::Input;
use super::settings::GameSettings;
use super::typed_line::Wish;
use super::view_choice::{Finish, GameEnd, Room, SittingError};
use super::words;
use crate::bot::Interrupt;
use crate::referee::Fault;
use crate::rules::{Ply, Sown};
use crate::seat::Seat;
use crate::solve::Solver;

/// A game that goes on.
pub(super) struct GameLoop<'a, 'room> {
    room: &'a mut Room<'room>,
    table: BoardGame,
    rival: Option<Rival>,
    solver: Option<Solver>,
    /// Since when the player to move has been asked.
    since: Instant,
}

impl<'a, 'room> GameLoop<'a, 'room> {
    pub(super) fn new(
        room: &'a mut Room<'room>,
        settings: &GameSettings,
        rival: Option<Rival>,
    ) -> GameLoop<'a, 'room> {
        let table = BoardGame::new(settings);
        GameLoop { room, table, rival, solver: None, since: Instant::now() }
    }

    /// Plays until the game ends or is left.
    pub(super) fn play(&mut self) -> GameEnd {
        self.play_on().err().unwrap_or(GameEnd::Over(None))
    }

    fn play_on(&mut self) -> Result<(), GameEnd> {
        self.room.view.note(&words::beginning(&self.table))?;
        self.position_is_new()?;
        while let Some(seat) = self.table.to_move() {
            if self.is_person(seat) { self.ask_person(seat)? } else { self.ask_bot()? }
        }
        Ok(())
    }

    /// Shows the position, and gives the hint that comes with every question.
    fn position_is_new(&mut self) -> io::Result<()> {
        self.room.view.show(&self.table)?;
        if let Some(seat) = self.table.to_move()
            && let Some(kind) = self.room.hint
            && self.is_person(seat)
        {
            self.hint(kind)?;
        }
        self.since = Instant::now();
        Ok(())
    }

    fn hint(&mut self, kind: HintKind) -> io::Result<()> {
        let hint = hint(kind, &self.table, &mut self.solver, self.room.interrupt);
        self.room.view.note(&hint)
    }

    fn is_person(&self, seat: Seat) -> bool {
        seat == Seat::A || self.rival.is_none()
    }

    fn ask_bot(&mut self) -> Result<(), GameEnd> {
        let Some(rival) = &mut self.rival else { return Ok(()) };
        let mut answer = Err(GameEnd::Left(Finish::Interrupted));
        let mut think = |stop: &Interrupt| answer = rival.take_turn(&self.table, Some(stop));
        let has_left = self.room.view.await_bot(&self.table, &mut think)?;
        if has_left {
            return Err(GameEnd::Left(Finish::Left));
        }
        let (played, after) = answer?;
        self.table.goes_on(after, played.ply, played.time, played.info);
        Ok(self.move_was_made(Seat::B, played.ply, played.sown)?)
    }

    fn ask_person(&mut self, seat: Seat) -> Result<(), GameEnd> {
        let wish = match self.room.view.ask(&self.table)? {
            Input::Entered(Ok(wish)) => wish,
            Input::Entered(Err(why)) => return Ok(self.explain(&why)?),
            Input::End => Wish::Quit,
            Input::Interrupted => return Err(GameEnd::Left(Finish::Interrupted)),
        };
        match wish {
            Wish::Play(ply) => match self.table.play(ply, self.since.elapsed()) {
                Ok(sown) => self.move_was_made(seat, ply, sown)?,
                Err(why) => self.explain(&words::illegal(why))?,
            },
            Wish::TakeBack => self.take_back()?,
            Wish::Hint(kind) => {
                self.hint(kind.or(self.room.hint).unwrap_or(HintKind::Player))?;
            }
            Wish::Help => self.room.view.help(&self.table)?,
            Wish::Rules => {
                self.room.view.show_text(&guide::rules(&self.table.contest.rules))?;
                self.room.view.show(&self.table)?;
            }
            Wish::NewGame(change) => return Err(GameEnd::NewGame(change)),
            Wish::Quit => return Err(GameEnd::Left(Finish::Left)),
        }
        Ok(())
    }

    fn explain(&mut self, why: &str) -> io::Result<()> {
        self.room.view.explain(&words::sentence(why))
    }

    /// A move was made: the bot is to know of it, and the players see what it did.
    fn move_was_made(&mut self, seat: Seat, ply: Ply, sown: Sown) -> io::Result<()> {
        if let Some(rival) = &mut self.rival {
            rival.note_last_move(&self.table);
        }
        self.room.view.note(&words::turn_result(&self.table, seat, ply, sown))?;
        self.position_is_new()
    }

    fn take_back(&mut self) -> io::Result<()> {
        let has_bot = self.rival.is_some();
        if !self.table.take_back(|seat| seat == Seat::A || !has_bot) {
            return self.explain("there is no move to take back");
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
    pub(super) fn leave(&mut self) -> io::Result<()> {
        self.room.view.close(&self.table, &words::unfinished(self.table.board()))
    }

    /// Lets the bot exit, if there is one.
    pub(super) fn end_bot(self) {
        if let Some(rival) = self.rival {
            rival.end();
        }
    }
}
