//! Namespaces of a bot's own, where the kernel has nothing better to keep it apart: of processes,
//! in which no other process has a number, and of the network, in which there is nothing but a
//! loopback.
//!
//! They are made for their first process, which is ours, reaps the bot's orphans as the kernel
//! wants of a first process, and does nothing else. When it is killed, the kernel kills all the
//! others.

use std::ffi::{CStr, c_int};
use std::io::{self, PipeWriter, Read as _};
use std::mem::MaybeUninit;
use std::os::fd::{AsFd as _, OwnedFd};
use std::sync::atomic::{AtomicI32, Ordering};
use std::time::Duration;

use nix::sys::signal::{self, SigSet};
use rustix::fs::{Mode, OFlags, open};
use rustix::io::Errno;
use rustix::net::{AddressFamily, RecvFlags, SendFlags, SocketType, recv, send, socket};
use rustix::process::{
    Pid, Signal, WaitOptions, pidfd_send_signal, set_parent_process_death_signal, wait, waitpid,
};
use rustix::thread::{ThreadNameSpaceType, move_into_thread_name_spaces};

use super::ExecPreparation;
use super::child::{self, ChildError};
use crate::bot::system;
use crate::bot::warden::start::user_map::UserMap;

/// How long a killed first process may take to go, which is as long as those that it takes with it.
const KILL_WAIT: Duration = Duration::from_secs(1);

/// Which namespaces a bot gets.
pub(crate) struct Namespaces {
    kinds: ThreadNameSpaceType,
    /// Where one of users makes the others possible.
    user: Option<UserMap>,
}

impl Namespaces {
    /// Those of processes and, `with_network`, of the network, in the way in which they can be made
    /// here.
    ///
    /// # Errors
    ///
    /// When they cannot.
    pub(crate) fn prepare(with_network: bool) -> io::Result<Namespaces> {
        let mut kinds = ThreadNameSpaceType::PROCESS_ID;
        kinds.set(ThreadNameSpaceType::NETWORK, with_network);
        let any_user =
            Namespaces { kinds: kinds | ThreadNameSpaceType::USER, user: Some(UserMap::same()?) };
        let superuser = Namespaces { kinds, user: None };
        match any_user.make().and_then(|first| first.join()) {
            Ok(()) => Ok(any_user),
            // Namespaces of users may be turned off, which does not bind the superuser.
            Err(why) => {
                let again = superuser.make().and_then(|it| it.join());
                // Too few processes now, whoever asks.
                let is_short = system::is_out_of_processes;
                again.map(|()| superuser).map_err(|now| if is_short(&now) { now } else { why })
            }
        }
    }

    pub(crate) fn make(&self) -> io::Result<FirstProcess> {
        let (mut result, to_us) = io::pipe()?;
        let keeper = Keeper { spaces: self, to_us };
        let flags = libc::SIGCHLD | self.kinds.bits().cast_signed();
        let pid = child::without_signals(|| {
            child::start(&|| keeper.run(), &mut child::new_stack(), flags, None)
        })?;
        drop(keeper);
        let descriptor = system::pidfd(pid)?;
        let first = FirstProcess { pid, descriptor, kinds: self.kinds };
        let mut error = [0; 4];
        result.read_exact(&mut error)?;
        match i32::from_le_bytes(error) {
            0 => Ok(first),
            error => Err(io::Error::from_raw_os_error(error)),
        }
    }
}

/// The first process of a bot's namespaces, a child of ours. Dropping it ends all that is in them.
pub(crate) struct FirstProcess {
    pub pid: Pid,
    descriptor: OwnedFd,
    kinds: ThreadNameSpaceType,
}

impl FirstProcess {
    /// Whether one of users is among them.
    pub(super) const fn has_own_users(&self) -> bool {
        self.kinds.contains(ThreadNameSpaceType::USER)
    }

    /// Starts a bot in these namespaces. It is our child.
    pub(super) fn start(&self, bot: &ExecPreparation<'_>) -> io::Result<Pid> {
        let pid = AtomicI32::new(0);
        self.enter_and(|| {
            let flags = child::WAITED_FOR | libc::CLONE_PARENT;
            // A part of this child's own stack.
            let mut stack = [MaybeUninit::uninit(); 1024];
            let cgroup = bot.limiter.groups.cgroup.as_ref();
            let started = child::start(&|| bot.run(), &mut stack, flags, cgroup)?;
            pid.store(started.as_raw_nonzero().get(), Ordering::Relaxed);
            Ok(())
        })?;
        Pid::from_raw(pid.into_inner()).ok_or_else(|| Errno::CHILD.into())
    }

    /// Whether a process of ours can enter them.
    fn join(&self) -> io::Result<()> {
        child::without_signals(|| self.enter_and(|| Ok(())))
    }

    /// Does this in a short-lived child of ours that enters the namespaces: we ourselves could not
    /// leave them. What it starts there is our child, not its own.
    fn enter_and(&self, work: impl Fn() -> io::Result<()>) -> io::Result<()> {
        let error = ChildError::default();
        let enter = || {
            move_into_thread_name_spaces(self.descriptor.as_fd(), self.kinds)?;
            work()
        };
        let run = || {
            error.keep_that_of(enter());
            0
        };
        let helper = child::start(&run, &mut child::new_stack(), child::WAITED_FOR, None)?;
        // It has ended, or does so now.
        let _ = waitpid(Some(helper), WaitOptions::empty());
        error.result()
    }
}

impl Drop for FirstProcess {
    fn drop(&mut self) {
        let _ = pidfd_send_signal(&self.descriptor, Signal::KILL);
        system::reap_within(self.pid, KILL_WAIT);
    }
}

/// What the first process does.
struct Keeper<'a> {
    spaces: &'a Namespaces,
    to_us: PipeWriter,
}

impl Keeper<'_> {
    fn prepare(&self) -> io::Result<()> {
        rustix::thread::set_name(c"bot-first")?;
        set_parent_process_death_signal(Some(Signal::KILL))?;
        if let Some(user) = &self.spaces.user {
            user.apply()?;
        }
        if self.spaces.kinds.contains(ThreadNameSpaceType::NETWORK) {
            open_loopback()?;
        }
        Ok(())
    }

    fn run(&self) -> c_int {
        let prepared =
            self.prepare().err().map_or(0, |why| why.raw_os_error().unwrap_or(libc::EIO));
        child::close_all_but(&self.to_us);
        // Our end of the pipe was the only other one: if we are gone, nobody kills this process.
        let written = rustix::io::write(&self.to_us, &prepared.to_le_bytes());
        if prepared != 0 || written.is_err() {
            return 1;
        }
        // All signals are blocked, and wait.
        let mut ended = SigSet::empty();
        ended.add(signal::Signal::SIGCHLD);
        loop {
            while wait(WaitOptions::empty()).is_ok() {}
            let _ = ended.wait();
        }
    }
}

/// Makes a namespace of users in which the user is the same. It lasts as long as the descriptor.
pub(crate) fn new_user_space() -> io::Result<OwnedFd> {
    let map = UserMap::same()?;
    // It does nothing but be in it.
    let apply = || c_int::from(map.apply().is_err());
    let flags = child::WAITED_FOR | libc::CLONE_NEWUSER;
    let pid =
        child::without_signals(|| child::start(&apply, &mut child::new_stack(), flags, None))?;
    // It has ended and is not reaped, and is still in it.
    let space = std::fs::File::open(format!("/proc/{}/ns/user", pid.as_raw_nonzero()));
    let ended = waitpid(Some(pid), WaitOptions::empty())?;
    let is_made = ended.is_some_and(|(_, status)| status.exit_status() == Some(0));
    if is_made { space.map(OwnedFd::from) } else { Err(Errno::PERM.into()) }
}

/// What the kernel keeps for connections: at most as much as `--memory` counts for a socket, which may
/// be one that listens, with two connections that no one has accepted, where both ends have data.
const BOUNDS: [(&CStr, &[u8]); 4] = [
    (c"/proc/sys/net/ipv4/tcp_rmem", b"4096 65536 65536"),
    (c"/proc/sys/net/ipv4/tcp_wmem", b"4096 65536 65536"),
    (c"/proc/sys/net/core/somaxconn", b"1"),
    // Connections that were closed.
    (c"/proc/sys/net/ipv4/tcp_max_tw_buckets", b"1024"),
];

/// Brings up the only interface of a new namespace of the network.
fn open_loopback() -> io::Result<()> {
    for (file, most) in BOUNDS {
        let file = open(file, OFlags::WRONLY | OFlags::CLOEXEC, Mode::empty())?;
        rustix::io::write(&file, most)?;
    }
    let kernel = socket(AddressFamily::NETLINK, SocketType::RAW, None)?;
    // Its length; RTM_NEWLINK, a request with an answer; its sequence and our port; no family and
    // kind; the first interface, which is to be up, and nothing else about it.
    let words: [u32; 8] = [32, 16 | 5 << 16, 0, 0, 0, 1, 1, 1];
    let mut message = [0; 36];
    for (bytes, word) in message.chunks_mut(4).zip(words) {
        bytes.copy_from_slice(&word.to_le_bytes());
    }
    send(&kernel, &message[..32], SendFlags::empty())?;
    recv(&kernel, &mut message, RecvFlags::empty())?;
    let [.., a, b, c, d] = *message.first_chunk::<20>().ok_or(Errno::INVAL)?;
    match i32::from_le_bytes([a, b, c, d]) {
        0 => Ok(()),
        error => Err(io::Error::from_raw_os_error(-error)),
    }
}
