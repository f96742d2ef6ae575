//! A reader that an interrupt stops.

use std::io::{self, BufRead, Read};

/// A reader that fails once `stop` returns true, which it asks now and then.
pub struct Stoppable<'a, R> {
    input: R,
    stop: &'a dyn Fn() -> bool,
    /// Bytes that were read since it asked.
    unasked: usize,
}

/// Bytes after which `stop` is asked again.
const OFTEN: usize = 1024 * 1024;

impl<'a, R> Stoppable<'a, R> {
    /// Reads `input` until `stop` says so.
    pub fn new(input: R, stop: &'a dyn Fn() -> bool) -> Stoppable<'a, R> {
        Stoppable { input, stop, unasked: OFTEN }
    }
}

impl<R: BufRead> Read for Stoppable<'_, R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        self.fill_buf()?;
        let read = self.input.read(buffer)?;
        self.unasked += read;
        Ok(read)
    }
}

impl<R: BufRead> BufRead for Stoppable<'_, R> {
    fn fill_buf(&mut self) -> io::Result<&[u8]> {
        if self.unasked >= OFTEN {
            self.unasked = 0;
            if (self.stop)() {
                // Not `Interrupted`, after which a reader tries again.
                return Err(io::Error::other("stopped"));
            }
        }
        self.input.fill_buf()
    }

    fn consume(&mut self, length: usize) {
        self.unasked += length;
        self.input.consume(length);
    }
}
