//! A match in a worker: its bots, fresh or kept from another match, its events, its report, its logs
//! for the authors of the bots.

use std::num::NonZeroU64;
use std::os::unix::net::UnixStream;
use std::{fs, io};

use super::round_reports::RoundReports;
use super::{KeptBot, MOST_KEPT, Worker, with_source};
use crate::bot::{Bot, SeatedBots, is_out_of_processes};
use crate::contest::Fixture;
use crate::log::{Log, LogIdentity};
use crate::record::{BotRecord, Digest, MatchRecord, TournamentMatch, advice_on};
use crate::referee::{Event, MatchError, MatchSetup, ROUNDS};
use crate::seat::{PerSeat, Seat};
use crate::session;
use crate::tournament::logs::{LogPlaces, bot_log_files};
use crate::tournament::versions::ChangedFile;
use crate::tournament::workers::wire::{self, Assignment, Preparation, WorkerReport};

impl Worker<'_> {
    /// Plays a match and reports it. False when interrupted, or when this process can do no more.
    pub(super) fn play(
        &mut self,
        assignment: &Assignment,
        socket: &UnixStream,
    ) -> io::Result<bool> {
        let places = assignment.fixture.bots;
        if let Some(changed) = self.changed(places) {
            wire::send(socket, &changed)?;
            return Ok(true);
        }
        let setup = MatchSetup {
            rules: self.preparation.plan.rules,
            opening: assignment.opening,
            terms: self.preparation.plan.terms.clone(),
            bots: PerSeat::from_fn(|seat| self.as_told(places[seat], seat)),
            first: Seat::A,
            rounds: ROUNDS,
            hides_details: true,
        };
        let mut log = match self.open_log(assignment, &setup) {
            Ok(log) => log,
            Err(error) => return cannot_log(socket, &error),
        };
        let [a, b] = places.0.map(|place| self.take(place));
        let matches = [a.matches, b.matches];
        let mut seated = SeatedBots::new(PerSeat([a.bot, b.bot]), &self.wardens);
        let mut reports = RoundReports::new(self.preparation.events);
        let mut reported = Ok(());
        // A match of a bot that has changed does not count, unless the bot is as before at its end.
        let is_changed = || places.0.into_iter().any(|bot| self.changed_file(bot).is_some());
        let mut withheld = Vec::new();
        let mut report = |event: Event<'_>| {
            // A round may have many faults.
            let mut changed = None;
            for report in reports.after(event) {
                let is_fault = matches!(report, WorkerReport::Fault { .. });
                if is_fault && *changed.get_or_insert_with(is_changed) {
                    withheld.push(report);
                } else if reported.is_ok() {
                    reported = wire::send(socket, &report);
                }
            }
        };
        let played = session::play(&setup, &mut seated, log.as_mut(), &mut report);
        reported?;
        let mut record = match played {
            Ok(record) => record,
            Err(MatchError::Interrupted) => return Ok(false),
            Err(MatchError::Unfinished(why)) => {
                wire::send(socket, &WorkerReport::Unfinished(why))?;
                return Ok(true);
            }
            Err(MatchError::CannotStart { name, why }) => {
                let bot = if name == setup.bots[Seat::A].name { Seat::A } else { Seat::B };
                let report = self.changed(places);
                let report = report.unwrap_or(WorkerReport::CannotStart { bot, why });
                wire::send(socket, &report)?;
                return Ok(true);
            }
            Err(MatchError::System { source, .. }) if is_out_of_processes(&source) => {
                wire::send(socket, &WorkerReport::NoProcesses(source.to_string()))?;
                return Ok(false);
            }
            Err(error) => {
                wire::send(socket, &WorkerReport::Failed(with_source(&error)))?;
                // It may work in a new process.
                return Ok(false);
            }
        };
        if let Some(changed) = self.changed(places) {
            // Its processes are of the old files, or of the new ones: nobody knows.
            seated.end();
            wire::send(socket, &changed)?;
            return Ok(true);
        }
        for fault in &withheld {
            wire::send(socket, fault)?;
        }
        record.bots = PerSeat::from_fn(|seat| self.record_of(places[seat]));
        record.tournament = Some(self.place_of(assignment, &record));
        let faults = PerSeat::from_fn(|seat| {
            let faults = record.rounds.iter().map(|round| round.faults(seat)).sum::<usize>();
            u32::try_from(faults).unwrap_or(u32::MAX)
        });
        let left_its_cores = seated.left_its_cores();
        for bot in Seat::BOTH.into_iter().filter(|&bot| left_its_cores[bot]) {
            wire::send(socket, &WorkerReport::LeftItsCores { bot })?;
        }
        let log = log.zip(LogIdentity::of(&record));
        report_record(&record, socket)?;
        if self.preparation.plan.reuse_bots.is_none() {
            seated.end();
        } else {
            let PerSeat(bots) = seated.into_bots();
            for (seat, (bot, matches)) in Seat::BOTH.into_iter().zip(bots.into_iter().zip(matches))
            {
                let kept = KeptBot { place: places[seat], bot, matches: matches + 1 };
                self.keep(kept, faults[seat] > 0);
            }
        }
        match self.hand_out(assignment, faults, log) {
            Ok(()) => Ok(true),
            Err(error) => cannot_log(socket, &error),
        }
    }

    /// The report on a bot whose files make another version of it by now, if there is one.
    fn changed(&mut self, places: PerSeat<usize>) -> Option<WorkerReport> {
        let Preparation { plan, versions, .. } = &mut self.preparation;
        places.0.into_iter().find_map(|bot| {
            let file = versions.get_mut(bot)?.change(&plan.bots[bot], &self.folder)?;
            Some(WorkerReport::Changed { bot, file })
        })
    }

    /// A file that makes another version of a bot than the planned one.
    pub(super) fn changed_file(&self, place: usize) -> Option<ChangedFile> {
        let mut version = self.preparation.versions.get(place)?.clone();
        version.change(&self.preparation.plan.bots[place], &self.folder)
    }

    /// A bot as a record names it.
    fn record_of(&self, place: usize) -> BotRecord {
        let Preparation { plan, versions, .. } = &self.preparation;
        let bot = &plan.bots[place];
        BotRecord {
            name: bot.name.clone(),
            command: bot.command.clone(),
            version: versions.get(place).map(|version| version.digest),
        }
    }

    /// A bot as the two bots of a match see it.
    fn as_told(&self, place: usize, seat: Seat) -> BotRecord {
        let mut bot = self.record_of(place);
        if self.preparation.plan.anonymous {
            bot.name = format!("bot-{}", u8::from(seat) + 1);
        }
        bot
    }

    fn place_of(&self, assignment: &Assignment, record: &MatchRecord) -> TournamentMatch {
        let number = |number| NonZeroU64::new(number).unwrap_or(NonZeroU64::MIN);
        let rounds = record.rounds.iter();
        TournamentMatch {
            id: self.preparation.tournament,
            number: number(assignment.fixture.number),
            opening: number(assignment.fixture.opening),
            games: rounds
                .map(|round| Digest::of_game(&record.rules, &record.opening, &round.moves))
                .collect(),
        }
    }

    /// The bot at `place`, from an earlier match or afresh.
    fn take(&mut self, place: usize) -> KeptBot {
        let kept = self.kept.iter().position(|kept| kept.place == place);
        if let Some(kept) = kept.and_then(|index| self.kept.remove(index)) {
            return kept;
        }
        // Another worker may have tried it, and its build made what its command names.
        self.close_what_is_not_its_own(place);
        KeptBot { place, bot: Bot::new(&self.commands[place], &self.wardens), matches: 0 }
    }

    /// Keeps a bot for another match, unless it is at fault or has played enough of them.
    fn keep(&mut self, kept: KeptBot, faulty: bool) {
        let restart_after = self.preparation.plan.reuse_bots.and_then(|reuse| reuse.restart_after);
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

fn report_record(record: &MatchRecord, socket: &UnixStream) -> io::Result<()> {
    let mut line = Vec::with_capacity(8 * 1024);
    record.write_line(&mut line)?;
    let mut message = wire::line(&WorkerReport::Played { bytes: line.len() as u64 })?;
    message.append(&mut line);
    io::Write::write_all(&mut &*socket, &message)
}

/// A log that cannot be written ends the tournament: its feedback would have gaps.
fn cannot_log(socket: &UnixStream, error: &io::Error) -> io::Result<bool> {
    let advice = advice_on(error).map(|advice| format!("{advice} and ")).unwrap_or_default();
    let why = format!("the log cannot be written: {error}; {advice}go on with --resume");
    wire::send(socket, &WorkerReport::Cannot(why))?;
    Ok(false)
}

impl Worker<'_> {
    /// The log of a match, where somebody may want it.
    fn open_log(&self, assignment: &Assignment, setup: &MatchSetup) -> io::Result<Option<Log>> {
        let number = assignment.fixture.number;
        let place = self.preparation.logs.playing(number, assignment.logs);
        let Some(place) = place else { return Ok(None) };
        // A worker that died may have left one.
        if place.exists() {
            fs::remove_dir_all(&place)?;
        }
        Log::create(&place, setup).map(Some)
    }

    /// Hands each bot its side of a log, if it wants it, and keeps the whole if all are kept.
    fn hand_out(
        &self,
        assignment: &Assignment,
        faults: PerSeat<u32>,
        log: Option<(Log, LogIdentity)>,
    ) -> io::Result<()> {
        let Some((log, identity)) = log else { return Ok(()) };
        let Fixture { number, bots, .. } = assignment.fixture;
        let LogPlaces { of_bots, of_matches } = &self.preparation.logs;
        let mut sides = Vec::new();
        for seat in Seat::BOTH {
            let bot = &self.preparation.plan.bots[bots[seat]];
            let mut add = |folder| sides.push((seat, bot_log_files(bot, folder)));
            if let Some((folders, wanted)) = of_bots.as_ref().zip(assignment.logs)
                && wanted[seat].keeps(faults[seat])
            {
                add(folders.of_match(bots[seat], number));
            }
            if let Some(logs) = of_matches {
                add(logs.of_match(number));
            }
        }
        log.hand_out(&identity, &sides)?;
        self.preparation.logs.playing(number, assignment.logs).map_or(Ok(()), fs::remove_dir)
    }
}
