//! Looks for which the bot can have the warden wait: to read what a process has mapped, the kernel waits
//! for that process's own calls. A bot could so take more than it may, or use its opponent's time,
//! while nobody looks at it.

use std::sync::mpsc::{self, RecvTimeoutError};
use std::thread;
use std::time::Duration;

use rustix::thread::gettid;

use super::tree;
use crate::bot::system;
use crate::bot::warden::idle::stopped::StoppedProcesses;

/// How long such a look may wait for the bot before that is stopped.
const PATIENCE: Duration = Duration::from_millis(20);

/// Looks at a bot that runs, and stops all below this process while the look waits for
/// the bot's calls. A bot that is stopped comes to the end of its calls soon.
pub(super) fn guarded<T>(look: impl FnOnce() -> T) -> T {
    let looking = gettid();
    // Not if the look only gets too little of a processor.
    stopped_while(look, move || system::is_in_deep_sleep(looking))
}

/// The same, of a look that hangs if this says so.
fn stopped_while<T>(look: impl FnOnce() -> T, hangs: impl Fn() -> bool + Send) -> T {
    thread::scope(|scope| {
        let (done, is_done) = mpsc::channel::<()>();
        let guard = move || {
            let mut stopped = StoppedProcesses::default();
            let mut has_hung = false;
            while is_done.recv_timeout(PATIENCE) == Err(RecvTimeoutError::Timeout) {
                has_hung = has_hung || hangs();
                if has_hung {
                    stopped.stop(tree::below_us);
                }
            }
        };
        // Where the system has no room for a thread, the look is as long as the bot makes it.
        let _guard = thread::Builder::new().spawn_scoped(scope, guard);
        let found = look();
        drop(done);
        found
    })
}

#[cfg(test)]
mod tests {
    use rustix::process::Pid;

    use super::*;
    use crate::bot::testing::wait_until;
    use crate::bot::warden::idle::FREEZING;

    #[test]
    fn a_bot_is_stopped_only_while_a_look_at_it_hangs() {
        let _alone = FREEZING.lock();
        let mut child = std::process::Command::new("sleep").arg("60").spawn().unwrap();
        let bot = Pid::from_child(&child);
        let wait = || thread::sleep(5 * PATIENCE);
        let has_stopped = || system::has_stopped(bot);
        assert!(!stopped_while(|| (wait(), has_stopped()).1, || false));
        stopped_while(|| wait_until(has_stopped), || true);
        wait_until(|| !has_stopped());
        child.kill().unwrap();
        child.wait().unwrap();
    }
}
