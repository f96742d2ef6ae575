//! Limits that the kernel keeps for each process.

use std::io;
use std::time::Duration;

use rustix::fs::Mode;
use rustix::process::{Pid, Resource, Rlimit, getrlimit, setrlimit, umask};

use crate::record::Resources;

/// Most descriptors that a bot may have open.
pub(crate) const DESCRIPTORS: u64 = 256;

/// The least address space, in bytes, in which this program has room for what it does itself.
const LEAST_ADDRESS_SPACE: u64 = 32 << 20;

/// The least stack, in bytes, in which this program reads its arguments.
const LEAST_STACK: u64 = 256 << 10;

/// Lets this process have as many descriptors open as its user may: each bot takes five.
pub(crate) fn raise_own_descriptors() {
    let limit = getrlimit(Resource::Nofile);
    // If that is refused, there are as many as before.
    let _ = setrlimit(Resource::Nofile, Rlimit { current: limit.maximum, ..limit });
}

/// Most descriptors that this process may have open. `None` without a limit.
pub(crate) fn own_descriptors() -> Option<u64> {
    getrlimit(Resource::Nofile).current
}

/// Makes sure that this process has enough address space: an allocation that fails would end it
/// without a word.
///
/// # Errors
///
/// When it has too little; the text says what to do.
pub(crate) fn require_address_space() -> io::Result<()> {
    require(Resource::As, LEAST_ADDRESS_SPACE, "address space", "ulimit -v")
}

/// Makes sure that the main thread has enough stack, which ends the program, too, when it overflows.
///
/// # Errors
///
/// When it has too little; the text says what to do.
pub fn require_stack() -> io::Result<()> {
    require(Resource::Stack, LEAST_STACK, "stack", "ulimit -s")
}

fn require(resource: Resource, least: u64, what: &str, how: &str) -> io::Result<()> {
    match getrlimit(resource).current {
        Some(most) if most < least => Err(io::Error::other(format!(
            "this program may use {most} bytes of {what} and needs {least}; raise that ({how})"
        ))),
        _ => Ok(()),
    }
}

/// Lets the user whose this process is read, write and enter what it and its bots make, whatever the
/// shell's umask: the referee makes folders for bots, and compilers make files for themselves.
pub(crate) fn open_own_files() {
    let mask = umask(Mode::RWXU);
    umask(mask - Mode::RWXU);
}

/// Sets the limits of this process, and of what it starts: the size of files, descriptors, no better
/// priority or class than it has, whatever its user may have, and no core dumps. Not memory: the kernel
/// counts what a process asks for, and virtual machines and sanitizers ask for much that they never
/// use.
pub(crate) fn limit_own_resources(limits: &Resources) -> io::Result<()> {
    // No file is so small. With 0 the kernel would still start a program that takes cores, where the
    // system has one, as the superuser and outside of all limits; with 1 it does not. To have no
    // process dumpable is no way: a program that is started is dumpable again.
    let one = Rlimit { current: Some(1), maximum: Some(1) };
    setrlimit(Resource::Core, one).or_else(|_| lower(Resource::Core, 0))?;
    lower(Resource::Nofile, DESCRIPTORS)?;
    lower(Resource::Nice, 0)?;
    lower(Resource::Rtprio, 0)?;
    if let Some(bytes) = limits.file_size {
        // The user's own limit may be lower. It is raised where that is allowed.
        let limit = Rlimit { current: Some(bytes), maximum: Some(bytes) };
        setrlimit(Resource::Fsize, limit).or_else(|_| lower(Resource::Fsize, bytes))?;
    }
    Ok(())
}

/// Sets a limit, unless it is lower already. Only system calls.
pub(crate) fn lower(resource: Resource, most: u64) -> rustix::io::Result<()> {
    let now = getrlimit(resource);
    let at_most = |limit: Option<u64>| Some(limit.map_or(most, |limit| limit.min(most)));
    let limit = Rlimit { current: at_most(now.current), maximum: at_most(now.maximum) };
    setrlimit(resource, limit)
}

/// Limits the processor time of a process that was just started, in whole seconds. At `limit` it
/// gets SIGXCPU, a second later SIGKILL.
pub(crate) fn limit_cpu_time(pid: Pid, limit: Duration) {
    let seconds = limit.as_secs().max(1);
    let limit = Rlimit { current: Some(seconds), maximum: Some(seconds + 1) };
    // Fails only when the process has ended.
    let _ = rustix::process::prlimit(Some(pid), Resource::Cpu, limit);
}
