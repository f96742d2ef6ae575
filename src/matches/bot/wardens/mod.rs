//! Wardens as the referee has them: started when a bot needs one, and kept for the next bot.

pub(super) mod handle;
mod idle_time;
mod orphans;
mod warden;
mod warden_process;

use std::io;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::{Arc, Mutex, PoisonError};

use super::interrupt::Interrupt;
use super::start::environment;
use super::warden::sandbox::landlock_version;
use super::warden::start::process_limit;
use super::{Restraints, system};

pub(super) use orphans::{adopt_orphans, all_bots};
pub(super) use warden::Warden;

/// The environment variable by which a bot, and whatever it starts, can be known: the referee's
/// process number.
const VARIABLE: &str = "MANCALA_BOT";

/// What tests set to have less of the kernel than there is.
const FOR_TESTS: [&str; 2] = [process_limit::WITHOUT, landlock_version::AT_MOST];

/// The wardens of a program, which all hold their bots to the same restraints. Cloning it gives
/// another handle to the same wardens; with the last one, and the last bot, they end.
///
/// After a warden was killed, this process ends all its children except wardens and the bots that it
/// still holds. So a process plays one match at a time; several at once need several processes.
#[derive(Clone)]
pub struct Wardens(Arc<SharedWardens>);

struct SharedWardens {
    /// This program, as built-in bots are started.
    program: PathBuf,
    /// The same, as wardens are started.
    to_start: PathBuf,
    restraints: Restraints,
    interrupt: Option<Interrupt>,
    /// Those that keep no bot now.
    free: Mutex<Vec<Warden>>,
}

/// Why there is no warden, or it does not start a bot.
#[derive(Debug, thiserror::Error)]
pub enum WardenError {
    /// The restraints cannot be applied here; the text says why and what to do.
    #[error("{0}")]
    Cannot(String),
    /// The user wants to stop.
    #[error("interrupted")]
    Interrupted,
    /// The system failed.
    #[error("the program that keeps the bots does not start: {0}")]
    System(io::Error),
    /// It was started and did not come to answer, as when somebody has killed it. No bot was started.
    #[error("the program that keeps the bots does not start: {0}")]
    Lost(io::Error),
    /// The bot's program cannot be run.
    #[error("the bot does not start: {0}")]
    Program(io::Error),
}

impl From<io::Error> for WardenError {
    fn from(error: io::Error) -> WardenError {
        WardenError::System(system::explained(error))
    }
}

impl WardenError {
    /// Whether the system has no more processes, which may be over soon.
    pub fn is_out_of_processes(&self) -> bool {
        matches!(self, WardenError::System(error) | WardenError::Program(error)
            if system::is_out_of_processes(error))
    }
}

impl Wardens {
    /// Wardens that this program itself turns into. The first is started now, so that restraints
    /// that cannot be applied are found before anything is played. No wait for a warden lasts long
    /// after `interrupt` is raised.
    ///
    /// # Errors
    ///
    /// When it does not start, the restraints cannot be applied, or the user interrupts.
    pub fn new(
        restraints: Restraints,
        interrupt: Option<&Interrupt>,
    ) -> Result<Wardens, WardenError> {
        Wardens::start(std::env::current_exe()?, system::this_program()?, restraints, interrupt)
    }

    /// Wardens that are this `mancala` program, for a program that is not it.
    ///
    /// # Errors
    ///
    /// As [`new`](Wardens::new).
    pub fn of_program(
        program: PathBuf,
        restraints: Restraints,
        interrupt: Option<&Interrupt>,
    ) -> Result<Wardens, WardenError> {
        Wardens::start(program.clone(), program, restraints, interrupt)
    }

    /// No warden at all, for bots that a test plays itself.
    #[cfg(test)]
    pub(super) fn without_warden(interrupt: Option<&Interrupt>) -> Wardens {
        Wardens(Arc::new(SharedWardens {
            program: PathBuf::new(),
            to_start: PathBuf::new(),
            restraints: Restraints::default(),
            interrupt: interrupt.cloned(),
            free: Mutex::default(),
        }))
    }

    fn start(
        program: PathBuf,
        to_start: PathBuf,
        restraints: Restraints,
        interrupt: Option<&Interrupt>,
    ) -> Result<Wardens, WardenError> {
        let (interrupt, free) = (interrupt.cloned(), Mutex::default());
        let shared = SharedWardens { program, to_start, restraints, interrupt, free };
        let wardens = Wardens(Arc::new(shared));
        let first = wardens.start_one()?;
        wardens.give_back(first);
        Ok(wardens)
    }

    /// This program, which the built-in bots are.
    pub fn program(&self) -> &Path {
        &self.0.program
    }

    /// What the bots are held to.
    pub fn restraints(&self) -> &Restraints {
        &self.0.restraints
    }

    /// The user's wish to stop.
    pub fn interrupt(&self) -> Option<&Interrupt> {
        self.0.interrupt.as_ref()
    }

    /// A warden that keeps no bot and answers: a waiting one may have been killed meanwhile.
    pub(super) fn take(&self) -> Result<Warden, WardenError> {
        loop {
            let free = self.0.free.lock().unwrap_or_else(PoisonError::into_inner).pop();
            let Some(mut warden) = free else { return self.start_one() };
            if warden.process.is_there() {
                return Ok(warden);
            }
        }
    }

    /// Keeps a warden whose bot was ended for the next bot.
    pub(super) fn give_back(&self, warden: Warden) {
        if warden.process.is_fit {
            self.0.free.lock().unwrap_or_else(PoisonError::into_inner).push(warden);
        }
    }

    /// A warden that has only just begun.
    pub(super) fn start_one(&self) -> Result<Warden, WardenError> {
        let is_interrupted = || self.interrupt().is_some_and(Interrupt::is_raised);
        let mut started = self.try_to_start_one();
        if matches!(started, Err(WardenError::Lost(_))) && !is_interrupted() {
            // Killed as it began, perhaps. The next one may be left alone.
            started = self.try_to_start_one();
        }
        // A Ctrl-C at a terminal also reaches a warden that has only begun.
        if started.is_err() && is_interrupted() { Err(WardenError::Interrupted) } else { started }
    }

    fn try_to_start_one(&self) -> Result<Warden, WardenError> {
        let mut command = Command::new(&self.0.to_start);
        command
            .arg("warden")
            .env_clear()
            .envs(environment::handed_on(&self.0.restraints.environment))
            .envs(FOR_TESTS.iter().filter_map(|name| Some((name, std::env::var_os(name)?))))
            .env(VARIABLE, std::process::id().to_string());
        Warden::start(command, &self.0.restraints, self.interrupt())
    }
}
