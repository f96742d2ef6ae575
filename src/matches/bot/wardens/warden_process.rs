//! A warden's process and the socket to it: started, asked with a bound on every wait, and ended.

use std::io;
use std::io::ErrorKind::{BrokenPipe, ConnectionReset, UnexpectedEof};
use std::os::fd::{BorrowedFd, OwnedFd};
use std::os::unix::net::UnixStream;
use std::os::unix::process::CommandExt;
use std::process::{Child, Command, ExitStatus, Stdio};
use std::time::Duration;

use rustix::process::{Pid, Signal, kill_process};
use serde::Serialize;
use serde::de::{DeserializeOwned, IgnoredAny};
use wait_timeout::ChildExt;

use super::orphans;
use crate::bot::interrupt::Interrupt;
use crate::bot::system;
use crate::bot::warden::wait_bound::WaitBound;
use crate::bot::warden::wire::{self, Request};

/// How long a warden whose socket was closed may take to end its bot and itself.
const LEAVE_WAIT: Duration = Duration::from_secs(3);

/// How long a warden may be silent before it is woken, in case it was stopped.
const WAKE_AFTER: Duration = Duration::from_millis(200);

/// How long a warden is still waited for when the user interrupts: long enough for one that is
/// well, so that what it keeps is ended in good order.
pub(super) const AFTER_INTERRUPT: Duration = Duration::from_millis(500);

/// A process that answers requests. Whoever has it says at last that it is to
/// [leave](WardenProcess::leave).
pub(super) struct WardenProcess {
    child: Child,
    socket: Option<UnixStream>,
    interrupt: Option<Interrupt>,
    /// How many of its answers nobody has read yet.
    unread: usize,
    /// Whether it was asked and was not there to answer: somebody else has killed it. One that only
    /// takes too long may be held up by what its bot does.
    pub(super) is_gone: bool,
    /// Whether it answers, and keeps nothing: it can be given another bot.
    pub(super) is_fit: bool,
}

impl WardenProcess {
    /// Starts a warden, which is `command`, and gives it the other end of a socket.
    pub(super) fn spawn(
        mut command: Command,
        interrupt: Option<&Interrupt>,
    ) -> io::Result<WardenProcess> {
        system::watch_children()?;
        let (ours, theirs) = UnixStream::pair()?;
        ours.set_nonblocking(true)?;
        let silent = (system::open_null_device()?, system::open_null_device()?);
        command
            // A name of its own: who ends the referee by name does not end this with it.
            .arg0("bot-warden")
            .stdin(Stdio::from(OwnedFd::from(theirs)))
            .stdout(Stdio::from(silent.0))
            .stderr(Stdio::from(silent.1));
        let child = orphans::start_listed(|| command.spawn())?;
        // With its end of the socket: only then is the death of the warden the end of the socket.
        drop(command);
        Ok(WardenProcess::of(child, ours, interrupt.cloned()))
    }

    const fn of(child: Child, socket: UnixStream, interrupt: Option<Interrupt>) -> WardenProcess {
        let socket = Some(socket);
        WardenProcess { child, socket, interrupt, unread: 0, is_gone: false, is_fit: true }
    }

    /// Whether it still runs: it may have been killed while it waited.
    pub(super) fn is_there(&mut self) -> bool {
        // It writes nothing unasked, so whatever could be read is the end.
        let is_there = self.socket.as_ref().is_some_and(|socket| !system::is_readable(socket));
        self.is_fit &= is_there;
        is_there
    }

    pub(super) fn is_interrupted(&self) -> bool {
        self.interrupt.as_ref().is_some_and(Interrupt::is_raised)
    }

    /// [Exchanges](WardenProcess::exchange) a request for its answer. After the user interrupts, it
    /// waits at most [`AFTER_INTERRUPT`].
    pub(super) fn ask<T: DeserializeOwned>(
        &mut self,
        request: &Request,
        at_most: Duration,
    ) -> io::Result<T> {
        self.exchange(request, &[], at_most, AFTER_INTERRUPT).map(|(answer, _)| answer)
    }

    /// Sends a request, and waits for the answer and the descriptors that come with it: at most
    /// `at_most`, and at most `after_interrupt` after the user interrupts. A warden that does not answer
    /// by then is killed; its bot is then our child, if we adopt orphans.
    ///
    /// # Errors
    ///
    /// `BrokenPipe` if it is gone, whether it was killed before the request, with the request unread
    /// or in the middle of its answer; `TimedOut` if it does not answer in time.
    pub(super) fn exchange<T: DeserializeOwned>(
        &mut self,
        request: &impl Serialize,
        descriptors: &[BorrowedFd<'_>],
        at_most: Duration,
        after_interrupt: Duration,
    ) -> io::Result<(T, Vec<OwnedFd>)> {
        let gone = || io::Error::from(io::ErrorKind::BrokenPipe);
        let socket = self.socket.as_ref().ok_or_else(gone)?;
        let interrupt = self.interrupt.clone();
        let patience = WaitBound::new(at_most, interrupt.as_ref(), after_interrupt);
        // It may have been stopped. It is not reaped yet, so the number is its own.
        let own = Pid::from_child(&self.child);
        let wake = || {
            let _ = kill_process(own, Signal::CONT);
        };
        let wait = || patience.wait_for_answer(socket, WAKE_AFTER, wake);
        // Those to what it was only notified of come first.
        let before = std::mem::take(&mut self.unread);
        let answer = wire::send(socket, request, descriptors, Some(&patience)).and_then(|()| {
            for _ in 0..before {
                wait()?;
                wire::receive::<IgnoredAny>(socket, Some(&patience))?.ok_or_else(gone)?;
            }
            wait()?;
            wire::receive(socket, Some(&patience))?.ok_or_else(gone)
        });
        answer.map_err(|error| {
            self.is_gone = matches!(error.kind(), BrokenPipe | ConnectionReset | UnexpectedEof);
            self.is_fit = false;
            self.socket = None;
            self.kill();
            if self.is_gone { gone() } else { error }
        })
    }

    /// Sends a request without waiting. What it answers is left for the next one who asks.
    pub(super) fn notify(&mut self, request: &Request) -> io::Result<()> {
        let socket = self.socket.as_ref().ok_or(io::ErrorKind::BrokenPipe)?;
        let no_time = WaitBound::new(Duration::ZERO, None, Duration::ZERO);
        wire::send(socket, request, &[], Some(&no_time))?;
        self.unread += 1;
        Ok(())
    }

    fn kill(&mut self) {
        let _ = self.child.kill();
        let _ = self.wait_for_exit();
    }

    /// Waits a while for the end of the process, and less when the user interrupts.
    fn wait_for_exit(&mut self) -> Option<ExitStatus> {
        let Ok(ended) = system::pidfd(Pid::from_child(&self.child)) else {
            return self.child.wait_timeout(LEAVE_WAIT).ok().flatten();
        };
        let interrupt = self.interrupt.clone();
        let patience = WaitBound::new(LEAVE_WAIT, interrupt.as_ref(), AFTER_INTERRUPT);
        loop {
            let goes_on = patience.wait(system::input(&ended), LEAVE_WAIT);
            let status = self.child.try_wait().ok().flatten();
            if status.is_some() || !goes_on.is_ok_and(|goes_on| goes_on) {
                return status;
            }
        }
    }

    /// Has it end its bot and itself, and kills it where it does not. Whether it left by itself.
    pub(super) fn leave(&mut self) -> bool {
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
            // It keeps nothing, and still removes what its last bot has left in its folder.
            None if self.is_fit => return true,
            None => {
                self.kill();
                false
            }
        };
        orphans::unregister(own, !left);
        left
    }
}

#[cfg(test)]
pub(super) mod tests {
    use std::time::Instant;

    use super::*;
    use crate::bot::warden::wire::ProcessEnd;

    /// A warden that says nothing, and the other end of its socket.
    pub(in crate::bot::wardens) fn silent(
        interrupt: Option<Interrupt>,
    ) -> (WardenProcess, UnixStream) {
        let (ours, theirs) = UnixStream::pair().unwrap();
        ours.set_nonblocking(true).unwrap();
        // A process of its own, for it is killed when it does not answer.
        let child = Command::new("true").spawn().unwrap();
        (WardenProcess::of(child, ours, interrupt), theirs)
    }

    #[test]
    fn a_silent_warden_is_waited_for_no_longer_than_it_may_take() {
        let (mut warden, theirs) = silent(None);
        let began = Instant::now();
        let asked = warden.ask::<bool>(&Request::BotPlays, Duration::from_millis(20));
        assert_eq!(asked.unwrap_err().kind(), io::ErrorKind::TimedOut);
        assert!(began.elapsed() >= Duration::from_millis(20));
        assert!(!warden.is_fit && !warden.is_gone);
        // Asked again, it is not waited for any more: what it was sent is the first request alone.
        let again = warden.ask::<Option<ProcessEnd>>(&Request::ProcessEnd, LEAVE_WAIT);
        assert_eq!(again.unwrap_err().kind(), io::ErrorKind::BrokenPipe);
        assert!(matches!(wire::receive(&theirs, None), Ok(Some((Request::BotPlays, _)))));
        assert!(matches!(wire::receive::<Request>(&theirs, None), Ok(None)));
        assert!(!warden.is_gone);
    }

    #[test]
    fn a_warden_that_was_killed_is_gone() {
        let assert_gone = |mut warden: WardenProcess| {
            let asked = warden.ask::<bool>(&Request::BotPlays, LEAVE_WAIT);
            assert_eq!(asked.unwrap_err().kind(), io::ErrorKind::BrokenPipe);
            assert!(warden.is_gone);
        };
        let (warden, theirs) = silent(None);
        drop(theirs);
        assert_gone(warden);
        let (warden, theirs) = silent(None);
        // Killed while the request lies unread in its socket: the kernel then resets the connection.
        std::thread::scope(|scope| {
            scope.spawn(|| {
                let socket = theirs;
                let wait = WaitBound::new(LEAVE_WAIT, None, Duration::ZERO);
                wait.wait(system::input(&socket), LEAVE_WAIT).unwrap();
            });
            assert_gone(warden);
        });
    }
}
