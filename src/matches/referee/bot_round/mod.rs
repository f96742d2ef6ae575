//! One bot's side of one round: what it is told and asked, and how its answers are judged.

use std::time::{Duration, Instant};

use super::clock::{Allowance, Clock};
use super::fault::Fault;
use super::players::{Answer, Trouble};
use super::setup::MatchSetup;
use crate::protocol::{FaultKind, Info, PlayedMove, Reply, Start, ToBot, Turn, VERSION, Who};
use crate::record::{MoveRecord, RoundRecord, Substitute, TimeTerms, whole_ms};
use crate::rules::{Game, Ply, Sown};
use crate::seat::Seat;

/// What one bot is told and asked in a round, and the time it has left for it.
pub struct BotRound {
    round: u32,
    seat: Seat,
    first: bool,
    clock: Clock,
    /// Moves of its own so far.
    moves: u32,
    /// What was played since its last turn.
    untold: Vec<PlayedMove>,
    /// Whether it has answered a question, or its process did in an earlier round.
    has_answered: bool,
    /// Questions that its process was asked, in earlier rounds 1 for all.
    asked: u32,
    /// Which of these questions was that of the last turn, from 1; 0 if it was not asked then.
    last_question: u32,
    /// Whether the bot can be asked again as it is: its next line, if it writes one, is the answer to
    /// the next question. After a timeout, or more than the one line that was asked for, what it says
    /// next may belong to an earlier question.
    pub(super) in_step: bool,
}

/// A legal move that a bot made, or that was played for it.
pub struct PlayedTurn {
    /// The move.
    pub ply: Ply,
    /// What it did.
    pub sown: Sown,
    /// How long the bot took.
    pub time: Duration,
    /// What else the bot said.
    pub info: Option<Info>,
    /// Why it was played for the bot; none when the bot made it.
    pub(crate) substitute: Option<Substitute>,
}

/// Why a turn did not end in a move.
#[derive(Debug)]
pub enum Stop {
    /// The bot's doing.
    Fault(Fault),
    /// The machine was late.
    RefereeLate {
        late_by: Duration,
    },
    Trouble(Trouble),
}

impl BotRound {
    /// The round of the bot in `seat`; `first` makes the first move. `fresh` when the bot's
    /// process has yet to give its first answer.
    pub fn new(time: TimeTerms, round: u32, first: Seat, seat: Seat, fresh: bool) -> BotRound {
        BotRound {
            round,
            seat,
            first: seat == first,
            clock: Clock::new(time, fresh),
            moves: 0,
            untold: Vec::new(),
            has_answered: !fresh,
            asked: u32::from(!fresh),
            last_question: 0,
            in_step: true,
        }
    }

    /// The round of a new process that joins after these moves. The time bank is as they left it.
    pub fn after_moves(
        setup: &MatchSetup,
        round: u32,
        first: Seat,
        seat: Seat,
        so_far: &[MoveRecord],
    ) -> BotRound {
        let mut bot_round = BotRound::new(setup.terms.time, round, first, seat, true);
        for played in so_far.iter().filter(|played| played.bot == seat) {
            bot_round.charge(played);
        }
        bot_round.begin_again(so_far);
        bot_round
    }

    /// Takes a recorded move of its own off the clock.
    fn charge(&mut self, played: &MoveRecord) {
        if played.fresh {
            self.clock.start_again();
        }
        self.clock.charge(played.time);
    }

    /// Goes on with a fresh process of the same bot, which was told nothing of the round. The time
    /// bank is as it was.
    pub(super) fn begin_again(&mut self, so_far: &[MoveRecord]) {
        self.clock.start_again();
        self.asked = 0;
        self.in_step = true;
        self.moves = 0;
        self.untold.clear();
        for played in so_far {
            self.note(played);
        }
    }

    /// The message that begins the round.
    pub fn start(&self, setup: &MatchSetup) -> ToBot {
        let opening = setup.opening.board();
        ToBot::Start(Start {
            protocol: VERSION,
            round: self.round,
            first: self.first,
            you: setup.bots[self.seat].name.clone(),
            opponent: setup.bots[!self.seat].name.clone(),
            rules: setup.rules,
            board: if self.first { opening } else { opening.flipped() },
            move_time_ms: whole_ms(self.clock.longest_move()),
            game_time_ms: setup.terms.time.game_time.map(whole_ms),
        })
    }

    /// Whether the last turn was the first that its process was asked.
    pub const fn was_fresh(&self) -> bool {
        self.last_question == 1
    }

    /// Adds a move to those that the bot is told with its next turn.
    pub fn note(&mut self, played: &MoveRecord) {
        let own = played.bot == self.seat;
        self.moves += u32::from(own);
        let by = if own { Who::You } else { Who::Opponent };
        let MoveRecord { house, direction, .. } = *played;
        self.untold.push(PlayedMove { by, house, direction });
    }

    /// Asks the bot to move and makes the move. `ask` carries the question, waits until the time
    /// it is given has passed, and brings the answer.
    ///
    /// # Errors
    ///
    /// When there is no move; the game is then as it was.
    pub fn take_turn(
        &mut self,
        setup: &MatchSetup,
        game: &mut Game,
        ask: impl FnOnce(&ToBot, Duration) -> Result<Answer, Trouble>,
    ) -> Result<PlayedTurn, Stop> {
        // Until it is asked.
        self.last_question = 0;
        let mut turn = self.ask_for_a_move(setup, game, ask);
        if let (Err(Stop::Fault(fault)), Some(allowance)) = (&mut turn, self.clock.allowance()) {
            self.clock.add_times(&mut fault.cause, allowance, fault.time);
        }
        match &turn {
            Ok(PlayedTurn { time, .. }) | Err(Stop::Fault(Fault { time, .. })) => {
                self.clock.charge(*time);
            }
            // Nothing of the round counts.
            Err(Stop::RefereeLate { .. } | Stop::Trouble(_)) => {}
        }
        turn
    }

    fn question(&mut self, game: &Game, allowance: Allowance) -> ToBot {
        ToBot::Turn(Turn {
            turn: self.moves + 1,
            board: game.board(),
            legal: game.legal_houses().collect(),
            moves: std::mem::take(&mut self.untold),
            move_time_ms: whole_ms(allowance.limit),
            time_left_ms: allowance.time_left.map(whole_ms),
        })
    }

    /// The question that the bot in `seat` was asked in a recorded round after its first `moves`
    /// moves, when the game was `game`; `None` if its time bank was spent.
    pub fn question_in_record(
        time: TimeTerms,
        round: &RoundRecord,
        moves: usize,
        game: &Game,
        seat: Seat,
    ) -> Option<ToBot> {
        let (before, after) = round.moves.split_at(moves);
        // Older records do not mark the first answer of a process.
        let is_fresh = round.round == 1;
        let mut bot_round = BotRound::new(time, round.round, round.first, seat, is_fresh);
        for played in before {
            if played.bot == seat {
                bot_round.charge(played);
                bot_round.untold.clear();
                let kind = played.substitute.as_ref().map(|fault| fault.kind);
                bot_round.in_step = kind.is_none_or(|kind| {
                    matches!(kind, FaultKind::IllegalMove | FaultKind::InvalidReply)
                });
            }
            bot_round.note(played);
        }
        if after.first().map_or(!bot_round.in_step, |played| played.fresh) {
            bot_round.begin_again(before);
        }
        let allowance = bot_round.clock.allowance()?;
        Some(bot_round.question(game, allowance))
    }

    fn ask_for_a_move(
        &mut self,
        setup: &MatchSetup,
        game: &mut Game,
        ask: impl FnOnce(&ToBot, Duration) -> Result<Answer, Trouble>,
    ) -> Result<PlayedTurn, Stop> {
        let Some(allowance) = self.clock.allowance() else {
            let bank = setup.terms.time.game_time.unwrap_or_default();
            return Err(Stop::Fault(Fault::bank_spent(bank)));
        };
        self.asked += 1;
        self.last_question = self.asked;
        let question = self.question(game, allowance);
        let (clock, has_answered) = (&self.clock, self.has_answered);
        let misconduct =
            |what, time| Fault::of_misconduct(what, time, clock, allowance, has_answered);
        let asked = Instant::now();
        // Unless one line comes, in time.
        self.in_step = false;
        let Answer { line, time, surplus } =
            ask(&question, allowance.late_after).map_err(|trouble| match trouble {
                Trouble::Misconduct(what) => Stop::Fault(misconduct(what, asked.elapsed())),
                Trouble::RefereeLate { late_by, .. } => Stop::RefereeLate { late_by },
                trouble => Stop::Trouble(trouble),
            })?;
        if time > allowance.late_after {
            return Err(Stop::Fault(Fault::late(&line, time, clock, allowance)));
        }
        self.in_step = surplus.is_empty();
        self.has_answered = true;
        let reply =
            Reply::parse(&line).map_err(|bad| Stop::Fault(Fault::of_reply(bad, &line, time)))?;
        let ply = setup.rules.ply(reply.house, reply.direction);
        let illegal = |why| Stop::Fault(Fault::illegal(why, &reply, &line, time));
        if !surplus.is_empty() {
            // The line that came first is judged first.
            game.clone().play(ply).map_err(illegal)?;
            return Err(Stop::Fault(Fault::more_than_one_line(&surplus, time)));
        }
        let sown = game.play(ply).map_err(illegal)?;
        Ok(PlayedTurn { ply, sown, time, info: reply.info, substitute: None })
    }
}

#[cfg(test)]
mod tests;
