//! Stops a process, however many of its threads wait for a processor.
//!
//! Has `unsafe` code: no library has this system call as a safe one.

use rustix::process::{Pid, Signal, kill_process};

use super::processes::threads_of;

/// Sends SIGSTOP to a process and to each of its threads.
///
/// The kernel gives a process's signal to one thread, mostly the first, and stops the others when that
/// one has received it. Beside many busy threads a sleeping one waits for a processor for tens of
/// milliseconds until it does. A thread that runs receives its own signal at once.
pub fn stop_process(process: Pid) {
    let _ = kill_process(process, Signal::STOP);
    stop_threads(process);
}

/// Sends SIGSTOP to each thread of a process, if it has several.
pub fn stop_threads(process: Pid) {
    let threads: Vec<Pid> = threads_of(process).collect();
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
