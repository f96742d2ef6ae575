//! A match in a worker: its bots, fresh or kept from another match, its events, its report.

use std::io;
use std::num::NonZeroU64;
use std::os::unix::net::UnixStream;

use super::{KeptBot, MOST_KEPT, Worker, with_source};
use crate::record::{BotRecord, Digest, FaultRecord, MatchRecord, TournamentMatch};
use crate::referee::{Event, MatchError, MatchSetup, ROUNDS};
use crate::seat::{PerSeat, Seat};
use crate::text;
use crate::tournament::wire::{self, Assignment, WorkerReport};

impl Worker<'_> {
    /// Plays a match and reports it. False when interrupted, or when this process can do no more.
    pub(super) fn play(
        &mut self,
        assignment: &Assignment,
        socket: &UnixStream,
    ) -> io::Result<bool> {
        let PerSeat(places) = assignment.bots;
        let names = PerSeat::from_fn(|seat| self.record_of(assignment.bots[seat]));
        let told = PerSeat::from_fn(|seat| self.as_told(assignment.bots[seat], seat));
        let setup = MatchSetup {
            rules: self.preparation.rules,
            opening: assignment.opening,
            terms: self.preparation.terms.clone(),
            bots: told,
            first: Seat::A,
            rounds: ROUNDS,
        };
        let mut log = match self.open_log(assignment, &setup) {
            Ok(log) => log,
            Err(error) => return cannot_log(socket, &error),
        };
        let kept = places.map(|place| self.take(place));
        let [a, b] = kept;
        let matches = [a.matches, b.matches];
        let mut seated = self.session.seat_bots(PerSeat([a.bot, b.bot]));
        let events = self.preparation.events;
        let mut told = Ok(());
        let mut tell = |event: Event<'_>| {
            if told.is_ok() {
                told = report_event(socket, event, events);
            }
        };
        let played = self.session.play(&setup, &mut seated, log.as_mut(), &mut tell);
        told?;
        let mut record = match played {
            Ok(record) => record,
            Err(MatchError::Interrupted) => return Ok(false),
            Err(MatchError::Unfinished(why)) => {
                wire::send(socket, &WorkerReport::Unfinished(why.to_string()))?;
                return Ok(true);
            }
            Err(MatchError::CannotStart { name, why }) => {
                let bot = u8::from(name == setup.bots[Seat::B].name);
                wire::send(socket, &WorkerReport::CannotStart { bot, why })?;
                return Ok(true);
            }
            Err(error) => {
                wire::send(socket, &WorkerReport::Failed(with_source(&error)))?;
                // It may work in a new process.
                return Ok(false);
            }
        };
        record.bots = names;
        let faults = PerSeat::from_fn(|seat| {
            let faults = record.rounds.iter().map(|round| round.faults(seat)).sum::<usize>();
            u32::try_from(faults).unwrap_or(u32::MAX)
        });
        self.report(assignment, record, socket)?;
        if self.preparation.reuse.is_none() {
            seated.end();
        } else {
            let PerSeat(bots) = seated.into_bots();
            for (seat, (bot, (place, matches))) in
                Seat::BOTH.into_iter().zip(bots.into_iter().zip(places.into_iter().zip(matches)))
            {
                self.keep(KeptBot { place, bot, matches: matches + 1 }, faults[seat] > 0);
            }
        }
        match self.hand_out(assignment, faults, log) {
            Ok(()) => Ok(true),
            Err(error) => cannot_log(socket, &error),
        }
    }

    /// A bot as a record names it.
    fn record_of(&self, place: usize) -> BotRecord {
        let bot = &self.preparation.bots[place];
        BotRecord { name: bot.name.clone(), command: bot.command.clone() }
    }

    /// A bot as the two bots of a match see it.
    fn as_told(&self, place: usize, seat: Seat) -> BotRecord {
        let mut bot = self.record_of(place);
        if self.preparation.anonymous {
            bot.name = format!("bot-{}", u8::from(seat) + 1);
        }
        bot
    }

    fn report(
        &self,
        assignment: &Assignment,
        mut record: MatchRecord,
        socket: &UnixStream,
    ) -> io::Result<()> {
        let number = |number| NonZeroU64::new(number).unwrap_or(NonZeroU64::MIN);
        let rounds = record.rounds.iter();
        record.tournament = Some(TournamentMatch {
            id: self.preparation.tournament,
            number: number(assignment.number),
            opening: number(assignment.opening_number),
            games: rounds
                .map(|round| Digest::of_game(&record.rules, &record.opening, &round.moves))
                .collect(),
        });
        let mut line = Vec::with_capacity(8 * 1024);
        text::write_json(&mut line, &record)?;
        line.push(b'\n');
        let mut message = wire::line(&WorkerReport::Played { bytes: line.len() as u64 })?;
        message.append(&mut line);
        io::Write::write_all(&mut &*socket, &message)
    }

    /// The bot at that place, from an earlier match or afresh.
    fn take(&mut self, place: usize) -> KeptBot {
        let kept = self.kept.iter().position(|kept| kept.place == place);
        kept.and_then(|index| self.kept.remove(index)).unwrap_or_else(|| KeptBot {
            place,
            bot: self.session.bot(&self.commands[place]),
            matches: 0,
        })
    }

    /// Keeps a bot for another match, unless it is at fault or has played enough of them.
    fn keep(&mut self, kept: KeptBot, faulty: bool) {
        let restart_after = self.preparation.reuse.filter(|&matches| matches > 0);
        let mut leaving = Vec::new();
        if faulty || restart_after.is_some_and(|most| kept.matches >= most) {
            leaving.push(kept.bot);
        } else {
            self.kept.push_back(kept);
        }
        while self.kept.len() > MOST_KEPT.get() {
            leaving.extend(self.kept.pop_front().map(|kept| kept.bot));
        }
        crate::bot::end_all(leaving);
    }
}

/// A log that cannot be written ends the tournament: its feedback would have gaps.
fn cannot_log(socket: &UnixStream, error: &io::Error) -> io::Result<bool> {
    let why = format!("the feedback cannot be written: {error}; make room and go on with --resume");
    wire::send(socket, &WorkerReport::Cannot(why))?;
    Ok(false)
}

/// Reports a fault and, with `rounds`, the end of a round.
fn report_event(socket: &UnixStream, event: Event<'_>, rounds: bool) -> io::Result<()> {
    let report_fault = |round: u32, fault: &FaultRecord| {
        let (bot, kind) = (u8::from(fault.bot), fault.kind);
        let (detail, stderr) = (fault.detail.clone(), fault.stderr.clone());
        wire::send(socket, &WorkerReport::Fault { round, bot, kind, detail, stderr })
    };
    match event {
        Event::RoundEnded { record, .. } => {
            if let Some(fault) = &record.result.fault {
                report_fault(record.round, fault)?;
            }
            if !rounds {
                return Ok(());
            }
            let (round, first) = (record.round, u8::from(record.first));
            let (reason, score) = (record.result.reason, record.result.score);
            wire::send(socket, &WorkerReport::Round { round, first, reason, score })
        }
        Event::Substituted { round, fault, .. } => report_fault(round, fault),
        _ => Ok(()),
    }
}
