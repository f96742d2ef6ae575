//! People at the board: one game after the other, as long as they want.

use super::bot_opponent::BotOpponent;
use super::game_loop::GameLoop;
use super::settings::GameSettings;
use super::view_choice::{GameEnd, HowItEnded, PlayContext, PlayError};
use crate::bot::{BotCommand, Interrupt, WardenError};
use crate::referee::Trouble;
use crate::session::Session;

/// Plays games until the players want no more.
///
/// # Errors
///
/// A [`PlayError`]; no bot is left running then.
pub fn play_games(
    mut settings: GameSettings,
    mut context: PlayContext<'_>,
) -> Result<HowItEnded, PlayError> {
    let mut last_bot = settings.against.clone();
    // Two people need none.
    let mut session = None;
    loop {
        let opponent = match &settings.against {
            Some(command) => Some(start(command, &mut session, &settings, context.interrupt)?),
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
    session: &mut Option<Session>,
    settings: &GameSettings,
    interrupt: Option<&Interrupt>,
) -> Result<BotOpponent, PlayError> {
    let session = match session {
        Some(session) => session,
        None => session.insert(Session::open(settings.terms.keeping.clone(), interrupt)?),
    };
    BotOpponent::start(command, session).map_err(|trouble| match trouble {
        Trouble::CannotStart(why) => PlayError::CannotStart { name: command.name(), why },
        Trouble::Interrupted => PlayError::Session(WardenError::Interrupted),
        trouble => PlayError::of_bot(trouble),
    })
}
