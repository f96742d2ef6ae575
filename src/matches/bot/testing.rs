//! What tests of several modules and packages need beside other tests, which start programs all the
//! while: until such a program runs, its process has a copy of every descriptor of this one.

use rustix::thread::{CapabilitySet, capabilities, set_capabilities};

/// Runs this in a thread for which modes of files count also where its user is the superuser.
///
/// # Panics
///
/// If `run` does, or the thread cannot give up its capabilities.
pub fn held_to_modes<T: Send>(run: impl FnOnce() -> T + Send) -> T {
    let own = || {
        let mut sets = capabilities(None).unwrap();
        sets.effective -= CapabilitySet::DAC_OVERRIDE | CapabilitySet::DAC_READ_SEARCH;
        set_capabilities(None, sets).unwrap();
        run()
    };
    std::thread::scope(|scope| scope.spawn(own).join().unwrap())
}

#[cfg(test)]
pub(in crate::bot) use self::beside_others::{copy_sleep_to, left_out, wait_until};

#[cfg(test)]
mod beside_others {
    use std::path::Path;
    use std::process::Command;
    use std::time::{Duration, Instant};

    /// Waits until it is so, however long another test's program has a copy of what this one has closed.
    #[track_caller]
    pub(in crate::bot) fn wait_until(mut is_so: impl FnMut() -> bool) {
        let end = Instant::now() + Duration::from_mins(1);
        while !is_so() {
            assert!(Instant::now() < end, "it does not come to that");
            std::thread::sleep(Duration::from_millis(1));
        }
    }

    /// Copies the program `sleep` by another process: what this one had open for writing would be busy
    /// while another test's program has a copy of it. Returns its bytes.
    pub(in crate::bot) fn copy_sleep_to(program: &Path) -> u64 {
        assert!(Command::new("cp").arg("/bin/sleep").arg(program).status().unwrap().success());
        std::fs::metadata(program).unwrap().len()
    }

    /// Says that a test is left out.
    ///
    /// # Panics
    ///
    /// With `CI` set, where nothing is left out that the checks need anyway.
    pub(in crate::bot) fn left_out(why: &str) {
        assert!(std::env::var_os("CI").is_none_or(|ci| ci.is_empty() || ci == "false"), "{why}");
        println!("left out: {why}");
    }
}
