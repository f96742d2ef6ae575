//! One round, from `start` to `end`.

use std::time::Duration;

use super::bot_round::{BotRound, PlayedTurn, Stop};
use super::ending::{conclude, end_message, seat_of};
use super::event::Event;
use super::fault::Fault;
use super::moves::Moves;
use super::players::{Players, Trouble};
use super::policy::{Substitutes, play_for};
use super::setup::{MatchSetup, starter};
use crate::record::RoundRecord;
use crate::rules::{Game, Side};
use crate::seat::{PerSeat, Seat};

pub(super) enum RoundOutcome {
    Played(RoundRecord),
    /// The machine was late: nothing of the round counts.
    Void {
        late_by: Duration,
    },
    /// Neither program can be started, for these reasons: nothing of the round counts.
    NeitherStarts(PerSeat<String>),
}

/// Plays a round. `fresh` says, and keeps, whose process has yet to give its first answer.
pub(super) fn play_round(
    setup: &MatchSetup,
    round: u32,
    players: &mut dyn Players,
    fresh: &mut PerSeat<bool>,
    emit: &mut dyn FnMut(Event<'_>),
) -> Result<RoundOutcome, (Seat, Trouble)> {
    let first = starter(setup.first, round);
    emit(Event::RoundBegan { round, first, board: setup.opening.board() });
    let mut not_started = PerSeat::default();
    for seat in Seat::BOTH {
        match players.ready(seat) {
            Ok(started) => fresh[seat] |= started,
            Err(Trouble::CannotStart(why)) => not_started[seat] = Some(why),
            Err(trouble) => return Err((seat, trouble)),
        }
    }
    let not_started = match not_started {
        // A forfeit of one would be as wrong as a forfeit of the other.
        PerSeat([Some(a), Some(b)]) => return Ok(RoundOutcome::NeitherStarts(PerSeat([a, b]))),
        PerSeat([Some(a), None]) => Some((Seat::A, Fault::start_failed(&a))),
        PerSeat([None, Some(b)]) => Some((Seat::B, Fault::start_failed(&b))),
        PerSeat([None, None]) => None,
    };
    let mut running = RoundInPlay::new(setup, round, fresh);
    for seat in Seat::BOTH {
        players.send(seat, &running.bot_rounds[seat].start(setup));
    }
    if not_started.is_some() {
        return Ok(RoundOutcome::Played(running.ended(not_started, players)));
    }
    while running.game.ending().is_none() {
        let seat = seat_of(running.game.mover(), first);
        match running.take_turn(seat, players, fresh) {
            Ok(played) => emit(running.moved(seat, played)),
            Err(Stop::RefereeLate { late_by }) => return Ok(RoundOutcome::Void { late_by }),
            Err(Stop::Fault(fault)) => {
                let Ok(count) = running.substitutes.count(seat, fault.kind) else {
                    let fault = Some((seat, fault));
                    return Ok(RoundOutcome::Played(running.ended(fault, players)));
                };
                running.substitute(seat, fault, count, players, emit);
            }
            Err(Stop::Trouble(trouble)) => return Err((seat, trouble)),
        }
    }
    Ok(RoundOutcome::Played(running.ended(None, players)))
}

/// A round that is being played.
struct RoundInPlay<'a> {
    setup: &'a MatchSetup,
    round: u32,
    game: Game,
    moves: Moves,
    bot_rounds: PerSeat<BotRound>,
    substitutes: Substitutes,
}

impl RoundInPlay<'_> {
    fn new<'a>(setup: &'a MatchSetup, round: u32, fresh: &PerSeat<bool>) -> RoundInPlay<'a> {
        let first = starter(setup.first, round);
        RoundInPlay {
            setup,
            round,
            game: Game::new(setup.rules, setup.opening, setup.terms.max_moves)
                .adjudicated(setup.terms.adjudicate),
            moves: Moves::default(),
            bot_rounds: PerSeat::from_fn(|seat| {
                BotRound::new(setup.terms.time, round, first, seat, fresh[seat])
            }),
            substitutes: Substitutes::new(setup.terms.faults),
        }
    }

    /// Asks a bot to move; one that was stopped is started again first.
    fn take_turn(
        &mut self,
        seat: Seat,
        players: &mut dyn Players,
        fresh: &mut PerSeat<bool>,
    ) -> Result<PlayedTurn, Stop> {
        let bot_round = &mut self.bot_rounds[seat];
        if !bot_round.in_step {
            fresh[seat] |= players.ready(seat).map_err(|trouble| match trouble {
                Trouble::CannotStart(why) => Stop::Fault(Fault::start_failed(&why)),
                trouble => Stop::Trouble(trouble),
            })?;
            bot_round.begin_again(self.moves.as_slice());
            players.send(seat, &bot_round.start(self.setup));
        }
        bot_round.take_turn(self.setup, &mut self.game, |question, late_after| {
            let answer = players.ask(seat, question, late_after)?;
            fresh[seat] = false;
            Ok(answer)
        })
    }

    /// Plays for a bot at fault, and stops it if it cannot be asked again as it is.
    fn substitute(
        &mut self,
        seat: Seat,
        fault: Fault,
        count: u32,
        players: &mut dyn Players,
        emit: &mut dyn FnMut(Event<'_>),
    ) {
        let stderr = players.stderr_tail(seat);
        let is_first = !self.moves.has_substitute_for(seat, fault.kind);
        let kept = if is_first { stderr.clone() } else { String::new() };
        let record = fault.clone().into_record(seat, self.game.board(), stderr);
        let of = self.substitutes.max;
        emit(Event::Substituted { round: self.round, seat, fault: &record, count, of });
        if !self.bot_rounds[seat].in_step {
            players.stop(seat);
        }
        let played =
            play_for(&mut self.game, fault, kept).expect("a round that goes on has a move");
        emit(self.moved(seat, played));
    }

    /// Records a move, and adds it to what both bots are told next.
    fn moved(&mut self, seat: Seat, played: PlayedTurn) -> Event<'static> {
        let PlayedTurn { ply, sown, time, info, substitute } = played;
        let record = self.moves.push(self.game.rules(), seat, ply, time, info);
        record.fresh = self.bot_rounds[seat].was_fresh();
        record.substitute = substitute;
        for seat in Seat::BOTH {
            self.bot_rounds[seat].note(record);
        }
        Event::Moved {
            round: self.round,
            number: self.game.moves(),
            seat,
            ply,
            sown,
            time,
            board: self.game.board_of(Side::First),
        }
    }

    /// Ends the round: by its rules, or by the fault of a bot, which is told and then stopped.
    fn ended(self, fault: Option<(Seat, Fault)>, players: &mut dyn Players) -> RoundRecord {
        let fault = fault.map(|(bot, fault)| (bot, fault, players.stderr_tail(bot)));
        let first = starter(self.setup.first, self.round);
        let record = conclude(&self.game, self.round, first, self.moves, fault);
        for seat in Seat::BOTH {
            players.send(seat, &end_message(&record, seat, self.setup.hides_details));
        }
        if let Some(fault) = &record.result.fault {
            players.stop(fault.bot);
        }
        record
    }
}
