//! What a bot's process does between `fork` and `exec`: it takes on all that holds the bot, and
//! then becomes the bot. Nothing of ours ever runs in a bot's Landlock domain, where the bot could
//! send it signals.
//!
//! The only module with `unsafe` code. The process that runs this is a copy of a program that may
//! have had other threads, whose locks stay locked for ever. So all that needs memory or a lock is
//! done before, and what is left are system calls on values that are ready.

use std::io;
use std::os::unix::process::CommandExt as _;
use std::process::Command;

#[cfg(target_os = "linux")]
use std::{os::fd::AsRawFd as _, os::fd::OwnedFd, sync::Arc};

#[cfg(target_os = "linux")]
use rustix::thread::{CapabilitiesSecureBits, CapabilitySet, CapabilitySets};

/// What holds a bot in the sandbox, ready to be taken on.
#[cfg(target_os = "linux")]
#[derive(Debug)]
pub(super) struct Confinement {
    /// A Landlock ruleset.
    pub(super) rules: OwnedFd,
    /// The seccomp filters.
    pub(super) filters: Arc<[seccompiler::BpfProgram; 2]>,
}

/// Nothing holds bots where the kernel is not Linux.
#[cfg(not(target_os = "linux"))]
#[derive(Debug)]
pub(super) enum Confinement {}

/// Has the command's process, whenever it is started, take on what holds a bot before it becomes
/// the bot.
pub(super) fn take_on(command: &mut Command, confinement: Option<Confinement>) {
    let steps = move || {
        be_the_first_to_go();
        confinement.as_ref().map_or(Ok(()), confine)
    };
    // SAFETY: `steps` allocates nothing, frees nothing and takes no lock: see the functions that
    // it calls. What it owns was made before and is only read; its memory is the child's own copy.
    #[expect(unsafe_code, reason = "nothing safe runs between fork and exec")]
    unsafe {
        command.pre_exec(steps);
    }
}

/// Has the system, when it runs out of memory, end this process before any other one.
fn be_the_first_to_go() {
    // Two or three system calls, with arguments that are constants. Without /proc, or where the
    // system forbids it, the bot is as likely to be ended as any other program.
    #[cfg(target_os = "linux")]
    {
        use rustix::fs::{Mode, OFlags, open};
        let flags = OFlags::WRONLY | OFlags::CLOEXEC;
        if let Ok(file) = open(c"/proc/self/oom_score_adj", flags, Mode::empty()) {
            let _ = rustix::io::write(&file, b"1000");
        }
    }
}

#[cfg(target_os = "linux")]
fn confine(confinement: &Confinement) -> io::Result<()> {
    // Each of these is one system call, or two, and its errors are numbers.
    if rustix::process::geteuid().is_root() {
        // Or a program of the superuser would get its privileges back.
        let bits = CapabilitiesSecureBits::NO_ROOT | CapabilitiesSecureBits::NO_ROOT_LOCKED;
        rustix::thread::set_capabilities_secure_bits(bits)?;
    }
    let none = CapabilitySet::empty();
    let sets = CapabilitySets { effective: none, permitted: none, inheritable: none };
    rustix::thread::set_capabilities(None, sets)?;
    rustix::thread::set_no_new_privs(true)?;
    restrict_self(&confinement.rules)?;
    for filter in confinement.filters.iter() {
        // The library calls `prctl` and `seccomp` with a pointer into the program; its errors
        // hold a number.
        seccompiler::apply_filter(filter).map_err(|_| last_error())?;
    }
    Ok(())
}

#[cfg(not(target_os = "linux"))]
fn confine(confinement: &Confinement) -> io::Result<()> {
    match *confinement {}
}

/// Takes on a Landlock ruleset.
#[cfg(target_os = "linux")]
fn restrict_self(rules: &OwnedFd) -> io::Result<()> {
    // SAFETY: the call takes a descriptor, which is open for as long as it is borrowed, and flags,
    // of which there are none; it reads and writes no memory of ours.
    #[expect(unsafe_code, reason = "no library calls it without taking the ruleset apart")]
    let answer = unsafe { libc::syscall(libc::SYS_landlock_restrict_self, rules.as_raw_fd(), 0) };
    if answer == 0 { Ok(()) } else { Err(last_error()) }
}

/// The error of the last system call, as a number alone.
#[cfg(target_os = "linux")]
fn last_error() -> io::Error {
    io::Error::last_os_error()
}
