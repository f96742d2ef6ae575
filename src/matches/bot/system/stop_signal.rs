//! Stops a process, however many of its threads wait for a processor.
//!
//! Has `unsafe` code: no library has this system call as a safe one.

use rustix::process::{Pid, Signal, kill_process, kill_process_group};

use super::processes::{group_of, threads_of};

/// Most threads of a process that get a signal of their own: for each the kernel walks through all of
/// them. As soon as one of them runs, all others are stopped.
const MOST_THREADS: usize = 256;

/// Sends SIGSTOP to a process and to each of its threads.
///
/// The kernel gives a process's signal to one thread, mostly the first, and stops the others when that
/// one has received it. Beside many busy threads a sleeping one waits for a processor for tens of
/// milliseconds until it does. A thread that runs receives its own signal at once.
pub(crate) fn stop_process(process: Pid) {
    let _ = kill_process(process, Signal::STOP);
    stop_threads(process);
}

/// Sends SIGSTOP to a process group, and to each thread of these `processes` that are in it. Returns
/// whether there is such a group.
pub(crate) fn stop_group(group: Pid, processes: &[Pid]) -> bool {
    let is_there = kill_process_group(group, Signal::STOP).is_ok();
    // Threads of another group would not run on with this one.
    processes
        .iter()
        .filter(|&&one| group_of(one) == Some(group))
        .for_each(|&one| stop_threads(one));
    is_there
}

/// Sends SIGSTOP to each thread of a process, if it has several.
fn stop_threads(process: Pid) {
    let threads: Vec<Pid> = threads_of(process).take(MOST_THREADS).collect();
    if threads.len() < 2 {
        return;
    }
    let number = |task: Pid| task.as_raw_nonzero().get();
    for thread in threads {
        // SAFETY: the call reads no memory of this process.
        #[expect(unsafe_code, reason = "no library has it as a safe call")]
        unsafe {
            libc::tgkill(number(process), number(thread), libc::SIGSTOP);
        }
    }
}
