//! The user's wish to stop: Ctrl-C, a hang-up or SIGTERM, as a descriptor that every wait watches.

use std::io;
use std::os::fd::{AsFd, BorrowedFd};
use std::os::unix::net::UnixStream;

use rustix::event::{PollFd, PollFlags, Timespec, poll};
use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM};

/// Readable from the first such signal on, for ever: whoever waits on it wakes.
#[derive(Debug)]
pub struct Interrupt {
    raised: UnixStream,
}

impl Interrupt {
    /// Catches the signals from now on.
    ///
    /// # Errors
    ///
    /// When the system refuses a handler or a descriptor.
    pub fn on_signals() -> io::Result<Interrupt> {
        let (raised, raise) = UnixStream::pair()?;
        for signal in [SIGINT, SIGTERM, SIGHUP] {
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
