//! One warden as the referee has it: started, asked, and ended.

use std::fs::File;
use std::io::{self, PipeReader, PipeWriter, Read as _, Write as _};
use std::os::fd::{AsFd, BorrowedFd, OwnedFd};
use std::os::unix::net::UnixStream;
use std::os::unix::process::CommandExt;
use std::path::PathBuf;
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::fs::{OFlags, fcntl_getfl, fcntl_setfl};
use rustix::process::{Pid, Signal, kill_process};
use wait_timeout::ChildExt;

use super::Refusal;
use crate::bot::handle::ProcessHandle;
use crate::bot::interrupt::Interrupt;
use crate::bot::warden::patience::Patience;
use crate::bot::warden::wire::{self, Left, Request, Response, STREAMS, Start};
use crate::bot::warden::{folder, tree};
use crate::bot::{Restraints, system};
use crate::record::Ponder;
use crate::text;

/// How long a warden may take to begin, and for starting a program: the system may have to fetch
/// either from a slow disk.
pub(super) const START_WAIT: Duration = Duration::from_secs(10);

/// How long a warden may take to say how its bot left, which it does at once unless somebody has
/// stopped it.
const TELL_WAIT: Duration = Duration::from_millis(500);

/// How long a warden may take to freeze its bot or to let it run: a moment, unless the bot takes the
/// processor with hundreds of processes. Nobody's clock runs meanwhile.
const FREEZE_WAIT: Duration = Duration::from_secs(5);

/// How long a warden may take to end its bot. Its own bounds add up to two seconds.
const END_WAIT: Duration = Duration::from_secs(3);

/// How long a warden whose socket was closed may take to end its bot and itself.
const LEAVE_WAIT: Duration = Duration::from_secs(3);

/// How long a warden may be silent before it is woken, in case somebody has stopped it.
const WAKE_AFTER: Duration = Duration::from_millis(200);

/// How long a warden is still waited for when the user interrupts: long enough for one that is
/// well, so that what it keeps is ended in good order.
const AFTER_INTERRUPT: Duration = Duration::from_millis(500);

/// All wardens that run: the children of this process that are nobody's orphans.
static WARDENS: Mutex<Vec<Pid>> = Mutex::new(Vec::new());

/// Whether what a killed warden leaves behind becomes ours.
static ADOPTING: AtomicBool = AtomicBool::new(false);

/// Adopts what a killed warden leaves behind, from now on. From then on every child of this
/// process that is no warden is killed when a warden was.
///
/// # Errors
///
/// When the kernel refuses it.
pub(in crate::bot) fn adopt_orphans() -> io::Result<()> {
    tree::adopt_orphans()?;
    ADOPTING.store(true, Ordering::Relaxed);
    Ok(())
}

/// A process that keeps at most one bot. Dropping it ends the bot and the warden.
#[derive(Debug)]
pub(in crate::bot) struct Warden {
    child: Child,
    socket: Option<UnixStream>,
    interrupt: Option<Interrupt>,
    /// Whether it answers, and keeps nothing.
    is_fit: bool,
    /// Where its bots may be frozen.
    turns: Option<Turns>,
    /// The folder in which its bots have their private ones, and the descriptor that locks it.
    home: Option<(PathBuf, OwnedFd)>,
}

/// Whose turn it is, as far as a warden is concerned: while a byte is in the pipe, its bot waits,
/// and the warden may take the byte and freeze it. So a bot that uses no processor time costs its
/// referee a write and a read, and those only where its opponent thinks for long.
#[derive(Debug)]
struct Turns {
    reader: PipeReader,
    writer: PipeWriter,
    /// Whether the byte was put in, or the bot was frozen, and neither was undone.
    may_be_frozen: bool,
    /// Whether the bot has used its opponent's time before.
    ponders: bool,
}

impl Turns {
    fn new() -> io::Result<Turns> {
        let (reader, writer) = io::pipe()?;
        let flags = fcntl_getfl(&reader)?;
        fcntl_setfl(&reader, flags | OFlags::NONBLOCK)?;
        Ok(Turns { reader, writer, may_be_frozen: false, ponders: false })
    }
}

impl Warden {
    /// Starts a warden, which is this command, and gives it the other end of a socket.
    pub(super) fn spawn(
        command: &mut Command,
        interrupt: Option<&Interrupt>,
    ) -> io::Result<Warden> {
        system::watch_children()?;
        let (ours, theirs) = UnixStream::pair()?;
        ours.set_nonblocking(true)?;
        let nothing = || File::options().write(true).open("/dev/null");
        let silent = nothing().and_then(|one| Ok((one, nothing()?))).map_err(|error| {
            if error.kind() == io::ErrorKind::NotFound {
                io::Error::other("there is no /dev/null; mount /dev")
            } else {
                error
            }
        })?;
        // No sweep takes it for an orphan before it is on the list.
        let mut all = WARDENS.lock().unwrap_or_else(PoisonError::into_inner);
        let child = command
            // A name of its own: who ends the referee by name does not end this with it.
            .arg0("bot-warden")
            .stdin(Stdio::from(OwnedFd::from(theirs)))
            .stdout(Stdio::from(silent.0))
            .stderr(Stdio::from(silent.1))
            .spawn()?;
        all.push(Pid::from_child(&child));
        drop(all);
        Ok(Warden {
            child,
            socket: Some(ours),
            interrupt: interrupt.cloned(),
            is_fit: true,
            turns: None,
            home: None,
        })
    }

    /// Holds its bots to these restraints.
    pub(super) fn restrain(&mut self, restraints: &Restraints) -> io::Result<Response> {
        let request = Request::Restrain(restraints.clone());
        let turns = (restraints.ponder != Ponder::Allow).then(Turns::new).transpose()?;
        let beside: Vec<BorrowedFd<'_>> = turns.iter().map(|it| it.reader.as_fd()).collect();
        let (answer, descriptors) = self.ask_with(&request, &beside, START_WAIT, Duration::ZERO)?;
        drop(beside);
        self.turns = turns;
        if let (Response::Restrained { home: Some(home) }, Some(lock)) =
            (&answer, descriptors.into_iter().next())
        {
            self.home = Some((PathBuf::from(home), lock));
        }
        Ok(answer)
    }

    /// Has the bot frozen from now on if it uses the processor, until it is [woken](Warden::wake).
    pub(in crate::bot) fn may_freeze(&mut self) {
        if let Some(turns) = self.turns.as_mut().filter(|turns| !turns.may_be_frozen) {
            turns.may_be_frozen = turns.writer.write(&[0]).is_ok();
        }
    }

    /// Freezes a bot at once that has used its opponent's time before.
    pub(in crate::bot) fn freeze_known_ponderer(&mut self) {
        if self.turns.as_ref().is_some_and(|turns| turns.ponders && !turns.may_be_frozen) {
            let frozen = self.ask(&Request::Freeze, &[], FREEZE_WAIT, AFTER_INTERRUPT);
            if let Some(turns) = &mut self.turns {
                turns.may_be_frozen = frozen.is_ok();
            }
        }
    }

    /// Has the bot run, whether it was frozen or not.
    pub(in crate::bot) fn wake(&mut self) {
        let Some(turns) = self.turns.as_mut().filter(|turns| turns.may_be_frozen) else { return };
        turns.may_be_frozen = false;
        if !turns.reader.read(&mut [0]).is_ok_and(|count| count == 1) {
            turns.ponders = true;
            let _ = self.ask(&Request::Thaw, &[], FREEZE_WAIT, AFTER_INTERRUPT);
        }
    }

    /// Whether it can be given back for the next bot.
    pub(super) const fn is_fit(&self) -> bool {
        self.is_fit
    }

    /// Whether it is there: nobody has killed it while it waited.
    pub(super) fn is_there(&mut self) -> bool {
        let Some(socket) = &self.socket else { return false };
        // It says nothing by itself, so what could be read is the end.
        let mut watched = [PollFd::new(socket, PollFlags::IN)];
        let is_there = poll(&mut watched, Some(&Timespec::default())) == Ok(0);
        self.is_fit &= is_there;
        is_there
    }

    /// Asks for what comes before a bot runs, which an interrupt ends at once.
    pub(super) fn ask_before(
        &mut self,
        request: &Request,
        descriptors: &[BorrowedFd<'_>],
    ) -> io::Result<Response> {
        self.ask(request, descriptors, START_WAIT, Duration::ZERO)
    }

    /// Starts a bot with these streams.
    ///
    /// # Errors
    ///
    /// As [`Refusal`] says.
    pub(in crate::bot) fn start(
        &mut self,
        start: &Start,
        streams: [BorrowedFd<'_>; STREAMS],
    ) -> Result<ProcessHandle, Refusal> {
        if let Some(turns) = &mut self.turns {
            // What the bot before this one did.
            let _ = turns.reader.read(&mut [0]);
            (turns.may_be_frozen, turns.ponders) = (false, false);
        }
        let answer = self.ask_before(&Request::Start(start.clone()), &streams);
        match answer {
            Ok(Response::Started(pid)) => {
                let pid = Pid::from_raw(pid);
                let pid = pid.ok_or_else(|| io::Error::other("a process has no number"));
                pid.map(ProcessHandle::hold).map_err(Refusal::Warden)
            }
            Ok(Response::NotStarted { errno: Some(errno), .. }) => {
                Err(Refusal::Program(io::Error::from_raw_os_error(errno)))
            }
            Ok(Response::NotStarted { errno: None, why }) => {
                Err(Refusal::Warden(io::Error::other(text::printable(&why))))
            }
            Ok(response) => Err(Refusal::Warden(unexpected(&response))),
            Err(_) if self.is_interrupted() => Err(Refusal::Interrupted),
            Err(error) if system::has_no_room(&error) => Err(Refusal::Warden(error)),
            // A bot that runs may have killed what keeps it; it plays on without.
            Err(error) => started_orphan(streams[0])
                .map(ProcessHandle::hold)
                .ok_or(Refusal::WardenLost(error)),
        }
    }

    /// How the bot left, if it did.
    pub(in crate::bot) fn how_it_left(&mut self, bot: &ProcessHandle) -> Option<Left> {
        match self.ask(&Request::HowItLeft, &[], TELL_WAIT, AFTER_INTERRUPT) {
            Ok(Response::Left(left)) => left,
            // Somebody has killed the warden, and the bot is our child now.
            _ => bot.how_it_ended().map(|(code, signal)| Left { code, signal, ..Left::default() }),
        }
    }

    /// Ends the bot and all its descendants.
    pub(in crate::bot) fn end(&mut self, bot: &ProcessHandle) {
        match self.ask(&Request::End, &[], END_WAIT, AFTER_INTERRUPT) {
            Ok(Response::Ended { clean }) => self.is_fit &= clean,
            // Somebody has killed the warden.
            _ => bot.kill(),
        }
    }

    fn is_interrupted(&self) -> bool {
        self.interrupt.as_ref().is_some_and(Interrupt::is_raised)
    }

    /// Asks, and waits for the answer until the time is over, or so long after the user interrupts.
    /// A warden that does not answer by then is killed; its bot is then our child, if we adopt
    /// orphans.
    fn ask(
        &mut self,
        request: &Request,
        descriptors: &[BorrowedFd<'_>],
        at_most: Duration,
        after_interrupt: Duration,
    ) -> io::Result<Response> {
        let answer = self.ask_with(request, descriptors, at_most, after_interrupt);
        answer.map(|(response, _)| response)
    }

    /// The same, with the descriptors that come beside the answer.
    fn ask_with(
        &mut self,
        request: &Request,
        descriptors: &[BorrowedFd<'_>],
        at_most: Duration,
        after_interrupt: Duration,
    ) -> io::Result<(Response, Vec<OwnedFd>)> {
        let gone = || io::Error::from(io::ErrorKind::BrokenPipe);
        let socket = self.socket.as_ref().ok_or_else(gone)?;
        let interrupt = self.interrupt.clone();
        let patience = Patience::of(at_most).but_after(interrupt.as_ref(), after_interrupt);
        // Somebody may have stopped it. It is not reaped yet, so the number is its own.
        let own = Pid::from_child(&self.child);
        let wake = || {
            let _ = kill_process(own, Signal::CONT);
        };
        let answer = wire::send(socket, request, descriptors, Some(&patience))
            .and_then(|()| patience.wait_for_answer(socket, WAKE_AFTER, wake))
            .and_then(|()| wire::receive(socket, Some(&patience))?.ok_or_else(gone));
        match answer {
            Ok(answer) => Ok(answer),
            Err(error) => {
                self.is_fit = false;
                self.socket = None;
                self.kill();
                Err(error)
            }
        }
    }

    fn kill(&mut self) {
        let _ = self.child.kill();
        let _ = self.wait_for_exit();
    }

    /// Waits a while for the end of the process, and less when the user interrupts.
    fn wait_for_exit(&mut self) -> Option<ExitStatus> {
        let Some(ended) = system::end_descriptor(Pid::from_child(&self.child)) else {
            return self.child.wait_timeout(LEAVE_WAIT).ok().flatten();
        };
        let interrupt = self.interrupt.clone();
        let patience = Patience::of(LEAVE_WAIT).but_after(interrupt.as_ref(), AFTER_INTERRUPT);
        loop {
            let goes_on = patience.wait(ended.as_fd(), PollFlags::IN);
            let status = self.child.try_wait().ok().flatten();
            if status.is_some() || !goes_on.is_ok_and(|goes_on| goes_on) {
                return status;
            }
        }
    }
}

impl Drop for Warden {
    fn drop(&mut self) {
        // The end of the socket tells it to end its bot and to leave, if nobody has stopped it.
        let own = Pid::from_child(&self.child);
        if self.socket.take().is_some() {
            // Not reaped yet, so the number is its own.
            let _ = kill_process(own, Signal::CONT);
        }
        let left = match self.child.try_wait() {
            Ok(Some(status)) => Some(status),
            _ => self.wait_for_exit(),
        };
        let left = match left {
            Some(status) => status.success(),
            // It keeps nothing, and removes what its last bot has left in its folder.
            None if self.is_fit => true,
            None => {
                self.kill();
                false
            }
        };
        let mut all = WARDENS.lock().unwrap_or_else(PoisonError::into_inner);
        all.retain(|&warden| warden != own);
        if !left && ADOPTING.load(Ordering::Relaxed) {
            // What it kept is ours to end now; but not another bot that lost its warden, too.
            tree::end_all_below_us(&[all.clone(), ProcessHandle::held()].concat());
        }
        // Nobody else removes what a killed one has left.
        if let Some((home, _lock)) = self.home.take().filter(|_| !left) {
            folder::remove_all(&home);
        }
    }
}

/// The bot that a killed warden has started and left to us: a child of ours that is no warden, leads
/// a group of its own, as every bot does from its start, and reads from this stream. One that has
/// ended reads from nothing any more; then it is the only one that nobody holds.
fn started_orphan(stdin: BorrowedFd<'_>) -> Option<Pid> {
    if !ADOPTING.load(Ordering::Relaxed) {
        return None;
    }
    let wardens = WARDENS.lock().unwrap_or_else(PoisonError::into_inner);
    let leaders: Vec<Pid> = tree::own_children()
        .into_iter()
        .filter(|child| !wardens.contains(child))
        .filter(|&child| rustix::process::getpgid(Some(child)) == Ok(child))
        .collect();
    drop(wardens);
    let pipe = system::name_of(stdin)?;
    let reads = |child: &&Pid| system::stdin_of(**child).is_some_and(|name| name == pipe);
    let held = ProcessHandle::held();
    let has_ended = |child: &&Pid| !system::is_running(**child) && !held.contains(child);
    leaders.iter().find(reads).or_else(|| leaders.iter().find(has_ended)).copied()
}

pub(super) fn unexpected(response: &Response) -> io::Error {
    io::Error::other(format!("the program that keeps the bots answered {response:?}"))
}
