//! Player B as a bot: started, told, asked, and started afresh where that is fairer.

use super::board_game::{BoardGame, ROUND};
use super::view::{GameEnd, PlayError};
use crate::bot::{Bot, BotCommand, Interrupt, Wardens, end_all};
use crate::record::{MatchRecord, milliseconds};
use crate::referee::{BotRound, PlayedTurn, REPLAYS, Stop, Trouble, end_message};
use crate::rules::Game;
use crate::seat::Seat;

/// A bot at the board. [`end`](BotOpponent::end) lets it exit by itself; dropping it kills it.
pub(super) struct BotOpponent {
    bot: Bot,
    /// What its process was told; none while it has yet to hear of the game.
    round: Option<BotRound>,
}

impl BotOpponent {
    /// Starts a bot.
    ///
    /// # Errors
    ///
    /// As [`Bot::ready`].
    pub(super) fn start(command: &BotCommand, wardens: &Wardens) -> Result<BotOpponent, Trouble> {
        let mut bot = Bot::new(command, wardens);
        bot.ready()?;
        Ok(BotOpponent { bot, round: None })
    }

    /// Asks for a move and makes it on a copy of the game.
    pub(super) fn take_turn(
        &mut self,
        table: &BoardGame,
        interrupt: Option<&Interrupt>,
    ) -> Result<(PlayedTurn, Game), GameEnd> {
        // Afresh, when the machine was late.
        let mut retries = REPLAYS;
        loop {
            let (bot, round) = self.ready_for(table)?;
            let mut game = table.game.clone();
            let played = round.take_turn(&table.contest, &mut game, |question, late_after| {
                bot.ask(question, late_after, None, interrupt)
            });
            match played {
                Ok(played) => return Ok((played, game)),
                Err(Stop::RefereeLate { .. }) if retries > 0 => {
                    retries -= 1;
                    self.begin_afresh();
                }
                Err(Stop::RefereeLate { late_by }) => {
                    return Err(GameEnd::Failed(PlayError::Bot(format!(
                        "the machine, not the bot, was late {} times, {:.1} ms the last time; the game \
                         is unfinished and does not count",
                        REPLAYS + 1,
                        milliseconds(late_by)
                    ))));
                }
                Err(Stop::Fault(fault)) => {
                    return Err(GameEnd::Over(Some((fault, bot.stderr_tail()))));
                }
                Err(Stop::Trouble(trouble)) => return Err(GameEnd::from(trouble)),
            }
        }
    }

    /// Starts the bot if it does not run, and tells it of the game if it does not know it.
    fn ready_for(&mut self, table: &BoardGame) -> Result<(&mut Bot, &mut BotRound), GameEnd> {
        let BotOpponent { bot, round } = self;
        bot.ready()?;
        let round = round.get_or_insert_with(|| {
            let contest = &table.contest;
            let round =
                BotRound::after_moves(contest, ROUND, contest.first, Seat::B, table.moves());
            bot.send(&round.start(contest));
            round
        });
        Ok((bot, round))
    }

    /// Whether its last move was the first answer of its process.
    pub(super) fn was_fresh(&self) -> bool {
        self.round.as_ref().is_some_and(BotRound::was_fresh)
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
    }

    /// Tells the bot how the game ended.
    pub(super) fn send_end(&mut self, record: &MatchRecord) {
        if let (Some(_), Some(round)) = (&self.round, record.rounds.first()) {
            self.bot.send(&end_message(round, Seat::B, false));
        }
    }

    /// Lets the bot exit, and ends it if it does not.
    pub(super) fn end(self) {
        end_all([self.bot]);
    }
}
