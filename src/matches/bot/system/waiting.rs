//! Waiting until descriptors are ready.

use std::io;
use std::os::fd::{AsFd, BorrowedFd};
use std::time::Duration;

use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::io::Errno;

/// A descriptor, and what it is waited for.
pub(crate) type Source<'a> = (BorrowedFd<'a>, PollFlags);

/// A descriptor that is waited for until something can be read, or its end.
pub fn input(descriptor: &impl AsFd) -> Source<'_> {
    (descriptor.as_fd(), PollFlags::IN)
}

/// Waits at most `at_most` until one of `sources` is ready, and says of each whether it is. A missing
/// one never is. A signal only makes the wait shorter; a time beyond the clock's range is for ever.
///
/// # Errors
///
/// When the system has no memory for it.
pub fn wait_for<const N: usize>(
    sources: [Option<Source<'_>>; N],
    at_most: Duration,
) -> io::Result<[bool; N]> {
    let Some(present) = sources.iter().flatten().next() else { return Ok([false; N]) };
    // A missing one is replaced by one that is watched anyway.
    let mut watched = sources.each_ref().map(|source| {
        let (descriptor, flags) = source.as_ref().unwrap_or(present);
        PollFd::from_borrowed_fd(*descriptor, *flags)
    });
    match poll(&mut watched, Timespec::try_from(at_most).ok().as_ref()) {
        Ok(0) | Err(Errno::INTR) => Ok([false; N]),
        Ok(_) => Ok(std::array::from_fn(|index| {
            sources[index].is_some() && !watched[index].revents().is_empty()
        })),
        Err(error) => Err(error.into()),
    }
}

/// Whether something can be read now, or the end has come.
pub(crate) fn is_readable(descriptor: &impl AsFd) -> bool {
    wait_for([Some(input(descriptor))], Duration::ZERO).is_ok_and(|[ready]| ready)
}
