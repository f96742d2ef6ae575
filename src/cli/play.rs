//! `mancala play`: people at the board.

use std::io::{self, IsTerminal};
use std::path::{Path, PathBuf};
use std::time::Duration;

use super::failure::{CliResult, Failure};
use super::options::{RecordFile, RulesArgs, TermsArgs};
use super::output::Output;
use super::prepare::prepare;
use crate::bot::{self, BotCommand, Interrupt, StopSteps, wait_for};
use crate::play::{
    FirstPlayer, GameSettings, HintKind, HowItEnded, Keyboard, Plain, PlayContext, PlayError,
    Screen, View, play_games,
};
use crate::record::MatchRecord;
use crate::report::{Width, can_be_drawn_on};

/// Play at the board: two people, or one against a bot.
///
/// Player A sits below, Player B above. Moves are typed as the number of a house, 1 to 6; `help`
/// lists the other commands, such as `hint`, `undo` and those of the settings. On a terminal the
/// arrow keys choose a house.
///
/// Exit codes: 0 the game was played, whoever won or forfeited, or its players left it (q, or the
/// end of input); 1 it could not be played; 2 the command line is wrong; 130 interrupted.
#[derive(clap::Args)]
#[command(mut_arg("rules", |rules| rules.default_value("cs221")), after_help = "\
Examples:
  mancala play
  mancala play --against builtin:average --hint
  mancala play --against builtin:expert --rules learneroo --hint exact
  mancala play --against \"python3 my_bot.py\" --rules kalah --first bot")]
pub(super) struct Args {
    /// Player B is this bot: builtin:easy, or a command line as in mancala match; builtin:expert
    /// makes no mistake where it can solve the game
    #[arg(long, value_name = "BOT")]
    against: Option<BotCommand>,

    /// Who begins: me (Player A), bot (Player B), or one drawn at random
    #[arg(long, value_name = "me|bot|random", default_value_t = FirstPlayer::Me)]
    first: FirstPlayer,

    /// Give a hint with every question: player (the default), what the built-in player would do; or
    /// exact, the value of each move under best play by both sides, or bounds if that takes longer
    /// than two seconds
    #[arg(long, value_name = "player|exact", num_args = 0..=1, default_missing_value = "player")]
    hint: Option<HintKind>,

    /// Lines of text even on a terminal
    #[arg(long)]
    plain: bool,

    #[command(flatten)]
    rules: RulesArgs,

    #[command(flatten)]
    terms: TermsArgs,

    /// Append the record of each game that is played to its end, one JSON line, to this file
    #[arg(long, value_name = "FILE", help_heading = "Output")]
    record: Option<PathBuf>,
}

pub(super) fn run(args: Args) -> CliResult {
    let why = "--first bot needs a bot: add --against BOT, such as --against builtin:easy";
    Failure::refuse_if(args.first == FirstPlayer::Bot && args.against.is_none(), why)?;
    let settings = GameSettings {
        terms: args.terms.terms()?,
        rules: args.rules.ruleset.rules(),
        opening: args.rules.opening,
        against: args.against,
        starter: args.first,
    };
    let why = "the board is drawn on stdout; give --record a file for the records";
    Failure::refuse_if(args.record.as_deref() == Some(Path::new("-")), why)?;
    let mut file = RecordFile::open(args.record.as_deref(), None)?;
    let mut keep = |record: &MatchRecord| match &mut file {
        RecordFile::File(_, appender) => appender.append(record),
        RecordFile::None | RecordFile::Stdout => Ok(()),
    };

    let trouble = |error: io::Error| Failure::Work(format!("cannot prepare the game: {error}"));
    let interrupt = prepare(StopSteps::EndOnly)?;
    let keyboard = Keyboard::new(&interrupt);
    let mut view: Box<dyn View + '_> = if args.plain || !is_a_terminal() {
        Box::new(Plain::new(Output::new(), keyboard, Width::of_stdout()))
    } else {
        Box::new(Screen::open(keyboard).map_err(trouble)?)
    };
    let context = PlayContext {
        view: &mut *view,
        hint: args.hint,
        interrupt: Some(&interrupt),
        keep: &mut keep,
    };
    match play_games(settings, context) {
        Ok(HowItEnded::Ended) => Ok(()),
        Ok(HowItEnded::Interrupted) => Err(Failure::Interrupted),
        Err(PlayError::View(_)) if is_raised_soon(&interrupt) => Err(Failure::Interrupted),
        Err(PlayError::Session(error)) => Err(error.into()),
        Err(PlayError::View(error)) => Err(Failure::of_stdout(&error)),
        Err(PlayError::Record(error)) => {
            let path = args.record.unwrap_or_default();
            Err(Failure::at("the game was played, but not recorded in", &path)(error))
        }
        Err(error) => Err(Failure::work(error)),
    }
}

/// Whether the interrupt is raised by now or in a moment: the signal of a terminal that has gone may
/// come after the error of reading from it.
fn is_raised_soon(interrupt: &Interrupt) -> bool {
    // The signal itself may end this wait.
    let _ = wait_for([Some(bot::input(interrupt))], Duration::from_millis(100));
    interrupt.is_raised()
}

/// Whether there is a terminal to draw on and to read keys from.
fn is_a_terminal() -> bool {
    io::stdin().is_terminal() && can_be_drawn_on(&io::stdout())
}
