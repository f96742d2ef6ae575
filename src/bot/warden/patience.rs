//! How long the referee waits for a warden: until a deadline, or a moment that comes sooner when the
//! user interrupts.

use std::cell::Cell;
use std::io;
use std::os::fd::{AsFd, BorrowedFd};
use std::os::unix::net::UnixStream;
use std::time::{Duration, Instant};

use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::io::Errno;

use crate::bot::Interrupt;

/// How long a message is waited for: until a moment that comes sooner when the user interrupts.
#[derive(Clone, Debug)]
pub(in crate::bot) struct WaitBound<'a> {
    pub(in crate::bot) deadline: Instant,
    pub(in crate::bot) interrupt: Option<&'a Interrupt>,
    /// How long it is waited on after an interrupt.
    pub(in crate::bot) after_interrupt: Duration,
    /// When the interrupt was seen.
    interrupted: Cell<Option<Instant>>,
}

impl<'a> WaitBound<'a> {
    /// Until this long from now, whatever the user wants.
    pub(in crate::bot) fn of(time: Duration) -> WaitBound<'a> {
        WaitBound {
            deadline: Instant::now() + time,
            interrupt: None,
            after_interrupt: Duration::ZERO,
            interrupted: Cell::new(None),
        }
    }

    /// And no longer than this after the user interrupts.
    pub(in crate::bot) fn but_after(
        self,
        interrupt: Option<&'a Interrupt>,
        after_interrupt: Duration,
    ) -> WaitBound<'a> {
        WaitBound { interrupt, after_interrupt, ..self }
    }

    /// The time that is left now.
    fn left(&self) -> Duration {
        let now = Instant::now();
        let mut deadline = self.deadline;
        if self.interrupt.is_some_and(Interrupt::is_raised) {
            let since = self.interrupted.get().unwrap_or(now);
            self.interrupted.set(Some(since));
            deadline = deadline.min(since + self.after_interrupt);
        }
        deadline.saturating_duration_since(now)
    }

    /// Waits until a descriptor is ready, or the time is over, or the user interrupts for the
    /// first time. Whether there is any time left.
    pub(in crate::bot) fn wait(
        &self,
        descriptor: BorrowedFd<'_>,
        for_what: PollFlags,
    ) -> io::Result<bool> {
        let left = self.left();
        if left.is_zero() {
            return Ok(false);
        }
        let mut watched = vec![PollFd::from_borrowed_fd(descriptor, for_what)];
        // Once it is raised, it is readable for ever.
        if let Some(interrupt) = self.interrupt.filter(|interrupt| !interrupt.is_raised()) {
            watched.push(PollFd::new(interrupt, PollFlags::IN));
        }
        match poll(&mut watched, Timespec::try_from(left).ok().as_ref()) {
            Ok(_) | Err(Errno::INTR) => Ok(true),
            Err(error) => Err(error.into()),
        }
    }
}

impl WaitBound<'_> {
    /// Waits until there is something to receive or no time left, and calls `wake` whenever so
    /// long has passed without an answer.
    pub(in crate::bot) fn wait_for_answer(
        &self,
        socket: &UnixStream,
        every: Duration,
        wake: impl Fn(),
    ) -> io::Result<()> {
        loop {
            let next = WaitBound {
                deadline: self.deadline.min(Instant::now() + every),
                interrupted: Cell::new(self.interrupted.get()),
                ..self.clone()
            };
            let goes_on = next.wait(socket.as_fd(), PollFlags::IN)?;
            let mut watched = [PollFd::new(socket, PollFlags::IN)];
            let is_there = poll(&mut watched, Some(&Timespec::default()));
            if self.left().is_zero() || is_there.is_ok_and(|ready| ready > 0) {
                return Ok(());
            }
            if !goes_on || next.left().is_zero() {
                wake();
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_interrupt_shortens_a_wait() {
        let (one, _other) = UnixStream::pair().unwrap();
        let interrupt = Interrupt::by_hand().unwrap();
        let raiser = interrupt.clone();
        let began = Instant::now();
        let ctrl_c = std::thread::spawn(move || {
            std::thread::sleep(Duration::from_millis(20));
            raiser.raise();
        });
        for after_interrupt in [Duration::from_millis(20), Duration::ZERO] {
            let patience = WaitBound::of(Duration::from_mins(1));
            let patience = patience.but_after(Some(&interrupt), after_interrupt);
            while patience.wait(one.as_fd(), PollFlags::IN).unwrap() {}
        }
        ctrl_c.join().unwrap();
        let took = began.elapsed();
        assert!((40..20_000).contains(&took.as_millis()), "{took:?}");
    }
}
