//! What is typed, as it comes: bytes from stdin, waited for together with the user's wish to stop.

use std::io::{self, IsTerminal};
use std::os::fd::AsFd;
use std::time::Duration;

use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::io::Errno;

use crate::bot::Interrupt;

/// Stdin, waited for no longer than asked.
pub(crate) struct Keyboard<'a> {
    /// The user's wish to stop.
    pub(super) interrupt: &'a Interrupt,
    /// What was typed and has not been taken.
    pub(super) typed: Vec<u8>,
    is_terminal: bool,
    ended: bool,
}

/// What a wait for a player ended with.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Input<T> {
    /// The player entered this.
    Entered(T),
    /// There will be no more input.
    End,
    /// The user interrupts.
    Interrupted,
}

/// Whether more was typed before the time was over.
pub(super) type HasTyped = bool;

impl<'a> Keyboard<'a> {
    /// The program's stdin, and what interrupts a wait for it.
    pub(crate) fn new(interrupt: &'a Interrupt) -> Keyboard<'a> {
        let is_terminal = io::stdin().is_terminal();
        Keyboard { interrupt, typed: Vec::new(), is_terminal, ended: false }
    }

    /// Waits until more is typed: at most until `done` is raised, and no longer than `at_most`.
    pub(super) fn wait(
        &mut self,
        done: Option<&Interrupt>,
        at_most: Option<Duration>,
    ) -> io::Result<Input<HasTyped>> {
        if self.interrupt.is_raised() {
            return Ok(Input::Interrupted);
        }
        if self.ended {
            return Ok(Input::End);
        }
        let stdin = io::stdin();
        let mut watched = [
            PollFd::new(&stdin, PollFlags::IN),
            PollFd::from_borrowed_fd(self.interrupt.as_fd(), PollFlags::IN),
            PollFd::from_borrowed_fd(done.unwrap_or(self.interrupt).as_fd(), PollFlags::IN),
        ];
        let at_most = at_most.and_then(|time| Timespec::try_from(time).ok());
        match poll(&mut watched, at_most.as_ref()) {
            // Whatever the signal was: the caller looks at all there is, and waits again.
            Ok(0) | Err(Errno::INTR) => return Ok(Input::Entered(false)),
            Ok(_) if !watched[1].revents().is_empty() => return Ok(Input::Interrupted),
            Ok(_) if !watched[2].revents().is_empty() => return Ok(Input::Entered(false)),
            // A terminal that has gone: the signal that says so may come a moment later.
            Ok(_) if self.is_terminal && watched[0].revents().contains(PollFlags::HUP) => {
                return Ok(Input::Interrupted);
            }
            Ok(_) => {}
            Err(error) => return Err(error.into()),
        }
        let mut chunk = [0; 1024];
        match rustix::io::read(&stdin, &mut chunk) {
            Ok(0) | Err(Errno::IO) => {
                self.ended = true;
                Ok(Input::End)
            }
            Ok(count) => {
                self.typed.extend_from_slice(&chunk[..count]);
                Ok(Input::Entered(true))
            }
            Err(Errno::INTR | Errno::AGAIN) => Ok(Input::Entered(false)),
            Err(error) => Err(error.into()),
        }
    }
}
