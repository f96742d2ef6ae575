//! The restrictions of the sandbox, which a process takes on before it is the bot.

use std::io;
use std::os::fd::{AsRawFd as _, OwnedFd};

use crate::bot::warden::sandbox::handed_calls::HandedCallsFilter;
use rustix::io::{FdFlags, fcntl_setfd};
use rustix::thread::{CapabilitiesSecureBits, CapabilitySet, CapabilitySets};

/// The restrictions of the sandbox, ready for a process to take on.
#[derive(Clone, Copy)]
pub(crate) enum Confinement<'a> {
    Now {
        /// A Landlock ruleset.
        rules: &'a OwnedFd,
        /// What keeps it on the warden's cores.
        handed_calls: &'a HandedCallsFilter,
        /// A seccomp filter.
        filter: &'a seccompiler::BpfProgram,
    },
    /// The process becomes a program of the user's, which starts this one with these descriptors.
    Later(&'a [OwnedFd; 2]),
}

/// Confines this process and all that it starts.
pub(super) fn confine(confinement: Confinement<'_>) -> io::Result<()> {
    let (rules, handed_calls, filter) = match confinement {
        Confinement::Now { rules, handed_calls, filter } => (rules, handed_calls, filter),
        Confinement::Later(kept) => {
            return kept.iter().try_for_each(|one| Ok(fcntl_setfd(one, FdFlags::empty())?));
        }
    };
    if rustix::process::geteuid().is_root() {
        // Or a program of the superuser would get its privileges back. Where the superuser may not set
        // these (a container without CAP_SETPCAP), `set_no_new_privs` alone keeps it from that.
        let bits = CapabilitiesSecureBits::NO_ROOT | CapabilitiesSecureBits::NO_ROOT_LOCKED;
        match rustix::thread::set_capabilities_secure_bits(bits) {
            Ok(()) | Err(rustix::io::Errno::PERM) => {}
            Err(error) => return Err(error.into()),
        }
    }
    let none = CapabilitySet::empty();
    let sets = CapabilitySets { effective: none, permitted: none, inheritable: none };
    rustix::thread::set_capabilities(None, sets)?;
    rustix::thread::set_no_new_privs(true)?;
    restrict_self(rules)?;
    // The other filter allows no descriptor to be sent.
    handed_calls.apply()?;
    // The library gives the kernel a pointer to the filter; its errors hold a number.
    seccompiler::apply_filter(filter).map_err(|_| io::Error::last_os_error())
}

/// Takes on a Landlock ruleset.
fn restrict_self(rules: &OwnedFd) -> io::Result<()> {
    // SAFETY: the call takes a descriptor, which is open for as long as it is borrowed, and flags,
    // of which there are none; it reads and writes no memory of ours.
    #[expect(unsafe_code, reason = "no library calls it without taking the ruleset apart")]
    let answer = unsafe { libc::syscall(libc::SYS_landlock_restrict_self, rules.as_raw_fd(), 0) };
    if answer == 0 { Ok(()) } else { Err(io::Error::last_os_error()) }
}
