//! Whether stdout was closed when the program began, as `>&-` does.
//!
//! Before `main`, the standard library opens `/dev/null` for each standard stream that is closed.
//! From then on a closed stdout looks like one that a caller sent to `/dev/null` on purpose, so it
//! has to be looked at earlier.

use std::sync::atomic::{AtomicBool, Ordering};

/// Whether there was no stdout when the program began. What is written to it then is lost.
pub(super) static WAS_CLOSED: AtomicBool = AtomicBool::new(false);

/// The dynamic linker calls what is listed here before the standard library's own start.
// SAFETY: entries of this section are pointers to C functions, which `look` is; any arguments that
// it is called with are ignored under the C calling convention. Nothing of the standard library is
// ready yet, and `look` needs nothing of it.
#[expect(unsafe_code, reason = "no safe code runs before the standard library's start")]
#[used]
#[unsafe(link_section = ".init_array")]
static LOOK: extern "C" fn() = look;

/// One system call and one store: no memory, no lock, no panic.
extern "C" fn look() {
    let is_closed = rustix::io::fcntl_getfd(rustix::stdio::stdout()).is_err();
    WAS_CLOSED.store(is_closed, Ordering::Relaxed);
}
