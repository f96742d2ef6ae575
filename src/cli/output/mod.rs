//! Stdout, where results go: whole lines, each in one write, and no error is passed over.

mod closed_stdout;

use std::io::{self, IsTerminal, Write};
use std::sync::atomic::Ordering;

use rustix::event::{PollFd, PollFlags, poll};
use rustix::io::Errno;

use closed_stdout::WAS_CLOSED;

/// Lines for stdout. They are written when there are many of them, and all by [`Write::flush`].
///
/// The standard library's stdout takes a descriptor that cannot be written for one that can, and
/// writes a line in as many pieces as it was made of, which lines of other programs come between.
pub(super) struct Output {
    pending: Vec<u8>,
    /// How many bytes are collected before lines are written; a longer line is written when whole.
    block: usize,
}

impl Output {
    /// Lines for stdout. On a terminal each is shown as soon as it is whole.
    pub(super) fn new() -> Output {
        let block = if io::stdout().is_terminal() { 0 } else { 32 * 1024 };
        Output { pending: Vec::new(), block }
    }
}

impl Write for Output {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.pending.extend_from_slice(bytes);
        if self.pending.len() >= self.block
            && let Some(end) = bytes.iter().rposition(|&byte| byte == b'\n')
        {
            let rest = self.pending.split_off(self.pending.len() - bytes.len() + end + 1);
            let lines = std::mem::replace(&mut self.pending, rest);
            write_to_stdout(&lines)?;
        }
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        write_to_stdout(&std::mem::take(&mut self.pending))
    }
}

/// Writes to stdout what `write` writes, all of it.
pub(super) fn to_stdout(write: impl FnOnce(&mut Output) -> io::Result<()>) -> io::Result<()> {
    let mut out = Output::new();
    write(&mut out).and_then(|()| out.flush())
}

/// Makes sure that there is a stdout for results.
///
/// # Errors
///
/// When it was closed before the program began.
pub(super) fn require_stdout() -> io::Result<()> {
    if WAS_CLOSED.load(Ordering::Relaxed) {
        return Err(io::Error::other("it is closed; send it to a file or to /dev/null"));
    }
    Ok(())
}

fn write_to_stdout(mut bytes: &[u8]) -> io::Result<()> {
    if !bytes.is_empty() {
        require_stdout()?;
    }
    let stdout = io::stdout();
    while !bytes.is_empty() {
        match rustix::io::write(&stdout, bytes) {
            Ok(written) => bytes = &bytes[written..],
            Err(Errno::INTR) => {}
            // Another program that shares it may have set it not to wait.
            Err(Errno::AGAIN) => {
                let _ = poll(&mut [PollFd::new(&stdout, PollFlags::OUT)], None);
            }
            Err(error) => return Err(error.into()),
        }
    }
    Ok(())
}
