//! A worker: a process that plays one match after another on processors of its own.

mod build_files;
mod building;
mod checking;
mod compiler_output;
mod playing;
mod round_reports;

use std::cell::Cell;
use std::collections::{BTreeSet, VecDeque};
use std::fmt;
use std::io::{self, BufReader};
use std::num::NonZeroUsize;
use std::os::fd::AsFd;
use std::os::unix::net::UnixStream;
use std::path::{Path, PathBuf};
use std::time::Duration;

use serde::de::DeserializeOwned;

use crate::bot::{
    self, Bot, BotCommand, Interrupt, WardenError, Wardens, is_out_of_processes, wait_for,
};
use crate::contest::PlannedBot;
use crate::record::{DisqualifiedFor, NOT_BUILT, NOT_STARTED};
use crate::referee::Trouble;
use crate::text;
use crate::tournament::build_places::{PathOwners, PathUse};
use crate::tournament::cores;
use crate::tournament::workers::wire::{self, BotTrial, Preparation, WorkerReport, WorkerRequest};

/// The longest time that a bot may take to leave after a trial.
const LEAVE: Duration = Duration::from_millis(100);

/// The most processes that a worker keeps for later matches.
const MOST_KEPT: NonZeroUsize = NonZeroUsize::new(16).unwrap();

/// Serves the coordinator at the other end of stdin until that end is closed, or the interrupt.
///
/// # Errors
///
/// When stdin is not a coordinator's, or the system fails.
pub(crate) fn work(interrupt: &Interrupt) -> io::Result<()> {
    end_with_parent();
    let socket = UnixStream::from(io::stdin().as_fd().try_clone_to_owned()?);
    let mut input = BufReader::new(socket.try_clone()?);
    let Some(preparation) = next(&mut input, interrupt)? else { return Ok(()) };
    let mut worker = match Worker::new(preparation, interrupt) {
        Ok(worker) => worker,
        Err(WardenError::Interrupted) => return Ok(()),
        Err(error) => {
            let report = failed(error.to_string(), error.is_out_of_processes());
            return wire::send(&socket, &report);
        }
    };
    wire::send(&socket, &WorkerReport::Ready)?;
    while let Some(request) = next(&mut input, interrupt)? {
        let goes_on = match request {
            WorkerRequest::Try { bot, trial, made } => {
                worker.leave_out([(bot, made)]);
                worker.try_bot(bot, trial, &socket)?
            }
            WorkerRequest::Play(mut assignment) => {
                let made = std::mem::take(&mut assignment.made);
                worker.leave_out(assignment.fixture.bots.0.into_iter().zip(made.0));
                worker.play(&assignment, &socket)?
            }
        };
        if !goes_on {
            break;
        }
    }
    Ok(())
}

/// The coordinator's next message; `None` if it is gone or wants this worker to stop.
fn next<T: DeserializeOwned>(
    input: &mut BufReader<UnixStream>,
    interrupt: &Interrupt,
) -> io::Result<Option<T>> {
    while !interrupt.is_raised() {
        let sources = [Some(bot::input(input.get_ref())), Some(bot::input(interrupt))];
        let has_come = !input.buffer().is_empty() || wait_for(sources, Duration::MAX)?[0];
        if has_come && !interrupt.is_raised() {
            return wire::receive(input);
        }
    }
    Ok(None)
}

/// Has this process interrupted when the coordinator is killed, so that its bots end with it.
fn end_with_parent() {
    let _ = rustix::process::set_parent_process_death_signal(Some(rustix::process::Signal::TERM));
}

struct Worker<'a> {
    preparation: Preparation,
    /// What the bots' paths are relative to.
    folder: PathBuf,
    commands: Vec<BotCommand>,
    wardens: Wardens,
    interrupt: &'a Interrupt,
    kept: VecDeque<KeptBot>,
    /// Whose the files are, in the sandbox.
    owners: Option<PathOwners>,
    /// What the last trial's build or check said that did not succeed.
    output: Cell<Option<String>>,
    /// What the last trial's build has made that the bot's files would have.
    made: BTreeSet<String>,
}

/// What came of a bot's trial: nothing against it, or the report that ends the trial.
type Tried = Result<(), WorkerReport>;

/// The report that the bot may not play.
fn refused(cause: DisqualifiedFor, why: impl fmt::Display) -> WorkerReport {
    let what = match cause {
        DisqualifiedFor::NotBuilt => NOT_BUILT,
        _ => NOT_STARTED,
    };
    WorkerReport::Tried(Some((cause, format!("{what}: {why}"))))
}

/// The report that the system failed, so that the bot was not judged.
fn failed(why: String, is_out_of_processes: bool) -> WorkerReport {
    if is_out_of_processes { WorkerReport::NoProcesses(why) } else { WorkerReport::Cannot(why) }
}

/// A bot whose process goes on to another match.
struct KeptBot {
    place: usize,
    bot: Bot,
    matches: u32,
}

impl<'a> Worker<'a> {
    fn new(preparation: Preparation, interrupt: &'a Interrupt) -> Result<Worker<'a>, WardenError> {
        cores::bind_to(&preparation.cores);
        std::env::set_current_dir(&preparation.folder)?;
        let plan = &preparation.plan;
        let commands: Result<Vec<BotCommand>, _> = plan.bots.iter().map(to_command).collect();
        let commands = commands.map_err(|error| io::Error::other(error.to_string()))?;
        let wardens = Wardens::new(plan.terms.keeping.clone(), Some(interrupt))?;
        let kept = VecDeque::new();
        let owners = plan.terms.keeping.sandbox.is_some().then(|| {
            let outputs: Vec<PathBuf> = preparation.outputs.iter().map(PathBuf::from).collect();
            PathOwners::new(&plan.bots, Path::new(&preparation.folder), &outputs)
        });
        let folder = PathBuf::from(&preparation.folder);
        let (output, made) = (Cell::default(), BTreeSet::new());
        Ok(Worker { preparation, folder, commands, wardens, interrupt, kept, owners, output, made })
    }

    /// Leaves what builds have made out of these bots.
    fn leave_out(&mut self, made: impl IntoIterator<Item = (usize, BTreeSet<String>)>) {
        for (bot, made) in made {
            if let Some(version) = self.preparation.versions.get_mut(bot) {
                version.leave_out(made);
            }
        }
    }

    /// Tries a bot and reports it. False when interrupted.
    fn try_bot(&mut self, place: usize, trial: BotTrial, socket: &UnixStream) -> io::Result<bool> {
        self.output.set(None);
        let is_built = !matches!(trial, BotTrial::Build(_));
        if is_built && self.preparation.plan.terms.keeping.sandbox.is_some() {
            self.close_what_is_not_its_own(place);
            let reach = self.commands[place].reach.as_deref().cloned().unwrap_or_default();
            wire::send(socket, &WorkerReport::Reach(reach))?;
        }
        let tried = self.unless_changed(place, Ok(())).and_then(|()| match trial {
            BotTrial::Build(at_most) => self.build(place, at_most),
            BotTrial::Start | BotTrial::Check(_) => {
                let mut tried = self.refuse_link(place, PathUse::Play);
                if tried.is_ok() {
                    tried = match trial {
                        BotTrial::Check(at_most) => self.check(place, at_most),
                        _ => self.start(place),
                    };
                }
                self.unless_changed(place, tried)
            }
        });
        if self.interrupt.is_raised() {
            return Ok(false);
        }
        let made = std::mem::take(&mut self.made);
        if !made.is_empty() {
            wire::send(socket, &WorkerReport::Made(made))?;
        }
        if let Some(output) = self.output.take().filter(|_| tried.is_err()) {
            wire::send(socket, &WorkerReport::Output(output))?;
        }
        wire::send(socket, &tried.err().unwrap_or(WorkerReport::Tried(None)))?;
        Ok(true)
    }

    /// Decides what a bot may read in the sandbox when it is started next.
    fn close_what_is_not_its_own(&mut self, place: usize) {
        let Some(owners) = &self.owners else { return };
        let (command, program) = (&self.commands[place], self.wardens.program());
        let reach = owners.read_in_play(place, self.handed_in(place), command, program);
        self.commands[place].reach = Some(Box::new(reach));
    }

    /// What was handed in with the bot, if it was found; relative to the plan's folder.
    fn handed_in(&self, place: usize) -> Option<&Path> {
        self.preparation.versions.get(place)?.handed_in.as_ref().map(Path::new)
    }

    /// What came of a trial, unless a file of the bot has changed meanwhile.
    fn unless_changed(&self, place: usize, tried: Tried) -> Tried {
        let changed = |file| Err(WorkerReport::Changed { bot: place, file });
        self.changed_file(place).map_or(tried, changed)
    }

    /// Starts a bot, to see whether that works.
    fn start(&self, place: usize) -> Tried {
        let mut bot = Bot::new(&self.commands[place], &self.wardens);
        let started = bot.ready().map(|_| ());
        let _ = bot.finish(LEAVE, None);
        started.map_err(|trouble| self.not_started(place, DisqualifiedFor::Refused, trouble))
    }

    /// The error for a bot whose program, or whose build, was not started.
    fn not_started(&self, place: usize, cause: DisqualifiedFor, trouble: Trouble) -> WorkerReport {
        match trouble {
            Trouble::CannotStart(why) => refused(cause, why),
            Trouble::System(error) => {
                let name = text::printable(&self.preparation.plan.bots[place].name);
                let why = format!("the system fails bot \"{name}\": {error}");
                failed(why, is_out_of_processes(&error))
            }
            trouble => WorkerReport::Cannot(format!("{trouble:?}")),
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

/// The bot as it is started.
///
/// # Errors
///
/// If its words do not name a program.
pub(crate) fn to_command(bot: &PlannedBot) -> Result<BotCommand, crate::bot::CommandError> {
    let folder = bot.folder.as_deref().map(Path::to_owned);
    let variables = bot.environment.iter().map(|(name, value)| (name.clone(), value.clone()));
    let command = BotCommand::new(Some(bot.name.clone()), bot.command.clone())?;
    Ok(command.in_place(folder, variables.collect()))
}
