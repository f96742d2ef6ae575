//! Processes as the kernel knows them: how they ended, what they use, what they read from.

use std::io;
use std::os::fd::{AsRawFd as _, BorrowedFd, OwnedFd};
use std::path::PathBuf;
use std::time::{Duration, Instant};

use nix::time::{clock_getcpuclockid, clock_gettime};
use rustix::process::{
    Pid, PidfdFlags, Signal, WaitId, WaitIdOptions, WaitIdStatus, WaitOptions, kill_process,
    kill_process_group, pidfd_open, waitid, waitpid,
};

use super::waiting::{input, wait_for};

/// A descriptor that becomes readable when the process ends, and that never means another process.
pub(crate) fn pidfd(pid: Pid) -> io::Result<OwnedFd> {
    Ok(pidfd_open(pid, PidfdFlags::empty())?)
}

/// How a child of ours ended; `None` while it runs. It stays a zombie, so that its number and its
/// process group's stay taken.
///
/// # Errors
///
/// When the process is not our child.
pub(crate) fn how_it_ended(child: WaitId<'_>) -> io::Result<Option<WaitIdStatus>> {
    Ok(waitid(child, WaitIdOptions::EXITED | WaitIdOptions::NOHANG | WaitIdOptions::NOWAIT)?)
}

/// Waits at most `time` for a child of ours to end, and reaps it.
pub(crate) fn reap_within(pid: Pid, time: Duration) {
    let deadline = Instant::now() + time;
    while waitpid(Some(pid), WaitOptions::NOHANG).is_ok_and(|reaped| reaped.is_none()) {
        let left = deadline.saturating_duration_since(Instant::now());
        if left.is_zero() {
            return;
        }
        match pidfd(pid) {
            // After a signal the loop tries again.
            Ok(ended) => drop(wait_for([Some(input(&ended))], left)),
            Err(_) => std::thread::sleep(left.min(Duration::from_micros(200))),
        }
    }
}

/// How often the kernel has killed a process because memory ran out. `None` where it does not count
/// that.
pub(crate) fn out_of_memory_kills() -> Option<u64> {
    let counters = std::fs::read_to_string("/proc/vmstat").ok()?;
    counters.lines().find_map(|line| line.strip_prefix("oom_kill "))?.parse().ok()
}

/// The processor time that a process has used. `None` if it is gone; a zombie still has it.
pub(crate) fn processor_time(process: Pid) -> Option<Duration> {
    let process = nix::unistd::Pid::from_raw(process.as_raw_nonzero().get());
    Some(clock_gettime(clock_getcpuclockid(process).ok()?).ok()?.into())
}

/// The processor time of the children of a process that have ended and, where they have ended as
/// theirs, of their children. Where a process ignores that its children end, they are not counted.
pub(crate) fn processor_time_of_ended_children(of: Pid) -> Duration {
    Duration::from_millis(milliseconds(&fields_of(of), 13))
}

/// How many processors this process may use.
pub(crate) fn cores() -> u32 {
    rustix::thread::sched_getaffinity(None).map_or(1, |cores| cores.count()).max(1)
}

/// The processor time of a process, in milliseconds; 0 if the kernel does not tell. A zombie still
/// has it.
pub(crate) fn cpu_ms(process: Pid) -> u64 {
    milliseconds(&fields_of(process), 11)
}

/// User and system time together, which are the fields `first` and `first + 1`, in clock ticks.
fn milliseconds(fields: &[String], first: usize) -> u64 {
    let times = fields.iter().skip(first).take(2);
    let ticks: u64 = times.filter_map(|ticks| ticks.parse::<u64>().ok()).sum();
    ticks * 1000 / rustix::param::clock_ticks_per_second().max(1)
}

/// Whether a process, or one of its threads by its own number, runs or sleeps: it was not stopped,
/// and has not ended. A process whose first thread has ended is what the others are.
pub(crate) fn is_running(process: Pid) -> bool {
    match state_of(process).as_deref() {
        Some("Z") => threads_of(process).any(|thread| is_in_motion(state_of(thread).as_deref())),
        state => is_in_motion(state),
    }
}

/// Whether a process that was sent SIGSTOP runs because it was let go on since. One that only has
/// not come to stop yet, or not with all its threads, was not; nor was one that ends, which takes no
/// such signal any more.
pub(crate) fn was_continued(process: Pid) -> bool {
    const STOP: u64 = 1 << (Signal::STOP.as_raw() - 1);
    // First of all: a signal waits until the first thread has stopped for it.
    let text = text_of(process, "status");
    let waiting = line_of(&text, "ShdPnd:").and_then(|mask| u64::from_str_radix(mask, 16).ok());
    let threads: Vec<_> = threads_of(process).map(fields_of).collect();
    let state = |fields: &[String]| fields.first().cloned();
    waiting.is_some_and(|waiting| waiting & STOP == 0)
        && threads.iter().any(|one| is_in_motion(state(one).as_deref()) && !is_ending(one))
        && threads.iter().all(|one| state(one).as_deref() != Some("T"))
}

/// Whether the thread with `fields` is about to end: it runs none of its own code any more.
fn is_ending(fields: &[String]) -> bool {
    const PF_EXITING: u64 = 4;
    fields.get(6).and_then(|flags| flags.parse().ok()).is_some_and(|all: u64| all & PF_EXITING != 0)
}

/// Whether a thread, by its own number, has stopped.
pub(crate) fn has_stopped(thread: Pid) -> bool {
    state_of(thread).is_some_and(|state| ["T", "t"].contains(&&*state))
}

/// Whether a thread, by its own number, is in the middle of a call that takes no signals.
pub(crate) fn is_in_deep_sleep(thread: Pid) -> bool {
    state_of(thread).as_deref() == Some("D")
}

/// The processor time that a thread has used, by its own number. Zero if the kernel does not tell.
pub(crate) fn thread_time(thread: Pid) -> Duration {
    let text = text_of(thread, "schedstat");
    let nanoseconds = text.split_whitespace().next().and_then(|time| time.parse().ok());
    Duration::from_nanos(nanoseconds.unwrap_or_default())
}

/// Whether this is the state of what was not stopped and has not ended.
fn is_in_motion(state: Option<&str>) -> bool {
    state.is_some_and(|state| !["T", "t", "Z", "X"].contains(&state))
}

fn state_of(process: Pid) -> Option<String> {
    fields_of(process).into_iter().next()
}

/// The threads of a process, by their numbers.
pub(super) fn threads_of(process: Pid) -> impl Iterator<Item = Pid> {
    let threads = std::fs::read_dir(format!("/proc/{}/task", process.as_raw_nonzero()));
    let names = threads.into_iter().flatten().flatten().map(|thread| thread.file_name());
    names.filter_map(|name| Pid::from_raw(name.to_str()?.parse().ok()?))
}

/// Whether a process or thread runs, or would if it had a processor.
pub(crate) fn wants_the_processor(task: Pid) -> bool {
    fields_of(task).first().is_some_and(|state| state == "R")
}

/// Whether `processes` have more threads than `few`.
pub(crate) fn has_more_threads(processes: &[Pid], few: usize) -> bool {
    let of =
        |&process: &Pid| fields_of(process).get(17).and_then(|count| count.parse::<usize>().ok());
    processes.iter().filter_map(of).sum::<usize>() > few
}

/// Whether `processes` have more threads than `few` that run, or would if they had a processor.
/// Looks at no more than it must.
pub(crate) fn has_more_busy_threads(processes: &[Pid], few: usize) -> bool {
    let threads = processes.iter().flat_map(|&one| threads_of(one));
    threads.filter(|&one| wants_the_processor(one)).nth(few).is_some()
}

/// The parent of a process. `None` if the process is gone.
pub(crate) fn parent_of(process: Pid) -> Option<Pid> {
    Pid::from_raw(fields_of(process).get(1)?.parse().ok()?)
}

/// The process group that a process is in. `None` if the process is gone.
pub(super) fn group_of(process: Pid) -> Option<Pid> {
    Pid::from_raw(fields_of(process).get(2)?.parse().ok()?)
}

/// The number of the session that a process is in, 0 where its leader is in sight of the system only.
/// `None` if the process is gone.
pub(crate) fn session_of(process: Pid) -> Option<i32> {
    fields_of(process).get(3)?.parse().ok()
}

/// The fields of `/proc/PID/stat` after the name: first the state, then the parent. Empty if the
/// process is gone.
fn fields_of(process: Pid) -> Vec<String> {
    fields_in(&text_of(process, "stat"))
}

fn fields_in(text: &str) -> Vec<String> {
    // The name is in brackets and may hold anything.
    let behind = text.rsplit_once(')').map_or("", |(_, behind)| behind);
    behind.split_whitespace().map(str::to_owned).collect()
}

/// The text of `/proc/PID/FILE`. Empty if it cannot be read.
pub(crate) fn text_of(process: Pid, file: &str) -> String {
    // Names of processes need not be text.
    String::from_utf8_lossy(&bytes_of(process, file)).into_owned()
}

/// The content of `/proc/PID/FILE`. Empty if it cannot be read.
pub(crate) fn bytes_of(process: Pid, file: &str) -> Vec<u8> {
    std::fs::read(format!("/proc/{}/{file}", process.as_raw_nonzero())).unwrap_or_default()
}

/// What stands behind `name` in the first line that begins with it. A process may have the name of a
/// line as its own.
pub(crate) fn line_of<'a>(text: &'a str, name: &str) -> Option<&'a str> {
    Some(text.lines().find_map(|line| line.strip_prefix(name))?.trim())
}

/// Whether a process, or a thread by its own number, has memory: it has not ended.
pub(crate) fn has_memory(process: Pid) -> bool {
    line_of(&text_of(process, "status"), "RssAnon:").is_some()
}

/// A thread that still has the memory and the descriptors of its process: the first thread loses them
/// when it ends before the others. Returns the process itself if no thread has them.
pub(crate) fn living_thread(process: Pid) -> Pid {
    threads_of(process).find(|&thread| has_memory(thread)).unwrap_or(process)
}

/// Kills a child of this process that is not reaped, and the group that has its number: the child may
/// have left that for another one.
pub(crate) fn kill_with_group(child: Pid) {
    let _ = kill_process_group(child, Signal::KILL);
    let _ = kill_process(child, Signal::KILL);
}

/// The kernel's name of the pipe or file behind a descriptor.
pub(crate) fn name_of(descriptor: BorrowedFd<'_>) -> Option<PathBuf> {
    std::fs::read_link(format!("/proc/self/fd/{}", descriptor.as_raw_fd())).ok()
}

/// The kernel's name of what a process reads from. `None` when it has ended.
pub(crate) fn stdin_of(process: Pid) -> Option<PathBuf> {
    std::fs::read_link(format!("/proc/{}/fd/0", process.as_raw_nonzero())).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_thread_that_ends_is_told_from_one_that_runs() {
        for (flags, expected) in [(4_194_304, false), (4_194_368, false), (4_194_316, true)] {
            let fields = fields_in(&format!("7 (a) b) R 1 7 7 0 -1 {flags} 103 0\n"));
            assert_eq!((&*fields[0], is_ending(&fields)), ("R", expected));
        }
    }

    #[test]
    fn a_process_with_the_name_of_a_line_is_not_taken_for_that_line() {
        let status = "Name:\tRssAnon:\nState:\tZ (zombie)\nVmPTE:\t  12 kB\n";
        assert_eq!(line_of(status, "RssAnon:"), None);
        assert_eq!(line_of(status, "VmPTE:"), Some("12 kB"));
    }
}
