//! People at the board: one game after the other, as long as they want.

use super::bot_opponent::BotOpponent;
use super::game_loop::GameLoop;
use super::settings::GameSettings;
use super::view::{GameEnd, HowItEnded, PlayContext, PlayError};
use crate::bot::{BotCommand, Interrupt, WardenError, Wardens};
use crate::referee::Trouble;

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
