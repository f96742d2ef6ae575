//! The user's wish to stop: Ctrl-C, a hang-up or SIGTERM, as a descriptor that every wait watches.

use std::io;
use std::os::fd::{AsFd, BorrowedFd};
use std::os::unix::net::UnixStream;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM};

use super::system;

/// Readable from the first such signal on, for ever: whoever waits on it wakes. Clones share it.
#[derive(Clone, Debug)]
pub struct Interrupt {
    raised: Arc<UnixStream>,
    /// The same to be looked at, which costs no system call.
    is_raised: Arc<AtomicBool>,
}

impl Interrupt {
    /// Catches the signals from now on. A hang-up is left alone where the program was started to
    /// ignore it, as `nohup` does. At the second signal the program ends at once with the exit
    /// code `at_second`; with none, which is for programs that have something to put right first,
    /// such as a terminal, it is as the first.
    ///
    /// # Errors
    ///
    /// When the system refuses a handler or a descriptor.
    pub fn on_signals(at_second: Option<u8>) -> io::Result<Interrupt> {
        let (raised, raise) = UnixStream::pair()?;
        let is_raised = Arc::new(AtomicBool::new(false));
        for signal in [SIGINT, SIGTERM, SIGHUP] {
            if signal == SIGHUP && system::is_ignored(signal) {
                continue;
            }
            if let Some(code) = at_second {
                // Registered first, so that it sees the flag as the signal before has left it.
                let is_raised = Arc::clone(&is_raised);
                signal_hook::flag::register_conditional_shutdown(signal, code.into(), is_raised)?;
            }
            signal_hook::flag::register(signal, Arc::clone(&is_raised))?;
            signal_hook::low_level::pipe::register(signal, raise.try_clone()?)?;
        }
        Ok(Interrupt { raised: Arc::new(raised), is_raised })
    }

    /// Whether the user wants to stop.
    #[must_use]
    pub fn is_raised(&self) -> bool {
        self.is_raised.load(Ordering::Relaxed)
    }
}

impl AsFd for Interrupt {
    fn as_fd(&self) -> BorrowedFd<'_> {
        self.raised.as_fd()
    }
}
