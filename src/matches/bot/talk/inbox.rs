//! What a bot has written to stdout and the referee has not judged: one line at a time, bounded.

use std::io::{ErrorKind, Read};

/// Most bytes of a line, its newline not counted.
pub const MAX_LINE: usize = crate::protocol::MAX_REPLY;

/// The bytes between a bot's stdout and the referee.
pub(super) struct Inbox {
    buffer: Box<[u8]>,
    filled: usize,
}

impl Inbox {
    pub(super) fn new() -> Inbox {
        Inbox { buffer: vec![0; MAX_LINE + 1].into_boxed_slice(), filled: 0 }
    }

    /// Reads once, without waiting, as much as there is room for. Returns whether the stream goes on.
    pub(super) fn receive(&mut self, from: impl Read) -> bool {
        let read =
            if self.is_full() { Some(0) } else { read_some(from, &mut self.buffer[self.filled..]) };
        self.filled += read.unwrap_or(0);
        read.is_some()
    }

    /// Takes the first whole line, without its newline. What follows it stays.
    pub(super) fn take_line(&mut self) -> Option<Vec<u8>> {
        let end = self.bytes().iter().position(|&byte| byte == b'\n')?;
        let line = self.buffer[..end].to_vec();
        self.buffer.copy_within(end + 1..self.filled, 0);
        self.filled -= end + 1;
        Some(line)
    }

    /// Whether no more bytes fit: without a newline in it, the line is too long.
    pub(super) fn is_full(&self) -> bool {
        self.filled == self.buffer.len()
    }

    /// Takes all bytes that wait.
    pub(super) fn take_all(&mut self) -> Vec<u8> {
        let all = self.bytes().to_vec();
        self.filled = 0;
        all
    }

    /// All bytes that wait.
    pub(super) fn bytes(&self) -> &[u8] {
        &self.buffer[..self.filled]
    }
}

/// Reads what there is, without waiting, into a buffer that is not empty. `None` at the end of the
/// stream: nothing will ever come.
pub(super) fn read_some(mut from: impl Read, buffer: &mut [u8]) -> Option<usize> {
    loop {
        match from.read(buffer) {
            Ok(0) => return None,
            Ok(count) => return Some(count),
            Err(error) if error.kind() == ErrorKind::WouldBlock => return Some(0),
            Err(error) if error.kind() == ErrorKind::Interrupted => {}
            Err(_) => return None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_is_taken_and_the_rest_stays() {
        let mut inbox = Inbox::new();
        assert!(inbox.receive(&b"12\n3"[..]));
        assert_eq!(inbox.take_line(), Some(b"12".to_vec()));
        assert_eq!(inbox.take_line(), None);
        assert_eq!(inbox.bytes(), b"3");
        assert!(!inbox.receive(&b""[..]));
        assert!(inbox.receive(&b"4\n"[..]));
        assert_eq!(inbox.take_line(), Some(b"34".to_vec()));
        assert!(inbox.receive(&b"5\n6"[..]));
        assert_eq!(inbox.take_all(), b"5\n6");
        assert_eq!(inbox.bytes(), b"");
    }

    #[test]
    fn a_line_of_64_kib_fits_and_one_byte_more_does_not() {
        let mut longest = vec![b'x'; MAX_LINE];
        longest.push(b'\n');
        let mut inbox = Inbox::new();
        inbox.receive(&longest[..]);
        assert_eq!(inbox.take_line().map(|line| line.len()), Some(MAX_LINE));

        longest.insert(0, b'x');
        inbox.receive(&longest[..]);
        assert!(inbox.is_full());
        assert_eq!(inbox.take_line(), None);
        assert!(inbox.receive(&b"more"[..]));
        assert_eq!(inbox.bytes().len(), MAX_LINE + 1);
    }
}
