//! The user's wish to stop: Ctrl-C, a hang-up or SIGTERM, as a descriptor that every wait watches.

use std::io;
use std::os::fd::{AsFd, BorrowedFd};
use std::os::unix::net::UnixStream;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use rustix::event::{PollFd, PollFlags, Timespec, poll};
use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM};

/// Readable from the first such signal on, for ever: whoever waits on it wakes.
#[derive(Debug)]
pub struct Interrupt {
    raised: UnixStream,
}

impl Interrupt {
    /// Catches the signals from now on. The second one ends the program at once, with code 130.
    ///
    /// # Errors
    ///
    /// When the system refuses a handler or a descriptor.
    pub fn on_signals() -> io::Result<Interrupt> {
        let (raised, raise) = UnixStream::pair()?;
        let again = Arc::new(AtomicBool::new(false));
        for signal in [SIGINT, SIGTERM, SIGHUP] {
            // In this order: the first signal finds the flag down and raises it.
            signal_hook::flag::register_conditional_shutdown(signal, 130, Arc::clone(&again))?;
            signal_hook::flag::register(signal, Arc::clone(&again))?;
            signal_hook::low_level::pipe::register(signal, raise.try_clone()?)?;
        }
        Ok(Interrupt { raised })
    }

    /// Whether the user wants to stop.
    #[must_use]
    pub fn is_raised(&self) -> bool {
        let mut watched = [PollFd::new(&self.raised, PollFlags::IN)];
        matches!(poll(&mut watched, Some(&Timespec::default())), Ok(1..))
    }
}

impl AsFd for Interrupt {
    fn as_fd(&self) -> BorrowedFd<'_> {
        self.raised.as_fd()
    }
}
