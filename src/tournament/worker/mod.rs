//! A worker: a process that plays one match after another on processors of its own.

mod building;
mod checking;
mod logging;
mod playing;

use std::collections::VecDeque;
use std::io::{self, BufReader};
use std::num::NonZeroUsize;
use std::os::fd::AsFd;
use std::os::unix::net::UnixStream;
use std::path::Path;
use std::time::Duration;

use rustix::event::{PollFd, PollFlags, poll};

use crate::bot::{Bot, BotCommand, Interrupt};
use crate::contest::PlannedBot;
use crate::record::BotRecord;
use crate::referee::Trouble;
use crate::session::{Session, SessionError};
use crate::text;
use crate::tournament::cores;
use crate::tournament::wire::{self, Preparation, WorkerReport, WorkerRequest};

/// The longest time that a bot may take to leave after a trial.
const LEAVE: Duration = Duration::from_millis(100);

/// The most processes that a worker keeps for later matches.
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
            (WorkerRequest::Prepare(preparation), _) => {
                match Worker::new(*preparation, interrupt) {
                    Ok(prepared) => {
                        worker = Some(prepared);
                        wire::send(&socket, &WorkerReport::Ready)?;
                    }
                    Err(SessionError::Interrupted) => return Ok(()),
                    Err(SessionError::Wardens(error)) => {
                        wire::send(&socket, &WorkerReport::Cannot(error.to_string()))?;
                    }
                }
            }
            (_, None) => return Err(io::Error::other("asked before it was prepared")),
            (WorkerRequest::Build { bot, at_most }, Some(worker)) => {
                let built = worker.build(bot, at_most);
                if interrupt.is_raised() {
                    return Ok(());
                }
                wire::send(&socket, &built.report(|why| WorkerReport::Built { bot, why }))?;
            }
            (WorkerRequest::Try { bot }, Some(worker)) => {
                worker.report_reach(bot, &socket)?;
                let tried = worker.try_bot(bot);
                if interrupt.is_raised() {
                    return Ok(());
                }
                wire::send(&socket, &tried.report(|why| WorkerReport::Tried { bot, why }))?;
            }
            (WorkerRequest::Check { bot, at_most }, Some(worker)) => {
                worker.report_reach(bot, &socket)?;
                let checked = worker.check(bot, at_most);
                if interrupt.is_raised() {
                    return Ok(());
                }
                wire::send(&socket, &checked.report(|why| WorkerReport::Checked { bot, why }))?;
            }
            (WorkerRequest::Play(assignment), Some(worker)) => {
                if !worker.play(&assignment, &socket)? {
                    return Ok(());
                }
            }
        }
    }
    Ok(())
}

/// The next request; `None` if the coordinator is gone or wants this worker to stop.
fn next(
    requests: &mut BufReader<UnixStream>,
    interrupt: &Interrupt,
) -> io::Result<Option<WorkerRequest>> {
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
    let _ = rustix::process::set_parent_process_death_signal(Some(rustix::process::Signal::TERM));
}

struct Worker<'a> {
    preparation: Preparation,
    commands: Vec<BotCommand>,
    session: Session,
    interrupt: &'a Interrupt,
    kept: VecDeque<KeptBot>,
}

/// The result of a bot's build, start or check before the first match.
enum TrialResult {
    /// It may play.
    Passed,
    /// Why the bot may not play.
    Refused(String),
    /// The system failed, so the bot was not judged.
    Failed(String),
}

impl TrialResult {
    /// The report of this, made of why the bot may not play.
    fn report(self, of: impl FnOnce(Option<String>) -> WorkerReport) -> WorkerReport {
        match self {
            TrialResult::Passed => of(None),
            TrialResult::Refused(why) => of(Some(why)),
            TrialResult::Failed(why) => WorkerReport::Cannot(why),
        }
    }
}

/// A bot whose process goes on to another match.
struct KeptBot {
    place: usize,
    bot: Bot,
    matches: u32,
}

impl<'a> Worker<'a> {
    fn new(
        mut preparation: Preparation,
        interrupt: &'a Interrupt,
    ) -> Result<Worker<'a>, SessionError> {
        cores::bind_to(&preparation.cores);
        let system = |error: io::Error| SessionError::Wardens(error.into());
        std::env::set_current_dir(&preparation.folder).map_err(system)?;
        let commands: Result<Vec<BotCommand>, _> =
            preparation.bots.iter().map(PlannedBot::to_command).collect();
        let commands = commands.map_err(|error| system(io::Error::other(error.to_string())))?;
        let restraints = &mut preparation.terms.keeping;
        restraints.environment = std::mem::take(&mut preparation.environment);
        let session = Session::open(restraints.clone(), Some(interrupt))?.with_kinds_only();
        Ok(Worker { preparation, commands, session, interrupt, kept: VecDeque::new() })
    }

    /// Reports what a bot may read in the sandbox. It is built by now.
    fn report_reach(&self, place: usize, socket: &UnixStream) -> io::Result<()> {
        if self.preparation.terms.keeping.sandbox.is_none() {
            return Ok(());
        }
        let reach = self.session.bot(&self.commands[place]).reach().clone().into();
        wire::send(socket, &WorkerReport::Reach { bot: place, reach })
    }

    /// Starts a bot, to see whether that works.
    fn try_bot(&self, place: usize) -> TrialResult {
        let mut bot = self.session.bot(&self.commands[place]);
        let tried = match bot.ready() {
            Ok(_) => TrialResult::Passed,
            Err(trouble) => self.not_started(place, trouble),
        };
        let _ = bot.finish(LEAVE, Some(self.interrupt));
        tried
    }

    /// The result for a bot whose program was not started.
    fn not_started(&self, place: usize, trouble: Trouble) -> TrialResult {
        match trouble {
            Trouble::CannotStart(why) => TrialResult::Refused(why),
            Trouble::System(error) => {
                let name = text::printable(&self.preparation.bots[place].name);
                TrialResult::Failed(format!("the system fails bot \"{name}\": {error}"))
            }
            trouble => TrialResult::Failed(format!("{trouble:?}")),
        }
    }
}

impl Drop for Worker<'_> {
    fn drop(&mut self) {
        crate::bot::end_all(self.kept.drain(..).map(|kept| kept.bot));
    }
}

/// An error's text, with that of what it comes from.
fn with_source(error: &dyn std::error::Error) -> String {
    let source = error.source().map(|source| format!(": {source}")).unwrap_or_default();
    format!("{error}{source}")
}

impl PlannedBot {
    /// The bot with a command line that starts it in its folder, its variables in it.
    pub fn as_started(&self) -> BotRecord {
        let variables = self.environment.iter().map(|(name, value)| format!("{name}={value}"));
        let mut command: Vec<String> = variables.collect();
        if !command.is_empty() {
            command.insert(0, "env".to_owned());
        }
        command.extend(self.command.iter().cloned());
        BotRecord { name: self.name.clone(), command }
    }

    /// The bot as it is started.
    ///
    /// # Errors
    ///
    /// If its words do not name a program.
    pub fn to_command(&self) -> Result<BotCommand, crate::bot::CommandError> {
        let folder = self.folder.as_deref().map(Path::to_owned);
        let variables = self.environment.iter().map(|(name, value)| (name.clone(), value.clone()));
        let command = BotCommand::new(Some(self.name.clone()), self.command.clone())?;
        Ok(command.in_place(folder, variables.collect()))
    }
}
