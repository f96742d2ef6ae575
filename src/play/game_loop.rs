//! People at the board: one game after the other, as long as they want, each from its beginning to its
//! end.

use std::io;
use std::time::Instant;

use super::board_game::BoardGame;
use super::bot_opponent::BotOpponent;
use super::hint::{HintKind, hint};
use super::keyboard::Input;
use super::settings::GameSettings;
use super::typed_line::PlayCommand;
use super::view::{GameEnd, HowItEnded, PlayContext, PlayError};
use super::{guide, words};
use crate::bot::{BotCommand, Interrupt, WardenError, Wardens};
use crate::referee::{Fault, Trouble};
use crate::rules::{Ply, Sown};
use crate::seat::Seat;
use crate::solve::Solver;

/// A game that goes on.
pub(super) struct GameLoop<'a, 'context> {
    context: &'a mut PlayContext<'context>,
    table: BoardGame,
    opponent: Option<BotOpponent>,
    solver: Option<Solver>,
    /// Since when the player to move has been asked.
    since: Instant,
}

impl<'a, 'context> GameLoop<'a, 'context> {
    pub(super) fn new(
        context: &'a mut PlayContext<'context>,
        settings: &GameSettings,
        opponent: Option<BotOpponent>,
    ) -> GameLoop<'a, 'context> {
        let table = BoardGame::new(settings);
        GameLoop { context, table, opponent, solver: None, since: Instant::now() }
    }

    /// Plays until the game ends or is left.
    pub(super) fn play(&mut self) -> GameEnd {
        self.play_on().err().unwrap_or(GameEnd::Over(None))
    }

    fn play_on(&mut self) -> Result<(), GameEnd> {
        self.context.view.note(&words::beginning(&self.table))?;
        self.position_is_new()?;
        while let Some(seat) = self.table.to_move() {
            if self.is_person(seat) { self.ask_person(seat)? } else { self.ask_bot()? }
        }
        Ok(())
    }

    /// Shows the position, and gives the hint that comes with every question.
    fn position_is_new(&mut self) -> io::Result<()> {
        self.context.view.show(&self.table)?;
        if let Some(seat) = self.table.to_move()
            && let Some(kind) = self.context.hint
            && self.is_person(seat)
        {
            self.hint(kind)?;
        }
        self.since = Instant::now();
        Ok(())
    }

    fn hint(&mut self, kind: HintKind) -> io::Result<()> {
        let hint = hint(kind, &self.table, &mut self.solver, self.context.interrupt);
        self.context.view.note(&hint)
    }

    fn is_person(&self, seat: Seat) -> bool {
        seat == Seat::A || self.opponent.is_none()
    }

    fn ask_bot(&mut self) -> Result<(), GameEnd> {
        let Some(opponent) = &mut self.opponent else { return Ok(()) };
        let mut answer = Err(GameEnd::Left(HowItEnded::Interrupted));
        let mut think = |stop: &Interrupt| answer = opponent.take_turn(&self.table, Some(stop));
        let has_left = self.context.view.await_bot(&self.table, &mut think)?;
        if has_left {
            return Err(GameEnd::Left(HowItEnded::Ended));
        }
        let (played, after) = answer?;
        let is_fresh = opponent.was_fresh();
        self.table.goes_on(after, played.ply, played.time, played.info, is_fresh);
        Ok(self.move_was_made(Seat::B, played.ply, played.sown)?)
    }

    fn ask_person(&mut self, seat: Seat) -> Result<(), GameEnd> {
        let command = match self.context.view.ask(&self.table)? {
            Input::Entered(Ok(command)) => command,
            Input::Entered(Err(why)) => return Ok(self.explain(&why)?),
            Input::End => PlayCommand::Quit,
            Input::Interrupted => return Err(GameEnd::Left(HowItEnded::Interrupted)),
        };
        match command {
            PlayCommand::Play(ply) => match self.table.play(ply, self.since.elapsed()) {
                Ok(sown) => self.move_was_made(seat, ply, sown)?,
                Err(why) => self.explain(&words::illegal(why))?,
            },
            PlayCommand::TakeBack => self.take_back()?,
            PlayCommand::Hint(kind) => {
                self.hint(kind.or(self.context.hint).unwrap_or(HintKind::Player))?;
            }
            PlayCommand::Help => self.context.view.help(&self.table)?,
            PlayCommand::Rules => {
                self.context.view.show_text(&guide::rules(&self.table.contest.rules))?;
                self.context.view.show(&self.table)?;
            }
            PlayCommand::NewGame(change) => return Err(GameEnd::NewGame(change)),
            PlayCommand::Quit => return Err(GameEnd::Left(HowItEnded::Ended)),
        }
        Ok(())
    }

    fn explain(&mut self, why: &str) -> io::Result<()> {
        self.context.view.explain(&words::sentence(why))
    }

    /// A move was made: the bot is to know of it, and the players see what it did.
    fn move_was_made(&mut self, seat: Seat, ply: Ply, sown: Sown) -> io::Result<()> {
        if let Some(opponent) = &mut self.opponent {
            opponent.note_last_move(&self.table);
        }
        self.context.view.note(&words::turn_result(&self.table, seat, ply, sown))?;
        self.position_is_new()
    }

    fn take_back(&mut self) -> io::Result<()> {
        let has_bot = self.opponent.is_some();
        if !self.table.take_back(|seat| seat == Seat::A || !has_bot) {
            return self.explain("there is no move to take back");
        }
        if let Some(opponent) = &mut self.opponent {
            opponent.begin_afresh();
        }
        let seat = self.table.to_move().unwrap_or(Seat::A);
        let again = format!("Taken back: {} moves again.", words::player(&self.table, seat));
        self.context.view.note(&again)?;
        self.position_is_new()
    }

    /// Ends a game that is over, keeps it, and says how the sitting ends, if it does.
    pub(super) fn conclude(
        &mut self,
        fault: Option<(Fault, String)>,
    ) -> Result<Option<HowItEnded>, PlayError> {
        let record = self.table.clone().record(fault);
        if let Some(opponent) = &mut self.opponent {
            opponent.send_end(&record);
        }
        let kept = (self.context.keep)(&record);
        let ending = words::ending(&self.table, &record);
        if kept.is_ok() && self.context.view.again(&self.table, &ending)? {
            return Ok(None);
        }
        self.context.view.close(&self.table, &ending)?;
        kept.map_err(PlayError::Record)?;
        Ok(Some(HowItEnded::Ended))
    }

    /// Leaves a game that is not over.
    pub(super) fn leave(&mut self) -> io::Result<()> {
        self.context.view.close(&self.table, &words::unfinished(self.table.board()))
    }

    /// Lets the bot exit, if there is one.
    pub(super) fn end_bot(self) {
        if let Some(opponent) = self.opponent {
            opponent.end();
        }
    }
}

/// Plays games until the players want no more.
///
/// # Errors
///
/// A [`PlayError`]; no bot is left running then.
pub(crate) fn play_games(
    mut settings: GameSettings,
    mut context: PlayContext<'_>,
) -> Result<HowItEnded, PlayError> {
    let mut last_bot = settings.against.clone();
    // Two people need none.
    let mut wardens = None;
    loop {
        let opponent = match &settings.against {
            Some(command) => Some(start(command, &mut wardens, &settings, context.interrupt)?),
            None => None,
        };
        let mut game = GameLoop::new(&mut context, &settings, opponent);
        let finish = match game.play() {
            GameEnd::Over(fault) => game.conclude(fault)?,
            GameEnd::NewGame(change) => {
                if let Some(change) = change {
                    settings.change(change, last_bot.as_ref());
                }
                None
            }
            GameEnd::Left(finish) => {
                let left = game.leave();
                // An interrupt may mean that the terminal has gone.
                if finish != HowItEnded::Interrupted {
                    left?;
                }
                Some(finish)
            }
            GameEnd::Failed(error) => return Err(error),
        };
        // After the view: a bot may take a moment to exit.
        game.end_bot();
        if let Some(finish) = finish {
            return Ok(finish);
        }
        last_bot = settings.against.clone().or(last_bot);
    }
}

fn start(
    command: &BotCommand,
    wardens: &mut Option<Wardens>,
    settings: &GameSettings,
    interrupt: Option<&Interrupt>,
) -> Result<BotOpponent, PlayError> {
    let wardens = match wardens {
        Some(wardens) => wardens,
        None => wardens.insert(Wardens::new(settings.terms.keeping.clone(), interrupt)?),
    };
    BotOpponent::start(command, wardens).map_err(|trouble| match trouble {
        Trouble::CannotStart(why) => {
            PlayError::Bot(format!("cannot start bot \"{}\": {why}", command.name()))
        }
        Trouble::Interrupted => PlayError::Session(WardenError::Interrupted),
        trouble => PlayError::of_bot(trouble),
    })
}
