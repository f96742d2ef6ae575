//! Reading a file without moving the place where others read or write.

use std::io::{self, Read};
use std::ops::{Deref, Range};
use std::os::unix::fs::FileExt;

/// A part of a file, read without moving the place where others read or write.
pub struct ReadAt<F> {
    file: F,
    rest: Range<u64>,
}

impl<F> ReadAt<F> {
    /// Reads `bytes` of the file; an end behind the file's means all of it.
    pub const fn new(file: F, bytes: Range<u64>) -> ReadAt<F> {
        ReadAt { file, rest: bytes }
    }
}

impl<F: Deref<Target: FileExt>> Read for ReadAt<F> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let left = usize::try_from(self.rest.end - self.rest.start).unwrap_or(usize::MAX);
        let most = buffer.len().min(left);
        let read = self.file.read_at(&mut buffer[..most], self.rest.start)?;
        self.rest.start += read as u64;
        Ok(read)
    }
}
