//! Calls of a bot in the sandbox that the kernel hands to the warden, for a filter sees only their
//! arguments.
//!
//! - Which cores the bot is to have: those of its warden, or fewer of them. The warden reads them at the
//!   address that the call names and makes the call itself: what the bot writes there meanwhile changes
//!   nothing. Where the kernel does not hand on calls, every such call is refused.
//! - The [changes of files](super::file_changes) that builds ask for, which it makes in the same way.
//! - The timers that the bot makes, which it counts.
//!
//! Has `unsafe` code: no library makes these system calls.

use std::fs::File;
use std::io;
use std::mem::MaybeUninit;
use std::os::fd::{AsFd, AsRawFd as _, BorrowedFd, FromRawFd as _, OwnedFd};
use std::os::unix::fs::FileExt as _;
use std::os::unix::net::UnixStream;
use std::path::PathBuf;

use rustix::io::Errno;
use rustix::process::Pid;
use rustix::thread::{CpuSet, sched_getaffinity, sched_setaffinity};
use seccompiler::BpfProgram;

use super::file_changes::FileChange;
use super::filter;
use crate::bot::system;
use crate::bot::warden::wire;

/// More calls than any program makes. Who makes more is told that there is no such call: to answer
/// takes a warden longer than the bot needs to ask.
const MOST_CALLS: u32 = 1000;

/// Most timers that a bot can make; runtimes make one each. A timer is due although its bot is stopped,
/// and one that many descriptors watch then takes the kernel tens of microseconds of the opponent's time.
const MOST_TIMERS: u32 = 32;

/// The calls that make timers.
const TIMERS: [i64; 2] = [libc::SYS_timerfd_create, libc::SYS_timer_create];

/// Bytes of a set of cores.
const SET: usize = CpuSet::MAX_CPU / 8;

/// The flag of an answer after which the kernel makes the call: `SECCOMP_USER_NOTIF_FLAG_CONTINUE`.
const CONTINUE: u32 = 1;

/// What has such calls handed to the warden, ready for a process to take on.
pub(crate) struct HandedCallsFilter {
    handed_on: BpfProgram,
    refused: BpfProgram,
    /// The way of a listener from the process that takes on the filter to the warden.
    to_warden: UnixStream,
}

impl HandedCallsFilter {
    /// With the calls by which builds change files, if the bots are builds.
    pub(crate) fn new(to_warden: UnixStream, of_builds: bool) -> HandedCallsFilter {
        let changes = if of_builds { filter::CHANGES } else { &[] };
        let calls = changes.iter().copied().chain([libc::SYS_sched_setaffinity]);
        let handed_on = calls.clone().chain(TIMERS);
        HandedCallsFilter {
            handed_on: filter::answering(handed_on, libc::SECCOMP_RET_USER_NOTIF),
            refused: filter::answering(calls, filter::refusal(Errno::PERM)),
            to_warden,
        }
    }

    /// Has this process, which is to become a bot, and all that it starts be held to the warden's
    /// cores. Only system calls on prepared values: it runs before `exec`.
    pub(crate) fn apply(&self) -> io::Result<()> {
        match install(&self.handed_on, libc::SECCOMP_FILTER_FLAG_NEW_LISTENER) {
            Ok(listener) => {
                // SAFETY: the kernel has just opened it for us.
                #[expect(unsafe_code, reason = "a system call hands out a descriptor")]
                let listener = unsafe { OwnedFd::from_raw_fd(listener) };
                wire::send_some(&self.to_warden, b"x", &[listener.as_fd()]).map(drop)
            }
            // Only one listener may watch a process, and another program has one.
            Err(_) => install(&self.refused, 0).map(drop),
        }
    }
}

/// Takes on a filter. Returns the descriptor that there is with some flags.
fn install(program: &BpfProgram, flags: libc::c_ulong) -> io::Result<i32> {
    let len = u16::try_from(program.len()).map_err(|_| Errno::TOOBIG)?;
    let filter = program.as_ptr().cast_mut().cast::<libc::sock_filter>();
    let program = libc::sock_fprog { len, filter };
    // SAFETY: the kernel reads `len` instructions, which have the same layout in both libraries,
    // and writes nothing.
    #[expect(unsafe_code, reason = "the library that knows filters hands out no listener")]
    let answer = unsafe {
        let set = libc::SECCOMP_SET_MODE_FILTER;
        libc::syscall(libc::SYS_seccomp, set, flags, std::ptr::from_ref(&program))
    };
    if answer < 0 {
        return Err(io::Error::last_os_error());
    }
    i32::try_from(answer).map_err(|_| Errno::BADF.into())
}

/// Where the calls of a bot arrive.
pub(crate) struct Listener {
    /// It, or as long as it has not come the socket.
    descriptor: OwnedFd,
    /// The socket by which it is still to come.
    socket: Option<UnixStream>,
    /// The warden's cores.
    own: CpuSet,
    /// Where it may change modes and times of files: a build.
    changed: Vec<PathBuf>,
    /// How many there have been.
    calls: u32,
    /// How many of them made timers.
    timers: u32,
}

/// Readable when there is a call.
impl AsFd for Listener {
    fn as_fd(&self) -> BorrowedFd<'_> {
        self.descriptor.as_fd()
    }
}

impl Listener {
    /// The one that came by `socket` last, if there is one, of a process that may change files
    /// below the folders `changed`.
    pub(super) fn last_of(socket: &UnixStream, changed: Vec<PathBuf>) -> Option<Listener> {
        let mut descriptors = Vec::new();
        // Those of processes that came to nothing are there, too.
        while wire::receive_some(socket, &mut [0], &mut descriptors).is_ok_and(|got| got > 0) {}
        let descriptor = descriptors.pop()?;
        let own = sched_getaffinity(None).ok()?;
        Some(Listener { descriptor, socket: None, own, changed, calls: 0, timers: 0 })
    }

    /// The one that will come by `socket`, if any does.
    pub(crate) fn coming(socket: UnixStream, changed: Vec<PathBuf>) -> io::Result<Listener> {
        let (descriptor, own) = (socket.try_clone()?.into(), sched_getaffinity(None)?);
        Ok(Listener { descriptor, socket: Some(socket), own, changed, calls: 0, timers: 0 })
    }

    /// Answers a call. Returns whether more are to be answered.
    pub(crate) fn answer(&mut self) -> bool {
        if let Some(socket) = self.socket.take() {
            let listener = Listener::last_of(&socket, std::mem::take(&mut self.changed));
            let has_come = listener.is_some();
            if let Some(listener) = listener {
                *self = listener;
            }
            return has_come;
        }
        let mut call = MaybeUninit::<libc::seccomp_notif>::zeroed();
        let received = self.ioctl(libc::SECCOMP_IOCTL_NOTIF_RECV, call.as_mut_ptr());
        // Its process may have ended.
        if received.is_ok() {
            // SAFETY: a structure of integers, which may be all zeros and were filled in.
            #[expect(unsafe_code, reason = "the kernel fills in a structure")]
            let call = unsafe { call.assume_init() };
            let is_of_timer = TIMERS.contains(&call.data.nr.into());
            let made = if is_of_timer { self.count_timer() } else { self.make(&call) };
            let error = made.err().map_or(0, |error| -error.raw_os_error());
            // A timer is made by the kernel itself.
            let goes_on = is_of_timer && made.is_ok();
            let flags = if goes_on { CONTINUE } else { 0 };
            let mut answer = libc::seccomp_notif_resp { id: call.id, val: 0, error, flags };
            let _ = self.ioctl(libc::SECCOMP_IOCTL_NOTIF_SEND, &raw mut answer);
        }
        self.calls += 1;
        // A build has no opponent whose time that takes.
        !self.changed.is_empty() || self.calls < MOST_CALLS
    }

    /// Counts a timer more.
    fn count_timer(&mut self) -> Result<(), Errno> {
        self.timers += 1;
        if self.timers > MOST_TIMERS { Err(Errno::NOMEM) } else { Ok(()) }
    }

    /// Makes the call that a thread has asked for.
    fn make(&mut self, call: &libc::seccomp_notif) -> Result<(), Errno> {
        let change = FileChange::of(call.data.nr.into(), call.data.args);
        let from = change.as_ref().map(|change| change.open_from(call.pid)).transpose()?;
        let memory = File::open(format!("/proc/{}/mem", call.pid)).map_err(|_| Errno::PERM)?;
        // What was opened is its own if it still waits for the answer.
        let mut id = call.id;
        self.ioctl(libc::SECCOMP_IOCTL_NOTIF_ID_VALID, &raw mut id).map_err(|_| Errno::SRCH)?;
        match change.zip(from) {
            Some((change, from)) => change.make(from, &memory, &self.changed),
            None => self.set_cores(call, &memory),
        }
    }

    /// Sets the cores of a thread.
    fn set_cores(&mut self, call: &libc::seccomp_notif, memory: &File) -> Result<(), Errno> {
        let [target, size, address, ..] = call.data.args;
        let caller = call.pid;
        // As the kernel reads it, by its lower half.
        let thread = match target & u64::from(u32::MAX) {
            0 => i32::try_from(caller).ok().and_then(Pid::from_raw),
            other => {
                let (thread, looks) = own_thread(caller, other);
                // To find it takes the opponent's time as answers do.
                self.calls = self.calls.saturating_add(looks);
                thread
            }
        };
        let thread = thread.ok_or(Errno::PERM)?;
        let mut bytes = [0; SET];
        let size = usize::try_from(size & u64::from(u32::MAX)).map_or(SET, |size| size.min(SET));
        memory.read_exact_at(&mut bytes[..size], address).map_err(|_| Errno::FAULT)?;
        let wanted = cores(&bytes);
        if (0..CpuSet::MAX_CPU).any(|core| wanted.is_set(core) && !self.own.is_set(core)) {
            return Err(Errno::PERM);
        }
        sched_setaffinity(Some(thread), &wanted)
    }

    /// One of the three calls that listeners have.
    fn ioctl<T>(&self, request: libc::Ioctl, argument: *mut T) -> io::Result<()> {
        // SAFETY: each request is called with a pointer to the structure that it is declared with.
        #[expect(unsafe_code, reason = "no library makes these calls")]
        let answer = unsafe { libc::ioctl(self.descriptor.as_raw_fd(), request, argument) };
        if answer == 0 { Ok(()) } else { Err(io::Error::last_os_error()) }
    }
}

/// The thread with the number `number` in the process of `caller`, which may have its numbers in a namespace
/// of its own; and how many threads were looked at, but for the first two.
fn own_thread(caller: u32, number: u64) -> (Option<Pid>, u32) {
    let is_it = |thread: &str| {
        let status = std::fs::read(format!("/proc/{caller}/task/{thread}/status"));
        // The name of a thread need not be text.
        let status = String::from_utf8_lossy(&status.unwrap_or_default()).into_owned();
        // Of its numbers the innermost stands last.
        let field = |name| system::line_of(&status, name);
        let numbers = field("NSpid:").or_else(|| field("Pid:"));
        let innermost = numbers.and_then(|it| it.split_whitespace().next_back());
        innermost.is_some_and(|it| it.parse() == Ok(number))
    };
    let pid = |thread: &str| thread.parse().ok().and_then(Pid::from_raw);
    // Mostly it is the thread itself, or there is no namespace.
    let near = [caller.to_string(), number.to_string()];
    if let Some(thread) = near.iter().find(|thread| is_it(thread)) {
        return (pid(thread), 0);
    }
    let threads = std::fs::read_dir(format!("/proc/{caller}/task")).into_iter().flatten();
    let mut looks = 0;
    for thread in threads.flatten() {
        looks += 1;
        let name = thread.file_name();
        if let Some(name) = name.to_str().filter(|name| is_it(name)) {
            return (pid(name), looks);
        }
    }
    (None, looks)
}

/// A set of cores as the kernel has it, on processors with the lowest byte first.
fn cores(bytes: &[u8; SET]) -> CpuSet {
    let mut set = CpuSet::new();
    for core in (0..CpuSet::MAX_CPU).filter(|core| bytes[core / 8] >> (core % 8) & 1 == 1) {
        set.set(core);
    }
    set
}
