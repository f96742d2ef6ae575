//! A child process that runs our code before it becomes a program or ends.

use std::ffi::{c_int, c_void};
use std::io;
use std::mem::MaybeUninit;
use std::os::fd::{AsRawFd, OwnedFd};
use std::ptr;
use std::sync::atomic::{AtomicI32, Ordering};

use nix::sys::signal::{SigSet, SigmaskHow, pthread_sigmask};
use rustix::process::Pid;

/// The stack of such a child, in units of 16 bytes. It uses some hundred bytes.
type Stack = [MaybeUninit<u128>];

/// A stack of 64 KiB.
pub(super) fn new_stack() -> Box<Stack> {
    Box::new_uninit_slice(4096)
}

/// The child shares our memory and descriptors' numbers, and we wait until it has become a program
/// or has ended.
pub(super) const WAITED_FOR: c_int = libc::CLONE_VM | libc::CLONE_VFORK | libc::SIGCHLD;

/// Why a child that shares our memory has not done its work: the system's number, or 0.
#[derive(Default)]
pub(super) struct ChildError(AtomicI32);

impl ChildError {
    /// In the child: keeps the error of its work.
    pub(super) fn keep_that_of(&self, work: io::Result<()>) {
        if let Err(error) = work {
            self.0.store(error.raw_os_error().unwrap_or(libc::EIO), Ordering::Relaxed);
        }
    }

    /// In its parent, as soon as the child has ended or become a program.
    pub(super) fn result(&self) -> io::Result<()> {
        match self.0.load(Ordering::Relaxed) {
            0 => Ok(()),
            error => Err(io::Error::from_raw_os_error(error)),
        }
    }
}

/// Starts a child that runs `child`, with these flags of `clone`, and ends with the exit code that it
/// returns, if it returns. Unless it is [waited for](WAITED_FOR), it has a copy of our memory. It is
/// born in the control group with this folder, where there are
/// [such](super::super::control_group::CGROUP_AT_BIRTH).
///
/// Other threads may hold locks when `child` begins, so it only makes system calls on prepared
/// values: it neither allocates nor frees, and takes no lock.
pub(super) fn start<C: Fn() -> c_int>(
    child: &C,
    stack: &mut Stack,
    flags: c_int,
    cgroup: Option<&OwnedFd>,
) -> io::Result<Pid> {
    #[cfg(target_arch = "x86_64")]
    if let Some(group) = cgroup {
        return start_in(group, child, stack, flags);
    }
    let _ = cgroup;
    // SAFETY: either the child has a copy of our memory, or the kernel has this thread wait until the
    // child has a memory of its own or is gone, so `child` and the stack outlive its use of them,
    // and nothing changes them meanwhile. The stack grows down from its end, which is aligned to 16
    // bytes. `begin` takes what is handed to it here, and does not return.
    #[expect(unsafe_code, reason = "no library starts a process in this way and then confines it")]
    let started = unsafe {
        let top = stack.as_mut_ptr_range().end.cast::<c_void>();
        libc::clone(begin::<C>, top, flags, ptr::from_ref(child).cast_mut().cast::<c_void>())
    };
    Pid::from_raw(started.max(0)).ok_or_else(io::Error::last_os_error)
}

/// Does the same by `clone3`, which alone knows control groups: to enter a group later would take the
/// kernel up to 16 ms. The C library has no function for it.
#[cfg(target_arch = "x86_64")]
fn start_in<C: Fn() -> c_int>(
    group: &OwnedFd,
    child: &C,
    stack: &mut Stack,
    flags: c_int,
) -> io::Result<Pid> {
    let signal = if flags & libc::CLONE_PARENT == 0 { libc::SIGCHLD } else { 0 };
    let arguments = libc::clone_args {
        flags: u64::from((flags & !libc::SIGCHLD).cast_unsigned()) | INTO_GROUP,
        exit_signal: signal.unsigned_abs().into(),
        stack: stack.as_mut_ptr() as u64,
        stack_size: size_of_val(stack) as u64,
        cgroup: group.as_raw_fd().unsigned_abs().into(),
        pidfd: 0,
        child_tid: 0,
        parent_tid: 0,
        tls: 0,
        set_tid: 0,
        set_tid_size: 0,
    };
    let answer: i64;
    // SAFETY: as in `start`. The kernel reads `arguments` and writes nothing. In the child, whose
    // answer is 0, `begin` is called on the new stack with what it takes, as the C library does it;
    // it does not return. In this thread the call changes the registers that are named here alone.
    #[expect(unsafe_code, reason = "a child on a stack of its own must not return from a function")]
    unsafe {
        std::arch::asm!(
            "syscall",
            "test rax, rax",
            "jnz 2f",
            "xor ebp, ebp",
            "mov rdi, r13",
            "call r12",
            "ud2",
            "2:",
            inlateout("rax") libc::SYS_clone3 => answer,
            in("rdi") &raw const arguments,
            in("rsi") size_of::<libc::clone_args>(),
            in("r12") begin::<C> as extern "C" fn(*mut c_void) -> c_int,
            in("r13") ptr::from_ref(child),
            lateout("rcx") _,
            lateout("r11") _,
        );
    }
    let number = i32::try_from(answer).unwrap_or(-libc::EIO);
    Pid::from_raw(number.max(0)).ok_or_else(|| io::Error::from_raw_os_error(-number))
}

/// The flag of `clone3` for a child in a control group, `CLONE_INTO_CGROUP`.
#[cfg(target_arch = "x86_64")]
const INTO_GROUP: u64 = 1 << 33;

/// Does something while no signal reaches this thread: a handler of ours would run in a child that
/// has our memory, and not for us.
pub(super) fn without_signals<T>(action: impl FnOnce() -> io::Result<T>) -> io::Result<T> {
    let mut before = SigSet::empty();
    pthread_sigmask(SigmaskHow::SIG_SETMASK, Some(&SigSet::all()), Some(&mut before))?;
    let done = action();
    pthread_sigmask(SigmaskHow::SIG_SETMASK, Some(&before), None)?;
    done
}

/// Closes all descriptors of this process but this one. Where the kernel cannot, they stay open.
pub(super) fn close_all_but(kept: &impl AsRawFd) {
    let kept = kept.as_raw_fd().unsigned_abs();
    close_range(0, kept.saturating_sub(1));
    close_range(kept + 1, u32::MAX);
}

/// Closes descriptors of a child that uses none of them any more.
fn close_range(first: u32, last: u32) {
    // SAFETY: the call takes numbers. The child has a table of descriptors of its own, and whoever
    // calls this uses none of these after it.
    #[expect(unsafe_code, reason = "no library closes descriptors that others own")]
    unsafe {
        libc::syscall(libc::SYS_close_range, first, last, 0);
    }
}

extern "C" fn begin<C: Fn() -> c_int>(child: *mut c_void) -> c_int {
    // SAFETY: `start` hands on a pointer to what it borrows, and what it points to lives until this
    // has ended.
    #[expect(unsafe_code, reason = "the kernel hands on a pointer")]
    let child = unsafe { &*child.cast::<C>() };
    let code = child();
    // SAFETY: it ends the child alone, at once, and runs nothing of ours.
    #[expect(unsafe_code, reason = "to return would run what ends the warden")]
    unsafe {
        libc::_exit(code)
    }
}
