//! Player B as a bot: started, told, asked, and started afresh where that is fairer.

use super::board_game::{BoardGame, ROUND};
use super::room::{Finish, GameEnd, SittingError};
use crate::bot::{Bot, BotCommand, Interrupt, end_all};
use crate::record::MatchRecord;
use crate::referee::{BotRound, Fault, PlayedTurn, REPLAYS, Stop, Trouble, end_message};
use crate::rules::Game;
use crate::seat::Seat;
use crate::session::Session;

/// A bot at the board. [`end`](Rival::end) lets it exit by itself; dropping it kills it.
#[derive(Debug)]
pub(super) struct Rival {
    bot: Bot,
    /// What it was told; none while it has yet to hear of the game.
    round: Option<BotRound>,
    /// Whether its process has yet to give its first answer.
    fresh: bool,
}

/// What ends because a bot did not move: the game, by its fault or the user's wish; or the sitting.
pub(super) type Halt = Result<GameEnd, SittingError>;

impl Rival {
    /// Starts a bot.
    ///
    /// # Errors
    ///
    /// As [`Bot::ready`].
    pub(super) fn start(command: &BotCommand, session: &Session) -> Result<Rival, Trouble> {
        let mut bot = session.bot(command);
        bot.ready()?;
        Ok(Rival { bot, round: None, fresh: true })
    }

    /// Asks for a move and makes it on a copy of the game.
    pub(super) fn take_turn(
        &mut self,
        table: &BoardGame,
        interrupt: Option<&Interrupt>,
    ) -> Result<(PlayedTurn, Game), Halt> {
        // Afresh, when the machine was late.
        let mut retries = REPLAYS;
        loop {
            let (bot, round) = self.ready_for(table)?;
            let mut game = table.game.clone();
            let played = round.take_turn(&table.contest, &mut game, |question, late_after| {
                bot.ask(question, late_after, None, interrupt)
            });
            match played {
                Ok(played) => {
                    self.fresh = false;
                    return Ok((played, game));
                }
                Err(Stop::RefereeLate { .. }) if retries > 0 => {
                    retries -= 1;
                    self.begin_afresh();
                }
                Err(Stop::RefereeLate { late_by }) => {
                    return Err(Err(SittingError::MachineLate(late_by)));
                }
                Err(Stop::Fault(fault)) => {
                    return Err(Ok(GameEnd::Over(Some((fault, bot.stderr_tail())))));
                }
                Err(Stop::Trouble(trouble)) => return Err(halt(trouble)),
            }
        }
    }

    /// Starts the bot if it does not run, and tells it of the game if it does not know it.
    fn ready_for(&mut self, table: &BoardGame) -> Result<(&mut Bot, &mut BotRound), Halt> {
        let Rival { bot, round, fresh } = self;
        *fresh |= bot.ready().map_err(halt)?;
        let round = round.get_or_insert_with(|| {
            let contest = &table.contest;
            let mut round = BotRound::new(contest, ROUND, contest.first, Seat::B, *fresh);
            bot.send(&round.start(contest));
            for played in table.moves() {
                round.note(played);
            }
            round
        });
        Ok((bot, round))
    }

    /// Notes the last move for the bot's next turn, whoever made it.
    pub(super) fn note_last_move(&mut self, table: &BoardGame) {
        if let (Some(round), Some(played)) = (&mut self.round, table.moves().last()) {
            round.note(played);
        }
    }

    /// Forgets what it was told. A bot may remember moves that no longer count, so a new process
    /// hears of the game from its opening on.
    pub(super) fn begin_afresh(&mut self) {
        self.bot.stop();
        self.round = None;
        self.fresh = true;
    }

    /// Tells the bot how the game ended.
    pub(super) fn send_end(&mut self, record: &MatchRecord) {
        if let (Some(_), Some(round)) = (&self.round, record.rounds.first()) {
            self.bot.send(&end_message(round, Seat::B));
        }
    }

    /// Lets the bot exit, and ends it if it does not.
    pub(super) fn end(self) {
        end_all([self.bot]);
    }
}

fn halt(trouble: Trouble) -> Halt {
    match trouble {
        Trouble::CannotStart(why) => {
            Ok(GameEnd::Over(Some((Fault::start_failed(&why), String::new()))))
        }
        Trouble::Interrupted => Ok(GameEnd::Left(Finish::Interrupted)),
        trouble => Err(SittingError::of_bot(trouble)),
    }
}
