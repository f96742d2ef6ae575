//! How threads are scheduled: how long one may keep its processor while others wait for it, its class
//! and its priority, there and at disks.
//!
//! Has `unsafe` code: no library makes these system calls.

use std::mem::MaybeUninit;
use std::ptr;

use rustix::process::Pid;

/// Asks the system for a time slice a quarter longer than usual for this thread, but not for what
/// it starts.
///
/// The referee and the bots of a match work in turns, often on one processor. With equal slices,
/// whether Linux stops the writer of a line as soon as its reader wakes up depends on what ran before.
/// It always stops a writer with a longer slice, and never lets it stop others: a bot thinks as soon
/// as it is asked, and is not stopped as soon as it has answered. Without this, 300 matches of bots
/// that answer at once take 5 % longer on one processor (median of 40 alternating pairs).
///
/// Nothing changes on a kernel without such slices, or if this program was not started with the usual
/// scheduling policy.
pub(super) fn ask_for_a_longer_one() {
    ask_for(|usual| usual / 4 * 5);
}

/// Asks the system for the shortest time slice for this thread, but not for what it starts: it runs
/// soon after it has woken up, however many others want to.
pub(super) fn ask_for_the_shortest_one() {
    ask_for(|_| SHORTEST);
}

fn ask_for(slice: impl Fn(u64) -> u64) {
    let Some(Scheduling(usual)) = Scheduling::of(None) else { return };
    let is_usual = usual.sched_policy == USUAL_POLICY && usual.sched_nice >= 0;
    // Older kernels do not tell the slice.
    if is_usual && usual.sched_runtime > 0 {
        let sched_runtime = slice(usual.sched_runtime);
        // Where it is refused, turns are only slower.
        let _ = set(None, &libc::sched_attr { sched_runtime, sched_flags: RESET_ON_FORK, ..usual });
    }
}

/// In nanoseconds.
const SHORTEST: u64 = 100_000;

const USUAL_POLICY: u32 = 0;

/// What a thread starts is scheduled as usual.
const RESET_ON_FORK: u64 = 1;

/// How a thread is scheduled: its class, its priority and its slice.
pub(super) struct Scheduling(libc::sched_attr);

impl Scheduling {
    /// That of a thread, or of this one. `None` where the system does not tell.
    pub(super) fn of(thread: Option<Pid>) -> Option<Scheduling> {
        let mut attributes = MaybeUninit::<libc::sched_attr>::zeroed();
        let size = size_of::<libc::sched_attr>();
        let place = attributes.as_mut_ptr();
        // SAFETY: the system writes at most `size` bytes into a structure of that size, and a
        // structure of integers may be all zeros.
        #[expect(unsafe_code, reason = "no library makes this system call")]
        unsafe {
            let done = libc::syscall(libc::SYS_sched_getattr, number_of(thread), place, size, 0);
            (done == 0).then(|| Scheduling(attributes.assume_init()))
        }
    }

    /// Has a thread of another class, with a better priority or a shorter slice be scheduled so.
    /// Returns whether it was one and is no more: without privileges none comes back from the class
    /// that goes after all others.
    pub(super) fn hold(&self, thread: Pid) -> bool {
        let (usual, Some(Scheduling(its))) = (self.0, Scheduling::of(Some(thread))) else {
            return false;
        };
        let is_of_its_class = its.sched_policy == usual.sched_policy;
        // Older kernels do not tell the slice.
        let has_its_slice = its.sched_runtime == 0 || its.sched_runtime >= usual.sched_runtime;
        if is_of_its_class && has_its_slice && its.sched_nice >= usual.sched_nice {
            return false;
        }
        let sched_nice = its.sched_nice.max(usual.sched_nice);
        set(Some(thread), &libc::sched_attr { sched_nice, sched_flags: 0, ..usual })
    }
}

/// A thread's turn at disks: its class and its level there, in one number.
#[derive(Clone, Copy)]
pub(super) struct DiskPriority(i64);

impl DiskPriority {
    /// That of a thread, or of this one. `None` where the system does not tell.
    pub(super) fn of(thread: Option<Pid>) -> Option<DiskPriority> {
        // SAFETY: the call reads no memory of this process.
        #[expect(unsafe_code, reason = "no library makes this system call")]
        let priority = unsafe { libc::syscall(libc::SYS_ioprio_get, A_THREAD, number_of(thread)) };
        (priority >= 0).then_some(DiskPriority(priority))
    }

    /// Takes a better one from a thread. Returns whether it had one and has it no more.
    pub(super) fn hold(self, thread: Pid) -> bool {
        let is_better = |its: DiskPriority| its.rank() < self.rank();
        // SAFETY: the call reads no memory of this process.
        #[expect(unsafe_code, reason = "no library makes this system call")]
        let put_back = || unsafe {
            libc::syscall(libc::SYS_ioprio_set, A_THREAD, number_of(Some(thread)), self.0) == 0
        };
        DiskPriority::of(Some(thread)).is_some_and(is_better) && put_back()
    }

    /// Smaller for who goes first.
    const fn rank(self) -> i64 {
        /// A thread without a disk priority is served as at level 4 of the class `best effort`.
        const NONE: i64 = 2 * 8 + 4;
        match self.0 >> 13 {
            0 => NONE,
            class => 8 * class + self.0 % 8,
        }
    }
}

/// What a priority at disks is of: one thread.
const A_THREAD: libc::c_long = 1;

/// A thread as a system call takes it: 0 is this one.
fn number_of(thread: Option<Pid>) -> libc::pid_t {
    thread.map_or(0, |thread| thread.as_raw_nonzero().get())
}

/// Returns whether the system does it.
fn set(thread: Option<Pid>, attributes: &libc::sched_attr) -> bool {
    // SAFETY: the system reads the structure, which says how long it is.
    #[expect(unsafe_code, reason = "no library makes this system call")]
    unsafe {
        let attributes = ptr::from_ref(attributes);
        libc::syscall(libc::SYS_sched_setattr, number_of(thread), attributes, 0) == 0
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bot::testing::left_out;

    #[test]
    fn priorities_at_disks_are_ordered() {
        let of = |class: i64, level| DiskPriority(class << 13 | level).rank();
        assert!(of(1, 7) < of(2, 0) && of(2, 0) < of(2, 4) && of(2, 7) < of(3, 0));
        assert_eq!(of(0, 0), of(2, 4));
    }

    #[test]
    fn a_longer_slice_is_not_handed_on() {
        let slice = || Scheduling::of(None).map(|Scheduling(its)| its.sched_runtime);
        std::thread::spawn(move || {
            let Some(before) = slice().filter(|&before| before > 0) else {
                return left_out("the system does not tell a slice");
            };
            ask_for_a_longer_one();
            assert_eq!(slice(), Some(before / 4 * 5));
            assert_eq!(std::thread::spawn(slice).join().unwrap(), Some(before));
        })
        .join()
        .unwrap();
    }
}
