//! What the tests of several packages need of processes.

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
