//! One warden as the referee has it: started, asked, and ended.

use std::fs::File;
use std::io;
use std::os::fd::{AsFd, BorrowedFd, OwnedFd};
use std::os::unix::net::UnixStream;
use std::os::unix::process::CommandExt;
use std::path::PathBuf;
use std::process::{Child, Command, ExitStatus, Stdio};
use std::time::Duration;

use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::process::{Pid, Signal, kill_process};
use wait_timeout::ChildExt;

use super::turns::Turns;
use super::{Refusal, orphans};
use crate::bot::handle::ProcessHandle;
use crate::bot::interrupt::Interrupt;
use crate::bot::warden::folder;
use crate::bot::warden::patience::Patience;
use crate::bot::warden::wire::{self, Left, Request, Response, STREAMS, Start};
use crate::bot::{Restraints, system};
use crate::record::Ponder;
use crate::text;

/// How long a warden may take to begin, and for starting a program: the system may have to fetch
/// either from a slow disk.
pub(super) const START_WAIT: Duration = Duration::from_secs(10);

/// How long a warden may take to say how its bot left, which it does at once unless it was stopped.
const TELL_WAIT: Duration = Duration::from_millis(500);

/// How long a warden may take to freeze its bot or to let it run: a moment, unless the bot takes the
/// processor with hundreds of processes. No bot's clock runs meanwhile.
const FREEZE_WAIT: Duration = Duration::from_secs(5);

/// How long a warden may take to end its bot. Its own bounds add up to two seconds.
const END_WAIT: Duration = Duration::from_secs(3);

/// How long a warden whose socket was closed may take to end its bot and itself.
const LEAVE_WAIT: Duration = Duration::from_secs(3);

/// How long a warden may be silent before it is woken, in case it was stopped.
const WAKE_AFTER: Duration = Duration::from_millis(200);

/// How long a warden is still waited for when the user interrupts: long enough for one that is
/// well, so that what it keeps is ended in good order.
const AFTER_INTERRUPT: Duration = Duration::from_millis(500);

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

impl Warden {
    /// Starts a warden, which is this command, and gives it the other end of a socket.
    pub(super) fn spawn(mut command: Command, interrupt: Option<&Interrupt>) -> io::Result<Warden> {
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
        command
            // A name of its own: who ends the referee by name does not end this with it.
            .arg0("bot-warden")
            .stdin(Stdio::from(OwnedFd::from(theirs)))
            .stdout(Stdio::from(silent.0))
            .stderr(Stdio::from(silent.1));
        let child = orphans::start_listed(|| command.spawn())?;
        // With its end of the socket: only then is the death of the warden the end of the socket.
        drop(command);
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
        let beside: Vec<BorrowedFd<'_>> = turns.iter().map(Turns::reader).collect();
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
        if let Some(turns) = &mut self.turns {
            turns.bot_waits();
        }
    }

    /// Freezes a bot at once that has used its opponent's time before.
    pub(in crate::bot) fn freeze_known_ponderer(&mut self) {
        if self.turns.as_ref().is_some_and(Turns::is_to_be_frozen)
            && self.ask(&Request::Freeze, &[], FREEZE_WAIT, AFTER_INTERRUPT).is_ok()
            && let Some(turns) = &mut self.turns
        {
            turns.is_frozen();
        }
    }

    /// Has the bot run, whether it was frozen or not.
    pub(in crate::bot) fn wake(&mut self) {
        if self.turns.as_mut().is_some_and(Turns::bot_plays) {
            let _ = self.ask(&Request::Thaw, &[], FREEZE_WAIT, AFTER_INTERRUPT);
        }
    }

    /// Whether it can be given back for the next bot.
    pub(super) const fn is_fit(&self) -> bool {
        self.is_fit
    }

    /// Whether it still runs: it may have been killed while it waited.
    pub(super) fn is_there(&mut self) -> bool {
        let Some(socket) = &self.socket else { return false };
        // It writes nothing unasked, so whatever could be read is the end.
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
            turns.begin();
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
            Err(error) => orphans::started_orphan(streams[0])
                .map(ProcessHandle::hold)
                .ok_or(Refusal::WardenLost(error)),
        }
    }

    /// How the bot left, if it did.
    pub(in crate::bot) fn how_it_left(&mut self, bot: &ProcessHandle) -> Option<Left> {
        match self.ask(&Request::HowItLeft, &[], TELL_WAIT, AFTER_INTERRUPT) {
            Ok(Response::Left(left)) => left,
            // The warden was killed, and the bot is our child now.
            _ => bot.how_it_ended().map(|(code, signal)| Left { code, signal, ..Left::default() }),
        }
    }

    /// Ends the bot and all its descendants.
    pub(in crate::bot) fn end(&mut self, bot: &ProcessHandle) {
        match self.ask(&Request::End, &[], END_WAIT, AFTER_INTERRUPT) {
            Ok(Response::Ended { clean }) => self.is_fit &= clean,
            // The warden was killed.
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
        // It may have been stopped. It is not reaped yet, so the number is its own.
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
        // The end of the socket tells it to end its bot and to leave, unless it was stopped.
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
        orphans::strike_off(own, !left);
        // A killed one leaves its folder to us.
        if let Some((home, _lock)) = self.home.take().filter(|_| !left) {
            folder::remove_all(&home);
        }
    }
}

pub(super) fn unexpected(response: &Response) -> io::Error {
    io::Error::other(format!("the program that keeps the bots answered {response:?}"))
}

#[cfg(test)]
mod tests {
    use std::thread::{self, JoinHandle};
    use std::time::Instant;

    use super::*;

    /// A warden that the test plays itself, by this script of answers to whatever it is asked. Then
    /// its socket ends.
    fn played(script: Vec<Response>) -> (Warden, JoinHandle<Vec<Request>>) {
        let (warden, theirs) = silent();
        let playing = thread::spawn(move || {
            let mut asked = Vec::new();
            for response in script {
                let Some((request, _)) = wire::receive(&theirs, None).unwrap() else { break };
                asked.push(request);
                wire::send(&theirs, &response, &[], None).unwrap();
            }
            asked
        });
        (warden, playing)
    }

    /// A warden that says nothing, and the other end of its socket.
    fn silent() -> (Warden, UnixStream) {
        let (ours, theirs) = UnixStream::pair().unwrap();
        ours.set_nonblocking(true).unwrap();
        // A process of its own, for it is killed when it does not answer.
        let child = Command::new("true").spawn().unwrap();
        let (interrupt, turns, home) = (None, None, None);
        let warden = Warden { child, socket: Some(ours), interrupt, is_fit: true, turns, home };
        (warden, theirs)
    }

    /// A bot that may be killed.
    fn some_process() -> ProcessHandle {
        ProcessHandle::hold(Pid::from_child(&Command::new("true").spawn().unwrap()))
    }

    fn start(warden: &mut Warden) -> Result<ProcessHandle, Refusal> {
        let null = File::open("/dev/null").unwrap();
        warden.start(&Start::default(), [null.as_fd(), null.as_fd(), null.as_fd()])
    }

    #[test]
    fn what_a_warden_answers_is_handed_on() {
        let left = Left { code: Some(3), too_many: true, ..Left::default() };
        let mut child = Command::new("true").spawn().unwrap();
        let (mut warden, playing) = played(vec![
            Response::Started(Pid::from_child(&child).as_raw_nonzero().get()),
            Response::Left(None),
            Response::Left(Some(left)),
            Response::Ended { clean: true },
        ]);
        let bot = start(&mut warden).unwrap();
        assert_eq!(warden.how_it_left(&bot), None);
        assert_eq!(warden.how_it_left(&bot), Some(left));
        warden.end(&bot);
        assert!(warden.is_fit());
        let asked = playing.join().unwrap();
        let [Request::Start(_), Request::HowItLeft, Request::HowItLeft, Request::End] = &asked[..]
        else {
            panic!("{asked:?}")
        };
        child.wait().unwrap();
        // The test has closed its end by now.
        assert!(!warden.is_there() && !warden.is_fit());
    }

    #[test]
    fn a_warden_is_not_given_back_while_it_may_keep_something() {
        let (mut warden, playing) = played(vec![Response::Ended { clean: false }]);
        warden.end(&some_process());
        assert!(!warden.is_fit());
        playing.join().unwrap();
    }

    #[test]
    fn a_program_that_does_not_start_is_told_from_a_warden_that_cannot_start_it() {
        let not_started = |errno| Response::NotStarted { errno, why: "no\u{1b}room".to_owned() };
        let cases = [not_started(Some(2)), not_started(None), Response::Frozen];
        let (mut warden, playing) = played(Vec::from(cases));
        let refused = start(&mut warden);
        assert!(
            matches!(&refused, Err(Refusal::Program(why)) if why.kind() == io::ErrorKind::NotFound),
            "{refused:?}"
        );
        let refused = start(&mut warden);
        let Err(Refusal::Warden(why)) = refused else { panic!("{refused:?}") };
        assert_eq!(why.to_string(), "no\\u{1b}room");
        let refused = start(&mut warden);
        let Err(Refusal::Warden(why)) = refused else { panic!("{refused:?}") };
        assert_eq!(why.to_string(), "the program that keeps the bots answered Frozen");
        // It is one that answers, whatever it answers.
        assert!(warden.is_fit());
        playing.join().unwrap();
        let refused = start(&mut warden);
        assert!(matches!(refused, Err(Refusal::WardenLost(_))), "{refused:?}");
        assert!(!warden.is_fit());
    }

    #[test]
    fn a_silent_warden_is_waited_for_no_longer_than_it_may_take() {
        let (mut warden, theirs) = silent();
        let began = Instant::now();
        let asked = warden.ask(&Request::Thaw, &[], Duration::from_millis(20), Duration::ZERO);
        assert_eq!(asked.unwrap_err().kind(), io::ErrorKind::TimedOut);
        assert!(began.elapsed() >= Duration::from_millis(20));
        assert!(!warden.is_fit());
        // Asked again, it is not waited for any more: what it was sent is the first request alone.
        let again = warden.ask(&Request::HowItLeft, &[], TELL_WAIT, Duration::ZERO);
        assert_eq!(again.unwrap_err().kind(), io::ErrorKind::BrokenPipe);
        assert!(matches!(wire::receive(&theirs, None), Ok(Some((Request::Thaw, _)))));
        assert!(matches!(wire::receive::<Request>(&theirs, None), Ok(None)));
    }

    #[test]
    fn an_interrupt_ends_the_wait_for_a_start() {
        let (mut warden, theirs) = silent();
        let interrupt = Interrupt::by_hand().unwrap();
        interrupt.raise();
        warden.interrupt = Some(interrupt);
        let refused = start(&mut warden);
        assert!(matches!(refused, Err(Refusal::Interrupted)), "{refused:?}");
        drop(theirs);
    }

    #[test]
    fn a_bot_is_frozen_and_thawed_by_request_only_where_it_uses_time_that_is_not_its_own() {
        let (mut warden, playing) = played(vec![Response::Thawed, Response::Frozen]);
        warden.turns = Some(Turns::new().unwrap());
        warden.may_freeze();
        // The byte is still there: the bot has used no time.
        warden.wake();
        warden.freeze_known_ponderer();
        warden.may_freeze();
        let taken = rustix::io::read(warden.turns.as_ref().unwrap().reader(), &mut [0][..]);
        assert_eq!(taken, Ok(1));
        warden.wake();
        warden.freeze_known_ponderer();
        let asked = playing.join().unwrap();
        assert!(matches!(asked[..], [Request::Thaw, Request::Freeze]), "{asked:?}");
    }
}
