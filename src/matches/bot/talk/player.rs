//! One bot as a player: a command that runs when it is needed, and afresh after it was stopped.

use std::collections::BTreeSet;
use std::ffi::OsString;
use std::io;
use std::path::Path;
use std::time::Duration;

use super::exchange;
use super::process::{self, Finished, Process};
use crate::bot::interrupt::Interrupt;
use crate::bot::start::command::BotCommand;
use crate::bot::start::readable::ReadablePaths;
use crate::bot::start::unstartable::{known_obstacle, program_trouble};
use crate::bot::warden::wire::BotStart;
use crate::bot::wardens::{Warden, WardenError, Wardens};
use crate::protocol::{Cause, ToBot};
use crate::referee::{Answer, Ended, Misconduct, StderrCopy, Trouble};
use crate::text;

/// How long a bot is watched after its first match: one that leaves or speaks then cannot go on to
/// another.
const AFTER_A_MATCH: Duration = Duration::from_millis(100);

/// A bot, running or not. [`end_all`] lets running ones exit by themselves; dropping one kills it.
pub struct Bot {
    start: BotStart,
    /// What may have been meant by its name and the first word of its command.
    variable: Option<String>,
    /// What the bot may read and run in the sandbox, beside the system's own.
    pub reach: ReadablePaths,
    wardens: Wardens,
    running: Option<Process>,
    /// Whether the running process has answered a question.
    has_answered: bool,
    /// Whether its processes go on to another match; none before that was tried.
    goes_on: Option<bool>,
    /// Whether the running process had read all that it was sent when it was frozen.
    has_read_all: bool,
    /// Whether a process of it was found in another place than its own.
    has_left_its_cores: bool,
    stderr_copy: Option<StderrCopy>,
}

impl Bot {
    /// A bot that is not running yet, to be kept by one of `wardens`.
    pub fn new(command: &BotCommand, wardens: &Wardens) -> Bot {
        let named = || ReadablePaths::of(command, wardens.program(), &BTreeSet::new());
        let reach = match wardens.restraints().sandbox {
            Some(_) => command.reach.as_deref().cloned().unwrap_or_else(named),
            None => ReadablePaths::default(),
        };
        let wrap = wardens.restraints().wrap.iter().cloned();
        let words: Vec<String> = wrap.chain(command.to_run(wardens.program())).collect();
        let start = BotStart {
            words,
            reach: reach.all().map(OsString::from).collect(),
            folder: command.folder.as_ref().map(OsString::from),
            variables: command.variables.clone(),
        };
        Bot {
            start,
            variable: command.as_variable(),
            reach,
            wardens: wardens.clone(),
            running: None,
            has_answered: false,
            goes_on: None,
            has_read_all: true,
            has_left_its_cores: false,
            stderr_copy: None,
        }
    }

    /// Hands on all that the bot writes to stderr from now on, too; with no copy, no longer.
    pub fn copy_stderr_to(&mut self, copy: Option<StderrCopy>) {
        if let Some(process) = &mut self.running {
            process.copy_stderr_to(copy.clone());
        }
        self.stderr_copy = copy;
    }

    /// Starts the bot if it is not running; returns whether it did.
    ///
    /// # Errors
    ///
    /// [`Trouble::CannotStart`] or [`Trouble::System`].
    pub fn ready(&mut self) -> Result<bool, Trouble> {
        if self.running.is_some() {
            return Ok(false);
        }
        if let Some(why) = known_obstacle(&self.start.words, self.folder()) {
            return Err(Trouble::CannotStart(why));
        }
        let process = Process::start(&self.wardens, &self.start, self.stderr_copy.clone());
        self.running = Some(process.map_err(|refusal| self.trouble_of(refusal))?);
        self.has_answered = false;
        Ok(true)
    }

    fn folder(&self) -> Option<&Path> {
        self.start.folder.as_deref().map(Path::new)
    }

    fn trouble_of(&self, refusal: WardenError) -> Trouble {
        match refusal {
            WardenError::Program(error) => {
                let in_sandbox = self.wardens.restraints().sandbox.is_some();
                let program = &self.start.words[0];
                match (program_trouble(program, self.folder(), in_sandbox, error), &self.variable) {
                    (Trouble::CannotStart(why), Some(set)) => {
                        let set = text::printable(set);
                        let how = format!("to set a variable write \"{set} …\"");
                        Trouble::CannotStart(format!("{why}; {how}"))
                    }
                    (trouble, _) => trouble,
                }
            }
            WardenError::Cannot(why) => Trouble::System(io::Error::other(why)),
            WardenError::System(error) | WardenError::Lost(error) => Trouble::System(error),
            WardenError::Interrupted => Trouble::Interrupted,
        }
    }

    /// Sends a message that wants no answer, if the bot runs. Does not wait.
    pub fn send(&mut self, message: &ToBot) {
        self.send_line(&message.to_line());
    }

    /// Sends a line, newline included, that wants no answer, if the bot runs. Does not wait.
    pub fn send_line(&mut self, line: &[u8]) {
        if let Some(process) = &mut self.running {
            process.send(line);
        }
    }

    /// Sends a message and waits for one line until `late_after` has passed. Meanwhile `idle`,
    /// the other bot, is kept from blocking on its stderr, and `interrupt` is watched.
    ///
    /// # Errors
    ///
    /// As [`Players::ask`](crate::referee::Players::ask).
    pub fn ask(
        &mut self,
        message: &ToBot,
        late_after: Duration,
        idle: Option<&mut Bot>,
        interrupt: Option<&Interrupt>,
    ) -> Result<Answer, Trouble> {
        self.ask_line(&message.to_line(), late_after, idle, interrupt)
    }

    /// Sends a line, newline included, and waits as [`ask`](Bot::ask) does. With no line at all it
    /// only waits for what the bot writes unasked.
    ///
    /// # Errors
    ///
    /// As [`Players::ask`](crate::referee::Players::ask).
    pub fn ask_line(
        &mut self,
        line: &[u8],
        late_after: Duration,
        idle: Option<&mut Bot>,
        interrupt: Option<&Interrupt>,
    ) -> Result<Answer, Trouble> {
        let Some(process) = &mut self.running else {
            let how = Ended::ClosedStdout;
            let gone =
                Misconduct::Exited { how, cause: None, partial: Vec::new(), after: Duration::ZERO };
            return Err(Trouble::Misconduct(gone));
        };
        let idle = idle.and_then(|idle| idle.running.as_mut());
        let interrupt = interrupt.map(std::os::fd::AsFd::as_fd);
        let answer = exchange::ask(process, idle, interrupt, line, late_after);
        self.has_answered |= answer.is_ok();
        answer
    }

    /// Freezes the bot until its next match, after a moment in which it may read how the last one
    /// ended. Stops it where not all of it can be frozen.
    pub(in crate::bot) fn rest(&mut self) {
        let Some(process) = &mut self.running else { return };
        self.has_read_all = process.reads_all();
        if !process.rest() {
            self.stop();
        }
    }

    /// Stops a process that cannot begin another match as it is: one that has ended, that has
    /// written something unasked, or that has not answered yet at all. The first
    /// time it is watched for a moment; a bot that leaves then is started afresh for every match.
    pub(in crate::bot) fn stop_if_unfit(&mut self) {
        let Some(process) = &mut self.running else { return };
        let is_known = self.goes_on.is_some() && std::mem::replace(&mut self.has_read_all, true);
        let patience = if is_known { Duration::ZERO } else { AFTER_A_MATCH };
        let fit = self.has_answered && self.goes_on != Some(false) && process.stays_quiet(patience);
        if self.has_answered {
            self.goes_on.get_or_insert(fit);
        }
        if !fit {
            self.stop();
        }
    }

    /// Kills the bot and all its descendants.
    pub fn stop(&mut self) {
        self.note_whether_it_left_its_cores();
        self.running = None;
    }

    /// Whether a process of the bot was found, and put back, on cores, in a scheduling class or with a
    /// priority that are not its own, since that was asked last.
    pub(in crate::bot) fn has_left_its_cores(&mut self) -> bool {
        self.note_whether_it_left_its_cores();
        std::mem::take(&mut self.has_left_its_cores)
    }

    fn note_whether_it_left_its_cores(&mut self) {
        // In the sandbox it cannot.
        let running = self.running.as_mut().filter(|_| self.wardens.restraints().sandbox.is_none());
        self.has_left_its_cores |=
            running.and_then(Process::warden).is_some_and(Warden::has_left_its_cores);
    }

    /// Closes the bot's stdin, waits at most `grace` for it to exit by itself, or until the user
    /// interrupts, and ends it. Looks now and then whether it `goes_on`, if that is given.
    /// None when it does not run.
    pub fn finish(
        &mut self,
        grace: Duration,
        goes_on: Option<&mut dyn FnMut() -> bool>,
    ) -> Option<Finished> {
        self.running.take().map(|mut process| process.finish(grace, goes_on))
    }

    /// Waits at most this long for the process to end by itself, or until the user interrupts; says how
    /// it ended. Its stdin stays open.
    pub fn wait_for_end(&mut self, at_most: Duration) -> Option<(Ended, Option<Box<Cause>>)> {
        self.running.as_mut()?.wait_for_end(at_most, &mut Vec::new())
    }

    /// The processor time that the running bot has used, without that of its children.
    pub fn processor_time(&self) -> Duration {
        self.running.as_ref().map(Process::processor_time).unwrap_or_default()
    }

    /// The end of what the running bot has written to stderr until now.
    pub fn stderr_tail(&mut self) -> String {
        self.running.as_mut().map(Process::stderr_tail).unwrap_or_default()
    }
}

/// Closes the stdin of all, gives all the same short grace to exit, and ends them.
pub fn end_all(bots: impl IntoIterator<Item = Bot>) {
    process::end_all(bots.into_iter().filter_map(|bot| bot.running).collect());
}
