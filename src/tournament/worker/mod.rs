//! A worker: a process that plays one match after another on processors of its own.

mod building;

use std::collections::VecDeque;
use std::io::{self, BufReader};
use std::num::{NonZeroU64, NonZeroUsize};
use std::os::fd::AsFd;
use std::os::unix::net::UnixStream;
use std::path::Path;
use std::time::Duration;

use rustix::event::{PollFd, PollFlags, poll};

use crate::bot::{Bot, BotCommand, Interrupt, Restraints};
use crate::record::{BotRecord, Digest, MatchRecord, TournamentMatch};
use crate::referee::{Event, MatchError, MatchSetup, ROUNDS, Trouble};
use crate::seat::{PerSeat, Seat};
use crate::session::{Session, SessionError};
use crate::text;
use crate::tournament::cores;
use crate::tournament::plan::PlannedBot;
use crate::tournament::summary::MatchSummary;
use crate::tournament::wire::{self, Assignment, Preparation, Report, Request};

/// How long a bot that was only tried may take to leave.
const LEAVE: Duration = Duration::from_millis(100);

/// Most processes that a worker keeps for other matches.
const MOST_KEPT: NonZeroUsize = NonZeroUsize::new(16).unwrap();

/// Serves the coordinator at the other end of stdin until that end is closed, or the interrupt.
///
/// # Errors
///
/// When stdin is not a coordinator's, or the system fails.
pub fn work(interrupt: &Interrupt) -> io::Result<()> {
    end_with_parent();
    let socket = UnixStream::from(io::stdin().as_fd().try_clone_to_owned()?);
    let mut requests = BufReader::new(socket.try_clone()?);
    let mut worker = None;
    while let Some(request) = next(&mut requests, interrupt)? {
        match (request, &mut worker) {
            (Request::Prepare(preparation), _) => match Worker::new(*preparation, interrupt) {
                Ok(prepared) => {
                    worker = Some(prepared);
                    wire::send(&socket, &Report::Ready)?;
                }
                Err(SessionError::Interrupted) => return Ok(()),
                Err(SessionError::Wardens(error)) => {
                    wire::send(&socket, &Report::Cannot(error.to_string()))?;
                }
            },
            (_, None) => return Err(io::Error::other("asked before it was prepared")),
            (Request::Build { bot, at_most }, Some(worker)) => {
                let why = worker.build(bot, at_most).err();
                if interrupt.is_raised() {
                    return Ok(());
                }
                wire::send(&socket, &Report::Built { bot, why })?;
            }
            (Request::Try { bot }, Some(worker)) => {
                let why = worker.try_bot(bot);
                wire::send(&socket, &Report::Tried { bot, why })?;
            }
            (Request::Play(assignment), Some(worker)) => {
                if !worker.play(&assignment, &socket)? {
                    return Ok(());
                }
            }
        }
    }
    Ok(())
}

/// The next request; none when the coordinator is gone or wants this worker to stop.
fn next(
    requests: &mut BufReader<UnixStream>,
    interrupt: &Interrupt,
) -> io::Result<Option<Request>> {
    loop {
        if interrupt.is_raised() {
            return Ok(None);
        }
        if !requests.buffer().is_empty() {
            return wire::receive(requests);
        }
        let socket = requests.get_ref().as_fd();
        let mut waited_for = [
            PollFd::from_borrowed_fd(socket, PollFlags::IN),
            PollFd::from_borrowed_fd(interrupt.as_fd(), PollFlags::IN),
        ];
        match poll(&mut waited_for, None) {
            Ok(_) | Err(rustix::io::Errno::INTR) => {}
            Err(error) => return Err(error.into()),
        }
        if !waited_for[0].revents().is_empty() && !interrupt.is_raised() {
            return wire::receive(requests);
        }
    }
}

/// Has this process interrupted when the coordinator is killed, so that its bots end with it.
fn end_with_parent() {
    #[cfg(target_os = "linux")]
    let _ = rustix::process::set_parent_process_death_signal(Some(rustix::process::Signal::TERM));
}

struct Worker<'a> {
    preparation: Preparation,
    commands: Vec<BotCommand>,
    session: Session,
    interrupt: &'a Interrupt,
    kept: VecDeque<Kept>,
}

/// A bot whose process goes on to another match.
struct Kept {
    place: usize,
    bot: Bot,
    matches: u32,
}

impl<'a> Worker<'a> {
    fn new(preparation: Preparation, interrupt: &'a Interrupt) -> Result<Worker<'a>, SessionError> {
        cores::bind_to(&preparation.cores);
        let system = |error: io::Error| SessionError::Wardens(error.into());
        std::env::set_current_dir(&preparation.folder).map_err(system)?;
        let commands: Result<Vec<BotCommand>, _> =
            preparation.bots.iter().map(PlannedBot::to_command).collect();
        let commands = commands.map_err(|error| system(io::Error::other(error.to_string())))?;
        let restraints = Restraints {
            environment: preparation.environment.clone(),
            ..preparation.terms.keeping.clone()
        };
        let session = Session::open(restraints, Some(interrupt))?;
        Ok(Worker { preparation, commands, session, interrupt, kept: VecDeque::new() })
    }

    /// Starts a bot, and says why that does not work, if it does not.
    fn try_bot(&self, place: usize) -> Option<String> {
        let mut bot = self.session.bot(&self.commands[place]);
        let refused = bot.ready().err().map(words_of);
        let _ = bot.finish(LEAVE, Some(self.interrupt));
        refused
    }

    /// Plays a match and reports it. False when interrupted, or when this process can do no more.
    fn play(&mut self, assignment: &Assignment, socket: &UnixStream) -> io::Result<bool> {
        let PerSeat(places) = assignment.bots;
        let bots = &self.preparation.bots;
        let record_of = |place: usize| BotRecord {
            name: bots[place].name.clone(),
            command: bots[place].command.clone(),
        };
        let setup = MatchSetup {
            rules: self.preparation.rules,
            opening: assignment.opening,
            terms: self.preparation.terms.clone(),
            bots: PerSeat(places.map(record_of)),
            first: Seat::A,
            rounds: ROUNDS,
        };
        let kept = places.map(|place| self.take(place));
        let [a, b] = kept;
        let matches = [a.matches, b.matches];
        let mut seated = self.session.seat_bots(PerSeat([a.bot, b.bot]));
        let events = self.preparation.events;
        let mut told = Ok(());
        let mut tell = |event: Event<'_>| {
            if events && told.is_ok() {
                told = tell_event(socket, event);
            }
        };
        let played = self.session.play(&setup, &mut seated, None, &mut tell);
        told?;
        let record = match played {
            Ok(record) => record,
            Err(MatchError::Interrupted) => return Ok(false),
            Err(MatchError::Unfinished(why)) => {
                wire::send(socket, &Report::Unfinished(why.to_string()))?;
                return Ok(true);
            }
            Err(MatchError::CannotStart { name, why }) => {
                let bot = u8::from(name == setup.bots[Seat::B].name);
                wire::send(socket, &Report::CannotStart { bot, why })?;
                return Ok(true);
            }
            Err(error) => {
                let source = std::error::Error::source(&error);
                let source = source.map(|source| format!(": {source}")).unwrap_or_default();
                wire::send(socket, &Report::Failed(format!("{error}{source}")))?;
                // What failed here may do better in a process that begins anew.
                return Ok(false);
            }
        };
        let faulty = MatchSummary::of(assignment.number, &record).faults;
        self.report(assignment, record, socket)?;
        if self.preparation.reuse.is_none() {
            seated.end();
            return Ok(true);
        }
        let PerSeat(bots) = seated.into_bots();
        for (seat, (bot, (place, matches))) in
            Seat::BOTH.into_iter().zip(bots.into_iter().zip(places.into_iter().zip(matches)))
        {
            self.keep(Kept { place, bot, matches: matches + 1 }, faulty[seat] > 0);
        }
        Ok(true)
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
        let summary = MatchSummary::of(assignment.number, &record);
        let mut line = Vec::with_capacity(8 * 1024);
        text::write_json(&mut line, &record)?;
        line.push(b'\n');
        let mut message = wire::line(&Report::Played { summary, bytes: line.len() as u64 })?;
        message.append(&mut line);
        io::Write::write_all(&mut &*socket, &message)
    }

    /// The bot at that place, from an earlier match or afresh.
    fn take(&mut self, place: usize) -> Kept {
        let kept = self.kept.iter().position(|kept| kept.place == place);
        kept.and_then(|index| self.kept.remove(index)).unwrap_or_else(|| Kept {
            place,
            bot: self.session.bot(&self.commands[place]),
            matches: 0,
        })
    }

    /// Keeps a bot for another match, unless it is at fault or has played enough of them.
    fn keep(&mut self, kept: Kept, faulty: bool) {
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

impl Drop for Worker<'_> {
    fn drop(&mut self) {
        crate::bot::end_all(self.kept.drain(..).map(|kept| kept.bot));
    }
}

fn tell_event(socket: &UnixStream, event: Event<'_>) -> io::Result<()> {
    match event {
        Event::RoundEnded { record, .. } => {
            if let Some(fault) = &record.result.fault {
                let (round, bot) = (record.round, u8::from(fault.bot));
                let detail = fault.detail.clone();
                wire::send(socket, &Report::Fault { round, bot, kind: fault.kind, detail })?;
            }
            let (round, first) = (record.round, u8::from(record.first));
            let (reason, score) = (record.result.reason, record.result.score);
            wire::send(socket, &Report::Round { round, first, reason, score })
        }
        Event::Substituted { round, seat, fault, .. } => {
            let (bot, kind, detail) = (u8::from(seat), fault.kind, fault.detail.clone());
            wire::send(socket, &Report::Fault { round, bot, kind, detail })
        }
        _ => Ok(()),
    }
}

fn words_of(trouble: Trouble) -> String {
    match trouble {
        Trouble::CannotStart(why) => why,
        Trouble::System(error) => error.to_string(),
        trouble => format!("{trouble:?}"),
    }
}

impl PlannedBot {
    /// The bot as it is started.
    ///
    /// # Errors
    ///
    /// When its words are no command, which a plan's words are.
    pub fn to_command(&self) -> Result<BotCommand, crate::bot::CommandError> {
        let folder = self.folder.as_deref().map(Path::to_owned);
        let variables = self.environment.iter().map(|(name, value)| (name.clone(), value.clone()));
        let command = BotCommand::new(Some(self.name.clone()), self.command.clone())?;
        Ok(command.in_place(folder, variables.collect()))
    }
}
