//! What differs between kernels, behind one interface: how a process's end is seen and told,
//! which signals are ignored, and which limits the system keeps.

use std::ffi::CStr;
use std::fs::File;
use std::io;
use std::os::fd::{BorrowedFd, OwnedFd};
use std::path::PathBuf;
use std::sync::Once;
use std::time::{Duration, Instant};

use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::process::{
    Pid, Resource, Rlimit, WaitId, WaitIdOptions, WaitOptions, getrlimit, setrlimit, waitid,
    waitpid,
};

use crate::record::Resources;

/// A descriptor that becomes readable when the process ends. None where the kernel has no such
/// thing: then the end shows when the process's output closes.
#[cfg(target_os = "linux")]
pub(super) fn end_descriptor(pid: Pid) -> Option<OwnedFd> {
    rustix::process::pidfd_open(pid, rustix::process::PidfdFlags::empty()).ok()
}

#[cfg(not(target_os = "linux"))]
pub(super) fn end_descriptor(_: Pid) -> Option<OwnedFd> {
    None
}

/// The exit code or the signal with which a child of ours ended, if it has. It stays a zombie, so
/// that its number and its process group's stay taken.
pub(super) fn how_it_ended(pid: Pid) -> Option<(Option<i32>, Option<i32>)> {
    let options = WaitIdOptions::EXITED | WaitIdOptions::NOHANG | WaitIdOptions::NOWAIT;
    let status = waitid(WaitId::Pid(pid), options).ok()??;
    Some((status.exit_status(), status.terminating_signal()))
}

/// Waits at most so long for a child of ours to end, and reaps it.
pub(super) fn reap_within(pid: Pid, time: Duration) {
    let deadline = Instant::now() + time;
    while waitpid(Some(pid), WaitOptions::NOHANG).is_ok_and(|reaped| reaped.is_none()) {
        let left = deadline.saturating_duration_since(Instant::now());
        if left.is_zero() {
            return;
        }
        match end_descriptor(pid) {
            Some(ended) => {
                let timeout = Timespec::try_from(left).ok();
                // Interrupted or not, it is tried again.
                let _ = poll(&mut [PollFd::new(&ended, PollFlags::IN)], timeout.as_ref());
            }
            None => std::thread::sleep(left.min(Duration::from_micros(200))),
        }
    }
}

/// What is known of a process that becomes our child when its warden is killed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Orphan {
    /// It is not our child.
    NotOurs,
    /// It is, and runs.
    Runs,
    /// It is, and has ended with this exit code or this signal.
    Ended(Option<i32>, Option<i32>),
}

/// Whether a process is our child now, and how it ended. It stays a zombie.
pub(super) fn orphan(pid: Pid, descriptor: Option<BorrowedFd<'_>>) -> Orphan {
    let options = WaitIdOptions::EXITED | WaitIdOptions::NOHANG | WaitIdOptions::NOWAIT;
    #[cfg(target_os = "linux")]
    let which = descriptor.map_or(WaitId::Pid(pid), WaitId::PidFd);
    #[cfg(not(target_os = "linux"))]
    let (which, _) = (WaitId::Pid(pid), descriptor);
    match waitid(which, options) {
        Ok(Some(status)) => Orphan::Ended(status.exit_status(), status.terminating_signal()),
        Ok(None) => Orphan::Runs,
        Err(_) => Orphan::NotOurs,
    }
}

/// Kills the process that a descriptor of [`end_descriptor`] is of.
pub(super) fn kill_by_descriptor(descriptor: BorrowedFd<'_>) {
    #[cfg(target_os = "linux")]
    let _ = rustix::process::pidfd_send_signal(descriptor, rustix::process::Signal::KILL);
    #[cfg(not(target_os = "linux"))]
    let _ = descriptor;
}

/// How often the kernel has killed a process because memory ran out, where it counts that.
pub(super) fn out_of_memory_kills() -> Option<u64> {
    let counters = std::fs::read_to_string("/proc/vmstat").ok()?;
    counters.lines().find_map(|line| line.strip_prefix("oom_kill "))?.parse().ok()
}

/// Lets this process have as many descriptors open as its user may: each bot takes five.
pub(super) fn raise_own_descriptors() {
    let limit = getrlimit(Resource::Nofile);
    // Where that is refused, there are as many as before.
    let _ = setrlimit(Resource::Nofile, Rlimit { current: limit.maximum, ..limit });
}

/// Whether this process ignores that signal. Where the kernel does not tell, it does not.
pub(super) fn is_ignored(signal: i32) -> bool {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let ignored = status.lines().find_map(|line| line.strip_prefix("SigIgn:"));
    let ignored = ignored.and_then(|mask| u64::from_str_radix(mask.trim(), 16).ok());
    ignored.is_some_and(|mask| mask >> (signal - 1) & 1 == 1)
}

/// Makes the ends of children ours to see, whatever our parent did with SIGCHLD. A process that
/// was started with SIGCHLD ignored never sees how its children end, and the bounded wait calls
/// the handler that was there before its own, which then is none.
pub(super) fn watch_children() -> io::Result<()> {
    static ONCE: Once = Once::new();
    let mut outcome = Ok(());
    ONCE.call_once(|| {
        let seen = std::sync::Arc::default();
        outcome = signal_hook::flag::register(signal_hook::consts::SIGCHLD, seen).map(drop);
    });
    outcome
}

/// Has signals do what they do in other programs, whatever our parent has made of them: all arrive,
/// and one that comes with too large a file is an error of the write and not the end of us.
pub(super) fn receive_signals() -> io::Result<()> {
    nix::sys::signal::SigSet::all().thread_unblock()?;
    let seen = std::sync::Arc::default();
    signal_hook::flag::register(signal_hook::consts::SIGXFSZ, seen).map(drop)
}

/// Gives this process a name in lists of processes, where the kernel keeps one.
pub(super) fn name_process(name: &CStr) {
    #[cfg(target_os = "linux")]
    let _ = rustix::thread::set_name(name);
    #[cfg(not(target_os = "linux"))]
    let _ = name;
}

/// Has this process continue when its parent has died, even when it was stopped.
pub(super) fn wake_at_parents_death() {
    #[cfg(target_os = "linux")]
    let _ = rustix::process::set_parent_process_death_signal(Some(rustix::process::Signal::CONT));
}

/// Whether an error says nothing about who asks, and all about what the system or this user has left:
/// descriptors, those on their way included, memory, or processes.
pub(super) fn has_no_room(error: &io::Error) -> bool {
    use rustix::io::Errno;
    let error = error.raw_os_error().map(Errno::from_raw_os_error);
    let none = [Errno::MFILE, Errno::NFILE, Errno::TOOMANYREFS, Errno::NOMEM, Errno::NOBUFS];
    error.is_some_and(|error| none.contains(&error) || error == Errno::AGAIN)
}

/// What there was no room for, where an error says that there was none: which limit that is, and
/// what to do. Other errors stay as they are.
pub(crate) fn explained(error: io::Error) -> io::Error {
    use rustix::io::Errno;
    let limit = |resource| getrlimit(resource).current.map_or("no limit".into(), |n| n.to_string());
    let (kind, why) = match error.raw_os_error().map(Errno::from_raw_os_error) {
        Some(Errno::AGAIN) => {
            let most = limit(Resource::Nproc);
            let why = format!(
                "no more processes and threads: this user may have {most} (ulimit -u), and a \
                 control group may allow fewer (pids.max); raise that, or end some"
            );
            (io::ErrorKind::WouldBlock, why)
        }
        Some(Errno::MFILE) => {
            let most = limit(Resource::Nofile);
            (
                io::ErrorKind::Other,
                format!("no more open files than {most}; raise that (ulimit -n)"),
            )
        }
        Some(Errno::TOOMANYREFS) => {
            let why = "too many descriptors of this user are on their way between programs; raise \
                       the number of open files (ulimit -n)";
            (io::ErrorKind::Other, why.to_owned())
        }
        Some(Errno::NFILE) => {
            let why = "the whole system has no more open files (fs.file-max)";
            (io::ErrorKind::Other, why.to_owned())
        }
        Some(Errno::NOMEM | Errno::NOBUFS) => {
            let most = limit(Resource::As);
            let why = format!(
                "no more memory; the address space of a program is limited to {most} bytes \
                 (ulimit -v)"
            );
            (io::ErrorKind::OutOfMemory, why)
        }
        _ => return error,
    };
    io::Error::new(kind, format!("{why} ({error})"))
}

/// Why a temporary file or folder could not be made, and what to do.
pub(crate) fn without_temporary(error: &io::Error) -> io::Error {
    // The library does not tell the system's own error, which comes again.
    match File::open(std::env::temp_dir()) {
        Err(again) if has_no_room(&again) => explained(again),
        _ => {
            let advice = "set TMPDIR to a folder that you may write to";
            io::Error::new(error.kind(), format!("{error}; {advice}"))
        }
    }
}

/// What to start for this program to run once more: on Linux that is this very program, even if its
/// file was replaced meanwhile.
///
/// # Errors
///
/// When the system does not tell where it is.
pub(crate) fn this_program() -> io::Result<PathBuf> {
    let itself = PathBuf::from("/proc/self/exe");
    if itself.exists() { Ok(itself) } else { std::env::current_exe() }
}

/// The device that takes whatever is written to it.
///
/// # Errors
///
/// When it cannot be opened; the text says what to do where it is not there.
pub(crate) fn open_null_device() -> io::Result<File> {
    File::options().write(true).open("/dev/null").map_err(|error| match error.kind() {
        io::ErrorKind::NotFound => io::Error::other("there is no /dev/null; mount /dev"),
        _ => error,
    })
}

/// The least address space in which this program has room for what it does itself.
const LEAST_ADDRESS_SPACE: u64 = 16 << 20;

/// Whether there is too little address space for this program itself: an allocation that fails
/// would end it without a word.
pub(super) fn too_little_address_space() -> Option<io::Error> {
    let most = getrlimit(Resource::As).current.filter(|&most| most < LEAST_ADDRESS_SPACE)?;
    let why = format!(
        "this program may use {most} bytes of address space and needs {LEAST_ADDRESS_SPACE}; raise \
         that (ulimit -v)"
    );
    Some(io::Error::other(why))
}

/// Most descriptors that this process may have open; none where there is no limit.
pub(super) fn own_descriptors() -> Option<u64> {
    getrlimit(Resource::Nofile).current
}

/// Has the system, when it runs out of memory, end this process of ours before any other one. What
/// it starts from now on is as likely to be ended.
pub(super) fn end_first_without_memory(pid: Pid) {
    #[cfg(target_os = "linux")]
    let _ = std::fs::write(format!("/proc/{}/oom_score_adj", pid.as_raw_nonzero()), "1000");
    #[cfg(not(target_os = "linux"))]
    let _ = pid;
}

/// The processor time that these processes have used, with that of their children that have ended
/// and, where they have ended as ours, of theirs.
#[cfg(target_os = "linux")]
pub(super) fn processor_time(processes: &[Pid]) -> Duration {
    use nix::time::{clock_getcpuclockid, clock_gettime};
    let own = |process: Pid| -> nix::Result<Duration> {
        let pid = nix::unistd::Pid::from_raw(process.as_raw_nonzero().get());
        Ok(clock_gettime(clock_getcpuclockid(pid)?)?.into())
    };
    let ours = rustix::process::getpid();
    let living: Duration = processes.iter().filter_map(|&one| own(one).ok()).sum();
    living + processes.iter().chain([&ours]).map(|&one| ended_children(one)).sum::<Duration>()
}

/// None used, where the kernel does not tell.
#[cfg(not(target_os = "linux"))]
pub(super) fn processor_time(_: &[Pid]) -> Duration {
    Duration::ZERO
}

/// The processor time of the children of a process that have ended.
#[cfg(target_os = "linux")]
fn ended_children(of: Pid) -> Duration {
    let fields = fields_of(of);
    // Behind the state: 12 numbers.
    let ticks: u64 =
        fields.iter().skip(13).take(2).filter_map(|field| field.parse::<u64>().ok()).sum();
    Duration::from_millis(1000 * ticks / rustix::param::clock_ticks_per_second().max(1))
}

/// Whether a process runs or sleeps: it was not stopped, and has not ended.
pub(super) fn is_running(process: Pid) -> bool {
    let state = fields_of(process).into_iter().next();
    state.is_some_and(|state| !["T", "t", "Z", "X"].contains(&&*state))
}

/// Whether a process or thread runs, or would if it had a processor.
pub(super) fn wants_the_processor(task: Pid) -> bool {
    fields_of(task).first().is_some_and(|state| state == "R")
}

/// What `/proc/PID/stat` tells behind the name, which may hold anything: the state first.
fn fields_of(process: Pid) -> Vec<String> {
    let path = format!("/proc/{}/stat", process.as_raw_nonzero());
    let text = std::fs::read(path).unwrap_or_default();
    let text = String::from_utf8_lossy(&text);
    let behind = text.rsplit_once(')').map_or("", |(_, behind)| behind);
    behind.split_whitespace().map(str::to_owned).collect()
}

/// What the system calls the pipe or file behind a descriptor, where it tells.
pub(super) fn name_of(descriptor: BorrowedFd<'_>) -> Option<PathBuf> {
    use std::os::fd::AsRawFd as _;
    std::fs::read_link(format!("/proc/self/fd/{}", descriptor.as_raw_fd())).ok()
}

/// What a process reads from, where the system tells; nothing when it has ended.
pub(super) fn stdin_of(process: Pid) -> Option<PathBuf> {
    std::fs::read_link(format!("/proc/{}/fd/0", process.as_raw_nonzero())).ok()
}

/// Most descriptors that a bot may have open.
pub(super) const DESCRIPTORS: u64 = 256;

/// Holds this process, and whatever it starts, to the limits that the system keeps for each
/// process: the size of files, descriptors, and no core dumps. Not memory: the system counts what
/// a process asks for, and virtual machines and sanitizers ask for much that they never use.
pub(super) fn limit_own_resources(limits: &Resources) -> io::Result<()> {
    lower(Resource::Core, 0)?;
    lower(Resource::Nofile, DESCRIPTORS)?;
    if let Some(bytes) = limits.file_size {
        lower(Resource::Fsize, bytes)?;
    }
    Ok(())
}

/// Sets a limit, unless it is lower already.
fn lower(resource: Resource, most: u64) -> io::Result<()> {
    let now = getrlimit(resource);
    let at_most = |limit: Option<u64>| Some(limit.map_or(most, |limit| limit.min(most)));
    let limit = Rlimit { current: at_most(now.current), maximum: at_most(now.maximum) };
    Ok(setrlimit(resource, limit)?)
}

/// Limits a process that was just started to this processor time, in whole seconds, after which
/// it gets SIGXCPU and a second later SIGKILL.
#[cfg(target_os = "linux")]
pub(super) fn limit_cpu_time(pid: Pid, limit: Duration) {
    let seconds = limit.as_secs().max(1);
    let limit = Rlimit { current: Some(seconds), maximum: Some(seconds + 1) };
    // Fails only when the process has ended.
    let _ = rustix::process::prlimit(Some(pid), Resource::Cpu, limit);
}

#[cfg(not(target_os = "linux"))]
pub(super) fn limit_cpu_time(_: Pid, _: Duration) {}
