//! How long the referee waits for a warden: until a deadline, or a moment that comes sooner when the
//! user interrupts.

use std::cell::Cell;
use std::io;
use std::os::unix::net::UnixStream;
use std::time::{Duration, Instant};

use crate::bot::Interrupt;
use crate::bot::system::{self, Source};

/// How long a message is waited for: until a moment that comes sooner when the user interrupts.
pub(crate) struct WaitBound<'a> {
    deadline: Instant,
    interrupt: Option<&'a Interrupt>,
    after_interrupt: Duration,
    /// When the interrupt was seen.
    interrupted: Cell<Option<Instant>>,
}

impl<'a> WaitBound<'a> {
    /// Until `time` from now, and no longer than `after_interrupt` after the user interrupts.
    pub(crate) fn new(
        time: Duration,
        interrupt: Option<&'a Interrupt>,
        after_interrupt: Duration,
    ) -> WaitBound<'a> {
        let deadline = Instant::now() + time;
        WaitBound { deadline, interrupt, after_interrupt, interrupted: Cell::default() }
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

    /// Waits until `source` is ready, or the time or `at_most` is over, or the user interrupts for
    /// the first time. Whether there was any time left.
    pub(crate) fn wait(&self, source: Source<'_>, at_most: Duration) -> io::Result<bool> {
        let left = self.left();
        if left.is_zero() {
            return Ok(false);
        }
        // Once it is raised, it is readable for ever.
        let interrupt = self.interrupt.filter(|interrupt| !interrupt.is_raised());
        system::wait_for([Some(source), interrupt.map(system::input)], left.min(at_most))?;
        Ok(true)
    }

    /// Waits until there is something to receive or no time left, and calls `wake` whenever `every`
    /// has passed without an answer.
    pub(crate) fn wait_for_answer(
        &self,
        socket: &UnixStream,
        every: Duration,
        wake: impl Fn(),
    ) -> io::Result<()> {
        loop {
            let began = Instant::now();
            if !self.wait(system::input(socket), every)? || system::is_readable(socket) {
                return Ok(());
            }
            if began.elapsed() >= every {
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
            let patience =
                WaitBound::new(Duration::from_mins(1), Some(&interrupt), after_interrupt);
            while patience.wait(system::input(&one), Duration::MAX).unwrap() {}
        }
        ctrl_c.join().unwrap();
        let took = began.elapsed();
        assert!((40..20_000).contains(&took.as_millis()), "{took:?}");
    }
}
