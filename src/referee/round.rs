//! One round, from `start` to `end`.

use std::time::Duration;

use super::contest::Contest;
use super::ending::{conclude, end_message};
use super::event::Event;
use super::fault::Fault;
use super::moves::Moves;
use super::players::{Players, Trouble};
use super::talk::{Played, Stop, Talk};
use crate::record::RoundRecord;
use crate::rules::{Game, Side};
use crate::seat::{PerSeat, Seat};

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
    let &RoundSetup { contest, round, first, .. } = setup;
    let game = Game::new(contest.rules, contest.opening, contest.limits.max_moves);
    let mut running = Running { setup, game, moves: Moves::default() };
    emit(Event::RoundBegan { round, first, board: contest.opening.board() });
    let mut not_started = None;
    for seat in Seat::BOTH {
        match players.ready(seat) {
            Ok(started) => fresh[seat] |= started,
            Err(Trouble::CannotStart(why)) => {
                not_started.get_or_insert((seat, Fault::start_failed(why)));
            }
            Err(trouble) => return Err((seat, trouble)),
        }
    }
    let mut talks = PerSeat::from_fn(|seat| Talk::new(contest, round, first, seat, fresh[seat]));
    for seat in Seat::BOTH {
        players.tell(seat, &talks[seat].start(contest));
    }
    if not_started.is_some() {
        return Ok(RoundOutcome::Played(running.ended(not_started, players)));
    }
    while running.game.ending().is_none() {
        let seat = running.to_move();
        let played = talks[seat].take_turn(contest, &mut running.game, |question, late_after| {
            players.ask(seat, question, late_after)
        });
        match played {
            Ok(played) => {
                fresh[seat] = false;
                emit(running.moved(seat, &mut talks, played));
            }
            Err(Stop::Starved { late_by, .. }) if setup.may_be_void => {
                return Ok(RoundOutcome::Void { late_by });
            }
            Err(Stop::Fault(fault) | Stop::Starved { otherwise: fault, .. }) => {
                return Ok(RoundOutcome::Played(running.ended(Some((seat, fault)), players)));
            }
            Err(Stop::Trouble(trouble)) => return Err((seat, trouble)),
        }
    }
    Ok(RoundOutcome::Played(running.ended(None, players)))
}

/// A round that goes on.
struct Running<'a> {
    setup: &'a RoundSetup<'a>,
    game: Game,
    moves: Moves,
}

impl Running<'_> {
    fn to_move(&self) -> Seat {
        match self.game.mover() {
            Side::First => self.setup.first,
            Side::Second => !self.setup.first,
        }
    }

    /// Puts a move on the record and both bots' lists of what they are told next.
    fn moved(&mut self, seat: Seat, talks: &mut PerSeat<Talk>, played: Played) -> Event<'static> {
        let Played { ply, sown, time, info } = played;
        let record = self.moves.push(self.game.rules(), seat, ply, time, info);
        for seat in Seat::BOTH {
            talks[seat].note(record);
        }
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
        let fault = fault.map(|(bot, fault)| (bot, fault, players.stderr_tail(bot)));
        let &RoundSetup { round, first, .. } = self.setup;
        let record = conclude(&self.game, round, first, self.moves, fault);
        for seat in Seat::BOTH {
            players.tell(seat, &end_message(&record, seat));
        }
        if let Some(fault) = &record.result.fault {
            players.dismiss(fault.bot);
        }
        record
    }
}
