//! The user's wish to stop: Ctrl-C, a hang-up or SIGTERM, in three levels, as a descriptor that
//! every wait watches.
//!
//! An [`Interrupt`] is made once, where the program begins, and handed down: to
//! wardens and their bots, to the keyboard. Nothing else listens for these signals.
//!
//! Has `unsafe` code: no library tells one request that comes as two signals from two requests.

use std::io::{self, Read, Write};
use std::os::fd::{AsFd, BorrowedFd};
use std::os::unix::net::UnixStream;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering};
use std::time::Instant;

use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM};
use signal_hook::flag::register_conditional_shutdown;
use signal_hook::low_level::{self, pipe};

use super::system;

/// The exit code of a program that was interrupted.
pub const INTERRUPTED: u8 = 130;

/// A program may signal another and then its process group, as `timeout` does. What comes within so
/// many milliseconds of a SIGTERM or a hang-up is the same wish.
const SAME_WISH_MILLIS: u64 = 300;

/// How far the user wants to stop. At the last level, at once, the program is gone.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum StopLevel {
    /// The work goes on.
    None,
    /// Matches that run are played to their end, and no other one is begun.
    AfterRunning,
    /// Matches that run are ended, and count for nothing.
    EndRunning,
}

/// What each signal in its turn asks for.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum StopSteps {
    /// The first one ends what runs; at the second the program exits at once with [`INTERRUPTED`].
    /// A SIGTERM or a hang-up that comes right after another one is not a second one.
    EndThenExit,
    /// The first Ctrl-C lets running matches end, the second one ends them; at the third the
    /// program exits at once with [`INTERRUPTED`]. SIGTERM and a hang-up begin with the second step:
    /// who sends them does not wait long.
    LetEndThenEndThenExit,
    /// Every one ends what runs: for a program that has something to put right first, such as a
    /// terminal.
    EndOnly,
}

/// Readable for ever as soon as running matches are to end: every wait on it wakes. Clones
/// share it.
#[derive(Clone)]
pub struct Interrupt(Arc<SharedInterrupt>);

struct SharedInterrupt {
    /// Readable at [`StopLevel::EndRunning`].
    raised: UnixStream,
    raise: UnixStream,
    /// The same to be looked at, which costs no system call.
    is_raised: Arc<AtomicBool>,
    first_step: Option<FirstStep>,
}

/// How a first Ctrl-C is told from a second one.
struct FirstStep {
    /// A byte for each Ctrl-C that is not counted yet, and for each other signal.
    signals: UnixStream,
    counted: AtomicUsize,
}

impl SharedInterrupt {
    fn new() -> io::Result<SharedInterrupt> {
        let (raised, raise) = UnixStream::pair()?;
        raise.set_nonblocking(true)?;
        Ok(SharedInterrupt { raised, raise, is_raised: Arc::default(), first_step: None })
    }
}

impl Interrupt {
    /// Catches the signals from now on. A hang-up is left alone where the program was started to
    /// ignore it, as `nohup` does. Ctrl-C is caught even there: a script starts its background
    /// programs so that they ignore Ctrl-C, and whoever presses it wants no match to go on.
    ///
    /// # Errors
    ///
    /// When the system refuses a handler or a descriptor.
    pub fn on_signals(steps: StopSteps) -> io::Result<Interrupt> {
        Interrupt::catching(steps).map_err(system::explained)
    }

    fn catching(steps: StopSteps) -> io::Result<Interrupt> {
        let has_first_step = steps == StopSteps::LetEndThenEndThenExit;
        let mut shared = SharedInterrupt::new()?;
        let (signals, signal_came) = UnixStream::pair()?;
        signals.set_nonblocking(true)?;
        let (began, last_wish) = (Instant::now(), Arc::default());
        for signal in [SIGINT, SIGTERM, SIGHUP] {
            if signal == SIGHUP && system::is_ignored(signal) {
                continue;
            }
            if steps != StopSteps::EndOnly {
                // Registered first, so that it sees the flag as the signal before has left it.
                let flag = Arc::clone(&shared.is_raised);
                if signal == SIGINT {
                    register_conditional_shutdown(signal, INTERRUPTED.into(), flag)?;
                } else {
                    exit_at_second_wish(signal, flag, (began, Arc::clone(&last_wish)))?;
                }
            }
            if !(has_first_step && signal == SIGINT) {
                signal_hook::flag::register(signal, Arc::clone(&shared.is_raised))?;
                pipe::register(signal, shared.raise.try_clone()?)?;
            }
            if has_first_step {
                pipe::register(signal, signal_came.try_clone()?)?;
            }
        }
        if has_first_step {
            shared.first_step = Some(FirstStep { signals, counted: AtomicUsize::new(0) });
        }
        Ok(Interrupt(Arc::new(shared)))
    }

    /// A flag that becomes true as soon as what runs is to end, for work that looks at it often.
    pub fn flag(&self) -> Arc<AtomicBool> {
        Arc::clone(&self.0.is_raised)
    }

    /// One that no signal raises, only [`raise`](Interrupt::raise).
    ///
    /// # Errors
    ///
    /// When the system refuses a descriptor.
    pub fn by_hand() -> io::Result<Interrupt> {
        Ok(Interrupt(Arc::new(SharedInterrupt::new()?)))
    }

    /// Whether what runs is to end.
    pub fn is_raised(&self) -> bool {
        self.0.is_raised.load(Ordering::Relaxed)
    }

    /// Has what runs end, as a signal would.
    pub fn raise(&self) {
        self.0.is_raised.store(true, Ordering::Relaxed);
        // One byte is enough to make it readable; where it does not fit, there are some already.
        let _ = (&self.0.raise).write(&[0]);
    }

    /// How far the user wants to stop by now. With [`StopSteps::LetEndThenEndThenExit`] this counts
    /// the signals, so whoever began with that looks here whenever
    /// [`news`](Interrupt::news) is readable.
    pub fn level(&self) -> StopLevel {
        let interrupts = self.0.first_step.as_ref().map_or(0, |step| {
            let mut bytes = [0; 16];
            let came = (&step.signals).read(&mut bytes).unwrap_or(0);
            let all = step.counted.fetch_add(came, Ordering::Relaxed) + came;
            if all > 2 && !self.is_raised() {
                // No look fell between the second Ctrl-C and the third.
                std::process::exit(INTERRUPTED.into());
            }
            all
        });
        if interrupts > 1 {
            self.raise();
        }
        if self.is_raised() {
            StopLevel::EndRunning
        } else if interrupts > 0 {
            StopLevel::AfterRunning
        } else {
            StopLevel::None
        }
    }

    /// Readable when a signal has come that [`level`](Interrupt::level) has not counted yet.
    pub fn news(&self) -> BorrowedFd<'_> {
        self.0.first_step.as_ref().map_or(self.as_fd(), |step| step.signals.as_fd())
    }
}

/// Has the program exit at `signal` where the flag was raised before by another wish.
/// `last_wish` is when the last one came that was no repetition, in milliseconds since
/// `began` and a little, or 0.
fn exit_at_second_wish(
    signal: i32,
    is_raised: Arc<AtomicBool>,
    (began, last_wish): (Instant, Arc<AtomicU64>),
) -> io::Result<()> {
    let handler = move || {
        let now = SAME_WISH_MILLIS + u64::try_from(began.elapsed().as_millis()).unwrap_or(u64::MAX);
        let set = |last: u64| (now.saturating_sub(last) >= SAME_WISH_MILLIS).then_some(now);
        if last_wish.fetch_update(Ordering::Relaxed, Ordering::Relaxed, set).is_err() {
            return;
        }
        if is_raised.load(Ordering::Relaxed) {
            low_level::exit(INTERRUPTED.into());
        }
    };
    // SAFETY: the handler only reads the clock and atomics, and exits without any cleaning up.
    #[expect(unsafe_code, reason = "a signal handler")]
    unsafe { low_level::register(signal, handler) }.map(drop)
}

impl AsFd for Interrupt {
    fn as_fd(&self) -> BorrowedFd<'_> {
        self.0.raised.as_fd()
    }
}

#[cfg(test)]
mod tests {
    use rustix::event::{PollFd, PollFlags, Timespec, poll};

    use super::*;

    fn is_readable(descriptor: BorrowedFd<'_>) -> bool {
        let mut watched = [PollFd::from_borrowed_fd(descriptor, PollFlags::IN)];
        poll(&mut watched, Some(&Timespec::default())).unwrap() == 1
    }

    /// A first step whose Ctrl-C is a byte of the test.
    fn in_steps() -> (Interrupt, UnixStream) {
        let (signals, signal_came) = UnixStream::pair().unwrap();
        signals.set_nonblocking(true).unwrap();
        let first_step = FirstStep { signals, counted: AtomicUsize::new(0) };
        let mut shared = SharedInterrupt::new().unwrap();
        shared.first_step = Some(first_step);
        (Interrupt(Arc::new(shared)), signal_came)
    }

    #[test]
    fn what_is_raised_stays_raised_for_all() {
        let interrupt = Interrupt::by_hand().unwrap();
        let other = interrupt.clone();
        assert!(!other.is_raised() && !is_readable(other.as_fd()));
        assert_eq!(interrupt.level(), StopLevel::None);
        interrupt.raise();
        for _ in 0..2 {
            assert!(other.is_raised() && is_readable(other.as_fd()));
            assert_eq!(other.level(), StopLevel::EndRunning);
        }
    }

    #[test]
    fn the_first_interrupt_lets_matches_end_and_the_second_ends_them() {
        let (interrupt, mut ctrl_c) = in_steps();
        assert_eq!(interrupt.level(), StopLevel::None);
        ctrl_c.write_all(&[0]).unwrap();
        assert!(is_readable(interrupt.news()) && !is_readable(interrupt.as_fd()));
        assert_eq!(interrupt.level(), StopLevel::AfterRunning);
        assert!(!is_readable(interrupt.news()) && !interrupt.is_raised());
        ctrl_c.write_all(&[0]).unwrap();
        assert_eq!(interrupt.level(), StopLevel::EndRunning);
        assert!(interrupt.is_raised() && is_readable(interrupt.as_fd()));
        assert_eq!(interrupt.level(), StopLevel::EndRunning);
    }
}
