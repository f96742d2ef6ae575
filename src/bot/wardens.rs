//! Wardens as the referee has them: started when a bot needs one, asked, and kept for the next bot.

use std::io;
use std::os::fd::{BorrowedFd, OwnedFd};
use std::os::unix::net::UnixStream;
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use rustix::process::{Pid, Signal, kill_process, kill_process_group};
use wait_timeout::ChildExt;

use super::warden::tree;
use super::warden::wire::{self, Left, Request, Response, STREAMS, Start};
use super::{Restraints, environment, system};
use crate::text;

/// How long a warden may take to begin, and for starting a program: the system may have to fetch
/// either from a slow disk.
const START_WAIT: Duration = Duration::from_secs(10);

/// How long a warden may take to say how its bot left, which it does at once unless somebody has
/// stopped it.
const TELL_WAIT: Duration = Duration::from_millis(500);

/// How long a warden may take to end its bot. Its own bounds add up to two seconds.
const END_WAIT: Duration = Duration::from_secs(3);

/// How long a warden whose socket was closed may take to end its bot and itself.
const LEAVE_WAIT: Duration = Duration::from_secs(3);

/// The environment variable by which a bot, and whatever it starts, can be known: the referee's
/// process number.
const VARIABLE: &str = "MANCALA_BOT";

/// The wardens of a program, which all hold their bots to the same restraints. Cloning it gives
/// another handle to the same wardens; with the last one, and the last bot, they end.
#[derive(Clone, Debug)]
pub struct Wardens(Arc<Shared>);

#[derive(Debug)]
struct Shared {
    /// This program, as built-in bots are started.
    program: PathBuf,
    /// The same, as wardens are started.
    to_start: PathBuf,
    restraints: Restraints,
    /// Those that keep no bot now.
    free: Mutex<Vec<Warden>>,
}

/// Why there is no warden.
#[derive(Debug, thiserror::Error)]
pub enum WardenError {
    /// The restraints cannot be put into force here; the text says why and what to do.
    #[error("{0}")]
    Cannot(String),
    /// The system failed.
    #[error("the program that keeps the bots does not start: {0}")]
    System(#[from] io::Error),
}

impl Wardens {
    /// Wardens that this program itself turns into. The first is started now, so that restraints
    /// that cannot be put into force are found before anything is played.
    ///
    /// # Errors
    ///
    /// When it does not start, or the restraints cannot be put into force.
    pub fn new(restraints: Restraints) -> Result<Wardens, WardenError> {
        let program = std::env::current_exe()?;
        // On Linux a name for the program that runs, even if its file was replaced meanwhile.
        let itself = PathBuf::from("/proc/self/exe");
        let to_start = if itself.exists() { itself } else { program.clone() };
        Wardens::start(program, to_start, restraints)
    }

    /// Wardens that are this `mancala` program, for a program that is not it.
    ///
    /// # Errors
    ///
    /// As [`new`](Wardens::new).
    pub fn of_program(program: PathBuf, restraints: Restraints) -> Result<Wardens, WardenError> {
        Wardens::start(program.clone(), program, restraints)
    }

    fn start(
        program: PathBuf,
        to_start: PathBuf,
        restraints: Restraints,
    ) -> Result<Wardens, WardenError> {
        let shared = Shared { program, to_start, restraints, free: Mutex::default() };
        let wardens = Wardens(Arc::new(shared));
        let first = wardens.start_one()?;
        wardens.give_back(first);
        Ok(wardens)
    }

    /// This program, which the built-in bots are.
    pub(super) fn program(&self) -> &Path {
        &self.0.program
    }

    /// What the bots are held to.
    #[must_use]
    pub fn restraints(&self) -> &Restraints {
        &self.0.restraints
    }

    /// A warden that keeps no bot.
    pub(super) fn take(&self) -> io::Result<Warden> {
        let free = self.0.free.lock().unwrap_or_else(PoisonError::into_inner).pop();
        match free {
            Some(warden) => Ok(warden),
            None => self.start_one().map_err(|error| match error {
                WardenError::System(error) => error,
                WardenError::Cannot(why) => io::Error::other(why),
            }),
        }
    }

    /// Keeps a warden whose bot was ended for the next bot.
    pub(super) fn give_back(&self, warden: Warden) {
        if warden.is_fit {
            self.0.free.lock().unwrap_or_else(PoisonError::into_inner).push(warden);
        }
    }

    fn start_one(&self) -> Result<Warden, WardenError> {
        system::watch_children()?;
        let (ours, theirs) = UnixStream::pair()?;
        ours.set_nonblocking(true)?;
        let mut all = WARDENS.lock().unwrap_or_else(PoisonError::into_inner);
        let child = Command::new(&self.0.to_start)
            // A name of its own: who ends the referee by name does not end this with it.
            .arg0("bot-warden")
            .arg("warden")
            .env_clear()
            .envs(environment::handed_on(&self.0.restraints.environment))
            .env(VARIABLE, std::process::id().to_string())
            .stdin(Stdio::from(OwnedFd::from(theirs)))
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()?;
        all.push(Pid::from_child(&child));
        drop(all);
        let mut warden = Warden { child, socket: Some(ours), is_fit: true };
        match warden.ask(&Request::Restrain(self.0.restraints.clone()), &[], START_WAIT)? {
            Response::Restrained => Ok(warden),
            Response::Cannot(why) => Err(WardenError::Cannot(why)),
            response => Err(unexpected(&response).into()),
        }
    }
}

/// All wardens that run: the children of this process that are nobody's orphans.
static WARDENS: Mutex<Vec<Pid>> = Mutex::new(Vec::new());

/// A process that keeps at most one bot. Dropping it ends the bot and the warden.
#[derive(Debug)]
pub(super) struct Warden {
    child: Child,
    socket: Option<UnixStream>,
    /// Whether it answers, and keeps nothing.
    is_fit: bool,
}

impl Warden {
    /// Starts a bot with these streams and returns its process number.
    ///
    /// # Errors
    ///
    /// As [`Refusal`] says.
    pub(super) fn start(
        &mut self,
        start: &Start,
        streams: [BorrowedFd<'_>; STREAMS],
    ) -> Result<Pid, Refusal> {
        let answer = self.ask(&Request::Start(start.clone()), &streams, START_WAIT);
        match answer.map_err(Refusal::WardenLost)? {
            Response::Started(pid) => {
                let pid = Pid::from_raw(pid);
                pid.ok_or_else(|| Refusal::Warden(io::Error::other("a process has no number")))
            }
            Response::NotStarted { errno: Some(errno), .. } => {
                Err(Refusal::Program(io::Error::from_raw_os_error(errno)))
            }
            Response::NotStarted { errno: None, why } => {
                Err(Refusal::Warden(io::Error::other(text::printable(&why))))
            }
            response => Err(Refusal::Warden(unexpected(&response))),
        }
    }

    /// How the bot left, if it did.
    pub(super) fn how_it_left(&mut self, bot: Pid) -> Option<Left> {
        match self.ask(&Request::HowItLeft, &[], TELL_WAIT) {
            Ok(Response::Left(left)) => left,
            // Somebody has killed the warden, and the bot is our child now.
            _ => system::how_it_ended(bot).map(|(code, signal)| Left {
                code,
                signal,
                ..Left::default()
            }),
        }
    }

    /// Ends the bot and all its descendants.
    pub(super) fn end(&mut self, bot: Pid) {
        if let Ok(Response::Ended { clean }) = self.ask(&Request::End, &[], END_WAIT) {
            self.is_fit &= clean;
        } else {
            // Somebody has killed the warden.
            let _ = kill_process_group(bot, Signal::KILL);
        }
    }

    /// Asks, and waits for the answer until the time is over. A warden that does not answer by
    /// then is killed; its bot is then our child, if we adopt orphans.
    fn ask(
        &mut self,
        request: &Request,
        descriptors: &[BorrowedFd<'_>],
        at_most: Duration,
    ) -> io::Result<Response> {
        let gone = || io::Error::from(io::ErrorKind::BrokenPipe);
        let deadline = Instant::now() + at_most;
        let socket = self.socket.as_ref().ok_or_else(gone)?;
        let answer = wire::send(socket, request, descriptors, Some(deadline))
            .and_then(|()| wire::receive(socket, Some(deadline))?.ok_or_else(gone));
        match answer {
            Ok((response, _)) => Ok(response),
            Err(error) => {
                self.is_fit = false;
                self.socket = None;
                let _ = self.child.kill();
                let _ = self.child.wait_timeout(LEAVE_WAIT);
                Err(error)
            }
        }
    }
}

impl Drop for Warden {
    fn drop(&mut self) {
        // The end of the socket tells it to end its bot and to leave, if nobody has stopped it.
        let own = Pid::from_child(&self.child);
        if self.socket.take().is_some() {
            let _ = kill_process(own, Signal::CONT);
        }
        let left = match self.child.wait_timeout(LEAVE_WAIT) {
            Ok(Some(status)) => status.success(),
            // It keeps nothing, and removes what its last bot has left in its folder.
            Ok(None) if self.is_fit => true,
            Ok(None) | Err(_) => {
                let _ = self.child.kill();
                let _ = self.child.wait_timeout(LEAVE_WAIT);
                false
            }
        };
        let mut all = WARDENS.lock().unwrap_or_else(PoisonError::into_inner);
        all.retain(|&warden| warden != own);
        if !left && ADOPTING.load(Ordering::Relaxed) {
            // What it kept is ours to end now.
            tree::end_all_below_us(&all);
        }
    }
}

/// Whether what a killed warden leaves behind becomes ours.
static ADOPTING: AtomicBool = AtomicBool::new(false);

/// Adopts what a killed warden leaves behind, from now on. From then on every child of this
/// process that is no warden is killed when a warden was.
pub(super) fn adopt_orphans() {
    tree::adopt_orphans();
    ADOPTING.store(true, Ordering::Relaxed);
}

/// Why a bot does not start.
#[derive(Debug)]
pub(super) enum Refusal {
    /// Its program cannot be run.
    Program(io::Error),
    /// Its warden was there, and was killed while it started the program.
    WardenLost(io::Error),
    /// There is nobody to keep it.
    Warden(io::Error),
}

fn unexpected(response: &Response) -> io::Error {
    io::Error::other(format!("the program that keeps the bots answered {response:?}"))
}
