//! One round, from `start` to `end`.

use std::time::Duration;

use super::clock::Clock;
use super::event::Event;
use super::fault::Fault;
use super::play::Contest;
use super::players::{Answer, Misconduct, Players, Trouble};
use crate::protocol::{
    End, Info, Outcome, PlayedMove, Reason, Reply, Start, ToBot, ToldFault, Turn, VERSION, Who,
};
use crate::record::{FaultRecord, MoveRecord, RoundRecord, RoundResult, whole_ms};
use crate::rules::{Direction, DirectionRule, Game, Ply, Side, Sown};
use crate::seat::{PerSeat, Seat};

/// Most bytes of `info` that one round keeps; what comes after is left out, so that the referee's
/// memory does not grow with what a bot prints.
const MAX_INFO_A_ROUND: usize = 256 * 1024;

/// One round to be played.
pub(super) struct RoundSetup<'a> {
    pub(super) contest: &'a Contest,
    pub(super) round: u32,
    pub(super) first: Seat,
    /// Whether the round may be called void when the machine is late; if not, a bot that has not
    /// answered by then is late itself.
    pub(super) may_be_void: bool,
}

pub(super) enum RoundOutcome {
    Played(RoundRecord),
    Void { late_by: Duration },
}

/// Plays a round. `fresh` says, and keeps, whose process has yet to give its first answer.
pub(super) fn play_round(
    setup: &RoundSetup<'_>,
    players: &mut dyn Players,
    fresh: &mut PerSeat<bool>,
    emit: &mut dyn FnMut(Event<'_>),
) -> Result<RoundOutcome, (Seat, Trouble)> {
    let contest = setup.contest;
    let mut round = Round {
        setup,
        game: Game::new(contest.rules, contest.opening, contest.limits.max_moves),
        clocks: PerSeat::from_fn(|_| Clock::new(&contest.limits, false)),
        untold: PerSeat::default(),
        turns: PerSeat::default(),
        moves: Vec::with_capacity(64),
        info_bytes: 0,
    };
    emit(Event::RoundBegan {
        round: setup.round,
        first: setup.first,
        board: contest.opening.board(),
    });
    for seat in Seat::BOTH {
        match players.ready(seat) {
            Ok(started) => fresh[seat] |= started,
            Err(Trouble::CannotStart(why)) => {
                let fault = Fault::start_failed(why);
                return Ok(RoundOutcome::Played(round.ended(Some((seat, fault)), players)));
            }
            Err(trouble) => return Err((seat, trouble)),
        }
        round.clocks[seat] = Clock::new(&contest.limits, fresh[seat]);
    }
    for seat in Seat::BOTH {
        players.tell(seat, &ToBot::Start(round.start_message(seat)));
    }
    while round.game.ending().is_none() {
        let seat = round.seat_of(round.game.mover());
        match round.take_turn(seat, players) {
            Ok(moved) => {
                fresh[seat] = false;
                emit(round.moved(seat, moved));
            }
            Err(Stop::Fault(fault)) => {
                return Ok(RoundOutcome::Played(round.ended(Some((seat, fault)), players)));
            }
            Err(Stop::Void { late_by }) => return Ok(RoundOutcome::Void { late_by }),
            Err(Stop::Trouble(trouble)) => return Err((seat, trouble)),
        }
    }
    Ok(RoundOutcome::Played(round.ended(None, players)))
}

/// Why a turn did not end in a move.
enum Stop {
    Fault(Fault),
    Void { late_by: Duration },
    Trouble(Trouble),
}

struct Round<'a> {
    setup: &'a RoundSetup<'a>,
    game: Game,
    clocks: PerSeat<Clock>,
    /// What was played since each bot's last turn.
    untold: PerSeat<Vec<PlayedMove>>,
    /// Turns that each bot was sent.
    turns: PerSeat<u32>,
    moves: Vec<MoveRecord>,
    info_bytes: usize,
}

impl Round<'_> {
    fn seat_of(&self, side: Side) -> Seat {
        match side {
            Side::First => self.setup.first,
            Side::Second => !self.setup.first,
        }
    }

    fn side_of(&self, seat: Seat) -> Side {
        if seat == self.setup.first { Side::First } else { Side::Second }
    }

    fn start_message(&self, seat: Seat) -> Start {
        let contest = self.setup.contest;
        Start {
            protocol: VERSION,
            round: self.setup.round,
            first: seat == self.setup.first,
            you: contest.bots[seat].name.clone(),
            opponent: contest.bots[!seat].name.clone(),
            rules: contest.rules,
            board: self.game.board_of(self.side_of(seat)),
            move_time_ms: whole_ms(self.clocks[seat].longest_move()),
            game_time_ms: contest.limits.game_time.map(whole_ms),
        }
    }

    /// Asks the bot to move and makes the move.
    fn take_turn(
        &mut self,
        seat: Seat,
        players: &mut dyn Players,
    ) -> Result<(Ply, Sown, Duration), Stop> {
        let clock = &mut self.clocks[seat];
        let Some(allowance) = clock.allowance() else {
            let bank = self.setup.contest.limits.game_time.unwrap_or_default();
            return Err(Stop::Fault(Fault::bank_spent(bank)));
        };
        self.turns[seat] += 1;
        let question = ToBot::Turn(Turn {
            turn: self.turns[seat],
            board: self.game.board(),
            legal: self.game.legal_houses().collect(),
            moves: std::mem::take(&mut self.untold[seat]),
            move_time_ms: whole_ms(allowance.limit),
            time_left_ms: allowance.time_left.map(whole_ms),
        });
        let Answer { line, time } = players.ask(seat, &question, allowance.late_after).map_err(
            |trouble| match trouble {
                Trouble::Misconduct(what) => {
                    Stop::Fault(Fault::of_misconduct(what, clock, allowance))
                }
                Trouble::Starved(late_by) if self.setup.may_be_void => Stop::Void { late_by },
                Trouble::Starved(late_by) => {
                    let waited = allowance.late_after + late_by;
                    let silent = Misconduct::Silent { waited, partial: Vec::new(), unread: false };
                    Stop::Fault(Fault::of_misconduct(silent, clock, allowance))
                }
                trouble => Stop::Trouble(trouble),
            },
        )?;
        if time > allowance.late_after {
            return Err(Stop::Fault(Fault::late(&line, time, clock, allowance)));
        }
        clock.charge(time);
        let reply = Reply::parse(&line).map_err(|bad| Stop::Fault(Fault::of_reply(bad)))?;
        let rule = self.setup.contest.rules.direction;
        let ply = Ply {
            house: reply.house,
            direction: reply.direction.unwrap_or(match rule {
                DirectionRule::Forward | DirectionRule::Either => Direction::Forward,
                DirectionRule::Backward => Direction::Backward,
            }),
        };
        let sown = self.game.play(ply).map_err(|why| Stop::Fault(Fault::illegal(why, &line)))?;
        self.keep(seat, ply, time, reply.info);
        Ok((ply, sown, time))
    }

    /// Puts a move on the record and remembers whom to tell of it.
    fn keep(&mut self, seat: Seat, ply: Ply, time: Duration, info: Option<Info>) {
        let direction = self.setup.contest.rules.direction.is_a_choice().then_some(ply.direction);
        self.untold[seat].push(PlayedMove { by: Who::You, house: ply.house, direction });
        self.untold[!seat].push(PlayedMove { by: Who::Opponent, house: ply.house, direction });
        self.info_bytes += info.as_ref().map_or(0, |info| info.json().len());
        let info = info.filter(|_| self.info_bytes <= MAX_INFO_A_ROUND);
        self.moves.push(MoveRecord { bot: seat, house: ply.house, direction, time, info });
    }

    fn moved(&self, seat: Seat, (ply, sown, time): (Ply, Sown, Duration)) -> Event<'static> {
        Event::Moved {
            round: self.setup.round,
            number: self.game.moves(),
            seat,
            ply,
            sown,
            time,
            board: self.game.board_of(Side::First),
        }
    }

    /// Ends the round: by its rules, or by the fault of a bot, which is told and then put away.
    fn ended(self, fault: Option<(Seat, Fault)>, players: &mut dyn Players) -> RoundRecord {
        let board = self.game.board_of(Side::First);
        let fault = fault.map(|(bot, Fault { kind, detail })| FaultRecord {
            bot,
            kind,
            detail,
            board: self.game.board_of(self.side_of(bot)),
            stderr: players.stderr_tail(bot),
        });
        let (reason, score, final_board) = if let Some(fault) = &fault {
            let mut score = PerSeat([board.seeds(); 2]);
            score[fault.bot] = 0;
            (Reason::Fault(fault.kind), score, board)
        } else {
            let ending = self.game.ending().map_or(Reason::MoveLimit, Reason::from);
            let score = PerSeat::from_fn(|seat| self.game.score().of(self.side_of(seat)));
            (ending, score, board.swept())
        };
        for seat in Seat::BOTH {
            let own_view = match self.side_of(seat) {
                Side::First => final_board,
                Side::Second => final_board.flipped(),
            };
            players.tell(
                seat,
                &ToBot::End(End {
                    round: self.setup.round,
                    outcome: outcome(score[seat], score[!seat]),
                    score: [score[seat], score[!seat]],
                    reason,
                    board: own_view,
                    fault: fault.as_ref().map(|fault| ToldFault {
                        by: if fault.bot == seat { Who::You } else { Who::Opponent },
                        kind: fault.kind,
                        detail: fault.detail.clone(),
                    }),
                }),
            );
        }
        if let Some(fault) = &fault {
            players.dismiss(fault.bot);
        }
        RoundRecord {
            round: self.setup.round,
            first: self.setup.first,
            replayed: 0,
            moves: self.moves,
            result: RoundResult { reason, fault, score },
            final_board,
        }
    }
}

fn outcome(own: u8, opponents: u8) -> Outcome {
    match own.cmp(&opponents) {
        std::cmp::Ordering::Greater => Outcome::Win,
        std::cmp::Ordering::Less => Outcome::Loss,
        std::cmp::Ordering::Equal => Outcome::Draw,
    }
}
