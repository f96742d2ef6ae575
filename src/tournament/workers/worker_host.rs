//! What the coordinator needs of the system: workers at numbered places, the time, and the user's
//! wish to stop.

use std::io;
use std::time::{Duration, Instant};

use super::wire::ReportInbox;
use crate::bot::StopLevel;

/// Runs workers for the coordinator. At each place there is at most one.
pub trait WorkerHost {
    /// Starts a worker at an empty place.
    ///
    /// # Errors
    ///
    /// When the system cannot start it.
    fn start(&mut self, place: usize) -> io::Result<()>;

    /// Sends a worker a line. A dead worker is detected at the next read.
    ///
    /// # Errors
    ///
    /// When the system fails.
    fn send(&mut self, place: usize, line: &[u8]) -> io::Result<()>;

    /// Waits at most `at_most` for reports or signals; returns the places of workers that have sent
    /// something.
    ///
    /// # Errors
    ///
    /// When the system fails.
    fn wait(&mut self, at_most: Duration) -> io::Result<Vec<usize>>;

    /// Reads what a worker has sent into `inbox`. False when it is gone.
    fn receive(&mut self, place: usize, inbox: &mut ReportInbox) -> bool;

    /// Interrupts a worker, so that it gives up what it does.
    fn interrupt(&mut self, place: usize);

    /// Ends a worker that is gone or cannot be understood.
    fn reap(&mut self, place: usize);

    /// Ends all workers and what they leave behind.
    fn stop(&mut self);

    /// Wakes workers that a bot has stopped, and ends what dead workers left behind.
    fn look_after(&mut self);

    /// How far the user wants to stop by now.
    fn level(&self) -> StopLevel;

    /// The time.
    fn now(&self) -> Instant;
}
